//! Exact evaluation with Python's semantics.
//!
//! This is the judge: whatever a solver claims is believed only if it holds here. Division by zero
//! and the like have no value; [`Undefined`] says why. Evaluation walks the term with an explicit
//! stack, visits shared parts once, and keeps its buffers between calls; only the bottom few levels are
//! recursive.

mod word;

use crate::apply::apply;
use crate::integer::{Integer, TooLarge};
use crate::pool::TermPool;
use crate::term::{BinaryOp, Comparison, Sort, Term, TermId, UnaryOp};
use crate::value::{Model, Value};

/// Why a term has no value under a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undefined {
    /// `//` or `%` with a zero divisor.
    DivisionByZero,
    /// `<<` or `>>` by a negative number.
    NegativeShift,
    /// `**` with a negative exponent: Python's result is not an integer.
    NegativeExponent,
    /// The result is larger than anything a run could hold.
    TooLarge,
}

impl From<TooLarge> for Undefined {
    fn from(_: TooLarge) -> Self {
        Undefined::TooLarge
    }
}

/// Terms up to this depth are evaluated without remembering their parts: even if every part is
/// shared, they are few.
const SHALLOW: u32 = 6;

type Outcome = Result<Value, Undefined>;

/// Evaluates terms; keeps its buffers from one call to the next.
#[derive(Debug)]
pub struct Evaluator {
    /// `memo[i]` is valid if `stamps[i]` is the current round.
    memo: Vec<Outcome>,
    stamps: Vec<u32>,
    round: u32,
    pending: Vec<TermId>,
    cost: u64,
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::new()
    }
}

impl Evaluator {
    /// An evaluator with empty buffers.
    pub fn new() -> Self {
        Evaluator {
            memo: Vec::new(),
            stamps: Vec::new(),
            round: 1,
            pending: Vec::new(),
            cost: 0,
        }
    }

    /// The value of a term.
    pub fn value(&mut self, pool: &TermPool, model: &Model, term: TermId) -> Outcome {
        self.forget();
        self.value_again(pool, model, term)
    }

    /// Like [`value`](Self::value), reusing what was computed since the last call to `value` or
    /// [`forget`](Self::forget): the model must not have changed.
    pub(crate) fn value_again(&mut self, pool: &TermPool, model: &Model, term: TermId) -> Outcome {
        self.cost += 1;
        if pool.depth(term) <= SHALLOW {
            return small(pool, model, term);
        }
        self.make_room(term);
        self.pending.push(term);
        while let Some(&next) = self.pending.last() {
            if self.stamps[next.index()] == self.round {
                self.pending.pop();
                continue;
            }
            match combine(pool, model, next, |child| self.known(pool, model, child)) {
                Ok(outcome) => {
                    self.pending.pop();
                    self.memo[next.index()] = outcome;
                    self.stamps[next.index()] = self.round;
                    self.cost += 1;
                }
                Err(Missing(child)) => self.pending.push(child),
            }
        }
        self.memo[term.index()].clone()
    }

    /// Whether a truth term is true; an undefined one is not.
    pub fn holds(&mut self, pool: &TermPool, model: &Model, term: TermId) -> bool {
        self.forget();
        self.holds_again(pool, model, term)
    }

    /// Like [`holds`](Self::holds), for a model that has not changed since it was called last.
    pub(crate) fn holds_again(&mut self, pool: &TermPool, model: &Model, term: TermId) -> bool {
        if pool.depth(term) <= SHALLOW
            && let Some(holds) = word::truth(pool, model, term)
        {
            self.cost += 1;
            return holds;
        }
        self.value_again(pool, model, term) == Ok(Value::Bool(true))
    }

    /// Whether all of the terms are true.
    pub fn all_hold(&mut self, pool: &TermPool, model: &Model, terms: &[TermId]) -> bool {
        self.forget();
        terms
            .iter()
            .all(|&term| self.holds_again(pool, model, term))
    }

    /// Work done since the evaluator was made, in small terms or parts of large ones. Searches
    /// that evaluate many candidates bound themselves by it.
    pub(crate) fn cost(&self) -> u64 {
        self.cost
    }

