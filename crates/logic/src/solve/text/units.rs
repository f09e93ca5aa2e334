//! Text as rows of units.
//!
//! A text whose length depends on data is a choice of a few rows, each under a condition; exactly one of the
//! conditions holds. Equal rows are one alternative: all the slices of one text that a search can give
//! are windows of the same row, so nested `find` and slicing stay polynomial.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::lower::{Image, Step, TooLarge};
use crate::integer::Integer;
use crate::operation::Operation;
use crate::term::TermId;
use crate::text::{REPLACEMENT, TextKind};

/// Alternatives of one text.
const MAX_ALTERNATIVES: usize = 1_200;
/// Units of all alternatives together.
const MAX_CELLS: usize = 30_000;

/// One row and the condition under which the text is this row.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub(super) guard: TermId,
    pub(super) units: Rc<[TermId]>,
}

pub(super) type Alternatives = Rc<[Alternative]>;

/// Collects the alternatives of a text.
#[derive(Default)]
struct Gathering {
    alternatives: Vec<Alternative>,
    places: FxHashMap<Rc<[TermId]>, usize>,
    cells: usize,
}

impl Gathering {
    fn add(
        &mut self,
        step: &mut Step<'_>,
        guard: TermId,
        units: Rc<[TermId]>,
    ) -> Result<(), TooLarge> {
        if step.mirror.pool.as_bool(guard) == Some(false) {
            return Ok(());
        }
        if let Some(&place) = self.places.get(&units) {
            let known = &mut self.alternatives[place];
            known.guard = step.mirror.pool.or(known.guard, guard);
            return Ok(());
        }
        self.cells += units.len() + 1;
        if self.alternatives.len() >= MAX_ALTERNATIVES || self.cells > MAX_CELLS {
            return Err(TooLarge);
        }
        self.places.insert(units.clone(), self.alternatives.len());
        self.alternatives.push(Alternative { guard, units });
        Ok(())
    }

    fn done(self) -> Image {
        Image::Text(self.alternatives.into())
    }
}

