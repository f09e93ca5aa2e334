//! Rules for operations on text.
//!
//! Text of at most one unit is always `FromCode(At(s, i))`, never a slice, so that comparisons of single characters
//! become comparisons of integers. Slices of slices are one slice, concatenations are flat, and
//! what two concatenations have in common at either end is cancelled. Equality of a text with a
//! constant stays as it is: people read it, and the solver takes it apart better than a rule could.

mod relations;
mod units;

use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{BinaryOp, Term, TermId};
use crate::text::{Text, TextKind};

/// Rules look into operands up to this depth; some of them apply to their own results.
const MAX_DEPTH: u32 = 200;
/// Concatenations with more parts are not opened, and longer constants not joined: a loop that appends to a text would
/// else store all of it at every step.
const MAX_PARTS: usize = 256;
const MAX_JOINED: usize = 256;

impl TermPool {
    /// A simpler term for an operation on text, if a rule applies.
    pub(super) fn simplify_text(&mut self, op: Operation, operands: &[TermId]) -> Option<TermId> {
        if operands
            .iter()
            .any(|&operand| self.depth(operand) > MAX_DEPTH)
        {
            return match op {
                Operation::Concat => self.simplify_concat(operands),
                _ => None,
            };
        }
        match op {
            Operation::Concat => self.simplify_concat(operands),
            Operation::Length => self.simplify_length(operands[0]),
            Operation::At => self.simplify_at(operands[0], operands[1]),
            Operation::Slice => self.simplify_slice(operands[0], operands[1], operands[2]),
            Operation::TextEq => self.simplify_equality(operands[0], operands[1]),
            Operation::TextLt | Operation::TextLe => {
                self.simplify_order(op, operands[0], operands[1])
            }
            Operation::StartsWith => self.simplify_prefix(operands[0], operands[1]),
            Operation::EndsWith => self.simplify_suffix(operands[0], operands[1]),
            Operation::Contains => self.simplify_contains(operands[0], operands[1]),
            Operation::Find => self.simplify_find(operands[0], operands[1], operands[2]),
            Operation::MapText(map) => self.simplify_map(map, operands[0]),
            Operation::Expand(_) => self.simplify_expansion(op, operands[0]),
            Operation::MapCode(map) if self.map(map).pairs().is_empty() => Some(operands[0]),
            Operation::InClass(class) => match *self.class(class).ranges() {
                [] => Some(self.bool(false)),
                [(first, last)] if first == last => {
                    let unit = self.small(first.into());
                    Some(self.eq(operands[0], unit))
                }
                _ => None,
            },
            Operation::ToInt(base) => match self.get(operands[0]) {
                Term::Apply(Operation::FromInt(_, other), number) if *other == base => {
                    Some(number[0])
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The parts of a text, one if it is not a concatenation.
    fn parts(&self, text: TermId) -> Vec<TermId> {
        match self.get(text) {
            Term::Apply(Operation::Concat, parts) => parts.to_vec(),
            _ => vec![text],
        }
    }

    /// The concatenation of any number of parts.
    fn joined(&mut self, kind: TextKind, parts: &[TermId]) -> TermId {
        match parts {
            [] => self.text(Text::empty(kind)),
            [only] => *only,
            _ => self.apply(Operation::Concat, parts),
        }
    }

    fn kind(&self, text: TermId) -> Option<TextKind> {
        TextKind::of(self.sort(text))
    }

    /// Joins neighbouring constants, drops empty ones, opens nested concatenations.
    fn simplify_concat(&mut self, operands: &[TermId]) -> Option<TermId> {
        let kind = self.kind(operands[0])?;
        let mut parts: Vec<TermId> = Vec::with_capacity(operands.len());
        for &operand in operands {
            match self.get(operand) {
                Term::Apply(Operation::Concat, many) if many.len() > MAX_PARTS => {
                    parts.push(operand);
                }
                _ => {
                    for part in self.parts(operand) {
                        self.append_part(kind, &mut parts, part);
                    }
                }
            }
        }
        match parts.as_slice() {
            [] => Some(self.text(Text::empty(kind))),
            [only] => Some(*only),
            _ if parts == operands => None,
            _ => Some(self.intern(Term::Apply(Operation::Concat, parts.into()))),
        }
    }

    fn append_part(&mut self, kind: TextKind, parts: &mut Vec<TermId>, part: TermId) {
        let Some(text) = self.as_text(part) else {
            parts.push(part);
            return;
        };
        if text.is_empty() {
            return;
        }
        let before = parts.last().and_then(|&last| self.as_text(last));
        match before {
            Some(before) if before.len() + text.len() <= MAX_JOINED => {
                let joined = Text::concat(kind, &[before.clone(), text.clone()]);
                parts.pop();
                parts.push(self.text(joined));
            }
            Some(_) | None => parts.push(part),
        }
    }

    fn simplify_length(&mut self, text: TermId) -> Option<TermId> {
        match self.get(text).clone() {
            Term::Apply(Operation::Concat, parts) => {
                let mut sum = self.small(0);
                for &part in &parts {
                    let length = self.apply(Operation::Length, &[part]);
                    sum = self.binary(BinaryOp::Add, sum, length);
                }
                Some(sum)
            }
            Term::Apply(Operation::MapText(_) | Operation::FinalSigma(..), inner) => {
                Some(self.apply(Operation::Length, &[inner[0]]))
            }
            Term::Apply(Operation::FromCode(kind), code) => {
                let inside = self.is_unit_of(kind, code[0]);
                Some(self.from_bool(inside))
            }
            Term::Ite(condition, a, b)
                if self.as_text(a).is_some() || self.as_text(b).is_some() =>
            {
                let a = self.apply(Operation::Length, &[a]);
                let b = self.apply(Operation::Length, &[b]);
                Some(self.ite(condition, a, b))
            }
            _ => None,
        }
    }

    /// Each part of a concatenation for itself.
    fn simplify_expansion(&mut self, op: Operation, text: TermId) -> Option<TermId> {
        let Term::Apply(Operation::Concat, parts) = self.get(text).clone() else {
            return None;
        };
        let expanded: Vec<TermId> = parts.iter().map(|&part| self.apply(op, &[part])).collect();
        Some(self.apply(Operation::Concat, &expanded))
    }

    fn simplify_map(&mut self, map: crate::operation::MapId, text: TermId) -> Option<TermId> {
        if self.map(map).pairs().is_empty() {
            return Some(text);
        }
        match self.get(text).clone() {
            Term::Apply(Operation::Concat, parts) => {
                let mapped: Vec<TermId> = parts
                    .iter()
                    .map(|&part| self.apply(Operation::MapText(map), &[part]))
                    .collect();
                Some(self.apply(Operation::Concat, &mapped))
            }
            Term::Apply(op @ Operation::FromCode(TextKind::Str), code) => {
                let code = self.apply(Operation::MapCode(map), &[code[0]]);
                Some(self.apply(op, &[code]))
            }
            _ => None,
        }
    }

    /// The first position of a needle that stands in the constant beginning of a text.
    fn simplify_find(&mut self, text: TermId, needle: TermId, start: TermId) -> Option<TermId> {
        let start_value = self.as_int(start)?;
        if start_value.is_negative() {
            let zero = self.small(0);
            return Some(self.apply(Operation::Find, &[text, needle, zero]));
        }
        if start_value.is_zero() && (text == needle || self.is_empty_text(needle)) {
            return Some(self.small(0));
        }
        let beginning = self.parts(text).first().copied()?;
        let found = self
            .as_text(beginning)?
            .find(self.as_text(needle)?, start_value);
        (found >= 0).then(|| self.small(found))
    }

    fn is_empty_text(&self, term: TermId) -> bool {
        self.as_text(term).is_some_and(Text::is_empty)
    }
}
