//! Numbers written in digits.

use super::lower::{Image, Scope, Step, TooLarge};
use crate::integer::Integer;
use crate::term::{BinaryOp, TermId, UnaryOp};
use crate::text::{Text, TextKind, Unit};

/// Decimal digits of the largest numbers that are written out.
const MAX_DIGITS: u32 = 24;
/// The same in a narrow scope.
const FEW_DIGITS: u32 = 6;

const PLUS: Unit = '+' as Unit;
const MINUS: Unit = '-' as Unit;

impl Step<'_> {
    /// The value of a sign and digits; 0 for anything else.
    pub(super) fn value_of_digits(&mut self, base: u8, text: TermId) -> Result<TermId, TooLarge> {
        let rows = self.rows(text)?;
        let mut choices = Vec::new();
        for row in rows.iter() {
            choices.push((row.guard, self.number_of_row(base, &row.units)));
        }
        Ok(self.select(&choices))
    }

    fn number_of_row(&mut self, base: u8, units: &[TermId]) -> TermId {
        let zero = self.mirror.pool.small(0);
        let Some((&first, rest)) = units.split_first() else {
            return zero;
        };
        let (plain, value) = self.unsigned(base, units);
        let unsigned = self.mirror.pool.ite(plain, value, zero);
        if rest.is_empty() {
            return unsigned;
        }
        let (plus, minus) = (self.is(first, PLUS), self.is(first, MINUS));
        let (digits, value) = self.unsigned(base, rest);
        let signed = self.mirror.pool.or(plus, minus);
        let signed = self.mirror.pool.and(signed, digits);
        let negative = self.mirror.pool.unary(UnaryOp::Neg, value);
        let value = self.mirror.pool.ite(minus, negative, value);
        self.mirror.pool.ite(signed, value, unsigned)
    }

    fn is(&mut self, code: TermId, unit: Unit) -> TermId {
        let unit = self.mirror.pool.small(unit.into());
        self.mirror.pool.eq(code, unit)
    }

    /// Whether all units are digits, and their value if so.
    fn unsigned(&mut self, base: u8, units: &[TermId]) -> (TermId, TermId) {
        let mut all = self.mirror.pool.bool(true);
        let mut value = self.mirror.pool.small(0);
        let factor = self.mirror.pool.small(base.into());
        for &unit in units {
            let (valid, digit) = self.digit(base, unit);
            all = self.mirror.pool.and(all, valid);
            value = self.mirror.pool.binary(BinaryOp::Mul, value, factor);
            value = self.mirror.pool.binary(BinaryOp::Add, value, digit);
        }
        (all, value)
    }

    fn digit(&mut self, base: u8, code: TermId) -> (TermId, TermId) {
        let mut valid = self.mirror.pool.bool(false);
        let mut value = self.mirror.pool.small(0);
        let (decimal, letters) = (base.min(10), base.saturating_sub(10));
        for (first, count, least) in [(b'A', letters, 10), (b'a', letters, 10), (b'0', decimal, 0)]
        {
            if count == 0 {
                continue;
            }
            let low = self.mirror.pool.small(first.into());
            let high = self.mirror.pool.small((first + count - 1).into());
            let (above, below) = (
                self.mirror.pool.le(low, code),
                self.mirror.pool.le(code, high),
            );
            let here = self.mirror.pool.and(above, below);
            let offset = self.mirror.pool.small(least - i64::from(first));
            let digit = self.mirror.pool.binary(BinaryOp::Add, code, offset);
            valid = self.mirror.pool.or(valid, here);
            value = if first == b'A' || base <= 10 {
                digit
            } else {
                self.mirror.pool.ite(here, digit, value)
            };
        }
        (valid, value)
    }

    /// The digits of a number, up to a size.
    pub(super) fn digits_of_value(&mut self, base: u8, number: TermId) -> Result<Image, TooLarge> {
        let number = self.plain(number)?;
        if let Some(cases) = self.cases(number) {
            let rows = cases
                .iter()
                .map(|&(guard, value)| (guard, self.written(base, value)))
                .collect();
            return self.rows_of(rows);
        }
        let size = self.mirror.pool.unary(UnaryOp::Abs, number);
        let zero = self.mirror.pool.small(0);
        let negative = self.mirror.pool.lt(number, zero);
        let natural = self.mirror.pool.not(negative);
        let minus = self.mirror.pool.small(MINUS.into());
        let mut rows = Vec::new();
        let mut limit = Integer::ONE;
        for count in 1..=self.most_digits(base) {
            let least = self.mirror.pool.int(if count == 1 {
                Integer::ZERO
            } else {
                limit.clone()
            });
            limit = &limit * &Integer::Small(base.into());
            let bound = self.mirror.pool.int(limit.clone());
            let (above, below) = (
                self.mirror.pool.le(least, size),
                self.mirror.pool.lt(size, bound),
            );
            let here = self.mirror.pool.and(above, below);
            let digits = self.digits(base, size, count);
            let mut signed = vec![minus];
            signed.extend_from_slice(&digits);
            rows.push((self.mirror.pool.and(here, natural), digits));
            rows.push((self.mirror.pool.and(here, negative), signed));
        }
        let bound = self.mirror.pool.int(limit);
        let small = self.mirror.pool.lt(size, bound);
        if self.mirror.pool.as_bool(small) != Some(true) {
            self.note.restrictions.push(small);
        }
        self.rows_of(rows)
    }

    /// The digits of a constant.
    fn written(&mut self, base: u8, value: i64) -> Vec<TermId> {
        let text = Text::from_int(TextKind::Str, &Integer::Small(value), base);
        let units = text.units().iter();
        units
            .map(|&unit| self.mirror.pool.small(unit.into()))
            .collect()
    }

    /// Wide bases need fewer digits for the same numbers.
    fn most_digits(&self, base: u8) -> u32 {
        let decimal = match self.setting.digits {
            Scope::Narrow => FEW_DIGITS,
            Scope::Wide => MAX_DIGITS,
        };
        decimal * 3 / u32::from(base.max(2)).ilog2()
    }

    fn digits(&mut self, base: u8, size: TermId, count: u32) -> Vec<TermId> {
        let divisor = self.mirror.pool.small(base.into());
        let mut power = Integer::ONE;
        let mut digits = Vec::new();
        for _ in 0..count {
            let scale = self.mirror.pool.int(power.clone());
            let shifted = self.mirror.pool.binary(BinaryOp::FloorDiv, size, scale);
            let digit = self.mirror.pool.binary(BinaryOp::Mod, shifted, divisor);
            digits.push(self.digit_unit(base, digit));
            power = &power * &Integer::Small(base.into());
        }
        digits.reverse();
        digits
    }

    fn digit_unit(&mut self, base: u8, digit: TermId) -> TermId {
        let (zero, letter) = (
            self.mirror.pool.small('0' as i64),
            self.mirror.pool.small('a' as i64 - 10),
        );
        let decimal = self.mirror.pool.binary(BinaryOp::Add, digit, zero);
        if base <= 10 {
            return decimal;
        }
        let beyond = self.mirror.pool.binary(BinaryOp::Add, digit, letter);
        let ten = self.mirror.pool.small(10);
        let is_decimal = self.mirror.pool.lt(digit, ten);
        self.mirror.pool.ite(is_decimal, decimal, beyond)
    }
}
