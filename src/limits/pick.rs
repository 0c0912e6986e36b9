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
    let mut resolver = Resolver { agents, order, main: None };
    let mut steps = Vec::new();
    if pick.member("steps").is_some() {
        only(pick, &["steps"], "")?;
        for (at, step) in list(pick, "steps", "")?.into_iter().enumerate() {
            steps.push(resolver.step(step, &concat(&["/steps/", &decimal(at as u64)]))?);
        }
    } else {
        steps.push(resolver.step(pick, "")?);
    }
    let Some(pointer) = resolver.main else { return Ok(steps) };
    match steps.as_slice() {
        [Step { children, .. }] if children.len() == 1 => Ok(Vec::new()),
        _ => {
            Err(refusal("pick_main_among_agents", &pointer, "\"main\" means that the parent answers, and stands alone"))
        }
    }
}

struct Resolver<'a> {
    agents: Value<'a>,
    order: Order,
    /// Where `"main"` stands, if it does.
    main: Option<String>,
}

impl Resolver<'_> {
    fn step(&mut self, value: Value<'_>, pointer: &str) -> Result<Step, Refusal> {
        let Some(names) = value.member("names") else {
            return Ok(Step { order: self.order, children: self.children(value, None, pointer)? });
        };
        only(value, &["names", "order", "input"], pointer)?;
        let order = match given(value, "order") {
            None => self.order,
            Some(order) => match order.as_str() {
                Some("parallel") => Order::Parallel,
                Some("sequence") => Order::Sequence,
                _ => {
                    let message = "an order is \"parallel\" or \"sequence\"";
                    return Err(refusal("pick_unknown_order", &under(pointer, "order"), message));
                }
            },
        };
        let shared = given(value, "input").map(Value::text);
        let children = self.children(names, shared, &under(pointer, "names"))?;
        // A child's own input may say the same.
        if shared.is_some() && !children.iter().any(|child| child.input.as_deref() == shared) {
            let message = "none of these agents takes the input of the list";
            return Err(refusal("pick_input_not_taken", &under(pointer, "input"), message));
        }
        Ok(Step { order, children })
    }

    /// One name or a list of them.
    fn children(&mut self, value: Value<'_>, shared: Option<&str>, pointer: &str) -> Result<Vec<Child>, Refusal> {
        if value.tag() != Tag::Array {
            return Ok(vec![self.child(value, shared, pointer)?]);
        }
        let mut children = Vec::new();
        for (at, name) in value.list().into_iter().enumerate() {
            children.push(self.child(name, shared, &under(pointer, &decimal(at as u64)))?);
        }
        if children.is_empty() {
            return Err(refusal("pick_empty", pointer, "the list names nobody; \"main\" lets the parent answer"));
        }
        Ok(children)
    }

    fn child(&mut self, value: Value<'_>, shared: Option<&str>, pointer: &str) -> Result<Child, Refusal> {
        if value.tag() == Tag::Object {
            only(value, &["name", "input"], pointer)?;
        }
        let Some(name) = value.as_str().or_else(|| value.text_of("name")) else {
            return Err(refusal("pick_invalid", pointer, SHAPES));
        };
        let own = given(value, "input").map(Value::text);
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
                return Err(refusal("pick_unknown_agent", pointer, &message));
            };
            takes_input.tag() == Tag::True
        };
        let input = own.or(shared.filter(|_| takes_input));
        if takes_input != input.is_some() {
            let (code, what) = if takes_input {
                ("pick_input_missing", " needs an input: pick { name, input }")
            } else {
                ("pick_input_not_taken", " takes no input: it has no inputSchema")
            };
            return Err(refusal(code, pointer, &concat(&[name, what])));
        }
        Ok(Child { name: name.to_owned(), input: input.map(str::to_owned) })
    }
}

/// A member that is there and not null.
fn given<'a>(value: Value<'a>, name: &str) -> Option<Value<'a>> {
    value.member(name).filter(|member| member.tag() != Tag::Null)
}

fn list<'a>(value: Value<'a>, name: &str, pointer: &str) -> Result<Vec<Value<'a>>, Refusal> {
    let pointer = under(pointer, name);
    match value.member(name) {
        Some(member) if member.tag() == Tag::Array => {
            let items = member.list();
            if items.is_empty() {
                return Err(refusal("pick_empty", &pointer, "the list has no step; \"main\" lets the parent answer"));
            }
            Ok(items)
        }
        _ => Err(refusal("pick_invalid", &pointer, SHAPES)),
    }
}

fn only(value: Value<'_>, names: &[&str], pointer: &str) -> Result<(), Refusal> {
    value.only(names).map_err(|error| refusal("pick_unknown_field", pointer, &concat(&[&error.0, "; ", SHAPES])))
}

fn under(pointer: &str, name: &str) -> String {
    concat(&[pointer, "/", name])
}

fn refusal(code: &'static str, pointer: &str, message: &str) -> Refusal {
    Refusal { code, pointer: pointer.to_owned(), message: message.to_owned() }
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
