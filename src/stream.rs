//! A contract judging a return while it streams: definite violations at the byte that proves them, the verdict at the end.

mod edit;

use std::ops::Deref;

use crate::contract::{Accepted, Contract, Rejected, Verdict};
use crate::intake::lenient::{Finder, Stop};
use crate::intake::{self, Intake};
use crate::json::lexer::{Fault, Lexer, Token};
use crate::json::tape::{Limits, Tag, Tape};
use crate::validate::stream::{Breach, Watch};
pub use edit::{Edit, Piece};

/// What a stream says of the text so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// More has to come, or nothing has come yet.
    Incomplete,
    /// The text is a whole JSON value that satisfies the contract. White space may follow, and with lenient intake prose. A
    /// number at the root is never complete before the end, for more digits may follow.
    Complete,
    /// However the text goes on, it does not satisfy the contract.
    Rejected,
    /// However the text goes on, it is no JSON.
    InvalidJson,
}

impl Status {
    /// The status as JavaScript spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Incomplete => "incomplete",
            Status::Complete => "complete",
            Status::Rejected => "rejected",
            Status::InvalidJson => "invalid_json",
        }
    }

    /// Whether nothing that follows can mend the text.
    pub fn is_final(self) -> bool {
        matches!(self, Status::Rejected | Status::InvalidJson)
    }
}

/// A return that streams in.
///
/// Pieces may be cut anywhere: inside a UTF-8 sequence, an escape, a number. A piece costs time in its own length, however much
/// came before it. The text is rejected as soon as no continuation can make it valid, as far as its closed parts tell: a value
/// of the wrong kind at its first byte, a member that is not allowed when its name ends, a count or length when it is exceeded,
/// a scalar when it ends, what is missing at the closing brace. What later text could mend is never held against it.
///
/// [`ContractStream::end`] gives the verdict of [`Contract::read_return`] on the whole text, whatever the pieces were. A contract
/// that the reference engine judges is judged at the end of the value alone.
///
/// With lenient intake the text around the value is read by the rules of [`intake::lenient`](crate::intake::lenient()) as it
/// comes. A value is judged and shown from the byte on that makes it one, which no later text takes back: `{"` of an object, `{`
/// in a block tagged `json`, the first member name or second item of an array. Prose, fences and reasoning are never shown; what
/// turns out later to make the return ambiguous rejects it, and what was shown stays. A scalar, and an array of one item in
/// prose, are shown when they have ended; a scalar that is the whole text is judged at the end alone.
///
/// # Example: the child is stopped at the token that proves it wrong
/// ```
/// use subcontract::intake::Intake;
/// use subcontract::stream::Status;
/// use subcontract::{Contract, Options};
///
/// let schema = r#"{"type":"object","properties":{"confidence":{"enum":["verified","inferred"]},"claim":{"type":"string"}}}"#;
/// let contract = Contract::compile(schema, &Options::default())?;
///
/// let mut stream = contract.stream(Intake::Strict);
/// assert_eq!(stream.push(br#"{"confidence":"cer"#), Status::Incomplete);
/// assert_eq!(stream.push(br#"tain","claim":"#), Status::Rejected);
/// let rejection = stream.rejection().unwrap();
/// assert_eq!(
///     rejection.issues[0].to_string(),
///     r#"/confidence: expected one of "verified", "inferred", found "certain""#,
/// );
/// assert_eq!(stream.rejected_at(), Some(r#"{"confidence":"certain""#.len()));
/// # Ok::<(), subcontract::SchemaError>(())
/// ```
///
/// # Example: a verdict at the end
/// ```
/// use subcontract::intake::Intake;
/// use subcontract::stream::Status;
/// use subcontract::{Contract, Options, Verdict};
///
/// let contract = Contract::compile(r#"{"items":{"type":"integer"}}"#, &Options::default())?;
/// let mut stream = contract.stream(Intake::Strict);
/// for byte in b"[1, 2]" {
///     stream.push(&[*byte]);
/// }
/// assert_eq!(stream.status(), Status::Complete);
/// let Verdict::Accepted(accepted) = stream.end(None) else { panic!("two integers") };
/// assert_eq!(accepted.text, "[1, 2]");
/// # Ok::<(), subcontract::SchemaError>(())
/// ```
#[derive(Debug)]
pub struct ContractStream<C> {
    contract: C,
    limits: Limits,
    /// What has been read, and the text; with lenient intake the value's.
    tape: Tape,
    lexer: Lexer,
    /// With lenient intake: what finds the value in the text.
    finder: Option<Box<Finder>>,
    watch: Option<Watch>,
    status: Status,
    rejection: Option<Rejected>,
    rejected_at: usize,
    /// What the last piece changed in the value so far; none while nobody asks.
    edits: Option<Vec<Edit>>,
}

