//! Keeps branches of last resort (other values for pinned ones) back until the
//! inner strategy has nothing left.

use std::collections::VecDeque;

use super::{OpenBranch, Place, Strategy};
use crate::BranchId;

pub(super) struct LastResort {
    inner: Box<dyn Strategy>,
    held_back: VecDeque<BranchId>,
}

impl LastResort {
    pub(super) fn new(inner: Box<dyn Strategy>) -> Self {
        LastResort {
            inner,
            held_back: VecDeque::new(),
        }
    }
}

impl Strategy for LastResort {
    fn opened(&mut self, branch: OpenBranch) {
        if branch.last_resort {
            self.held_back.push_back(branch.id);
        } else {
            self.inner.opened(branch);
        }
    }

    fn covered(&mut self, place: Place) {
        self.inner.covered(place);
    }

    fn counts_runs(&self) -> bool {
        self.inner.counts_runs()
    }

    fn next(&mut self) -> Option<BranchId> {
        self.inner.next().or_else(|| self.held_back.pop_front())
    }

    fn prefers_first_arm(&self) -> bool {
        self.inner.prefers_first_arm()
    }
}
