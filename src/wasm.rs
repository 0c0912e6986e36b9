//! The `#[wasm_bindgen]` surface: the one place where the core meets JavaScript.
//!
//! Text to be judged is written into a kept buffer (`input`) and named by its length. Everything else crosses as strings;
//! answers are JSON, an error among them as `{"error":{"code","message","issues"}}`.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::contract::{Contract, Verdict, issues_json};
use crate::envelope::{self, ContractSource, EnvelopeParts};
use crate::gate::Refusal;
use crate::intake::{self, Intake};
use crate::json::canonical;
use crate::json::tape::{Flags, Limits, ParseError, Tape};
use crate::members::{push_member, push_string};
use crate::repair::{self, Problem};
use crate::resume::{self, Expected, Terms};
use crate::return_tool::ReturnTool;
use crate::schema::dialect::Draft;
use crate::schema::options::Options;
use fault::{Fault, error_json};
use options::{CompileOptions, EngineName, parse_options};
use stream::StreamHandle;

mod delegation;
mod fault;
mod gate;
mod host_patterns;
mod limits;
mod options;
mod records;
mod seal;
mod stream;

// 1.7 KiB of gzip less than the standard library's, and no slower. It searches a list only where it would else ask for more memory.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

thread_local! {
    /// Text is written where the parser reads it, and judged in the buffers of the text before.
    static INPUT: RefCell<Tape> = const { RefCell::new(Tape::EMPTY) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes room for `length` bytes of text and says where they go; what was written before is kept. The place holds until the
/// next call of this or of [`release_input`].
#[wasm_bindgen]
pub fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|tape| {
        let buffer = tape.buffer();
        // Growing by resize and never shrinking: what JavaScript writes lies within the vector's length.
        if buffer.len() < length {
            buffer.resize(length, 0);
        }
        buffer.as_mut_ptr()
    })
}

fn with_input<T>(length: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    INPUT.with_borrow_mut(|tape| read(tape.buffer().get(..length).unwrap_or_default()))
}

fn with_parsed_input<T>(length: usize, read: impl FnOnce(Result<&Tape, ParseError>) -> T) -> T {
    INPUT.with_borrow_mut(|tape| {
        let parsed = tape.parse_buffer(length, Limits::default());
        read(parsed.map(|()| &*tape))
    })
}

/// Gives a large input buffer back.
#[wasm_bindgen]
pub fn release_input() {
    INPUT.set(Tape::EMPTY);
}

/// Takes the answer of a call that has one to fetch.
#[wasm_bindgen]
pub fn answer() -> String {
    ANSWER.take()
}

/// A compiled contract.
#[wasm_bindgen]
pub struct ContractHandle(Rc<Contract>);

/// Compiles the schema text in the input buffer. Options as JSON.
///
/// # Errors
/// A schema error as JSON.
#[wasm_bindgen]
pub fn compile(length: usize, options: &str) -> Result<ContractHandle, String> {
    let given: CompileOptions = parse_options(options).map_err(Fault::into_json)?;
    let unknown = || error_json("unknown_dialect", "the option `dialect` is none of the five", "[]");
    let dialect = given.dialect.map(|name| Draft::from_name(&name).ok_or_else(unknown)).transpose()?;
    let options = Options { dialect, ..given.options };
    with_input(length, |schema| {
        let schema = std::str::from_utf8(schema)
            .map_err(|_| error_json("invalid_json", "the schema is not valid UTF-8", "[]"))?;
        let compiled = match given.engine {
            EngineName::Own => Contract::compile(schema, &options),
            #[cfg(feature = "reference")]
            EngineName::Reference => Contract::compile_by_reference(schema, &options),
        };
        compiled
            .map(|contract| ContractHandle(Rc::new(contract)))
            .map_err(|error| error_json(error.code.as_str(), &error.message, &issues_json(&error.issues)))
    })
}

#[wasm_bindgen]
impl ContractHandle {
    /// Does a task, as [`ask`].
    ///
    /// # Errors
    /// The refusal as JSON.
    pub fn ask(&self, task: ContractTask, number: usize, first: &str, second: &str) -> Result<Option<String>, String> {
        answer_of(&self.0, task, number, first, second).map_err(Fault::into_json)
    }

    /// Whether the text in the input buffer satisfies the contract.
    #[cfg_attr(fast, optimize(speed))]
    pub fn is_valid(&self, length: usize) -> bool {
        with_parsed_input(length, |parsed| parsed.is_ok_and(|tape| self.0.is_valid_tape(tape)))
    }

