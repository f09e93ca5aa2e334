//! Rules for comparisons of text.

use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{Term, TermId};
use crate::text::{Text, TextKind};

/// What is left of two concatenations after cancelling at one end.
enum Cancelled {
    /// The ends differ.
    Different,
    /// The remaining parts of both.
    Rest(Vec<TermId>, Vec<TermId>),
}

impl TermPool {
    pub(super) fn simplify_equality(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        if left == right {
            return Some(self.bool(true));
        }
        // Constants go to the right, other terms are ordered.
        let swapped = match (self.as_text(left), self.as_text(right)) {
            (Some(_), _) => true,
            (None, Some(_)) => false,
            (None, None) => right < left,
        };
        if swapped {
            return Some(self.apply(Operation::TextEq, &[right, left]));
        }
        if self.is_empty_text(right) {
            let (length, zero) = (self.apply(Operation::Length, &[left]), self.small(0));
            return Some(self.eq(length, zero));
        }
        if let Some(decided) = self.equality_of_code(left, right) {
            return Some(decided);
        }
        match self.get(left).clone() {
            Term::Apply(Operation::FromInt(kind, base), number) => {
                self.equality_of_digits(kind, base, number[0], right)
            }
            Term::Ite(condition, a, b) if self.as_text(right).is_some() => {
                if self.as_text(a).is_none() && self.as_text(b).is_none() {
                    return None;
                }
                let a = self.apply(Operation::TextEq, &[a, right]);
                let b = self.apply(Operation::TextEq, &[b, right]);
                Some(self.ite(condition, a, b))
            }
            Term::Apply(Operation::Slice, slice) => {
                let room = self.as_int(slice[2])? - self.as_int(slice[1])?;
                let needed = self.as_text(right)?.len() as i64;
                let too_long = room < crate::integer::Integer::Small(needed);
                too_long.then(|| self.bool(false))
            }
            _ => self.equality_of_parts(left, right),
        }
    }

    /// Text of at most one unit.
    fn equality_of_code(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        if let Term::Apply(Operation::FromCode(_), code) = self.get(left) {
            let code = code[0];
            if let Some(text) = self.as_text(right) {
                return Some(match *text.units() {
                    [unit] => {
                        let unit = self.small(unit.into());
                        self.eq(code, unit)
                    }
                    _ => self.bool(false),
                });
            }
        }
        let (left, right) = (self.as_code(left)?, self.as_code(right)?);
        Some(self.eq(left, right))
    }

    fn equality_of_digits(
        &mut self,
        kind: TextKind,
        base: u8,
        number: TermId,
        right: TermId,
    ) -> Option<TermId> {
        if let Some(text) = self.as_text(right) {
            let value = text.to_int(base);
            if Text::from_int(kind, &value, base) != *text {
                return Some(self.bool(false));
            }
            let value = self.int(value);
            return Some(self.eq(number, value));
        }
        match self.get(right) {
            Term::Apply(Operation::FromInt(_, other), operand) if *other == base => {
                let other = operand[0];
                Some(self.eq(number, other))
            }
            _ => None,
        }
    }

    fn equality_of_parts(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        let kind = self.kind(left)?;
        let (before_left, before_right) = (self.parts(left), self.parts(right));
        if before_left.len() + before_right.len() == 2 {
            return None;
        }
        let mut rest = (before_left.clone(), before_right.clone());
        for end in [End::Start, End::Stop] {
            match self.cancel(kind, end, rest.0, rest.1) {
                Cancelled::Different => return Some(self.bool(false)),
                Cancelled::Rest(a, b) => rest = (a, b),
            }
        }
        if rest.0 == before_left && rest.1 == before_right {
            return None;
        }
        let (left, right) = (self.joined(kind, &rest.0), self.joined(kind, &rest.1));
        Some(self.apply(Operation::TextEq, &[left, right]))
    }

    /// Takes away what both have in common at one end.
    fn cancel(
        &mut self,
        kind: TextKind,
        end: End,
        mut left: Vec<TermId>,
        mut right: Vec<TermId>,
    ) -> Cancelled {
        while let (Some(a), Some(b)) = (end.peek(&left), end.peek(&right)) {
            if a == b {
                end.take(&mut left);
                end.take(&mut right);
                continue;
            }
            let (Some(x), Some(y)) = (self.as_text(a).cloned(), self.as_text(b).cloned()) else {
                break;
            };
            let shared = x.len().min(y.len());
            if end.of(&x, shared) != end.of(&y, shared) {
                return Cancelled::Different;
            }
            for (parts, text) in [(&mut left, x), (&mut right, y)] {
                end.take(parts);
                if text.len() > shared {
                    let rest = self.text(Text::new(kind, end.without(&text, shared)));
                    end.put(parts, rest);
                }
            }
        }
        Cancelled::Rest(left, right)
    }

    pub(super) fn simplify_prefix(&mut self, text: TermId, prefix: TermId) -> Option<TermId> {
        self.simplify_end(Operation::StartsWith, End::Start, text, prefix)
    }

    pub(super) fn simplify_suffix(&mut self, text: TermId, suffix: TermId) -> Option<TermId> {
        self.simplify_end(Operation::EndsWith, End::Stop, text, suffix)
    }

