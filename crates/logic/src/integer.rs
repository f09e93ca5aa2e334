//! Exact Python integers.
//!
//! Almost every value met during exploration fits a machine word, so those are kept inline; the
//! rest are boxed big integers. A value that fits `i64` is always `Small`: equality and hashing are
//! structural. Operations that can fail or explode say so in their types; what Python raises in
//! those cases is not decided here.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};
use std::str::FromStr;

use num_bigint::{BigInt, ParseBigIntError, Sign};
use num_integer::Integer as _;
use num_traits::{One, Signed, ToPrimitive};

/// Results of `<<`, `**` and `*` with more bits than this are refused with [`TooLarge`].
pub const MAX_BITS: u64 = 1 << 22;

/// An integer of any size; `Big` never holds a value that fits `i64`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Integer {
    /// A value that fits a machine word.
    Small(i64),
    /// Any other value; boxed so that the common case stays two words wide.
    Big(Box<BigInt>),
}

/// The result would have more than [`MAX_BITS`] bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl Integer {
    /// Zero.
    pub const ZERO: Integer = Integer::Small(0);
    /// One.
    pub const ONE: Integer = Integer::Small(1);

    /// `2 ** exponent`.
    pub fn power_of_two(exponent: u32) -> Integer {
        if exponent < 63 {
            Integer::Small(1 << exponent)
        } else {
            Integer::from(BigInt::one() << exponent)
        }
    }

    /// The value as a machine word, if it fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Integer::Small(value) => Some(*value),
            Integer::Big(_) => None,
        }
    }

    /// The value as a big integer.
    pub fn to_bigint(&self) -> BigInt {
        match self {
            Integer::Small(value) => BigInt::from(*value),
            Integer::Big(value) => (**value).clone(),
        }
    }

    /// Whether the value is zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self, Integer::Small(0))
    }

    /// Whether the value is below zero.
    #[inline]
    pub fn is_negative(&self) -> bool {
        match self {
            Integer::Small(value) => *value < 0,
            Integer::Big(value) => value.sign() == Sign::Minus,
        }
    }

    /// Whether the value is above zero.
    #[inline]
    pub fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_zero()
    }

    /// The distance from zero.
    #[must_use]
    pub fn abs(&self) -> Integer {
        if self.is_negative() {
            -self
        } else {
            self.clone()
        }
    }

    /// Python's `//`; `None` for a zero divisor.
    pub fn floor_div(&self, divisor: &Integer) -> Option<Integer> {
        if divisor.is_zero() {
            return None;
        }
        if let (Integer::Small(a), Integer::Small(b)) = (self, divisor)
            && let Some(quotient) = a.checked_div(*b)
        {
            let inexact = a % b != 0 && ((a % b < 0) != (*b < 0));
            return Some(Integer::Small(quotient - i64::from(inexact)));
        }
        Some(Integer::from(
            self.to_bigint().div_floor(&divisor.to_bigint()),
        ))
    }

    /// Python's `%`; `None` for a zero divisor.
    pub fn floor_mod(&self, divisor: &Integer) -> Option<Integer> {
        if divisor.is_zero() {
            return None;
        }
        if let (Integer::Small(a), Integer::Small(b)) = (self, divisor)
            && let Some(remainder) = a.checked_rem(*b)
        {
            let adjust = remainder != 0 && ((remainder < 0) != (*b < 0));
            return Some(Integer::Small(if adjust {
                remainder + b
            } else {
                remainder
            }));
        }
        Some(Integer::from(
            self.to_bigint().mod_floor(&divisor.to_bigint()),
        ))
    }

    /// The smallest quotient not below `self / divisor`; `None` for a zero divisor.
    pub fn ceil_div(&self, divisor: &Integer) -> Option<Integer> {
        (-self).floor_div(divisor).map(|quotient| -quotient)
    }

    /// `self * other`, refused when the result is too large to be useful.
    pub fn checked_mul(&self, other: &Integer) -> Result<Integer, TooLarge> {
        if let (Integer::Small(a), Integer::Small(b)) = (self, other)
            && let Some(product) = a.checked_mul(*b)
        {
            return Ok(Integer::Small(product));
        }
        if self.bit_length() + other.bit_length() > MAX_BITS {
            return Err(TooLarge);
        }
        Ok(Integer::from(self.to_bigint() * other.to_bigint()))
    }

    /// `self ** exponent` for a non-negative exponent.
    pub fn pow(&self, exponent: &Integer) -> Result<Integer, TooLarge> {
        match self {
            _ if exponent.is_zero() => return Ok(Integer::ONE),
            Integer::Small(0 | 1) => return Ok(self.clone()),
            Integer::Small(-1) => {
                let odd = exponent.bit(0);
                return Ok(Integer::Small(if odd { -1 } else { 1 }));
            }
            Integer::Small(_) | Integer::Big(_) => {}
        }
        let Some(exponent) = exponent
            .to_i64()
            .and_then(|value| u32::try_from(value).ok())
        else {
            return Err(TooLarge);
        };
        if let Integer::Small(base) = self
            && let Some(power) = base.checked_pow(exponent)
        {
            return Ok(Integer::Small(power));
        }
        if (self.bit_length() - 1).saturating_mul(u64::from(exponent)) > MAX_BITS {
            return Err(TooLarge);
        }
        Ok(Integer::from(self.to_bigint().pow(exponent)))
    }

    /// `self << places` for non-negative places.
    pub fn shl(&self, places: &Integer) -> Result<Integer, TooLarge> {
        if self.is_zero() {
            return Ok(Integer::ZERO);
        }
        let Some(places) = places.to_i64().and_then(|value| u64::try_from(value).ok()) else {
            return Err(TooLarge);
        };
        if let Integer::Small(value) = self
            && self.bit_length() + places < 63
        {
            return Ok(Integer::Small(value << places));
        }
        if self.bit_length().saturating_add(places) > MAX_BITS {
            return Err(TooLarge);
        }
        Ok(Integer::from(self.to_bigint() << places))
    }

    /// `self >> places` for non-negative places: floor division by a power of two.
    #[must_use]
    pub fn shr(&self, places: &Integer) -> Integer {
        let gone = if self.is_negative() { -1 } else { 0 };
        match (self, places.to_i64()) {
            (_, None) => Integer::Small(gone),
            (Integer::Small(value), Some(places)) => Integer::Small(value >> places.clamp(0, 63)),
            (Integer::Big(value), Some(places)) => {
                if places as u64 > value.bits() {
                    Integer::Small(gone)
                } else {
                    Integer::from(&**value >> places)
                }
            }
        }
    }

    /// Python's `int.bit_length`: bits of the absolute value.
    pub fn bit_length(&self) -> u64 {
        match self {
            Integer::Small(value) => u64::from(64 - value.unsigned_abs().leading_zeros()),
            Integer::Big(value) => value.bits(),
        }
    }

    /// Python's `int.bit_count`: ones in the absolute value.
    pub fn bit_count(&self) -> u64 {
        match self {
            Integer::Small(value) => u64::from(value.unsigned_abs().count_ones()),
            Integer::Big(value) => value.magnitude().count_ones(),
        }
    }

    /// Bit `index` of the infinite two's complement representation.
    pub fn bit(&self, index: u64) -> bool {
        match self {
            Integer::Small(value) => (value >> index.min(63)) & 1 == 1,
            Integer::Big(value) => value.bit(index),
        }
    }

    /// `self & other` on infinite two's complement.
    #[must_use]
    pub fn bit_and(&self, other: &Integer) -> Integer {
        match (self, other) {
            (Integer::Small(a), Integer::Small(b)) => Integer::Small(a & b),
            (Integer::Small(_) | Integer::Big(_), _) => {
                Integer::from(self.to_bigint() & other.to_bigint())
            }
        }
    }

    /// `self | other` on infinite two's complement.
    #[must_use]
    pub fn bit_or(&self, other: &Integer) -> Integer {
        match (self, other) {
            (Integer::Small(a), Integer::Small(b)) => Integer::Small(a | b),
            (Integer::Small(_) | Integer::Big(_), _) => {
                Integer::from(self.to_bigint() | other.to_bigint())
            }
        }
    }

    /// `self ^ other` on infinite two's complement.
    #[must_use]
    pub fn bit_xor(&self, other: &Integer) -> Integer {
        match (self, other) {
            (Integer::Small(a), Integer::Small(b)) => Integer::Small(a ^ b),
            (Integer::Small(_) | Integer::Big(_), _) => {
                Integer::from(self.to_bigint() ^ other.to_bigint())
            }
        }
    }

    /// `~self`.
    #[must_use]
    pub fn bit_not(&self) -> Integer {
        -(self + &Integer::ONE)
    }
}