    /// Judges the text in the input buffer. True means: accepted, and the text goes out as it came in. Else the verdict is
    /// the [`answer`].
    pub fn check(&self, length: usize) -> bool {
        with_parsed_input(length, |parsed| {
            let verdict = match parsed {
                Ok(tape) if goes_out_as_given(tape) && self.0.is_valid_tape(tape) => return true,
                Ok(tape) => self.0.check_tape(tape),
                Err(error) => Verdict::Rejected(intake::Refusal::from(error).into()),
            };
            ANSWER.set(verdict.to_json());
            false
        })
    }

    /// Judges a return by strict or lenient intake, as [`ContractHandle::check`].
    pub fn read_return(&self, length: usize, finish_reason: Option<String>, lenient: bool) -> Option<String> {
        with_input(length, |text| {
            verdict_json(text, self.0.read_return(text, finish_reason.as_deref(), intake_of(lenient)))
        })
    }

    /// A return that streams in, read by strict or lenient intake.
    pub fn stream(&self, lenient: bool) -> StreamHandle {
        StreamHandle::new(Rc::clone(&self.0), intake_of(lenient))
    }
}

/// What is asked of a contract in texts.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub enum ContractTask {
    /// `sha256-…` of the schema's canonical form.
    Digest,
    /// What the guard `first` says of the accepted text in the input buffer, by the evidence `second`; its findings as JSON.
    Guard,
    /// Judges the return in the input buffer, by the options `first`; the decision as JSON.
    Judge,
    /// Judges the end of a child without a return, by the options `first`; the decision as JSON.
    JudgeNoReturn,
    /// Merges `{ children, order? }`, the children as strings of JSON text; the merged record's text.
    Merge,
    /// The JSON Schema of what merges under this contract are.
    MergedSchema,
    /// Decides about a return that its stream, a refinement or a guard refused: the refusal `first`, by the options `second`.
    Refuse,
    /// `{ name, description, wrapped, inputSchema }` of the return tool.
    ReturnTool,
    /// The closed and valid parts of the return in the input buffer, which came by way of `first`.
    Salvage,
    /// The schema's title.
    Title,
}

fn answer_of(
    contract: &Contract,
    task: ContractTask,
    number: usize,
    first: &str,
    second: &str,
) -> Result<Option<String>, Fault> {
    let answer = match task {
        ContractTask::Digest => Ok(contract.digest().to_owned()),
        ContractTask::Guard => gate::guard(contract, number, first, second),
        ContractTask::Judge => gate::judge(contract, number, first),
        ContractTask::JudgeNoReturn => gate::judge_no_return(contract, first),
        ContractTask::Merge => records::merge(contract, first),
        ContractTask::MergedSchema => records::merged_schema(contract),
        ContractTask::Refuse => gate::refuse(contract, first, second),
        ContractTask::ReturnTool => Ok(return_tool(contract)),
        ContractTask::Salvage => return Ok(gate::salvage(contract, number, first)),
        ContractTask::Title => return Ok(contract.title().map(str::to_owned)),
    };
    answer.map(Some)
}

fn return_tool(contract: &Contract) -> String {
    let tool = ReturnTool::of(contract);
    let mut out = String::from("{");
    push_string(&mut out, "name", Some(&tool.name));
    push_string(&mut out, "description", Some(ReturnTool::DESCRIPTION));
    push_member(&mut out, "wrapped", if tool.wrapped { "true" } else { "false" });
    push_member(&mut out, "inputSchema", &tool.input_schema(contract));
    out.push('}');
    out
}

fn intake_of(lenient: bool) -> Intake {
    if lenient { Intake::Lenient } else { Intake::Strict }
}

/// What is asked of the core in texts. One entry serves all of it: each export costs more than many of these tasks do.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub enum Task {
    /// The text in the input buffer with the value `second` at the pointer `first`.
    Amend,
    /// What the limits of a tree answer to a child, by the numbers in `first`; `number` says what it asks for.
    AskLimits,
    /// What the parent's model reads when the brief for the agent `first` was refused, from the refusal `second`.
    BriefFeedback,
    /// What the parent's model reads about a tool of the description `first`.
    BriefToolDescription,
    /// The envelope of the parts `first`.
    BuildEnvelope,
    /// Which contract holds: `final_schema`, `output_schema` or `none`. The number says which are given: 1 and 2.
    ChooseContract,
    /// `sha256-…` of the canonical form of the JSON text `first`.
    DigestOf,
    /// What goes out as `SUBAGENT_FINISHED.result`, of the envelope `first`.
    EnvelopeForEvent,
    /// What the parent's model sees of the envelope `first`.
    EnvelopeForModel,
    /// The members of the JSON object `first` as an object of their exact texts.
    MembersOf,
    /// The open questions of the result, envelope or merged record `first`, as JSON.
    OpenQuestions,
    /// The resume state `first`, when it is what the host expects by `second`.
    OpenResumeState,
    /// Nothing, when `first` is an envelope.
    ParseEnvelope,
    /// `{ form, keyId }` of the token `first`, which nobody has to believe yet.
    ReadToken,
    /// What the recipe `first` makes of the text in the input buffer, as a verdict: `{ ok, text, flags }`.
    Rebuild,
    /// The steps of the pick in `first`, or what is wrong with it; with the number 1 the usual order is a sequence.
    ResolvePick,
    /// What an envelope carries of a child's last text `first` beside a typed result; nothing of a blank one.
    Summary,
    /// The resume state `first`, with what the core adds to it.
    WriteResumeState,
    /// As [`Task::WriteResumeState`], for the time and the person that `second` says: the body to seal.
    WriteResumeStateUnder,
}

