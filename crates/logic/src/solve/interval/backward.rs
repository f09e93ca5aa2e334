//! The backward half of propagation: from a term to its operands.

use super::propagate::{Contradiction, Propagation};
use super::range::Range;
use crate::integer::Integer;
use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{BinaryOp, Comparison, Sort, Term, TermId, UnaryOp};

type Narrowed = Result<(), Contradiction>;

impl Propagation {
    pub(super) fn backward(&mut self, pool: &TermPool, term: TermId) -> Narrowed {
        match pool.sort(term) {
            Sort::Bool => match self.truth(term) {
                Some(value) => self.backward_truth(pool, term, value),
                None => Ok(()),
            },
            Sort::Int | Sort::Str | Sort::Bytes => self.backward_number(pool, term),
            Sort::Float => match *pool.get(term) {
                Term::Apply(op, ref operands) => self.backward_float(op, operands, term),
                Term::Ite(condition, chosen, other) => {
                    self.backward_float_choice(term, condition, chosen, other)
                }
                _ => Ok(()),
            },
        }
    }

    fn backward_truth(&mut self, pool: &TermPool, term: TermId, value: bool) -> Narrowed {
        match *pool.get(term) {
            Term::Not(a) => self.require(a, !value),
            Term::And(a, b) => self.backward_connective(a, b, value, true),
            Term::Or(a, b) => self.backward_connective(a, b, value, false),
            Term::Iff(a, b) => {
                if let Some(other) = self.truth(b) {
                    self.require(a, other == value)?;
                }
                match self.truth(a) {
                    Some(other) => self.require(b, other == value),
                    None => Ok(()),
                }
            }
            Term::Compare(op, a, b) => self.backward_compare(op, a, b, value),
            Term::Apply(op, ref operands) if op.is_text() => {
                self.backward_relation(pool, op, operands, value)
            }
            Term::Apply(op, ref operands) => self.backward_apply_truth(op, operands, value),
            Term::Ite(condition, chosen, other) => match self.truth(condition) {
                Some(true) => self.require(chosen, value),
                Some(false) => self.require(other, value),
                None if self.truth(chosen) == Some(!value) => self.require(condition, false),
                None if self.truth(other) == Some(!value) => self.require(condition, true),
                None => Ok(()),
            },
            Term::Bool(_)
            | Term::Int(_)
            | Term::Var(_)
            | Term::FromBool(_)
            | Term::Unary(..)
            | Term::Binary(..)
            | Term::Text(_)
            | Term::Float(_) => Ok(()),
        }
    }

    /// `and` (both operands when true) or `or` (both operands when false).
    fn backward_connective(
        &mut self,
        a: TermId,
        b: TermId,
        value: bool,
        neutral: bool,
    ) -> Narrowed {
        if value == neutral {
            self.require(a, value)?;
            return self.require(b, value);
        }
        if self.truth(a) == Some(neutral) {
            self.require(b, value)?;
        }
        if self.truth(b) == Some(neutral) {
            self.require(a, value)
        } else {
            Ok(())
        }
    }

    fn backward_compare(&mut self, op: Comparison, a: TermId, b: TermId, value: bool) -> Narrowed {
        match (op, value) {
            (Comparison::Eq, true) => {
                let both = self.range(a).intersection(self.range(b));
                if both.is_empty() {
                    return Err(Contradiction);
                }
                self.narrow(a, &both)?;
                self.narrow(b, &both)
            }
            (Comparison::Eq, false) => {
                self.exclude(a, b)?;
                self.exclude(b, a)
            }
            (Comparison::Lt, true) => self.ordered(a, b, &Integer::ONE),
            (Comparison::Le, true) => self.ordered(a, b, &Integer::ZERO),
            (Comparison::Lt, false) => self.ordered(b, a, &Integer::ZERO),
            (Comparison::Le, false) => self.ordered(b, a, &Integer::ONE),
        }
    }

    /// `low + gap <= high`
    pub(super) fn ordered(&mut self, low: TermId, high: TermId, gap: &Integer) -> Narrowed {
        let most = self.range(high).high.as_ref().map(|bound| bound - gap);
        self.narrow(low, &Range::new(None, most))?;
        let least = self.range(low).low.as_ref().map(|bound| bound + gap);
        self.narrow(high, &Range::new(least, None))
    }

    /// `term` is not the only value of `other`.
    fn exclude(&mut self, term: TermId, other: TermId) -> Narrowed {
        let Some(value) = self.range(other).as_point() else {
            return Ok(());
        };
        let range = self.range(term);
        let (mut low, mut high) = (None, None);
        if range.low.as_ref() == Some(value) {
            low = Some(value + &Integer::ONE);
        }
        if range.high.as_ref() == Some(value) {
            high = Some(value - &Integer::ONE);
        }
        self.narrow(term, &Range::new(low, high))
    }

