//! Text whose length is left open.
//!
//! What looks only at the start or the end of an input, at its length, or compares with text of known length
//! is exact without choosing a length, so the answer is final. Other operations become variables
//! with facts about lengths: a refutation still counts, and a model proposes lengths.

use super::lower::{Image, Note, Step, TooLarge};
use super::mirror::Origin;
use super::units::Alternatives;
use crate::integer::Integer;
use crate::operation::{LanguageId, Operation};
use crate::term::{BinaryOp, Term, TermId, VarId};
use crate::text::TextKind;

/// Positions beyond this are not given variables.
const MAX_POSITION: i64 = 2_000;
/// Slices between constants up to this length are spelled out.
const MAX_SLICE: usize = 64;
/// A language whose texts are at most this long is spelled out.
const MAX_WORD: usize = 24;

/// An input without some units at its start and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) input: VarId,
    pub(super) front: usize,
    pub(super) back: usize,
}

impl Window {
    pub(super) fn whole(input: VarId) -> Self {
        Window {
            input,
            front: 0,
            back: 0,
        }
    }
}

impl Step<'_> {
    /// The image of an operation while lengths are open.
    pub(super) fn open(&mut self, op: Operation, operands: &[TermId]) -> Result<Image, TooLarge> {
        let known = operands.iter().all(|&operand| {
            TextKind::of(self.outer.sort(operand)).is_none() || self.alternatives(operand).is_some()
        });
        if known && !matches!(op, Operation::FromInt(..)) {
            if let Ok(image) = self.exact(op, operands) {
                return Ok(image);
            }
            self.note = Note::default();
        }
        if let Some(image) = self.on_window(op, operands)? {
            return Ok(image);
        }
        self.note = Note::default();
        self.approximated(op, operands)
    }

    /// Exact images of operations on a window of an input.
    fn on_window(&mut self, op: Operation, operands: &[TermId]) -> Result<Option<Image>, TooLarge> {
        use Operation as Op;
        let Some(&first) = operands.first() else {
            return Ok(None);
        };
        let second = operands.get(1).copied();
        let window = match self.operand(first)? {
            Image::Window(window) => window,
            Image::Text(left) => {
                let Some(Image::Window(right)) = second.map(|b| self.operand(b)).transpose()?
                else {
                    return Ok(None);
                };
                let relation: fn(&mut Self, Window, &[TermId]) -> TermId = match op {
                    Op::TextEq => Step::window_is,
                    Op::TextLt => |step, window, row| step.window_order(window, row, Greater::Yes),
                    Op::TextLe => {
                        |step, window, row| step.window_order(window, row, Greater::OrSame)
                    }
                    _ => return Ok(None),
                };
                return Ok(self.each_row(right, &left, relation));
            }
            Image::Plain(_) | Image::Opaque(_) => return Ok(None),
        };
        let relation: fn(&mut Self, Window, &[TermId]) -> TermId = match op {
            Op::Length => return Ok(Some(Image::Plain(self.window_length(window)))),
            Op::At => {
                let position = self.plain(operands[1])?;
                return Ok(self.window_at(window, position).map(Image::Plain));
            }
            Op::Slice => {
                let (start, stop) = (self.plain(operands[1])?, self.plain(operands[2])?);
                return self.window_slice(window, start, stop);
            }
            Op::Matches(language) => {
                return Ok(self.window_matches(language, window).map(Image::Plain));
            }
            Op::TextEq => Step::window_is,
            Op::StartsWith => Step::window_starts,
            Op::EndsWith => Step::window_ends,
            Op::TextLt => |step, window, row| {
                let at_least = step.window_order(window, row, Greater::OrSame);
                step.mirror.pool.not(at_least)
            },
            Op::TextLe => |step, window, row| {
                let above = step.window_order(window, row, Greater::Yes);
                step.mirror.pool.not(above)
            },
            _ => return Ok(None),
        };
        match second.and_then(|operand| self.alternatives(operand)) {
            Some(rows) => Ok(self.each_row(window, &rows, relation)),
            None => Ok(None),
        }
    }

    fn each_row(
        &mut self,
        window: Window,
        rows: &Alternatives,
        relation: impl Fn(&mut Self, Window, &[TermId]) -> TermId,
    ) -> Option<Image> {
        let mut choices = Vec::with_capacity(rows.len());
        for row in rows.iter() {
            if row.units.len() as i64 > MAX_POSITION {
                return None;
            }
            choices.push((row.guard, relation(self, window, &row.units)));
        }
        Some(Image::Plain(self.any(&choices)))
    }

    fn input_length(&mut self, input: VarId) -> TermId {
        self.mirror.variable(self.outer, Origin::Length(input))
    }

    fn unit_from_end(&mut self, input: VarId, position: usize) -> TermId {
        let unit = Origin::UnitFromEnd(input, position as u32);
        self.mirror.variable(self.outer, unit)
    }

    pub(super) fn window_length(&mut self, window: Window) -> TermId {
        let length = self.input_length(window.input);
        let cut = (window.front + window.back) as i64;
        if cut == 0 {
            return length;
        }
        let cut = self.mirror.pool.small(cut);
        let nothing = self.mirror.pool.le(length, cut);
        let (zero, rest) = (
            self.mirror.pool.small(0),
            self.mirror.pool.binary(BinaryOp::Sub, length, cut),
        );
        self.mirror.pool.ite(nothing, zero, rest)
    }

    /// Whether the window has at least this many units.
    fn window_has(&mut self, window: Window, count: usize) -> TermId {
        if count == 0 {
            return self.mirror.pool.bool(true);
        }
        let length = self.input_length(window.input);
        let needed = (window.front + window.back + count) as i64;
        let needed = self.mirror.pool.small(needed);
        self.mirror.pool.le(needed, length)
    }

    /// Whether the window has exactly this many units.
    fn window_counts(&mut self, window: Window, count: usize) -> TermId {
        let length = self.input_length(window.input);
        let total = self
            .mirror
            .pool
            .small((window.front + window.back + count) as i64);
        if count == 0 {
            self.mirror.pool.le(length, total)
        } else {
            self.mirror.pool.eq(length, total)
        }
    }

    fn window_units(&mut self, window: Window, count: usize) -> Vec<TermId> {
        (0..count)
            .map(|place| self.unit(window.input, window.front + place))
            .collect()
    }

    fn window_is(&mut self, window: Window, row: &[TermId]) -> TermId {
        let counts = self.window_counts(window, row.len());
        let units = self.window_units(window, row.len());
        let same = self.same(&units, row);
        self.mirror.pool.and(counts, same)
    }

    fn window_starts(&mut self, window: Window, row: &[TermId]) -> TermId {
        let long_enough = self.window_has(window, row.len());
        let units = self.window_units(window, row.len());
        let same = self.same(&units, row);
        self.mirror.pool.and(long_enough, same)
    }

    fn window_ends(&mut self, window: Window, row: &[TermId]) -> TermId {
        let long_enough = self.window_has(window, row.len());
        let units: Vec<TermId> = (0..row.len())
            .rev()
            .map(|place| self.unit_from_end(window.input, window.back + place))
            .collect();
        let same = self.same(&units, row);
        self.mirror.pool.and(long_enough, same)
    }

    /// Whether the window comes after the row in the order of text. A missing unit is before all.
    fn window_order(&mut self, window: Window, row: &[TermId], greater: Greater) -> TermId {
        let longer = self.window_has(window, row.len() + 1);
        let mut result = match greater {
            Greater::Yes => longer,
            Greater::OrSame => self.window_has(window, row.len()),
        };
        for (place, &other) in row.iter().enumerate().rev() {
            let present = self.window_has(window, place + 1);
            let unit = self.unit(window.input, window.front + place);
            let (above, equal) = (
                self.mirror.pool.lt(other, unit),
                self.mirror.pool.eq(other, unit),
            );
            let further = self.mirror.pool.and(equal, result);
            let here = self.mirror.pool.or(above, further);
            result = self.mirror.pool.and(present, here);
        }
        result
    }

    fn window_at(&mut self, window: Window, position: TermId) -> Option<TermId> {
        let outside = self.mirror.pool.small(-1);
        if let Some(cases) = self.cases(position) {
            if cases.iter().any(|&(_, place)| place > MAX_POSITION) {
                return None;
            }
            let choices: Vec<(TermId, TermId)> = cases
                .iter()
                .map(|&(guard, place)| (guard, self.window_at_place(window, place, outside)))
                .collect();
            return Some(self.select(&choices));
        }
        let from_end = self
            .before_end(window, position)
            .filter(|&places| places > 0)?;
        let present = self.window_has(window, from_end);
        let unit = self.unit_from_end(window.input, window.back + from_end - 1);
        Some(self.mirror.pool.ite(present, unit, outside))
    }

    fn window_at_place(&mut self, window: Window, place: i64, outside: TermId) -> TermId {
        let Ok(place) = usize::try_from(place) else {
            return outside;
        };
        let present = self.window_has(window, place + 1);
        let unit = self.unit(window.input, window.front + place);
        self.mirror.pool.ite(present, unit, outside)
    }

    /// How far before the end of the window a position is, if that is plain to see.
    fn before_end(&mut self, window: Window, position: TermId) -> Option<usize> {
        let length = self.window_length(window);
        if position == length {
            return Some(0);
        }
        let Term::Binary(BinaryOp::Add, inner, offset) = *self.mirror.pool.get(position) else {
            return None;
        };
        let offset = self.mirror.pool.as_int(offset).and_then(Integer::to_i64)?;
        let near = (-MAX_POSITION..0).contains(&offset);
        (inner == length && near).then_some(-offset as usize)
    }

    fn window_slice(
        &mut self,
        window: Window,
        start: TermId,
        stop: TermId,
    ) -> Result<Option<Image>, TooLarge> {
        let constant = |step: &Self, term: TermId| {
            let value = step.mirror.pool.as_int(term).and_then(Integer::to_i64)?;
            (value <= MAX_POSITION).then_some(value.max(0) as usize)
        };
        let Some(start) = constant(self, start) else {
            return Ok(None);
        };
        if let Some(cut) = self.before_end(window, stop) {
            return Ok(Some(Image::Window(Window {
                input: window.input,
                front: window.front + start,
                back: window.back + cut,
            })));
        }
        let Some(stop) =
            constant(self, stop).filter(|stop| stop.saturating_sub(start) <= MAX_SLICE)
        else {
            return Ok(None);
        };
        let longest = stop.saturating_sub(start);
        let inner = Window {
            front: window.front + start,
            ..window
        };
        let mut rows = Vec::new();
        for count in 0..=longest {
            let guard = if count == longest {
                self.window_has(inner, count)
            } else {
                self.window_counts(inner, count)
            };
            rows.push((guard, self.window_units(inner, count)));
        }
        self.rows_of(rows).map(Some)
    }

    fn window_matches(&mut self, language: LanguageId, window: Window) -> Option<TermId> {
        let Some((least, most)) = self.outer.language(language).lengths() else {
            return Some(self.mirror.pool.bool(false));
        };
        let most = most.filter(|&most| most <= MAX_WORD)?;
        let mut choices = Vec::new();
        for count in least..=most {
            let guard = self.window_counts(window, count);
            let units = self.window_units(window, count);
            choices.push((guard, self.accepted(language, &units)));
        }
        Some(self.any(&choices))
    }
}

/// How a window relates to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Greater {
    Yes,
    OrSame,
}
