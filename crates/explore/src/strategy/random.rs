//! Any open branch, each with the same chance; the seed makes runs repeatable.

use super::{OpenBranch, Strategy};
use crate::BranchId;
use crate::chance::{STEP, mixed};

pub(super) struct Random {
    open: Vec<BranchId>,
    state: u64,
}

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random {
            open: Vec::new(),
            state: seed,
        }
    }

    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mixed(self.state)
    }
}

impl Strategy for Random {
    fn opened(&mut self, branch: OpenBranch) {
        self.open.push(branch.id);
    }

    fn next(&mut self) -> Option<BranchId> {
        if self.open.is_empty() {
            return None;
        }
        let chosen = self.draw() % self.open.len() as u64;
        Some(self.open.swap_remove(chosen as usize))
    }
}
