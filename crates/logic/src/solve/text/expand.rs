//! Operations under which each unit becomes none, one or several: `repr`, and text without some units.
//!
//! Every unit multiplies the rows, so only short text is followed.

use super::lower::{Image, Step, TooLarge};
use crate::operation::ClassId;
use crate::term::{BinaryOp, TermId};
use crate::text::{DOUBLE_QUOTE, ESCAPES, SINGLE_QUOTE, TextKind, Unit};

const BACKSLASH: Unit = b'\\' as Unit;

/// What a unit becomes, under conditions of which one holds.
type Choices = Vec<(TermId, Vec<TermId>)>;

/// Rows of one text, while it is put together.
const MAX_ROWS: usize = 400;

impl Step<'_> {
    /// Text without the units of a class.
    pub(super) fn without(&mut self, class: ClassId, text: TermId) -> Result<Image, TooLarge> {
        let class = self.class(class);
        let mut all = Vec::new();
        for row in self.rows(text)?.iter() {
            let mut rows: Choices = vec![(row.guard, Vec::new())];
            for &unit in row.units.iter() {
                let removed = self.member(class, unit);
                let kept = self.mirror.pool.not(removed);
                rows = self.grown(rows, &[(removed, vec![]), (kept, vec![unit])])?;
            }
            all.extend(rows);
        }
        self.rows_of(all)
    }

    /// `repr` of text; units of the class are printable.
    pub(super) fn shown(
        &mut self,
        printable: ClassId,
        kind: TextKind,
        text: TermId,
    ) -> Result<Image, TooLarge> {
        let printable = self.class(printable);
        let mut all = Vec::new();
        for row in self.rows(text)?.iter() {
            let quote = self.quote(&row.units);
            let mut start = vec![quote];
            if kind == TextKind::Bytes {
                start.insert(0, self.mirror.pool.small(b'b'.into()));
            }
            let mut rows: Choices = vec![(row.guard, start)];
            for &unit in row.units.iter() {
                let choices = self.escapes(printable, quote, unit);
                rows = self.grown(rows, &choices)?;
            }
            for (_, units) in &mut rows {
                units.push(quote);
            }
            all.extend(rows);
        }
        self.rows_of(all)
    }

    /// Every row followed by every choice.
    fn grown(
        &mut self,
        rows: Choices,
        choices: &[(TermId, Vec<TermId>)],
    ) -> Result<Choices, TooLarge> {
        let mut grown = Vec::with_capacity(rows.len());
        for (guard, units) in rows {
            for (condition, more) in choices {
                let both = self.mirror.pool.and(guard, *condition);
                if self.mirror.pool.as_bool(both) != Some(false) {
                    grown.push((both, [units.as_slice(), more.as_slice()].concat()));
                }
            }
        }
        if grown.len() > MAX_ROWS {
            return Err(TooLarge);
        }
        Ok(grown)
    }

    /// Double quotes around text that has single ones and no double ones.
    fn quote(&mut self, units: &[TermId]) -> TermId {
        let [single, double] = [SINGLE_QUOTE, DOUBLE_QUOTE].map(|quote| {
            let quote = self.mirror.pool.small(quote.into());
            units
                .iter()
                .fold(self.mirror.pool.bool(false), |any, &unit| {
                    let here = self.mirror.pool.eq(unit, quote);
                    self.mirror.pool.or(any, here)
                })
        });
        let no_double = self.mirror.pool.not(double);
        let condition = self.mirror.pool.and(single, no_double);
        let (single, double) = (
            self.mirror.pool.small(SINGLE_QUOTE.into()),
            self.mirror.pool.small(DOUBLE_QUOTE.into()),
        );
        self.mirror.pool.ite(condition, double, single)
    }

    fn escapes(&mut self, printable: ClassId, quote: TermId, unit: TermId) -> Choices {
        let backslash = self.mirror.pool.small(BACKSLASH.into());
        let is_backslash = self.mirror.pool.eq(unit, backslash);
        let is_quote = self.mirror.pool.eq(unit, quote);
        let mut special = self.mirror.pool.or(is_backslash, is_quote);
        let mut letter = unit;
        for (escaped, name) in ESCAPES {
            let (escaped, name) = (
                self.mirror.pool.small(escaped.into()),
                self.mirror.pool.small(name.into()),
            );
            let here = self.mirror.pool.eq(unit, escaped);
            special = self.mirror.pool.or(special, here);
            letter = self.mirror.pool.ite(here, name, letter);
        }
        let member = self.member(printable, unit);
        let ordinary = self.mirror.pool.not(special);
        let itself = self.mirror.pool.and(ordinary, member);
        let hidden = self.mirror.pool.not(member);
        let by_number = self.mirror.pool.and(ordinary, hidden);
        let mut choices = vec![(itself, vec![unit]), (special, vec![backslash, letter])];
        let mut above = by_number;
        for (last, width, mark) in [(0xFF, 2, b'x'), (0xFFFF, 4, b'u'), (u32::MAX, 8, b'U')] {
            let last = self.mirror.pool.small(last.into());
            let inside = self.mirror.pool.le(unit, last);
            let here = self.mirror.pool.and(above, inside);
            let mark = self.mirror.pool.small(mark.into());
            let mut units = vec![backslash, mark];
            units.extend(self.hexadecimal(unit, width));
            choices.push((here, units));
            let larger = self.mirror.pool.not(inside);
            above = self.mirror.pool.and(above, larger);
        }
        choices
    }

    /// The last digits of a unit in base 16, as units.
    fn hexadecimal(&mut self, unit: TermId, width: u32) -> Vec<TermId> {
        (0..width)
            .rev()
            .map(|place| {
                let (scale, base) = (
                    self.mirror.pool.small(1 << (4 * place)),
                    self.mirror.pool.small(16),
                );
                let shifted = self.mirror.pool.binary(BinaryOp::FloorDiv, unit, scale);
                let digit = self.mirror.pool.binary(BinaryOp::Mod, shifted, base);
                let (ten, zero, letters) = (
                    self.mirror.pool.small(10),
                    self.mirror.pool.small(b'0'.into()),
                    self.mirror.pool.small(i64::from(b'a') - 10),
                );
                let is_digit = self.mirror.pool.lt(digit, ten);
                let offset = self.mirror.pool.ite(is_digit, zero, letters);
                self.mirror.pool.binary(BinaryOp::Add, digit, offset)
            })
            .collect()
    }
}
