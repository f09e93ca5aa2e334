//! Concrete values and models.
//!
//! A model is what a solver hands back and what a run starts from: a value for each variable, stored
//! densely because variables are few and looked up constantly.

use std::fmt;

use crate::float::Float;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::term::{Sort, VarId};
use crate::text::{Text, TextKind};

/// A concrete value of one of the sorts.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer of any size.
    Int(Integer),
    /// A `str` or `bytes`.
    Text(Text),
    /// A float.
    Float(Float),
}

impl Value {
    /// The value a variable of `sort` has when nothing was said about it.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(Integer::ZERO),
            Sort::Str => Value::Text(Text::empty(TextKind::Str)),
            Sort::Bytes => Value::Text(Text::empty(TextKind::Bytes)),
            Sort::Float => Value::Float(Float::ZERO),
        }
    }

    /// The sort of the value.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Text(text) => text.kind().sort(),
            Value::Float(_) => Sort::Float,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            Value::Int(_) | Value::Text(_) | Value::Float(_) => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<&Integer> {
        match self {
            Value::Int(value) => Some(value),
            Value::Bool(_) | Value::Text(_) | Value::Float(_) => None,
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&Text> {
        match self {
            Value::Text(value) => Some(value),
            Value::Bool(_) | Value::Int(_) | Value::Float(_) => None,
        }
    }

    /// The float, if it is one.
    pub fn as_float(&self) -> Option<Float> {
        match self {
            Value::Float(value) => Some(*value),
            Value::Bool(_) | Value::Int(_) | Value::Text(_) => None,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<Integer> for Value {
    fn from(value: Integer) -> Self {
        Value::Int(value)
    }
}

impl From<Text> for Value {
    fn from(value: Text) -> Self {
        Value::Text(value)
    }
}

impl From<Float> for Value {
    fn from(value: Float) -> Self {
        Value::Float(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Int(Integer::Small(value))
    }
}

/// Prints the value as Python source.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(true) => formatter.write_str("True"),
            Value::Bool(false) => formatter.write_str("False"),
            Value::Int(value) => fmt::Display::fmt(value, formatter),
            Value::Text(value) => fmt::Display::fmt(value, formatter),
            Value::Float(value) => fmt::Display::fmt(value, formatter),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// An assignment of values to variables; a missing variable has the default of its sort.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: Vec<Option<Value>>,
}

impl Model {
    /// The model that says nothing, so that every variable has its default.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value given to `variable`, if any.
    #[inline]
    pub fn get(&self, variable: VarId) -> Option<&Value> {
        self.values.get(variable.index()).and_then(Option::as_ref)
    }

    /// The value of `variable`, by default the one of its sort.
    pub fn value_of(&self, pool: &TermPool, variable: VarId) -> Value {
        match self.get(variable) {
            Some(value) => value.clone(),
            None => Value::default_of(pool.var_sort(variable)),
        }
    }

    /// Gives `variable` a value and returns the one it replaces.
    pub fn set(&mut self, variable: VarId, value: impl Into<Value>) -> Option<Value> {
        let index = variable.index();
        if index >= self.values.len() {
            self.values.resize(index + 1, None);
        }
        self.values[index].replace(value.into())
    }

    /// Takes back what was said about `variable`.
    pub fn unset(&mut self, variable: VarId) -> Option<Value> {
        self.values.get_mut(variable.index()).and_then(Option::take)
    }

    /// Gives every variable of the pool that has no value yet its default.
    pub fn complete(&mut self, pool: &TermPool) {
        self.values
            .resize(self.values.len().max(pool.var_count()), None);
        for (index, slot) in self.values.iter_mut().enumerate() {
            if slot.is_none() {
                *slot = Some(Value::default_of(pool.var_sort(VarId::new(index))));
            }
        }
    }

    /// The given values, in the order of the variables.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, &Value)> {
        self.values
            .iter()
            .enumerate()
            .filter_map(|(index, value)| Some((VarId::new(index), value.as_ref()?)))
    }
}

impl FromIterator<(VarId, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (VarId, Value)>>(values: I) -> Self {
        let mut model = Model::new();
        for (variable, value) in values {
            model.set(variable, value);
        }
        model
    }
}
