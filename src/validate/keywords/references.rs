//! `$dynamicRef` and `$recursiveRef` (core, section 8.2.3.2): the outermost resource in scope that has the anchor decides.

use crate::json::tape::NodeId;
use crate::schema::plan::{Schema, SchemaId};
use crate::validate::evaluate::Evaluator;
use crate::validate::marks::Marks;

impl<'a> Evaluator<'a> {
    #[inline(never)]
    pub(in crate::validate) fn dynamic_ref(&mut self, index: u32, node: NodeId, marks: Marks) -> bool {
        match self.dynamic_target(index) {
            Some((target, _)) => self.eval(target, node, marks),
            None => true,
        }
    }

    /// Where a dynamic reference leads from the resources that have been entered.
    #[inline(never)]
    pub(in crate::validate) fn dynamic_target(&self, index: u32) -> Option<(SchemaId, &'a Schema)> {
        let plan = self.plan;
        let target = plan.dynamics.get(index as usize)?.target(plan, &self.memory.scopes);
        Some((target, plan.schemas.get(target as usize)?))
    }
}
