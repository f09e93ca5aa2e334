//! Guesses models with real arithmetic.
//!
//! Floats are almost real numbers, and Z3 solves equations over those quickly. The model, rounded, is where the
//! search for a true one starts. Nothing follows from there being none.

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use z3::ast::{Bool, Int, Real};

use crate::float::{Float, Rounding};
use crate::integer::Integer;
use crate::operation::{Function, Operation};
use crate::pool::TermPool;
use crate::solve::Budget;
use crate::solve::float::encode::{name, terms_of};
use crate::solve::float::search::Problem;
use crate::solve::z3::{Checked, Session, from_z3};
use crate::term::{BinaryOp, Comparison, Sort, Term, TermId, UnaryOp, VarId};
use crate::value::{Model, Value};

/// Digits after the point of numbers that are no small fractions.
const DIGITS: usize = 40;

/// A model of the query over the real numbers, rounded.
pub(super) fn guess(
    session: &Session,
    problem: &Problem<'_>,
    hint: &Model,
    budget: &Budget,
) -> Option<Model> {
    let text = encode(problem.pool, problem.constraints)?;
    // The z3 crate asserts that Z3 never refuses to build a term; out of memory it does.
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        let solver = session.single();
        Session::limit(&solver, budget.rlimit);
        solver.from_string(text.as_str());
        if session.check(&solver, budget) != Checked::Sat {
            return None;
        }
        let found = solver.get_model()?;
        let mut model = hint.clone();
        for &variable in &problem.variables {
            if let Some(value) = value(problem.pool, &found, variable) {
                model.set(variable, value);
            }
        }
        Some(model)
    }));
    attempt.ok().flatten()
}

fn value(pool: &TermPool, found: &z3::Model, variable: VarId) -> Option<Value> {
    let name = name(variable);
    match pool.var_sort(variable) {
        Sort::Bool => {
            let value = found.eval(&Bool::new_const(name), true)?;
            Some(Value::Bool(value.as_bool()?))
        }
        Sort::Int => {
            let value = found.eval(&Int::new_const(name), true)?;
            Some(Value::Int(from_z3(&value)?))
        }
        Sort::Float => {
            let value = found.eval(&Real::new_const(name), true)?;
            let value = match value.as_rational() {
                Some((above, below)) => {
                    Float::quotient(&Integer::Small(above), &Integer::Small(below))
                }
                None => Float::new(value.approx(DIGITS).parse().ok()?),
            };
            Some(Value::Float(value))
        }
        Sort::Str | Sort::Bytes => None,
    }
}

fn encode(pool: &TermPool, constraints: &[TermId]) -> Option<String> {
    let mut out = String::new();
    for term in terms_of(pool, constraints)? {
        let id = term.index();
        let sort = match pool.sort(term) {
            Sort::Bool => "Bool",
            Sort::Int => "Int",
            Sort::Float => "Real",
            Sort::Str | Sort::Bytes => continue,
        };
        if let Term::Var(variable) = *pool.get(term) {
            let name = name(variable);
            let _ = writeln!(out, "(declare-const {name} {sort})");
            let _ = writeln!(out, "(define-fun t{id} () {sort} {name})");
            continue;
        }
        match body(pool, term) {
            Some(body) => {
                let _ = writeln!(out, "(define-fun t{id} () {sort} {body})");
            }
            None => {
                let _ = writeln!(out, "(declare-const t{id} {sort})");
            }
        }
        if let Term::Apply(Operation::Call(Function::Sqrt), operands) = pool.get(term) {
            let x = operands[0].index();
            let _ = writeln!(
                out,
                "(assert (and (>= t{id} 0.0) (= (* t{id} t{id}) t{x})))"
            );
        }
    }
    for constraint in constraints {
        let _ = writeln!(out, "(assert t{})", constraint.index());
    }
    Some(out)
}

fn body(pool: &TermPool, term: TermId) -> Option<String> {
    let t = |id: TermId| format!("t{}", id.index());
    Some(match *pool.get(term) {
        Term::Bool(value) => value.to_string(),
        Term::Int(ref value) => integer(value),
        Term::Float(value) => real(value.get())?,
        Term::Not(a) => format!("(not {})", t(a)),
        Term::And(a, b) => format!("(and {} {})", t(a), t(b)),
        Term::Or(a, b) => format!("(or {} {})", t(a), t(b)),
        Term::Iff(a, b) => format!("(= {} {})", t(a), t(b)),
        Term::Ite(a, b, c) => format!("(ite {} {} {})", t(a), t(b), t(c)),
        Term::Compare(op, a, b) => {
            let op = match op {
                Comparison::Eq => "=",
                Comparison::Lt => "<",
                Comparison::Le => "<=",
            };
            format!("({op} {} {})", t(a), t(b))
        }
        Term::FromBool(a) => format!("(ite {} 1 0)", t(a)),
        Term::Unary(UnaryOp::Neg, a) => format!("(- {})", t(a)),
        Term::Unary(UnaryOp::Abs, a) => format!("(abs {})", t(a)),
        Term::Text(_) | Term::Var(_) | Term::Unary(UnaryOp::BitLength | UnaryOp::BitCount, _) => {
            return None;
        }
        Term::Binary(op, a, b) => arithmetic(op, &t(a), &t(b))?,
        Term::Apply(op, ref operands) => {
            let a = operands.first().map(|&id| t(id)).unwrap_or_default();
            let b = operands.get(1).map(|&id| t(id)).unwrap_or_default();
            operation(op, &a, &b)?
        }
    })
}

