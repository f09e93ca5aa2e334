//! Constructors of comparisons.
//!
//! Constants move to one side and operations that can be undone are undone, so that different ways
//! of writing a bound share one term: `x + 3 == 5`, `x * 2 == 4` and `5 == 3 + x` are all `x == 2`.

use crate::integer::Integer;
use crate::pool::TermPool;
use crate::term::{BinaryOp, Comparison, Term, TermId, UnaryOp};

impl TermPool {
    /// `left == right`
    pub fn eq(&mut self, left: TermId, right: TermId) -> TermId {
        self.compare(Comparison::Eq, left, right)
    }

    /// `left != right`
    pub fn ne(&mut self, left: TermId, right: TermId) -> TermId {
        let equal = self.eq(left, right);
        self.not(equal)
    }

    /// `left < right`
    pub fn lt(&mut self, left: TermId, right: TermId) -> TermId {
        self.compare(Comparison::Lt, left, right)
    }

    /// `left <= right`
    pub fn le(&mut self, left: TermId, right: TermId) -> TermId {
        self.compare(Comparison::Le, left, right)
    }

    /// `left > right`
    pub fn gt(&mut self, left: TermId, right: TermId) -> TermId {
        self.compare(Comparison::Lt, right, left)
    }

    /// `left >= right`
    pub fn ge(&mut self, left: TermId, right: TermId) -> TermId {
        self.compare(Comparison::Le, right, left)
    }

    /// A comparison of two integers.
    #[inline]
    pub fn compare(&mut self, op: Comparison, left: TermId, right: TermId) -> TermId {
        if left == right {
            return self.bool(op != Comparison::Lt);
        }
        match (self.as_int(left), self.as_int(right)) {
            (Some(a), Some(b)) => {
                let holds = relates(op, a, b);
                self.bool(holds)
            }
            (None, Some(_)) => self.compare_constant(Bound::of(op, Side::Right), left, right),
            (Some(_), None) => self.compare_constant(Bound::of(op, Side::Left), right, left),
            (None, None) => self.compare_terms(op, left, right),
        }
    }

    fn compare_terms(&mut self, op: Comparison, left: TermId, right: TermId) -> TermId {
        let (left, right) = self.gather_constants(left, right);
        if left == right || self.as_int(left).is_some() || self.as_int(right).is_some() {
            return self.compare(op, left, right);
        }
        match (self.get(left), self.get(right)) {
            (&Term::FromBool(a), &Term::FromBool(b)) => self.compare_truths(op, a, b),
            (&Term::Unary(UnaryOp::Neg, a), &Term::Unary(UnaryOp::Neg, b)) => {
                self.compare(op, b, a)
            }
            _ => self.order(op, left, right),
        }
    }

    /// Interns a comparison; `x < y + 1` is `x <= y` and `x <= y - 1` is `x < y`.
    fn order(&mut self, op: Comparison, left: TermId, right: TermId) -> TermId {
        let term = match (op, self.split_offset(right)) {
            (Comparison::Eq, None) => Term::Compare(op, left.min(right), left.max(right)),
            (Comparison::Lt, Some((inner, Integer::Small(1)))) => {
                Term::Compare(Comparison::Le, left, inner)
            }
            (Comparison::Le, Some((inner, Integer::Small(-1)))) => {
                Term::Compare(Comparison::Lt, left, inner)
            }
            _ => Term::Compare(op, left, right),
        };
        self.intern(term)
    }

    /// Moves the constants of both sides to the right side.
    fn gather_constants(&mut self, left: TermId, right: TermId) -> (TermId, TermId) {
        let (bare_left, offset_left) = match self.split_offset(left) {
            Some((inner, value)) => (inner, value.clone()),
            None => (left, Integer::ZERO),
        };
        if offset_left.is_zero() {
            return (left, right);
        }
        let constant = self.int(-offset_left);
        (bare_left, self.binary(BinaryOp::Add, right, constant))
    }