impl Step<'_> {
    /// The image of an operation all of whose text operands have alternatives.
    pub(super) fn exact(&mut self, op: Operation, operands: &[TermId]) -> Result<Image, TooLarge> {
        use Operation as Op;
        let image = match op {
            Op::Length => self.length(operands[0])?,
            Op::At => self.at(operands[0], operands[1])?,
            Op::Concat => return self.concat(operands),
            Op::Slice => return self.slice(operands),
            Op::FromCode(kind) => return self.text_of_code(kind, operands[0]),
            Op::Find => self.find(operands)?,
            Op::RFind => self.rfind(operands)?,
            Op::Contains => self.pairs(operands, Step::contains)?,
            Op::StartsWith => self.pairs(operands, Step::starts_with)?,
            Op::EndsWith => self.pairs(operands, Step::ends_with)?,
            Op::TextEq => self.pairs(operands, Step::same)?,
            Op::TextLt => self.pairs(operands, |step, a, b| step.before(a, b, false))?,
            Op::TextLe => self.pairs(operands, |step, a, b| step.before(a, b, true))?,
            Op::Span(class) => self.span(class, operands[0], false)?,
            Op::RSpan(class) => self.span(class, operands[0], true)?,
            Op::Matches(language) => self.matches(language, operands[0])?,
            Op::InClass(class) => {
                let code = self.plain(operands[0])?;
                let class = self.class(class);
                self.member(class, code)
            }
            Op::MapText(map) => {
                let rows = self.rows(operands[0])?;
                let mut gathering = Gathering::default();
                for row in rows.iter() {
                    let units = row.units.iter().map(|&unit| self.map(map, unit)).collect();
                    gathering.add(self, row.guard, units)?;
                }
                return Ok(gathering.done());
            }
            Op::Recode(kind) => {
                let rows = self.rows(operands[0])?;
                let mut gathering = Gathering::default();
                for row in rows.iter() {
                    let units = row.units.iter();
                    let units = units.map(|&unit| self.recoded(kind, unit)).collect();
                    gathering.add(self, row.guard, units)?;
                }
                return Ok(gathering.done());
            }
            Op::Expand(expansion) => return self.expanded(expansion, operands[0]),
            Op::FinalSigma(cased, ignorable) => {
                return self.with_final_sigmas(cased, ignorable, operands[0]);
            }
            Op::Without(class) => return self.without(class, operands[0]),
            Op::Shown(printable) => {
                let kind = TextKind::of(self.outer.sort(operands[0])).ok_or(TooLarge)?;
                return self.shown(printable, kind, operands[0]);
            }
            Op::MapCode(map) => {
                let code = self.plain(operands[0])?;
                self.map(map, code)
            }
            Op::ToInt(base) => self.value_of_digits(base, operands[0])?,
            Op::FromInt(_, base) => return self.digits_of_value(base, operands[0]),
            _ => return Err(TooLarge),
        };
        Ok(Image::Plain(image))
    }

    /// A unit as one of the kind.
    fn recoded(&mut self, kind: TextKind, unit: TermId) -> TermId {
        if kind == TextKind::Str || self.fits(kind, unit) {
            return unit;
        }
        let (last, replacement) = (kind.last().into(), REPLACEMENT.into());
        let (last, replacement) = (
            self.mirror.pool.small(last),
            self.mirror.pool.small(replacement),
        );
        let inside = self.mirror.pool.le(unit, last);
        self.mirror.pool.ite(inside, unit, replacement)
    }

    pub(super) fn rows(&self, operand: TermId) -> Result<Alternatives, TooLarge> {
        self.alternatives(operand).ok_or(TooLarge)
    }

    /// Text that is one of these rows.
    pub(super) fn rows_of(&mut self, rows: Vec<(TermId, Vec<TermId>)>) -> Result<Image, TooLarge> {
        let mut gathering = Gathering::default();
        for (guard, units) in rows {
            gathering.add(self, guard, units.into())?;
        }
        Ok(gathering.done())
    }

    /// A relation of two texts, worked out for every pair of rows.
    fn pairs(
        &mut self,
        operands: &[TermId],
        relation: impl Fn(&mut Self, &[TermId], &[TermId]) -> TermId,
    ) -> Result<TermId, TooLarge> {
        let (left, right) = (self.rows(operands[0])?, self.rows(operands[1])?);
        let mut choices = Vec::with_capacity(left.len() * right.len());
        for a in left.iter() {
            for b in right.iter() {
                let both = self.mirror.pool.and(a.guard, b.guard);
                choices.push((both, relation(self, &a.units, &b.units)));
            }
        }
        Ok(self.any(&choices))
    }

    fn length(&mut self, text: TermId) -> Result<TermId, TooLarge> {
        let rows = self.rows(text)?;
        let cases = rows
            .iter()
            .map(|row| (row.guard, row.units.len() as i64))
            .collect();
        Ok(self.number(cases))
    }

    fn at(&mut self, text: TermId, position: TermId) -> Result<TermId, TooLarge> {
        let (rows, position) = (self.rows(text)?, self.plain(position)?);
        let mut choices = Vec::new();
        for row in rows.iter() {
            choices.push((row.guard, self.at_row(&row.units, position)));
        }
        Ok(self.select(&choices))
    }

    /// The unit at a position of a row; -1 outside.
    fn at_row(&mut self, units: &[TermId], position: TermId) -> TermId {
        let outside = self.mirror.pool.small(-1);
        if let Some(cases) = self.cases(position) {
            let choices: Vec<(TermId, TermId)> = cases
                .iter()
                .map(|&(guard, value)| {
                    let unit = usize::try_from(value)
                        .ok()
                        .and_then(|place| units.get(place));
                    (guard, unit.copied().unwrap_or(outside))
                })
                .collect();
            return self.select(&choices);
        }
        let mut result = outside;
        for (place, &unit) in units.iter().enumerate().rev() {
            let place = self.mirror.pool.small(place as i64);
            let here = self.mirror.pool.eq(position, place);
            result = self.mirror.pool.ite(here, unit, result);
        }
        result
    }

    pub(super) fn concat(&mut self, operands: &[TermId]) -> Result<Image, TooLarge> {
        let guard = self.mirror.pool.bool(true);
        let mut joined = vec![Alternative {
            guard,
            units: Rc::new([]),
        }];
        for &operand in operands {
            let rows = self.rows(operand)?;
            let mut gathering = Gathering::default();
            for before in &joined {
                for row in rows.iter() {
                    let guard = self.mirror.pool.and(before.guard, row.guard);
                    let units = before.units.iter().chain(row.units.iter()).copied();
                    gathering.add(self, guard, units.collect())?;
                }
            }
            joined = gathering.alternatives;
        }
        Ok(Image::Text(joined.into()))
    }

    pub(super) fn slice(&mut self, operands: &[TermId]) -> Result<Image, TooLarge> {
        let rows = self.rows(operands[0])?;
        let (start, stop) = (self.plain(operands[1])?, self.plain(operands[2])?);
        let mut gathering = Gathering::default();
        for row in rows.iter() {
            let starts = self.places(start, row.units.len());
            let stops = self.places(stop, row.units.len());
            for &(first, from) in &starts {
                let begins = self.mirror.pool.and(row.guard, first);
                for &(second, to) in &stops {
                    let guard = self.mirror.pool.and(begins, second);
                    let window = row.units.get(from..to).unwrap_or_default();
                    gathering.add(self, guard, window.into())?;
                }
            }
        }
        Ok(gathering.done())
    }

    /// Where a position falls after clamping to a row of this length.
    fn places(&mut self, position: TermId, length: usize) -> Vec<(TermId, usize)> {
        if let Some(cases) = self.cases(position) {
            let clamped = |value: i64| value.clamp(0, length as i64) as usize;
            return cases
                .iter()
                .map(|&(guard, value)| (guard, clamped(value)))
                .collect();
        }
        let (first, last) = (
            self.mirror.pool.small(0),
            self.mirror.pool.small(length as i64),
        );
        if length == 0 {
            return vec![(self.mirror.pool.bool(true), 0)];
        }
        let mut places = vec![(self.mirror.pool.le(position, first), 0)];
        for place in 1..length {
            let value = self.mirror.pool.small(place as i64);
            places.push((self.mirror.pool.eq(position, value), place));
        }
        places.push((self.mirror.pool.ge(position, last), length));
        places
    }

    pub(super) fn text_of_code(&mut self, kind: TextKind, code: TermId) -> Result<Image, TooLarge> {
        let code = self.plain(code)?;
        let mut rows = Vec::new();
        self.code_rows(kind, code, &mut rows);
        self.rows_of(rows)
    }

    /// One row with the code if it is a unit, an empty one where it is not.
    fn code_rows(&mut self, kind: TextKind, code: TermId, rows: &mut Vec<(TermId, Vec<TermId>)>) {
        let always = self.mirror.pool.bool(true);
        if self.mirror.is_unit(code) && self.fits(kind, code) {
            rows.push((always, vec![code]));
            return;
        }
        if let Some(value) = self.mirror.pool.as_int(code).and_then(Integer::to_i64) {
            let inside = (0..=i64::from(kind.last())).contains(&value);
            rows.push((always, if inside { vec![code] } else { Vec::new() }));
            return;
        }
        let (zero, last) = (
            self.mirror.pool.small(0),
            self.mirror.pool.small(kind.last().into()),
        );
        let (low, high) = (
            self.mirror.pool.le(zero, code),
            self.mirror.pool.le(code, last),
        );
        let inside = self.mirror.pool.and(low, high);
        let outside = self.mirror.pool.not(inside);
        rows.push((inside, vec![code]));
        rows.push((outside, Vec::new()));
    }

    pub(super) fn text_choice(
        &mut self,
        condition: TermId,
        a: TermId,
        b: TermId,
    ) -> Result<Image, TooLarge> {
        let (Some(chosen), Some(other)) = (self.alternatives(a), self.alternatives(b)) else {
            return self.open_choice(condition, a, b);
        };
        let negated = self.mirror.pool.not(condition);
        let mut gathering = Gathering::default();
        for (guard, rows) in [(condition, chosen), (negated, other)] {
            for row in rows.iter() {
                let guard = self.mirror.pool.and(guard, row.guard);
                gathering.add(self, guard, row.units.clone())?;
            }
        }
        Ok(gathering.done())
    }

    /// Whether two rows are the same.
    pub(super) fn same(&mut self, a: &[TermId], b: &[TermId]) -> TermId {
        if a.len() != b.len() {
            return self.mirror.pool.bool(false);
        }
        let mut all = self.mirror.pool.bool(true);
        for (&x, &y) in a.iter().zip(b) {
            let equal = self.mirror.pool.eq(x, y);
            all = self.mirror.pool.and(all, equal);
            if self.mirror.pool.as_bool(all) == Some(false) {
                break;
            }
        }
        all
    }

    fn starts_with(&mut self, text: &[TermId], prefix: &[TermId]) -> TermId {
        match text.get(..prefix.len()) {
            Some(start) => self.same(start, prefix),
            None => self.mirror.pool.bool(false),
        }
    }

    fn ends_with(&mut self, text: &[TermId], suffix: &[TermId]) -> TermId {
        match text.len().checked_sub(suffix.len()) {
            Some(start) => self.same(&text[start..], suffix),
            None => self.mirror.pool.bool(false),
        }
    }

    /// `a < b`, or `a <= b`, unit by unit.
    pub(super) fn before(&mut self, a: &[TermId], b: &[TermId], or_same: bool) -> TermId {
        let common = a.len().min(b.len());
        let at_end = if or_same {
            a.len() <= b.len()
        } else {
            a.len() < b.len()
        };
        let mut result = self.mirror.pool.bool(at_end);
        for place in (0..common).rev() {
            let (x, y) = (a[place], b[place]);
            let (less, equal) = (self.mirror.pool.lt(x, y), self.mirror.pool.eq(x, y));
            let further = self.mirror.pool.and(equal, result);
            result = self.mirror.pool.or(less, further);
        }
        result
    }
}
