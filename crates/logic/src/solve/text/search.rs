//! Searching in rows of units.

use super::lower::{Step, TooLarge};
use crate::alphabet::CharClass;
use crate::operation::ClassId;
use crate::term::TermId;
use crate::text::Unit;

impl Step<'_> {
    pub(super) fn contains(&mut self, text: &[TermId], needle: &[TermId]) -> TermId {
        if let &[unit] = needle
            && let Some(class) = self.known_units(text)
        {
            let class = self.intern_class(&class);
            return self.member(class, unit);
        }
        let mut any = self.mirror.pool.bool(false);
        for window in windows(text, needle.len()) {
            let here = self.same(window, needle);
            any = self.mirror.pool.or(any, here);
        }
        any
    }

    /// The units of a row that has no others than known ones.
    fn known_units(&self, text: &[TermId]) -> Option<CharClass> {
        let pool = &self.mirror.pool;
        let unit = |&unit: &TermId| Unit::try_from(pool.as_int(unit)?.to_i64()?).ok();
        let units: Option<Vec<Unit>> = text.iter().map(unit).collect();
        Some(CharClass::new(units?.into_iter().map(|unit| (unit, unit))))
    }

    pub(super) fn find(&mut self, operands: &[TermId]) -> Result<TermId, TooLarge> {
        let start = self.plain(operands[2])?;
        self.positions(operands, |step, text, needle| {
            let places: Vec<usize> = (0..windows(text, needle.len()).len()).collect();
            step.first_of(text, needle, &places, |step, place| {
                let place = step.mirror.pool.small(place as i64);
                step.compared(start, place)
            })
        })
    }

    pub(super) fn rfind(&mut self, operands: &[TermId]) -> Result<TermId, TooLarge> {
        let stop = self.plain(operands[2])?;
        self.positions(operands, |step, text, needle| {
            let places: Vec<usize> = (0..windows(text, needle.len()).len()).rev().collect();
            step.first_of(text, needle, &places, |step, place| {
                let end = step.mirror.pool.small((place + needle.len()) as i64);
                step.compared(end, stop)
            })
        })
    }

    /// A position in a text, worked out for every pair of rows.
    fn positions(
        &mut self,
        operands: &[TermId],
        search: impl Fn(&mut Self, &[TermId], &[TermId]) -> Vec<(TermId, i64)>,
    ) -> Result<TermId, TooLarge> {
        let (texts, needles) = (self.rows(operands[0])?, self.rows(operands[1])?);
        let mut cases = Vec::new();
        for text in texts.iter() {
            for needle in needles.iter() {
                let both = self.mirror.pool.and(text.guard, needle.guard);
                if self.mirror.pool.as_bool(both) == Some(false) {
                    continue;
                }
                for (guard, place) in search(self, &text.units, &needle.units) {
                    cases.push((self.mirror.pool.and(both, guard), place));
                }
            }
        }
        Ok(self.number(cases))
    }

    /// The first of the places where the needle stands and that is allowed, else -1.
    fn first_of(
        &mut self,
        text: &[TermId],
        needle: &[TermId],
        places: &[usize],
        allowed: impl Fn(&mut Self, usize) -> TermId,
    ) -> Vec<(TermId, i64)> {
        let mut cases = Vec::with_capacity(places.len() + 1);
        let mut nowhere = self.mirror.pool.bool(true);
        for &place in places {
            let stands = self.same(&text[place..place + needle.len()], needle);
            let permitted = allowed(self, place);
            let here = self.mirror.pool.and(permitted, stands);
            cases.push((self.mirror.pool.and(nowhere, here), place as i64));
            let not_here = self.mirror.pool.not(here);
            nowhere = self.mirror.pool.and(nowhere, not_here);
            if self.mirror.pool.as_bool(nowhere) == Some(false) {
                break;
            }
        }
        cases.push((nowhere, -1));
        cases
    }

    /// `a <= b`, case by case where the cases are known.
    fn compared(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(crate::term::Comparison::Le, a, b)
    }

    /// How many units of a class stand at the start, or at the end.
    pub(super) fn span(
        &mut self,
        class: ClassId,
        text: TermId,
        from_end: bool,
    ) -> Result<TermId, TooLarge> {
        let (rows, class) = (self.rows(text)?, self.class(class));
        let mut cases = Vec::new();
        for row in rows.iter() {
            let mut units = row.units.to_vec();
            if from_end {
                units.reverse();
            }
            let mut so_far = row.guard;
            for (count, &unit) in units.iter().enumerate() {
                let inside = self.member(class, unit);
                let outside = self.mirror.pool.not(inside);
                cases.push((self.mirror.pool.and(so_far, outside), count as i64));
                so_far = self.mirror.pool.and(so_far, inside);
            }
            cases.push((so_far, units.len() as i64));
        }
        Ok(self.number(cases))
    }
}

/// All rows of this length in a text; an empty one stands before each unit and at the end.
fn windows(text: &[TermId], length: usize) -> impl ExactSizeIterator<Item = &[TermId]> {
    let count = (text.len() + 1).saturating_sub(length);
    (0..count).map(move |start| &text[start..start + length])
}
