//! The constructor of operations on text and floats.
//!
//! Constants fold; the rest is for the rules of each theory.

use crate::apply::apply;
use crate::float::Float;
use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{Sort, Term, TermId};
use crate::text::Text;
use crate::value::Value;

impl TermPool {
    /// A text constant.
    pub fn text(&mut self, value: Text) -> TermId {
        self.intern(Term::Text(value))
    }

    /// A float constant.
    pub fn float(&mut self, value: f64) -> TermId {
        self.intern(Term::Float(Float::new(value)))
    }

    /// The text a term is, if it is a constant.
    pub fn as_text(&self, id: TermId) -> Option<&Text> {
        match self.get(id) {
            Term::Text(value) => Some(value),
            _ => None,
        }
    }

    /// The float a term is, if it is a constant.
    pub fn as_float(&self, id: TermId) -> Option<f64> {
        match self.get(id) {
            Term::Float(value) => Some(value.get()),
            _ => None,
        }
    }

    /// The constant of a value.
    pub fn constant(&mut self, value: &Value) -> TermId {
        match value {
            Value::Bool(value) => self.bool(*value),
            Value::Int(value) => self.int(value.clone()),
            Value::Text(value) => self.text(value.clone()),
            Value::Float(value) => self.float(value.get()),
        }
    }

    /// Whether two terms of one sort have the same value. Floats are the same if their bits are: a
    /// `nan` is the same as itself, `0.0` and `-0.0` are not the same.
    pub fn same(&mut self, left: TermId, right: TermId) -> TermId {
        match self.sort(left) {
            Sort::Bool => self.iff(left, right),
            Sort::Int => self.eq(left, right),
            Sort::Str | Sort::Bytes => self.apply(Operation::TextEq, &[left, right]),
            Sort::Float => self.same_float(left, right),
        }
    }

    fn same_float(&mut self, left: TermId, right: TermId) -> TermId {
        let equal = self.apply(Operation::FloatEq, &[left, right]);
        let sign = self.apply(Operation::IsNegative, &[left]);
        let other_sign = self.apply(Operation::IsNegative, &[right]);
        let signs = self.iff(sign, other_sign);
        let nan = self.apply(Operation::IsNan, &[left]);
        let other_nan = self.apply(Operation::IsNan, &[right]);
        let (numbers, nans) = (self.and(equal, signs), self.and(nan, other_nan));
        self.or(numbers, nans)
    }

    /// An operation on text or floats.
    pub fn apply(&mut self, op: Operation, operands: &[TermId]) -> TermId {
        if let Some(value) = self.folded(op, operands) {
            return self.constant(&value);
        }
        let simpler = if op.is_text() {
            self.simplify_text(op, operands)
        } else {
            self.simplify_float(op, operands)
        };
        simpler.unwrap_or_else(|| self.intern(Term::Apply(op, operands.into())))
    }

    /// The value of an operation on constants.
    fn folded(&self, op: Operation, operands: &[TermId]) -> Option<Value> {
        let mut values = Vec::with_capacity(operands.len());
        for &operand in operands {
            values.push(match self.get(operand) {
                Term::Bool(value) => Value::Bool(*value),
                Term::Int(value) => Value::Int(value.clone()),
                Term::Text(value) => Value::Text(value.clone()),
                Term::Float(value) => Value::Float(*value),
                _ => return None,
            });
        }
        apply(self, op, &values).ok()
    }
}
