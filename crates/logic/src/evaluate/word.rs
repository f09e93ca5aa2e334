//! Evaluation in machine words.
//!
//! Nearly all constraints compare small numbers. Their values fit registers, while a general value has to be
//! moved about in memory at every step, which costs ten times as much as the arithmetic. What is not answered here,
//! because a number is large, a float or undefined, is left to the general evaluation; what is answered is
//! exactly what that would say.

use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{BinaryOp, Comparison, Sort, Term, TermId, UnaryOp, VarId};
use crate::text::Text;
use crate::value::{Model, Value};

/// Whether a term of small depth is true.
pub(super) fn truth(pool: &TermPool, model: &Model, term: TermId) -> Option<bool> {
    match *pool.get(term) {
        Term::Bool(value) => Some(value),
        Term::Var(variable) => match model.get(variable)? {
            Value::Bool(value) => Some(*value),
            Value::Int(_) | Value::Text(_) | Value::Float(_) => None,
        },
        Term::Not(a) => Some(!truth(pool, model, a)?),
        Term::And(a, b) => Some(truth(pool, model, a)? && truth(pool, model, b)?),
        Term::Or(a, b) => Some(truth(pool, model, a)? || truth(pool, model, b)?),
        Term::Iff(a, b) => Some(truth(pool, model, a)? == truth(pool, model, b)?),
        Term::Compare(op, a, b) => {
            let (a, b) = (number(pool, model, a)?, number(pool, model, b)?);
            Some(match op {
                Comparison::Eq => a == b,
                Comparison::Lt => a < b,
                Comparison::Le => a <= b,
            })
        }
        Term::Ite(condition, chosen, other) => {
            let chosen = if truth(pool, model, condition)? {
                chosen
            } else {
                other
            };
            truth(pool, model, chosen)
        }
        Term::Int(_)
        | Term::Text(_)
        | Term::Float(_)
        | Term::FromBool(_)
        | Term::Unary(..)
        | Term::Binary(..)
        | Term::Apply(..) => None,
    }
}

/// The value of an integer term of small depth, if it and all its parts are small.
pub(super) fn number(pool: &TermPool, model: &Model, term: TermId) -> Option<i64> {
    match *pool.get(term) {
        Term::Int(ref value) => value.to_i64(),
        Term::Var(variable) => input(pool, model, variable),
        Term::Ite(condition, chosen, other) => {
            let chosen = if truth(pool, model, condition)? {
                chosen
            } else {
                other
            };
            number(pool, model, chosen)
        }
        Term::FromBool(a) => Some(i64::from(truth(pool, model, a)?)),
        Term::Unary(op, a) => unary(op, number(pool, model, a)?),
        Term::Binary(op, a, b) => binary(op, number(pool, model, a)?, number(pool, model, b)?),
        Term::Apply(Operation::Length, ref operands) => {
            Some(leaf_text(pool, model, *operands.first()?)?.len() as i64)
        }
        Term::Apply(Operation::At, ref operands) => {
            let &[text, place] = &**operands else {
                return None;
            };
            let place = usize::try_from(number(pool, model, place)?);
            let units = leaf_text(pool, model, text)?.units();
            let unit = place.ok().and_then(|place| units.get(place));
            Some(unit.map_or(-1, |&unit| i64::from(unit)))
        }
        Term::Bool(_)
        | Term::Text(_)
        | Term::Float(_)
        | Term::Not(_)
        | Term::And(..)
        | Term::Or(..)
        | Term::Iff(..)
        | Term::Compare(..)
        | Term::Apply(..) => None,
    }
}

fn input(pool: &TermPool, model: &Model, variable: VarId) -> Option<i64> {
    match model.get(variable) {
        Some(Value::Int(value)) => value.to_i64(),
        Some(Value::Bool(_) | Value::Text(_) | Value::Float(_)) => None,
        None => (pool.var_sort(variable) == Sort::Int).then_some(0),
    }
}

fn leaf_text<'a>(pool: &'a TermPool, model: &'a Model, term: TermId) -> Option<&'a Text> {
    match pool.get(term) {
        Term::Text(value) => Some(value),
        Term::Var(variable) => model.get(*variable)?.as_text(),
        Term::Bool(_)
        | Term::Int(_)
        | Term::Float(_)
        | Term::Not(_)
        | Term::And(..)
        | Term::Or(..)
        | Term::Iff(..)
        | Term::Compare(..)
        | Term::Ite(..)
        | Term::FromBool(_)
        | Term::Unary(..)
        | Term::Binary(..)
        | Term::Apply(..) => None,
    }
}

