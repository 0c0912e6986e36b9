//! The parser: one pass over UTF-8 bytes, exactly RFC 8259, without recursion.

use super::number::{NumberFlag, js_differs};
use super::pointer;
use super::scan::{hash, plain_end, quoted_end};
use super::sort::sort_pairs;
use super::surrogate::{hex4, is_high, is_low};
use super::tape::{DECODED_HEADER, Flags, Node, Tag, Tape};
use super::write::{concat, decimal};

/// How large and how deep a text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text.
    pub bytes: usize,
    /// Containers inside each other.
    pub depth: usize,
}

impl Default for Limits {
    /// 16 MiB and a depth of 512.
    fn default() -> Limits {
        Limits { bytes: 16 << 20, depth: 512 }
    }
}

/// Why a text was refused, in the words of a verdict's `code`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorCode {
    /// The text is no JSON, and nothing that follows could mend it.
    InvalidJson,
    /// The text ended early: it is the start of a JSON text.
    Truncated,
    /// More bytes than the limit.
    TooLarge,
    /// More containers inside each other than the limit.
    TooDeep,
}

impl ParseErrorCode {
    /// The code as verdicts spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            ParseErrorCode::InvalidJson => "invalid_json",
            ParseErrorCode::Truncated => "truncated",
            ParseErrorCode::TooLarge => "too_large",
            ParseErrorCode::TooDeep => "too_deep",
        }
    }
}

/// Why and where a text was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseError {
    /// The kind of refusal.
    pub code: ParseErrorCode,
    /// The byte at which it was found.
    pub offset: usize,
    /// The line of that byte, counted from 1.
    pub line: usize,
    /// The column of that byte in characters, counted from 1.
    pub column: usize,
    /// A JSON Pointer to the value being read, or to the last one read.
    pub instance_path: String,
    /// What is wrong: lower case, no final period.
    pub message: String,
}

impl ParseError {
    pub(crate) fn too_large(limit: usize) -> ParseError {
        let message = concat(&["text is larger than ", &decimal(limit as u64), " bytes"]);
        ParseError {
            code: ParseErrorCode::TooLarge,
            offset: limit,
            line: 1,
            column: 1,
            instance_path: String::new(),
            message,
        }
    }
}

impl ParseError {
    /// What is wrong and where. The wasm core calls this and not `to_string`, which would bring the formatting machinery.
    #[inline(never)]
    pub(crate) fn sentence(&self) -> String {
        let (line, column) = (decimal(self.line as u64), decimal(self.column as u64));
        concat(&[&self.message, " at line ", &line, " column ", &column])
    }
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.sentence())
    }
}

impl std::error::Error for ParseError {}

/// An open container.
#[derive(Clone, Copy, Debug)]
struct Open {
    node: u32,
    /// Members or items begun.
    count: u32,
    /// Where its names start in [`Scratch::names`].
    names: u32,
    object: bool,
}

/// What the parser needs while it runs and a tape keeps for the next text.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    open: Vec<Open>,
    /// Hash and node of each name of each open object.
    names: Vec<(u32, u32)>,
}

impl Scratch {
    pub(super) const EMPTY: Scratch = Scratch { open: Vec::new(), names: Vec::new() };
}

/// Where and why reading stopped.
struct Stop {
    at: usize,
    reason: Reason,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    Ended,
    Unexpected(&'static str),
    TooDeep,
    DuplicateName(u32),
}

impl Tape {
    /// Parses the first `length` bytes of [`Tape::buffer`].
    ///
    /// # Errors
    /// As [`Tape::parse`].
    #[cfg_attr(fast, optimize(speed))]
    pub fn parse_buffer(&mut self, length: usize, limits: Limits) -> Result<(), ParseError> {
        self.nodes.clear();
        self.decoded.clear();
        self.scratch.open.clear();
        self.scratch.names.clear();
        self.flags = Flags::default();
        self.text_length = length.min(self.text.len());
        if self.text_length > limits.bytes.min(u32::MAX as usize / 4) {
            return Err(ParseError::too_large(limits.bytes));
        }
        self.nodes.reserve(self.text_length / 8 + 4);
        // The text is out of the tape while the parser writes to the other buffers.
        let text = std::mem::take(&mut self.text);
        let read = self.read(text.get(..self.text_length).unwrap_or_default(), limits.depth);
        self.text = text;
        read.map_err(|stop| {
            let error = self.explain(stop, limits);
            self.nodes.clear();
            error
        })
    }