    fn backward_number(&mut self, pool: &TermPool, term: TermId) -> Narrowed {
        match *pool.get(term) {
            Term::Ite(condition, chosen, other) => {
                let range = self.range(term).clone();
                match self.truth(condition) {
                    Some(true) => self.narrow(chosen, &range),
                    Some(false) => self.narrow(other, &range),
                    None if self.range(chosen).intersection(&range).is_empty() => {
                        self.require(condition, false)
                    }
                    None if self.range(other).intersection(&range).is_empty() => {
                        self.require(condition, true)
                    }
                    None => Ok(()),
                }
            }
            Term::FromBool(a) => match self.range(term).as_point() {
                Some(value) => {
                    let value = !value.is_zero();
                    self.require(a, value)
                }
                None => Ok(()),
            },
            Term::Unary(op, a) => self.backward_unary(op, a, term),
            Term::Binary(op, a, b) => self.backward_binary(op, a, b, term),
            Term::Apply(Operation::FloatToInt, ref operands) => {
                self.backward_to_int(operands[0], term)
            }
            Term::Apply(op, ref operands) if op.is_text() => self.backward_text(op, operands, term),
            Term::Text(_)
            | Term::Float(_)
            | Term::Apply(..)
            | Term::Bool(_)
            | Term::Int(_)
            | Term::Var(_)
            | Term::Not(_)
            | Term::And(..)
            | Term::Or(..)
            | Term::Iff(..)
            | Term::Compare(..) => Ok(()),
        }
    }

    fn backward_unary(&mut self, op: UnaryOp, a: TermId, term: TermId) -> Narrowed {
        let range = self.range(term);
        let operand = match op {
            UnaryOp::Neg => range.neg(),
            UnaryOp::Abs if self.range(a).is_never_negative() => range.clone(),
            UnaryOp::Abs => Range::new(range.high.as_ref().map(|high| -high), range.high.clone()),
            UnaryOp::BitLength => match range.high.as_ref().and_then(Integer::to_i64) {
                Some(bits @ 0..=4096) => {
                    let most = &Integer::power_of_two(bits as u32) - &Integer::ONE;
                    Range::new(Some(-&most), Some(most))
                }
                Some(_) | None => Range::ALL,
            },
            UnaryOp::BitCount => Range::ALL,
        };
        self.narrow(a, &operand)
    }

    fn backward_binary(&mut self, op: BinaryOp, a: TermId, b: TermId, term: TermId) -> Narrowed {
        let range = self.range(term).clone();
        match op {
            BinaryOp::Add => {
                let left = range.sub(self.range(b));
                self.narrow(a, &left)?;
                let right = range.sub(self.range(a));
                self.narrow(b, &right)
            }
            BinaryOp::Sub => {
                let left = range.add(self.range(b));
                self.narrow(a, &left)?;
                let right = self.range(a).sub(&range);
                self.narrow(b, &right)
            }
            BinaryOp::Mul => {
                self.backward_factor(a, b, &range)?;
                self.backward_factor(b, a, &range)
            }
            BinaryOp::FloorDiv => match self.range(b).as_point() {
                Some(divisor) if !divisor.is_zero() => {
                    let dividend = dividends(&range, divisor);
                    self.narrow(a, &dividend)
                }
                Some(_) | None => Ok(()),
            },
            BinaryOp::Shr => match self.range(b).as_point().and_then(Integer::to_i64) {
                Some(places @ 0..=4096) => {
                    let dividend = dividends(&range, &Integer::power_of_two(places as u32));
                    self.narrow(a, &dividend)
                }
                Some(_) | None => Ok(()),
            },
            BinaryOp::Shl => match self.range(b).as_point().and_then(Integer::to_i64) {
                Some(places @ 0..=4096) => {
                    let factor = Integer::power_of_two(places as u32);
                    self.narrow_factor(a, &factor, &range)
                }
                Some(_) | None => Ok(()),
            },
            BinaryOp::Mod
            | BinaryOp::Pow
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => Ok(()),
        }
    }

    fn backward_factor(&mut self, a: TermId, other: TermId, product: &Range) -> Narrowed {
        match self.range(other).as_point().cloned() {
            Some(factor) if !factor.is_zero() => self.narrow_factor(a, &factor, product),
            Some(_) | None => Ok(()),
        }
    }

    /// `a * factor` lies in `product`.
    fn narrow_factor(&mut self, a: TermId, factor: &Integer, product: &Range) -> Narrowed {
        let product = if factor.is_negative() {
            product.neg()
        } else {
            product.clone()
        };
        let factor = factor.abs();
        let low = product.low.and_then(|low| low.ceil_div(&factor));
        let high = product.high.and_then(|high| high.floor_div(&factor));
        let range = Range::new(low, high);
        if range.is_empty() {
            return Err(Contradiction);
        }
        self.narrow(a, &range)
    }
}

/// The numbers whose quotient by `divisor` lies in the range.
fn dividends(quotients: &Range, divisor: &Integer) -> Range {
    if divisor.is_negative() {
        return dividends(quotients, &-divisor).neg();
    }
    let low = quotients.low.as_ref().map(|low| low * divisor);
    let high = quotients.high.as_ref().map(|high| {
        let next = &(high + &Integer::ONE) * divisor;
        &next - &Integer::ONE
    });
    Range::new(low, high)
}
