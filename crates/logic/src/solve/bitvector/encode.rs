//! Terms as two's complement of one width.

use rustc_hash::FxHashMap;
use z3::ast::{BV, Bool};

use crate::integer::Integer;
use crate::pool::TermPool;
use crate::solve::z3::to_bits;
use crate::term::{BinaryOp, Comparison, Sort, Term, TermId, UnaryOp, VarId};

/// Unknown exponents are tried up to this one.
const MAX_EXPONENT: i64 = 16;

/// What is done about results that do not fit the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overflow {
    /// The bounds of the query show that there are none.
    Impossible,
    /// Side conditions exclude them, and with them possible models.
    Excluded,
}

#[derive(Clone, Debug)]
enum Image {
    Bool(Bool),
    Bits(BV),
}

/// The translation of one query.
pub(super) struct Translation {
    width: u32,
    overflow: Overflow,
    /// Variables that are never negative and need only so many bits.
    narrow: FxHashMap<VarId, u32>,
    images: FxHashMap<TermId, Image>,
    conditions: Vec<Bool>,
}

impl Translation {
    pub(super) fn new(width: u32, overflow: Overflow) -> Self {
        Translation {
            width,
            overflow,
            narrow: FxHashMap::default(),
            images: FxHashMap::default(),
            conditions: Vec::new(),
        }
    }

    /// What must hold besides the translated constraints.
    pub(super) fn conditions(&self) -> &[Bool] {
        &self.conditions
    }

    /// Says that a variable is never negative and needs only so many bits.
    pub(super) fn narrow(&mut self, variable: VarId, bits: u64) {
        if bits > 0 && bits < u64::from(self.width) {
            self.narrow.insert(variable, bits as u32);
        }
    }

    pub(super) fn int_variable(&self, variable: VarId) -> BV {
        let bits = self.narrow.get(&variable).copied().unwrap_or(self.width);
        let image = BV::new_const(format!("bits!{}", variable.index()), bits);
        image.zero_ext(self.width - bits)
    }

    pub(super) fn bool_variable(variable: VarId) -> Bool {
        Bool::new_const(format!("bool!{}", variable.index()))
    }

    /// The image of a truth term; `None` if a number in it does not fit.
    pub(super) fn truth(&mut self, pool: &TermPool, root: TermId) -> Option<Bool> {
        let mut missing = Vec::new();
        let mut pending = vec![root];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(term) = pending.pop() {
            if !self.images.contains_key(&term) && seen.insert(term) {
                missing.push(term);
                pending.extend_from_slice(pool.get(term).children().as_slice());
            }
        }
        missing.sort_unstable();
        for term in missing {
            let image = self.image(pool, term)?;
            self.images.insert(term, image);
        }
        self.bool(root).cloned()
    }

    fn bool(&self, term: TermId) -> Option<&Bool> {
        match self.images.get(&term)? {
            Image::Bool(image) => Some(image),
            Image::Bits(_) => None,
        }
    }

    fn bits(&self, term: TermId) -> Option<&BV> {
        match self.images.get(&term)? {
            Image::Bits(image) => Some(image),
            Image::Bool(_) => None,
        }
    }

    fn image(&mut self, pool: &TermPool, term: TermId) -> Option<Image> {
        Some(match *pool.get(term) {
            Term::Bool(value) => Image::Bool(Bool::from_bool(value)),
            Term::Int(ref value) => Image::Bits(self.constant(value)?),
            Term::Var(variable) => match pool.var_sort(variable) {
                Sort::Bool => Image::Bool(Self::bool_variable(variable)),
                Sort::Int => Image::Bits(self.int_variable(variable)),
                Sort::Str | Sort::Bytes | Sort::Float => return None,
            },
            Term::Text(_) | Term::Float(_) | Term::Apply(..) => return None,
            Term::Not(a) => Image::Bool(self.bool(a)?.not()),
            Term::And(a, b) => Image::Bool(Bool::and(&[self.bool(a)?, self.bool(b)?])),
            Term::Or(a, b) => Image::Bool(Bool::or(&[self.bool(a)?, self.bool(b)?])),
            Term::Iff(a, b) => Image::Bool(self.bool(a)?.iff(self.bool(b)?)),
            Term::Compare(op, a, b) => {
                let (left, right) = (self.bits(a)?, self.bits(b)?);
                Image::Bool(match op {
                    Comparison::Eq => left.eq(right),
                    Comparison::Lt => left.bvslt(right),
                    Comparison::Le => left.bvsle(right),
                })
            }
            Term::Ite(condition, chosen, other) => {
                let condition = self.bool(condition)?;
                match pool.sort(term) {
                    Sort::Bool => Image::Bool(condition.ite(self.bool(chosen)?, self.bool(other)?)),
                    Sort::Int => Image::Bits(condition.ite(self.bits(chosen)?, self.bits(other)?)),
                    Sort::Str | Sort::Bytes | Sort::Float => return None,
                }
            }
            Term::FromBool(a) => Image::Bits(self.bool(a)?.ite(&self.small(1), &self.small(0))),
            Term::Unary(op, a) => {
                let operand = self.bits(a)?.clone();
                Image::Bits(self.unary(op, &operand))
            }
            Term::Binary(BinaryOp::BitAnd, a, mask) if self.low_bits(pool, a, mask).is_some() => {
                Image::Bits(self.low_bits(pool, a, mask)?)
            }
            Term::Binary(op, a, b) => {
                let (left, right) = (self.bits(a)?.clone(), self.bits(b)?.clone());
                Image::Bits(if op == BinaryOp::Pow {
                    self.power(&left, &right, pool.as_int(b))?
                } else {
                    self.binary(op, &left, &right)
                })
            }
        })
    }

