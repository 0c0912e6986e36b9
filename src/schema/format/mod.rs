//! The formats that JSON Schema defines, checked in linear time and, when they hold, without allocation.
//!
//! Two approximate their definition, to stay small: [`Regex`](Format::Regex) takes any script name for existing, and the
//! internationalised hostnames (and A-labels in hostnames) are judged by general category and RFC 5892's exceptions and
//! contexts, without the tables of compatibility characters and normal forms.

mod address;
mod ascii;
mod datetime;
mod hostname;
mod idn;
mod pointer;
mod punycode;
mod template;
mod uri;

use crate::schema::pattern;

/// A `format` value with a meaning. All drafts share one definition of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// RFC 3339 `full-date`.
    Date,
    /// RFC 3339 `full-time`: with an offset; a leap second only where UTC can have one.
    Time,
    /// RFC 3339 `date-time`.
    DateTime,
    /// RFC 3339, appendix A.
    Duration,
    /// RFC 5321 `Mailbox`.
    Email,
    /// RFC 6531 `Mailbox`.
    IdnEmail,
    /// RFC 1123, with labels that begin with `xn--` checked as RFC 5891 A-labels.
    Hostname,
    /// RFC 5890 to 5893.
    IdnHostname,
    /// RFC 2673 dotted quad.
    Ipv4,
    /// RFC 4291, without a zone.
    Ipv6,
    /// RFC 3986 `URI`.
    Uri,
    /// RFC 3986 `URI-reference`.
    UriReference,
    /// RFC 3987 `IRI`.
    Iri,
    /// RFC 3987 `IRI-reference`.
    IriReference,
    /// RFC 6570.
    UriTemplate,
    /// RFC 6901.
    JsonPointer,
    /// Relative JSON Pointer, with the index manipulation of 2020-12.
    RelativeJsonPointer,
    /// ECMA-262 under flag `u`, whether or not it is matched natively.
    Regex,
    /// RFC 4122.
    Uuid,
}

impl Format {
    /// The format of this name; `None` for an unknown one, which asserts nothing.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "date" => Self::Date,
            "time" => Self::Time,
            "date-time" => Self::DateTime,
            "duration" => Self::Duration,
            "email" => Self::Email,
            "idn-email" => Self::IdnEmail,
            "hostname" => Self::Hostname,
            "idn-hostname" => Self::IdnHostname,
            "ipv4" => Self::Ipv4,
            "ipv6" => Self::Ipv6,
            "uri" => Self::Uri,
            "uri-reference" => Self::UriReference,
            "iri" => Self::Iri,
            "iri-reference" => Self::IriReference,
            "uri-template" => Self::UriTemplate,
            "json-pointer" => Self::JsonPointer,
            "relative-json-pointer" => Self::RelativeJsonPointer,
            "regex" => Self::Regex,
            "uuid" => Self::Uuid,
            _ => return None,
        })
    }

    /// Whether `text` has this format.
    ///
    /// # Example: a leap second
    ///
    /// ```
    /// use subcontract::schema::format::Format;
    ///
    /// assert!(Format::Time.check("23:59:60Z"));
    /// assert!(!Format::Time.check("22:59:60Z"));
    /// ```
    #[must_use]
    pub fn check(self, text: &str) -> bool {
        let bytes = text.as_bytes();
        match self {
            Self::Date => datetime::is_date(bytes),
            Self::Time => datetime::is_time(bytes),
            Self::DateTime => datetime::is_date_time(bytes),
            Self::Duration => datetime::is_duration(bytes),
            Self::Email => address::is_email(text, false),
            Self::IdnEmail => address::is_email(text, true),
            Self::Hostname => hostname::is_hostname(text),
            Self::IdnHostname => hostname::is_idn_hostname(text),
            Self::Ipv4 => address::is_ipv4(bytes),
            Self::Ipv6 => address::is_ipv6(bytes),
            Self::Uri => uri::is_uri(text, false),
            Self::UriReference => uri::is_reference(text, false),
            Self::Iri => uri::is_uri(text, true),
            Self::IriReference => uri::is_reference(text, true),
            Self::UriTemplate => template::is_uri_template(text),
            Self::JsonPointer => pointer::is_json_pointer(bytes),
            Self::RelativeJsonPointer => pointer::is_relative_json_pointer(bytes),
            Self::Regex => pattern::check_syntax(text).is_ok(),
            Self::Uuid => is_uuid(bytes),
        }
    }
}

fn is_uuid(text: &[u8]) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
