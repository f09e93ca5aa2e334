//! Sets of floats between two bounds, with or without `nan`, and what operations make of them.
//!
//! Rounding to the nearest float never changes an order, so a bound of a rounded result is the rounded
//! bound: no widening is needed forward. Backward, from a result to an operand, bounds are widened by a
//! float on each side where rounding may have hidden it.

use crate::float::{Float, Rounding};
use crate::integer::Integer;

/// The numbers from `low` to `high`, by rank, and perhaps `nan`. No numbers if the bounds cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solve) struct FloatRange {
    low: i64,
    high: i64,
    nan: bool,
}

/// The rank of positive infinity; that of the negative one is its complement.
const LAST: i64 = f64::INFINITY.to_bits() as i64;
const ZERO: i64 = 0;
const NEGATIVE_ZERO: i64 = -1;

impl FloatRange {
    pub(in crate::solve) const ALL: FloatRange = FloatRange {
        low: !LAST,
        high: LAST,
        nan: true,
    };
    pub(in crate::solve) const NUMBERS: FloatRange = FloatRange {
        nan: false,
        ..Self::ALL
    };
    pub(in crate::solve) const NAN: FloatRange = FloatRange {
        low: 0,
        high: -1,
        nan: true,
    };
    /// Numbers with the sign bit.
    pub(in crate::solve) const NEGATIVE: FloatRange = FloatRange {
        low: !LAST,
        high: NEGATIVE_ZERO,
        nan: false,
    };
    /// Numbers without the sign bit.
    pub(in crate::solve) const POSITIVE: FloatRange = FloatRange {
        low: ZERO,
        high: LAST,
        nan: false,
    };

    pub(in crate::solve) fn point(value: Float) -> FloatRange {
        match value.rank() {
            Some(rank) => FloatRange {
                low: rank,
                high: rank,
                nan: false,
            },
            None => Self::NAN,
        }
    }

    /// The numbers from `low` to `high`; a zero bound stands for both zeros, `nan` for no bound.
    pub(in crate::solve) fn between(low: f64, high: f64) -> FloatRange {
        let low = match Float::new(low).rank() {
            Some(ZERO) => NEGATIVE_ZERO,
            Some(rank) => rank,
            None => !LAST,
        };
        let high = match Float::new(high).rank() {
            Some(NEGATIVE_ZERO) => ZERO,
            Some(rank) => rank,
            None => LAST,
        };
        FloatRange {
            low,
            high,
            nan: false,
        }
    }

    pub(in crate::solve) fn with_nan(self, nan: bool) -> FloatRange {
        FloatRange { nan, ..self }
    }

    pub(in crate::solve) fn has_numbers(self) -> bool {
        self.low <= self.high
    }

    pub(in crate::solve) fn is_empty(self) -> bool {
        !self.nan && !self.has_numbers()
    }

    pub(in crate::solve) fn may_be_nan(self) -> bool {
        self.nan
    }

    pub(in crate::solve) fn contains(self, value: Float) -> bool {
        match value.rank() {
            Some(rank) => (self.low..=self.high).contains(&rank),
            None => self.nan,
        }
    }

    /// The number nearest to a value; `nan` if there are none.
    pub(in crate::solve) fn nearest(self, value: Float) -> Float {
        match value.rank() {
            _ if !self.has_numbers() => Float::new(f64::NAN),
            Some(rank) => Float::from_rank(rank.clamp(self.low, self.high)),
            None if self.nan => value,
            None => Float::from_rank(0_i64.clamp(self.low, self.high)),
        }
    }

    /// The least number.
    pub(in crate::solve) fn low(self) -> f64 {
        Float::from_rank(self.low).get()
    }

    /// The greatest number.
    pub(in crate::solve) fn high(self) -> f64 {
        Float::from_rank(self.high).get()
    }

    pub(in crate::solve) fn intersection(self, other: FloatRange) -> FloatRange {
        FloatRange {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            nan: self.nan && other.nan,
        }
        .canonical()
    }