    #[cfg_attr(fast, optimize(speed))]
    fn read(&mut self, text: &[u8], depth: usize) -> Result<(), Stop> {
        let mut at = after_byte_order_mark(text)?;
        let mut current = Open { node: 0, count: 0, names: 0, object: false };
        let mut levels = 0;
        macro_rules! located {
            ($read:expr) => {
                match $read {
                    Ok(at) => at,
                    Err(stop) => return Err(self.with_open(stop, current, levels)),
                }
            };
        }
        'value: loop {
            at = skip_space(text, at);
            match text.get(at) {
                Some(b'"') => at = located!(self.string_node(text, at)),
                Some(&bracket @ (b'{' | b'[')) => {
                    if levels == depth {
                        located!(Err(Stop { at, reason: Reason::TooDeep }));
                    }
                    if levels > 0 {
                        self.scratch.open.push(current);
                    }
                    levels += 1;
                    let object = bracket == b'{';
                    current = Open {
                        node: self.nodes.len() as u32,
                        count: 0,
                        names: self.scratch.names.len() as u32,
                        object,
                    };
                    let tag = if object { Tag::Object } else { Tag::Array };
                    self.nodes.push(Node { tag, flags: Flags(0), start: at as u32, length: 0, link: 0 });
                    at = skip_space(text, at + 1);
                    let closing = if object { b'}' } else { b']' };
                    if text.get(at).is_none_or(|byte| *byte != closing) {
                        current.count = 1;
                        if object {
                            at = located!(self.name(text, at));
                        }
                        continue 'value;
                    }
                }
                Some(&byte) => at = located!(self.scalar(text, at, byte)),
                None => located!(Err(Stop { at, reason: Reason::Ended })),
            }
            // A value has ended, or an empty container is about to.
            loop {
                if levels == 0 {
                    break 'value;
                }
                at = skip_space(text, at);
                let closing = if current.object { b'}' } else { b']' };
                match text.get(at) {
                    Some(b',') if current.count > 0 => {
                        current.count += 1;
                        at += 1;
                        if current.object {
                            at = skip_space(text, at);
                            at = located!(self.name(text, at));
                        }
                        continue 'value;
                    }
                    Some(&byte) if byte == closing => at += 1,
                    Some(_) => {
                        let expected = if current.object {
                            "expected a comma or a closing brace"
                        } else {
                            "expected a comma or a closing bracket"
                        };
                        located!(Err(Stop { at, reason: Reason::Unexpected(expected) }));
                    }
                    None => located!(Err(Stop { at, reason: Reason::Ended })),
                }
                if current.object && current.count > 1 && self.has_duplicate(text, current.names) {
                    // Which one comes first is found out with the other open objects.
                    located!(Err(Stop { at, reason: Reason::Ended }));
                }
                self.scratch.names.truncate(current.names as usize);
                let end = self.nodes.len() as u32;
                if let Some(node) = self.nodes.get_mut(current.node as usize) {
                    node.length = current.count;
                    node.link = end;
                }
                levels -= 1;
                if let Some(outer) = self.scratch.open.pop() {
                    current = outer;
                }
            }
        }
        at = skip_space(text, at);
        match text.get(at) {
            None => Ok(()),
            Some(_) => Err(Stop { at, reason: Reason::Unexpected("expected the end of the text") }),
        }
    }

    /// Puts the innermost container back on the stack, for the error's pointer.
    #[cold]
    fn with_open(&mut self, stop: Stop, current: Open, levels: usize) -> Stop {
        if levels > 0 {
            self.scratch.open.push(current);
        }
        stop
    }

