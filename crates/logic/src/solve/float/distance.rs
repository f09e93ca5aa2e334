//! How far a constraint is from being true.
//!
//! Truth alone does not tell a search whether it gets warmer. The distance of a comparison is the number of
//! floats between its sides, on a logarithmic scale so that constraints of any size can be added up;
//! it is zero exactly where the constraint holds.

use crate::evaluate::Evaluator;
use crate::float::Float;
use crate::integer::Integer;
use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{Comparison, Term, TermId};
use crate::value::{Model, Value};

/// Deeper nested conditions are judged by their truth alone; bounds recursion.
const MAX_NESTING: u32 = 24;
/// The distance of something that cannot be measured.
const FAR: f64 = 70.0;

/// Measures constraints under one model.
pub(super) struct Measure<'a> {
    pub(super) pool: &'a TermPool,
    pub(super) model: &'a Model,
    pub(super) evaluator: &'a mut Evaluator,
}

impl Measure<'_> {
    /// Zero if the constraint holds, else the larger the further it is from holding.
    pub(super) fn distance(&mut self, constraint: TermId) -> f64 {
        if self.evaluator.holds(self.pool, self.model, constraint) {
            return 0.0;
        }
        // A broken constraint is never at distance zero, whatever its parts look like.
        self.measure(constraint, true, 0).max(1e-3)
    }

    fn measure(&mut self, term: TermId, wanted: bool, nesting: u32) -> f64 {
        if nesting > MAX_NESTING {
            return self.by_truth(term, wanted);
        }
        match *self.pool.get(term) {
            Term::Not(a) => self.measure(a, !wanted, nesting + 1),
            Term::And(a, b) | Term::Or(a, b) => {
                let all = matches!(self.pool.get(term), Term::And(..)) == wanted;
                let left = self.measure(a, wanted, nesting + 1);
                let right = self.measure(b, wanted, nesting + 1);
                if all { left + right } else { left.min(right) }
            }
            Term::Iff(a, b) => {
                let same = |left: bool| (left, left == wanted);
                let mut both = |(left, right): (bool, bool)| {
                    self.measure(a, left, nesting + 1) + self.measure(b, right, nesting + 1)
                };
                both(same(true)).min(both(same(false)))
            }
            Term::Ite(condition, chosen, other) => {
                let mut branch = |holds: bool, part: TermId| {
                    self.measure(condition, holds, nesting + 1)
                        + self.measure(part, wanted, nesting + 1)
                };
                branch(true, chosen).min(branch(false, other))
            }
            Term::Compare(op, a, b) => match (self.integer(a), self.integer(b)) {
                (Some(a), Some(b)) => integers(op, &a, &b, wanted),
                (None, _) | (_, None) => FAR,
            },
            Term::Apply(op, ref operands) => self.atom(term, op, operands, wanted),
            Term::Bool(_)
            | Term::Int(_)
            | Term::Text(_)
            | Term::Float(_)
            | Term::Var(_)
            | Term::FromBool(_)
            | Term::Unary(..)
            | Term::Binary(..) => self.by_truth(term, wanted),
        }
    }

    fn atom(&mut self, term: TermId, op: Operation, operands: &[TermId], wanted: bool) -> f64 {
        use Operation as Op;
        match (op, operands) {
            (Op::FloatEq | Op::FloatLt | Op::FloatLe, &[a, b]) => {
                match (self.float(a), self.float(b)) {
                    (Some(a), Some(b)) => floats(op, a, b, wanted),
                    (None, _) | (_, None) => FAR,
                }
            }
            (
                Op::IntEqFloat | Op::IntLtFloat | Op::IntLeFloat | Op::IntGtFloat | Op::IntGeFloat,
                &[a, b],
            ) => match (self.integer(a), self.float(b)) {
                (Some(a), Some(b)) => mixed(op, &a, b, wanted),
                (None, _) | (_, None) => FAR,
            },
            (Op::IsNegative, &[a]) => match self.float(a).and_then(Float::rank) {
                Some(rank) if (rank < 0) == wanted => 0.0,
                Some(rank) => steps(rank.unsigned_abs()),
                None if wanted => FAR,
                None => 0.0,
            },
            _ => self.by_truth(term, wanted),
        }
    }

    fn by_truth(&mut self, term: TermId, wanted: bool) -> f64 {
        let value = self.evaluator.value_again(self.pool, self.model, term);
        if value == Ok(Value::Bool(wanted)) {
            0.0
        } else {
            FAR
        }
    }

    fn integer(&mut self, term: TermId) -> Option<Integer> {
        let value = self.evaluator.value_again(self.pool, self.model, term);
        value.ok()?.as_int().cloned()
    }

    fn float(&mut self, term: TermId) -> Option<Float> {
        let value = self.evaluator.value_again(self.pool, self.model, term);
        value.ok()?.as_float()
    }
}

/// A number of steps as a distance; none is zero.
fn steps(count: u64) -> f64 {
    (count as f64).ln_1p()
}

/// The number of floats between two numbers; both zeros are one.
fn gap(a: Float, b: Float) -> Option<u64> {
    let rank = |float: Float| {
        let rank = float.rank()?;
        Some(if rank < 0 { rank + 1 } else { rank })
    };
    Some(rank(a)?.abs_diff(rank(b)?))
}

fn floats(op: Operation, a: Float, b: Float, wanted: bool) -> f64 {
    let (left, right) = (a.get(), b.get());
    let holds = match op {
        Operation::FloatEq => left == right,
        Operation::FloatLt => left < right,
        _ => left <= right,
    };
    if holds == wanted {
        return 0.0;
    }
    match gap(a, b) {
        Some(gap) => steps(gap.max(1)),
        None => FAR,
    }
}

fn mixed(op: Operation, a: &Integer, b: Float, wanted: bool) -> f64 {
    use std::cmp::Ordering;
    let order = Float::order_of_integer(a, b);
    let holds = order.is_some_and(|order| match op {
        Operation::IntEqFloat => order == Ordering::Equal,
        Operation::IntLtFloat => order == Ordering::Less,
        Operation::IntLeFloat => order != Ordering::Greater,
        Operation::IntGtFloat => order == Ordering::Greater,
        _ => order != Ordering::Less,
    });
    if holds == wanted {
        return 0.0;
    }
    match gap(Float::from_integer(a), b) {
        Some(gap) => steps(gap.max(1)),
        None => FAR,
    }
}

fn integers(op: Comparison, a: &Integer, b: &Integer, wanted: bool) -> f64 {
    let holds = match op {
        Comparison::Eq => a == b,
        Comparison::Lt => a < b,
        Comparison::Le => a <= b,
    };
    if holds == wanted {
        return 0.0;
    }
    let difference = (a - b).abs();
    steps(
        difference
            .to_i64()
            .map_or(u64::MAX, |gap| gap.max(1) as u64),
    )
}
