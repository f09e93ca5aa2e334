//! Constructors of integer terms: `&`, `|` and `^` on infinite two's complement.

use crate::evaluate;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::term::{BinaryOp, Term, TermId, UnaryOp};

impl TermPool {
    /// One of the three bitwise operations; not both operands are constant.
    pub(super) fn bitwise(&mut self, op: BinaryOp, left: TermId, right: TermId) -> TermId {
        if self.as_int(left).is_some() {
            return self.bitwise(op, right, left);
        }
        if let Some(value) = self.as_int(right) {
            let value = value.clone();
            return self.bitwise_constant(op, left, value);
        }
        if left == right {
            return if op == BinaryOp::BitXor {
                self.small(0)
            } else {
                left
            };
        }
        match (self.get(left), self.get(right)) {
            (&Term::FromBool(a), &Term::FromBool(b)) => {
                let combined = self.bitwise_truths(op, a, b);
                self.from_bool(combined)
            }
            _ => self.intern(Term::Binary(op, left.min(right), left.max(right))),
        }
    }

    fn bitwise_truths(&mut self, op: BinaryOp, left: TermId, right: TermId) -> TermId {
        match op {
            BinaryOp::BitAnd => self.and(left, right),
            BinaryOp::BitOr => self.or(left, right),
            // The caller passes nothing but the three bitwise operations.
            _ => {
                let same = self.iff(left, right);
                self.not(same)
            }
        }
    }

    fn bitwise_constant(&mut self, op: BinaryOp, term: TermId, value: Integer) -> TermId {
        match (op, &value) {
            (BinaryOp::BitAnd, Integer::Small(0)) => return self.small(0),
            (BinaryOp::BitOr, Integer::Small(-1)) => return self.small(-1),
            (BinaryOp::BitAnd, Integer::Small(-1))
            | (BinaryOp::BitOr | BinaryOp::BitXor, Integer::Small(0)) => return term,
            (BinaryOp::BitXor, Integer::Small(-1)) => {
                let negated = self.unary(UnaryOp::Neg, term);
                let one = self.small(-1);
                return self.binary(BinaryOp::Add, negated, one);
            }
            _ => {}
        }
        match *self.get(term) {
            Term::Binary(inner_op, inner, c) if inner_op == op => match self.as_int(c) {
                Some(base) => match evaluate::binary(op, base, &value) {
                    Ok(merged) => self.bitwise_constant(op, inner, merged),
                    Err(_) => self.with_constant(op, term, value),
                },
                None => self.with_constant(op, term, value),
            },
            Term::FromBool(truth) => self.bitwise_truth_constant(op, term, truth, value),
            _ => self.with_constant(op, term, value),
        }
    }

    /// `int(truth) op value`, where only the lowest bit of `value` meets the truth.
    fn bitwise_truth_constant(
        &mut self,
        op: BinaryOp,
        term: TermId,
        truth: TermId,
        value: Integer,
    ) -> TermId {
        match (op, value.bit(0)) {
            (BinaryOp::BitAnd, true) => term,
            (BinaryOp::BitAnd, false) => self.small(0),
            (BinaryOp::BitOr, true) => self.int(value),
            (BinaryOp::BitXor, true) => {
                let negated = self.not(truth);
                let flipped = self.from_bool(negated);
                let rest = &value - &Integer::ONE;
                self.bitwise_rest(flipped, rest)
            }
            _ => self.bitwise_rest(term, value),
        }
    }

    /// Bits that do not overlap add up.
    fn bitwise_rest(&mut self, truth: TermId, even: Integer) -> TermId {
        let even = self.int(even);
        self.binary(BinaryOp::Add, truth, even)
    }
}
