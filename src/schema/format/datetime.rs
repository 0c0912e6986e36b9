//! RFC 3339: dates, times and durations.

pub(super) fn is_date(text: &[u8]) -> bool {
    let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text else { return false };
    let (Some(century), Some(year), Some(month), Some(day)) = (two(y1, y2), two(y3, y4), two(m1, m2), two(d1, d2))
    else {
        return false;
    };
    let leap = if year == 0 { century % 4 == 0 } else { year % 4 == 0 };
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=last).contains(&day)
}

pub(super) fn is_date_time(text: &[u8]) -> bool {
    match text.split_at_checked(10) {
        Some((date, [b'T' | b't', time @ ..])) => is_date(date) && is_time(time),
        _ => false,
    }
}

pub(super) fn is_time(text: &[u8]) -> bool {
    let &[h1, h2, b':', m1, m2, b':', s1, s2, ref rest @ ..] = text else { return false };
    let (Some(hour), Some(minute), Some(second)) = (two(h1, h2), two(m1, m2), two(s1, s2)) else { return false };
    if hour > 23 || minute > 59 || second > 60 {
        return false;
    }
    let offset = match rest {
        [b'.', fraction @ ..] => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return false;
            }
            fraction.get(digits..).unwrap_or_default()
        }
        rest => rest,
    };
    let east = match *offset {
        [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => match (two(h1, h2), two(m1, m2)) {
            (Some(hours @ 0..=23), Some(minutes @ 0..=59)) => {
                let minutes = i32::from(hours) * 60 + i32::from(minutes);
                if sign == b'+' { minutes } else { -minutes }
            }
            _ => return false,
        },
        _ => return false,
    };
    // A leap second is the last of a UTC day.
    second < 60 || (i32::from(hour) * 60 + i32::from(minute) - east).rem_euclid(24 * 60) == 24 * 60 - 1
}

/// `P`, then years, months and days without a gap between them and the same of hours, minutes and seconds, or weeks alone.
pub(super) fn is_duration(text: &[u8]) -> bool {
    let [b'P', text @ ..] = text else { return false };
    let (date, time) = match text.iter().position(|byte| *byte == b'T') {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 1..)),
        None => (text, None),
    };
    match time {
        Some(time) => (date.is_empty() || are_elements(date, b"YMD")) && are_elements(time, b"HMS"),
        None => are_elements(date, b"YMD") || are_elements(date, b"W"),
    }
}

/// At least one `<digits><unit>`, the units being a stretch of `units`.
fn are_elements(text: &[u8], units: &[u8]) -> bool {
    let mut expected: Option<usize> = None;
    let mut digits = false;
    for byte in text {
        if byte.is_ascii_digit() {
            digits = true;
            continue;
        }
        let Some(unit) = units.iter().position(|unit| unit == byte) else { return false };
        if !digits || expected.is_some_and(|expected| expected != unit) {
            return false;
        }
        (digits, expected) = (false, Some(unit + 1));
    }
    expected.is_some() && !digits
}

/// The value of two digits.
fn two(tens: u8, ones: u8) -> Option<u8> {
    (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + (ones - b'0'))
}