    /// A member name and its colon.
    #[inline(never)]
    #[cfg_attr(fast, optimize(speed))]
    fn name(&mut self, text: &[u8], at: usize) -> Result<usize, Stop> {
        if !matches!(text.get(at), Some(b'"')) {
            return Err(stop(text, at, "expected a member name in double quotes"));
        }
        let start = at + 1;
        let plain = plain_end(text, start);
        let end = if matches!(text.get(plain), Some(b'"')) {
            let link = hash(text.get(start..plain).unwrap_or_default());
            self.scratch.names.push((link, self.nodes.len() as u32));
            let length = (plain - start) as u32;
            self.nodes.push(Node { tag: Tag::String, flags: Flags(0), start: start as u32, length, link });
            plain + 1
        } else {
            self.special_name(text, at, plain)?
        };
        let colon = skip_space(text, end);
        if !matches!(text.get(colon), Some(b':')) {
            return Err(stop(text, colon, "expected a colon after the member name"));
        }
        Ok(colon + 1)
    }

    /// As [`Tape::special_string`], for a member name whose opening quote is at `at`.
    #[inline(never)]
    fn special_name(&mut self, text: &[u8], at: usize, plain: usize) -> Result<usize, Stop> {
        let end = self.special_string(text, at + 1, plain)?;
        let id = self.nodes.len() as u32 - 1;
        let Some(&node) = self.nodes.last() else { return Ok(end) };
        if node.flags.contains(Flags::LONE_SURROGATE) {
            return Err(Stop { at, reason: Reason::Unexpected("lone surrogate in a member name") });
        }
        let link = hash(self.name_bytes(text, id));
        if let Some(node) = self.nodes.last_mut() {
            node.link = link;
        }
        self.scratch.names.push((link, id));
        Ok(end)
    }

    /// A string from its opening quote; returns the index behind the closing one.
    #[inline(always)]
    fn string_node(&mut self, text: &[u8], at: usize) -> Result<usize, Stop> {
        let start = at + 1;
        let end = plain_end(text, start);
        if !matches!(text.get(end), Some(b'"')) {
            return self.special_string(text, start, end);
        }
        self.nodes.push(Node {
            tag: Tag::String,
            flags: Flags(0),
            start: start as u32,
            length: (end - start) as u32,
            link: 0,
        });
        Ok(end + 1)
    }

    /// A string with escapes or characters outside ASCII; `plain` is the end of its plain beginning.
    #[inline(never)]
    fn special_string(&mut self, text: &[u8], start: usize, plain: usize) -> Result<usize, Stop> {
        let mut flags = Flags(0);
        let mut end = quoted_end(text, plain);
        let decoded_start = self.decoded.len() + DECODED_HEADER;
        if matches!(text.get(end), Some(b'\\')) {
            flags = Flags::ESCAPED;
            self.decoded.extend_from_slice(&[0; DECODED_HEADER]);
            let mut from = start;
            while matches!(text.get(end), Some(b'\\')) {
                self.decoded.extend_from_slice(text.get(from..end).unwrap_or_default());
                // What comes before a wrong or cut escape is wrong first.
                from = self
                    .escape(text, end, &mut flags)
                    .map_err(|stop| invalid_utf8(text, start, end).unwrap_or(stop))?;
                end = quoted_end(text, from);
            }
            self.decoded.extend_from_slice(text.get(from..end).unwrap_or_default());
        }
        if let Some(stop) = invalid_utf8(text, start, end) {
            return Err(stop);
        }
        match text.get(end) {
            Some(b'"') => {}
            _ => return Err(stop(text, end, "control character in a string: it must be escaped")),
        }
        let (start, length) = if flags.contains(Flags::ESCAPED) {
            let length = self.decoded.len() - decoded_start;
            if let Some(header) = self.decoded.get_mut(decoded_start - DECODED_HEADER..decoded_start) {
                let words = [(start as u32).to_le_bytes(), ((end - start) as u32).to_le_bytes()];
                header.copy_from_slice(words.as_flattened());
            }
            (decoded_start, length)
        } else {
            (start, end - start)
        };
        // Without an escape, a byte outside ASCII is what ended the plain beginning.
        if !flags.contains(Flags::ESCAPED) || !self.decoded.get(start..).unwrap_or_default().is_ascii() {
            flags.add(Flags::WIDE);
        }
        self.flags.add(Flags(flags.0 & Flags::LONE_SURROGATE.0));
        self.nodes.push(Node { tag: Tag::String, flags, start: start as u32, length: length as u32, link: 0 });
        Ok(end + 1)
    }

