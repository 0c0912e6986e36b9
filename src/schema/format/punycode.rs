//! RFC 3492, the ASCII form of internationalised labels.

const BASE: u32 = 36;
const FIRST_CODE: u32 = 0x80;
const FIRST_BIAS: u32 = 72;

/// Decodes into `buffer`; `None` if it is no Punycode or does not fit.
pub(super) fn decode<'a>(encoded: &str, buffer: &'a mut [char]) -> Option<&'a [char]> {
    let (basic, extended) = encoded.rsplit_once('-').unwrap_or(("", encoded));
    let mut len = 0usize;
    for c in basic.chars() {
        *buffer.get_mut(len)? = c.to_ascii_lowercase();
        len += 1;
    }
    let (mut code, mut bias, mut place) = (FIRST_CODE, FIRST_BIAS, 0u32);
    let mut digits = extended.bytes();
    if digits.len() == 0 {
        return None;
    }
    while digits.len() > 0 {
        let before = place;
        let mut weight = 1u32;
        for k in 1.. {
            let digit = match digits.next()? {
                byte @ b'a'..=b'z' => byte - b'a',
                byte @ b'A'..=b'Z' => byte - b'A',
                byte @ b'0'..=b'9' => byte - b'0' + 26,
                _ => return None,
            };
            place = place.checked_add(u32::from(digit).checked_mul(weight)?)?;
            let threshold = threshold(k, bias);
            if u32::from(digit) < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
        }
        let count = len as u32 + 1;
        bias = adapt(place - before, count, before == 0);
        code = code.checked_add(place / count)?;
        place %= count;
        let c = char::from_u32(code)?;
        let at = place as usize;
        buffer.get_mut(at..=len)?.rotate_right(1);
        *buffer.get_mut(at)? = c;
        len += 1;
        place += 1;
    }
    buffer.get(..len)
}

/// The length that a label has when encoded, without `xn--`; `None` if its numbers overflow.
pub(super) fn encoded_length(label: &[char]) -> Option<usize> {
    let count = label.len() as u32;
    let basic = label.iter().filter(|c| c.is_ascii()).count() as u32;
    let mut length = basic as usize + usize::from(basic > 0);
    let (mut code, mut bias, mut delta, mut handled) = (FIRST_CODE, FIRST_BIAS, 0u32, basic);
    while handled < count {
        let next = label.iter().map(|c| u32::from(*c)).filter(|c| *c >= code).min()?;
        delta = delta.checked_add((next - code).checked_mul(handled + 1)?)?;
        code = next;
        for c in label.iter().map(|c| u32::from(*c)) {
            if c < code {
                delta = delta.checked_add(1)?;
            }
            if c == code {
                let mut rest = delta;
                for k in 1.. {
                    length += 1;
                    let threshold = threshold(k, bias);
                    if rest < threshold {
                        break;
                    }
                    rest = (rest - threshold) / (BASE - threshold);
                }
                bias = adapt(delta, handled + 1, handled == basic);
                delta = 0;
                handled += 1;
            }
        }
        delta = delta.checked_add(1)?;
        code += 1;
    }
    Some(length)
}

fn threshold(k: u32, bias: u32) -> u32 {
    (BASE * k).saturating_sub(bias).clamp(1, 26)
}

fn adapt(delta: u32, count: u32, first: bool) -> u32 {
    let mut delta = if first { delta / 700 } else { delta / 2 };
    delta += delta / count;
    let mut k = 0;
    while delta > 455 {
        delta /= 35;
        k += BASE;
    }
    k + 36 * delta / (delta + 38)
}
