//! `$dynamicRef` and `$recursiveRef` (core, section 8.2.3.2): the outermost resource in scope that has the anchor decides.

use crate::json::tape::NodeId;
use crate::validate::evaluate::{Evaluator, Marks};

impl Evaluator<'_> {
    #[inline(never)]
    pub(in crate::validate) fn dynamic_ref(&mut self, index: u32, node: NodeId, marks: Marks) -> bool {
        let plan = self.plan;
        let Some(reference) = plan.dynamics.get(index as usize) else { return true };
        let target = reference.target(plan, &self.memory.scopes);
        self.eval(target, node, marks)
    }
}
