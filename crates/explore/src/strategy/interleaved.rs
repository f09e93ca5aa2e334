//! Several strategies over the same branches, taking turns. Every other turn is the first one's.

use super::{OpenBranch, Place, Strategy};
use crate::BranchId;

pub(super) struct Interleaved {
    members: Vec<Box<dyn Strategy>>,
    turn: usize,
}

impl Interleaved {
    pub(super) fn new(members: Vec<Box<dyn Strategy>>) -> Self {
        Interleaved { members, turn: 0 }
    }
}

impl Strategy for Interleaved {
    fn opened(&mut self, branch: OpenBranch) {
        for member in &mut self.members {
            member.opened(branch);
        }
    }

    fn covered(&mut self, place: Place) {
        for member in &mut self.members {
            member.covered(place);
        }
    }

    fn counts_runs(&self) -> bool {
        self.members.iter().any(|member| member.counts_runs())
    }

    /// A branch one member hands out stays with the others and is skipped as stale
    /// when they come to it.
    fn next(&mut self) -> Option<BranchId> {
        let others = self.members.len() - 1;
        for _ in 0..2 * self.members.len() {
            let member = match self.turn % 2 {
                1 if others > 0 => 1 + self.turn / 2 % others,
                _ => 0,
            };
            self.turn += 1;
            if let Some(branch) = self.members[member].next() {
                return Some(branch);
            }
        }
        None
    }
}
