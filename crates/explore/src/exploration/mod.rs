//! The loop that ties tree, strategy, solver and budgets together.
//!
//! The executor asks for inputs ([`Exploration::next_run`]), runs the target on them,
//! reports every decision while it runs and the ending when it stops. With
//! [`Options::eager`], each new decision is settled at once: which of its other arms
//! are possible. That is what lets forced decisions cost no depth, and lets the
//! depth-first order put the true branch first whatever input happens to run. Without it an
//! arm is put to the solver when the strategy picks it, with little effort first: many runs
//! soon instead of exact counts.

mod limits;
mod meeting;
mod parts;
mod patience;

use pef_logic::{Evaluator, Model, Solver, TermId, TermPool, UnknownReason};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use crate::{
    Arm, ArmIndex, ArmState, BranchId, Budget, Clock, Coverage, Decision, Ending, NodeId,
    OpenBranches, OpenReason, PathRecord, PathTree, PinReason, Place, SiteId, SiteTable, Stop,
    Strategy, StrategyKind, TakenDecision,
};

/// How to explore.
#[derive(Clone, Debug)]
pub struct Options {
    /// Limits.
    pub budget: Budget,
    /// Search order (default depth first).
    pub strategy: StrategyKind,
    /// Seed of everything random (default 0).
    pub seed: u64,
    /// Settle every arm of a decision when it is first met (default true).
    pub eager: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            budget: Budget::default(),
            strategy: StrategyKind::default(),
            seed: 0,
            eager: true,
        }
    }
}

/// Counts over all finished paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Finished paths, pruned ones included.
    pub paths: u64,
    /// Paths that returned.
    pub returned: u64,
    /// Paths that raised.
    pub raised: u64,
    /// Paths cut at the depth limit.
    pub pruned: u64,
    /// Paths cut off by time.
    pub timeouts: u64,
    /// Most free decisions on one path.
    pub depth: u32,
    /// Runs, including those that gave no path.
    pub runs: u64,
    /// Runs that left their predicted path.
    pub diverged: u64,
}

/// The run in progress.
struct Run {
    model: Rc<Model>,
    /// The branches its input was solved to take.
    plan: Vec<BranchId>,
    /// Decisions made so far.
    made: usize,
    /// The branch taken last.
    position: Option<BranchId>,
    conditions: Vec<TermId>,
    depth: u32,
    stop: Option<Stop>,
    /// Whether it does something no run has done before.
    fresh: bool,
}

/// One function's exploration: state of the search between and during runs.
pub struct Exploration {
    /// Where the executor builds its terms.
    pub pool: TermPool,
    /// Where the executor names its sites.
    pub sites: SiteTable,
    tree: PathTree,
    strategy: Box<dyn Strategy>,
    solver: Box<dyn Solver>,
    clock: Box<dyn Clock>,
    options: Options,
    started: (Duration, Duration),
    coverage: Coverage,
    open: OpenBranches,
    totals: Totals,
    pin_samples: FxHashMap<SiteId, u32>,
    postponed: patience::Postponed,
    pause: patience::Pause,
    seeds: VecDeque<Rc<Model>>,
    /// What holds of the variables of every run.
    axioms: Vec<TermId>,
    evaluator: Evaluator,
    run: Option<Run>,
    finished: bool,
}

/// Decisions between two looks at the clock.
const CLOCK_INTERVAL: usize = 256;

impl Exploration {
    /// A new exploration; nothing has run yet.
    pub fn new(options: Options, solver: Box<dyn Solver>, clock: Box<dyn Clock>) -> Self {
        let started = (clock.wall(), clock.cpu());
        Exploration {
            pool: TermPool::new(),
            sites: SiteTable::default(),
            tree: PathTree::default(),
            strategy: options.strategy.build(options.seed),
            solver,
            clock,
            options,
            started,
            coverage: Coverage::default(),
            open: OpenBranches::default(),
            totals: Totals::default(),
            pin_samples: FxHashMap::default(),
            postponed: patience::Postponed::default(),
            pause: patience::Pause::default(),
            seeds: VecDeque::new(),
            axioms: Vec::new(),
            evaluator: Evaluator::new(),
            run: None,
            finished: false,
        }
    }

