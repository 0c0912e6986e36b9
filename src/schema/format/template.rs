//! RFC 6570 URI templates.

use super::uri::{is_percent_encoded, is_private, is_ucs};

/// Literals and `{expressions}`.
pub(super) fn is_uri_template(text: &str) -> bool {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let held = match c {
            '{' => match chars.as_str().split_once('}') {
                Some((expression, rest)) => {
                    chars = rest.chars();
                    is_expression(expression)
                }
                None => false,
            },
            '%' => is_percent_encoded(&mut chars),
            // RFC 6570, erratum 6937, allows the apostrophe.
            '\0'..='\x20' | '"' | '<' | '>' | '\\' | '^' | '`' | '|' | '}' | '\x7f' => false,
            '\x21'..='\x7e' => true,
            c => is_ucs(c) || is_private(c),
        };
        if !held {
            return false;
        }
    }
    true
}

fn is_expression(expression: &str) -> bool {
    let variables =
        expression.strip_prefix(['+', '#', '.', '/', ';', '?', '&', '=', ',', '!', '@', '|']).unwrap_or(expression);
    variables.split(',').all(is_variable)
}

/// A name with an optional `:length` or `*`.
fn is_variable(variable: &str) -> bool {
    if let Some((name, length)) = variable.split_once(':') {
        return matches!(length.as_bytes(), [b'1'..=b'9', rest @ ..] if rest.len() < 4 && rest.iter().all(u8::is_ascii_digit))
            && is_name(name);
    }
    is_name(variable.strip_suffix('*').unwrap_or(variable))
}

fn is_name(name: &str) -> bool {
    name.split('.').all(|part| {
        let mut chars = part.chars();
        let mut held = !part.is_empty();
        while let Some(c) = chars.next() {
            held &= match c {
                '%' => is_percent_encoded(&mut chars),
                c => c.is_ascii_alphanumeric() || c == '_',
            };
        }
        held
    })
}
