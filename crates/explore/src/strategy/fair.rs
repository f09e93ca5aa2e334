//! Every place in the code gets its share of attempts, places that nothing has reached a larger one.
//!
//! Loops open branches without end; whoever takes the newest or the oldest of all branches never leaves them.
//! Here branches wait in lanes, one per arm of a site and the decision before it, and what counts is how
//! often a lane was served, not how many branches wait in it. Within a lane the first and the last take turns:
//! inputs stay short, and yet some grow.

use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

use super::{OpenBranch, Strategy};
use crate::{ArmIndex, BranchId, SiteId};

/// An arm of a site.
type Place = (SiteId, ArmIndex);

/// Attempts at a place that no run has reached count so much less than others.
const ADVANTAGE: u64 = 4;

#[derive(Default)]
pub(super) struct Fair {
    lanes: Vec<Lane>,
    by_key: FxHashMap<(Place, Option<Place>), usize>,
    at_place: FxHashMap<Place, Reached>,
    /// The lanes with branches, by how well they were served.
    served: BTreeSet<(u64, usize)>,
}

struct Lane {
    place: Place,
    waiting: VecDeque<BranchId>,
    attempts: u64,
}

/// Whether a run has reached a place, and the lanes that lead there.
#[derive(Default)]
struct Reached {
    yes: bool,
    lanes: Vec<usize>,
}

impl Fair {
    fn lane(&mut self, branch: OpenBranch) -> usize {
        let place = (branch.site, branch.id.arm);
        let next = self.lanes.len();
        let lane = *self.by_key.entry((place, branch.before)).or_insert(next);
        if lane == next {
            self.lanes.push(Lane {
                place,
                waiting: VecDeque::new(),
                attempts: 0,
            });
            self.at_place.entry(place).or_default().lanes.push(lane);
        }
        lane
    }

    fn rank(&self, lane: usize) -> (u64, usize) {
        let Lane {
            place, attempts, ..
        } = &self.lanes[lane];
        let reached = self.at_place.get(place).is_some_and(|place| place.yes);
        let weight = if reached {
            attempts * ADVANTAGE + 1
        } else {
            *attempts
        };
        (weight, lane)
    }
}

impl Strategy for Fair {
    fn opened(&mut self, branch: OpenBranch) {
        let lane = self.lane(branch);
        self.lanes[lane].waiting.push_back(branch.id);
        self.served.insert(self.rank(lane));
    }

    fn covered(&mut self, site: SiteId, arm: ArmIndex) {
        let reached = self.at_place.entry((site, arm)).or_default();
        if reached.yes {
            return;
        }
        let lanes = reached.lanes.clone();
        let before: Vec<_> = lanes.iter().map(|&lane| self.rank(lane)).collect();
        self.at_place.entry((site, arm)).or_default().yes = true;
        for (lane, rank) in lanes.into_iter().zip(before) {
            if self.served.remove(&rank) {
                self.served.insert(self.rank(lane));
            }
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
