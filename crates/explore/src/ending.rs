//! How a run ends, and what is kept of it.

use pef_logic::{Model, TermId};
use std::rc::Rc;

use crate::{ArmIndex, SiteId};

/// How a run of the target ended, as the executor saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The function returned.
    Returned,
    /// The function raised.
    Raised,
    /// The input breaks a precondition: not a path of the function at all.
    Excluded,
    /// The time budget ran out inside the run.
    Timeout,
    /// The run was stopped by [`Stop`]; the exploration knows why.
    Stopped,
}

/// Tells the executor to abandon the running path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The next decision would exceed the depth limit.
    Depth,
    /// A branch that comes first in the search order is possible: run that one instead.
    Preferred,
    /// The run left the path its input was solved for.
    Diverged,
    /// A budget (time, solver effort) is used up.
    Budget,
    /// The input is none that the function is called with.
    Excluded,
    /// What comes next ended the process when it was tried.
    Deadly,
}

/// One decision of a finished path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenDecision {
    /// Where.
    pub site: SiteId,
    /// Which arm.
    pub taken: ArmIndex,
    /// How many arms there were.
    pub arms: usize,
    /// The condition of that arm.
    pub condition: TermId,
    /// Whether another arm was possible (or could not be excluded).
    pub free: bool,
}

/// A finished path.
#[derive(Clone, Debug)]
pub struct PathRecord {
    /// The input, as values of the variables.
    pub model: Rc<Model>,
    /// How it ended.
    pub ending: Ending,
    /// Stopped by the depth limit.
    pub pruned: bool,
    /// Free decisions along it.
    pub depth: u32,
    /// All decisions along it.
    pub decisions: Vec<TakenDecision>,
}
