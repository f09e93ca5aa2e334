//! Arithmetic in Z3 with Python's semantics.

use z3::ast::{Bool, Int};

use super::encode::{Draft, Operand};
use super::numeral;
use crate::integer::Integer;
use crate::term::{BinaryOp, UnaryOp};

/// Products are written out up to this exponent.
const MAX_EXPONENT: i64 = 32;
/// Powers of a constant are tabulated while they have at most this many bits.
const MAX_TABLE_BITS: u64 = 192;
/// Lengths in bits are tabulated up to this one.
const MAX_LENGTH: i64 = 128;

impl Draft {
    pub(super) fn unary(&mut self, op: UnaryOp, a: &Int) -> Int {
        match op {
            UnaryOp::Neg => a.unary_minus(),
            UnaryOp::Abs => absolute(a),
            UnaryOp::BitLength => self.bit_length(a),
            UnaryOp::BitCount => self.bit_count(a),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: &Operand<'_>, b: &Operand<'_>) -> Option<Int> {
        Some(match op {
            BinaryOp::Add => Int::add(&[a.image, b.image]),
            BinaryOp::Sub => Int::sub(&[a.image, b.image]),
            BinaryOp::Mul => {
                if a.constant.is_none() && b.constant.is_none() {
                    self.nonlinear();
                }
                Int::mul(&[a.image, b.image])
            }
            BinaryOp::FloorDiv => self.floor_div(a, b)?,
            BinaryOp::Mod => self.floor_mod(a, b)?,
            BinaryOp::Pow => self.power(a, b)?,
            BinaryOp::Shl => self.shift_left(a, b)?,
            BinaryOp::Shr => self.shift_right(a, b)?,
            BinaryOp::BitAnd => self.bit_and(a, b),
            BinaryOp::BitOr => {
                let sum = Int::add(&[a.image, b.image]);
                Int::sub(&[sum, self.bit_and(a, b)])
            }
            BinaryOp::BitXor => {
                let sum = Int::add(&[a.image, b.image]);
                let both = self.bit_and(a, b);
                Int::sub(&[sum, Int::mul(&[Int::from_i64(2), both])])
            }
        })
    }

    fn floor_div(&mut self, a: &Operand<'_>, b: &Operand<'_>) -> Option<Int> {
        match b.constant {
            Some(divisor) if divisor.is_positive() => Some(a.image.div(b.image)),
            Some(divisor) if divisor.is_negative() => {
                Some(a.image.unary_minus().div(numeral::to_z3(&-divisor)?))
            }
            Some(_) => Some(self.fresh()),
            None => Some(self.quotient_and_remainder(a, b).0),
        }
    }

    fn floor_mod(&mut self, a: &Operand<'_>, b: &Operand<'_>) -> Option<Int> {
        match b.constant {
            Some(divisor) if divisor.is_positive() => Some(a.image.modulo(b.image)),
            Some(divisor) if divisor.is_negative() => {
                let mirrored = a.image.unary_minus().modulo(numeral::to_z3(&-divisor)?);
                Some(mirrored.unary_minus())
            }
            Some(_) => Some(self.fresh()),
            None => Some(self.quotient_and_remainder(a, b).1),
        }
    }

    /// `a = b * q + r`, with `r` between zero and `b`. Named after the operands, so that `//` and `%`
    /// of the same numbers share them.
    fn quotient_and_remainder(&mut self, a: &Operand<'_>, b: &Operand<'_>) -> (Int, Int) {
        self.nonlinear();
        let names = format!("{}!{}", a.term.index(), b.term.index());
        let quotient = Int::new_const(format!("quotient!{names}"));
        let remainder = Int::new_const(format!("remainder!{names}"));
        let zero = Int::from_i64(0);
        let whole = Int::add(&[Int::mul(&[b.image, &quotient]), remainder.clone()]);
        let positive = Bool::and(&[
            whole.eq(a.image),
            zero.le(&remainder),
            remainder.lt(b.image),
        ]);
        let negative = Bool::and(&[
            whole.eq(a.image),
            b.image.lt(&remainder),
            remainder.le(&zero),
        ]);
        self.fact(b.image.gt(&zero).implies(positive));
        self.fact(b.image.lt(&zero).implies(negative));
        (quotient, remainder)
    }

    fn power(&mut self, a: &Operand<'_>, b: &Operand<'_>) -> Option<Int> {
        if let Some(exponent) = b.constant.and_then(Integer::to_i64) {
            match exponent {
                0 => return Some(Int::from_i64(1)),
                1..=MAX_EXPONENT => {
                    self.nonlinear();
                    return Some(Int::mul(&vec![a.image; exponent as usize]));
                }
                _ => {}
            }
        }
        if let Some(base) = a.constant.filter(|base| base.abs() > Integer::ONE) {
            return self.power_of_constant(base, b.image);
        }
        self.approximate("**");
        let power = self.fresh();
        let (zero, one) = (Int::from_i64(0), Int::from_i64(1));
        self.fact(b.image.eq(&zero).implies(power.eq(&one)));
        self.fact(b.image.eq(&one).implies(power.eq(a.image)));
        let natural = b.image.gt(&zero);
        self.fact(Bool::and(&[&natural, &a.image.eq(&zero)]).implies(power.eq(&zero)));
        self.fact(Bool::and(&[&natural, &a.image.eq(&one)]).implies(power.eq(&one)));
        self.fact(Bool::and(&[&natural, &a.image.gt(&one)]).implies(power.ge(a.image)));
        Some(power)
    }

    /// A table of powers; beyond it, only that the power is larger still.
    fn power_of_constant(&mut self, base: &Integer, exponent: &Int) -> Option<Int> {
        let mut powers = vec![Integer::ONE];
        let mut next = base.clone();
        while next.bit_length() <= MAX_TABLE_BITS {
            powers.push(next.clone());
            next = &next * base;
        }
        let beyond = self.fresh();
        if base.is_positive() {
            let past = exponent.ge(Int::from_i64(powers.len() as i64));
            self.fact(past.implies(beyond.ge(numeral::to_z3(&next)?)));
        }
        self.approximate("** with a large exponent");
        let mut power = beyond;
        for (place, value) in powers.iter().enumerate().rev() {
            let here = exponent.eq(Int::from_i64(place as i64));
            power = here.ite(&numeral::to_z3(value)?, &power);
        }
        Some(power)
    }

    /// Shifts by an unknown number of places are multiplied out case by case, which is linear.
    fn shift_left(&mut self, a: &Operand<'_>, b: &Operand<'_>) -> Option<Int> {
        if let Some(places) = small_places(b.constant) {
            let factor = numeral::to_z3(&Integer::power_of_two(places))?;
            return Some(Int::mul(&[a.image, &factor]));
        }
        if a.constant.is_some() {
            let power = self.power_of_constant(&Integer::Small(2), b.image)?;
            return Some(Int::mul(&[a.image, &power]));
        }
        self.approximate("<< by many places");
        let mut shifted = self.fresh();
        for places in (0..=64_u32).rev() {
            let factor = numeral::to_z3(&Integer::power_of_two(places))?;
            let here = b.image.eq(Int::from_i64(places.into()));
            shifted = here.ite(&Int::mul(&[a.image, &factor]), &shifted);
        }
        Some(shifted)
    }

    fn shift_right(&mut self, a: &Operand<'_>, b: &Operand<'_>) -> Option<Int> {
        if let Some(places) = small_places(b.constant) {
            return Some(a.image.div(numeral::to_z3(&Integer::power_of_two(places))?));
        }
        self.nonlinear();
        let divisor = self.power_of_constant(&Integer::Small(2), b.image)?;
        let (quotient, remainder) = (self.fresh(), self.fresh());
        let zero = Int::from_i64(0);
        let whole = Int::add(&[Int::mul(&[&divisor, &quotient]), remainder.clone()]);
        let defined = b.image.ge(&zero);
        self.fact(defined.implies(Bool::and(&[
            whole.eq(a.image),
            zero.le(&remainder),
            remainder.lt(&divisor),
        ])));
        Some(quotient)
    }

    fn bit_length(&mut self, a: &Int) -> Int {
        self.approximate("bit_length of large numbers");
        let size = absolute(a);
        let beyond = self.fresh();
        self.fact(beyond.gt(Int::from_i64(MAX_LENGTH)));
        let mut length = beyond;
        for bits in (0..=MAX_LENGTH).rev() {
            let Some(limit) = numeral::to_z3(&Integer::power_of_two(bits as u32)) else {
                continue;
            };
            length = size.lt(limit).ite(&Int::from_i64(bits), &length);
        }
        length
    }

    /// At least one bit is set in a number that is not zero, and at most as many as it has.
    fn bit_count(&mut self, a: &Int) -> Int {
        self.approximate("bit_count");
        let length = self.bit_length(a);
        let count = self.fresh();
        let zero = Int::from_i64(0);
        self.fact(count.le(&length));
        self.fact(count.ge(&zero));
        self.fact(count.eq(&zero).iff(a.eq(&zero)));
        count
    }
}

pub(super) fn absolute(a: &Int) -> Int {
    a.lt(Int::from_i64(0)).ite(&a.unary_minus(), a)
}

fn small_places(constant: Option<&Integer>) -> Option<u32> {
    let places = u32::try_from(constant?.to_i64()?).ok()?;
    (places <= 4096).then_some(places)
}
