//! Any open branch, each with the same chance; the seed makes runs repeatable.

use super::{OpenBranch, Strategy};
use crate::BranchId;

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

    /// `SplitMix64`: tiny, seedable with any value, good enough to pick a branch.
    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
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
