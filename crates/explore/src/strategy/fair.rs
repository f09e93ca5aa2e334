//! Every site in the code gets its share of attempts, and at a site every question it asks.
//!
//! Loops open branches without end; whoever takes the newest or the oldest of all branches never leaves them.
//! Here branches wait in lanes, and what counts is how often a lane was served, not how many branches wait
//! in it. Arms that no run has taken get a larger share. Among the branches that ask the same shallow ones come
//! first, but for a deep one now and then: inputs stay short, and yet some grow.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

use super::{OpenBranch, Place, Strategy};
use crate::{ArmIndex, BranchId, Question, SiteId};

/// Attempts at a place that no run has reached count so much less than others.
const ADVANTAGE: u64 = 4;
/// One attempt in so many goes to the deepest branch that waits.
const DEEP: u64 = 4;
/// Arms beyond these share a lane of a site.
const ARMS: usize = 2;

/// A site that asks ever new questions pays an attempt for each so many, or it would always come first.
const CROWD: u64 = 8;

/// What shares a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// An arm of a site.
    Site,
    /// An arm of a question, wherever it is asked.
    Question,
}

impl Width {
    fn of(self, place: Place) -> Place {
        match self {
            Width::Question => place,
            Width::Site => Place {
                question: Question::default(),
                arm: ArmIndex::new(place.arm.index().min(ARMS)),
                ..place
            },
        }
    }
}

/// Lanes, of which the one that was served least comes first.
struct Lanes<L> {
    all: Vec<(Service, L)>,
    by_place: FxHashMap<Place, usize>,
    /// How many lanes an arm of a site has.
    beside: FxHashMap<(SiteId, ArmIndex), u64>,
    /// Those with branches, by how well they were served.
    order: BTreeSet<(u64, usize)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Service {
    attempts: u64,
    reached: bool,
}

impl Service {
    fn weight(self) -> u64 {
        if self.reached {
            self.attempts * ADVANTAGE + 1
        } else {
            self.attempts
        }
    }
}

impl<L: Default> Lanes<L> {
    fn new() -> Self {
        Lanes {
            all: Vec::new(),
            by_place: FxHashMap::default(),
            beside: FxHashMap::default(),
            order: BTreeSet::new(),
        }
    }

    fn index(&mut self, place: Place) -> usize {
        let next = self.all.len();
        let index = *self.by_place.entry(place).or_insert(next);
        if index == next {
            let beside = self.beside.entry((place.site, place.arm)).or_default();
            let service = Service {
                attempts: *beside / CROWD,
                reached: false,
            };
            *beside += 1;
            self.all.push((service, L::default()));
        }
        index
    }

    /// The lane of a place, which is about to get a branch.
    fn filled(&mut self, place: Place) -> &mut L {
        let index = self.index(place);
        let (service, lane) = &mut self.all[index];
        self.order.insert((service.weight(), index));
        lane
    }

    fn reached(&mut self, place: Place) {
        let index = self.index(place);
        let service = &mut self.all[index].0;
        let waiting = !service.reached && self.order.remove(&(service.weight(), index));
        service.reached = true;
        if waiting {
            self.order.insert((service.weight(), index));
        }
    }

    /// Serves the lane whose turn it is; `take` says what it gives and whether more is there.
    fn serve<T>(&mut self, take: impl FnOnce(&mut L, u64) -> (T, bool)) -> Option<T> {
        let (_, index) = self.order.pop_first()?;
        let (service, lane) = &mut self.all[index];
        let (taken, more) = take(lane, service.attempts);
        service.attempts += 1;
        if more {
            self.order.insert((service.weight(), index));
        }
        Some(taken)
    }
}

/// Branches that ask the same, shallow ones first.
type Questions = Lanes<BTreeSet<(u32, BranchId)>>;

impl Default for Questions {
    fn default() -> Self {
        Lanes::new()
    }
}

pub(super) struct Fair {
    width: Width,
    sites: Lanes<Questions>,
}

impl Fair {
    pub(super) fn new(width: Width) -> Self {
        Fair {
            width,
            sites: Lanes::new(),
        }
    }
}

impl Strategy for Fair {
    fn opened(&mut self, branch: OpenBranch) {
        let questions = self.sites.filled(self.width.of(branch.place));
        let waiting = questions.filled(branch.place);
        waiting.insert((branch.level, branch.id));
    }

    fn covered(&mut self, place: Place) {
        let wide = self.width.of(place);
        self.sites.reached(wide);
        let index = self.sites.index(wide);
        self.sites.all[index].1.reached(place);
    }

    fn next(&mut self) -> Option<BranchId> {
        self.sites.serve(|questions, _| {
            let branch = questions.serve(|waiting, attempts| {
                let branch = if attempts % DEEP == DEEP - 1 {
                    waiting.pop_last()
                } else {
                    waiting.pop_first()
                };
                (branch.map(|(_, branch)| branch), !waiting.is_empty())
            });
            (branch.flatten(), !questions.order.is_empty())
        })?
    }
}
