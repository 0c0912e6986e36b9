//! Validation of a value while it is being read: a violation is found where the text proves it, not at its end.
//!
//! For each open container there is a frame with the schemas that it has to meet unconditionally. What they say of a value is
//! checked at the earliest point that no continuation can change: the kind at the first byte, names and scalars as they end,
//! counts as they are exceeded, and what takes the whole value (`required`, alternatives, `contains`, `uniqueItems`…) by the
//! ordinary evaluator on the part of the tape that has just ended. Nothing is rejected that could still become valid, and
//! nothing is accepted here: the verdict is that of the ordinary evaluator on the finished tape.

mod breach;
mod duties;
mod names;
pub(crate) mod outlook;

pub(crate) use breach::Breach;
use breach::can_meet;
use duties::{Duty, Scopes};

use super::evaluate::{Evaluator, Memory};
use super::issue::Types;
use super::marks::Marks;
use super::violation::Failure;
use super::{STEPS_PER_NODE, Validator};
use crate::json::tape::{NodeId, Tag, Tape};
use crate::schema::plan::{EVERYTHING, NO_SCHEMA, Op, Plan, Schema, SchemaId};

/// An open container: where its duties start, and how many scopes there were before it.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: NodeId,
    duties: usize,
    scopes: usize,
    object: bool,
}

/// Watches one value being read.
#[derive(Debug)]
pub(crate) struct Watch {
    frames: Vec<Frame>,
    /// Of the open containers from the outside in, and from [`Watch::pending`] on those of the value that comes next.
    duties: Vec<Duty>,
    pending: usize,
    scopes: Scopes,
    memory: Memory,
    /// The budget that is left. When it is spent, what follows is checked at the end alone.
    steps: u64,
    exhausted: bool,
    /// The most characters that the string being read can have, and how many it has.
    longest: u32,
    characters: u32,
}

impl Watch {
    pub fn new(validator: &Validator) -> Watch {
        let mut watch = Watch {
            frames: Vec::new(),
            duties: Vec::new(),
            pending: 0,
            scopes: Scopes::default(),
            memory: Memory::default(),
            steps: validator.steps,
            exhausted: false,
            longest: u32::MAX,
            characters: 0,
        };
        watch.oblige(validator.plan.root, 0);
        watch
    }

    #[inline]
    fn oblige(&mut self, schema: SchemaId, scope: duties::Scope) {
        if schema != EVERYTHING {
            self.duties.push(Duty::new(schema, scope));
        }
    }

