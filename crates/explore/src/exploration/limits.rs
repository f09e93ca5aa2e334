//! What to try next, and when to stop trying.

use pef_logic::Model;
use std::rc::Rc;
use std::time::Duration;

use super::Exploration;
use super::patience::Attempt;
use crate::{ArmState, BranchId, OpenReason};

impl Exploration {
    /// The next branch that is possible, with an input that takes it.
    pub(super) fn next_branch(&mut self) -> Option<(BranchId, Rc<Model>)> {
        while let Some((branch, attempt)) = self.proposed() {
            if matches!(self.tree.state(branch), ArmState::Open) {
                if !self.options.eager && (self.out_of_time() || self.pauses()) {
                    self.postponed.put_back(branch, attempt);
                    return None;
                }
                let path = self.tree.conditions_above(branch.node);
                let hint = Rc::clone(self.tree.witness(branch.node));
                self.settle(branch, &path, &hint, attempt);
            }
            let ArmState::Ready(model) = self.tree.state(branch) else {
                continue;
            };
            let model = Rc::clone(model);
            if self.sampling_is_over(branch) {
                continue;
            }
            return Some((branch, model));
        }
        None
    }

    /// A branch to try, and how hard.
    pub(super) fn proposed(&mut self) -> Option<(BranchId, Attempt)> {
        if let Some(due) = self.postponed.due() {
            return Some(due);
        }
        match self.strategy.next() {
            Some(branch) => Some((branch, Attempt::default())),
            None => self.postponed.any(),
        }
    }

    /// Whether some branch is still to be tried. A lazy search does not ask the solver any more.
    fn something_is_left(&mut self) -> bool {
        if self.options.eager {
            return self.next_branch().is_some();
        }
        while let Some((branch, _)) = self.proposed() {
            if matches!(self.tree.state(branch), ArmState::Open | ArmState::Ready(_)) {
                return true;
            }
        }
        false
    }

    /// Bounds how many further values a pinned place is given.
    pub(super) fn sampling_is_over(&mut self, branch: BranchId) -> bool {
        if !self.tree.last_resort(branch.node) {
            return false;
        }
        let site = self.tree.site(branch.node);
        let used = self.pin_samples.entry(site).or_default();
        if *used < self.options.budget.pin_samples {
            *used += 1;
            return false;
        }
        self.tree.set_state(branch, ArmState::LeftOpen);
        let reason = self.reason_for_leaving(site, OpenReason::DepthLimit);
        self.open.note(reason);
        true
    }

    pub(super) fn exhausted_budget(&self) -> Option<OpenReason> {
        let at_path_limit = self
            .options
            .budget
            .paths
            .is_some_and(|limit| self.totals.paths >= limit);
        if at_path_limit {
            Some(OpenReason::PathLimit)
        } else if self.out_of_time() {
            Some(OpenReason::TimeLimit)
        } else {
            None
        }
    }

    pub(super) fn out_of_time(&self) -> bool {
        let past = |limit: Option<Duration>, now: Duration, start: Duration| {
            limit.is_some_and(|limit| now.saturating_sub(start) >= limit)
        };
        let budget = &self.options.budget;
        (budget.wall.is_some() && past(budget.wall, self.clock.wall(), self.started.0))
            || (budget.cpu.is_some() && past(budget.cpu, self.clock.cpu(), self.started.1))
    }

    /// Whether it is time for a pause.
    fn pauses(&mut self) -> bool {
        self.pause.is_made = self.pause.at.is_some_and(|at| self.elapsed() >= at);
        self.pause.is_made
    }

    /// Wall time left before the limit or the next pause.
    pub(super) fn patience_left(&self) -> Option<Duration> {
        let pause = self.pause.at;
        let pause = pause.map(|at| at.saturating_sub(self.elapsed()));
        [self.time_left(), pause].into_iter().flatten().min()
    }

    /// Ends the search. A limit that is reached when nothing is left to try is no limit.
    pub(super) fn finish(&mut self, reason: Option<OpenReason>) {
        self.finished = true;
        if let Some(reason) = reason {
            let untouched = self.totals.runs == 0;
            let running = self.run.is_some();
            if untouched || running || self.something_is_left() {
                self.open.note(reason);
            }
        }
    }
}