impl Contract {
    /// Judges a return while it streams.
    pub fn stream(&self, intake: Intake) -> ContractStream<&Contract> {
        ContractStream::new(self, intake)
    }
}

impl<C: Deref<Target = Contract>> ContractStream<C> {
    /// A stream that owns its hold on the contract, as an `Rc` or an `Arc`; else [`Contract::stream`] is shorter.
    pub fn new(contract: C, intake: Intake) -> Self {
        let watch = contract.validator().map(Watch::new);
        let finder = (intake == Intake::Lenient).then(|| Box::new(Finder::new(contract.may_be_array())));
        ContractStream {
            contract,
            limits: Limits::default(),
            tape: Tape::default(),
            lexer: Lexer::default(),
            finder,
            watch,
            status: Status::Incomplete,
            rejection: None,
            rejected_at: 0,
            edits: None,
        }
    }

    /// Reads the next piece of the text. After a rejection it is only kept, for the verdict at the end.
    #[cfg_attr(fast, optimize(speed))]
    pub fn push(&mut self, piece: &[u8]) -> Status {
        if let Some(edits) = &mut self.edits {
            edits.clear();
        }
        // What is beyond the limit by a byte is refused like what is beyond it by more.
        let room = (self.limits.bytes + 1).saturating_sub(self.text().len());
        let piece = piece.get(..room).unwrap_or(piece);
        match &mut self.finder {
            None => self.tape.append(piece),
            Some(finder) => finder.push(piece),
        }
        if !self.status.is_final() {
            self.read();
        }
        self.status
    }

    /// What is to be said of the text so far.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Why the text was given up, once it is: a verdict with the first issue that was found.
    pub fn rejection(&self) -> Option<&Rejected> {
        self.rejection.as_ref()
    }

    /// How many bytes of the text it took to prove that it is to be given up. The same however the text was cut.
    pub fn rejected_at(&self) -> Option<usize> {
        self.rejection.as_ref().map(|_| self.rejected_at)
    }

    /// The text so far.
    #[inline]
    pub fn text(&self) -> &[u8] {
        self.finder.as_ref().map_or(self.tape.text(), |finder| finder.text())
    }

    /// Where in the text the value starts that is being read: with strict intake at its beginning.
    pub fn value_start(&self) -> usize {
        self.finder.as_ref().map_or(0, |finder| finder.value_start())
    }

    /// Whether plain text would only lengthen the string that is being read: text in UTF-8 without quotes, backslashes and control
    /// characters, of so many bytes at most. The status would stay as it is, so that a caller need not push it before something
    /// else comes. With lenient intake never.
    ///
    /// # Example: a string in the middle, a cut escape, a member name
    /// ```
    /// use subcontract::intake::Intake;
    /// use subcontract::{Contract, Options};
    ///
    /// let contract = Contract::compile("true", &Options::default())?;
    /// let mut stream = contract.stream(Intake::Strict);
    /// stream.push(br#"{"claim":"pins "#);
    /// assert!(stream.takes_plain_text(100));
    /// stream.push(br"\u00");
    /// assert!(!stream.takes_plain_text(100));
    /// stream.push(br#"e9","conf"#);
    /// assert!(!stream.takes_plain_text(100));
    /// # Ok::<(), subcontract::SchemaError>(())
    /// ```
    #[inline]
    pub fn takes_plain_text(&self, bytes: usize) -> bool {
        self.has_read_all()
            && self.lexer.open_string().is_some()
            && self.watch.as_ref().is_none_or(Watch::takes_any_length)
            && !self.status.is_final()
            && self.tape.text().len().saturating_add(bytes) <= self.limits.bytes
    }

    /// The verdict on the whole text: that of [`Contract::read_return`].
    pub fn end(mut self, finish_reason: Option<&str>) -> Verdict {
        if let Some(finder) = &mut self.finder {
            let cut = intake::cut_by_length(finish_reason);
            return match finder.conclude(&mut self.tape, &mut self.lexer, self.limits, cut) {
                Err(refusal) => Verdict::Rejected(refusal.into()),
                Ok(()) if self.status == Status::Complete => {
                    Verdict::Accepted(Accepted::of(&self.tape)).after(finder.steps().collect())
                }
                Ok(()) => self.contract.check_tape(&self.tape).after(finder.steps().collect()),
            };
        }
        match self.accepted(finish_reason) {
            Some(tape) => Verdict::Accepted(Accepted::of(tape)),
            None => self.contract.read_return(self.tape.text(), finish_reason, Intake::Strict),
        }
    }

    /// The value, if it is known that the text is accepted when it ends here, and goes out as it is.
    pub(crate) fn accepted(&self, finish_reason: Option<&str>) -> Option<&Tape> {
        // A literal that ends where the tokens ran out may have been going on.
        let cut = intake::cut_by_length(finish_reason) && !intake::shows_its_end(self.tape.tag(0));
        (self.status == Status::Complete && !cut && self.finder.is_none()).then_some(&self.tape)
    }