    fn compare_truths(&mut self, op: Comparison, left: TermId, right: TermId) -> TermId {
        let negated = self.not(left);
        match op {
            Comparison::Eq => self.iff(left, right),
            Comparison::Lt => self.and(negated, right),
            Comparison::Le => self.or(negated, right),
        }
    }

    /// Undoes operations on the term for as long as the constant can follow.
    fn compare_constant(&mut self, bound: Bound, term: TermId, constant: TermId) -> TermId {
        let Term::Int(value) = self.get(constant) else {
            return self.rebuild(bound, term, constant);
        };
        if let Term::Var(_) = self.get(term) {
            return self.rebuild(bound, term, constant);
        }
        let (mut bound, mut term, mut value) = (bound, term, value.clone());
        loop {
            match self.peel(bound, term, &value) {
                Peeled::Inner(next_bound, next_term, next_value) => {
                    (bound, term, value) = (next_bound, next_term, next_value);
                }
                Peeled::Whole(answer) => return answer,
                Peeled::Stuck => {
                    let constant = self.int(value);
                    return self.rebuild(bound, term, constant);
                }
            }
        }
    }

    fn peel(&mut self, bound: Bound, term: TermId, value: &Integer) -> Peeled {
        if let Some(decided) = self.decide_by_shape(bound, term, value) {
            return Peeled::Whole(self.bool(decided));
        }
        match *self.get(term) {
            Term::FromBool(truth) => Peeled::Whole(self.truth_against(bound, truth, value)),
            Term::Ite(condition, a, b) => match (self.as_int(a), self.as_int(b)) {
                (Some(a), Some(b)) => {
                    let (chosen, other) = (bound.admits(a, value), bound.admits(b, value));
                    let (chosen, other) = (self.bool(chosen), self.bool(other));
                    Peeled::Whole(self.ite(condition, chosen, other))
                }
                _ => Peeled::Stuck,
            },
            Term::Unary(UnaryOp::Neg, inner) => Peeled::Inner(bound.flipped(), inner, -value),
            Term::Unary(UnaryOp::Abs | UnaryOp::BitLength | UnaryOp::BitCount, inner)
                if bound == Bound::Equal && value.is_zero() =>
            {
                Peeled::Inner(bound, inner, Integer::ZERO)
            }
            Term::Binary(op, a, b) => self.peel_binary(bound, op, (a, b), value),
            Term::Bool(_)
            | Term::Int(_)
            | Term::Text(_)
            | Term::Float(_)
            | Term::Apply(..)
            | Term::Var(_)
            | Term::Not(_)
            | Term::And(..)
            | Term::Or(..)
            | Term::Iff(..)
            | Term::Compare(..)
            | Term::Unary(..) => Peeled::Stuck,
        }
    }

    fn peel_binary(
        &mut self,
        bound: Bound,
        op: BinaryOp,
        (a, b): (TermId, TermId),
        value: &Integer,
    ) -> Peeled {
        match (op, self.as_int(a), self.as_int(b)) {
            (BinaryOp::Add, _, Some(c)) => Peeled::Inner(bound, a, value - c),
            (BinaryOp::Sub, Some(c), _) => Peeled::Inner(bound.flipped(), b, c - value),
            (BinaryOp::Sub, None, None) if value.is_zero() => {
                Peeled::Whole(bound.compare(self, a, b))
            }
            (BinaryOp::BitXor, _, Some(c)) if bound == Bound::Equal => {
                Peeled::Inner(bound, a, value.bit_xor(c))
            }
            (BinaryOp::BitXor, None, None) if bound == Bound::Equal && value.is_zero() => {
                Peeled::Whole(self.compare(Comparison::Eq, a, b))
            }
            (BinaryOp::Mul, _, Some(factor)) => match bound.divide(value, factor) {
                Divided::Never => Peeled::Whole(self.bool(false)),
                Divided::Bound(bound, quotient) => Peeled::Inner(bound, a, quotient),
                Divided::Undivided => Peeled::Stuck,
            },
            _ => Peeled::Stuck,
        }
    }

