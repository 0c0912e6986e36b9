//! A contract judging a return while it streams: definite violations at the byte that proves them, the verdict at the end.

mod edit;

use std::ops::Deref;

use crate::contract::{Accepted, Contract, Rejected, Verdict};
use crate::intake::{self, Intake};
use crate::json::lexer::{Fault, Lexer, Token};
use crate::json::tape::{Limits, ParseErrorCode, Tag, Tape};
use crate::validate::stream::{Breach, Watch};
pub use edit::{Edit, Piece};

/// What a stream says of the text so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// More has to come, or nothing has come yet.
    Incomplete,
    /// The text is a whole JSON value that satisfies the contract. White space may follow. A number at the root is never
    /// complete before the end, for more digits may follow.
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

/// A return that streams in, judged by strict intake.
///
/// Pieces may be cut anywhere: inside a UTF-8 sequence, an escape, a number. A piece costs time in its own length, however much
/// came before it. The text is rejected as soon as no continuation can make it valid, as far as its closed parts tell: a value
/// of the wrong kind at its first byte, a member that is not allowed when its name ends, a count or length when it is exceeded,
/// a scalar when it ends, what is missing at the closing brace. What later text could mend is never held against it.
///
/// [`ContractStream::end`] gives the verdict of [`Contract::read_return`] on the whole text, whatever the pieces were. A contract
/// that the reference engine judges is judged at the end of the value alone.
///
/// # Example: the child is stopped at the token that proves it wrong
/// ```
/// use subcontract::stream::Status;
/// use subcontract::{Contract, Options};
///
/// let schema = r#"{"type":"object","properties":{"confidence":{"enum":["verified","inferred"]},"claim":{"type":"string"}}}"#;
/// let contract = Contract::compile(schema, &Options::default())?;
///
/// let mut stream = contract.stream();
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
/// use subcontract::stream::Status;
/// use subcontract::{Contract, Options, Verdict};
///
/// let contract = Contract::compile(r#"{"items":{"type":"integer"}}"#, &Options::default())?;
/// let mut stream = contract.stream();
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
    /// What has been read, and the whole text.
    tape: Tape,
    lexer: Lexer,
    watch: Option<Watch>,
    status: Status,
    rejection: Option<Rejected>,
    rejected_at: usize,
    /// What the last piece changed in the value so far; none while nobody asks.
    edits: Option<Vec<Edit>>,
}

impl Contract {
    /// Judges a return while it streams.
    pub fn stream(&self) -> ContractStream<&Contract> {
        ContractStream::new(self)
    }
}

impl<C: Deref<Target = Contract>> ContractStream<C> {
    /// A stream that owns its hold on the contract, as an `Rc` or an `Arc`; else [`Contract::stream`] is shorter.
    pub fn new(contract: C) -> Self {
        let watch = contract.validator().map(Watch::new);
        ContractStream {
            contract,
            limits: Limits::default(),
            tape: Tape::default(),
            lexer: Lexer::default(),
            watch,
            status: Status::Incomplete,
            rejection: None,
            rejected_at: 0,
            edits: None,
        }
    }

    /// Reads the next piece of the text. After a rejection it is only kept, for the verdict at the end.
    pub fn push(&mut self, piece: &[u8]) -> Status {
        if let Some(edits) = &mut self.edits {
            edits.clear();
        }
        // What is beyond the limit by a byte is refused like what is beyond it by more.
        let room = (self.limits.bytes + 1).saturating_sub(self.tape.text().len());
        self.tape.append(piece.get(..room).unwrap_or(piece));
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
    pub fn text(&self) -> &[u8] {
        self.tape.text()
    }

    /// The verdict on the whole text: that of [`Contract::read_return`].
    pub fn end(self, finish_reason: Option<&str>) -> Verdict {
        match self.accepted(finish_reason) {
            Some(tape) => Verdict::Accepted(Accepted::of(tape)),
            None => self.contract.read_return(self.tape.text(), finish_reason, Intake::Strict),
        }
    }

    /// The value, if it is known that the text is accepted when it ends here.
    pub(crate) fn accepted(&self, finish_reason: Option<&str>) -> Option<&Tape> {
        // A literal that ends where the tokens ran out may have been going on.
        let cut = intake::cut_by_length(finish_reason) && !intake::shows_its_end(self.tape.tag(0));
        (self.status == Status::Complete && !cut).then_some(&self.tape)
    }

    /// Reads on as far as the text goes.
    fn read(&mut self) {
        loop {
            match self.lexer.next(&mut self.tape, self.limits) {
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
                }
                Err(fault) => return self.refuse(fault),
            }
        }
        if self.tape.text().len() > self.limits.bytes {
            self.status = Status::Rejected;
            self.explain(self.limits.bytes + 1);
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
            self.rejected_at = self.lexer.offset();
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
        self.rejected_at = self.lexer.offset() + ended as usize;
        let sealed = self.lexer.seal(&mut self.tape, breach.node(), tag);
        let issue = match (&mut self.watch, self.contract.validator()) {
            (Some(watch), Some(validator)) => watch.issue(validator, &self.tape, breach),
            _ => None,
        };
        self.rejection = Some(Rejected::violation(issue, &self.tape));
        self.lexer.unseal(&mut self.tape, sealed);
    }

    #[cold]
    fn refuse(&mut self, fault: Fault) {
        self.status = match fault {
            Fault::Invalid => Status::InvalidJson,
            Fault::TooDeep => Status::Rejected,
        };
        self.explain(self.lexer.offset());
    }

    /// Takes the reason from the ordinary parser, which is to refuse the text up to here.
    fn explain(&mut self, offset: usize) {
        self.rejected_at = offset;
        let mut text = self.tape.text().get(..offset).unwrap_or(self.tape.text()).to_vec();
        let mut refusal = Tape::parse(&text, self.limits).err();
        if refusal.as_ref().is_some_and(|error| error.code == ParseErrorCode::Truncated) {
            // A backslash behind half a character: the parser looks at the characters when it has the whole string.
            text.extend_from_slice(b"\"\"");
            refusal = Tape::parse(&text, self.limits).err();
        }
        self.rejection = refusal.map(|error| intake::Refusal::from(error).into());
        debug_assert!(self.rejection.is_some());
    }
}
