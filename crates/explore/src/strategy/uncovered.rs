//! Arms that no run has taken anywhere come first, oldest first; then the arms taken
//! least often when they were opened.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::{OpenBranch, Place, Strategy};
use crate::BranchId;

#[derive(Default)]
pub(super) struct Uncovered {
    hits: FxHashMap<Place, u64>,
    fresh: VecDeque<OpenBranch>,
    seen: BinaryHeap<Reverse<(u64, u64, BranchId)>>,
    opened: u64,
}

impl Uncovered {
    fn hits_of(&self, branch: OpenBranch) -> u64 {
        self.hits.get(&branch.place).copied().unwrap_or(0)
    }

    fn file_as_seen(&mut self, branch: OpenBranch) {
        self.opened += 1;
        self.seen
            .push(Reverse((self.hits_of(branch), self.opened, branch.id)));
    }
}

impl Strategy for Uncovered {
    fn opened(&mut self, branch: OpenBranch) {
        if self.hits_of(branch) == 0 {
            self.fresh.push_back(branch);
        } else {
            self.file_as_seen(branch);
        }
    }

    fn covered(&mut self, place: Place) {
        *self.hits.entry(place).or_default() += 1;
    }

    fn counts_runs(&self) -> bool {
        true
    }

    fn next(&mut self) -> Option<BranchId> {
        while let Some(branch) = self.fresh.pop_front() {
            if self.hits_of(branch) == 0 {
                return Some(branch.id);
            }
            self.file_as_seen(branch);
        }
        self.seen.pop().map(|Reverse((_, _, id))| id)
    }
}
