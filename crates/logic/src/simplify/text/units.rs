//! Rules for single units and slices.

use crate::integer::Integer;
use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{BinaryOp, Term, TermId};
use crate::text::{Text, TextKind};

impl TermPool {
    /// Whether a number is a unit of the kind.
    pub(super) fn is_unit_of(&mut self, kind: TextKind, code: TermId) -> TermId {
        let (zero, last) = (self.small(0), self.small(kind.last().into()));
        let low = self.le(zero, code);
        if self.is_unit_or_none(kind, code) {
            return low;
        }
        let high = self.le(code, last);
        self.and(low, high)
    }

    /// Whether a number is plainly a unit of the kind or -1.
    pub(super) fn is_unit_or_none(&self, kind: TextKind, code: TermId) -> bool {
        match self.get(code) {
            Term::Apply(Operation::At, operands) => {
                TextKind::of(self.sort(operands[0])).is_some_and(|of| of.last() <= kind.last())
            }
            // Maps are between units.
            Term::Apply(Operation::MapCode(_), operands) if kind == TextKind::Str => {
                matches!(self.get(operands[0]), Term::Apply(Operation::At, _))
            }
            _ => false,
        }
    }

    /// Whether a number is plainly not negative.
    fn is_natural(&self, term: TermId) -> bool {
        let least = match *self.get(term) {
            Term::Binary(BinaryOp::Add, inner, offset) => {
                let low = self.shape_bounds(inner).0;
                low.zip(self.shape_bounds(offset).0).map(|(a, b)| &a + &b)
            }
            _ => self.shape_bounds(term).0,
        };
        least.is_some_and(|least| !least.is_negative())
    }

    pub(super) fn simplify_at(&mut self, text: TermId, position: TermId) -> Option<TermId> {
        if self.as_int(position).is_some_and(Integer::is_negative) {
            return Some(self.small(-1));
        }
        match self.get(text).clone() {
            Term::Apply(Operation::FromCode(kind), code) => {
                let constant = self.as_int(position)?.is_zero();
                if !constant {
                    return Some(self.small(-1));
                }
                if self.is_unit_or_none(kind, code[0]) {
                    return Some(code[0]);
                }
                let (inside, outside) = (self.is_unit_of(kind, code[0]), self.small(-1));
                Some(self.ite(inside, code[0], outside))
            }
            Term::Apply(Operation::Concat, parts) => {
                let first = self.as_text(parts[0])?;
                let (unit, length) = (first.at(self.as_int(position)?), first.len());
                if unit >= 0 {
                    return Some(self.small(unit));
                }
                let rest = self.apply(Operation::Concat, &parts[1..]);
                let length = self.small(length as i64);
                let position = self.binary(BinaryOp::Sub, position, length);
                Some(self.apply(Operation::At, &[rest, position]))
            }
            Term::Apply(Operation::MapText(map), inner) => {
                let unit = self.apply(Operation::At, &[inner[0], position]);
                Some(self.apply(Operation::MapCode(map), &[unit]))
            }
            Term::Apply(Operation::Slice, slice) => {
                self.at_of_slice(slice[0], slice[1], slice[2], position)
            }
            _ => None,
        }
    }

    fn at_of_slice(
        &mut self,
        text: TermId,
        start: TermId,
        stop: TermId,
        position: TermId,
    ) -> Option<TermId> {
        if !self.is_natural(start) || !self.is_natural(position) {
            return None;
        }
        let place = self.binary(BinaryOp::Add, start, position);
        let unit = self.apply(Operation::At, &[text, place]);
        if stop == self.apply(Operation::Length, &[text]) {
            return Some(unit);
        }
        let (inside, outside) = (self.lt(place, stop), self.small(-1));
        Some(self.ite(inside, unit, outside))
    }