    /// One escape sequence, appended decoded; returns the index behind it.
    fn escape(&mut self, text: &[u8], at: usize, flags: &mut Flags) -> Result<usize, Stop> {
        let plain = match text.get(at + 1) {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(&byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'u') => return self.unicode_escape(text, at, flags),
            _ => return Err(stop(text, at + 1, "unknown escape in a string")),
        };
        self.decoded.push(plain);
        Ok(at + 2)
    }

    fn unicode_escape(&mut self, text: &[u8], at: usize, flags: &mut Flags) -> Result<usize, Stop> {
        let Some(unit) = hex4(text, at + 2) else {
            let wrong =
                (at + 2..at + 6).find(|&digit| !text.get(digit).is_some_and(u8::is_ascii_hexdigit)).unwrap_or(at);
            return Err(stop(text, wrong, "expected four hexadecimal digits after \\u"));
        };
        let mut end = at + 6;
        let mut code = unit;
        if is_high(unit)
            && text.get(end..end + 2) == Some(b"\\u")
            && let Some(low) = hex4(text, end + 2).filter(|&low| is_low(low))
        {
            code = 0x10000 + ((unit & 0x3FF) << 10) + (low & 0x3FF);
            end += 6;
        }
        let character = char::from_u32(code).unwrap_or_else(|| {
            flags.add(Flags::LONE_SURROGATE);
            char::REPLACEMENT_CHARACTER
        });
        self.decoded.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(end)
    }

    #[inline(always)]
    fn scalar(&mut self, text: &[u8], at: usize, byte: u8) -> Result<usize, Stop> {
        match byte {
            b'-' | b'0'..=b'9' => self.number_node(text, at),
            b't' => self.literal(text, at, b"true", Tag::True),
            b'f' => self.literal(text, at, b"false", Tag::False),
            b'n' => self.literal(text, at, b"null", Tag::Null),
            _ => Err(stop(text, at, "expected a JSON value")),
        }
    }

    #[inline(always)]
    fn literal<const N: usize>(
        &mut self,
        text: &[u8],
        at: usize,
        word: &'static [u8; N],
        tag: Tag,
    ) -> Result<usize, Stop> {
        let rest = text.get(at..).unwrap_or_default();
        if rest.first_chunk::<N>() != Some(word) {
            return Err(not_literal(rest, at, word));
        }
        self.nodes.push(Node { tag, flags: Flags(0), start: at as u32, length: word.len() as u32, link: 0 });
        Ok(at + word.len())
    }

    #[inline(always)]
    fn number_node(&mut self, text: &[u8], at: usize) -> Result<usize, Stop> {
        let digits = at + matches!(text.get(at), Some(b'-')) as usize;
        let mut end = digits_end(text, digits);
        if end == digits {
            return Err(stop(text, end, "expected a digit"));
        }
        if end > digits + 1 && matches!(text.get(digits), Some(b'0')) {
            return Err(Stop { at: digits, reason: Reason::Unexpected("leading zero in a number") });
        }
        let mut flags = Flags::INTEGER;
        if let Some(b'.' | b'e' | b'E') = text.get(end) {
            flags = Flags(0);
            end = fraction_and_exponent_end(text, end)?;
        }
        // A double holds every integer of up to 15 digits, and no short plain fraction is out of range.
        if end - at > 15 || flags == Flags(0) && has_exponent(text, at, end) {
            match js_differs(text.get(at..end).unwrap_or_default()) {
                Some(NumberFlag::UnsafeInteger) => flags.add(Flags::UNSAFE_INTEGER),
                Some(NumberFlag::OutOfRange) => flags.add(Flags::NUMBER_OUT_OF_RANGE),
                None => {}
            }
            self.flags.add(Flags(flags.0 & 3));
        }
        self.nodes.push(Node { tag: Tag::Number, flags, start: at as u32, length: (end - at) as u32, link: 0 });
        Ok(end)
    }

