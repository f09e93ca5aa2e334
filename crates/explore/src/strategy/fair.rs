//! Every place in the code gets its share of attempts, places that nothing has reached a larger one.
//!
//! Loops open branches without end; whoever takes the newest or the oldest of all branches never leaves them.
//! Here branches wait in lanes, and what counts is how often a lane was served, not how many branches wait
//! in it. Within a lane the first and the last take turns: inputs stay short, and yet some grow.

use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

use super::{OpenBranch, Place, Strategy};
use crate::{ArmIndex, BranchId, Question};

/// Attempts at a place that no run has reached count so much less than others.
const ADVANTAGE: u64 = 4;
/// Arms beyond these share a lane where lanes are wide.
const ARMS: usize = 2;

/// What shares a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// An arm of a site.
    Site,
    /// An arm of a question that a site asks.
    Question,
}

pub(super) struct Fair {
    width: Width,
    lanes: Vec<Lane>,
    by_place: FxHashMap<Place, usize>,
    /// The lanes with branches, by how well they were served.
    served: BTreeSet<(u64, usize)>,
}

#[derive(Default)]
struct Lane {
    waiting: VecDeque<BranchId>,
    attempts: u64,
    reached: bool,
}

impl Fair {
    pub(super) fn new(width: Width) -> Self {
        Fair {
            width,
            lanes: Vec::new(),
            by_place: FxHashMap::default(),
            served: BTreeSet::new(),
        }
    }

    fn lane(&mut self, place: Place) -> usize {
        let place = match self.width {
            Width::Question => place,
            Width::Site => Place {
                question: Question::default(),
                arm: ArmIndex::new(place.arm.index().min(ARMS)),
                ..place
            },
        };
        let next = self.lanes.len();
        let lane = *self.by_place.entry(place).or_insert(next);
        if lane == next {
            self.lanes.push(Lane::default());
        }
        lane
    }

    fn rank(&self, index: usize) -> (u64, usize) {
        let lane = &self.lanes[index];
        let weight = if lane.reached {
            lane.attempts * ADVANTAGE + 1
        } else {
            lane.attempts
        };
        (weight, index)
    }
}

impl Strategy for Fair {
    fn opened(&mut self, branch: OpenBranch) {
        let lane = self.lane(branch.place);
        self.lanes[lane].waiting.push_back(branch.id);
        self.served.insert(self.rank(lane));
    }

    fn covered(&mut self, place: Place) {
        let lane = self.lane(place);
        if self.lanes[lane].reached {
            return;
        }
        let waiting = self.served.remove(&self.rank(lane));
        self.lanes[lane].reached = true;
        if waiting {
            self.served.insert(self.rank(lane));
        }
    }

    fn next(&mut self) -> Option<BranchId> {
        let (_, index) = self.served.pop_first()?;
        let lane = &mut self.lanes[index];
        let branch = if lane.attempts % 2 == 0 {
            lane.waiting.pop_front()
        } else {
            lane.waiting.pop_back()
        };
        lane.attempts += 1;
        if !lane.waiting.is_empty() {
            self.served.insert(self.rank(index));
        }
        branch
    }
}
