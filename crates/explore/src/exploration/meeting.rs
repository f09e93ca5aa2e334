//! A decision no run has met before: which of its arms are possible, and who tries them.

use pef_logic::{Answer, Model, Query, Term, TermId, UnknownReason};
use std::rc::Rc;

use super::Exploration;
use super::patience::Attempt;
use crate::{
    Arm, ArmIndex, ArmState, BranchId, Decision, DecisionKind, NodeId, OpenBranch, OpenReason,
    Question, SiteId, Stop,
};

impl Exploration {
    /// A decision no run has met before.
    pub(super) fn meet(&mut self, decision: &Decision) -> Result<(), Stop> {
        let Some(run) = self.run.as_mut() else {
            return Ok(());
        };
        run.fresh = true;
        let (position, depth, model) = (run.position, run.depth, Rc::clone(&run.model));
        let node = self.tree.grow(position, decision, &model);
        let question = Question::of(&self.pool, decision.arms[0].condition);
        self.tree.set_question(node, question);
        let taken = BranchId {
            node,
            arm: decision.taken,
        };
        self.tree.set_state(taken, ArmState::Taken(None));
        if self.options.eager {
            self.settle_others(node, decision.taken);
        }
        if self.tree.is_free(node) && self.too_deep(depth, decision.arms[decision.taken.index()]) {
            self.leave_open(node);
            self.open.note(OpenReason::DepthLimit);
            return self.stop(Stop::Depth);
        }
        let preferred = self.preferred_arm(node, decision);
        if preferred {
            self.tree.set_state(taken, ArmState::Ready(model));
        }
        self.open_arms(node, depth);
        if preferred {
            return self.stop(Stop::Preferred);
        }
        self.take_first(taken);
        Ok(())
    }

    pub(super) fn too_deep(&self, depth: u32, arm: Arm) -> bool {
        arm.cost > 0
            && self
                .options
                .budget
                .depth
                .is_some_and(|limit| depth + arm.cost > limit)
    }

    /// Whether an arm before the taken one is possible and the strategy wants it first.
    pub(super) fn preferred_arm(&self, node: NodeId, decision: &Decision) -> bool {
        self.options.eager
            && !decision.last_resort
            && self.strategy.prefers_first_arm()
            && (0..decision.taken.index()).any(|index| {
                let branch = BranchId {
                    node,
                    arm: ArmIndex::new(index),
                };
                matches!(self.tree.state(branch), ArmState::Ready(_))
            })
    }

    /// Hands every arm that can still be tried to the strategy, later arms first, so
    /// that a stack gives back the earlier ones first.
    pub(super) fn open_arms(&mut self, node: NodeId, depth: u32) {
        let site = self.tree.site(node);
        let last_resort = self.tree.last_resort(node);
        for index in (0..self.tree.arm_count(node)).rev() {
            let id = BranchId {
                node,
                arm: ArmIndex::new(index),
            };
            if !matches!(self.tree.state(id), ArmState::Ready(_) | ArmState::Open) {
                continue;
            }
            if self.too_deep(depth, self.tree.arm(id)) {
                self.tree.set_state(id, ArmState::LeftOpen);
                let reason = self.reason_for_leaving(site, OpenReason::DepthLimit);
                self.open.note(reason);
                continue;
            }
            self.strategy.opened(OpenBranch {
                id,
                place: self.place(id),
                level: self.tree.level(node),
                last_resort,
            });
        }
    }

    pub(super) fn leave_open(&mut self, node: NodeId) {
        for index in 0..self.tree.arm_count(node) {
            let branch = BranchId {
                node,
                arm: ArmIndex::new(index),
            };
            if !matches!(self.tree.state(branch), ArmState::Infeasible) {
                self.tree.set_state(branch, ArmState::LeftOpen);
            }
        }
    }

    /// A branch left open at a pin is open because of the pin.
    pub(super) fn reason_for_leaving(&self, site: SiteId, otherwise: OpenReason) -> OpenReason {
        match &self.sites.get(site).kind {
            DecisionKind::Pin(reason) => OpenReason::Pinned(Some(site), reason.clone()),
            _ => otherwise,
        }
    }

    pub(super) fn settle_others(&mut self, node: NodeId, taken: ArmIndex) {
        for index in 0..self.tree.arm_count(node) {
            if index == taken.index() {
                continue;
            }
            let branch = BranchId {
                node,
                arm: ArmIndex::new(index),
            };
            let Some(run) = self.run.as_mut() else { return };
            let path = std::mem::take(&mut run.conditions);
            let model = Rc::clone(&run.model);
            self.settle(branch, &path, &model, Attempt::default());
            if let Some(run) = self.run.as_mut() {
                run.conditions = path;
            }
        }
    }

    /// Finds out whether an open arm is possible. A lazy search may put the question off.
    pub(super) fn settle(
        &mut self,
        branch: BranchId,
        path: &[TermId],
        hint: &Rc<Model>,
        attempt: Attempt,
    ) {
        let goal = self.tree.arm(branch).condition;
        let state = match self.pool.get(goal) {
            Term::Bool(true) => ArmState::Ready(Rc::clone(hint)),
            Term::Bool(false) => ArmState::Infeasible,
            _ => {
                let postulated;
                let path = if self.axioms.is_empty() {
                    path
                } else {
                    postulated = [&self.axioms, path].concat();
                    &postulated
                };
                let query = Query { path, goal, hint };
                let (budget, again) = self.effort(attempt);
                match self.solver.solve(&mut self.pool, &query, &budget) {
                    Answer::Sat(model) => ArmState::Ready(Rc::new(model)),
                    Answer::Unsat => ArmState::Infeasible,
                    Answer::Unknown(reason) => self.undecided(branch, reason, again),
                }
            }
        };
        self.tree.set_state(branch, state);
    }

    fn undecided(
        &mut self,
        branch: BranchId,
        reason: UnknownReason,
        again: Option<Attempt>,
    ) -> ArmState {
        if let Some(again) = again {
            self.postponed.add(branch, again);
            return ArmState::Open;
        }
        let site = self.tree.site(branch.node);
        let unknown = OpenReason::Unknown(Some(site), reason);
        let reason_open = self.reason_for_leaving(site, unknown);
        self.open.note(reason_open);
        ArmState::Unknown(reason)
    }

    /// What a try may use, and which one comes after it.
    fn effort(&self, attempt: Attempt) -> (pef_logic::Budget, Option<Attempt>) {
        let whole = self.options.budget.query;
        if self.options.eager {
            return (whole, None);
        }
        (attempt.budget(&whole, self.patience_left()), attempt.next())
    }
}
