//! Ranges of integers and how operations move them.
//!
//! Every function returns a range that contains all results of the operation on values of its
//! operands' ranges, for operands on which it is defined. Wider is allowed, narrower never.

use crate::integer::Integer;

/// Results beyond this many bits are treated as unbounded.
const MAX_BITS: u64 = 4096;

/// The integers between two inclusive bounds; a missing bound is infinite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::solve) struct Range {
    pub(in crate::solve) low: Option<Integer>,
    pub(in crate::solve) high: Option<Integer>,
}

impl Range {
    /// All integers.
    pub(super) const ALL: Range = Range {
        low: None,
        high: None,
    };

    pub(in crate::solve) fn new(low: Option<Integer>, high: Option<Integer>) -> Range {
        Range { low, high }
    }

    pub(super) fn point(value: Integer) -> Range {
        Range {
            low: Some(value.clone()),
            high: Some(value),
        }
    }

    pub(super) fn between(low: impl Into<Integer>, high: impl Into<Integer>) -> Range {
        Range {
            low: Some(low.into()),
            high: Some(high.into()),
        }
    }

    pub(super) fn at_least(low: impl Into<Integer>) -> Range {
        Range {
            low: Some(low.into()),
            high: None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        matches!((&self.low, &self.high), (Some(low), Some(high)) if low > high)
    }

    /// The only value, if there is just one.
    pub(in crate::solve) fn as_point(&self) -> Option<&Integer> {
        match (&self.low, &self.high) {
            (Some(low), Some(high)) if low == high => Some(low),
            _ => None,
        }
    }

    pub(in crate::solve) fn contains(&self, value: &Integer) -> bool {
        self.low.as_ref().is_none_or(|low| low <= value)
            && self.high.as_ref().is_none_or(|high| value <= high)
    }

    /// The value of the range that is nearest to `value`.
    pub(in crate::solve) fn nearest(&self, value: &Integer) -> Integer {
        match (&self.low, &self.high) {
            (Some(low), _) if value < low => low.clone(),
            (_, Some(high)) if value > high => high.clone(),
            _ => value.clone(),
        }
    }

    pub(super) fn is_negative(&self) -> bool {
        self.high.as_ref().is_some_and(Integer::is_negative)
    }

    pub(super) fn is_positive(&self) -> bool {
        self.low.as_ref().is_some_and(Integer::is_positive)
    }

    pub(super) fn is_never_negative(&self) -> bool {
        self.low.as_ref().is_some_and(|low| !low.is_negative())
    }

    /// The values in both ranges; may be empty.
    pub(super) fn intersection(&self, other: &Range) -> Range {
        let tighter = |mine: &Option<Integer>, theirs: &Option<Integer>, keep_larger: bool| match (
            mine, theirs,
        ) {
            (Some(a), Some(b)) => Some(if (a > b) == keep_larger {
                a.clone()
            } else {
                b.clone()
            }),
            (Some(bound), None) | (None, Some(bound)) => Some(bound.clone()),
            (None, None) => None,
        };
        Range {
            low: tighter(&self.low, &other.low, true),
            high: tighter(&self.high, &other.high, false),
        }
    }

    /// The smallest range that contains both.
    pub(super) fn hull(&self, other: &Range) -> Range {
        let low = self
            .low
            .as_ref()
            .zip(other.low.as_ref())
            .map(|(a, b)| a.min(b).clone());
        let high = self
            .high
            .as_ref()
            .zip(other.high.as_ref())
            .map(|(a, b)| a.max(b).clone());
        Range { low, high }
    }

    /// Bits of the largest absolute value, if there is one.
    pub(in crate::solve) fn magnitude_bits(&self) -> Option<u64> {
        Some(
            self.low
                .as_ref()?
                .bit_length()
                .max(self.high.as_ref()?.bit_length()),
        )
    }

    pub(super) fn neg(&self) -> Range {
        Range {
            low: self.high.as_ref().map(|high| -high),
            high: self.low.as_ref().map(|low| -low),
        }
    }

    pub(super) fn add(&self, other: &Range) -> Range {
        let sum = |a: &Option<Integer>, b: &Option<Integer>| Some(a.as_ref()? + b.as_ref()?);
        Range {
            low: sum(&self.low, &other.low),
            high: sum(&self.high, &other.high),
        }
    }

    pub(super) fn sub(&self, other: &Range) -> Range {
        self.add(&other.neg())
    }

    pub(super) fn abs(&self) -> Range {
        if self.is_never_negative() {
            return self.clone();
        }
        if self.high.as_ref().is_some_and(|high| !high.is_positive()) {
            return self.neg();
        }
        let high = self
            .low
            .as_ref()
            .zip(self.high.as_ref())
            .map(|(low, high)| low.abs().max(high.abs()));
        Range {
            low: Some(Integer::ZERO),
            high,
        }
    }

    pub(super) fn mul(&self, other: &Range) -> Range {
        if let (Some(a), Some(b), Some(c), Some(d)) =
            (&self.low, &self.high, &other.low, &other.high)
        {
            let bits = |range: &Range| range.magnitude_bits().unwrap_or(u64::MAX / 2);
            if bits(self) + bits(other) > MAX_BITS {
                return Range::ALL;
            }
            let corners = [a * c, a * d, b * c, b * d];
            return Range {
                low: corners.iter().min().cloned(),
                high: corners.iter().max().cloned(),
            };
        }
        let zero = Some(&Integer::ZERO);
        if self.as_point() == zero || other.as_point() == zero {
            return Range::point(Integer::ZERO);
        }
        // With an infinite end only the signs help, and the bounds nearest to zero.
        if self.is_never_negative() && other.is_never_negative() {
            // Bounds that grow with every pass must not grow for ever: `x == x * x` squares them.
            let product = |(a, b): (&Integer, &Integer)| {
                if a.bit_length() + b.bit_length() > MAX_BITS {
                    Integer::ZERO
                } else {
                    a * b
                }
            };
            let low = self.low.as_ref().zip(other.low.as_ref()).map(product);
            return Range { low, high: None };
        }
        let flipped = |range: &Range| range.high.as_ref().is_some_and(|high| !high.is_positive());
        match (flipped(self), flipped(other)) {
            (true, true) => self.neg().mul(&other.neg()),
            (true, false) if other.is_never_negative() => self.neg().mul(other).neg(),
            (false, true) if self.is_never_negative() => self.mul(&other.neg()).neg(),
            (true | false, true | false) => Range::ALL,
        }
    }

    pub(super) fn floor_div(&self, divisor: &Range) -> Range {
        if divisor.is_negative() {
            return self.neg().floor_div(&divisor.neg());
        }
        if !divisor.is_positive() {
            let bound = self.abs().high;
            return Range {
                low: bound.as_ref().map(|bound| -bound),
                high: bound,
            };
        }
        let quotient = |a: &Integer, b: &Option<Integer>| match b {
            Some(b) => a.floor_div(b),
            None => Some(Integer::Small(if a.is_negative() { -1 } else { 0 })),
        };
        let low = self.low.as_ref().and_then(|low| {
            quotient(
                low,
                if low.is_negative() {
                    &divisor.low
                } else {
                    &divisor.high
                },
            )
        });
        let high = self.high.as_ref().and_then(|high| {
            quotient(
                high,
                if high.is_negative() {
                    &divisor.high
                } else {
                    &divisor.low
                },
            )
        });
        Range { low, high }
    }

    pub(super) fn floor_mod(&self, divisor: &Range) -> Range {
        if divisor.is_negative() {
            return self.neg().floor_mod(&divisor.neg()).neg();
        }
        if !divisor.is_positive() {
            let below = divisor
                .low
                .as_ref()
                .map(|low| (low + &Integer::ONE).min(Integer::ZERO));
            let above = divisor
                .high
                .as_ref()
                .map(|high| (high - &Integer::ONE).max(Integer::ZERO));
            return Range {
                low: below,
                high: above,
            };
        }
        let limit = divisor.high.as_ref().map(|high| high - &Integer::ONE);
        let whole = Range {
            low: Some(Integer::ZERO),
            high: limit,
        };
        if !self.is_never_negative() {
            return whole;
        }
        match (&self.high, &divisor.low) {
            (Some(high), Some(least)) if high < least => self.clone(),
            (Some(high), _) => whole.intersection(&Range {
                low: None,
                high: Some(high.clone()),
            }),
            (None, _) => whole,
        }
    }

    pub(super) fn pow(&self, exponent: &Range) -> Range {
        let Some(degree) = exponent.as_point() else {
            return self.pow_any(exponent);
        };
        if degree.is_negative() {
            return Range::ALL;
        }
        let raise = |bound: &Option<Integer>| {
            let bound = bound.as_ref()?;
            let bits = (bound.bit_length() as i64).checked_mul(degree.to_i64()?)?;
            (bits.unsigned_abs() <= MAX_BITS)
                .then(|| bound.pow(degree).ok())
                .flatten()
        };
        if degree.bit(0) || self.is_never_negative() {
            return Range {
                low: raise(&self.low),
                high: raise(&self.high),
            };
        }
        let size = self.abs();
        Range {
            low: raise(&size.low),
            high: raise(&size.high),
        }
    }

    /// A power with an exponent that is not known.
    fn pow_any(&self, exponent: &Range) -> Range {
        if !self.is_positive() {
            return if self.is_never_negative() {
                Range::at_least(0)
            } else {
                Range::ALL
            };
        }
        let highest = exponent.high.as_ref().filter(|high| !high.is_negative());
        let lowest = exponent.low.clone().unwrap_or_default().max(Integer::ZERO);
        let high = highest.and_then(|most| self.pow(&Range::point(most.clone())).high);
        let low = self.pow(&Range::point(lowest)).low.unwrap_or(Integer::ONE);
        Range {
            low: Some(low),
            high,
        }
    }

    pub(super) fn shl(&self, places: &Range) -> Range {
        self.mul(&Range::point(Integer::Small(2)).pow(places))
    }

    pub(super) fn shr(&self, places: &Range) -> Range {
        self.floor_div(&Range::point(Integer::Small(2)).pow(places))
    }

    pub(super) fn bit_and(&self, other: &Range) -> Range {
        match (self.is_never_negative(), other.is_never_negative()) {
            (true, true) => {
                let high = match (&self.high, &other.high) {
                    (Some(a), Some(b)) => Some(a.min(b).clone()),
                    (bound, None) | (None, bound) => bound.clone(),
                };
                Range {
                    low: Some(Integer::ZERO),
                    high,
                }
            }
            (true, false) => Range {
                low: Some(Integer::ZERO),
                high: self.high.clone(),
            },
            (false, true) => Range {
                low: Some(Integer::ZERO),
                high: other.high.clone(),
            },
            (false, false) => self.any_bits(other),
        }
    }

    pub(super) fn bit_or(&self, other: &Range) -> Range {
        let bits = self.any_bits(other);
        if self.is_negative() || other.is_negative() {
            return bits.intersection(&Range::new(None, Some(Integer::Small(-1))));
        }
        if self.is_never_negative() && other.is_never_negative() {
            let low = self.low.as_ref().max(other.low.as_ref()).cloned();
            return Range {
                low,
                high: bits.high,
            };
        }
        bits
    }

    pub(super) fn bit_xor(&self, other: &Range) -> Range {
        let bits = self.any_bits(other);
        if self.is_never_negative() && other.is_never_negative() {
            return Range {
                low: Some(Integer::ZERO),
                high: bits.high,
            };
        }
        bits
    }

    /// Everything that fits the wider operand's bits and a sign.
    fn any_bits(&self, other: &Range) -> Range {
        let Some((a, b)) = self.magnitude_bits().zip(other.magnitude_bits()) else {
            return Range::ALL;
        };
        if a.max(b) > MAX_BITS {
            return Range::ALL;
        }
        let limit = Integer::power_of_two(a.max(b) as u32);
        Range::between(-&limit, &limit - &Integer::ONE)
    }

    pub(super) fn bit_length(&self) -> Range {
        let size = self.abs();
        let length = |bound: &Integer| Integer::Small(bound.bit_length() as i64);
        Range {
            low: size.low.as_ref().map(length),
            high: size.high.as_ref().map(length),
        }
    }

    pub(super) fn bit_count(&self) -> Range {
        let never_zero = !self.contains(&Integer::ZERO);
        Range {
            low: Some(Integer::Small(i64::from(never_zero))),
            high: self.bit_length().high,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate;
    use crate::term::{BinaryOp, UnaryOp};
    use proptest::prelude::*;

    fn range(low: i64, width: i64) -> Range {
        Range::between(low, low + width)
    }

    /// Opens the range to infinity on the sides that `open` names.
    fn opened(range: &Range, open: u8) -> Range {
        Range {
            low: range.low.clone().filter(|_| open & 1 == 0),
            high: range.high.clone().filter(|_| open & 2 == 0),
        }
    }

    fn apply(op: BinaryOp, a: &Range, b: &Range) -> Range {
        match op {
            BinaryOp::Add => a.add(b),
            BinaryOp::Sub => a.sub(b),
            BinaryOp::Mul => a.mul(b),
            BinaryOp::FloorDiv => a.floor_div(b),
            BinaryOp::Mod => a.floor_mod(b),
            BinaryOp::Pow => a.pow(b),
            BinaryOp::Shl => a.shl(b),
            BinaryOp::Shr => a.shr(b),
            BinaryOp::BitAnd => a.bit_and(b),
            BinaryOp::BitOr => a.bit_or(b),
            BinaryOp::BitXor => a.bit_xor(b),
        }
    }

    const OPERATIONS: [BinaryOp; 11] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::FloorDiv,
        BinaryOp::Mod,
        BinaryOp::Pow,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
    ];

    #[test]
    fn products_of_half_bounded_ranges_do_not_grow_for_ever() {
        let mut range = Range::at_least(Integer::Small(3));
        for _ in 0..64 {
            range = range.mul(&range);
        }
        let bits = range.low.as_ref().map(Integer::bit_length);
        assert!(bits.is_some_and(|bits| bits <= MAX_BITS), "{bits:?} bits");
        let large = Range::at_least(Integer::power_of_two(4_000));
        assert!(large.mul(&large).contains(&Integer::power_of_two(8_000)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        #[test]
        fn every_result_lies_in_the_range_of_the_operation(
            op in prop::sample::select(OPERATIONS.to_vec()),
            (a, aw) in (-20_i64..20, 0_i64..12),
            (b, bw) in (-12_i64..12, 0_i64..8),
            open in 0_u8..16,
        ) {
            let (left, right) = (range(a, aw), range(b, bw));
            let result = apply(op, &opened(&left, open & 3), &opened(&right, open >> 2));
            for x in a..=a + aw {
                for y in b..=b + bw {
                    if let Ok(value) = evaluate::binary(op, &x.into(), &y.into()) {
                        prop_assert!(result.contains(&value), "{x} {op:?} {y} = {value} not in {result:?}");
                    }
                }
            }
        }

        #[test]
        fn every_unary_result_lies_in_its_range(a in -40_i64..40, width in 0_i64..20, open in 0_u8..4) {
            let operand = opened(&range(a, width), open);
            for x in a..=a + width {
                let x = Integer::from(x);
                prop_assert!(operand.neg().contains(&evaluate::unary(UnaryOp::Neg, &x)));
                prop_assert!(operand.abs().contains(&evaluate::unary(UnaryOp::Abs, &x)));
                prop_assert!(operand.bit_length().contains(&evaluate::unary(UnaryOp::BitLength, &x)));
                prop_assert!(operand.bit_count().contains(&evaluate::unary(UnaryOp::BitCount, &x)));
            }
        }
    }
}
