//! The marks that models put around their reasoning, and what is skipped between them.

use super::{Finder, Place, Stop};

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Reasoning begins; the place in the table, and how long the mark is.
    Open(usize, usize),
    /// Reasoning ends that did not begin here: chat templates put the opening mark in front of what the model writes.
    Close(usize),
    /// The text so far may be the beginning of a mark.
    Cut,
    /// No mark.
    None,
}

/// Opening and closing marks, in lower case, and whether the closing one alone says that what came before was reasoning.
const MARKS: [(&[u8], &[u8], bool); 13] = [
    // DeepSeek-R1, Qwen, GLM and most others.
    (b"<think>", b"</think>", true),
    (b"<thinking>", b"</thinking>", true),
    (b"<thought>", b"</thought>", true),
    (b"<thoughts>", b"</thoughts>", true),
    (b"<reasoning>", b"</reasoning>", true),
    (b"<reflection>", b"</reflection>", true),
    (b"<scratchpad>", b"</scratchpad>", true),
    // Seed-OSS.
    (b"<seed:think>", b"</seed:think>", true),
    // Magistral.
    (b"[think]", b"[/think]", true),
    // Kimi.
    ("◁think▷".as_bytes(), "◁/think▷".as_bytes(), true),
    // Command A.
    (b"<|start_thinking|>", b"<|end_thinking|>", true),
    (b"<|begin_of_thought|>", b"<|end_of_thought|>", true),
    // gpt-oss. Other channels end with the same mark.
    (b"<|channel|>analysis<|message|>", b"<|end|>", false),
];

/// What stands at the beginning of `text`.
pub(super) fn mark(text: &[u8]) -> Mark {
    let mut found = Mark::None;
    for (index, (open, close, alone)) in MARKS.iter().enumerate() {
        if begins(text, open) {
            return Mark::Open(index, open.len());
        }
        if *alone && begins(text, close) {
            return Mark::Close(close.len());
        }
        if begins(open, text) || *alone && begins(close, text) {
            found = Mark::Cut;
        }
    }
    found
}

/// The first byte of the mark that ends what the opening mark at this place in the table began, and the whole of it.
pub(super) fn closing(index: usize) -> (u8, &'static [u8]) {
    let close = MARKS.get(index).map_or(&b""[..], |(_, close, _)| close);
    (close.first().copied().unwrap_or_default(), close)
}

/// Whether `text` begins with `beginning`, the case of ASCII letters aside.
pub(super) fn begins(text: &[u8], beginning: &[u8]) -> bool {
    text.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
}

impl Finder {
    /// Reads on in reasoning that the mark at this place in the table began.
    pub(super) fn reasoning(&mut self, index: usize) -> Result<bool, Stop> {
        let (first, close) = closing(index);
        let rest = self.raw.get(self.at..self.valid).unwrap_or_default();
        let skipped = rest.iter().position(|byte| *byte == first).unwrap_or(rest.len());
        self.at += skipped;
        let rest = rest.get(skipped..).unwrap_or_default();
        if begins(rest, close) {
            self.at += close.len();
            self.line = true;
            self.place = Place::Prose;
        } else if !rest.is_empty() {
            if !self.ended && begins(close, rest) {
                return self.wait();
            }
            self.at += 1;
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_known_by_its_whole_and_cut_by_any_beginning() {
        for (index, (open, close, alone)) in MARKS.iter().enumerate() {
            assert_eq!(mark(open), Mark::Open(index, open.len()));
            assert_eq!(mark(&open.to_ascii_uppercase()), Mark::Open(index, open.len()));
            for end in 1..open.len() {
                assert_eq!(mark(&open[..end]), Mark::Cut);
            }
            assert_eq!(mark(close), if *alone { Mark::Close(close.len()) } else { Mark::None });
            assert_eq!(closing(index), (close[0], *close));
        }
        assert_eq!(mark(b"<thinker>"), Mark::None);
        assert_eq!(mark(b"<think >"), Mark::None);
    }
}
