//! Rules for operations on floats. Few of the laws of arithmetic hold for them.
//!
//! A rule holds for every operand, bit for bit: `nan`, infinities and both zeros included. So `x + 0.0`
//! stays (`-0.0 + 0.0` is `0.0`) while `x + -0.0` is `x`, and `not x < y` is no comparison, since it
//! holds for `nan`. The canonical forms:
//!
//! - constants are the right operand of `+`, `*` and `==`; `x - c` is `x + -c`; `x + -y` is `x - y`;
//! - operands of commutative operations are otherwise ordered by id;
//! - `x + x` is `x * 2.0`;
//! - no comparison has `nan` or `-0.0` as a constant side;
//! - an integer is compared with a constant float by comparing integers.

use crate::float::{Float, Rounding};
use crate::integer::Integer;
use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{Term, TermId};

/// All integers up to this one are floats.
const LAST_EXACT: i64 = 1 << 53;

impl TermPool {
    /// A simpler term for an operation on floats, if a rule applies.
    pub(super) fn simplify_float(&mut self, op: Operation, operands: &[TermId]) -> Option<TermId> {
        use Operation as Op;
        match (op, operands) {
            (Op::FloatNeg, &[x]) => Some(self.apply_of(x, Op::FloatNeg)?[0]),
            (Op::FloatAbs, &[x]) => self.simplify_float_abs(x),
            (Op::CopySign, &[x, sign]) => self.simplify_copysign(x, sign),
            (Op::FloatAdd, &[x, y]) => self.simplify_float_add(x, y),
            (Op::FloatSub, &[x, y]) => self.simplify_float_sub(x, y),
            (Op::FloatMul, &[x, y]) => self.simplify_float_mul(x, y),
            (Op::FloatDiv, &[x, y]) => self.simplify_float_div(x, y),
            (Op::FloatPow, &[x, y]) => match (self.as_float(x), self.as_float(y)) {
                (_, Some(0.0)) | (Some(1.0), _) => Some(self.float(1.0)),
                (_, Some(1.0)) => Some(x),
                _ => None,
            },
            (Op::FloatRound(_), &[x]) => self.is_whole(x).then_some(x),
            (Op::FloatToInt, &[x]) => self.simplify_float_to_int(x),
            (Op::FloatEq, &[x, y]) => self.simplify_float_eq(x, y),
            (Op::FloatLt, &[x, y]) => self.simplify_float_lt(x, y),
            (Op::FloatLe, &[x, y]) => self.simplify_float_le(x, y),
            (Op::IsNan, &[x]) => self.simplify_is_nan(x),
            (Op::IsNegative, &[x]) => self.simplify_is_negative(x),
            (
                Op::IntEqFloat | Op::IntLtFloat | Op::IntLeFloat | Op::IntGtFloat | Op::IntGeFloat,
                &[i, f],
            ) => self.simplify_mixed(op, i, f),
            (Op::IntDiv, &[i, j]) if self.as_int(j) == Some(&Integer::ONE) => {
                Some(self.apply(Op::FloatFromInt, &[i]))
            }
            _ => None,
        }
    }

    /// The operands of a term, if it is this operation.
    fn apply_of(&self, term: TermId, op: Operation) -> Option<&[TermId]> {
        match self.get(term) {
            Term::Apply(found, operands) if *found == op => Some(operands),
            _ => None,
        }
    }

    fn float_neg(&mut self, x: TermId) -> TermId {
        self.apply(Operation::FloatNeg, &[x])
    }

    fn simplify_float_abs(&mut self, x: TermId) -> Option<TermId> {
        match *self.get(x) {
            Term::Apply(Operation::FloatAbs, _) => Some(x),
            Term::Apply(Operation::FloatNeg | Operation::CopySign, ref inner) => {
                let inner = inner[0];
                Some(self.apply(Operation::FloatAbs, &[inner]))
            }
            _ => None,
        }
    }

    fn simplify_copysign(&mut self, x: TermId, sign: TermId) -> Option<TermId> {
        let sign = self.as_float(sign)?;
        let size = self.apply(Operation::FloatAbs, &[x]);
        Some(if sign.is_sign_negative() {
            self.float_neg(size)
        } else {
            size
        })
    }