/// Does a task. `number`: how long the text in the input buffer is, where one is needed.
///
/// # Errors
/// The refusal as JSON.
#[wasm_bindgen]
pub fn ask(task: Task, number: usize, first: &str, second: &str) -> Result<Option<String>, String> {
    answer_to(task, number, first, second).map_err(Fault::into_json)
}

fn answer_to(task: Task, number: usize, first: &str, second: &str) -> Result<Option<String>, Fault> {
    let answer = match task {
        Task::Amend => gate::amend(number, first, second),
        Task::AskLimits => Ok(limits::ask_limits(first, number)),
        Task::BriefFeedback => brief_feedback(first, second),
        Task::BriefToolDescription => Ok(repair::brief_tool_description(first)),
        Task::BuildEnvelope => build_envelope(first),
        Task::ChooseContract => Ok(ContractSource::choose(number & 1 != 0, number & 2 != 0).as_str().to_owned()),
        Task::DigestOf => Ok(canonical::digest(first.as_bytes())?),
        Task::EnvelopeForEvent => Ok(envelope::for_event(first)?),
        Task::EnvelopeForModel => Ok(envelope::for_model(first)?),
        Task::MembersOf => delegation::members_of(first),
        Task::OpenQuestions => records::open_questions(first),
        Task::OpenResumeState => open_resume_state(first, second),
        Task::ParseEnvelope => return Ok(envelope::parse(first).map(|_| None)?),
        Task::ReadToken => seal::read_token(first),
        Task::Rebuild => gate::rebuild(number, first),
        Task::ResolvePick => limits::resolve_pick(first, number == 1),
        Task::Summary => return Ok(envelope::task_summary(first)),
        Task::WriteResumeState => Ok(resume::write(parse_options(first)?)?),
        Task::WriteResumeStateUnder => write_resume_state_under(first, second),
    };
    answer.map(Some)
}

fn brief_feedback(agent: &str, refusal: &str) -> Result<String, Fault> {
    let Refusal { code, issues, omitted, .. } = parse_options(refusal)?;
    let (code, issues) = (&code, &issues);
    Ok(repair::for_parent(agent, Problem { code, issues, omitted, base: "", early: false, contract: None }))
}

fn build_envelope(parts: &str) -> Result<String, Fault> {
    let parts: EnvelopeParts = parse_options(parts)?;
    Ok(envelope::build(&parts)?)
}

fn write_resume_state_under(state: &str, terms: &str) -> Result<String, Fault> {
    let state = parse_options(state)?;
    let terms: Terms = parse_options(terms)?;
    Ok(resume::write_under(state, &terms)?)
}

fn open_resume_state(text: &str, expected: &str) -> Result<String, Fault> {
    let expected: Expected = parse_options(expected)?;
    resume::open(text, &expected)?;
    Ok(text.to_owned())
}

/// Traps, so that the shim's recovery can be tested.
#[wasm_bindgen]
pub fn trap() {
    #[cfg(target_arch = "wasm32")]
    core::arch::wasm32::unreachable();
}

/// Whether the JSON value is the whole text, byte for byte.
fn goes_out_as_given(tape: &Tape) -> bool {
    let is_space = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    let text = tape.text();
    tape.flags() == Flags::default() && tape.offset(0) == 0 && !is_space(text.last())
}

/// Nothing for the common case, in which the accepted text is the one that JavaScript already holds.
fn verdict_json(given: &[u8], verdict: Verdict) -> Option<String> {
    match &verdict {
        Verdict::Accepted(accepted) if accepted.flags.is_empty() && accepted.text.as_bytes() == given => None,
        _ => Some(verdict.to_json()),
    }
}
