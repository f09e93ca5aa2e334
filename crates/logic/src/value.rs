//! Concrete values and models.
//!
//! A model is what a solver hands back and what a run starts from: a value for each variable, stored
//! densely because variables are looked up constantly.

use std::fmt;
use std::rc::Rc;

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
///
/// Models are copied for every query and kept for every open branch, and most copies differ in one value. So
/// only the first few values are copied; the others come in blocks that copies share until one changes.
#[derive(Clone, Debug, Default)]
pub struct Model {
    first: Vec<Slot>,
    /// Values from `BLOCK` on, as many in each.
    blocks: Vec<Rc<[Slot; BLOCK]>>,
    /// All variables before this one have a value.
    complete: usize,
}

type Slot = Option<Value>;

/// Values in a block. Few functions have more inputs than fit the first.
const BLOCK: usize = 32;

impl Model {
    /// The model that says nothing, so that every variable has its default.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value given to `variable`, if any.
    #[inline]
    pub fn get(&self, variable: VarId) -> Option<&Value> {
        let index = variable.index();
        if index < BLOCK {
            return self.first.get(index)?.as_ref();
        }
        self.blocks.get(index / BLOCK - 1)?[index % BLOCK].as_ref()
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
        let value = value.into();
        // What stays as it is need not be copied.
        if variable.index() >= BLOCK && self.get(variable) == Some(&value) {
            return Some(value);
        }
        self.slot(variable).replace(value)
    }

    /// Takes back what was said about `variable`.
    pub fn unset(&mut self, variable: VarId) -> Option<Value> {
        self.get(variable)?;
        self.complete = self.complete.min(variable.index());
        self.slot(variable).take()
    }

    /// The place of a value, made if there is none.
    fn slot(&mut self, variable: VarId) -> &mut Slot {
        let (number, place) = (variable.index() / BLOCK, variable.index() % BLOCK);
        if number == 0 {
            if place >= self.first.len() {
                self.first.resize(place + 1, None);
            }
            return &mut self.first[place];
        }
        while self.blocks.len() < number {
            self.blocks.push(Rc::new([const { None }; BLOCK]));
        }
        &mut Rc::make_mut(&mut self.blocks[number - 1])[place]
    }

    /// Gives every variable of the pool that has no value yet its default.
    pub fn complete(&mut self, pool: &TermPool) {
        for index in self.complete..pool.var_count() {
            let variable = VarId::new(index);
            if self.get(variable).is_none() {
                self.set(variable, Value::default_of(pool.var_sort(variable)));
            }
        }
        self.complete = self.complete.max(pool.var_count());
    }

    /// The given values, in the order of the variables.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, &Value)> {
        let blocks = self.blocks.iter().enumerate();
        let blocks = blocks.map(|(number, block)| ((number + 1) * BLOCK, &block[..]));
        std::iter::once((0, &self.first[..]))
            .chain(blocks)
            .flat_map(|(start, slots)| {
                let given = slots.iter().enumerate();
                given.filter_map(move |(place, value)| {
                    Some((VarId::new(start + place), value.as_ref()?))
                })
            })
    }
}

/// Models are equal if they say the same.
impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Model {}

impl FromIterator<(VarId, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (VarId, Value)>>(values: I) -> Self {
        let mut model = Model::new();
        for (variable, value) in values {
            model.set(variable, value);
        }
        model
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(count: usize) -> Model {
        (0..count)
            .map(|index| (VarId::new(index), Value::from(index as i64)))
            .collect()
    }

    #[test]
    fn every_value_is_found_where_it_was_put() {
        for count in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 7] {
            let model = numbered(count);
            for index in 0..count + BLOCK {
                let expected = (index < count).then(|| Value::from(index as i64));
                assert_eq!(model.get(VarId::new(index)), expected.as_ref());
            }
            let indices: Vec<usize> = model.iter().map(|(variable, _)| variable.index()).collect();
            assert_eq!(indices, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_copy_that_changes_leaves_the_original_as_it_was() {
        let original = numbered(100);
        for index in [3, 40, 99] {
            let mut copy = original.clone();
            assert_eq!(copy, original);
            copy.set(VarId::new(index), -1);
            assert_ne!(copy, original);
            assert_eq!(
                original.get(VarId::new(index)),
                Some(&Value::from(index as i64))
            );
        }
    }

    #[test]
    fn what_was_taken_back_is_completed_again() {
        let mut pool = TermPool::new();
        for index in 0..50 {
            pool.variable(&format!("x{index}"), Sort::Int);
        }
        let mut model = numbered(50);
        model.complete(&pool);
        for index in [7, 45] {
            let variable = VarId::new(index);
            assert_eq!(model.unset(variable), Some(Value::from(index as i64)));
            assert_eq!(model.get(variable), None);
        }
        model.complete(&pool);
        assert_eq!(model.get(VarId::new(7)), Some(&Value::from(0)));
        assert_eq!(model.get(VarId::new(45)), Some(&Value::from(0)));
    }

    #[test]
    fn a_variable_that_came_later_gets_its_default() {
        let mut pool = TermPool::new();
        let mut model = Model::new();
        model.complete(&pool);
        pool.variable("x", Sort::Bool);
        model.complete(&pool);
        assert_eq!(model.get(VarId::new(0)), Some(&Value::Bool(false)));
    }
}