    /// Drops all remembered values.
    pub(crate) fn forget(&mut self) {
        if self.round == u32::MAX {
            self.stamps.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    fn make_room(&mut self, term: TermId) {
        if self.stamps.len() <= term.index() {
            let length = (term.index() + 1).next_power_of_two();
            self.stamps.resize(length, 0);
            self.memo.resize(length, Ok(Value::Bool(false)));
        }
    }

    fn known(&self, pool: &TermPool, model: &Model, term: TermId) -> Result<Outcome, Missing> {
        if pool.depth(term) <= SHALLOW {
            Ok(small(pool, model, term))
        } else if self.stamps[term.index()] == self.round {
            Ok(self.memo[term.index()].clone())
        } else {
            Err(Missing(term))
        }
    }
}

/// A child whose value has to be computed first.
struct Missing(TermId);

/// Evaluates a term of small depth, if possible in registers.
fn small(pool: &TermPool, model: &Model, term: TermId) -> Outcome {
    let quick = match pool.sort(term) {
        Sort::Bool => word::truth(pool, model, term).map(Value::Bool),
        Sort::Int => word::number(pool, model, term).map(Value::from),
        Sort::Str | Sort::Bytes | Sort::Float => None,
    };
    quick.map_or_else(|| shallow(pool, model, term), Ok)
}

/// Evaluates a term of small depth by plain recursion.
fn shallow(pool: &TermPool, model: &Model, term: TermId) -> Outcome {
    let outcome = combine(pool, model, term, |child| Ok(shallow(pool, model, child)));
    outcome.unwrap_or(Err(Undefined::TooLarge))
}

/// Computes a term from its children. Children that are not needed are not asked for.
fn combine(
    pool: &TermPool,
    model: &Model,
    term: TermId,
    mut child: impl FnMut(TermId) -> Result<Outcome, Missing>,
) -> Result<Outcome, Missing> {
    Ok(match *pool.get(term) {
        Term::Bool(value) => Ok(Value::Bool(value)),
        Term::Int(ref value) => Ok(Value::Int(value.clone())),
        Term::Text(ref value) => Ok(Value::Text(value.clone())),
        Term::Float(value) => Ok(Value::Float(value)),
        Term::Var(variable) => Ok(model.value_of(pool, variable)),
        Term::Not(a) => truth(child(a)?).map(|value| Value::Bool(!value)),
        Term::And(a, b) => match truth(child(a)?) {
            Ok(false) => Ok(Value::Bool(false)),
            left => absorb(left, truth(child(b)?), false),
        },
        Term::Or(a, b) => match truth(child(a)?) {
            Ok(true) => Ok(Value::Bool(true)),
            left => absorb(left, truth(child(b)?), true),
        },
        Term::Iff(a, b) => both(truth(child(a)?), truth(child(b)?), |a, b| a == b),
        Term::Compare(op, a, b) => {
            match (leaf_integer(pool, model, a), leaf_integer(pool, model, b)) {
                (Some(left), Some(right)) => Ok(Value::Bool(compare(op, left, right))),
                (None, _) | (_, None) => both(number(child(a)?), number(child(b)?), |a, b| {
                    compare(op, &a, &b)
                }),
            }
        }
        Term::Ite(condition, chosen, other) => match truth(child(condition)?) {
            Ok(true) => child(chosen)?,
            Ok(false) => child(other)?,
            Err(reason) => Err(reason),
        },
        Term::FromBool(a) => {
            truth(child(a)?).map(|value| Value::Int(Integer::Small(i64::from(value))))
        }
        Term::Unary(op, a) => number(child(a)?).map(|value| Value::Int(unary(op, &value))),
        Term::Binary(op, a, b) => {
            match (leaf_integer(pool, model, a), leaf_integer(pool, model, b)) {
                (Some(left), Some(right)) => binary(op, left, right).map(Value::Int),
                (None, _) | (_, None) => match (number(child(a)?), number(child(b)?)) {
                    (Ok(left), Ok(right)) => binary(op, &left, &right).map(Value::Int),
                    (Err(reason), _) | (_, Err(reason)) => Err(reason),
                },
            }
        }
        Term::Apply(op, ref operands) => {
            let mut values = Vec::with_capacity(operands.len());
            for &operand in operands {
                match child(operand)? {
                    Ok(value) => values.push(value),
                    Err(reason) => return Ok(Err(reason)),
                }
            }
            apply(pool, op, &values)
        }
    })
}

/// The integer a constant or variable is, without copying it.
#[inline]
fn leaf_integer<'a>(pool: &'a TermPool, model: &'a Model, term: TermId) -> Option<&'a Integer> {
    match pool.get(term) {
        Term::Int(value) => Some(value),
        Term::Var(variable) => match model.get(*variable) {
            Some(Value::Int(value)) => Some(value),
            Some(Value::Bool(_) | Value::Text(_) | Value::Float(_)) => None,
            None => Some(&Integer::ZERO),
        },
        Term::Bool(_)
        | Term::Not(_)
        | Term::And(..)
        | Term::Or(..)
        | Term::Iff(..)
        | Term::Compare(..)
        | Term::Ite(..)
        | Term::FromBool(_)
        | Term::Unary(..)
        | Term::Binary(..)
        | Term::Text(_)
        | Term::Float(_)
        | Term::Apply(..) => None,
    }
}

#[inline]
fn compare(op: Comparison, left: &Integer, right: &Integer) -> bool {
    match op {
        Comparison::Eq => left == right,
        Comparison::Lt => left < right,
        Comparison::Le => left <= right,
    }
}

fn truth(outcome: Outcome) -> Result<bool, Undefined> {
    outcome.map(|value| match value {
        Value::Bool(value) => value,
        Value::Int(value) => !value.is_zero(),
        Value::Text(value) => !value.is_empty(),
        Value::Float(value) => value.get() != 0.0,
    })
}

fn number(outcome: Outcome) -> Result<Integer, Undefined> {
    outcome.map(|value| match value {
        Value::Int(value) => value,
        Value::Bool(value) => Integer::Small(i64::from(value)),
        Value::Text(_) | Value::Float(_) => Integer::ZERO,
    })
}

fn both<T>(
    left: Result<T, Undefined>,
    right: Result<T, Undefined>,
    relation: impl FnOnce(T, T) -> bool,
) -> Outcome {
    Ok(Value::Bool(relation(left?, right?)))
}

/// `and` / `or` once the left side is not the absorbing value.
fn absorb(
    left: Result<bool, Undefined>,
    right: Result<bool, Undefined>,
    absorbing: bool,
) -> Outcome {
    match right {
        Ok(value) if value == absorbing => Ok(Value::Bool(absorbing)),
        Ok(_) => left.map(Value::Bool),
        Err(reason) => Err(left.err().unwrap_or(reason)),
    }
}

/// The value of an operation on one integer.
pub fn unary(op: UnaryOp, value: &Integer) -> Integer {
    match op {
        UnaryOp::Neg => -value,
        UnaryOp::Abs => value.abs(),
        UnaryOp::BitLength => Integer::Small(value.bit_length() as i64),
        UnaryOp::BitCount => Integer::Small(value.bit_count() as i64),
    }
}

/// The value of an operation on two integers, if it has one.
pub fn binary(op: BinaryOp, left: &Integer, right: &Integer) -> Result<Integer, Undefined> {
    match op {
        BinaryOp::Add => Ok(left + right),
        BinaryOp::Sub => Ok(left - right),
        BinaryOp::Mul => Ok(left.checked_mul(right)?),
        BinaryOp::FloorDiv => left.floor_div(right).ok_or(Undefined::DivisionByZero),
        BinaryOp::Mod => left.floor_mod(right).ok_or(Undefined::DivisionByZero),
        BinaryOp::Pow if right.is_negative() => Err(Undefined::NegativeExponent),
        BinaryOp::Pow => Ok(left.pow(right)?),
        BinaryOp::Shl | BinaryOp::Shr if right.is_negative() => Err(Undefined::NegativeShift),
        BinaryOp::Shl => Ok(left.shl(right)?),
        BinaryOp::Shr => Ok(left.shr(right)),
        BinaryOp::BitAnd => Ok(left.bit_and(right)),
        BinaryOp::BitOr => Ok(left.bit_or(right)),
        BinaryOp::BitXor => Ok(left.bit_xor(right)),
    }
}
