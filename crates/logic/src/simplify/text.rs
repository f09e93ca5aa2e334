//! Rules for operations on text.

use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{Term, TermId};
use crate::text::{Text, TextKind};

impl TermPool {
    /// A simpler term for an operation on text, if a rule applies.
    pub(super) fn simplify_text(&mut self, op: Operation, operands: &[TermId]) -> Option<TermId> {
        match op {
            Operation::Concat => self.simplify_concat(operands),
            Operation::Length => self.simplify_length(operands[0]),
            Operation::TextEq if operands[0] == operands[1] => Some(self.bool(true)),
            Operation::TextLe if operands[0] == operands[1] => Some(self.bool(true)),
            Operation::TextLt if operands[0] == operands[1] => Some(self.bool(false)),
            // Constants go to the right.
            Operation::TextEq if self.as_text(operands[0]).is_some() => {
                Some(self.apply(op, &[operands[1], operands[0]]))
            }
            _ => None,
        }
    }

    /// Joins neighbouring constants, drops empty ones, opens nested concatenations.
    fn simplify_concat(&mut self, operands: &[TermId]) -> Option<TermId> {
        let kind = TextKind::of(self.sort(operands[0]))?;
        let mut parts: Vec<TermId> = Vec::with_capacity(operands.len());
        for &operand in operands {
            let inner = match self.get(operand) {
                Term::Apply(Operation::Concat, inner) => inner.to_vec(),
                _ => vec![operand],
            };
            for part in inner {
                self.append_part(kind, &mut parts, part);
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
            Some(before) => {
                let joined = Text::concat(kind, &[before.clone(), text.clone()]);
                parts.pop();
                parts.push(self.text(joined));
            }
            None => parts.push(part),
        }
    }

    fn simplify_length(&mut self, text: TermId) -> Option<TermId> {
        match self.get(text).clone() {
            Term::Apply(Operation::Concat, parts) => {
                let mut sum = self.small(0);
                for &part in &parts {
                    let length = self.apply(Operation::Length, &[part]);
                    sum = self.binary(crate::term::BinaryOp::Add, sum, length);
                }
                Some(sum)
            }
            Term::Apply(Operation::MapText(_), inner) => {
                Some(self.apply(Operation::Length, &[inner[0]]))
            }
            _ => None,
        }
    }
}
