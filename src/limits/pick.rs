//! Whom a router picks: what it wrote, resolved to steps of children in order.
//!
//! Written are `"main"`, a name, `{ name, input }`, a list of those, `{ names, order?, input? }`, or `{ steps }` of any of them but
//! `"main"`. Only the shape is judged here, and who takes an input; the inputs themselves are their contracts' to judge.

use crate::json::tape::Tag;
use crate::json::write::{concat, decimal, separated};
use crate::members::{Value, push_item, push_member, push_string, quote};

/// In which order the children of a step run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// All start together.
    Parallel,
    /// Each starts when the one before it has ended.
    Sequence,
}

/// A child to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Child {
    /// Its agent's name.
    pub name: String,
    /// The exact JSON text of its input.
    pub input: Option<String>,
}

/// Children that belong together. The next step starts when all of them have ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The order within the step.
    pub order: Order,
    /// At least one; an agent may be in it twice, each time with an input of its own.
    pub children: Vec<Child>,
}

/// Why a pick cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The stable code.
    pub code: &'static str,
    /// RFC 6901 pointer to what is wrong in the pick.
    pub pointer: String,
    /// One sentence: lower case, no final period.
    pub message: String,
}

const SHAPES: &str =
    "a pick is \"main\", a name, { name, input }, a list of those, { names, order, input } or { steps }";

/// Resolves what a router picked to its steps; none when the parent answers itself. `agents` is an object that says of each
/// agent, by its name, whether it takes an input: one that takes one needs one.
///
/// # Errors
/// A [`Refusal`] that says what is wrong with the pick, and where.
pub fn resolve(pick: Value<'_>, agents: Value<'_>, order: Order) -> Result<Vec<Step>, Refusal> {
    let mut resolver = Resolver { agents, order, steps: Vec::new(), main: None, refused: None };
    resolver.pick(pick);
    match resolver.refused {
        Some(refusal) => Err(refusal),
        None => Ok(resolver.steps),
    }
}

/// Goes through a pick until something is wrong with it: what is asked of a part says whether to go on.
struct Resolver<'a> {
    agents: Value<'a>,
    order: Order,
    steps: Vec<Step>,
    /// Where `"main"` stands, if it does.
    main: Option<String>,
    refused: Option<Refusal>,
}

impl<'a> Resolver<'a> {
    fn pick(&mut self, pick: Value<'a>) -> bool {
        let done = match pick.member("steps") {
            Some(steps) => self.only(pick, &["steps"], "") && self.each(steps, "/steps", None, Self::step),
            None => self.step(pick, "", None),
        };
        let Some(pointer) = self.main.take().filter(|_| done) else { return done };
        let alone = matches!(self.steps.as_slice(), [Step { children, .. }] if children.len() == 1);
        self.steps.clear();
        alone
            || self.refuse(
                "pick_main_among_agents",
                &pointer,
                "\"main\" means that the parent answers, and stands alone",
            )
    }

    fn step(&mut self, value: Value<'a>, pointer: &str, _: Option<&'a str>) -> bool {
        let mut step = Step { order: self.order, children: Vec::new() };
        let Some(names) = value.member("names") else {
            self.steps.push(step);
            return self.children(value, pointer, None);
        };
        if !self.only(value, &["names", "order", "input"], pointer) {
            return false;
        }
        if let Some(order) = given(value, "order") {
            step.order = match order.as_str() {
                Some("parallel") => Order::Parallel,
                Some("sequence") => Order::Sequence,
                _ => {
                    let message = "an order is \"parallel\" or \"sequence\"";
                    return self.refuse("pick_unknown_order", &under(pointer, "order"), message);
                }
            };
        }
        self.steps.push(step);
        let shared = given(value, "input").map(Value::text);
        if !self.children(names, &under(pointer, "names"), shared) {
            return false;
        }
        let mut children = self.steps.last().into_iter().flat_map(|step| &step.children);
        // A child's own input may say the same.
        shared.is_none()
            || children.any(|child| child.input.as_deref() == shared)
            || self.refuse(
                "pick_input_not_taken",
                &under(pointer, "input"),
                "none of these agents takes the input of the list",
            )
    }

