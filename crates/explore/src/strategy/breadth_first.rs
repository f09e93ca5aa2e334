//! The oldest open branch, so that short paths come before long ones.

use std::collections::VecDeque;

use super::{OpenBranch, Strategy};
use crate::BranchId;

#[derive(Default)]
pub(super) struct BreadthFirst {
    queue: VecDeque<BranchId>,
}

impl Strategy for BreadthFirst {
    fn opened(&mut self, branch: OpenBranch) {
        self.queue.push_back(branch.id);
    }

    fn next(&mut self) -> Option<BranchId> {
        self.queue.pop_front()
    }
}
