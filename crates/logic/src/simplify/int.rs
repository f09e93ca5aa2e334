//! Constructors of integer terms: arithmetic.

use crate::evaluate;
use crate::integer::Integer;
use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{BinaryOp, Term, TermId, UnaryOp};

impl TermPool {
    /// An operation on one integer.
    pub fn unary(&mut self, op: UnaryOp, operand: TermId) -> TermId {
        if let Some(value) = self.as_int(operand) {
            let folded = evaluate::unary(op, value);
            return self.int(folded);
        }
        match op {
            UnaryOp::Neg => self.negate(operand),
            UnaryOp::Abs => match *self.get(operand) {
                Term::Unary(UnaryOp::Neg, inner) => self.unary(UnaryOp::Abs, inner),
                _ if self.is_never_negative(operand) => operand,
                _ => self.intern(Term::Unary(op, operand)),
            },
            UnaryOp::BitLength | UnaryOp::BitCount => match *self.get(operand) {
                Term::Unary(UnaryOp::Neg | UnaryOp::Abs, inner) => self.unary(op, inner),
                Term::FromBool(_) => operand,
                _ => self.intern(Term::Unary(op, operand)),
            },
        }
    }

    /// An operation on two integers.
    #[inline]
    pub fn binary(&mut self, op: BinaryOp, left: TermId, right: TermId) -> TermId {
        if let (Some(a), Some(b)) = (self.as_int(left), self.as_int(right))
            && let Ok(folded) = evaluate::binary(op, a, b)
        {
            return self.int(folded);
        }
        match op {
            BinaryOp::Add => self.add(left, right),
            BinaryOp::Sub => self.subtract(left, right),
            BinaryOp::Mul => self.multiply(left, right),
            BinaryOp::FloorDiv => self.floor_divide(left, right),
            BinaryOp::Mod => self.modulo(left, right),
            BinaryOp::Pow => match self.as_int(right) {
                Some(Integer::Small(0)) => self.small(1),
                Some(Integer::Small(1)) => left,
                _ => self.intern(Term::Binary(op, left, right)),
            },
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, left, right),
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => self.bitwise(op, left, right),
        }
    }

    fn negate(&mut self, operand: TermId) -> TermId {
        match *self.get(operand) {
            Term::Unary(UnaryOp::Neg, inner) => inner,
            Term::Binary(BinaryOp::Sub, a, b) => self.subtract(b, a),
            Term::Binary(BinaryOp::Add, inner, c) => match self.as_int(c) {
                Some(value) => {
                    let constant = -value;
                    let constant = self.int(constant);
                    self.subtract(constant, inner)
                }
                None => self.intern(Term::Unary(UnaryOp::Neg, operand)),
            },
            Term::Binary(BinaryOp::Mul, inner, c) => match self.as_int(c) {
                Some(value) => {
                    let factor = -value;
                    self.scale(inner, factor)
                }
                None => self.intern(Term::Unary(UnaryOp::Neg, operand)),
            },
            _ => self.intern(Term::Unary(UnaryOp::Neg, operand)),
        }
    }

    fn add(&mut self, left: TermId, right: TermId) -> TermId {
        if let Some(value) = self.as_int(right) {
            let value = value.clone();
            return self.offset(left, value);
        }
        if let Some(value) = self.as_int(left) {
            let value = value.clone();
            return self.offset(right, value);
        }
        if let Some((inner, value)) = self.split_offset(right) {
            let value = value.clone();
            let sum = self.add(left, inner);
            return self.offset(sum, value);
        }
        if let Some((inner, value)) = self.split_offset(left) {
            let value = value.clone();
            let sum = self.add(inner, right);
            return self.offset(sum, value);
        }
        match (self.get(left), self.get(right)) {
            (&Term::Unary(UnaryOp::Neg, a), _) => self.subtract(right, a),
            (_, &Term::Unary(UnaryOp::Neg, b)) => self.subtract(left, b),
            (&Term::Binary(BinaryOp::Sub, a, b), _) if b == right => a,
            (_, &Term::Binary(BinaryOp::Sub, a, b)) if b == left => a,
            _ => self.add_multiples(left, right),
        }
    }

    /// `3*a + a` is `4*a`: sums grown in a loop stay small.
    fn add_multiples(&mut self, left: TermId, right: TermId) -> TermId {
        let ((a, times), (b, more)) = (self.as_multiple(left), self.as_multiple(right));
        if a == b {
            return self.scale(a, &times + &more);
        }
        self.intern(Term::Binary(
            BinaryOp::Add,
            left.min(right),
            left.max(right),
        ))
    }

    /// The term as a multiple of another, of itself if nothing else.
    fn as_multiple(&self, term: TermId) -> (TermId, Integer) {
        if let Term::Binary(BinaryOp::Mul, inner, factor) = *self.get(term)
            && let Some(factor) = self.as_int(factor)
        {
            return (inner, factor.clone());
        }
        (term, Integer::Small(1))
    }

    /// `term + value`; constants of nested sums and differences merge.
    fn offset(&mut self, term: TermId, value: Integer) -> TermId {
        if value.is_zero() {
            return term;
        }
        match *self.get(term) {
            Term::Int(ref base) => {
                let sum = base + &value;
                self.int(sum)
            }
            Term::Binary(BinaryOp::Add, inner, c) => match self.as_int(c) {
                Some(base) => {
                    let sum = base + &value;
                    self.offset(inner, sum)
                }
                None => self.with_constant(BinaryOp::Add, term, value),
            },
            Term::Binary(BinaryOp::Sub, c, inner) => match self.as_int(c) {
                Some(base) => {
                    let sum = base + &value;
                    let constant = self.int(sum);
                    self.subtract(constant, inner)
                }
                None => self.with_constant(BinaryOp::Add, term, value),
            },
            _ => self.with_constant(BinaryOp::Add, term, value),
        }
    }

    fn subtract(&mut self, left: TermId, right: TermId) -> TermId {
        if left == right {
            return self.small(0);
        }
        if let Some(value) = self.as_int(right) {
            let value = -value;
            return self.offset(left, value);
        }
        if let Some((inner, value)) = self.split_offset(right) {
            let value = -value;
            let difference = self.subtract(left, inner);
            return self.offset(difference, value);
        }
        if let Some((inner, value)) = self.split_offset(left) {
            let value = value.clone();
            let difference = self.subtract(inner, right);
            return self.offset(difference, value);
        }
        match (self.get(left), self.get(right)) {
            (_, &Term::Unary(UnaryOp::Neg, b)) => self.add(left, b),
            (Term::Int(value), _) if value.is_zero() => self.negate(right),
            (Term::Int(_), &Term::Binary(BinaryOp::Sub, a, b)) if self.as_int(a).is_some() => {
                let constant = self.binary(BinaryOp::Sub, left, a);
                self.add(constant, b)
            }
            (&Term::Binary(BinaryOp::Add, a, b), _) if a == right => b,
            (&Term::Binary(BinaryOp::Add, a, b), _) if b == right => a,
            (&Term::Binary(BinaryOp::Sub, a, b), _) if a == right => self.negate(b),
            (_, &Term::Binary(BinaryOp::Sub, a, b)) if a == left => b,
            _ => self.intern(Term::Binary(BinaryOp::Sub, left, right)),
        }
    }

    fn multiply(&mut self, left: TermId, right: TermId) -> TermId {
        if let Some(value) = self.as_int(right) {
            let value = value.clone();
            return self.scale(left, value);
        }
        if let Some(value) = self.as_int(left) {
            let value = value.clone();
            return self.scale(right, value);
        }
        match (self.get(left), self.get(right)) {
            (&Term::FromBool(a), &Term::FromBool(b)) => {
                let both = self.and(a, b);
                self.from_bool(both)
            }
            _ => self.intern(Term::Binary(
                BinaryOp::Mul,
                left.min(right),
                left.max(right),
            )),
        }
    }

    /// `term * factor`; nested factors merge.
    fn scale(&mut self, term: TermId, factor: Integer) -> TermId {
        match factor {
            Integer::Small(0) => return self.small(0),
            Integer::Small(1) => return term,
            Integer::Small(-1) => return self.negate(term),
            Integer::Small(_) | Integer::Big(_) => {}
        }
        match *self.get(term) {
            Term::Unary(UnaryOp::Neg, inner) => self.scale(inner, -factor),
            Term::Binary(BinaryOp::Mul, inner, c) => match self.as_int(c) {
                Some(base) => match base.checked_mul(&factor) {
                    Ok(product) => self.scale(inner, product),
                    Err(_) => self.with_constant(BinaryOp::Mul, term, factor),
                },
                None => self.with_constant(BinaryOp::Mul, term, factor),
            },
            _ => self.with_constant(BinaryOp::Mul, term, factor),
        }
    }

    fn floor_divide(&mut self, left: TermId, right: TermId) -> TermId {
        match self.as_int(right) {
            Some(Integer::Small(1)) => left,
            Some(Integer::Small(-1)) => self.negate(left),
            Some(divisor) if !divisor.is_zero() => match self.exact_quotient(left, divisor) {
                Some((inner, factor)) => self.scale(inner, factor),
                None => self.intern(Term::Binary(BinaryOp::FloorDiv, left, right)),
            },
            _ => self.intern(Term::Binary(BinaryOp::FloorDiv, left, right)),
        }
    }

    /// `x * c` divided by a divisor of `c`.
    fn exact_quotient(&self, term: TermId, divisor: &Integer) -> Option<(TermId, Integer)> {
        let Term::Binary(BinaryOp::Mul, inner, c) = *self.get(term) else {
            return None;
        };
        let factor = self.as_int(c)?;
        factor.floor_mod(divisor)?.is_zero().then_some(())?;
        Some((inner, factor.floor_div(divisor)?))
    }

    fn modulo(&mut self, left: TermId, right: TermId) -> TermId {
        let Some(divisor) = self.as_int(right).filter(|divisor| !divisor.is_zero()) else {
            return self.intern(Term::Binary(BinaryOp::Mod, left, right));
        };
        if matches!(divisor, Integer::Small(1 | -1)) || self.exact_quotient(left, divisor).is_some()
        {
            return self.small(0);
        }
        if let Term::Binary(BinaryOp::Mod, _, inner) = *self.get(left)
            && inner == right
        {
            return left;
        }
        if let Some((inner, value)) = self.split_offset(left)
            && let Some(reduced) = value.floor_mod(&divisor.abs())
            && reduced != *value
        {
            let shifted = self.offset(inner, reduced);
            return self.modulo(shifted, right);
        }
        self.intern(Term::Binary(BinaryOp::Mod, left, right))
    }

    fn shift(&mut self, op: BinaryOp, left: TermId, right: TermId) -> TermId {
        match self.as_int(right) {
            Some(Integer::Small(0)) => left,
            Some(places) if !places.is_negative() => {
                // Equal directions add up: (x << 1) << 2 is x << 3.
                if let Term::Binary(inner_op, inner, c) = *self.get(left)
                    && inner_op == op
                    && let Some(first) = self.as_int(c).filter(|first| !first.is_negative())
                {
                    let places = first + places;
                    return self.with_constant(op, inner, places);
                }
                self.intern(Term::Binary(op, left, right))
            }
            _ => self.intern(Term::Binary(op, left, right)),
        }
    }

    /// Splits `x + c` into its parts.
    #[inline]
    pub(crate) fn split_offset(&self, term: TermId) -> Option<(TermId, &Integer)> {
        let Term::Binary(BinaryOp::Add, inner, c) = *self.get(term) else {
            return None;
        };
        Some((inner, self.as_int(c)?))
    }

    pub(crate) fn with_constant(&mut self, op: BinaryOp, term: TermId, value: Integer) -> TermId {
        let constant = self.int(value);
        self.intern(Term::Binary(op, term, constant))
    }

    /// Whether the shape of the term alone shows that it is at least zero.
    pub(crate) fn is_never_negative(&self, term: TermId) -> bool {
        self.shape_bounds(term)
            .0
            .is_some_and(|low| !low.is_negative())
    }

    /// The bounds that the outermost operation alone guarantees.
    pub(crate) fn shape_bounds(&self, term: TermId) -> (Option<Integer>, Option<Integer>) {
        let zero = Some(Integer::ZERO);
        match *self.get(term) {
            Term::Int(ref value) => (Some(value.clone()), Some(value.clone())),
            Term::FromBool(_) => (zero, Some(Integer::ONE)),
            Term::Unary(UnaryOp::Abs | UnaryOp::BitLength | UnaryOp::BitCount, _) => (zero, None),
            Term::Binary(BinaryOp::Mod, _, c) => match self.as_int(c) {
                Some(divisor) if divisor.is_positive() => (zero, Some(divisor - &Integer::ONE)),
                Some(divisor) if divisor.is_negative() => (Some(divisor + &Integer::ONE), zero),
                _ => (None, None),
            },
            Term::Binary(BinaryOp::BitAnd, _, c) => match self.as_int(c) {
                Some(mask) if !mask.is_negative() => (zero, Some(mask.clone())),
                _ => (None, None),
            },
            Term::Apply(Operation::Length | Operation::Span(_) | Operation::RSpan(_), _) => {
                (zero, None)
            }
            Term::Apply(Operation::At | Operation::Find | Operation::RFind, _) => {
                (Some(Integer::Small(-1)), None)
            }
            Term::Bool(_)
            | Term::Text(_)
            | Term::Float(_)
            | Term::Apply(..)
            | Term::Var(_)
            | Term::Not(_)
            | Term::And(..)
            | Term::Or(..)
            | Term::Iff(..)
            | Term::Compare(..)
            | Term::Ite(..)
            | Term::Unary(UnaryOp::Neg, _)
            | Term::Binary(
                BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::FloorDiv
                | BinaryOp::Pow
                | BinaryOp::Shl
                | BinaryOp::Shr
                | BinaryOp::BitOr
                | BinaryOp::BitXor,
                ..,
            ) => (None, None),
        }
    }
}