impl From<i64> for Integer {
    #[inline]
    fn from(value: i64) -> Self {
        Integer::Small(value)
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Self {
        match value.to_i64() {
            Some(small) => Integer::Small(small),
            None => Integer::Big(Box::new(value)),
        }
    }
}

impl Default for Integer {
    fn default() -> Self {
        Integer::ZERO
    }
}

impl FromStr for Integer {
    type Err = ParseBigIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse::<i64>() {
            Ok(value) => Ok(Integer::Small(value)),
            Err(_) => text.parse::<BigInt>().map(Integer::from),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Integer::Small(value) => fmt::Display::fmt(value, formatter),
            Integer::Big(value) => fmt::Display::fmt(value, formatter),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Ord for Integer {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Integer::Small(a), Integer::Small(b)) => a.cmp(b),
            (Integer::Big(a), Integer::Big(b)) => a.cmp(b),
            (Integer::Small(_), Integer::Big(b)) => {
                if b.is_negative() {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Integer::Big(a), Integer::Small(_)) => {
                if a.is_negative() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}

impl PartialOrd for Integer {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $checked:ident) => {
        impl $trait for &Integer {
            type Output = Integer;

            #[inline]
            fn $method(self, other: &Integer) -> Integer {
                if let (Integer::Small(a), Integer::Small(b)) = (self, other)
                    && let Some(result) = a.$checked(*b)
                {
                    return Integer::Small(result);
                }
                Integer::from(self.to_bigint().$method(other.to_bigint()))
            }
        }

        impl $trait for Integer {
            type Output = Integer;

            #[inline]
            fn $method(self, other: Integer) -> Integer {
                (&self).$method(&other)
            }
        }
    };
}

operator!(Add, add, checked_add);
operator!(Sub, sub, checked_sub);
operator!(Mul, mul, checked_mul);

impl Neg for &Integer {
    type Output = Integer;

    #[inline]
    fn neg(self) -> Integer {
        match self {
            Integer::Small(value) => match value.checked_neg() {
                Some(negated) => Integer::Small(negated),
                None => Integer::from(-BigInt::from(*value)),
            },
            Integer::Big(value) => Integer::from(-&**value),
        }
    }
}

impl Neg for Integer {
    type Output = Integer;

    #[inline]
    fn neg(self) -> Integer {
        -&self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Integer {
        text.parse().unwrap()
    }

    #[test]
    fn values_that_fit_a_word_are_small_whatever_they_were_made_from() {
        let large = &int("9223372036854775808") - &Integer::ONE;
        assert_eq!(large, Integer::Small(i64::MAX));
        assert!(matches!(int("9223372036854775808"), Integer::Big(_)));
        assert_eq!(-&int("9223372036854775808"), Integer::Small(i64::MIN));
    }

    #[test]
    fn the_smallest_word_divided_by_minus_one_is_large() {
        let quotient = Integer::Small(i64::MIN).floor_div(&Integer::Small(-1));
        assert_eq!(quotient, Some(int("9223372036854775808")));
        let remainder = Integer::Small(i64::MIN).floor_mod(&Integer::Small(-1));
        assert_eq!(remainder, Some(Integer::ZERO));
        assert_eq!(Integer::Small(i64::MIN).abs(), int("9223372036854775808"));
    }

    #[test]
    fn order_crosses_from_words_to_large_numbers() {
        let mut numbers = [
            int("9223372036854775808"),
            Integer::ZERO,
            int("-9223372036854775809"),
        ];
        numbers.sort();
        assert_eq!(
            numbers.map(|number| number.to_string()),
            ["-9223372036854775809", "0", "9223372036854775808"]
        );
    }

    #[test]
    fn results_beyond_the_limit_are_refused() {
        let many = Integer::Small(MAX_BITS as i64);
        assert_eq!(Integer::ONE.shl(&many), Err(TooLarge));
        assert_eq!(
            Integer::Small(2).pow(&Integer::Small(i64::MAX)),
            Err(TooLarge)
        );
        assert_eq!(
            Integer::Small(-1).pow(&Integer::Small(i64::MAX)),
            Ok(Integer::Small(-1))
        );
        let wide = Integer::ONE
            .shl(&Integer::Small(MAX_BITS as i64 - 2))
            .unwrap();
        assert_eq!(wide.checked_mul(&wide), Err(TooLarge));
    }

    #[test]
    fn bits_of_negative_numbers_are_those_of_twos_complement() {
        assert_eq!(
            Integer::Small(-8).bit_and(&Integer::Small(13)),
            Integer::Small(8)
        );
        assert_eq!(
            Integer::Small(-1).bit_xor(&int("18446744073709551616")),
            int("-18446744073709551617")
        );
        assert_eq!(Integer::Small(5).bit_not(), Integer::Small(-6));
        assert_eq!(
            Integer::Small(-5).shr(&Integer::Small(1)),
            Integer::Small(-3)
        );
        assert_eq!(
            int("-18446744073709551617").shr(&Integer::Small(64)),
            Integer::Small(-2)
        );
    }
}
