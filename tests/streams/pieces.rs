//! Texts in pieces: cutting them, pushing them, and what the value so far is.

use subcontract::intake::Intake;
use subcontract::json::tape::{NodeId, Tag, Tape};
use subcontract::stream::{ContractStream, Edit, Status};
use subcontract::{Contract, Verdict};

use crate::generator::choices::Choices;
use crate::generator::json::Json;

/// Cuts a text into pieces of random lengths, the shortest when the choices are spent.
pub fn cut<'t>(text: &'t [u8], choices: &mut Choices<'_>) -> Vec<&'t [u8]> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let length = choices.pick(&[1, 2, 1, 3, 5, 1, 9, 20, 90]);
        let (piece, more) = rest.split_at(length.min(rest.len()));
        pieces.push(piece);
        rest = more;
    }
    pieces
}

/// What a stream said of a text.
#[derive(Debug)]
pub struct Outcome {
    pub status: Status,
    pub rejection: Option<(usize, subcontract::contract::Rejected)>,
    pub verdict: Verdict,
}

pub fn run<'t>(contract: &Contract, pieces: impl IntoIterator<Item = &'t [u8]>, finish: Option<&str>) -> Outcome {
    let mut stream = contract.stream(Intake::Strict);
    for piece in pieces {
        let before = stream.status();
        let status = stream.push(piece);
        assert_eq!(status, stream.status());
        assert!(!before.is_final() || before == status, "{before:?} became {status:?}");
        assert_eq!(status.is_final(), stream.rejection().is_some());
    }
    let rejection = stream.rejected_at().zip(stream.rejection().cloned());
    Outcome { status: stream.status(), rejection, verdict: stream.end(finish) }
}

/// The value that edits make.
#[derive(Default)]
pub struct Shown {
    pub value: Option<Json>,
    /// The way from the root to the container being filled: the place of each child.
    open: Vec<usize>,
    depth: usize,
    name: Option<String>,
}

impl Shown {
    fn target(&mut self) -> Option<&mut Json> {
        let mut at = self.value.as_mut()?;
        for place in &self.open {
            at = match at {
                Json::Array(items) => &mut items[*place],
                Json::Object(members) => &mut members[*place].1,
                _ => return None,
            };
        }
        Some(at)
    }

    fn add(&mut self, value: Json) {
        let name = self.name.take();
        if self.depth == 0 {
            assert!(self.value.is_none(), "a second root");
            self.value = Some(value);
            return;
        }
        match self.target().expect("an open container") {
            Json::Array(items) => items.push(value),
            Json::Object(members) => members.push((name.expect("a name"), value)),
            other => panic!("{other:?} takes no children"),
        }
    }

    fn last(&mut self) -> &mut Json {
        if self.depth == 0 {
            return self.value.as_mut().expect("a root");
        }
        match self.target().expect("an open container") {
            Json::Array(items) => items.last_mut().expect("an item"),
            Json::Object(members) => &mut members.last_mut().expect("a member").1,
            other => panic!("{other:?} has no children"),
        }
    }

    fn begin(&mut self, container: Json) {
        self.add(container);
        if self.depth > 0 {
            let place = self.target().expect("an open container").children().len() - 1;
            self.open.push(place);
        }
        self.depth += 1;
    }

    pub fn apply(&mut self, edits: &[Edit], stream: &ContractStream<&Contract>) {
        for edit in edits {
            match *edit {
                Edit::Object => self.begin(Json::Object(Vec::new())),
                Edit::Array => self.begin(Json::Array(Vec::new())),
                Edit::Close => {
                    self.open.pop();
                    self.depth -= 1;
                }
                Edit::Name(name) => self.name = Some(stream.piece(name).to_owned()),
                Edit::String(text) => self.add(Json::string(stream.piece(text))),
                Edit::More(text) => {
                    let more = stream.piece(text);
                    let Json::String(string) = self.last() else { panic!("more of no string") };
                    string.push_str(more);
                }
                Edit::Number(text) => self.add(Json::number(stream.piece(text))),
                Edit::Boolean(value) => self.add(Json::Bool(value)),
                Edit::Null => self.add(Json::Null),
                _ => panic!("an edit of no known kind"),
            }
        }
    }
}

/// Whether a later value shows all that an earlier one showed: strings may grow, arrays and objects be added to, at the end.
pub fn is_kept(before: &Json, after: &Json) -> bool {
    match (before, after) {
        (Json::String(before), Json::String(after)) => after.starts_with(before.as_str()),
        (Json::Array(before), Json::Array(after)) => {
            before.len() <= after.len() && before.iter().zip(after).all(|(before, after)| is_kept(before, after))
        }
        (Json::Object(before), Json::Object(after)) => {
            let same = |(before, after): (&(String, Json), &(String, Json))| {
                before.0 == after.0 && is_kept(&before.1, &after.1)
            };
            before.len() <= after.len() && before.iter().zip(after).all(same)
        }
        _ => before == after,
    }
}

/// The value of a parsed text.
pub fn value(tape: &Tape, node: NodeId) -> Json {
    match tape.tag(node) {
        Tag::Null => Json::Null,
        Tag::False => Json::Bool(false),
        Tag::True => Json::Bool(true),
        Tag::Number => Json::number(tape.number(node)),
        Tag::String => Json::string(tape.string(node)),
        Tag::Array => Json::Array(tape.items(node).map(|item| value(tape, item)).collect()),
        Tag::Object => Json::Object(
            tape.members(node).map(|(name, member)| (tape.string(name).to_owned(), value(tape, member))).collect(),
        ),
    }
}