    /// How many bytes of the text have been read, and so many more.
    fn offset(&self, more: usize) -> usize {
        self.finder.as_ref().map_or(self.lexer.offset() + more, |finder| finder.offset(&self.lexer, more))
    }

    /// Whether the lexer would find nothing to read. Not so when lenient intake feeds it.
    #[inline]
    fn has_read_all(&self) -> bool {
        self.finder.is_none() && self.lexer.offset() == self.tape.text().len()
    }

    /// Reads on as far as the text goes.
    #[cfg_attr(fast, optimize(speed))]
    fn read(&mut self) {
        loop {
            let next = match &mut self.finder {
                None => self.lexer.next(&mut self.tape, self.limits).map_err(Stop::Value),
                Some(finder) => finder.next(&mut self.tape, &mut self.lexer, self.limits),
            };
            match next {
                Ok(Token::Pending) => break,
                Ok(mut token) => {
                    let judged = self.judge(&mut token);
                    if let Some(edits) = &mut self.edits {
                        edit::record(edits, &self.tape, token);
                    }
                    if let Err(breach) = judged {
                        return self.reject(breach, token);
                    }
                    if self.lexer.is_done() && self.status == Status::Incomplete {
                        self.judge_whole();
                        if self.status.is_final() {
                            return;
                        }
                    }
                    if self.has_read_all() {
                        break;
                    }
                }
                Err(stop) => return self.refuse(stop),
            }
        }
        if self.text().len() > self.limits.bytes {
            self.status = Status::Rejected;
            self.rejected_at = self.limits.bytes + 1;
            self.rejection = Some(intake::explain(self.text(), self.limits).into());
        }
    }

    /// Judges what has been read. Of a string that is too long the token keeps what proves it.
    #[inline]
    fn judge(&mut self, token: &mut Token) -> Result<(), Breach> {
        let (Some(watch), Some(validator)) = (&mut self.watch, self.contract.validator()) else { return Ok(()) };
        let tape = &self.tape;
        let next = tape.node_count();
        match *token {
            Token::Begin(tag @ (Tag::Array | Tag::Object)) => {
                watch.begin(validator, tag, next - 1, self.lexer.place_of_begun(true))
            }
            Token::Begin(tag) => watch.begin(validator, tag, next, self.lexer.place_of_begun(false)),
            Token::Text(ref mut piece) => watch.text(tape.piece(*piece), next).map_err(|(breach, surplus)| {
                self.lexer.take_back(surplus);
                piece.end -= surplus as u32;
                breach
            }),
            Token::Name(node) => watch.name(validator, tape, node, self.lexer.count()),
            Token::Scalar(node) => watch.scalar(validator, tape, node),
            Token::Close(_) => watch.close(validator, tape),
            Token::Pending => Ok(()),
        }
    }

    /// The value is whole: the ordinary check decides.
    fn judge_whole(&mut self) {
        if self.contract.is_valid_tape(&self.tape) {
            self.status = Status::Complete;
        } else if let Verdict::Rejected(rejected) = self.contract.check_tape(&self.tape) {
            self.status = Status::Rejected;
            self.rejected_at = self.offset(0);
            self.rejection = Some(rejected);
        }
    }

    #[cold]
    fn reject(&mut self, breach: Breach, token: Token) {
        self.status = Status::Rejected;
        let tag = match token {
            Token::Begin(tag) => tag,
            Token::Text(_) => Tag::String,
            _ => Tag::Null,
        };
        // That a number has ended shows in the character after it.
        let ended = matches!(token, Token::Scalar(node) if self.tape.tag(node) == Tag::Number);
        self.rejected_at = self.offset(ended as usize);
        let sealed = self.lexer.seal(&mut self.tape, breach.node(), tag);
        let issue = match (&mut self.watch, self.contract.validator()) {
            (Some(watch), Some(validator)) => watch.issue(validator, &self.tape, breach),
            _ => None,
        };
        self.rejection = Some(Rejected::violation(issue, &self.tape));
        self.lexer.unseal(&mut self.tape, sealed);
    }

    #[cold]
    fn refuse(&mut self, stop: Stop) {
        self.rejected_at = self.offset(0);
        let refusal = match &self.finder {
            Some(finder) => finder.refusal(&self.tape, &self.lexer, self.limits),
            None => intake::explain(self.tape.text().get(..self.rejected_at).unwrap_or_default(), self.limits),
        };
        self.status = match stop {
            Stop::Value(Fault::TooDeep) | Stop::Ambiguous | Stop::Reasoned => Status::Rejected,
            Stop::Value(Fault::Invalid) | Stop::Bracketed | Stop::Encoding => Status::InvalidJson,
        };
        self.rejection = Some(refusal.into());
    }
}