    fn rebuild(&mut self, bound: Bound, term: TermId, constant: TermId) -> TermId {
        self.intern(match bound {
            Bound::Equal => Term::Compare(Comparison::Eq, term, constant),
            Bound::Below => Term::Compare(Comparison::Lt, term, constant),
            Bound::AtMost => Term::Compare(Comparison::Le, term, constant),
            Bound::Above => Term::Compare(Comparison::Lt, constant, term),
            Bound::AtLeast => Term::Compare(Comparison::Le, constant, term),
        })
    }

    fn truth_against(&mut self, bound: Bound, truth: TermId, value: &Integer) -> TermId {
        match (
            bound.admits(&Integer::ZERO, value),
            bound.admits(&Integer::ONE, value),
        ) {
            (false, true) => truth,
            (true, false) => self.not(truth),
            (both, _) => self.bool(both),
        }
    }

    fn decide_by_shape(&self, bound: Bound, term: TermId, value: &Integer) -> Option<bool> {
        let (low, high) = self.shape_bounds(term);
        let (below, above) = (
            high.is_some_and(|high| high < *value),
            low.is_some_and(|low| low > *value),
        );
        match bound {
            Bound::Equal => (below || above).then_some(false),
            Bound::Below | Bound::AtMost if below => Some(true),
            Bound::Below | Bound::AtMost => above.then_some(false),
            Bound::Above | Bound::AtLeast if above => Some(true),
            Bound::Above | Bound::AtLeast => below.then_some(false),
        }
    }
}

fn relates(op: Comparison, left: &Integer, right: &Integer) -> bool {
    match op {
        Comparison::Eq => left == right,
        Comparison::Lt => left < right,
        Comparison::Le => left <= right,
    }
}

enum Side {
    Left,
    Right,
}

/// How a term relates to a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Equal,
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// What is left of a bound on a term after looking at its outermost operation.
enum Peeled {
    /// The same as this bound on an operand.
    Inner(Bound, TermId, Integer),
    /// The same as this truth term.
    Whole(TermId),
    /// The operation cannot be undone.
    Stuck,
}

enum Divided {
    Never,
    Bound(Bound, Integer),
    Undivided,
}

impl Bound {
    /// The bound a comparison puts on a term when the constant stands on `side`.
    fn of(op: Comparison, side: Side) -> Self {
        match (op, side) {
            (Comparison::Eq, _) => Bound::Equal,
            (Comparison::Lt, Side::Right) => Bound::Below,
            (Comparison::Le, Side::Right) => Bound::AtMost,
            (Comparison::Lt, Side::Left) => Bound::Above,
            (Comparison::Le, Side::Left) => Bound::AtLeast,
        }
    }

    /// The bound on `-x` that this bound on `x` gives.
    fn flipped(self) -> Self {
        match self {
            Bound::Equal => Bound::Equal,
            Bound::Below => Bound::Above,
            Bound::AtMost => Bound::AtLeast,
            Bound::Above => Bound::Below,
            Bound::AtLeast => Bound::AtMost,
        }
    }

    fn admits(self, candidate: &Integer, value: &Integer) -> bool {
        match self {
            Bound::Equal => candidate == value,
            Bound::Below => candidate < value,
            Bound::AtMost => candidate <= value,
            Bound::Above => candidate > value,
            Bound::AtLeast => candidate >= value,
        }
    }

    fn compare(self, pool: &mut TermPool, term: TermId, other: TermId) -> TermId {
        match self {
            Bound::Equal => pool.compare(Comparison::Eq, term, other),
            Bound::Below => pool.compare(Comparison::Lt, term, other),
            Bound::AtMost => pool.compare(Comparison::Le, term, other),
            Bound::Above => pool.compare(Comparison::Lt, other, term),
            Bound::AtLeast => pool.compare(Comparison::Le, other, term),
        }
    }

