//! URI references: resolution by RFC 3986 section 5, and percent decoding of fragments.

/// A URI split at its fragment; the fragment is empty when there is none.
pub(crate) fn split_fragment(uri: &str) -> (&str, &str) {
    uri.split_once('#').unwrap_or((uri, ""))
}

/// The five parts of a URI reference, fragment left out.
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(uri: &'a str) -> Parts<'a> {
        let (hierarchy, query) = match uri.split_once('?') {
            Some((hierarchy, query)) => (hierarchy, Some(query)),
            None => (uri, None),
        };
        let (scheme, rest) = match hierarchy.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
            _ => (None, hierarchy),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                (Some(authority), path)
            }
            None => (None, rest),
        };
        Parts { scheme, authority, path, query }
    }

    fn write(&self, path: &str) -> String {
        let mut out = String::new();
        if let Some(scheme) = self.scheme {
            out.push_str(scheme);
            out.push(':');
        }
        if let Some(authority) = self.authority {
            out.push_str("//");
            out.push_str(authority);
        }
        out.push_str(path);
        if let Some(query) = self.query {
            out.push('?');
            out.push_str(query);
        }
        out
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

/// Resolves a reference without a fragment against a base without one.
pub(crate) fn resolve(base: &str, reference: &str) -> String {
    if reference.is_empty() {
        return base.to_owned();
    }
    let base = Parts::of(base);
    let target = Parts::of(reference);
    if target.scheme.is_some() {
        return target.write(&without_dots(target.path));
    }
    if target.authority.is_some() {
        return Parts { scheme: base.scheme, ..target }.write(&without_dots(target.path));
    }
    let resolved = Parts { scheme: base.scheme, authority: base.authority, path: "", query: target.query };
    if target.path.is_empty() {
        return Parts { query: target.query.or(base.query), ..resolved }.write(base.path);
    }
    if target.path.starts_with('/') {
        return resolved.write(&without_dots(target.path));
    }
    let mut merged = match base.path.rfind('/') {
        _ if base.authority.is_some() && base.path.is_empty() => String::from("/"),
        Some(slash) => base.path.get(..=slash).unwrap_or_default().to_owned(),
        None => String::new(),
    };
    merged.push_str(target.path);
    resolved.write(&without_dots(&merged))
}

/// RFC 3986 section 5.2.4, for paths; a path that does not start with a slash keeps its form.
fn without_dots(path: &str) -> String {
    if !path.split('/').any(|segment| segment == "." || segment == "..") {
        return path.to_owned();
    }
    let absolute = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(absolute as usize).peekable();
    while let Some(segment) = segments.next() {
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if segments.peek().is_none() {
                    kept.push("");
                }
            }
            other => kept.push(other),
        }
    }
    let mut out = String::from(if absolute { "/" } else { "" });
    for (index, segment) in kept.into_iter().enumerate() {
        if index > 0 {
            out.push('/');
        }
        out.push_str(segment);
    }
    out
}

/// Decodes `%xx`. `None` when a percent sign is not followed by two hex digits or the result is not UTF-8.
pub(crate) fn percent_decoded(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let mut digit = || (bytes.next()? as char).to_digit(16);
            out.push((digit()? << 4 | digit()?) as u8);
        } else {
            out.push(byte);
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_rfc_3986_resolve_as_it_says() {
        let base = "http://a/b/c/d;p?q";
        for (reference, target) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"),
            ("g?y/./x", "http://a/b/c/g?y/./x"),
        ] {
            assert_eq!(resolve(base, reference), target, "{reference}");
        }
        assert_eq!(resolve("http://a", "b.json"), "http://a/b.json");
        assert_eq!(resolve("", "b.json"), "b.json");
        assert_eq!(resolve("urn:uuid:1", ""), "urn:uuid:1");
    }

    #[test]
    fn fragments_are_percent_decoded() {
        assert_eq!(percent_decoded("/a%25b%C3%A9").as_deref(), Some("/a%bé"));
        for wrong in ["%", "%2", "%zz", "%ff"] {
            assert_eq!(percent_decoded(wrong), None, "{wrong}");
        }
    }
}
