//! Text of others, shown so that it stays where it is put and nothing in it goes unseen.

/// `text` on one line: control, zero-width and bidirectional characters as escapes, cut visibly at `limit` characters.
pub fn plain(text: &str, limit: usize) -> String {
    let mut out = String::new();
    push_plain(&mut out, text, limit);
    out
}

/// Appends [`plain`].
pub(super) fn push_plain(out: &mut String, text: &str, limit: usize) {
    let mut count = 0;
    for c in text.chars() {
        if count >= limit {
            out.push('…');
            break;
        }
        if !is_hidden(c) {
            out.push(c);
            count += 1;
            continue;
        }
        out.push_str("\\u{");
        let digits = (8 - u32::from(c).leading_zeros() / 4).max(1);
        for digit in (0..digits).rev() {
            out.extend(char::from_digit(u32::from(c) >> (4 * digit) & 15, 16));
        }
        out.push('}');
        count += digits as usize + 4;
    }
}

/// Characters a reader cannot see, or that change how what follows is laid out.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// `text` with everything in quotation marks cut visibly at `limit` characters.
pub(super) fn cut_quotes(text: &str, limit: usize) -> String {
    let mut out = String::new();
    let mut inside: Option<usize> = None;
    let mut escaped = false;
    for c in text.chars() {
        match &mut inside {
            None => inside = (c == '"').then_some(0),
            Some(_) if c == '"' && !escaped => inside = None,
            Some(count) => {
                *count += 1;
                escaped = c == '\\' && !escaped;
                if *count > limit {
                    if *count == limit + 1 {
                        out.push('…');
                    }
                    continue;
                }
            }
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        assert_eq!(
            plain("a\nb\u{0}\u{200b}\u{202e}\u{feff}c\u{e0041}", 99),
            "a\\u{a}b\\u{0}\\u{200b}\\u{202e}\\u{feff}c\\u{e0041}"
        );
        assert_eq!(plain("é 日本 👍🏽", 99), "é 日本 👍🏽");
        assert_eq!(plain("abcdef", 3), "abc…");
    }

    #[test]
    fn what_is_quoted_is_cut() {
        assert_eq!(
            cut_quotes(r#"property "abcdef" is "xy\"z1" not "ab""#, 4),
            r#"property "abcd…" is "xy\"…" not "ab""#
        );
        assert_eq!(cut_quotes("a lone \" is no quotation of anything", 10), "a lone \" is no quo…");
    }
}