    /// The bound on `x` that this bound on `x * factor` gives.
    fn divide(self, value: &Integer, factor: &Integer) -> Divided {
        let (Some(floor), Some(ceil)) = (value.floor_div(factor), value.ceil_div(factor)) else {
            return Divided::Undivided;
        };
        let exact = floor == ceil;
        let bound = if factor.is_negative() {
            self.flipped()
        } else {
            self
        };
        match bound {
            Bound::Equal if exact => Divided::Bound(bound, floor),
            Bound::Equal => Divided::Never,
            Bound::Below | Bound::AtLeast => Divided::Bound(bound, ceil),
            Bound::AtMost | Bound::Above => Divided::Bound(bound, floor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    fn pool_xy() -> (TermPool, TermId, TermId) {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::Int);
        let y = pool.variable("y", Sort::Int);
        (pool, x, y)
    }

    #[test]
    fn offsets_move_to_the_constant() {
        let (mut pool, x, _) = pool_xy();
        let (three, five, two) = (pool.small(3), pool.small(5), pool.small(2));
        let sum = pool.binary(BinaryOp::Add, x, three);
        assert_eq!(pool.eq(sum, five), pool.eq(x, two));
        assert_eq!(pool.eq(five, sum), pool.eq(x, two));
        assert_eq!(pool.lt(sum, five), pool.lt(x, two));
        assert_eq!(pool.gt(sum, five), pool.gt(x, two));
    }

    #[test]
    fn factors_divide_the_constant() {
        let (mut pool, x, _) = pool_xy();
        let (three, seven) = (pool.small(3), pool.small(7));
        let product = pool.binary(BinaryOp::Mul, x, three);
        let never = pool.eq(product, seven);
        assert_eq!(pool.as_bool(never), Some(false));
        let two = pool.small(2);
        assert_eq!(pool.le(product, seven), pool.le(x, two));
        assert_eq!(pool.lt(product, seven), pool.lt(x, three));
    }

    #[test]
    fn orders_off_by_one_share_a_term() {
        let (mut pool, x, y) = pool_xy();
        let one = pool.small(1);
        let next = pool.binary(BinaryOp::Add, y, one);
        assert_eq!(pool.lt(x, next), pool.le(x, y));
        let x_next = pool.binary(BinaryOp::Add, x, one);
        assert_eq!(pool.le(x_next, y), pool.lt(x, y));
    }

    #[test]
    fn truths_compared_with_numbers_are_truths() {
        let mut pool = TermPool::new();
        let b = pool.variable("b", Sort::Bool);
        let number = pool.from_bool(b);
        let (zero, one, two) = (pool.small(0), pool.small(1), pool.small(2));
        let negated = pool.not(b);
        assert_eq!(pool.eq(number, one), b);
        assert_eq!(pool.eq(number, zero), negated);
        assert_eq!(pool.gt(number, zero), b);
        let below = pool.lt(number, two);
        assert_eq!(pool.as_bool(below), Some(true));
    }

    #[test]
    fn deeply_nested_offsets_need_no_stack() {
        let (mut pool, x, _) = pool_xy();
        let (three, mut term) = (pool.small(3), x);
        for _ in 0..200_000 {
            term = pool.binary(BinaryOp::BitXor, term, three);
            term = pool.binary(BinaryOp::Sub, three, term);
        }
        let equal = pool.eq(term, three);
        assert!(matches!(pool.get(equal), Term::Compare(Comparison::Eq, left, _) if *left == x));
    }

    #[test]
    fn xor_is_undone() {
        let (mut pool, x, _) = pool_xy();
        let (mask, value, solution) = (
            pool.small(0x5555_5555),
            pool.small(0x5551_5555),
            pool.small(0x4_0000),
        );
        let xor = pool.binary(BinaryOp::BitXor, x, mask);
        assert_eq!(pool.eq(xor, value), pool.eq(x, solution));
    }

    #[test]
    fn remainders_outside_their_range_are_decided() {
        let (mut pool, x, _) = pool_xy();
        let (three, four) = (pool.small(3), pool.small(4));
        let remainder = pool.binary(BinaryOp::Mod, x, three);
        let never = pool.eq(remainder, four);
        assert_eq!(pool.as_bool(never), Some(false));
        let always = pool.lt(remainder, four);
        assert_eq!(pool.as_bool(always), Some(true));
    }
}
