//! IP addresses and mailboxes.

use super::ascii::{self, ATEXT};
use super::hostname;

/// Four decimal numbers up to 255 without leading zeros.
pub(super) fn is_ipv4(text: &[u8]) -> bool {
    let mut parts = 0;
    text.split(|byte| *byte == b'.').all(|part| {
        parts += 1;
        match *part {
            [a] => a.is_ascii_digit(),
            [b'1'..=b'9', b] => b.is_ascii_digit(),
            [b'1', b, c] => b.is_ascii_digit() && c.is_ascii_digit(),
            [b'2', b'0'..=b'4', c] => c.is_ascii_digit(),
            [b'2', b'5', b'0'..=b'5'] => true,
            _ => false,
        }
    }) && parts == 4
}

/// Eight groups of up to four hexadecimal digits; `::` once for a run of zeros; the last two may be an IPv4 address.
pub(super) fn is_ipv6(text: &[u8]) -> bool {
    let mut groups = 0;
    let mut compressed = false;
    let mut rest = match text {
        [b':', b':', rest @ ..] => {
            compressed = true;
            rest
        }
        rest => rest,
    };
    while !rest.is_empty() {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        rest = match rest.get(digits..) {
            Some([b'.', ..]) if is_ipv4(rest) => {
                groups += 2;
                break;
            }
            _ if !(1..=4).contains(&digits) => return false,
            Some([b':', b':', ..]) if compressed => return false,
            Some([b':', b':', after @ ..]) => {
                compressed = true;
                groups += 1;
                after
            }
            Some([b':', after @ ..]) if !after.is_empty() => {
                groups += 1;
                after
            }
            Some([]) => {
                groups += 1;
                break;
            }
            _ => return false,
        };
        if groups > 8 {
            return false;
        }
    }
    if compressed { groups < 8 } else { groups == 8 }
}

/// RFC 5321 `Mailbox`; with `international` RFC 6531, which adds what is not ASCII.
pub(super) fn is_email(text: &str, international: bool) -> bool {
    // A quoted local part may hold an at sign, a domain may not.
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    is_local_part(local, international) && is_mail_domain(domain, international)
}

fn is_local_part(local: &str, international: bool) -> bool {
    if local.len() > 64 || !international && !local.is_ascii() {
        return false;
    }
    if let Some(quoted) = local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        let mut bytes = quoted.bytes();
        while let Some(byte) = bytes.next() {
            let held = match byte {
                b'\\' => bytes.next().is_some_and(|escaped| (b' '..=b'~').contains(&escaped)),
                b'"' => false,
                byte => (b' '..=b'~').contains(&byte) || byte >= 0x80,
            };
            if !held {
                return false;
            }
        }
        return true;
    }
    local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(|byte| byte >= 0x80 || ascii::is(byte, ATEXT)))
}

fn is_mail_domain(domain: &str, international: bool) -> bool {
    if let Some(literal) = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return match literal.split_at_checked(5) {
            Some((tag, address)) if tag.eq_ignore_ascii_case("IPv6:") => is_ipv6(address.as_bytes()),
            _ => is_ipv4(literal.as_bytes()),
        };
    }
    if international { hostname::is_idn_hostname(domain) } else { hostname::is_hostname(domain) }
}
