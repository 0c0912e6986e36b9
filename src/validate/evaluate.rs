//! The evaluator: walks a plan and a tape together. What each group of keywords does stands in [`super::keywords`].

use super::issue::Types;
use super::marks::Marks;
use super::violation::{Failure, Violation};
use crate::json::tape::{Node, NodeId, Tag, Tape};
use crate::schema::pattern::Scratch;
use crate::schema::plan::{EVERYTHING, Op, Plan, Schema, SchemaId, Span};

/// Schemas inside each other while a document is checked. One of the greatest depth needs about two for each of its levels;
/// in wasm, on the stack that V8 gives by default, some 1,500 were measured to fit.
const MAX_LEVEL: u32 = 1280;

/// Schemas inside each other that look at the same value. A reference that leads back to itself never ends.
const MAX_LEVEL_AT_ONE_VALUE: u32 = 256;

/// What an evaluation needs and the next one can use again.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// The regions of [`Marks`], a bit for each item or member.
    pub(super) marks: Vec<u64>,
    /// The resource of each schema that is being evaluated, outermost first, when the plan has dynamic references.
    pub(super) scopes: Vec<u32>,
    pub(super) patterns: Vec<Scratch>,
    pub(super) violations: Vec<Violation>,
    /// What is wrong with property names, for the violations that say so.
    pub(super) reasons: Vec<Violation>,
}

/// One evaluation.
pub(super) struct Evaluator<'a> {
    pub plan: &'a Plan,
    pub tape: &'a Tape,
    pub memory: &'a mut Memory,
    pub steps: u64,
    /// Whether violations are collected; the first one ends the evaluation if not.
    pub collecting: bool,
    /// The budget of steps or of levels is spent. Results mean nothing from then on.
    pub exhausted: bool,
    pub level: u32,
    /// The level at which the evaluation of the value began.
    value_level: u32,
    /// The depth of the value in the instance.
    pub depth: u32,
}