    pub(super) fn simplify_slice(
        &mut self,
        text: TermId,
        start: TermId,
        stop: TermId,
    ) -> Option<TermId> {
        let kind = TextKind::of(self.sort(text))?;
        let zero = self.small(0);
        if self.as_int(start).is_some_and(Integer::is_negative) {
            return Some(self.apply(Operation::Slice, &[text, zero, stop]));
        }
        let crossed = match (self.as_int(start), self.as_int(stop)) {
            (Some(start), Some(stop)) => stop <= start,
            (_, Some(stop)) => !stop.is_positive(),
            (_, None) => start == stop,
        };
        if crossed {
            return Some(self.text(Text::empty(kind)));
        }
        let one = self.small(1);
        if self.binary(BinaryOp::Add, start, one) == stop {
            let unit = self.apply(Operation::At, &[text, start]);
            return Some(self.apply(Operation::FromCode(kind), &[unit]));
        }
        let to_end = self.apply(Operation::Length, &[text]) == stop;
        if to_end && start == zero {
            return Some(text);
        }
        match self.get(text).clone() {
            Term::Apply(Operation::FromCode(_), _) => {
                let (start, stop) = (self.as_int(start)?, self.as_int(stop)?);
                let all = start.is_zero() && stop.is_positive();
                Some(if all {
                    text
                } else {
                    self.text(Text::empty(kind))
                })
            }
            Term::Apply(Operation::MapText(map), inner) => {
                let inner = self.apply(Operation::Slice, &[inner[0], start, stop]);
                Some(self.apply(Operation::MapText(map), &[inner]))
            }
            Term::Apply(Operation::Slice, inner) => {
                self.slice_of_slice(inner[0], (inner[1], inner[2]), (start, stop), to_end)
            }
            Term::Apply(Operation::Concat, parts) => {
                self.slice_of_concat(&parts, start, stop, to_end)
            }
            _ => None,
        }
    }

    fn slice_of_slice(
        &mut self,
        text: TermId,
        inner: (TermId, TermId),
        (start, stop): (TermId, TermId),
        to_end: bool,
    ) -> Option<TermId> {
        if !self.is_natural(inner.0) || !self.is_natural(start) {
            return None;
        }
        let first = self.binary(BinaryOp::Add, inner.0, start);
        if to_end {
            return Some(self.apply(Operation::Slice, &[text, first, inner.1]));
        }
        if !self.is_natural(stop) {
            return None;
        }
        let last = self.binary(BinaryOp::Add, inner.0, stop);
        let length = self.apply(Operation::Length, &[text]);
        let last = if inner.1 == length {
            last
        } else {
            match (self.as_int(last), self.as_int(inner.1)) {
                (Some(a), Some(b)) => {
                    let least = a.min(b).clone();
                    self.int(least)
                }
                _ => return None,
            }
        };
        Some(self.apply(Operation::Slice, &[text, first, last]))
    }

    /// Cuts constants off the beginning that the slice does not reach, or stays inside one.
    fn slice_of_concat(
        &mut self,
        parts: &[TermId],
        start: TermId,
        stop: TermId,
        to_end: bool,
    ) -> Option<TermId> {
        let first = self.as_text(parts[0])?.clone();
        let length = Integer::Small(first.len() as i64);
        let from = self.as_int(start)?.clone();
        if from >= length {
            let rest = self.apply(Operation::Concat, &parts[1..]);
            let cut = self.int(length);
            let start = self.binary(BinaryOp::Sub, start, cut);
            let stop = if to_end {
                self.apply(Operation::Length, &[rest])
            } else {
                self.binary(BinaryOp::Sub, stop, cut)
            };
            return Some(self.apply(Operation::Slice, &[rest, start, stop]));
        }
        let inside = self.as_int(stop).filter(|stop| **stop <= length)?;
        let slice = first.slice(&from, inside);
        Some(self.text(slice))
    }

    /// The code of a text of at most one unit, if it is plain that it is a unit or -1.
    pub(super) fn as_code(&self, text: TermId) -> Option<TermId> {
        match self.get(text) {
            Term::Apply(Operation::FromCode(kind), code)
                if self.is_unit_or_none(*kind, code[0]) =>
            {
                Some(code[0])
            }
            _ => None,
        }
    }
}
