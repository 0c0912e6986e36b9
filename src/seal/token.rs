//! A token: how it is written, read and proved.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::base64url::{decode, encode};
use super::refusal::{NOT_A_TOKEN, Refusal};
use super::{Key, LONGEST_KEY_ID, SHORTEST_SECRET};

/// What every token of this version starts with.
const VERSION: &str = "sr1";
/// What these MACs are for: one made under the same secret for anything else is no seal.
const DOMAIN: &str = "subcontract.resume-state";
const MAC_BYTES: usize = 32;

/// How the body of a token is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The state's JSON text.
    Plain,
    /// What the host made of that text with a cipher of its own.
    Encrypted,
}

impl Form {
    const NAMES: [(&str, Form); 2] = [("p", Form::Plain), ("e", Form::Encrypted)];

    /// As a token spells it.
    pub fn as_str(self) -> &'static str {
        crate::members::name_of(self, &Self::NAMES)
    }

    /// What a token spells as `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, form)| *form)
    }
}

/// Seals a body.
///
/// # Errors
/// [`Refusal::Key`] for a key that is too short, or whose id is empty or too long.
pub fn seal_body(form: Form, body: &[u8], key: Key<'_>) -> Result<String, Refusal> {
    let mac = mac_of(form, key, body)?.finalize().into_bytes();
    let mut token = String::with_capacity(body.len() / 3 * 4 + 200);
    for part in [VERSION, ".", form.as_str(), "."] {
        token.push_str(part);
    }
    encode(key.id.as_bytes(), &mut token);
    token.push('.');
    encode(body, &mut token);
    token.push('.');
    encode(&mac, &mut token);
    Ok(token)
}

/// What a token says of itself: how its body is to be read, and the key that it was sealed under.
///
/// # Errors
/// As [`Token::parse`], for all but the body.
pub fn head(text: &str) -> Result<(Form, String), Refusal> {
    let [form, key_id, _, _] = parts(text)?;
    let form = Form::from_name(form).ok_or(NOT_A_TOKEN)?;
    let key_id = decode(key_id).and_then(|id| String::from_utf8(id).ok()).ok_or(NOT_A_TOKEN)?;
    Ok((form, key_id))
}

/// The parts after the version: form, key id, body, MAC.
fn parts(text: &str) -> Result<[&str; 4], Refusal> {
    let mut parts = text.split('.');
    let version = parts.next().unwrap_or_default();
    if version != VERSION {
        return Err(if is_version(version) { Refusal::UnknownVersion } else { NOT_A_TOKEN });
    }
    let (Some(form), Some(key_id), Some(body), Some(mac)) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(Refusal::Truncated);
    };
    if parts.next().is_some() {
        return Err(NOT_A_TOKEN);
    }
    if mac.len() < MAC_BYTES.div_ceil(3) * 4 - 1 {
        return Err(Refusal::Truncated);
    }
    Ok([form, key_id, body, mac])
}

/// A token that was read and not yet believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    form: Form,
    key_id: String,
    body: Vec<u8>,
    mac: [u8; MAC_BYTES],
}

impl Token {
    /// Reads a token.
    ///
    /// # Errors
    /// [`Refusal::UnknownVersion`], [`Refusal::Truncated`] or [`Refusal::Unreadable`]. One token has one spelling.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let (form, key_id) = head(text)?;
        let [_, _, body, mac] = parts(text)?;
        let body = decode(body).ok_or(NOT_A_TOKEN)?;
        let mac = decode(mac).and_then(|mac| mac.try_into().ok()).ok_or(NOT_A_TOKEN)?;
        Ok(Self { form, key_id, body, mac })
    }

    /// How its body is to be read.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The key that it says it was sealed under.
    pub fn key_id(&self) -> &str {
        &self.key_id
    }

    /// The body, when it was sealed under `secret`. The comparison takes the same time wherever the MACs differ.
    ///
    /// # Errors
    /// [`Refusal::Tampered`], or [`Refusal::Key`] for a secret that is too short.
    pub fn open(self, secret: &[u8]) -> Result<Vec<u8>, Refusal> {
        let mac = mac_of(self.form, Key { id: &self.key_id, secret }, &self.body)?;
        mac.verify_slice(&self.mac).map_err(|_| Refusal::Tampered)?;
        Ok(self.body)
    }
}