    /// The low bits of a sum or product need no more of its operands: `h * p & 0xFFFFFFFF` is a product of 32 bits.
    fn low_bits(&self, pool: &TermPool, whole: TermId, mask: TermId) -> Option<BV> {
        let mask = pool.as_int(mask).filter(|mask| !mask.is_negative())?;
        let bits = mask.bit_length() as u32;
        let is_low = *mask == &Integer::power_of_two(bits) - &Integer::ONE;
        if !is_low || !(1..self.width).contains(&bits) || self.overflow != Overflow::Impossible {
            return None;
        }
        let Term::Binary(op, a, b) = *pool.get(whole) else {
            return None;
        };
        let low = |term: TermId| Some(self.bits(term)?.extract(bits - 1, 0));
        let (a, b) = (low(a)?, low(b)?);
        let result = match op {
            BinaryOp::Add => a.bvadd(&b),
            BinaryOp::Sub => a.bvsub(&b),
            BinaryOp::Mul => a.bvmul(&b),
            _ => return None,
        };
        Some(result.zero_ext(self.width - bits))
    }

    fn small(&self, value: i64) -> BV {
        BV::from_i64(value, self.width)
    }

    fn constant(&self, value: &Integer) -> Option<BV> {
        (value.bit_length() < u64::from(self.width)).then(|| to_bits(value, self.width))?
    }

    fn require(&mut self, condition: impl FnOnce() -> Bool) {
        match self.overflow {
            Overflow::Excluded => self.conditions.push(condition()),
            Overflow::Impossible => {}
        }
    }

    fn unary(&mut self, op: UnaryOp, a: &BV) -> BV {
        match op {
            UnaryOp::Neg => {
                self.require(|| a.bvneg_no_overflow());
                a.bvneg()
            }
            UnaryOp::Abs => self.absolute(a),
            UnaryOp::BitLength => {
                let size = self.absolute(a);
                let mut length = self.small(0);
                for position in 0..self.width {
                    let set = size.extract(position, position).eq(BV::from_i64(1, 1));
                    length = set.ite(&self.small(i64::from(position) + 1), &length);
                }
                length
            }
            UnaryOp::BitCount => {
                let size = self.absolute(a);
                let mut count = self.small(0);
                for position in 0..self.width {
                    let bit = size.extract(position, position).zero_ext(self.width - 1);
                    count = count.bvadd(&bit);
                }
                count
            }
        }
    }

    fn absolute(&mut self, a: &BV) -> BV {
        self.require(|| a.bvneg_no_overflow());
        a.bvslt(self.small(0)).ite(&a.bvneg(), a)
    }

    fn binary(&mut self, op: BinaryOp, a: &BV, b: &BV) -> BV {
        match op {
            BinaryOp::Add => {
                self.require(|| {
                    Bool::and(&[a.bvadd_no_overflow(b, true), a.bvadd_no_underflow(b)])
                });
                a.bvadd(b)
            }
            BinaryOp::Sub => {
                self.require(|| {
                    Bool::and(&[a.bvsub_no_overflow(b), a.bvsub_no_underflow(b, true)])
                });
                a.bvsub(b)
            }
            BinaryOp::Mul => self.product(a, b),
            BinaryOp::FloorDiv => self.quotient(a, b),
            BinaryOp::Mod => a.bvsmod(b),
            BinaryOp::Shl => {
                let shifted = a.bvshl(b);
                let (zero, limit) = (self.small(0), self.small(i64::from(self.width)));
                self.require(|| {
                    let in_range = Bool::and(&[b.bvsge(&zero), b.bvslt(&limit)]);
                    let nothing = a.eq(&zero);
                    let kept = Bool::and(&[in_range, shifted.bvashr(b).eq(a)]);
                    Bool::or(&[nothing, kept])
                });
                shifted
            }
            BinaryOp::Shr => {
                let zero = self.small(0);
                self.require(|| b.bvsge(&zero));
                a.bvashr(b)
            }
            BinaryOp::BitAnd => a.bvand(b),
            BinaryOp::BitOr => a.bvor(b),
            BinaryOp::BitXor => a.bvxor(b),
            BinaryOp::Pow => self.power_table(a, b),
        }
    }

