//! The end of a text: whether there is a return to judge, and why there is none.

use super::{Finder, Place, Stop};
use crate::intake::{Refusal, explain, shows_its_end};
use crate::json::lexer::{Lexer, Token};
use crate::json::tape::{Limits, ParseError, Tape};

impl Finder {
    /// Says that nothing more will come and reads what that decides. `cut`: by the provider's limit on tokens.
    ///
    /// # Errors
    /// Why the text holds no return to judge. Else the tape has it.
    pub fn conclude(&mut self, tape: &mut Tape, lexer: &mut Lexer, limits: Limits, cut: bool) -> Result<(), Refusal> {
        if self.raw.len() > limits.bytes {
            return Err(ParseError::too_large(limits.bytes).into());
        }
        for ended in [false, true] {
            self.ended = ended;
            while self.next(tape, lexer, limits).is_ok_and(|token| token != Token::Pending) {}
        }
        // A number or literal that ends where the tokens ran out may have been going on.
        let goes_on = cut && !self.fenced && !shows_its_end(tape.tag(0));
        if self.stop.is_none() && self.whole && !goes_on {
            return Ok(());
        }
        Err(if self.stop.is_none() && cut && (self.whole || self.value.is_none() && self.miss.is_none()) {
            Refusal { flags: self.steps().collect(), ..Refusal::cut() }
        } else {
            self.refusal(tape, lexer, limits)
        })
    }

    /// Why there is no return to judge: the reason of the stop or, at the end of the text, of its being the end.
    pub fn refusal(&self, tape: &Tape, lexer: &Lexer, limits: Limits) -> Refusal {
        let ended_early = ("truncated", "the text ends before the JSON value does");
        let reason = match (self.stop, self.place, self.miss) {
            (Some(Stop::Ambiguous), ..) => Ok(("ambiguous", "there is more than one JSON value in the text")),
            (Some(Stop::Reasoned), ..) => Ok(("ambiguous", "the reasoning ends only after the JSON value")),
            (Some(Stop::Bracketed), ..) => {
                Ok(("invalid_json", "the JSON value stands inside brackets that are not JSON"))
            }
            (Some(Stop::Encoding), ..) => Ok(("invalid_json", "invalid UTF-8")),
            (Some(Stop::Value(_)), ..) => Err(explain(tape.text().get(..lexer.offset()).unwrap_or_default(), limits)),
            (None, Place::Value, _) => Err(explain(tape.text(), limits)),
            (None, Place::Reasoning(_), _) => Ok(("truncated", "the text ends inside a reasoning block")),
            (None, _, Some(at)) => Err(explain(self.raw.get(at..).unwrap_or_default(), limits)),
            (None, Place::Brace { .. } | Place::Trial { .. } | Place::AfterScalar { .. } | Place::Content, _) => {
                Ok(ended_early)
            }
            (None, ..) => Ok(("no_return", "there is no JSON value in the text")),
        };
        let refusal = reason.map_or_else(|refusal| refusal, |(code, message)| Refusal::new(code, message));
        Refusal { flags: self.steps().collect(), ..refusal }
    }
}