    fn simplify_float_add(&mut self, x: TermId, y: TermId) -> Option<TermId> {
        let op = Operation::FloatAdd;
        match (self.as_float(x), self.as_float(y)) {
            (Some(_), _) => Some(self.apply(op, &[y, x])),
            (None, Some(c)) if c.is_nan() => Some(y),
            (None, Some(c)) if c == 0.0 && c.is_sign_negative() => Some(x),
            (None, Some(_)) => None,
            (None, None) => {
                if let Some(&[inner]) = self.apply_of(y, Operation::FloatNeg) {
                    return Some(self.apply(Operation::FloatSub, &[x, inner]));
                }
                if let Some(&[inner]) = self.apply_of(x, Operation::FloatNeg) {
                    return Some(self.apply(Operation::FloatSub, &[y, inner]));
                }
                if x == y {
                    let two = self.float(2.0);
                    return Some(self.apply(Operation::FloatMul, &[x, two]));
                }
                (y < x).then(|| self.intern(Term::Apply(op, [y, x].into())))
            }
        }
    }

    fn simplify_float_sub(&mut self, x: TermId, y: TermId) -> Option<TermId> {
        if let Some(c) = self.as_float(y) {
            let negated = self.float(-c);
            return Some(self.apply(Operation::FloatAdd, &[x, negated]));
        }
        if let Some(&[inner]) = self.apply_of(y, Operation::FloatNeg) {
            return Some(self.apply(Operation::FloatAdd, &[x, inner]));
        }
        self.as_float(x).filter(|c| c.is_nan()).map(|_| x)
    }

    fn simplify_float_mul(&mut self, x: TermId, y: TermId) -> Option<TermId> {
        let op = Operation::FloatMul;
        match (self.as_float(x), self.as_float(y)) {
            (Some(_), _) => Some(self.apply(op, &[y, x])),
            (None, Some(c)) if c.is_nan() => Some(y),
            (None, Some(1.0)) => Some(x),
            (None, Some(-1.0)) => Some(self.float_neg(x)),
            (None, Some(c)) => {
                let &[inner] = self.apply_of(x, Operation::FloatNeg)? else {
                    return None;
                };
                let negated = self.float(-c);
                Some(self.apply(op, &[inner, negated]))
            }
            (None, None) => (y < x).then(|| self.intern(Term::Apply(op, [y, x].into()))),
        }
    }

    fn simplify_float_div(&mut self, x: TermId, y: TermId) -> Option<TermId> {
        let c = self.as_float(y)?;
        if c.is_nan() {
            return Some(y);
        }
        // Dividing by a power of two and multiplying with its inverse round the same number.
        let mantissa = c.to_bits() & ((1 << 52) - 1);
        let inverse = 1.0 / c;
        if mantissa == 0 && c.is_normal() && inverse.is_normal() {
            let inverse = self.float(inverse);
            return Some(self.apply(Operation::FloatMul, &[x, inverse]));
        }
        None
    }

    /// Whether rounding to a whole number changes nothing.
    fn is_whole(&self, x: TermId) -> bool {
        matches!(
            self.get(x),
            Term::Apply(Operation::FloatRound(_) | Operation::FloatFromInt, _)
        )
    }

    fn simplify_float_to_int(&mut self, x: TermId) -> Option<TermId> {
        match *self.get(x) {
            Term::Apply(Operation::FloatRound(Rounding::TowardsZero), ref inner) => {
                let inner = inner[0];
                Some(self.apply(Operation::FloatToInt, &[inner]))
            }
            Term::Apply(Operation::FloatFromInt, ref inner) if self.is_exact(inner[0]) => {
                Some(inner[0])
            }
            _ => None,
        }
    }

    /// Whether the shape of an integer shows that it is a float.
    fn is_exact(&self, i: TermId) -> bool {
        let (Some(low), Some(high)) = self.shape_bounds(i) else {
            return false;
        };
        low >= Integer::Small(-LAST_EXACT) && high <= Integer::Small(LAST_EXACT)
    }

    fn not_nan(&mut self, x: TermId) -> TermId {
        let nan = self.apply(Operation::IsNan, &[x]);
        self.not(nan)
    }

    fn simplify_float_eq(&mut self, x: TermId, y: TermId) -> Option<TermId> {
        let op = Operation::FloatEq;
        if x == y {
            return Some(self.not_nan(x));
        }
        let Some(c) = self.as_float(y) else {
            let swap = self.as_float(x).is_some() || y < x;
            return swap.then(|| self.apply(op, &[y, x]));
        };
        if c.is_nan() {
            return Some(self.bool(false));
        }
        if let Some(zero) = self.positive_zero(c) {
            return Some(self.apply(op, &[x, zero]));
        }
        if let Some(&[inner]) = self.apply_of(x, Operation::FloatNeg) {
            let negated = self.float(-c);
            return Some(self.apply(op, &[inner, negated]));
        }
        if let Some((inner, addend)) = self.offset_from_zero(x, c) {
            return Some(self.apply(op, &[inner, addend]));
        }
        if let Some((a, b)) = self.difference_from_zero(x, c) {
            let infinity = self.float(f64::INFINITY);
            let (equal, size) = (
                self.apply(op, &[a, b]),
                self.apply(Operation::FloatAbs, &[a]),
            );
            let finite = self.apply(Operation::FloatLt, &[size, infinity]);
            return Some(self.and(equal, finite));
        }
        let i = self.compared_exactly(x, c)?;
        Some(self.apply(Operation::IntEqFloat, &[i, y]))
    }

