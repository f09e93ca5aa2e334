//! Concrete floats: IEEE-754 doubles with CPython's meaning of their operations.
//!
//! Floats are compared here as values of the term language, by their bits: `-0.0` is not `0.0`, and there is
//! one `nan`. Every function is total; what Python answers with an exception is settled before a term is
//! built.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};

use crate::integer::Integer;

/// A double, equal to another if their bits are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Float(u64);

/// How to round to a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rounding {
    /// `math.floor`
    Down,
    /// `math.ceil`
    Up,
    /// `math.trunc`, `int()`
    TowardsZero,
    /// `round()`
    HalfEven,
}

impl Float {
    /// `0.0`
    pub const ZERO: Float = Float(0);

    /// The float of this value; every `nan` is the same one.
    #[inline]
    pub fn new(value: f64) -> Self {
        if value.is_nan() {
            Float(f64::NAN.to_bits() & !(1 << 63))
        } else {
            Float(value.to_bits())
        }
    }

    /// The value.
    #[inline]
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }

    /// The nearest float to an integer, ties to even; infinite if it is too large.
    pub fn from_integer(value: &Integer) -> Self {
        match value.to_i64() {
            Some(small) => Float::new(small as f64),
            None => Float::new(ratio(&value.to_bigint(), &BigInt::from(1))),
        }
    }

    /// The whole part; 0 for what has none.
    pub fn to_integer(self) -> Integer {
        let value = self.get().trunc();
        if !value.is_finite() {
            return Integer::ZERO;
        }
        if value.abs() < 9e18 {
            return Integer::Small(value as i64);
        }
        let (mantissa, exponent) = parts(value);
        Integer::from(BigInt::from(mantissa) << exponent)
    }

    /// Rounds to a whole number.
    #[must_use]
    pub fn round(self, rounding: Rounding) -> Float {
        let value = self.get();
        Float::new(match rounding {
            Rounding::Down => value.floor(),
            Rounding::Up => value.ceil(),
            Rounding::TowardsZero => value.trunc(),
            Rounding::HalfEven => value.round_ties_even(),
        })
    }

    /// The order of an integer and a float, exactly; `None` for `nan`.
    pub fn order_of_integer(value: &Integer, float: Float) -> Option<Ordering> {
        let float = float.get();
        if float.is_nan() {
            return None;
        }
        if float.is_infinite() {
            return Some(if float > 0.0 {
                Ordering::Less
            } else {
                Ordering::Greater
            });
        }
        let floor = Float::new(float.floor());
        let order = value.cmp(&floor.to_integer());
        let exact = floor.get() == float;
        Some(if order == Ordering::Equal && !exact {
            Ordering::Less
        } else {
            order
        })
    }

    /// The position of the float in their order: neighbours differ by one, and `-0.0` lies just below
    /// `0.0`. `None` for `nan`.
    #[inline]
    pub fn rank(self) -> Option<i64> {
        let bits = self.0 as i64;
        match self.get().is_nan() {
            true => None,
            // The bits of negative numbers run backwards.
            false if bits < 0 => Some(!(bits & i64::MAX)),
            false => Some(bits),
        }
    }

    /// The float at this position; the last one on its side for a position beyond it.
    #[inline]
    pub fn from_rank(rank: i64) -> Float {
        let last = f64::INFINITY.to_bits() as i64;
        let rank = rank.clamp(!last, last);
        Float(if rank < 0 {
            (!rank) as u64 | 1 << 63
        } else {
            rank as u64
        })
    }

    /// `left / right` of two integers as Python rounds it; 0 for a zero divisor, infinite if too large.
    pub fn quotient(left: &Integer, right: &Integer) -> Float {
        if right.is_zero() {
            return Float::ZERO;
        }
        Float::new(ratio(&left.to_bigint(), &right.to_bigint()))
    }
}

/// `%` of floats: the sign of the divisor, exact.
pub fn modulo(left: f64, right: f64) -> f64 {
    let rest = left % right;
    if rest == 0.0 {
        0.0_f64.copysign(right)
    } else if (right < 0.0) != (rest < 0.0) {
        rest + right
    } else {
        rest
    }
}