fn unary(op: UnaryOp, value: i64) -> Option<i64> {
    match op {
        UnaryOp::Neg => value.checked_neg(),
        UnaryOp::Abs => value.checked_abs(),
        UnaryOp::BitLength => Some(64 - i64::from(value.unsigned_abs().leading_zeros())),
        UnaryOp::BitCount => Some(i64::from(value.unsigned_abs().count_ones())),
    }
}

fn binary(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::FloorDiv => {
            let (quotient, rest) = (a.checked_div(b)?, a.checked_rem(b)?);
            let inexact = rest != 0 && ((rest < 0) != (b < 0));
            Some(quotient - i64::from(inexact))
        }
        BinaryOp::Mod => {
            let rest = a.checked_rem(b)?;
            let adjusted = rest != 0 && ((rest < 0) != (b < 0));
            Some(if adjusted { rest + b } else { rest })
        }
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::Shr if b >= 0 => Some(a >> b.min(63)),
        BinaryOp::Shr | BinaryOp::Shl | BinaryOp::Pow => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::shallow;
    use crate::integer::Integer;

    const NUMBERS: [i64; 11] = [0, 1, -1, 2, 7, -7, 63, 64, i64::MAX, i64::MIN, i64::MIN + 1];
    const BINARY: [BinaryOp; 11] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::FloorDiv,
        BinaryOp::Mod,
        BinaryOp::Pow,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
    ];

    /// What is said here, as the general evaluation would say it.
    fn said(pool: &TermPool, model: &Model, term: TermId) -> Option<Value> {
        match pool.sort(term) {
            Sort::Bool => truth(pool, model, term).map(Value::Bool),
            Sort::Int => number(pool, model, term).map(Value::from),
            Sort::Str | Sort::Bytes | Sort::Float => None,
        }
    }

    fn terms(pool: &mut TermPool) -> (Vec<TermId>, [VarId; 4]) {
        let names = [
            ("x", Sort::Int),
            ("y", Sort::Int),
            ("b", Sort::Bool),
            ("s", Sort::Str),
        ];
        let [x, y, b, s] = names.map(|(name, sort)| pool.variable(name, sort));
        let mut numbers = vec![x, y];
        numbers.extend(BINARY.map(|op| pool.binary(op, x, y)));
        for op in [
            UnaryOp::Neg,
            UnaryOp::Abs,
            UnaryOp::BitLength,
            UnaryOp::BitCount,
        ] {
            numbers.push(pool.unary(op, x));
        }
        numbers.push(pool.apply(Operation::Length, &[s]));
        numbers.push(pool.apply(Operation::At, &[s, x]));
        numbers.push(pool.ite(b, x, y));
        let mut all = numbers.clone();
        for &number in &numbers {
            let truths = [pool.lt(number, y), pool.le(x, number), pool.eq(number, x)];
            all.extend(truths);
            all.push(pool.and(b, truths[0]));
            all.push(pool.or(truths[1], truths[2]));
            all.push(pool.not(truths[0]));
            all.push(pool.iff(b, truths[1]));
        }
        let variables = [x, y, b, s].map(|term| pool.vars(term).iter().next().unwrap());
        (all, variables)
    }

    #[test]
    fn what_is_answered_is_what_the_general_evaluation_says() {
        let mut pool = TermPool::new();
        let (terms, [x, y, b, s]) = terms(&mut pool);
        let mut answered = 0;
        for (left, right) in NUMBERS.iter().flat_map(|&a| NUMBERS.map(|b| (a, b))) {
            let mut model = Model::new();
            model.set(x, left);
            model.set(y, right);
            model.set(b, Value::Bool(left > right));
            model.set(s, Text::str("words"));
            for &term in &terms {
                if let Some(value) = said(&pool, &model, term) {
                    answered += 1;
                    assert_eq!(shallow(&pool, &model, term), Ok(value), "{term:?}");
                }
            }
        }
        assert!(answered > 8_000, "only {answered} answered");
    }

    #[test]
    fn a_missing_input_is_zero() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::Int);
        assert_eq!(number(&pool, &Model::new(), x), Some(0));
    }

    #[test]
    fn large_numbers_are_left_to_others() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::Int);
        let one = pool.small(1);
        let sum = pool.binary(BinaryOp::Add, x, one);
        let variable = pool.vars(x).iter().next().unwrap();
        let mut model = Model::new();
        model.set(variable, i64::MAX);
        assert_eq!(number(&pool, &model, sum), None);
        model.set(
            variable,
            Value::Int(&Integer::Small(i64::MAX) + &Integer::ONE),
        );
        assert_eq!(number(&pool, &model, x), None);
    }
}