    fn simplify_float_lt(&mut self, x: TermId, y: TermId) -> Option<TermId> {
        let op = Operation::FloatLt;
        match (self.as_float(x), self.as_float(y)) {
            _ if x == y => Some(self.bool(false)),
            (Some(c), _) if c.is_nan() || c == f64::INFINITY => Some(self.bool(false)),
            (_, Some(c)) if c.is_nan() || c == f64::NEG_INFINITY => Some(self.bool(false)),
            (Some(c), None) => self.constant_left(op, c, y),
            (None, Some(c)) => self.constant_right(op, x, c),
            (None, None) | (Some(_), Some(_)) => None,
        }
    }

    fn simplify_float_le(&mut self, x: TermId, y: TermId) -> Option<TermId> {
        let op = Operation::FloatLe;
        match (self.as_float(x), self.as_float(y)) {
            _ if x == y => Some(self.not_nan(x)),
            (Some(c), _) | (_, Some(c)) if c.is_nan() => Some(self.bool(false)),
            (Some(f64::NEG_INFINITY), _) => Some(self.not_nan(y)),
            (_, Some(f64::INFINITY)) => Some(self.not_nan(x)),
            (Some(f64::INFINITY), _) | (_, Some(f64::NEG_INFINITY)) => {
                Some(self.apply(Operation::FloatEq, &[x, y]))
            }
            (Some(c), None) => self.constant_left(op, c, y),
            (None, Some(c)) => self.constant_right(op, x, c),
            (None, None) | (Some(_), Some(_)) => None,
        }
    }

    /// `c < y` or `c <= y`
    fn constant_left(&mut self, op: Operation, c: f64, y: TermId) -> Option<TermId> {
        if let Some(zero) = self.positive_zero(c) {
            return Some(self.apply(op, &[zero, y]));
        }
        if let Some(&[inner]) = self.apply_of(y, Operation::FloatNeg) {
            let negated = self.float(-c);
            return Some(self.apply(op, &[inner, negated]));
        }
        if let Some((inner, addend)) = self.offset_from_zero(y, c) {
            return Some(self.apply(op, &[addend, inner]));
        }
        if let (Operation::FloatLt, Some((a, b))) = (op, self.difference_from_zero(y, c)) {
            return Some(self.apply(op, &[b, a]));
        }
        let i = self.compared_exactly(y, c)?;
        let mixed = if op == Operation::FloatLt {
            Operation::IntGtFloat
        } else {
            Operation::IntGeFloat
        };
        let constant = self.float(c);
        Some(self.apply(mixed, &[i, constant]))
    }

    /// `x < c` or `x <= c`
    fn constant_right(&mut self, op: Operation, x: TermId, c: f64) -> Option<TermId> {
        if let Some(zero) = self.positive_zero(c) {
            return Some(self.apply(op, &[x, zero]));
        }
        if let Some(&[inner]) = self.apply_of(x, Operation::FloatNeg) {
            let negated = self.float(-c);
            return Some(self.apply(op, &[negated, inner]));
        }
        if let Some((inner, addend)) = self.offset_from_zero(x, c) {
            return Some(self.apply(op, &[inner, addend]));
        }
        if let (Operation::FloatLt, Some((a, b))) = (op, self.difference_from_zero(x, c)) {
            return Some(self.apply(op, &[a, b]));
        }
        let i = self.compared_exactly(x, c)?;
        let mixed = if op == Operation::FloatLt {
            Operation::IntLtFloat
        } else {
            Operation::IntLeFloat
        };
        let constant = self.float(c);
        Some(self.apply(mixed, &[i, constant]))
    }

    /// `x + d` compared with zero is `x` compared with `-d`: a sum of floats is never rounded to zero.
    fn offset_from_zero(&mut self, sum: TermId, c: f64) -> Option<(TermId, TermId)> {
        let &[inner, addend] = self.apply_of(sum, Operation::FloatAdd)? else {
            return None;
        };
        let addend = self
            .as_float(addend)
            .filter(|d| c == 0.0 && d.is_finite())?;
        Some((inner, self.float(-addend)))
    }

    /// The sides of a difference that is compared with zero. `<` may compare them instead; `==` and `<=`
    /// may not, since the difference of equal infinities is `nan`.
    fn difference_from_zero(&self, difference: TermId, c: f64) -> Option<(TermId, TermId)> {
        match self.apply_of(difference, Operation::FloatSub)? {
            &[a, b] if c == 0.0 => Some((a, b)),
            _ => None,
        }
    }