    fn product(&mut self, a: &BV, b: &BV) -> BV {
        self.require(|| Bool::and(&[a.bvmul_no_overflow(b, true), a.bvmul_no_underflow(b)]));
        a.bvmul(b)
    }

    /// Z3 rounds towards zero, Python down.
    fn quotient(&mut self, a: &BV, b: &BV) -> BV {
        self.require(|| a.bvsdiv_no_overflow(b));
        let zero = self.small(0);
        let (towards_zero, rest) = (a.bvsdiv(b), a.bvsrem(b));
        let crossed = rest.bvslt(&zero).xor(b.bvslt(&zero));
        let inexact = Bool::and(&[rest.eq(&zero).not(), crossed]);
        inexact.ite(&towards_zero.bvsub(self.small(1)), &towards_zero)
    }

    fn power(&mut self, a: &BV, b: &BV, exponent: Option<&Integer>) -> Option<BV> {
        let Some(exponent) = exponent else {
            return Some(self.power_table(a, b));
        };
        let mut exponent = u32::try_from(exponent.to_i64()?)
            .ok()
            .filter(|n| *n <= 512)?;
        let (mut result, mut square): (Option<BV>, BV) = (None, a.clone());
        while exponent > 0 {
            if exponent % 2 == 1 {
                result = Some(match result {
                    Some(result) => self.product(&result, &square),
                    None => square.clone(),
                });
            }
            exponent /= 2;
            if exponent > 0 {
                square = self.product(&square.clone(), &square);
            }
        }
        Some(result.unwrap_or_else(|| self.small(1)))
    }

    /// Unknown exponents are few cases; larger ones are given up.
    fn power_table(&mut self, a: &BV, b: &BV) -> BV {
        let highest = MAX_EXPONENT.min(i64::from(self.width) - 2);
        let (zero, limit) = (self.small(0), self.small(highest));
        self.conditions
            .push(Bool::and(&[b.bvsge(&zero), b.bvsle(&limit)]));
        let mut powers = vec![self.small(1)];
        for exponent in 1..=highest {
            let Some(last) = powers.last().cloned() else {
                break;
            };
            let fits = Bool::and(&[last.bvmul_no_overflow(a, true), last.bvmul_no_underflow(a)]);
            let below = b.bvslt(self.small(exponent));
            self.conditions.push(Bool::or(&[below, fits]));
            powers.push(last.bvmul(a));
        }
        let mut result = self.small(1);
        for (exponent, power) in powers.iter().enumerate() {
            result = b.eq(self.small(exponent as i64)).ite(power, &result);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use z3::SatResult;

    use super::*;
    use crate::solve::z3::Session;
    use crate::support::expression::{Assignment, Style, Truth, small_assignment, tame_truth};
    use crate::value::Value;

    const WIDE: u32 = 256;

    /// Whether the translated term can be true once all variables are fixed.
    fn can_be(expression: &Truth, assignment: &Assignment, overflow: Overflow) -> SatResult {
        let mut pool = TermPool::new();
        let model = assignment.model(&mut pool);
        let term = expression.build(&mut pool, Style::Simplified);
        let mut translation = Translation::new(WIDE, overflow);
        let image = translation.truth(&pool, term).unwrap();
        let solver = Session::new().bit_vectors().unwrap();
        for (variable, value) in model.iter() {
            solver.assert(match value {
                Value::Int(value) => translation
                    .int_variable(variable)
                    .eq(to_bits(value, WIDE).unwrap()),
                Value::Bool(value) => {
                    Translation::bool_variable(variable).iff(Bool::from_bool(*value))
                }
                Value::Text(_) | Value::Float(_) => panic!("{value} among integers"),
            });
        }
        solver.assert(&image);
        for condition in translation.conditions() {
            solver.assert(condition);
        }
        solver.check()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn the_translation_agrees_with_the_reference_value(
            expression in tame_truth(),
            assignment in small_assignment(),
        ) {
            let negated = Truth::Not(Box::new(expression.clone()));
            if let Some(expected) = expression.value(&assignment) {
                let (right, wrong) = if expected { (&expression, &negated) } else { (&negated, &expression) };
                prop_assert_eq!(can_be(right, &assignment, Overflow::Impossible), SatResult::Sat);
                prop_assert_eq!(can_be(wrong, &assignment, Overflow::Impossible), SatResult::Unsat);
                prop_assert_eq!(can_be(wrong, &assignment, Overflow::Excluded), SatResult::Unsat);
            }
        }
    }
}
