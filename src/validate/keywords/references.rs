//! `$dynamicRef` and `$recursiveRef` (core, section 8.2.3.2): the outermost resource in scope that has the anchor decides.

use crate::json::tape::NodeId;
use crate::validate::evaluate::{Evaluator, Marks};

impl Evaluator<'_> {
    #[inline(never)]
    pub(in crate::validate) fn dynamic_ref(&mut self, index: u32, node: NodeId, marks: Marks) -> bool {
        let plan = self.plan;
        let Some(reference) = plan.dynamics.get(index as usize) else { return true };
        let anchors = || plan.dynamic_anchors.iter().filter(|anchor| anchor.name == reference.name);
        let outermost = self.memory.scopes.iter().find_map(|scope| anchors().find(|anchor| anchor.resource == *scope));
        self.eval(outermost.map_or(reference.fallback, |anchor| anchor.schema), node, marks)
    }
}