    /// The inputs of the next run, or `None` when nothing is left to try.
    pub fn next_run(&mut self) -> Option<Rc<Model>> {
        if self.finished {
            return None;
        }
        if let Some(reason) = self.exhausted_budget() {
            self.finish(Some(reason));
            return None;
        }
        let mut seeded = false;
        let (model, plan) = if self.totals.runs == 0 {
            (Rc::new(Model::default()), Vec::new())
        } else if let Some(seed) = self.next_seed() {
            seeded = true;
            (seed, Vec::new())
        } else if let Some((branch, model)) = self.next_branch() {
            (model, self.tree.branches_to(Some(branch)))
        } else if self.pause.is_made {
            return None;
        } else {
            let reason = self.exhausted_budget();
            self.finish(reason);
            return None;
        };
        self.totals.runs += 1;
        self.run = Some(Run {
            model: Rc::clone(&model),
            plan,
            made: 0,
            position: None,
            conditions: Vec::new(),
            depth: 0,
            stop: None,
            fresh: !seeded,
        });
        Some(model)
    }

    /// Reports that symbolic values may have been replaced by concrete ones out of sight.
    pub fn lose_sight(&mut self, site: SiteId, reason: PinReason) {
        self.open.note(OpenReason::Pinned(Some(site), reason));
    }

    /// Offers an input from elsewhere; a run on it follows the tree as far as it is known and grows it from there.
    /// What comes out of the solver waits meanwhile.
    pub fn seed(&mut self, model: Model) {
        self.seeds.push_back(Rc::new(model));
    }

    /// A seed that is an input of the function.
    fn next_seed(&mut self) -> Option<Rc<Model>> {
        while let Some(seed) = self.seeds.pop_front() {
            if self.evaluator.all_hold(&self.pool, &seed, &self.axioms) {
                return Some(seed);
            }
        }
        None
    }

    /// Reports a decision of the running path. After `Err`, the executor abandons the
    /// run; should the target swallow that, every further decision says `Err` again.
    pub fn decide(&mut self, decision: &Decision) -> Result<(), Stop> {
        let Some(run) = self.run.as_mut() else {
            return Ok(());
        };
        if let Some(stop) = run.stop {
            return Err(stop);
        }
        if run.made % CLOCK_INTERVAL == CLOCK_INTERVAL - 1 && self.out_of_time() {
            return self.stop(Stop::Budget);
        }
        let Some(run) = self.run.as_mut() else {
            return Ok(());
        };
        if let Some(&expected) = run.plan.get(run.made) {
            if expected.arm != decision.taken || !self.tree.same_question(expected.node, decision) {
                return self.diverge(decision.site);
            }
            return self.advance(expected);
        }
        match self.tree.below(run.position) {
            Some(node) if self.tree.same_question(node, decision) => self.advance(BranchId {
                node,
                arm: decision.taken,
            }),
            Some(_) => self.diverge(decision.site),
            None => self.meet(decision),
        }
    }

    /// Reports that a value was replaced by its concrete one: `same` says that it has that
    /// value. Where earlier runs pinned other values at this point, this run first says
    /// that it has none of those.
    pub fn pin(&mut self, site: SiteId, same: TermId, other: TermId) -> Result<(), Stop> {
        let pin = Decision::pin(site, same, other);
        while let Some(node) = self.upcoming() {
            let earlier = self.tree.last_resort(node)
                && self.tree.site(node) == site
                && !self.tree.same_question(node, &pin)
                && {
                    let first = self.tree.arm(BranchId {
                        node,
                        arm: ArmIndex::FIRST,
                    });
                    !self.holds(first.condition)
                };
            if !earlier {
                break;
            }
            let different = self.tree.question(node, ArmIndex::of_bool(false));
            self.decide(&different)?;
        }
        self.decide(&pin)
    }

    /// The decision the running path is about to meet, if it is known.
    fn upcoming(&self) -> Option<NodeId> {
        let run = self.run.as_ref().filter(|run| run.stop.is_none())?;
        match run.plan.get(run.made) {
            Some(branch) => Some(branch.node),
            None => self.tree.below(run.position),
        }
    }

    /// Whether a condition holds on the running input.
    fn holds(&mut self, condition: TermId) -> bool {
        let Some(run) = self.run.as_ref() else {
            return false;
        };
        self.evaluator.holds(&self.pool, &run.model, condition)
    }

    /// Says what holds of an input in every run, whatever the search does. The smallest input satisfies it.
    pub fn postulate(&mut self, axiom: TermId) {
        if !self.axioms.contains(&axiom) {
            self.axioms.push(axiom);
        }
    }

    /// Ends the run: its input is none that the function is called with.
    pub fn exclude(&mut self) -> Stop {
        if let Some(run) = self.run.as_mut() {
            run.stop.get_or_insert(Stop::Excluded);
        }
        Stop::Excluded
    }