    /// `0.0` if the constant is `-0.0`.
    fn positive_zero(&mut self, c: f64) -> Option<TermId> {
        (c == 0.0 && c.is_sign_negative()).then(|| self.float(0.0))
    }

    /// The integer behind `x`, if comparing it with `c` is comparing `x` with `c`: integers are rounded
    /// only beyond those that are all floats, and never across one of them.
    fn compared_exactly(&self, x: TermId, c: f64) -> Option<TermId> {
        match self.apply_of(x, Operation::FloatFromInt)? {
            &[i] if c.abs() < LAST_EXACT as f64 => Some(i),
            _ => None,
        }
    }

    fn simplify_is_nan(&mut self, x: TermId) -> Option<TermId> {
        use Operation as Op;
        let Term::Apply(op, operands) = self.get(x) else {
            return None;
        };
        let op = *op;
        let (first, second) = (operands[0], operands.get(1).copied());
        let factor = second.and_then(|second| self.as_float(second));
        match op {
            Op::FloatFromInt | Op::IntDiv => Some(self.bool(false)),
            Op::FloatNeg | Op::FloatAbs | Op::FloatRound(_) | Op::CopySign => {
                Some(self.apply(Op::IsNan, &[first]))
            }
            Op::FloatAdd if factor.is_some_and(f64::is_finite) => {
                Some(self.apply(Op::IsNan, &[first]))
            }
            Op::FloatMul | Op::FloatDiv if factor.is_some_and(|c| c.is_finite() && c != 0.0) => {
                Some(self.apply(Op::IsNan, &[first]))
            }
            _ => None,
        }
    }

    fn simplify_is_negative(&mut self, x: TermId) -> Option<TermId> {
        match *self.get(x) {
            Term::Apply(Operation::FloatAbs, _) => Some(self.bool(false)),
            Term::Apply(Operation::FloatFromInt, ref inner) => {
                let (i, zero) = (inner[0], self.small(0));
                Some(self.lt(i, zero))
            }
            _ => None,
        }
    }

    /// An integer compared with a float, one of them constant.
    fn simplify_mixed(&mut self, op: Operation, i: TermId, f: TermId) -> Option<TermId> {
        if let Some(c) = self.as_float(f) {
            return Some(self.integer_against(op, i, c));
        }
        let value = self.as_int(i)?.clone();
        Some(self.float_against(op, &value, f))
    }

    fn integer_against(&mut self, op: Operation, i: TermId, c: f64) -> TermId {
        use Operation as Op;
        if !c.is_finite() {
            let holds = match op {
                Op::IntLtFloat | Op::IntLeFloat => c == f64::INFINITY,
                Op::IntGtFloat | Op::IntGeFloat => c == f64::NEG_INFINITY,
                _ => false,
            };
            return self.bool(holds);
        }
        let (floor, ceil) = (
            Float::new(c.floor()).to_integer(),
            Float::new(c.ceil()).to_integer(),
        );
        let (whole, floor, ceil) = (floor == ceil, self.int(floor), self.int(ceil));
        match op {
            Op::IntLtFloat => self.lt(i, ceil),
            Op::IntLeFloat => self.le(i, floor),
            Op::IntGtFloat => self.gt(i, floor),
            Op::IntGeFloat => self.ge(i, ceil),
            _ if whole => self.eq(i, floor),
            _ => self.bool(false),
        }
    }

    /// A constant integer, often no float itself, compared with a float.
    fn float_against(&mut self, op: Operation, value: &Integer, f: TermId) -> TermId {
        use Operation as Op;
        use std::cmp::Ordering;
        let near = Float::from_integer(value);
        let rank = near.rank().unwrap_or_default();
        let order = Float::order_of_integer(value, near).unwrap_or(Ordering::Equal);
        let (below, above) = match order {
            Ordering::Less => (Float::from_rank(rank - 1), near),
            Ordering::Equal => (near, near),
            Ordering::Greater => (near, Float::from_rank(rank + 1)),
        };
        let exact = order == Ordering::Equal;
        let (below, above) = (self.float(below.get()), self.float(above.get()));
        match op {
            Op::IntLtFloat if exact => self.apply(Op::FloatLt, &[above, f]),
            Op::IntLtFloat | Op::IntLeFloat => self.apply(Op::FloatLe, &[above, f]),
            Op::IntGtFloat if exact => self.apply(Op::FloatLt, &[f, below]),
            Op::IntGtFloat | Op::IntGeFloat => self.apply(Op::FloatLe, &[f, below]),
            _ if exact => self.apply(Op::FloatEq, &[f, above]),
            _ => self.bool(false),
        }
    }
}