    pub(in crate::solve) fn hull(self, other: FloatRange) -> FloatRange {
        let nan = self.nan || other.nan;
        match (self.has_numbers(), other.has_numbers()) {
            (true, true) => FloatRange {
                low: self.low.min(other.low),
                high: self.high.max(other.high),
                nan,
            },
            (true, false) => self.with_nan(nan),
            (false, _) => other.with_nan(nan),
        }
    }

    /// Without numbers, the bounds are always the same ones.
    fn canonical(self) -> FloatRange {
        if self.has_numbers() {
            self
        } else {
            Self::NAN.with_nan(self.nan)
        }
    }

    pub(in crate::solve) fn has_zero(self) -> bool {
        self.low <= ZERO && self.high >= NEGATIVE_ZERO && self.has_numbers()
    }

    pub(in crate::solve) fn has_infinity(self) -> bool {
        self.has_numbers() && (self.low == !LAST || self.high == LAST)
    }

    /// The hull of an operation on the corners of two ranges that is monotone in each operand. A corner
    /// without a value (`0 * inf`, `inf / inf`) stands for the zeros of the neighbourhood.
    fn corners(self, other: FloatRange, op: impl Fn(f64, f64) -> f64) -> FloatRange {
        if !self.has_numbers() || !other.has_numbers() {
            return Self::NAN.with_nan(false);
        }
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for a in [self.low(), self.high()] {
            for b in [other.low(), other.high()] {
                let value = op(a, b);
                let value = if value.is_nan() { 0.0 } else { value };
                low = low.min(value);
                high = high.max(value);
            }
        }
        Self::between(low, high)
    }

    pub(in crate::solve) fn neg(self) -> FloatRange {
        FloatRange {
            low: !self.high,
            high: !self.low,
            nan: self.nan,
        }
        .canonical()
    }

    pub(in crate::solve) fn abs(self) -> FloatRange {
        if self.low >= ZERO {
            return self;
        }
        let mirrored = self.neg();
        if self.high < ZERO {
            return mirrored;
        }
        FloatRange {
            low: ZERO,
            high: self.high.max(mirrored.high),
            nan: self.nan,
        }
    }

    pub(in crate::solve) fn add(self, other: FloatRange) -> FloatRange {
        let opposite = |a: FloatRange, b: FloatRange| a.high == LAST && b.low == !LAST;
        let clash = self.has_numbers() && other.has_numbers();
        let clash = clash && (opposite(self, other) || opposite(other, self));
        let nan = self.nan || other.nan || clash;
        if !self.has_numbers() || !other.has_numbers() {
            return Self::NAN.with_nan(nan);
        }
        Self::between(self.low() + other.low(), self.high() + other.high()).with_nan(nan)
    }

    pub(in crate::solve) fn sub(self, other: FloatRange) -> FloatRange {
        self.add(other.neg())
    }

    pub(in crate::solve) fn mul(self, other: FloatRange) -> FloatRange {
        let clash = |a: FloatRange, b: FloatRange| a.has_zero() && b.has_infinity();
        let nan = self.nan || other.nan || clash(self, other) || clash(other, self);
        self.corners(other, |a, b| a * b).with_nan(nan)
    }

    pub(in crate::solve) fn square(self) -> FloatRange {
        let size = self.abs();
        size.corners(size, |a, b| a * b).with_nan(self.nan)
    }

    pub(in crate::solve) fn div(self, other: FloatRange) -> FloatRange {
        let zeros = self.has_zero() && other.has_zero();
        let infinities = self.has_infinity() && other.has_infinity();
        let nan = self.nan || other.nan || zeros || infinities;
        if !self.has_numbers() || !other.has_numbers() {
            return Self::NAN.with_nan(nan);
        }
        if !other.has_zero() {
            return self.corners(other, |a, b| a / b).with_nan(nan);
        }
        let positive = |range: FloatRange| range.low >= ZERO;
        if positive(self) && positive(other) {
            return Self::POSITIVE.with_nan(nan);
        }
        Self::NUMBERS.with_nan(nan)
    }

    /// Python's `%`: between zero and the divisor, both included, since the sum may be rounded.
    pub(in crate::solve) fn modulo(self, other: FloatRange) -> FloatRange {
        let nan = self.nan || other.nan || other.has_zero() || self.has_infinity();
        if !self.has_numbers() || !other.has_numbers() {
            return Self::NAN.with_nan(nan);
        }
        Self::between(other.low().min(0.0), other.high().max(0.0)).with_nan(nan)
    }