    /// Stops the run: what it would do next ended the process when it was tried.
    pub fn halt(&mut self) {
        if let Some(run) = self.run.as_mut() {
            run.stop.get_or_insert(Stop::Deadly);
        }
    }

    /// Passes over the next run: it cannot even be begun without ending the process.
    pub fn skip_run(&mut self) {
        if self.next_run().is_some() {
            self.halt();
            self.end_run(Ending::Excluded);
        }
    }

    /// Passes over the branch that is tried next: to ask the solver about it ends the process.
    pub fn skip_branch(&mut self) {
        if let Some((branch, _)) = self.proposed() {
            self.tree.set_state(branch, ArmState::LeftOpen);
            let site = self.tree.site(branch.node);
            self.open
                .note(OpenReason::Unknown(Some(site), UnknownReason::SolverFault));
        }
    }

    /// Lets the search choose among `arms` equally possible shapes of an input.
    pub fn choose(&mut self, site: SiteId, arms: usize, cost: u32) -> Result<ArmIndex, Stop> {
        let taken = self.chosen_arm();
        let condition = self.pool.bool(true);
        let decision = Decision {
            site,
            arms: SmallVec::from_elem(Arm { condition, cost }, arms),
            taken,
            last_resort: false,
        };
        self.decide(&decision)?;
        Ok(taken)
    }

    /// Ends the run. Returns the finished path, unless the run was none (stopped for
    /// another branch, excluded by a precondition, diverged).
    pub fn end_run(&mut self, ending: Ending) -> Option<PathRecord> {
        let run = self.run.take().filter(|run| run.fresh)?;
        if run.stop.is_none() && run.made < run.plan.len() {
            let site = run
                .plan
                .get(run.made)
                .map(|branch| self.tree.site(branch.node));
            self.note_divergence(run.plan.last().copied(), site);
            return None;
        }
        let pruned = match run.stop {
            None => false,
            Some(Stop::Depth) if ending == Ending::Excluded => return None,
            Some(Stop::Depth) => true,
            Some(Stop::Deadly) => return self.end_deadly(run, ending),
            Some(Stop::Preferred | Stop::Diverged | Stop::Budget | Stop::Excluded) => return None,
        };
        match ending {
            Ending::Excluded => return None,
            Ending::Returned if !pruned => self.totals.returned += 1,
            Ending::Raised if !pruned => self.totals.raised += 1,
            Ending::Timeout => {
                self.totals.timeouts += 1;
                let site = run.position.map(|branch| self.tree.site(branch.node));
                self.open.note(OpenReason::RunTimeout(site));
            }
            Ending::Returned | Ending::Raised | Ending::Stopped => {}
        }
        self.totals.paths += 1;
        self.totals.pruned += u64::from(pruned);
        self.totals.depth = self.totals.depth.max(run.depth);
        Some(PathRecord {
            decisions: self.decisions_of(&run),
            model: run.model,
            ending,
            pruned,
            depth: run.depth,
        })
    }

    /// The path up to where it became deadly; none if there is no call yet.
    fn end_deadly(&mut self, run: Run, ending: Ending) -> Option<PathRecord> {
        let last = run.position.or(run.plan.last().copied());
        let site = last.map(|branch| self.tree.site(branch.node));
        self.open.note(OpenReason::Deadly(site));
        if ending == Ending::Excluded {
            return None;
        }
        self.totals.paths += 1;
        Some(PathRecord {
            decisions: self.decisions_of(&run),
            model: run.model,
            ending: Ending::Stopped,
            pruned: true,
            depth: run.depth,
        })
    }

    /// Declares the exploration over, for a reason of the caller's.
    pub fn abandon(&mut self) {
        if !self.finished {
            self.finish(Some(OpenReason::Abandoned));
        }
    }

