//! RFC 3986 URIs and RFC 3987 IRIs, by the grammar and without taking them apart into memory.

use super::ascii::{self, AT, COLON, QUESTION_MARK, SLASH, URI};

/// A URI or IRI: with a scheme.
pub(super) fn is_uri(text: &str, international: bool) -> bool {
    match split_scheme(text) {
        Some(rest) => is_hierarchy(rest, international, true),
        None => false,
    }
}

/// A URI or IRI reference: a scheme is optional.
pub(super) fn is_reference(text: &str, international: bool) -> bool {
    is_uri(text, international) || is_hierarchy(text, international, false)
}

/// What follows `scheme:`.
fn split_scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once(':')?;
    let held = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    held.then_some(rest)
}

/// `[//authority] path [?query] [#fragment]`.
fn is_hierarchy(text: &str, international: bool, after_scheme: bool) -> bool {
    let allowed = |part: &str, extra: u8, private: bool| is_made_of(part, URI | extra, international, private);
    let (text, fragment) = split(text, '#');
    let (text, query) = split(text, '?');
    if !fragment.is_none_or(|fragment| allowed(fragment, COLON | AT | SLASH | QUESTION_MARK, false))
        || !query.is_none_or(|query| allowed(query, COLON | AT | SLASH | QUESTION_MARK, true))
    {
        return false;
    }
    let path = match text.strip_prefix("//") {
        Some(rest) => {
            let length = rest.bytes().position(|byte| byte == b'/').unwrap_or(rest.len());
            let Some((authority, path)) = rest.split_at_checked(length) else { return false };
            if !is_authority(authority, international) {
                return false;
            }
            path
        }
        None => {
            // Without a scheme, a colon in the first segment would make one.
            if !after_scheme && text.split('/').next().is_some_and(|segment| segment.contains(':')) {
                return false;
            }
            text
        }
    };
    allowed(path, COLON | AT | SLASH, false)
}

/// `[userinfo@] host [:port]`.
fn is_authority(authority: &str, international: bool) -> bool {
    let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
    if !user.is_none_or(|user| is_made_of(user, URI | COLON, international, false)) {
        return false;
    }
    let (host, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((literal, port)) => {
            if !is_ip_literal(literal) || !port.is_empty() && !port.starts_with(':') {
                return false;
            }
            ("", port.get(1..).unwrap_or_default())
        }
        None => host.split_once(':').unwrap_or((host, "")),
    };
    is_made_of(host, URI, international, false) && port.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_ip_literal(literal: &str) -> bool {
    match literal.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.')) {
        Some((version, address)) => {
            !version.is_empty()
                && version.bytes().all(|byte| byte.is_ascii_hexdigit())
                && !address.is_empty()
                && address.bytes().all(|byte| ascii::is(byte, URI | COLON))
        }
        None => super::address::is_ipv6(literal.as_bytes()),
    }
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(before, after)| (before, Some(after)))
}

/// Only ASCII of the `classes`, percent-encoded octets, and in an IRI what is not ASCII.
fn is_made_of(part: &str, classes: u8, international: bool, private: bool) -> bool {
    let mut chars = part.chars();
    while let Some(c) = chars.next() {
        let held = match c {
            '%' => is_percent_encoded(&mut chars),
            '\0'..='\x7f' => ascii::is(c as u8, classes),
            c => international && (is_ucs(c) || private && is_private(c)),
        };
        if !held {
            return false;
        }
    }
    true
}

/// Whether two hexadecimal digits come next.
pub(super) fn is_percent_encoded(chars: &mut core::str::Chars<'_>) -> bool {
    let mut digit = || chars.next().is_some_and(|c| c.is_ascii_hexdigit());
    digit() && digit()
}

/// RFC 3987 `ucschar`.
pub(super) fn is_ucs(c: char) -> bool {
    match c {
        '\u{a0}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{ffef}' => true,
        '\u{10000}'..='\u{effff}' => (c as u32) & 0xffff < 0xfffe && !('\u{e0000}'..'\u{e1000}').contains(&c),
        _ => false,
    }
}

/// RFC 3987 `iprivate`.
pub(super) fn is_private(c: char) -> bool {
    match c {
        '\u{e000}'..='\u{f8ff}' => true,
        '\u{f0000}'.. => (c as u32) & 0xffff < 0xfffe,
        _ => false,
    }
}