    /// Whether two names of the innermost object, whose names start at `from`, are equal.
    #[inline]
    #[cfg_attr(fast, optimize(speed))]
    fn has_duplicate(&self, text: &[u8], from: u32) -> bool {
        let names = self.scratch.names.get(from as usize..).unwrap_or_default();
        if names.len() > 24 {
            return self.first_duplicate(text, from, u32::MAX).is_some();
        }
        let mut rest = names;
        while let Some((&(hash, id), more)) = rest.split_first() {
            if more.iter().any(|other| other.0 == hash && self.same_name(text, id, other.1)) {
                return true;
            }
            rest = more;
        }
        false
    }

    fn same_name(&self, text: &[u8], a: u32, b: u32) -> bool {
        self.name_bytes(text, a) == self.name_bytes(text, b)
    }

    fn name_bytes<'a>(&'a self, text: &'a [u8], id: u32) -> &'a [u8] {
        let Some(node) = self.nodes.get(id as usize) else { return &[] };
        let from = if node.flags.contains(Flags::ESCAPED) { &self.decoded } else { text };
        from.get(node.start as usize..node.start as usize + node.length as usize).unwrap_or_default()
    }

    /// The first name between `from` and `to` that repeats an earlier one. Sorting by hash and then by bytes keeps it
    /// O(n log n) whatever the names collide in.
    #[inline(never)]
    fn first_duplicate(&self, text: &[u8], from: u32, to: u32) -> Option<u32> {
        let to = self.scratch.names.len().min(to as usize);
        let mut names = self.scratch.names.get(from as usize..to).unwrap_or_default().to_vec();
        sort_pairs(&mut names, &mut |a, b| {
            let by_name = || self.name_bytes(text, a.1).cmp(self.name_bytes(text, b.1));
            a.0.cmp(&b.0).then_with(by_name).then(a.1.cmp(&b.1))
        });
        let repeats = names.windows(2).filter_map(|pair| match pair {
            [a, b] if a.0 == b.0 && self.same_name(text, a.1, b.1) => Some(b.1),
            _ => None,
        });
        repeats.min()
    }

    /// Turns a stop into an error. A duplicate name in an object that is still open precedes it.
    #[cold]
    fn explain(&mut self, mut stop: Stop, limits: Limits) -> ParseError {
        let text = std::mem::take(&mut self.text);
        let open = std::mem::take(&mut self.scratch.open);
        let mut levels = open.len();
        let mut end = u32::MAX;
        let mut first: Option<(u32, usize)> = None;
        for (level, frame) in open.iter().enumerate().rev().filter(|(_, frame)| frame.object) {
            if let Some(id) = self.first_duplicate(&text, frame.names, end)
                && first.is_none_or(|(other, _)| id < other)
            {
                first = Some((id, level + 1));
            }
            end = frame.names;
        }
        if let Some((id, level)) = first {
            levels = level;
            stop.reason = Reason::DuplicateName(id);
        }
        let mut instance_path = String::new();
        for (level, frame) in open.iter().enumerate().take(levels) {
            if !frame.object {
                pointer::push_index(&mut instance_path, (frame.count as u64).saturating_sub(1));
                continue;
            }
            let name_end = open.get(level + 1..).unwrap_or_default().iter().map(|inner| inner.names as usize).next();
            let name = match (first, level + 1 == levels) {
                (Some((id, _)), true) => Some(id),
                _ => {
                    let names =
                        self.scratch.names.get(frame.names as usize..name_end.unwrap_or(self.scratch.names.len()));
                    names.and_then(|names| names.last()).map(|name| name.1)
                }
            };
            if let Some(id) = name {
                let name = std::str::from_utf8(self.name_bytes(&text, id)).unwrap_or_default();
                pointer::push_name(&mut instance_path, name);
            }
        }
        if let Some((id, _)) = first {
            let node = self.nodes.get(id as usize).copied();
            stop.at = node.map_or(0, |node| self.name_offset(&node));
        }
        self.text = text;
        self.scratch.open = open;
        let (code, message) = match stop.reason {
            Reason::Ended => (ParseErrorCode::Truncated, String::from("the text ends before the JSON value does")),
            Reason::Unexpected(what) => (ParseErrorCode::InvalidJson, String::from(what)),
            Reason::DuplicateName(_) => (ParseErrorCode::InvalidJson, String::from("duplicate member name")),
            Reason::TooDeep => {
                let levels = decimal(limits.depth as u64);
                (ParseErrorCode::TooDeep, concat(&["nested deeper than ", &levels, " levels"]))
            }
        };
        let before = self.text().get(..stop.at).unwrap_or_default();
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let in_line = before.get(line_start..).unwrap_or_default();
        let column = in_line.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() + 1;
        ParseError { code, offset: stop.at, line, column, instance_path, message }
    }