    /// True while a run is in progress and has not been stopped.
    pub fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.stop.is_none())
    }

    /// Why the current run was stopped, if it was.
    pub fn stopped(&self) -> Option<Stop> {
        self.run.as_ref().and_then(|run| run.stop)
    }

    /// The input of the current run.
    pub fn current_model(&self) -> Option<&Rc<Model>> {
        self.run.as_ref().map(|run| &run.model)
    }

    /// True once every path was explored and nothing was left open.
    pub fn is_exhaustive(&self) -> bool {
        self.finished && self.open.is_empty()
    }

    /// What was left open.
    pub fn open(&self) -> &OpenBranches {
        &self.open
    }

    /// Counts so far.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Arms taken so far.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// The solver, for its statistics.
    pub fn solver(&self) -> &dyn Solver {
        self.solver.as_ref()
    }

    /// Wall time since the exploration began.
    pub fn elapsed(&self) -> Duration {
        self.clock.wall().saturating_sub(self.started.0)
    }

    /// Wall time left before the limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.options
            .budget
            .wall
            .map(|limit| limit.saturating_sub(self.elapsed()))
    }

    /// Lets [`Exploration::next_run`] give none, although something is left, if nothing has come up after so long.
    pub fn pause_after(&mut self, patience: Option<Duration>) {
        self.pause = patience::Pause {
            at: patience.map(|patience| self.elapsed() + patience),
            is_made: false,
        };
    }

    /// Whether the search has paused: there is more to try.
    pub fn is_paused(&self) -> bool {
        self.pause.is_made
    }

    fn chosen_arm(&self) -> ArmIndex {
        let Some(run) = self.run.as_ref() else {
            return ArmIndex::FIRST;
        };
        run.plan
            .get(run.made)
            .map_or(ArmIndex::FIRST, |branch| branch.arm)
    }

    /// Follows a decision the tree already knows.
    fn advance(&mut self, branch: BranchId) -> Result<(), Stop> {
        match self.tree.state(branch) {
            ArmState::Taken(_) => {
                self.follow(branch);
                if self.strategy.counts_runs() {
                    self.strategy.covered(self.place(branch));
                }
            }
            // No input takes this arm, and here is one: something outside our sight decides.
            ArmState::Infeasible => return self.diverge(self.tree.site(branch.node)),
            // Somebody else sees to whatever lies behind it.
            ArmState::Elsewhere => return self.stop(Stop::Excluded),
            ArmState::Open | ArmState::Ready(_) | ArmState::Unknown(_) | ArmState::LeftOpen => {
                self.tree.set_state(branch, ArmState::Taken(None));
                if let Some(run) = self.run.as_mut() {
                    run.fresh = true;
                }
                self.take_first(branch);
            }
        }
        Ok(())
    }

    /// Follows a branch that no run has taken before.
    fn take_first(&mut self, branch: BranchId) {
        self.follow(branch);
        let place = self.place(branch);
        let arms = self.tree.arm_count(branch.node);
        self.coverage.note(place.site, place.arm, arms);
        self.strategy.covered(place);
    }

    fn follow(&mut self, branch: BranchId) {
        let free = self.tree.is_free(branch.node);
        if let Some(run) = self.run.as_mut() {
            run.position = Some(branch);
            run.made += 1;
            // A forced decision says nothing that the path does not imply already.
            if free {
                let arm = self.tree.arm(branch);
                run.conditions.push(arm.condition);
                run.depth += arm.cost;
            }
        }
    }

    /// What the strategy is told of where a branch is.
    fn place(&self, branch: BranchId) -> Place {
        let place = self.tree.place(branch);
        Place {
            site: self.sites.region(place.site),
            ..place
        }
    }

    fn stop(&mut self, stop: Stop) -> Result<(), Stop> {
        if let Some(run) = self.run.as_mut() {
            run.stop = Some(stop);
        }
        if stop == Stop::Budget {
            self.finish(Some(OpenReason::TimeLimit));
        }
        Err(stop)
    }

    fn diverge(&mut self, site: SiteId) -> Result<(), Stop> {
        let target = self.run.as_ref().and_then(|run| run.plan.last().copied());
        self.note_divergence(target, Some(site));
        self.stop(Stop::Diverged)
    }

    fn note_divergence(&mut self, target: Option<BranchId>, site: Option<SiteId>) {
        if let Some(target) = target
            && matches!(self.tree.state(target), ArmState::Ready(_))
        {
            self.tree.set_state(target, ArmState::LeftOpen);
        }
        self.totals.diverged += 1;
        self.open.note(OpenReason::Diverged(site));
    }

    fn decisions_of(&self, run: &Run) -> Vec<TakenDecision> {
        let branches = self.tree.branches_to(run.position);
        let taken = |branch: BranchId| TakenDecision {
            site: self.tree.site(branch.node),
            taken: branch.arm,
            arms: self.tree.arm_count(branch.node),
            condition: self.tree.arm(branch).condition,
            free: self.tree.is_free(branch.node),
        };
        branches.into_iter().map(taken).collect()
    }
}
