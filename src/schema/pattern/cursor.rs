//! A place in a pattern's source.

/// Reads a source from front to back; copied to look further ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    source: &'a str,
    offset: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self { source, offset: 0 }
    }

    /// In bytes.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    /// The next byte: all of the syntax is ASCII.
    pub(super) fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.offset).copied()
    }

    // Kept out of line: it is called from many places that need no speed.
    #[inline(never)]
    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.source.get(self.offset..)?.chars().next()?;
        self.offset += c.len_utf8();
        Some(c)
    }

    /// Goes past `wanted`, an ASCII character, if it is next.
    #[inline(never)]
    pub(super) fn eat(&mut self, wanted: u8) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.offset += usize::from(is_next);
        is_next
    }

    /// Goes past a digit in base 10 or 16 and gives its value.
    #[inline(never)]
    pub(super) fn digit(&mut self, radix: u32) -> Option<u32> {
        let value = char::from(self.peek()?).to_digit(radix)?;
        self.offset += 1;
        Some(value)
    }

    /// Goes past `end`, and gives what stands before it.
    pub(super) fn until(&mut self, end: u8) -> Option<&'a str> {
        let rest = self.source.get(self.offset..)?;
        let length = rest.bytes().position(|byte| byte == end)?;
        self.offset += length + 1;
        rest.get(..length)
    }
}
