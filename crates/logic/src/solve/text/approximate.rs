//! Operations of which only facts are known while lengths are open.
//!
//! The result becomes a variable. Facts hold for every input, so what they refute is refuted; they mostly
//! relate lengths, since lengths are what a model of them is asked for.

use super::lower::{Image, Step, TooLarge};
use super::mirror::Origin;
use crate::integer::Integer;
use crate::operation::{LanguageId, Operation};
use crate::term::{BinaryOp, Comparison, TermId};
use crate::text::TextKind;

/// Digits up to which the size of a number is related to their count.
const MAX_DIGITS: usize = 20;

impl Step<'_> {
    /// The length of a text operand.
    fn length_of(&mut self, operand: TermId) -> Result<TermId, TooLarge> {
        Ok(match self.operand(operand)? {
            Image::Text(rows) => {
                let cases = rows
                    .iter()
                    .map(|row| (row.guard, row.units.len() as i64))
                    .collect();
                self.number(cases)
            }
            Image::Window(window) => self.window_length(window),
            Image::Opaque(length) => length,
            Image::Plain(_) => return Err(TooLarge),
        })
    }

    pub(super) fn open_choice(
        &mut self,
        condition: TermId,
        a: TermId,
        b: TermId,
    ) -> Result<Image, TooLarge> {
        let (a, b) = (self.length_of(a)?, self.length_of(b)?);
        Ok(Image::Opaque(self.mirror.pool.ite(condition, a, b)))
    }

    fn fact(&mut self, fact: TermId) {
        if self.mirror.pool.as_bool(fact) != Some(true) {
            self.note.facts.push(fact);
        }
    }

    fn implies(&mut self, premise: TermId, conclusion: TermId) {
        let negated = self.mirror.pool.not(premise);
        let fact = self.mirror.pool.or(negated, conclusion);
        self.fact(fact);
    }

    /// A variable for the value of the term, and facts about it.
    pub(super) fn approximated(
        &mut self,
        op: Operation,
        operands: &[TermId],
    ) -> Result<Image, TooLarge> {
        use Operation as Op;
        match op {
            Op::Concat => {
                let mut sum = self.mirror.pool.small(0);
                for &operand in operands {
                    let length = self.length_of(operand)?;
                    sum = self.mirror.pool.binary(BinaryOp::Add, sum, length);
                }
                return Ok(Image::Opaque(sum));
            }
            Op::Slice => return self.opaque_slice(operands),
            Op::MapText(_) | Op::FinalSigma(..) | Op::Recode(_) => {
                return Ok(Image::Opaque(self.length_of(operands[0])?));
            }
            Op::Expand(_) => {
                let (length, operand) = (self.text_length(), self.length_of(operands[0])?);
                let three = self.mirror.pool.small(3);
                let most = self.mirror.pool.binary(BinaryOp::Mul, three, operand);
                let bounds = [(operand, length), (length, most)];
                for (least, most) in bounds {
                    let fact = self.mirror.pool.le(least, most);
                    self.fact(fact);
                }
                return Ok(Image::Opaque(length));
            }
            Op::Without(_) | Op::Shown(_) => {
                let (length, operand) = (self.text_length(), self.length_of(operands[0])?);
                let fact = match op {
                    Op::Shown(_) => {
                        let quotes = self.mirror.pool.small(2);
                        let least = self.mirror.pool.binary(BinaryOp::Add, operand, quotes);
                        self.mirror.pool.le(least, length)
                    }
                    _ => self.mirror.pool.le(length, operand),
                };
                self.fact(fact);
                return Ok(Image::Opaque(length));
            }
            Op::Length => return Ok(Image::Plain(self.length_of(operands[0])?)),
            Op::FromInt(_, base) => return self.opaque_digits(base, operands[0]),
            Op::FromCode(_) => {
                let length = self.text_length();
                let one = self.mirror.pool.small(1);
                let fact = self.mirror.pool.le(length, one);
                self.fact(fact);
                return Ok(Image::Opaque(length));
            }
            _ => {}
        }
        self.note.approximate = true;
        let value = self.mirror.variable(self.outer, Origin::Value(self.term));
        match op {
            Op::TextEq => {
                let (a, b) = (self.length_of(operands[0])?, self.length_of(operands[1])?);
                let equal = self.mirror.pool.eq(a, b);
                self.implies(value, equal);
            }
            Op::StartsWith | Op::EndsWith | Op::Contains => {
                let (a, b) = (self.length_of(operands[0])?, self.length_of(operands[1])?);
                let shorter = self.mirror.pool.le(b, a);
                self.implies(value, shorter);
                let zero = self.mirror.pool.small(0);
                let empty = self.mirror.pool.eq(b, zero);
                self.implies(empty, value);
            }
            Op::Find | Op::RFind => self.position_facts(op, operands, value)?,
            Op::At => self.unit_facts(operands, value)?,
            Op::Span(_) | Op::RSpan(_) => {
                let length = self.length_of(operands[0])?;
                let (zero, bound) = (
                    self.mirror.pool.small(0),
                    self.mirror.pool.le(value, length),
                );
                let natural = self.mirror.pool.le(zero, value);
                self.fact(natural);
                self.fact(bound);
            }
            Op::Matches(language) => self.word_facts(language, operands[0], value)?,
            Op::ToInt(base) => {
                let length = self.length_of(operands[0])?;
                self.size_facts(base, length, value);
            }
            // The order of text says nothing about lengths; the rest has no text operands.
            _ => {}
        }
        Ok(Image::Plain(value))
    }

    /// A variable for the length of the term.
    fn text_length(&mut self) -> TermId {
        let length = self
            .mirror
            .variable(self.outer, Origin::LengthOf(self.term));
        let zero = self.mirror.pool.small(0);
        let natural = self.mirror.pool.le(zero, length);
        self.fact(natural);
        length
    }

    fn clamped(&mut self, position: TermId, length: TermId) -> TermId {
        let zero = self.mirror.pool.small(0);
        let (low, high) = (
            self.mirror.pool.le(position, zero),
            self.mirror.pool.le(length, position),
        );
        let upper = self.mirror.pool.ite(high, length, position);
        self.mirror.pool.ite(low, zero, upper)
    }

    fn opaque_slice(&mut self, operands: &[TermId]) -> Result<Image, TooLarge> {
        let length = self.length_of(operands[0])?;
        let (start, stop) = (self.plain(operands[1])?, self.plain(operands[2])?);
        let (start, stop) = (self.clamped(start, length), self.clamped(stop, length));
        let (zero, size) = (
            self.mirror.pool.small(0),
            self.mirror.pool.binary(BinaryOp::Sub, stop, start),
        );
        let crossed = self.mirror.pool.le(stop, start);
        Ok(Image::Opaque(self.mirror.pool.ite(crossed, zero, size)))
    }

    fn opaque_digits(&mut self, base: u8, number: TermId) -> Result<Image, TooLarge> {
        let number = self.plain(number)?;
        let length = self.text_length();
        let one = self.mirror.pool.small(1);
        let some = self.mirror.pool.le(one, length);
        self.fact(some);
        self.size_facts(base, length, number);
        self.count_facts(base, length, number);
        Ok(Image::Opaque(length))
    }

    /// Few digits make a small number; there may be a sign.
    fn size_facts(&mut self, base: u8, length: TermId, number: TermId) {
        let mut power = Integer::ONE;
        let mut before = Integer::ONE;
        for count in 0..=MAX_DIGITS {
            let most = self.mirror.pool.small(count as i64);
            let short = self.mirror.pool.le(length, most);
            let (low, high) = (
                self.mirror.pool.int(&Integer::ONE - &before),
                self.mirror.pool.int(&power - &Integer::ONE),
            );
            let (above, below) = (
                self.mirror.pool.le(low, number),
                self.mirror.pool.le(number, high),
            );
            let small = self.mirror.pool.and(above, below);
            self.implies(short, small);
            before = power.clone();
            power = &power * &Integer::Small(base.into());
        }
    }

    /// A small number has few digits.
    fn count_facts(&mut self, base: u8, length: TermId, number: TermId) {
        let mut power = Integer::ONE;
        for count in 1..=MAX_DIGITS {
            power = &power * &Integer::Small(base.into());
            let (low, high) = (
                self.mirror.pool.int(&Integer::ONE - &power),
                self.mirror.pool.int(&power - &Integer::ONE),
            );
            let (above, below) = (
                self.mirror.pool.le(low, number),
                self.mirror.pool.le(number, high),
            );
            let small = self.mirror.pool.and(above, below);
            let most = self.mirror.pool.small(count as i64 + 1);
            let short = self.mirror.pool.le(length, most);
            self.implies(small, short);
        }
    }

    fn position_facts(
        &mut self,
        op: Operation,
        operands: &[TermId],
        found: TermId,
    ) -> Result<(), TooLarge> {
        let (length, needle) = (self.length_of(operands[0])?, self.length_of(operands[1])?);
        let (bound, zero) = (self.plain(operands[2])?, self.mirror.pool.small(0));
        let end = self.mirror.pool.binary(BinaryOp::Add, found, needle);
        let mut inside = self.mirror.pool.le(end, length);
        let natural = self.mirror.pool.le(zero, found);
        inside = self.mirror.pool.and(natural, inside);
        let within = match op {
            Operation::Find => self.mirror.pool.le(bound, found),
            _ => self.mirror.pool.le(end, bound),
        };
        inside = self.mirror.pool.and(inside, within);
        let outside = self.mirror.pool.small(-1);
        let nowhere = self.mirror.pool.eq(found, outside);
        let fact = self.mirror.pool.or(nowhere, inside);
        self.fact(fact);
        Ok(())
    }

    fn unit_facts(&mut self, operands: &[TermId], unit: TermId) -> Result<(), TooLarge> {
        let length = self.length_of(operands[0])?;
        let position = self.plain(operands[1])?;
        let (zero, outside) = (self.mirror.pool.small(0), self.mirror.pool.small(-1));
        let (low, high) = (
            self.mirror.pool.le(zero, position),
            self.compare(Comparison::Lt, position, length),
        );
        let inside = self.mirror.pool.and(low, high);
        let last = TextKind::of(self.outer.sort(operands[0])).map_or(0, TextKind::last);
        let last = self.mirror.pool.small(last.into());
        let (above, below) = (
            self.mirror.pool.le(zero, unit),
            self.mirror.pool.le(unit, last),
        );
        let is_unit = self.mirror.pool.and(above, below);
        let none = self.mirror.pool.eq(unit, outside);
        let fact = self.mirror.pool.ite(inside, is_unit, none);
        self.fact(fact);
        Ok(())
    }

    fn word_facts(
        &mut self,
        language: LanguageId,
        text: TermId,
        matches: TermId,
    ) -> Result<(), TooLarge> {
        let Some((least, most)) = self.outer.language(language).lengths() else {
            let never = self.mirror.pool.not(matches);
            self.fact(never);
            return Ok(());
        };
        let length = self.length_of(text)?;
        let least = self.mirror.pool.small(least as i64);
        let long_enough = self.mirror.pool.le(least, length);
        self.implies(matches, long_enough);
        if let Some(most) = most {
            let most = self.mirror.pool.small(most as i64);
            let short_enough = self.mirror.pool.le(length, most);
            self.implies(matches, short_enough);
        }
        Ok(())
    }
}
