//! Classes, maps and languages, spelled out for one unit or one row.

use super::lower::{Scope, Step, TooLarge};
use crate::alphabet::CharClass;
use crate::integer::Integer;
use crate::operation::{ClassId, LanguageId, MapId};
use crate::term::TermId;
use crate::text::{TextKind, Unit};

/// Classes with more ranges are worth a first attempt with ASCII alone.
const BULKY_RANGES: usize = 12;
/// Up to this many ranges stand in a row; more are searched like a tree.
const MAX_ROW: usize = 4;
/// The last unit of a narrow alphabet.
pub(super) const LAST_ASCII: Unit = 127;

/// Neighbouring units that are mapped by the same offset.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: Unit,
    last: Unit,
    offset: i64,
}

impl Step<'_> {
    /// A class of the outer pool under the name it has in the mirror.
    pub(super) fn class(&mut self, class: ClassId) -> ClassId {
        let class = self.outer.class(class).clone();
        self.intern_class(&class)
    }

    /// As [`Self::class`], as if it were large: every unit that may be in it multiplies the rows.
    pub(super) fn clipped(&mut self, class: ClassId) -> ClassId {
        let class = self.outer.class(class).clone();
        self.intern_class_as(&class, true)
    }

    pub(super) fn intern_class(&mut self, class: &CharClass) -> ClassId {
        self.intern_class_as(class, class.ranges().len() > BULKY_RANGES)
    }

    fn intern_class_as(&mut self, class: &CharClass, bulky: bool) -> ClassId {
        self.note.bulky |= bulky;
        if bulky && self.setting.alphabet == Scope::Narrow {
            let plain = class
                .ranges()
                .iter()
                .take_while(|range| range.0 <= LAST_ASCII);
            let clipped = plain.map(|&(first, last)| (first, last.min(LAST_ASCII)));
            return self.mirror.pool.intern_class(CharClass::new(clipped));
        }
        self.mirror.pool.intern_class(class.clone())
    }

    /// Whether a number is a unit of the class (one of the mirror).
    pub(super) fn member(&mut self, class: ClassId, code: TermId) -> TermId {
        if let Some(&known) = self.mirror.members.get(&(class, code)) {
            return known;
        }
        let ranges = self.mirror.pool.class(class).ranges().to_vec();
        let member = match self.mirror.pool.as_int(code).and_then(Integer::to_i64) {
            Some(value) => {
                let inside = Unit::try_from(value)
                    .is_ok_and(|unit| self.mirror.pool.class(class).contains(unit));
                self.mirror.pool.bool(inside)
            }
            None => self.in_ranges(&ranges, code),
        };
        self.mirror.members.insert((class, code), member);
        member
    }

    fn in_ranges(&mut self, ranges: &[(Unit, Unit)], code: TermId) -> TermId {
        if ranges.len() <= MAX_ROW {
            let mut any = self.mirror.pool.bool(false);
            for &(first, last) in ranges {
                let here = self.between(code, first, last);
                any = self.mirror.pool.or(any, here);
            }
            return any;
        }
        let (left, right) = ranges.split_at(ranges.len() / 2);
        let middle = self.mirror.pool.small(right[0].0.into());
        let below = self.mirror.pool.lt(code, middle);
        let (left, right) = (self.in_ranges(left, code), self.in_ranges(right, code));
        self.mirror.pool.ite(below, left, right)
    }

    fn between(&mut self, code: TermId, first: Unit, last: Unit) -> TermId {
        let (low, high) = (
            self.mirror.pool.small(first.into()),
            self.mirror.pool.small(last.into()),
        );
        if first == last {
            return self.mirror.pool.eq(code, low);
        }
        let is_unit = self.mirror.is_unit(code);
        let at_least = if is_unit && first == 0 {
            self.mirror.pool.bool(true)
        } else {
            self.mirror.pool.le(low, code)
        };
        let at_most = if is_unit && last >= TextKind::Str.last() {
            self.mirror.pool.bool(true)
        } else {
            self.mirror.pool.le(code, high)
        };
        self.mirror.pool.and(at_least, at_most)
    }

    /// Whether a variable that is a unit of some text is one of this kind.
    pub(super) fn fits(&self, kind: TextKind, unit: TermId) -> bool {
        let Some(variable) = self.mirror.pool.vars(unit).iter().next() else {
            return false;
        };
        match (kind, self.mirror.kind(self.outer, variable)) {
            (TextKind::Str, Some(_)) | (TextKind::Bytes, Some(TextKind::Bytes)) => true,
            (TextKind::Bytes, Some(TextKind::Str)) | (_, None) => false,
        }
    }

    /// A code after a map.
    pub(super) fn map(&mut self, map: MapId, code: TermId) -> TermId {
        if let Some(value) = self.mirror.pool.as_int(code).and_then(Integer::to_i64) {
            let mapped = match Unit::try_from(value) {
                Ok(unit) if unit <= TextKind::Str.last() => self.outer.map(map).apply(unit).into(),
                _ => value,
            };
            return self.mirror.pool.small(mapped);
        }
        let runs = self.runs(map);
        self.mapped(&runs, code)
    }

    fn runs(&mut self, map: MapId) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let ascii = self.setting.alphabet == Scope::Narrow;
        for &(from, to) in self.outer.map(map).pairs() {
            let offset = i64::from(to) - i64::from(from);
            match runs.last_mut() {
                Some(run) if run.last + 1 == from && run.offset == offset => run.last = from,
                _ => runs.push(Run {
                    first: from,
                    last: from,
                    offset,
                }),
            }
        }
        if runs.len() > BULKY_RANGES {
            self.note.bulky = true;
            if ascii {
                runs.retain(|run| run.first <= LAST_ASCII);
            }
        }
        runs
    }

    fn mapped(&mut self, runs: &[Run], code: TermId) -> TermId {
        if runs.len() <= MAX_ROW {
            return runs.iter().rev().fold(code, |rest, run| {
                let here = self.between(code, run.first, run.last);
                let offset = self.mirror.pool.small(run.offset);
                let moved = self
                    .mirror
                    .pool
                    .binary(crate::term::BinaryOp::Add, code, offset);
                self.mirror.pool.ite(here, moved, rest)
            });
        }
        let (left, right) = runs.split_at(runs.len() / 2);
        let middle = self.mirror.pool.small(right[0].first.into());
        let below = self.mirror.pool.lt(code, middle);
        let (left, right) = (self.mapped(left, code), self.mapped(right, code));
        self.mirror.pool.ite(below, left, right)
    }

    pub(super) fn matches(
        &mut self,
        language: LanguageId,
        text: TermId,
    ) -> Result<TermId, TooLarge> {
        let rows = self.rows(text)?;
        let mut choices = Vec::new();
        for row in rows.iter() {
            let accepted = self.accepted(language, &row.units);
            choices.push((row.guard, accepted));
        }
        Ok(self.any(&choices))
    }

    /// Whether the automaton accepts a row: which states can be reached, unit by unit. States from
    /// which the rest cannot be accepted are left out.
    pub(super) fn accepted(&mut self, language: LanguageId, units: &[TermId]) -> TermId {
        let outer = self.outer;
        let automaton = outer.language(language);
        let states = automaton.states();
        let mut useful = vec![vec![false; states]; units.len() + 1];
        useful[units.len()] = (0..states)
            .map(|state| automaton.accepts_in(state))
            .collect();
        for place in (0..units.len()).rev() {
            for state in 0..states {
                useful[place][state] = automaton.next(state).iter().any(|&target| {
                    useful[place + 1][target as usize]
                        && !automaton.class(target as usize).is_empty()
                });
            }
        }
        let never = self.mirror.pool.bool(false);
        let mut reached = vec![never; states];
        reached[0] = self.mirror.pool.bool(useful[0][0]);
        for (place, &unit) in units.iter().enumerate() {
            let mut next = vec![never; states];
            for state in (0..states).filter(|&state| reached[state] != never) {
                for &target in automaton.next(state) {
                    let target = target as usize;
                    if useful[place + 1][target] {
                        next[target] = self.mirror.pool.or(next[target], reached[state]);
                    }
                }
            }
            for target in (0..states)
                .filter(|&target| next[target] != never)
                .collect::<Vec<_>>()
            {
                let class = self.intern_class(automaton.class(target));
                let enters = self.member(class, unit);
                next[target] = self.mirror.pool.and(next[target], enters);
            }
            reached = next;
        }
        reached
            .iter()
            .fold(never, |any, &state| self.mirror.pool.or(any, state))
    }
}
