//! The seam between running code and the exploration.
//!
//! Values and models report here what the running code asked about them. Every loss of
//! symbolic information goes through [`pin`], with its reason; there is no other way out.

use pef_explore::{
    ArmIndex, Decision, DecisionKind, Ending, Exploration, PathRecord, PinReason, SiteId, Stop,
};
use pef_logic::{Model, Term, TermId, TermPool};
use std::rc::Rc;

use crate::boundary::{GilCell, Raised, raise};
use crate::isolation::pulse;
use crate::sites;

pyo3::create_exception!(
    pef._native,
    PathStopped,
    pyo3::exceptions::PyBaseException,
    "Raised inside a run that the search has given up; never caught by correct code."
);

/// What a run is doing just now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// No run in progress: symbolic values are their concrete ones.
    Idle,
    /// Target code is running.
    Target,
    /// A contract clause is being evaluated; its decisions cost no depth.
    Contract,
}

struct Recorder {
    exploration: Option<Box<Exploration>>,
    mode: Mode,
    /// Above zero while code of ours works with concrete values on purpose.
    suspended: u32,
    /// Names the exploration in progress; terms of another one are stale.
    epoch: u32,
    /// How many runs have begun in this process.
    runs: u64,
    /// Decisions of this run that may still cost nothing.
    favours: u32,
    /// Branches of this run that may still be merged.
    merges: u32,
}

/// Decisions inside operations that cost no depth, per run: enough for any parser, and a loop that
/// makes no others still ends.
const FAVOURS: u32 = 64;

/// Branches that become part of a term instead, per run. Each saves as many paths as it has arms; many
/// in one another make questions that no solver answers soon.
const MERGES: u32 = 16;

/// The depth that the answers of a question cost, where that is not one each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usual {
    /// Yes is what nearly every input that matters says; it costs nothing.
    Yes,
    /// Part of a question that was paid for: neither answer costs anything.
    Either,
}

static RECORDER: GilCell<Recorder> = GilCell::new(Recorder {
    exploration: None,
    mode: Mode::Idle,
    suspended: 0,
    epoch: 0,
    runs: 0,
    favours: 0,
    merges: 0,
});

/// A new number for an exploration.
pub fn new_epoch() -> u32 {
    static LAST: GilCell<u32> = GilCell::new(0);
    LAST.with(|last| {
        *last += 1;
        *last
    })
}

/// Hands the exploration in for one run.
pub fn begin(exploration: Box<Exploration>, epoch: u32) {
    RECORDER.with(|recorder| {
        recorder.exploration = Some(exploration);
        recorder.mode = Mode::Target;
        recorder.suspended = 0;
        recorder.epoch = epoch;
        recorder.runs += 1;
        recorder.favours = FAVOURS;
        recorder.merges = MERGES;
    });
}

/// Whether one more branch may be merged in this run.
pub fn may_merge() -> bool {
    RECORDER.with(|recorder| {
        let left = recorder.merges.checked_sub(1);
        recorder.merges = left.unwrap_or(0);
        left.is_some()
    })
}

/// The number of the run in progress, different for each.
pub fn run_number() -> u64 {
    RECORDER.with(|recorder| recorder.runs)
}

/// Whether an exploration is handed in: explorations do not nest.
pub fn is_busy() -> bool {
    RECORDER.with(|recorder| recorder.exploration.is_some())
}

/// Takes the exploration back after the run.
pub fn end(ending: Ending) -> (Option<Box<Exploration>>, Option<PathRecord>) {
    let ended = RECORDER.with(|recorder| {
        recorder.mode = Mode::Idle;
        let mut exploration = recorder.exploration.take();
        let record = exploration
            .as_mut()
            .and_then(|exploration| exploration.end_run(ending));
        (exploration, record)
    });
    crate::inputs::lazy::touch_all();
    crate::helpers::keyed::turn_back();
    ended
}

/// Switches between target code and contract clauses; returns the mode before.
pub fn set_mode(mode: Mode) -> Mode {
    RECORDER.with(|recorder| std::mem::replace(&mut recorder.mode, mode))
}

/// Runs something as part of the target, even where a contract clause is being evaluated.
pub fn as_target<R>(body: impl FnOnce() -> R) -> R {
    let outer = RECORDER.with(|recorder| recorder.mode);
    if outer != Mode::Contract {
        return body();
    }
    set_mode(Mode::Target);
    let result = body();
    set_mode(outer);
    result
}

/// True if operations on symbolic values are to be recorded.
#[inline]
pub fn is_recording() -> bool {
    RECORDER.with(|recorder| recorder.mode != Mode::Idle && recorder.suspended == 0)
}

/// The epoch of the exploration in progress, if operations are recorded.
#[inline]
pub fn recording_epoch() -> Option<u32> {
    RECORDER.with(|recorder| {
        (recorder.mode != Mode::Idle && recorder.suspended == 0).then_some(recorder.epoch)
    })
}

/// Works on concrete values until dropped.
pub struct Suspension(());

impl Suspension {
    /// Starts working on concrete values.
    pub fn new() -> Self {
        RECORDER.with(|recorder| recorder.suspended += 1);
        Suspension(())
    }
}

impl Drop for Suspension {
    fn drop(&mut self) {
        RECORDER.with(|recorder| recorder.suspended = recorder.suspended.saturating_sub(1));
    }
}

/// Builds a term. Outside a run there is no pool.
#[inline]
pub fn build<R>(body: impl FnOnce(&mut TermPool) -> R) -> Option<R> {
    RECORDER.with(|recorder| {
        recorder
            .exploration
            .as_mut()
            .map(|search| body(&mut search.pool))
    })
}

