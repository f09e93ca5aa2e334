//! Questions, answers and the chain that connects them.
//!
//! Every way of answering is one layer behind the [`Solver`] trait: most look at a query, answer
//! what they can and pass the rest to the next layer. [`standard_chain`] is the only place that
//! knows their order. No layer may turn "don't know" into "no".

#[cfg(test)]
mod agreement;
mod bitvector;
mod cache;
mod cases;
mod chain;
mod contradiction;
mod defined;
mod difference;
mod float;
mod independent;
mod interval;
mod inversion;
mod linear;
mod log;
mod repair;
pub mod scripted;
mod shrink;
mod split;
mod text;
mod timed;
mod validate;
mod walk;
mod z3;

use std::time::Duration;

use crate::pool::TermPool;
use crate::term::TermId;
use crate::value::Model;

pub use chain::{standard_chain, timed_chain};
pub use log::QueryLog;

/// Is there an input that satisfies the path and the goal?
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// A conjunction that holds under `hint`.
    pub path: &'a [TermId],
    /// What should hold as well.
    pub goal: TermId,
    /// The input of a run that took the path.
    pub hint: &'a Model,
}

/// What a solver found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A model of path and goal. It covers every variable of the pool; those that the question does
    /// not touch keep the value of the hint.
    Sat(Model),
    /// There is no such input.
    Unsat,
    /// The solver gave up. Never to be read as `Unsat`: that would hide bugs.
    Unknown(UnknownReason),
}

/// Why a solver gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnknownReason {
    /// The effort or time allowed for one query was used up.
    Budget,
    /// Someone asked the solver to stop.
    Interrupted,
    /// Non-linear arithmetic beyond the solver's abilities.
    NonLinear,
    /// A model was found but does not hold under Python's semantics.
    InvalidModel,
    /// The query uses something that is only approximated; the text names it.
    Incomplete(&'static str),
    /// The solver itself failed.
    SolverFault,
}

impl std::fmt::Display for UnknownReason {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnknownReason::Budget => write!(out, "effort limit"),
            UnknownReason::Interrupted => write!(out, "interrupted"),
            UnknownReason::NonLinear => write!(out, "non-linear arithmetic"),
            UnknownReason::InvalidModel => write!(out, "no exact model"),
            UnknownReason::Incomplete(what) => write!(out, "{what} is approximated"),
            UnknownReason::SolverFault => write!(out, "solver failure"),
        }
    }
}

/// The effort allowed for one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Z3's deterministic effort counter, per query. By default 4 million, about a second of hard
    /// search; ordinary queries use a few thousand.
    pub rlimit: u32,
    /// Wall clock limit, enforced by interrupting the solver. By default one second.
    pub wall: Duration,
}

impl Budget {
    /// No search at all: only what is seen at once, by evaluation and by looking at the constraints.
    pub const GLANCE: Budget = Budget {
        rlimit: 0,
        wall: Duration::ZERO,
    };

    /// Whether searching is not allowed. To Z3 an effort of zero would mean no limit.
    pub(crate) fn is_glance(&self) -> bool {
        self.rlimit == 0
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            rlimit: 4_000_000,
            wall: Duration::from_secs(1),
        }
    }
}

/// One way of answering queries.
pub trait Solver {
    /// Answers the query within the budget.
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer;

    /// The name of the layer in statistics.
    fn name(&self) -> &'static str;

    /// Appends the counts of this layer and of those behind it.
    fn statistics(&self, out: &mut Vec<LayerStatistics>);
}

/// What one layer has done so far. Queries it passed on are not among its answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerStatistics {
    /// The name of the layer.
    pub layer: &'static str,
    /// Queries that reached the layer.
    pub asked: u64,
    /// Queries it answered with a model itself.
    pub sat: u64,
    /// Queries it refuted itself.
    pub unsat: u64,
    /// Queries it gave up on itself.
    pub unknown: u64,
    /// Time spent in the layer, without the layers behind it. Unless the chain is a timed one, zero
    /// where measuring would cost more than the work.
    pub nanos: u64,
}

impl LayerStatistics {
    /// No work done yet.
    pub fn new(layer: &'static str) -> Self {
        LayerStatistics {
            layer,
            ..Self::default()
        }
    }

    /// Adds the counts of another instance of the layer.
    fn add(&mut self, other: &LayerStatistics) {
        self.asked += other.asked;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.nanos += other.nanos;
    }

    /// Counts an answer the layer gave itself.
    pub fn count(&mut self, answer: &Answer) {
        match answer {
            Answer::Sat(_) => self.sat += 1,
            Answer::Unsat => self.unsat += 1,
            Answer::Unknown(_) => self.unknown += 1,
        }
    }
}

/// A complete model that starts as a copy of the hint.
fn start_from(pool: &TermPool, hint: &Model) -> Model {
    let mut model = hint.clone();
    model.complete(pool);
    model
}