    /// One name or a list of them.
    fn children(&mut self, value: Value<'a>, pointer: &str, shared: Option<&'a str>) -> bool {
        if value.tag() == Tag::Array {
            self.each(value, pointer, shared, Self::child)
        } else {
            self.child(value, pointer, shared)
        }
    }

    fn child(&mut self, value: Value<'a>, pointer: &str, shared: Option<&'a str>) -> bool {
        if value.tag() == Tag::Object && !self.only(value, &["name", "input"], pointer) {
            return false;
        }
        let Some(name) = value.as_str().or_else(|| value.text_of("name")) else {
            return self.refuse("pick_invalid", pointer, SHAPES);
        };
        let takes_input = if name == "main" {
            self.main.get_or_insert_with(|| pointer.to_owned());
            false
        } else {
            let Some(takes_input) = self.agents.member(name) else {
                let mut known = Vec::new();
                for (name, _) in self.agents.pairs() {
                    known.push(name);
                }
                let message = concat(&["no agent is called ", &quote(name), "; there are ", &separated(&known, ", ")]);
                return self.refuse("pick_unknown_agent", pointer, &message);
            };
            takes_input.tag() == Tag::True
        };
        let input = given(value, "input").map(Value::text).or(shared.filter(|_| takes_input));
        if takes_input != input.is_some() {
            let (code, what) = if takes_input {
                ("pick_input_missing", " needs an input: pick { name, input }")
            } else {
                ("pick_input_not_taken", " takes no input: it has no inputSchema")
            };
            return self.refuse(code, pointer, &concat(&[name, what]));
        }
        if let Some(step) = self.steps.last_mut() {
            step.children.push(Child { name: name.to_owned(), input: input.map(str::to_owned) });
        }
        true
    }

    /// Goes through a list that must hold something.
    fn each(
        &mut self,
        list: Value<'a>,
        pointer: &str,
        shared: Option<&'a str>,
        read: fn(&mut Self, Value<'a>, &str, Option<&'a str>) -> bool,
    ) -> bool {
        if list.tag() != Tag::Array {
            return self.refuse("pick_invalid", pointer, SHAPES);
        }
        let items = list.list();
        if items.is_empty() {
            return self.refuse("pick_empty", pointer, "the list is empty; \"main\" lets the parent answer");
        }
        items.into_iter().enumerate().all(|(at, item)| read(self, item, &under(pointer, &decimal(at as u64)), shared))
    }

    fn only(&mut self, value: Value<'a>, names: &[&str], pointer: &str) -> bool {
        match value.only(names) {
            Ok(()) => true,
            Err(error) => self.refuse("pick_unknown_field", pointer, &concat(&[&error.0, "; ", SHAPES])),
        }
    }

    /// What is said first counts. Always false: there is nothing to go on with.
    fn refuse(&mut self, code: &'static str, pointer: &str, message: &str) -> bool {
        self.refused.get_or_insert_with(|| Refusal { code, pointer: pointer.to_owned(), message: message.to_owned() });
        false
    }
}

/// A member that is there and not null.
fn given<'a>(value: Value<'a>, name: &str) -> Option<Value<'a>> {
    value.member(name).filter(|member| member.tag() != Tag::Null)
}

fn under(pointer: &str, name: &str) -> String {
    concat(&[pointer, "/", name])
}

/// Steps as JSON: `[{ order, children: [{ name, input? }] }]`, each input as a string that holds its JSON text.
pub fn to_json(steps: &[Step]) -> String {
    let mut out = String::from("[");
    for step in steps {
        let mut children = String::from("[");
        for child in &step.children {
            let mut item = String::from("{");
            push_string(&mut item, "name", Some(&child.name));
            if child.input.is_some() {
                push_string(&mut item, "input", child.input.as_deref());
            }
            item.push('}');
            push_item(&mut children, &item);
        }
        children.push(']');
        let mut item = String::from("{");
        let order = if step.order == Order::Parallel { "parallel" } else { "sequence" };
        push_string(&mut item, "order", Some(order));
        push_member(&mut item, "children", &children);
        item.push('}');
        push_item(&mut out, &item);
    }
    out.push(']');
    out
}
