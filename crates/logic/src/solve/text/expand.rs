//! Operations under which each unit becomes none, one or several: other cases, `repr`, text without some
//! units.
//!
//! Every unit multiplies the rows, so only short text is followed.

use super::lower::{Image, Scope, Step, TooLarge};
use crate::operation::{ClassId, Expansion};
use crate::term::{BinaryOp, TermId};
use crate::text::{
    CAPITAL_SIGMA, DOUBLE_QUOTE, ESCAPES, FINAL_SIGMA, SINGLE_QUOTE, TextKind, Unit,
};

const BACKSLASH: Unit = b'\\' as Unit;

/// Up to which unit how many digits follow which letter.
const NUMBERED: [(u32, u32, u8); 3] = [(0xFF, 2, b'x'), (0xFFFF, 4, b'u'), (u32::MAX, 8, b'U')];

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

    /// Text with every unit replaced by one, two or three.
    pub(super) fn expanded(
        &mut self,
        expansion: Expansion,
        text: TermId,
    ) -> Result<Image, TooLarge> {
        let (longer, longest) = (
            self.clipped(expansion.longer),
            self.clipped(expansion.longest),
        );
        let mut all = Vec::new();
        for row in self.rows(text)?.iter() {
            let mut rows: Choices = vec![(row.guard, Vec::new())];
            for &unit in row.units.iter() {
                let first = self.map(expansion.first, unit);
                let (is_longer, is_longest) =
                    (self.member(longer, unit), self.member(longest, unit));
                let not_longer = self.mirror.pool.not(is_longer);
                let mut choices = vec![(not_longer, vec![first])];
                if self.mirror.pool.as_bool(is_longer) != Some(false) {
                    let second = self.map(expansion.second, unit);
                    let third = self.map(expansion.third, unit);
                    let not_longest = self.mirror.pool.not(is_longest);
                    let two = self.mirror.pool.and(is_longer, not_longest);
                    let three = self.mirror.pool.and(is_longer, is_longest);
                    choices.push((two, vec![first, second]));
                    choices.push((three, vec![first, second, third]));
                }
                rows = self.grown(rows, &choices)?;
            }
            all.extend(rows);
        }
        self.rows_of(all)
    }

    /// Text with other sigmas at the ends of words.
    pub(super) fn with_final_sigmas(
        &mut self,
        cased: ClassId,
        ignorable: ClassId,
        text: TermId,
    ) -> Result<Image, TooLarge> {
        if self.setting.alphabet == Scope::Narrow {
            // There is no sigma.
            self.note.bulky = true;
            return Ok(Image::Text(self.rows(text)?));
        }
        let (cased, ignorable) = (self.class(cased), self.class(ignorable));
        let [capital, small] = [CAPITAL_SIGMA, FINAL_SIGMA].map(|unit| {
            let unit = i64::from(unit);
            self.mirror.pool.small(unit)
        });
        let mut all = Vec::new();
        for row in self.rows(text)?.iter() {
            let before = self.follows_cased(cased, ignorable, row.units.iter());
            let mut after = self.follows_cased(cased, ignorable, row.units.iter().rev());
            after.reverse();
            let mut units = Vec::with_capacity(row.units.len());
            for (position, &unit) in row.units.iter().enumerate() {
                let is_capital = self.mirror.pool.eq(unit, capital);
                let goes_on = self.mirror.pool.not(after[position]);
                let at_end = self.mirror.pool.and(before[position], goes_on);
                let here = self.mirror.pool.and(is_capital, at_end);
                units.push(self.mirror.pool.ite(here, small, unit));
            }
            all.push((row.guard, units));
        }
        self.rows_of(all)
    }

    /// For each unit, whether the last one before it that is not ignorable is cased.
    fn follows_cased<'a>(
        &mut self,
        cased: ClassId,
        ignorable: ClassId,
        units: impl Iterator<Item = &'a TermId>,
    ) -> Vec<TermId> {
        let mut follows = self.mirror.pool.bool(false);
        let mut all = Vec::new();
        for &unit in units {
            all.push(follows);
            let (is_cased, is_ignorable) = (self.member(cased, unit), self.member(ignorable, unit));
            let not_ignorable = self.mirror.pool.not(is_ignorable);
            let kept = self.mirror.pool.and(is_ignorable, follows);
            let new = self.mirror.pool.and(not_ignorable, is_cased);
            follows = self.mirror.pool.or(kept, new);
        }
        all
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
        let numbered: &[(u32, u32, u8)] = match self.setting.alphabet {
            Scope::Narrow => &NUMBERED[..1],
            Scope::Wide => &NUMBERED,
        };
        for &(last, width, mark) in numbered {
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
        if self.setting.alphabet == Scope::Narrow {
            // The others are left out.
            self.note.bulky = true;
            let left_out = self.mirror.pool.not(above);
            self.note.restrictions.push(left_out);
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