    fn simplify_end(
        &mut self,
        op: Operation,
        end: End,
        text: TermId,
        other: TermId,
    ) -> Option<TermId> {
        if text == other || self.is_empty_text(other) {
            return Some(self.bool(true));
        }
        if self.is_empty_text(text)
            || matches!(self.get(text), Term::Apply(Operation::FromCode(_), _))
                && self.as_text(other).is_some()
        {
            return Some(self.apply(Operation::TextEq, &[text, other]));
        }
        let kind = self.kind(text)?;
        let (parts, others) = (self.parts(text), self.parts(other));
        match self.cancel(kind, end, parts.clone(), others.clone()) {
            Cancelled::Different => Some(self.bool(false)),
            Cancelled::Rest(rest, other_rest) => {
                if rest == parts && other_rest == others {
                    return None;
                }
                let (text, other) = (self.joined(kind, &rest), self.joined(kind, &other_rest));
                Some(self.apply(op, &[text, other]))
            }
        }
    }

    pub(super) fn simplify_contains(&mut self, text: TermId, needle: TermId) -> Option<TermId> {
        if text == needle || self.is_empty_text(needle) {
            return Some(self.bool(true));
        }
        if self.is_empty_text(text) {
            return Some(self.apply(Operation::TextEq, &[needle, text]));
        }
        if let (Term::Apply(Operation::FromCode(_), _), Some(_)) =
            (self.get(text), self.as_text(needle))
        {
            return Some(self.apply(Operation::TextEq, &[text, needle]));
        }
        let parts = self.parts(text);
        if parts.len() == 1 {
            return None;
        }
        let zero = crate::integer::Integer::ZERO;
        let within = |part: TermId| match (self.as_text(part), self.as_text(needle)) {
            (Some(part), Some(needle)) => part.find(needle, &zero) >= 0,
            _ => part == needle,
        };
        parts.into_iter().any(within).then(|| self.bool(true))
    }

    pub(super) fn simplify_order(
        &mut self,
        op: Operation,
        left: TermId,
        right: TermId,
    ) -> Option<TermId> {
        let strict = op == Operation::TextLt;
        if left == right {
            return Some(self.bool(!strict));
        }
        let zero = self.small(0);
        // Nothing is before empty text.
        if self.is_empty_text(right) {
            let length = self.apply(Operation::Length, &[left]);
            return Some(if strict {
                self.bool(false)
            } else {
                self.eq(length, zero)
            });
        }
        if self.is_empty_text(left) {
            let length = self.apply(Operation::Length, &[right]);
            return Some(if strict {
                self.lt(zero, length)
            } else {
                self.bool(true)
            });
        }
        match (self.as_code(left), self.as_code(right)) {
            (Some(a), Some(b)) if strict => Some(self.lt(a, b)),
            (Some(a), Some(b)) => Some(self.le(a, b)),
            (Some(code), None) => {
                // `c` is before `cd`.
                let text = self.as_text(right)?;
                let (unit, longer) = (*text.units().first()?, text.len() > 1);
                let unit = self.small(unit.into());
                Some(if strict && !longer {
                    self.lt(code, unit)
                } else {
                    self.le(code, unit)
                })
            }
            (None, Some(code)) => {
                let text = self.as_text(left)?;
                let (unit, longer) = (*text.units().first()?, text.len() > 1);
                let unit = self.small(unit.into());
                Some(if strict || longer {
                    self.lt(unit, code)
                } else {
                    self.le(unit, code)
                })
            }
            (None, None) => self.order_of_parts(op, left, right),
        }
    }

    /// Cancels equal beginnings; different ones decide.
    fn order_of_parts(&mut self, op: Operation, left: TermId, right: TermId) -> Option<TermId> {
        let kind = self.kind(left)?;
        let (parts, others) = (self.parts(left), self.parts(right));
        if let (Some(a), Some(b)) = (self.as_text(parts[0]), self.as_text(others[0])) {
            let mut pairs = a.units().iter().zip(b.units());
            if let Some((x, y)) = pairs.find(|(x, y)| x != y) {
                let before = x < y;
                return Some(self.bool(before));
            }
        }
        match self.cancel(kind, End::Start, parts.clone(), others.clone()) {
            Cancelled::Rest(rest, other_rest) if rest != parts => {
                let (left, right) = (self.joined(kind, &rest), self.joined(kind, &other_rest));
                Some(self.apply(op, &[left, right]))
            }
            Cancelled::Rest(..) | Cancelled::Different => None,
        }
    }
}

/// One end of a text or of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Start,
    Stop,
}

impl End {
    fn peek(self, parts: &[TermId]) -> Option<TermId> {
        match self {
            End::Start => parts.first().copied(),
            End::Stop => parts.last().copied(),
        }
    }

    fn take(self, parts: &mut Vec<TermId>) {
        match self {
            End::Start => {
                parts.remove(0);
            }
            End::Stop => {
                parts.pop();
            }
        }
    }

    fn put(self, parts: &mut Vec<TermId>, part: TermId) {
        match self {
            End::Start => parts.insert(0, part),
            End::Stop => parts.push(part),
        }
    }

    /// The units at this end.
    fn of(self, text: &Text, count: usize) -> &[u32] {
        match self {
            End::Start => &text.units()[..count],
            End::Stop => &text.units()[text.len() - count..],
        }
    }

    /// The units that are not at this end.
    fn without(self, text: &Text, count: usize) -> &[u32] {
        match self {
            End::Start => &text.units()[count..],
            End::Stop => &text.units()[..text.len() - count],
        }
    }
}
