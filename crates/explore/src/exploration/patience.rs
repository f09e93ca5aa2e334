//! How hard the solver tries on one branch.
//!
//! An eager search wants one good answer per branch. A lazy one has thousands of branches and little
//! time: every branch gets a glance first, and the hard ones wait for their next, longer try while others
//! have their turn. Only what survives the longest try stays open.

use std::collections::VecDeque;
use std::time::Duration;

use pef_logic::Budget;

use crate::BranchId;

/// How often a branch has been tried in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Attempt(usize);

/// The share of the query budget that each attempt may use, as a fraction; the first is a glance.
const SHARES: [(u32, u32); 5] = [(0, 1), (1, 100), (1, 20), (1, 2), (5, 1)];
/// Branches the strategy proposes between two that are tried again.
const TURNS: [u32; SHARES.len() - 1] = [4, 16, 64, 256];

impl Attempt {
    /// The one after this, if there is one.
    pub(super) fn next(self) -> Option<Attempt> {
        (self.0 + 1 < SHARES.len()).then_some(Attempt(self.0 + 1))
    }

    /// What this attempt may use.
    pub(super) fn budget(self, whole: &Budget, left: Option<Duration>) -> Budget {
        let (numerator, denominator) = SHARES[self.0];
        if numerator == 0 {
            return Budget::GLANCE;
        }
        let wall = whole.wall * numerator / denominator;
        Budget {
            rlimit: (whole.rlimit / denominator).saturating_mul(numerator),
            wall: left.map_or(wall, |left| wall.min(left)),
        }
    }
}

/// When the search looks up although nothing has come of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pause {
    /// Wall time since the search began.
    pub(super) at: Option<Duration>,
    /// Whether it has come to that.
    pub(super) is_made: bool,
}

/// Branches that wait for a longer try.
#[derive(Debug, Default)]
pub(super) struct Postponed {
    waiting: [VecDeque<BranchId>; TURNS.len()],
    turn: u32,
}

impl Postponed {
    /// Lets the branch wait for this attempt, which is not its first.
    pub(super) fn add(&mut self, branch: BranchId, attempt: Attempt) {
        self.waiting[attempt.0 - 1].push_back(branch);
    }

    /// Keeps a branch whose try the end of the search has prevented.
    pub(super) fn put_back(&mut self, branch: BranchId, attempt: Attempt) {
        self.waiting[attempt.0.saturating_sub(1)].push_front(branch);
    }

    /// A branch whose turn has come, although the strategy has others to propose.
    pub(super) fn due(&mut self) -> Option<(BranchId, Attempt)> {
        self.turn = self.turn.wrapping_add(1);
        let due = (0..TURNS.len()).rev().find(|&level| {
            self.turn.is_multiple_of(TURNS[level]) && !self.waiting[level].is_empty()
        });
        due.and_then(|level| self.take(level))
    }

    /// Any branch that waits, the shortest try first.
    pub(super) fn any(&mut self) -> Option<(BranchId, Attempt)> {
        (0..TURNS.len()).find_map(|level| self.take(level))
    }

    fn take(&mut self, level: usize) -> Option<(BranchId, Attempt)> {
        let branch = self.waiting[level].pop_front()?;
        Some((branch, Attempt(level + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArmIndex, Decision, DecisionKind, PathTree, Site, SiteTable};
    use pef_logic::{Model, TermPool};
    use std::rc::Rc;

    fn branch() -> BranchId {
        let (mut sites, mut pool) = (SiteTable::default(), TermPool::new());
        let site = sites.intern(Site {
            file: "t.py".into(),
            line: 1,
            column: 1,
            kind: DecisionKind::If,
            instruction: 0,
        });
        let truth = pool.bool(true);
        let decision = Decision::binary(site, truth, truth, true);
        let node = PathTree::default().grow(None, &decision, &Rc::new(Model::default()));
        BranchId {
            node,
            arm: ArmIndex::FIRST,
        }
    }

    #[test]
    fn attempts_grow_and_end() {
        let whole = Budget::default();
        let mut attempt = Attempt::default();
        let mut walls = vec![attempt.budget(&whole, None).wall];
        while let Some(next) = attempt.next() {
            attempt = next;
            walls.push(attempt.budget(&whole, None).wall);
        }
        assert_eq!(walls.len(), SHARES.len());
        assert!(walls.is_sorted());
    }

    #[test]
    fn no_attempt_outlives_the_search() {
        let left = Duration::from_millis(1);
        let second = Attempt::default().next().unwrap_or_default();
        let budget = second.budget(&Budget::default(), Some(left));
        assert_eq!(budget.wall, left);
    }

    #[test]
    fn a_waiting_branch_has_its_turn_among_others() {
        let mut postponed = Postponed::default();
        let second = Attempt::default().next().unwrap_or_default();
        postponed.add(branch(), second);
        let due = (0..TURNS[0]).filter_map(|_| postponed.due()).count();
        assert_eq!(due, 1);
        assert_eq!(postponed.any(), None);
    }
}
