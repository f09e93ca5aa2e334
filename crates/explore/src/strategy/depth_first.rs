//! The newest open branch, so that a subtree is finished before its sibling.

use super::{OpenBranch, Strategy};
use crate::BranchId;

#[derive(Default)]
pub(super) struct DepthFirst {
    stack: Vec<BranchId>,
}

impl Strategy for DepthFirst {
    fn opened(&mut self, branch: OpenBranch) {
        self.stack.push(branch.id);
    }

    fn next(&mut self) -> Option<BranchId> {
        self.stack.pop()
    }

    fn prefers_first_arm(&self) -> bool {
        true
    }
}