fn is_version(part: &str) -> bool {
    part.strip_prefix("sr").is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn mac_of(form: Form, key: Key<'_>, body: &[u8]) -> Result<Hmac<Sha256>, Refusal> {
    if key.secret.len() < SHORTEST_SECRET {
        return Err(Refusal::Key("a secret must have at least 32 bytes"));
    }
    if key.id.is_empty() || key.id.len() > LONGEST_KEY_ID {
        return Err(Refusal::Key("a key id must have 1 to 64 bytes"));
    }
    // HMAC itself takes secrets of any length.
    let mut mac = Hmac::<Sha256>::new_from_slice(key.secret).map_err(|_| Refusal::Key("the secret is unusable"))?;
    for piece in [DOMAIN.as_bytes(), VERSION.as_bytes(), form.as_str().as_bytes(), key.id.as_bytes(), body] {
        mac.update(&(piece.len() as u64).to_le_bytes());
        mac.update(piece);
    }
    Ok(mac)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECRET: &[u8] = b"0123456789abcdef0123456789abcdef";
    const KEY: Key<'static> = Key { id: "2026-11", secret: SECRET };

    #[test]
    fn the_mac_is_hmac_sha_256_over_the_framed_parts() {
        // python3: hmac.new(secret, b''.join(len(p).to_bytes(8, 'little') + p for p in parts), 'sha256')
        let token = seal_body(Form::Plain, b"{}", KEY).unwrap();
        assert_eq!(token, "sr1.p.MjAyNi0xMQ.e30.nQE1-tw4qLn641rh8CvO0Uxg53LwnrNuxs33UYyUqME");
    }

    #[test]
    fn a_part_cannot_pass_for_another() {
        let mac = |form, id: &str, body: &[u8]| {
            mac_of(form, Key { id, secret: SECRET }, body).unwrap().finalize().into_bytes()
        };
        assert_ne!(mac(Form::Plain, "ab", b"c"), mac(Form::Plain, "a", b"bc"));
        assert_ne!(mac(Form::Plain, "a", b""), mac(Form::Encrypted, "a", b""));
    }

    #[test]
    fn unusable_keys_are_refused_on_both_ways() {
        let short = Key { id: "k", secret: &SECRET[1..] };
        let error = seal_body(Form::Plain, b"", short).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), ("seal_key", "a secret must have at least 32 bytes"));
        let token = seal_body(Form::Plain, b"", KEY).unwrap();
        assert_eq!(Token::parse(&token).unwrap().open(&[]).unwrap_err().code(), "seal_key");
        let long = "k".repeat(65);
        for id in ["", &long] {
            let error = seal_body(Form::Plain, b"", Key { id, secret: SECRET }).unwrap_err();
            assert_eq!(error.to_string(), "a key id must have 1 to 64 bytes");
        }
    }

    #[test]
    fn what_is_no_token_says_what_it_is() {
        let code = |text: &str| Token::parse(text).unwrap_err().code();
        assert_eq!(code("sr2.p.a.b.c"), "resume_unknown_version");
        assert_eq!(code("sr01.p.a.b.c"), "resume_unknown_version");
        for text in ["", "sr", "srx.p.Zg.Zg.Zg", "{}", "eyJ.eyJ.x", "SR1.p.Zg.Zg.Zg", "sr-1.p"] {
            assert_eq!(code(text), "resume_unreadable", "{text:?}");
        }
        let token = seal_body(Form::Plain, b"{\"a\":1}", KEY).unwrap();
        assert_eq!(code(&format!("{token}.")), "resume_unreadable");
        assert_eq!(code(&format!("{token}A")), "resume_unreadable");
        assert_eq!(code(&token.replace(".p.", ".x.")), "resume_unreadable");
        for cut in 4..token.len() {
            assert_eq!(code(&token[..cut]), "resume_truncated", "{}", &token[..cut]);
        }
    }

    proptest! {
        #[test]
        fn a_body_comes_back(body: Vec<u8>, id in "[^\u{0}]{1,16}", encrypted: bool) {
            let form = if encrypted { Form::Encrypted } else { Form::Plain };
            let token = seal_body(form, &body, Key { id: &id, secret: SECRET }).unwrap();
            let read = Token::parse(&token).unwrap();
            prop_assert_eq!((read.form(), read.key_id()), (form, id.as_str()));
            prop_assert_eq!(read.open(SECRET).unwrap(), body);
        }

        #[test]
        fn any_changed_character_is_refused(body: Vec<u8>, at: prop::sample::Index, bit in 0..7u32) {
            let token = seal_body(Form::Plain, &body, KEY).unwrap();
            let mut bytes = token.clone().into_bytes();
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
            let changed = String::from_utf8(bytes).unwrap();
            let opened = Token::parse(&changed).and_then(|read| {
                if read.key_id() == KEY.id { read.open(SECRET) } else { Err(Refusal::UnknownKey) }
            });
            prop_assert!(opened.is_err());
        }

        #[test]
        fn another_secret_does_not_open_it(body: Vec<u8>, secret in prop::collection::vec(any::<u8>(), 32..80)) {
            prop_assume!(secret != SECRET);
            let token = seal_body(Form::Plain, &body, KEY).unwrap();
            prop_assert_eq!(Token::parse(&token).unwrap().open(&secret), Err(Refusal::Tampered));
        }

        #[test]
        fn any_text_is_read_or_refused(text: String, tail: String) {
            let _ = Token::parse(&text);
            let _ = Token::parse(&format!("sr1.p.{tail}"));
        }
    }
}