/// Works with the exploration in progress.
pub fn with_exploration<R>(body: impl FnOnce(&mut Exploration) -> R) -> Option<R> {
    RECORDER.with(|recorder| recorder.exploration.as_mut().map(|search| body(search)))
}

/// The input of the run in progress.
pub fn current_model() -> Option<Rc<Model>> {
    RECORDER.with(|recorder| recorder.exploration.as_ref()?.current_model().cloned())
}

/// Records that the running code asked whether `condition` holds and saw `outcome`. The
/// kind comes from the source where it asked.
pub fn decide_truth(condition: TermId, outcome: bool) -> Result<bool, Raised> {
    decide(condition, outcome, None, None)
}

/// As [`decide_truth`], for a question an operation asks itself.
pub fn decide_kind(condition: TermId, outcome: bool, kind: DecisionKind) -> Result<bool, Raised> {
    decide(condition, outcome, Some(kind), None)
}

/// As [`decide_kind`], where an answer is no choice worth a level of depth.
pub fn decide_usual(
    condition: TermId,
    outcome: bool,
    kind: DecisionKind,
    usual: Usual,
) -> Result<bool, Raised> {
    decide(condition, outcome, Some(kind), Some(usual))
}

fn decide(
    condition: TermId,
    outcome: bool,
    kind: Option<DecisionKind>,
    usual: Option<Usual>,
) -> Result<bool, Raised> {
    if !is_recording() || is_constant(condition) {
        return Ok(outcome);
    }
    let contract = RECORDER.with(|recorder| recorder.mode == Mode::Contract);
    let kind = if contract {
        Some(DecisionKind::Contract)
    } else {
        kind
    };
    let site = sites::current(kind)?;
    let (yes, no) = match usual.filter(|_| !contract && asks_a_favour()) {
        Some(Usual::Yes) => (0, 1),
        Some(Usual::Either) => (0, 0),
        None => (u32::from(!contract), u32::from(!contract)),
    };
    record(|search| {
        let negated = search.pool.not(condition);
        let mut decision = Decision::binary_costing(site, condition, negated, outcome, yes);
        decision.arms[1].cost = no;
        decision
    })?;
    Ok(outcome)
}

/// Takes one of the decisions that may cost nothing, if there is one left.
fn asks_a_favour() -> bool {
    RECORDER.with(|recorder| {
        let granted = recorder.favours > 0;
        recorder.favours = recorder.favours.saturating_sub(1);
        granted
    })
}

fn is_constant(condition: TermId) -> bool {
    build(|pool| matches!(pool.get(condition), Term::Bool(_))).unwrap_or(true)
}

fn record(make: impl FnOnce(&mut Exploration) -> Decision) -> Result<(), Raised> {
    stopped(with_exploration(|search| {
        let decision = make(search);
        search.decide(&decision)
    }))
}

/// Ends the run in Python if the search has stopped it.
fn stopped(verdict: Option<Result<(), Stop>>) -> Result<(), Raised> {
    match verdict {
        None => Ok(()),
        Some(Ok(())) if !pulse::decided() => Ok(()),
        Some(Ok(())) => Err(halt()),
        Some(Err(_)) => Err(raise(PathStopped::new_err("this path is over"))),
    }
}

/// Ends the run before it goes on to what ended the process when it was tried.
pub fn halt() -> Raised {
    with_exploration(Exploration::halt);
    raise(PathStopped::new_err("what comes next is deadly"))
}

/// Records which of several conditions, of which exactly one holds, does hold.
pub fn decide_among(conditions: &[TermId], taken: usize, kind: DecisionKind) -> Result<(), Raised> {
    if !is_recording() || conditions.len() < 2 {
        return Ok(());
    }
    let contract = RECORDER.with(|recorder| recorder.mode == Mode::Contract);
    let cost = u32::from(!contract);
    let site = sites::current(Some(kind))?;
    let arms = conditions
        .iter()
        .map(|&condition| pef_explore::Arm { condition, cost })
        .collect();
    let decision = Decision {
        site,
        arms,
        taken: ArmIndex::new(taken),
        last_resort: false,
    };
    record(|_| decision)
}

/// Replaces a value by its concrete one: `same` says that it has that value. Other
/// values stay open as a last resort.
pub fn pin(same: TermId, reason: PinReason) -> Result<(), Raised> {
    if !is_recording() || is_constant(same) {
        return Ok(());
    }
    let site = sites::current(Some(DecisionKind::Pin(reason)))?;
    stopped(with_exploration(|search| {
        let other = search.pool.not(same);
        search.pin(site, same, other)
    }))
}

/// Code that reads values without asking gets an object that may hand it symbolic ones: nobody will know which.
pub fn lose_sight(reason: PinReason) -> Result<(), Raised> {
    if is_recording() {
        let site = sites::current(Some(DecisionKind::Pin(reason.clone())))?;
        with_exploration(|search| search.lose_sight(site, reason));
    }
    Ok(())
}

/// Says what holds of an input in every run.
pub fn postulate(axiom: TermId) {
    with_exploration(|search| search.postulate(axiom));
}

/// Ends the run: its input is none that the function is called with.
pub fn exclude() -> Raised {
    with_exploration(Exploration::exclude);
    raise(PathStopped::new_err("no input of the function"))
}

/// Lets the search choose the shape of an input.
pub fn choose(site: SiteId, arms: usize, cost: u32) -> Result<usize, Raised> {
    match with_exploration(|search| search.choose(site, arms, cost)) {
        None => Ok(0),
        Some(Ok(arm)) if !pulse::decided() => Ok(arm.index()),
        Some(Ok(_)) => Err(halt()),
        Some(Err(_)) => Err(raise(PathStopped::new_err("this path is over"))),
    }
}
