//! Which open branch to try next.
//!
//! A strategy sees branches, sites and depths: never the solver, never Python. It
//! may hand out a branch that was closed meanwhile; the exploration skips those.

mod breadth_first;
mod depth_first;
mod fair;
mod interleaved;
mod last_resort;
mod random;
mod uncovered;

use crate::{ArmIndex, BranchId, Question, SiteId};

/// An arm of a question that some site asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Where it is asked.
    pub site: SiteId,
    /// What is asked.
    pub question: Question,
    /// The answer.
    pub arm: ArmIndex,
}

/// A branch that can be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenBranch {
    /// Its place in the tree.
    pub id: BranchId,
    /// Where it is in the code.
    pub place: Place,
    /// Decisions above it.
    pub level: u32,
    /// Tried only when nothing else is open.
    pub last_resort: bool,
}

/// Chooses which open branch to try next.
pub trait Strategy {
    /// A branch became available.
    fn opened(&mut self, branch: OpenBranch);

    /// A run came through here: for the first time by way of this branch, unless every run counts.
    fn covered(&mut self, place: Place) {
        let _ = place;
    }

    /// Whether it is to hear of every run that comes through a place.
    fn counts_runs(&self) -> bool {
        false
    }

    /// The branch to try now; it is forgotten by the strategy.
    fn next(&mut self) -> Option<BranchId>;

    /// Whether an earlier arm of a new decision is to be run before the one the
    /// current input happens to take.
    fn prefers_first_arm(&self) -> bool {
        false
    }
}

/// The strategies a user can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum StrategyKind {
    /// Deepest branch first, true before false.
    #[default]
    DepthFirst,
    /// Oldest branch first.
    BreadthFirst,
    /// Arms of sites no run has taken yet come first.
    Uncovered,
    /// Any open branch, seeded.
    Random,
    /// Fair shares for every site, fair shares for every question and random picks take turns.
    Interleaved,
}

impl StrategyKind {
    /// All kinds, in the order of the documentation.
    pub const ALL: [StrategyKind; 5] = [
        StrategyKind::DepthFirst,
        StrategyKind::BreadthFirst,
        StrategyKind::Uncovered,
        StrategyKind::Random,
        StrategyKind::Interleaved,
    ];

    /// The name users type.
    pub fn name(self) -> &'static str {
        match self {
            StrategyKind::DepthFirst => "depth-first",
            StrategyKind::BreadthFirst => "breadth-first",
            StrategyKind::Uncovered => "uncovered",
            StrategyKind::Random => "random",
            StrategyKind::Interleaved => "interleaved",
        }
    }

    /// The kind a user typed.
    pub fn parse(name: &str) -> Option<StrategyKind> {
        StrategyKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    /// A new strategy of this kind.
    pub fn build(self, seed: u64) -> Box<dyn Strategy> {
        Box::new(last_resort::LastResort::new(self.build_plain(seed)))
    }

    fn build_plain(self, seed: u64) -> Box<dyn Strategy> {
        match self {
            StrategyKind::DepthFirst => Box::new(depth_first::DepthFirst::default()),
            StrategyKind::BreadthFirst => Box::new(breadth_first::BreadthFirst::default()),
            StrategyKind::Uncovered => Box::new(uncovered::Uncovered::default()),
            StrategyKind::Random => Box::new(random::Random::new(seed)),
            StrategyKind::Interleaved => Box::new(interleaved::Interleaved::new(vec![
                Box::new(fair::Fair::new(fair::Width::Site)),
                Box::new(fair::Fair::new(fair::Width::Question)),
                StrategyKind::Random.build_plain(seed),
            ])),
        }
    }
}

#[cfg(test)]
mod tests;
