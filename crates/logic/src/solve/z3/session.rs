//! The connection to Z3: its context, started on first use, and checks within a budget.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use z3::{Context, Params, SatResult, Solver};

use super::watchdog::Watchdog;
use crate::solve::{Budget, UnknownReason};

thread_local! {
    /// The watchdog needs the context for as long as the process lives. One context per thread is
    /// never freed; it is the one the z3 crate keeps per thread anyway.
    static CONTEXT: &'static Context = Box::leak(Box::new(Context::thread_local()));
}

/// What a check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solve) enum Checked {
    Sat,
    Unsat,
    Unknown(UnknownReason),
}

/// A handle on the session of one chain. Making one costs nothing; Z3 is loaded when first used.
#[derive(Clone, Debug, Default)]
pub(in crate::solve) struct Session {
    watchdog: Rc<OnceCell<RefCell<Option<Watchdog>>>>,
}

impl Session {
    pub(in crate::solve) fn new() -> Self {
        Self::default()
    }

    /// An incremental solver.
    pub(in crate::solve) fn incremental(&self) -> Solver {
        self.start();
        let solver = Solver::new();
        // Lowered text has alternatives by the thousand; flattened, each costs the square of its size.
        let mut parameters = Params::new();
        parameters.set_bool("flat_and_or", false);
        solver.set_params(&parameters);
        // The first push makes Z3 choose its incremental core, which is faster on small queries.
        solver.push();
        solver
    }

    /// A solver for one query of any kind.
    pub(in crate::solve) fn single(&self) -> Solver {
        self.start();
        Solver::new()
    }

    /// A solver for one bit-vector query.
    pub(in crate::solve) fn bit_vectors(&self) -> Option<Solver> {
        self.start();
        Solver::new_for_logic("QF_BV")
    }

    /// Sets the effort of later checks. Ctrl-C stays with the program that called us.
    pub(in crate::solve) fn limit(solver: &Solver, rlimit: u32) {
        let mut parameters = Params::new();
        parameters.set_u32("rlimit", rlimit);
        parameters.set_bool("ctrl_c", false);
        solver.set_params(&parameters);
    }

    pub(in crate::solve) fn check(&self, solver: &Solver, budget: &Budget) -> Checked {
        let watchdog = self.start().borrow();
        let Some(watchdog) = watchdog.as_ref() else {
            return Checked::Unknown(UnknownReason::SolverFault);
        };
        watchdog.arm(budget.wall);
        let result = solver.check();
        let fired = watchdog.disarm();
        match result {
            SatResult::Sat => Checked::Sat,
            SatResult::Unsat => Checked::Unsat,
            SatResult::Unknown if fired => Checked::Unknown(UnknownReason::Budget),
            SatResult::Unknown => Checked::Unknown(reason(solver)),
        }
    }

    fn start(&self) -> &RefCell<Option<Watchdog>> {
        let cell = self.watchdog.get_or_init(|| RefCell::new(None));
        let alive = cell.borrow().as_ref().is_some_and(Watchdog::is_alive);
        if !alive {
            let context = CONTEXT.with(|context| *context);
            let stale = cell.replace(Watchdog::start(context.handle()).ok());
            // After a fork the lock of the old watchdog may be held by a thread that is gone.
            std::mem::forget(stale);
        }
        cell
    }
}

fn reason(solver: &Solver) -> UnknownReason {
    let text = solver.get_reason_unknown().unwrap_or_default();
    if text.contains("cancel") || text.contains("resource") || text.contains("timeout") {
        UnknownReason::Budget
    } else if text.contains("interrupt") {
        UnknownReason::Interrupted
    } else if text.contains("memory") {
        UnknownReason::Budget
    } else if text.contains("incomplete") {
        UnknownReason::NonLinear
    } else {
        UnknownReason::Incomplete("part of the query")
    }
}