    /// A value has begun: `node` is, or will be, its node, and it is the `count`th of its container.
    #[cfg_attr(fast, optimize(speed))]
    pub fn begin(&mut self, validator: &Validator, tag: Tag, node: NodeId, count: u32) -> Result<(), Breach> {
        if self.exhausted {
            return Ok(());
        }
        self.steps = self.steps.saturating_add(STEPS_PER_NODE);
        if let Some(&frame) = self.frames.last()
            && !frame.object
        {
            self.begin_item(validator, frame, node, count)?;
        }
        let outlooks = validator.outlooks();
        let pending = self.duties.get(self.pending..).unwrap_or_default();
        if let Some(duty) = pending.iter().find(|duty| !can_meet(outlooks, **duty, tag)) {
            return Err(Breach::Kind { duty: *duty, node });
        }
        match tag {
            Tag::Array | Tag::Object => {
                let (duties, scopes) = (self.pending, self.scopes.len());
                self.follow(validator, outlook::kind(tag));
                self.frames.push(Frame { node, duties, scopes, object: tag == Tag::Object });
                self.pending = self.duties.len();
            }
            Tag::String => {
                let longest = pending.iter().map(|duty| outlook::of(outlooks, duty.schema).longest);
                self.longest = longest.min().unwrap_or(u32::MAX);
                self.characters = 0;
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds what the value that comes next has to meet besides.
    fn follow(&mut self, validator: &Validator, kind: Types) {
        let (plan, start) = (&validator.plan, self.pending);
        duties::follow(plan, validator.outlooks(), &mut self.duties, &mut self.scopes, start, kind);
    }

    fn begin_item(&mut self, validator: &Validator, frame: Frame, node: NodeId, count: u32) -> Result<(), Breach> {
        let plan = &validator.plan;
        for index in frame.duties..self.pending {
            let Some((duty, schema)) = self.duty(plan, index) else { continue };
            for op in schema.ops.of(&plan.ops) {
                match *op {
                    Op::MaxItems(limit) if count > limit => {
                        let failure = Failure::MaxItems(limit);
                        return Err(Breach::Failed { schema: duty.schema, node: frame.node, failure });
                    }
                    Op::Array(index) => {
                        let Some(array) = plan.arrays.get(index as usize) else { continue };
                        let position = count.saturating_sub(1);
                        let item = array.prefix.of(&plan.lists).get(position as usize).copied();
                        let schema = item.unwrap_or(array.rest);
                        if schema == NO_SCHEMA {
                            continue;
                        }
                        if item.is_none() && plan.is_never(schema) {
                            let (limit, keyword) = (array.prefix.length, array.rest_keyword);
                            let failure = Failure::AdditionalItem { limit, keyword };
                            return Err(Breach::Failed { schema: duty.schema, node, failure });
                        }
                        self.oblige(schema, duty.inside);
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// More of a string has come. When it is too long by now, it was so already without that many bytes at its end.
    #[inline]
    pub fn text(&mut self, text: &[u8], node: NodeId) -> Result<(), (Breach, usize)> {
        if self.takes_any_length() {
            return Ok(());
        }
        let count = text.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u32;
        let left = self.longest - self.characters;
        if count <= left {
            self.characters += count;
            return Ok(());
        }
        let mut starts = text.iter().enumerate().filter(|(_, byte)| **byte & 0xC0 != 0x80).map(|(at, _)| at);
        let end = starts.nth(left as usize + 1).unwrap_or(text.len());
        Err((Breach::TooLong { node }, text.len() - end))
    }

    /// Whether the string being read may become as long as it likes.
    #[inline]
    pub fn takes_any_length(&self) -> bool {
        self.longest == u32::MAX || self.exhausted
    }

    /// A value that is no container has ended.
    #[cfg_attr(fast, optimize(speed))]
    pub fn scalar(&mut self, validator: &Validator, tape: &Tape, node: NodeId) -> Result<(), Breach> {
        for index in self.pending..self.duties.len() {
            let Some(duty) = self.duties.get(index).copied() else { continue };
            let met = self.ask(validator, tape, duty.outside, Question::Schema(duty.schema), node);
            if met == Some(false) {
                return Err(Breach::Value { duty, op: None, node });
            }
        }
        self.duties.truncate(self.pending);
        Ok(())
    }

    /// A container has ended.
    #[cfg_attr(fast, optimize(speed))]
    pub fn close(&mut self, validator: &Validator, tape: &Tape) -> Result<(), Breach> {
        let Some(frame) = self.frames.last().copied().filter(|_| !self.exhausted) else { return Ok(()) };
        for index in frame.duties..self.pending {
            let Some((duty, schema)) = self.duty(&validator.plan, index) else { continue };
            self.close_duty(validator, tape, duty, schema, frame)?;
        }
        self.frames.pop();
        self.duties.truncate(frame.duties);
        self.pending = frame.duties;
        self.scopes.truncate(frame.scopes);
        Ok(())
    }

    fn close_duty(
        &mut self,
        validator: &Validator,
        tape: &Tape,
        duty: Duty,
        schema: &Schema,
        frame: Frame,
    ) -> Result<(), Breach> {
        let (plan, node) = (&validator.plan, frame.node);
        let ops = schema.ops.of(&plan.ops);
        if ops.iter().any(|op| matches!(op, Op::UnevaluatedItems(_) | Op::UnevaluatedProperties(_))) {
            // What its neighbours have evaluated is known only when all of it is evaluated together.
            let met = self.ask(validator, tape, duty.outside, Question::Schema(duty.schema), node);
            return if met == Some(false) { Err(Breach::Value { duty, op: None, node }) } else { Ok(()) };
        }
        let kind = if frame.object { Types::OBJECT } else { Types::ARRAY };
        for (index, op) in ops.iter().enumerate() {
            match *op {
                Op::Object(object) => {
                    let required = plan.objects.get(object as usize).map_or(0, |object| object.required);
                    if frame.object && duty.required < required {
                        return Err(Breach::Missing { schema: duty.schema, object, node });
                    }
                }
                // Followed or counted while the members came.
                Op::Array(_)
                | Op::Ref(_)
                | Op::AllOf(_)
                | Op::DynamicRef(_)
                | Op::MaxItems(_)
                | Op::MaxProperties(_) => {}
                Op::AnyOf(list) | Op::OneOf(list)
                    if outlook::only(validator.outlooks(), list.of(&plan.lists), kind).is_some() => {}
                _ => {
                    let op = index as u32;
                    let met = self.ask(validator, tape, duty.inside, Question::Keyword(duty.schema, op), node);
                    if met == Some(false) {
                        return Err(Breach::Value { duty, op: Some(op), node });
                    }
                }
            }
        }
        Ok(())
    }

    fn duty<'a>(&self, plan: &'a Plan, index: usize) -> Option<(Duty, &'a Schema)> {
        let duty = *self.duties.get(index)?;
        Some((duty, plan.schemas.get(duty.schema as usize)?))
    }

    /// Asks the ordinary evaluator about a value or a name; nothing when the budget is spent.
    #[inline(never)]
    #[cfg_attr(fast, optimize(speed))]
    fn ask(
        &mut self,
        validator: &Validator,
        tape: &Tape,
        scope: duties::Scope,
        question: Question,
        node: NodeId,
    ) -> Option<bool> {
        if self.exhausted {
            return None;
        }
        let mut evaluator = Evaluator::new(&validator.plan, tape, &mut self.memory, self.steps);
        if scope != 0 {
            evaluator.enter_scopes(&self.scopes.outermost_first(scope));
        }
        let met = evaluator.answer(question, node);
        self.steps = evaluator.steps;
        self.exhausted = evaluator.exhausted;
        (!self.exhausted).then_some(met)
    }
}

/// What the evaluator is asked.
#[derive(Clone, Copy, Debug)]
enum Question {
    /// Whether the value meets the schema.
    Schema(SchemaId),
    /// Whether it meets one keyword of the schema, by its place.
    Keyword(SchemaId, u32),
    /// Whether the name matches the pattern.
    Name(u32),
}

impl Evaluator<'_> {
    fn answer(&mut self, question: Question, node: NodeId) -> bool {
        match question {
            Question::Schema(schema) => self.eval(schema, node, Marks::NONE),
            Question::Keyword(schema, op) => self.eval_one(schema, op, node),
            Question::Name(pattern) => {
                let name = self.tape.node(node);
                self.matches(pattern, name)
            }
        }
    }
}
