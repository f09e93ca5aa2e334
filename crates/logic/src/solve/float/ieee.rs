//! Asks Z3's theory of floating point.
//!
//! Exact and slow: an addition takes tens of milliseconds to refute, a product can take seconds. It is
//! asked last, with what is left of the budget.

use std::panic::{AssertUnwindSafe, catch_unwind};

use z3::ast::{BV, Bool, Float as Z3Float};

use crate::float::Float;
use crate::pool::TermPool;
use crate::solve::float::encode::{Encoding, encode, name};
use crate::solve::float::search::Problem;
use crate::solve::z3::{Checked, Session, from_bits};
use crate::solve::{Budget, UnknownReason};
use crate::term::{Sort, VarId};
use crate::value::{Model, Value};

/// What the theory says.
pub(super) enum Verdict {
    /// Values for the variables of the query; a guess if an operation, named, was told roughly.
    Model(Model, Option<&'static str>),
    Unsat,
    Unknown(UnknownReason),
}

/// Puts the query to Z3.
pub(super) fn ask(
    session: &Session,
    problem: &Problem<'_>,
    hint: &Model,
    budget: &Budget,
) -> Verdict {
    let Some(encoding) = encode(problem.pool, problem.ranges, problem.constraints) else {
        return Verdict::Unknown(UnknownReason::Incomplete("a large query with floats"));
    };
    // The z3 crate asserts that Z3 never refuses to build a term; out of memory it does.
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        check(session, problem, hint, budget, &encoding)
    }));
    attempt.unwrap_or(Verdict::Unknown(UnknownReason::SolverFault))
}

fn check(
    session: &Session,
    problem: &Problem<'_>,
    hint: &Model,
    budget: &Budget,
    encoding: &Encoding,
) -> Verdict {
    let solver = session.single();
    Session::limit(&solver, budget.rlimit);
    solver.from_string(encoding.text.as_str());
    // Text that Z3 does not understand is ignored; without assertions everything would be possible.
    if solver.get_assertions().is_empty() {
        return Verdict::Unknown(UnknownReason::SolverFault);
    }
    match session.check(&solver, budget) {
        Checked::Unsat if encoding.bounded => Verdict::Unknown(UnknownReason::Incomplete(
            "an unbounded integer among floats",
        )),
        Checked::Unsat => Verdict::Unsat,
        Checked::Unknown(reason) => Verdict::Unknown(reason),
        Checked::Sat => match solver.get_model() {
            Some(found) => read(problem, hint, encoding, &found),
            None => Verdict::Unknown(UnknownReason::SolverFault),
        },
    }
}

fn read(problem: &Problem<'_>, hint: &Model, encoding: &Encoding, found: &z3::Model) -> Verdict {
    let mut model = hint.clone();
    for &variable in &problem.variables {
        if matches!(problem.pool.var_sort(variable), Sort::Str | Sort::Bytes) {
            continue;
        }
        match value(problem.pool, encoding, found, variable) {
            Some(value) => {
                model.set(variable, value);
            }
            None => return Verdict::Unknown(UnknownReason::SolverFault),
        }
    }
    Verdict::Model(model, encoding.approximate)
}

fn value(
    pool: &TermPool,
    encoding: &Encoding,
    found: &z3::Model,
    variable: VarId,
) -> Option<Value> {
    let name = name(variable);
    match pool.var_sort(variable) {
        Sort::Bool => {
            let value = found.eval(&Bool::new_const(name), true)?;
            Some(Value::Bool(value.as_bool()?))
        }
        Sort::Int => {
            let value = found.eval(&BV::new_const(name, encoding.width), true)?;
            Some(Value::Int(from_bits(&value, encoding.width)?))
        }
        Sort::Float => {
            let float = Z3Float::new_const_double(name);
            if found.eval(&float.is_nan(), true)?.as_bool()? {
                return Some(Value::Float(Float::new(f64::NAN)));
            }
            let bits = found.eval(&float.to_ieee_bv(), true)?.as_u64()?;
            Some(Value::Float(Float::new(f64::from_bits(bits))))
        }
        Sort::Str | Sort::Bytes => None,
    }
}