fn arithmetic(op: BinaryOp, a: &str, b: &str) -> Option<String> {
    let quotient = format!("(ite (> {b} 0) (div {a} {b}) (div (- {a}) (- {b})))");
    Some(match op {
        BinaryOp::Add => format!("(+ {a} {b})"),
        BinaryOp::Sub => format!("(- {a} {b})"),
        BinaryOp::Mul => format!("(* {a} {b})"),
        BinaryOp::FloorDiv => quotient,
        BinaryOp::Mod => format!("(- {a} (* {b} {quotient}))"),
        BinaryOp::Pow
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor => return None,
    })
}

fn operation(op: Operation, a: &str, b: &str) -> Option<String> {
    use Operation as Op;
    let floor = |x: &str| format!("(to_int {x})");
    let trunc = |x: &str| format!("(ite (>= {x} 0.0) (to_int {x}) (- (to_int (- {x}))))");
    Some(match op {
        Op::FloatAdd => format!("(+ {a} {b})"),
        Op::FloatSub => format!("(- {a} {b})"),
        Op::FloatMul => format!("(* {a} {b})"),
        Op::FloatDiv => format!("(/ {a} {b})"),
        Op::FloatFloorDiv => format!("(to_real {})", floor(&format!("(/ {a} {b})"))),
        Op::FloatMod => format!(
            "(- {a} (* {b} (to_real {})))",
            floor(&format!("(/ {a} {b})"))
        ),
        Op::FloatRemainder => {
            format!(
                "(- {a} (* {b} (to_real {})))",
                trunc(&format!("(/ {a} {b})"))
            )
        }
        Op::FloatNeg => format!("(- {a})"),
        Op::FloatAbs => format!("(ite (>= {a} 0.0) {a} (- {a}))"),
        Op::CopySign => {
            let size = format!("(ite (>= {a} 0.0) {a} (- {a}))");
            format!("(ite (>= {b} 0.0) {size} (- {size}))")
        }
        Op::FloatRound(Rounding::Down) => format!("(to_real {})", floor(a)),
        Op::FloatRound(Rounding::Up) => format!("(- (to_real (to_int (- {a}))))"),
        Op::FloatRound(Rounding::TowardsZero) => format!("(to_real {})", trunc(a)),
        Op::FloatRound(Rounding::HalfEven) => format!("(to_real (to_int (+ {a} 0.5)))"),
        Op::FloatToInt => trunc(a),
        Op::FloatFromInt => format!("(to_real {a})"),
        Op::IntDiv => format!("(/ (to_real {a}) (to_real {b}))"),
        Op::FloatEq => format!("(= {a} {b})"),
        Op::FloatLt => format!("(< {a} {b})"),
        Op::FloatLe => format!("(<= {a} {b})"),
        Op::IntEqFloat => format!("(= (to_real {a}) {b})"),
        Op::IntLtFloat => format!("(< (to_real {a}) {b})"),
        Op::IntLeFloat => format!("(<= (to_real {a}) {b})"),
        Op::IntGtFloat => format!("(> (to_real {a}) {b})"),
        Op::IntGeFloat => format!("(>= (to_real {a}) {b})"),
        Op::IsNan => "false".to_owned(),
        Op::IsNegative => format!("(< {a} 0.0)"),
        _ => return None,
    })
}

fn integer(value: &Integer) -> String {
    if value.is_negative() {
        format!("(- {})", value.abs())
    } else {
        value.to_string()
    }
}

/// A float as a decimal, infinities as numbers beyond all floats; `None` for `nan`.
fn real(value: f64) -> Option<String> {
    if value.is_nan() {
        return None;
    }
    let size = if value.is_infinite() {
        format!("1{}.0", "0".repeat(320))
    } else {
        // All digits, without an exponent: exact below 10**17, close enough beyond.
        let text = format!("{}", value.abs());
        if text.contains('.') {
            text
        } else {
            text + ".0"
        }
    };
    Some(if value < 0.0 {
        format!("(- {size})")
    } else {
        size
    })
}