impl<'a> Evaluator<'a> {
    #[inline]
    pub fn new(plan: &'a Plan, tape: &'a Tape, memory: &'a mut Memory, steps: u64) -> Evaluator<'a> {
        memory.marks.clear();
        memory.scopes.clear();
        memory.violations.clear();
        memory.reasons.clear();
        memory.patterns.resize_with(plan.patterns.len(), Scratch::default);
        Evaluator { plan, tape, memory, steps, collecting: false, exhausted: false, level: 0, value_level: 0, depth: 0 }
    }

    /// Takes steps off the budget; false when it is spent.
    #[inline(always)]
    pub fn charge(&mut self, steps: u64) -> bool {
        match self.steps.checked_sub(steps) {
            Some(left) => {
                self.steps = left;
                !self.exhausted
            }
            None => {
                self.exhausted = true;
                false
            }
        }
    }

    /// Notes a violation. Returns whether to go on and look for others.
    #[inline(never)]
    pub fn fail(&mut self, schema: SchemaId, node: NodeId, failure: Failure) -> bool {
        // A keyword that ran out of steps has found nothing.
        let go_on = self.collecting && !self.exhausted;
        if go_on {
            self.memory.violations.push(Violation { node, schema, depth: self.depth, failure });
        }
        go_on
    }

    /// Evaluates an item or a member's value.
    #[inline(always)]
    pub fn child(&mut self, schema: SchemaId, node: NodeId) -> bool {
        if schema == EVERYTHING || self.is_plain(schema, node) {
            return true;
        }
        self.depth += 1;
        let outer = std::mem::replace(&mut self.value_level, self.level);
        let ok = self.eval(schema, node, Marks::NONE);
        self.value_level = outer;
        self.depth -= 1;
        ok
    }

    /// Whether the value's kind is all that the schema asks for, and it is of that kind. Most leaves are.
    #[inline]
    fn is_plain(&self, schema: SchemaId, node: NodeId) -> bool {
        let Some(schema) = self.plan.schemas.get(schema as usize) else { return true };
        schema.ops.length == 0 && schema.types.meets(type_of(self.tape.tag(node)))
    }

    /// Evaluates without collecting.
    #[inline(never)]
    pub fn quiet(&mut self, schema: SchemaId, node: NodeId, marks: Marks) -> bool {
        let collecting = std::mem::replace(&mut self.collecting, false);
        let ok = self.eval(schema, node, marks);
        self.collecting = collecting;
        ok
    }

    /// Evaluates a value against a schema, and marks in `marks` what of it has been evaluated. All that recurs is this one frame for
    /// each schema inside another, and it keeps small: the host's stack is too.
    #[inline(never)]
    #[cfg_attr(fast, optimize(speed))]
    pub fn eval(&mut self, id: SchemaId, node: NodeId, marks: Marks) -> bool {
        let plan = self.plan;
        let Some(schema) = plan.schemas.get(id as usize) else { return true };
        let found = self.tape.node(node);
        let typed = schema.types == Types::ANY || self.has_type(schema, found) || {
            let failure = if schema.types == Types(0) { Failure::Never } else { Failure::Type };
            if !self.fail(id, node, failure) {
                return false;
            }
            false
        };
        // Most values are leaves that a look at their node settles.
        if schema.ops.of(&plan.ops).iter().all(|op| is_settled(op, found)) {
            return typed;
        }
        self.eval_ops(schema, id, node, found, marks) && typed
    }

    /// Evaluates what a schema asks for besides the type.
    #[inline(always)]
    fn eval_ops(&mut self, schema: &Schema, id: SchemaId, node: NodeId, found: &Node, marks: Marks) -> bool {
        let (mut schema, mut id, mut typed) = (schema, id, true);
        // A bare dynamic reference of the resource entered last is no level of its own: metaschemas consist of them.
        if let &[Op::DynamicRef(index)] = schema.ops.of(&self.plan.ops)
            && self.memory.scopes.last() == Some(&schema.resource)
            && let Some((target, led_to)) = self.dynamic_target(index)
        {
            (schema, id) = (led_to, target);
            if schema.types != Types::ANY && !self.has_type(schema, found) {
                let failure = if schema.types == Types(0) { Failure::Never } else { Failure::Type };
                if !self.fail(id, node, failure) {
                    return false;
                }
                typed = false;
            }
        }
        if !self.enter(schema) {
            return false;
        }
        // What neighbours outside this schema have evaluated does not count inside it.
        let own = if schema.tracks { self.new_marks(found) } else { marks };
        let ok = self.run(schema, id, node, found, own);
        if schema.tracks {
            self.release_marks(own, marks, ok || self.collecting);
        }
        self.leave();
        ok && typed
    }

    /// Goes one schema deeper, into its resource's scope; false when that is too deep.
    #[inline]
    fn enter(&mut self, schema: &Schema) -> bool {
        if !self.charge(1) || self.level >= MAX_LEVEL || self.level - self.value_level >= MAX_LEVEL_AT_ONE_VALUE {
            self.exhausted = true;
            return false;
        }
        self.level += 1;
        if !self.plan.dynamics.is_empty() {
            self.memory.scopes.push(schema.resource);
        }
        true
    }

    #[inline]
    fn leave(&mut self) {
        self.level -= 1;
        if !self.plan.dynamics.is_empty() {
            self.memory.scopes.pop();
        }
    }

    /// Enters resources, outermost first, as if schemas of theirs had led here.
    pub fn enter_scopes(&mut self, resources: &[u32]) {
        self.memory.scopes.extend_from_slice(resources);
    }

    /// Evaluates one keyword of a schema, by its place among those of the schema.
    pub fn eval_one(&mut self, id: SchemaId, op: u32, node: NodeId) -> bool {
        let plan = self.plan;
        let Some(schema) = plan.schemas.get(id as usize) else { return true };
        let found = self.tape.node(node);
        let one = Schema { ops: Span { start: schema.ops.start + op, length: 1 }, tracks: false, ..*schema };
        self.eval_ops(&one, id, node, found, Marks::NONE)
    }

    #[inline(always)]
    fn run(&mut self, schema: &Schema, id: SchemaId, node: NodeId, found: &Node, marks: Marks) -> bool {
        let plan = self.plan;
        let mut ok = true;
        for op in schema.ops.of(&plan.ops) {
            let met = match (op, found.tag) {
                (Op::Object(index), Tag::Object) => self.object(*index, id, node, found, marks),
                (Op::Array(index), Tag::Array) => self.array(*index, id, node, found, marks),
                (Op::Enum(index), _) => self.enumeration(*index, id, node, found),
                (Op::Ref(inner), _) => self.eval(*inner, node, marks),
                _ => self.rarer(op, id, node, found, marks),
            };
            if !met {
                if !self.collecting {
                    return false;
                }
                ok = false;
            }
        }
        ok
    }

    /// Evaluates an operation that most schemas do without.
    #[inline(never)]
    #[cfg_attr(fast, optimize(speed))]
    fn rarer(&mut self, op: &Op, id: SchemaId, node: NodeId, found: &Node, marks: Marks) -> bool {
        match (op, found.tag) {
            (Op::MinLength(_) | Op::MaxLength(_) | Op::Pattern(_) | Op::Format(_), Tag::String) => {
                self.string(op, id, node, found)
            }
            (Op::Bound { .. } | Op::MultipleOf(_), Tag::Number) => self.number(op, id, node, found),
            (Op::MinItems(_) | Op::MaxItems(_) | Op::UniqueItems, Tag::Array) => self.whole_array(op, id, node, found),
            (Op::Contains(index), Tag::Array) => self.contains(*index, id, node, found, marks),
            (Op::UnevaluatedItems(inner), Tag::Array) => self.unevaluated_items(*inner, id, node, found, marks),
            (Op::MinProperties(_) | Op::MaxProperties(_), Tag::Object) => self.property_count(op, id, node, found),
            (Op::DependentRequired(index), Tag::Object) => self.dependent_required(*index, id, node),
            (Op::DependentSchema(index), Tag::Object) => self.dependent_schema(*index, node, marks),
            (Op::UnevaluatedProperties(inner), Tag::Object) => {
                self.unevaluated_properties(*inner, id, node, found, marks)
            }
            (Op::Const(value), _) => self.constant(*value, id, node),
            (Op::DynamicRef(index), _) => self.dynamic_ref(*index, node, marks),
            (Op::AllOf(list), _) => self.all_of(*list, node, marks),
            (Op::AnyOf(list), _) => self.any_of(*list, id, node, found, marks),
            (Op::OneOf(list), _) => self.one_of(*list, id, node, found, marks),
            (Op::Not(inner), _) => self.not(*inner, id, node),
            (Op::If(index), _) => self.condition(*index, node, found, marks),
            _ => true,
        }
    }

    #[inline(always)]
    fn has_type(&self, schema: &Schema, found: &Node) -> bool {
        schema.types.meets(type_of(found.tag))
            || found.tag == Tag::Number
                && schema.types.meets(Types::INTEGER)
                && self.is_integer(found, schema.strict_integer)
    }
}

/// The type of a value, of an integer that of all numbers.
#[inline]
fn type_of(tag: Tag) -> Types {
    match tag {
        Tag::Null => Types::NULL,
        Tag::False | Tag::True => Types::BOOLEAN,
        Tag::Number => Types::NUMBER,
        Tag::String => Types::STRING,
        Tag::Array => Types::ARRAY,
        Tag::Object => Types::OBJECT,
    }
}

/// Whether the node alone shows that the operation is met.
#[inline(always)]
fn is_settled(op: &Op, found: &Node) -> bool {
    match (op, found.tag) {
        // A code point takes at most four bytes.
        (Op::MinLength(limit), Tag::String) if found.is_wide() => found.length / 4 >= *limit,
        (Op::MinLength(limit), Tag::String) | (Op::MinItems(limit), Tag::Array) => found.length >= *limit,
        (Op::MaxLength(limit), Tag::String) | (Op::MaxItems(limit), Tag::Array) => found.length <= *limit,
        _ => false,
    }
}