/// `//` of floats, as CPython computes it.
pub fn floor_div(left: f64, right: f64) -> f64 {
    let rest = left % right;
    let mut quotient = (left - rest) / right;
    if rest != 0.0 && (right < 0.0) != (rest < 0.0) {
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return 0.0_f64.copysign(left / right);
    }
    let floor = quotient.floor();
    if quotient - floor > 0.5 {
        floor + 1.0
    } else {
        floor
    }
}

/// The float nearest to a quotient, ties to even.
fn ratio(numerator: &BigInt, denominator: &BigInt) -> f64 {
    // Python keeps the sign of a zero quotient: `0 / -5` is `-0.0`.
    let negative = (numerator.sign() == Sign::Minus) != (denominator.sign() == Sign::Minus);
    let (a, b) = (numerator.magnitude(), denominator.magnitude());
    if a.bits() == 0 {
        return if negative { -0.0 } else { 0.0 };
    }
    // Scale the quotient to 66 bits or more, then round it once, by hand below 2**-1022.
    let shift = 66 + b.bits() as i64 - a.bits() as i64;
    let (scaled, divisor) = if shift >= 0 {
        (a << shift as u64, b.clone())
    } else {
        (a.clone(), b << (-shift) as u64)
    };
    let mut quotient = &scaled / &divisor;
    let inexact = &quotient * &divisor != scaled;
    let exponent = quotient.bits() as i64 - 1 - shift;
    let kept = if exponent < -1022 {
        53 - (-1022 - exponent)
    } else {
        53
    };
    if kept < 0 {
        return if negative { -0.0 } else { 0.0 };
    }
    let dropped = (quotient.bits() as i64 - kept) as u64;
    let half = BigUint::from(1_u8) << (dropped - 1);
    let low = &quotient & ((&half << 1_u32) - 1_u8);
    quotient >>= dropped;
    let odd = quotient.bit(0);
    if low > half || (low == half && (inexact || odd)) {
        quotient += 1_u8;
    }
    let scale = dropped as i64 - shift;
    if quotient.bits() as i64 + scale > 1024 {
        return if negative {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
    }
    let mantissa = quotient.iter_u64_digits().next().unwrap_or(0);
    let value = scale_by_power(mantissa as f64, scale);
    if negative { -value } else { value }
}

/// `value * 2**power`, exact as long as the result is.
fn scale_by_power(mut value: f64, mut power: i64) -> f64 {
    while power > 1000 {
        value *= 2_f64.powi(1000);
        power -= 1000;
    }
    while power < -1000 {
        value *= 2_f64.powi(-1000);
        power += 1000;
    }
    value * 2_f64.powi(power as i32)
}

/// A finite whole float of at least 2**53 as mantissa and power of two.
fn parts(value: f64) -> (i64, u32) {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7FF) as i64 - 1075;
    let mantissa = ((bits & ((1 << 52) - 1)) | (1 << 52)) as i64;
    let signed = if value < 0.0 { -mantissa } else { mantissa };
    (signed, exponent.max(0) as u32)
}

/// Prints the float as a Python expression.
impl fmt::Display for Float {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.get();
        if value.is_nan() {
            return out.write_str("float('nan')");
        }
        if value.is_infinite() {
            let text = if value > 0.0 { "inf" } else { "-inf" };
            return write!(out, "float('{text}')");
        }
        // Both languages print the shortest digits that read back; Python switches to exponents
        // outside of 1e-4 to 1e16.
        let magnitude = value.abs();
        if magnitude == 0.0 || (1e-4..1e16).contains(&magnitude) {
            return write!(out, "{value:?}");
        }
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        match exponent.strip_prefix('-') {
            Some(exponent) => write!(out, "{digits}e-{exponent:0>2}"),
            None => write!(out, "{digits}e+{exponent:0>2}"),
        }
    }
}

impl fmt::Debug for Float {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}
