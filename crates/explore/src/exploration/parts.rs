//! Dividing what is left among copies of one exploration.
//!
//! A copy is a fork of the whole process. All of them divide in the same way and each keeps another
//! part, so nothing passes between them, and every branch has exactly one owner.

use super::Exploration;
use crate::ArmState;
use crate::chance::mixed;

impl Exploration {
    /// Keeps one part of what is left to try and leaves the others to copies of this exploration
    /// that keep those. How many branches are left here.
    pub fn keep_part(&mut self, part: usize, parts: usize) -> usize {
        let mut untried = self.tree.untried();
        let all = untried.len();
        // What lies behind branches of one level is of similar size, if anything is.
        untried.sort_by_key(|branch| self.tree.level(branch.node));
        let mut kept = 0;
        for (number, branch) in untried.into_iter().enumerate() {
            if owner(number, all, parts) == part {
                kept += 1;
            } else {
                self.tree.set_state(branch, ArmState::Elsewhere);
            }
        }
        if part != 0 {
            self.seeds.clear();
        }
        kept
    }

    /// How many branches are left to try, possible or not.
    pub fn untried(&self) -> usize {
        self.tree.untried().len()
    }
}

/// Of as many neighbours as there are parts each part gets one, but not always the same: branches
/// that are possible and such that are not often take turns.
fn owner(number: usize, all: usize, parts: usize) -> usize {
    let group = (number / parts) as u64;
    let turn = mixed(group ^ mixed(all as u64)) % parts as u64;
    (number + turn as usize) % parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_have_different_owners() {
        for pair in 0..1000 {
            assert_ne!(owner(2 * pair, 2000, 2), owner(2 * pair + 1, 2000, 2));
        }
    }

    #[test]
    fn every_second_branch_is_not_always_the_same_owners() {
        let first = (0..1000).filter(|pair| owner(2 * pair, 2000, 2) == 0);
        assert!((400..600).contains(&first.count()));
    }
}