    fn name_offset(&self, node: &Node) -> usize {
        let start = node.start as usize;
        if !node.flags.contains(Flags::ESCAPED) {
            return start.saturating_sub(1);
        }
        let header = self.decoded.get(start.saturating_sub(DECODED_HEADER)..).and_then(|rest| rest.first_chunk::<4>());
        header.map_or(0, |bytes| (u32::from_le_bytes(*bytes) as usize).saturating_sub(1))
    }
}

/// Why a stretch of a string is not UTF-8. A sequence that the end of the text cuts is not wrong.
#[inline(never)]
fn invalid_utf8(text: &[u8], start: usize, end: usize) -> Option<Stop> {
    let error = std::str::from_utf8(text.get(start..end).unwrap_or_default()).err()?;
    let cut = error.error_len().is_none() && end == text.len();
    let reason = if cut { Reason::Ended } else { Reason::Unexpected("invalid UTF-8") };
    Some(Stop { at: start + error.valid_up_to(), reason })
}

/// Where a text ceases to be a literal.
#[cold]
#[inline(never)]
fn not_literal(rest: &[u8], at: usize, word: &[u8]) -> Stop {
    let same = rest.iter().zip(word).take_while(|(a, b)| a == b).count();
    let reason = if same == rest.len() { Reason::Ended } else { Reason::Unexpected("expected a JSON value") };
    Stop { at: at + same, reason }
}

/// A stop at `at`: the text has ended there, or is wrong.
#[cold]
fn stop(text: &[u8], at: usize, expected: &'static str) -> Stop {
    let reason = if at >= text.len() { Reason::Ended } else { Reason::Unexpected(expected) };
    Stop { at, reason }
}

fn after_byte_order_mark(text: &[u8]) -> Result<usize, Stop> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    if text.starts_with(MARK) {
        return Ok(MARK.len());
    }
    if !text.is_empty() && MARK.starts_with(text) {
        return Err(Stop { at: text.len(), reason: Reason::Ended });
    }
    Ok(0)
}

#[inline(always)]
fn skip_space(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = text.get(at) {
        at += 1;
    }
    at
}

#[inline(always)]
fn digits_end(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|byte| byte.wrapping_sub(b'0') < 10) {
        at += 1;
    }
    at
}

fn fraction_and_exponent_end(text: &[u8], mut at: usize) -> Result<usize, Stop> {
    if matches!(text.get(at), Some(b'.')) {
        let end = digits_end(text, at + 1);
        if end == at + 1 {
            return Err(stop(text, end, "expected a digit after the decimal point"));
        }
        at = end;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        let digits = at + 1 + matches!(text.get(at + 1), Some(b'+' | b'-')) as usize;
        let end = digits_end(text, digits);
        if end == digits {
            return Err(stop(text, end, "expected a digit in the exponent"));
        }
        at = end;
    }
    Ok(at)
}

fn has_exponent(text: &[u8], from: usize, to: usize) -> bool {
    text.get(from..to).unwrap_or_default().iter().any(|byte| byte | 0x20 == b'e')
}