    /// C's `fmod`: at most as large as either operand, with the sign of the first.
    pub(in crate::solve) fn remainder(self, other: FloatRange) -> FloatRange {
        let nan = self.nan || other.nan || other.has_zero() || self.has_infinity();
        if !self.has_numbers() || !other.has_numbers() {
            return Self::NAN.with_nan(nan);
        }
        let limit = other.abs().high();
        let (low, high) = (
            self.low().max(-limit).min(0.0),
            self.high().min(limit).max(0.0),
        );
        Self::between(low, high).with_nan(nan)
    }

    pub(in crate::solve) fn sqrt(self) -> FloatRange {
        let nan = self.nan || (self.has_numbers() && self.low < NEGATIVE_ZERO);
        if !self.has_numbers() || self.high < NEGATIVE_ZERO {
            return Self::NAN.with_nan(nan);
        }
        Self::between(self.low().max(-0.0).sqrt(), self.high().sqrt()).with_nan(nan)
    }

    pub(in crate::solve) fn round(self, rounding: Rounding) -> FloatRange {
        if !self.has_numbers() {
            return self;
        }
        let bound = |value: f64| Float::new(value).round(rounding).get();
        Self::between(bound(self.low()), bound(self.high())).with_nan(self.nan)
    }

    /// The numbers that any of `self` can be rounded from: a float more on each side.
    pub(in crate::solve) fn unrounded(self) -> FloatRange {
        if !self.has_numbers() {
            return self;
        }
        FloatRange {
            low: (self.low - 1).max(!LAST),
            high: (self.high + 1).min(LAST),
            nan: self.nan,
        }
    }

    /// The floats that integers between these bounds are rounded to.
    pub(in crate::solve) fn of_integers(low: Option<&Integer>, high: Option<&Integer>) -> Self {
        let float = |value: &Integer| Float::from_integer(value).get();
        Self::between(
            low.map_or(f64::NEG_INFINITY, float),
            high.map_or(f64::INFINITY, float),
        )
    }

    /// Everything not greater than some number of the range.
    pub(in crate::solve) fn at_most(self) -> FloatRange {
        Self::between(f64::NEG_INFINITY, self.high())
    }

    /// Everything not less than some number of the range.
    pub(in crate::solve) fn at_least(self) -> FloatRange {
        Self::between(self.low(), f64::INFINITY)
    }

    /// Everything less than some number of the range.
    pub(in crate::solve) fn below(self) -> FloatRange {
        // Both zeros are one number.
        let high = if self.high == ZERO {
            NEGATIVE_ZERO
        } else {
            self.high
        };
        FloatRange {
            low: !LAST,
            high: high.saturating_sub(1),
            nan: false,
        }
        .canonical()
    }

    /// Everything greater than some number of the range.
    pub(in crate::solve) fn above(self) -> FloatRange {
        self.neg().below().neg()
    }

    /// `self < other`, if all numbers agree; `nan` is never less.
    pub(in crate::solve) fn less(self, other: FloatRange) -> Option<bool> {
        if !self.has_numbers() || !other.has_numbers() || self.low() >= other.high() {
            return Some(false);
        }
        (!self.nan && !other.nan && self.high() < other.low()).then_some(true)
    }

    /// `self <= other`, if all numbers agree.
    pub(in crate::solve) fn less_or_equal(self, other: FloatRange) -> Option<bool> {
        if !self.has_numbers() || !other.has_numbers() || self.low() > other.high() {
            return Some(false);
        }
        (!self.nan && !other.nan && self.high() <= other.low()).then_some(true)
    }

    /// `self == other`, if all numbers agree.
    pub(in crate::solve) fn equal(self, other: FloatRange) -> Option<bool> {
        if !self.has_numbers()
            || !other.has_numbers()
            || self.low() > other.high()
            || self.high() < other.low()
        {
            return Some(false);
        }
        let single = self.low() == self.high() && other.low() == other.high();
        (!self.nan && !other.nan && single).then_some(true)
    }
}
