//! A second pool, in which text is numbers.
//!
//! Questions about text become questions about lengths and single units. Those need variables no input
//! has; kept in a pool of their own they never show up in the models, conditions and reports of
//! the pool they come from. The mirror knows what each of its variables stands for, so that hints
//! go in and models come out.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::evaluate::Evaluator;
use crate::integer::Integer;
use crate::operation::ClassId;
use crate::pool::TermPool;
use crate::solve::start_from;
use crate::term::{Sort, Term, TermId, VarId};
use crate::text::{Text, TextKind, Unit};
use crate::value::{Model, Value};
use crate::variables::VarSet;

/// The unit of text about which nothing is known: people prefer `a` to NUL.
pub(super) const USUAL_UNIT: Unit = 'a' as Unit;
/// Longer text is not made; a model that needs it is refused.
const MAX_LENGTH: i64 = 1 << 16;

/// What a variable of the mirror stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Origin {
    /// An input that is not text.
    Input(VarId),
    /// The length of a text input.
    Length(VarId),
    /// The unit of a text input at a position; anything if the text is shorter.
    Unit(VarId, u32),
    /// The unit at a position counted from the end; the last is 0.
    UnitFromEnd(VarId, u32),
    /// The value of a term that is only approximated.
    Value(TermId),
    /// The length of a text term.
    LengthOf(TermId),
}

/// The values a number can have, each with the condition under which it has it. Exactly one of the
/// conditions holds.
pub(super) type Cases = Rc<[(TermId, i64)]>;

/// The pool of numbers and the meaning of its variables.
#[derive(Debug, Default)]
pub(super) struct Mirror {
    pub(super) pool: TermPool,
    origins: Vec<Origin>,
    /// Statements that hold of every variable: units are units.
    bounds: Vec<Box<[TermId]>>,
    by_origin: FxHashMap<Origin, TermId>,
    pub(super) cases: FxHashMap<TermId, Cases>,
    pub(super) members: FxHashMap<(ClassId, TermId), TermId>,
}

impl Mirror {
    /// The variable that stands for `origin`.
    pub(super) fn variable(&mut self, outer: &TermPool, origin: Origin) -> TermId {
        if let Some(&term) = self.by_origin.get(&origin) {
            return term;
        }
        let sort = match origin {
            Origin::Input(variable) => outer.var_sort(variable),
            Origin::Length(_)
            | Origin::LengthOf(_)
            | Origin::Unit(..)
            | Origin::UnitFromEnd(..) => Sort::Int,
            Origin::Value(term) => outer.sort(term),
        };
        let term = self.pool.variable(&format!("{origin:?}"), sort);
        let bounds: Box<[TermId]> = match origin {
            Origin::Input(_) | Origin::Value(_) | Origin::LengthOf(_) => Box::default(),
            Origin::Length(_) => Box::new([self.at_least_zero(term)]),
            Origin::Unit(variable, _) | Origin::UnitFromEnd(variable, _) => {
                let last = self.pool.small(last_unit(outer, variable).into());
                Box::new([self.at_least_zero(term), self.pool.le(term, last)])
            }
        };
        self.origins.push(origin);
        self.bounds.push(bounds);
        self.by_origin.insert(origin, term);
        term
    }

    fn at_least_zero(&mut self, term: TermId) -> TermId {
        let zero = self.pool.small(0);
        self.pool.le(zero, term)
    }

    /// The variable that stands for `origin`, if there is one.
    pub(super) fn known(&self, origin: Origin) -> Option<TermId> {
        self.by_origin.get(&origin).copied()
    }

    pub(super) fn origin(&self, variable: VarId) -> Origin {
        self.origins[variable.index()]
    }

    /// What always holds of a variable.
    pub(super) fn bounds(&self, variable: VarId) -> &[TermId] {
        &self.bounds[variable.index()]
    }

    /// Whether a term is the unit of a text, so that it need not be bounded again.
    pub(super) fn is_unit(&self, term: TermId) -> bool {
        match *self.pool.get(term) {
            Term::Var(variable) => matches!(
                self.origin(variable),
                Origin::Unit(..) | Origin::UnitFromEnd(..)
            ),
            _ => false,
        }
    }

    /// The kind of text a variable is a unit of.
    pub(super) fn kind(&self, outer: &TermPool, variable: VarId) -> Option<TextKind> {
        match self.origin(variable) {
            Origin::Unit(input, _) | Origin::UnitFromEnd(input, _) => Some(kind_of(outer, input)),
            Origin::Input(_) | Origin::Length(_) | Origin::LengthOf(_) | Origin::Value(_) => None,
        }
    }

    /// The numbers that describe an input.
    pub(super) fn hint(
        &self,
        outer: &TermPool,
        hint: &Model,
        variables: &VarSet,
        evaluator: &mut Evaluator,
    ) -> Model {
        let mut model = Model::new();
        evaluator.forget();
        for variable in variables.iter() {
            let value = match self.origin(variable) {
                Origin::Input(input) => hint.value_of(outer, input),
                Origin::Length(input) => Value::from(text_of(outer, hint, input).len() as i64),
                Origin::Unit(input, position) => {
                    let text = text_of(outer, hint, input);
                    let unit = text.units().get(position as usize);
                    Value::from(i64::from(unit.copied().unwrap_or(USUAL_UNIT)))
                }
                Origin::UnitFromEnd(input, position) => {
                    let text = text_of(outer, hint, input);
                    let unit = text.units().iter().rev().nth(position as usize);
                    Value::from(i64::from(unit.copied().unwrap_or(USUAL_UNIT)))
                }
                Origin::Value(term) => match evaluator.value_again(outer, hint, term) {
                    Ok(value) => value,
                    Err(_) => Value::default_of(outer.sort(term)),
                },
                Origin::LengthOf(term) => match evaluator.value_again(outer, hint, term) {
                    Ok(Value::Text(text)) => Value::from(text.len() as i64),
                    Ok(Value::Bool(_) | Value::Int(_) | Value::Float(_)) | Err(_) => Value::from(0),
                },
            };
            model.set(variable, value);
        }
        model
    }

    /// The input that the numbers of `found` describe. Where they say nothing about a unit, the hint
    /// does. `lengths` are those that were assumed.
    pub(super) fn read(
        &self,
        outer: &TermPool,
        hint: &Model,
        found: &Model,
        variables: &VarSet,
        lengths: &[(VarId, usize)],
    ) -> Option<Model> {
        let mut model = start_from(outer, hint);
        for &(input, length) in lengths {
            resize(outer, &mut model, input, length);
        }
        for variable in variables.iter() {
            match self.origin(variable) {
                Origin::Input(input) => {
                    model.set(input, found.value_of(&self.pool, variable));
                }
                Origin::Length(input) => {
                    let length = found.value_of(&self.pool, variable);
                    let length = length.as_int().and_then(Integer::to_i64)?;
                    if !(0..=MAX_LENGTH).contains(&length) {
                        return None;
                    }
                    resize(outer, &mut model, input, length as usize);
                }
                Origin::Unit(..)
                | Origin::UnitFromEnd(..)
                | Origin::LengthOf(_)
                | Origin::Value(_) => {}
            }
        }
        let mut texts: FxHashMap<VarId, Vec<Unit>> = FxHashMap::default();
        for variable in variables.iter() {
            let (input, position, from_end) = match self.origin(variable) {
                Origin::Unit(input, position) => (input, position as usize, false),
                Origin::UnitFromEnd(input, position) => (input, position as usize, true),
                Origin::Input(_) | Origin::Length(_) | Origin::LengthOf(_) | Origin::Value(_) => {
                    continue;
                }
            };
            let value = found.value_of(&self.pool, variable);
            let unit = value.as_int().and_then(Integer::to_i64)?;
            let unit = Unit::try_from(unit).ok()?;
            let units = texts
                .entry(input)
                .or_insert_with(|| text_of(outer, &model, input).units().to_vec());
            let place = if from_end {
                units.len().checked_sub(position + 1)
            } else {
                Some(position)
            };
            if let Some(slot) = place.and_then(|place| units.get_mut(place)) {
                *slot = unit.min(last_unit(outer, input));
            }
        }
        for (input, units) in texts {
            model.set(input, Text::new(kind_of(outer, input), units));
        }
        Some(model)
    }
}

/// Cuts the text of an input, or lengthens it with the usual unit.
fn resize(outer: &TermPool, model: &mut Model, input: VarId, length: usize) {
    let text = text_of(outer, model, input);
    if text.len() != length {
        let mut units = text.units().to_vec();
        units.resize(length, USUAL_UNIT);
        model.set(input, Text::new(text.kind(), units));
    }
}

pub(super) fn kind_of(outer: &TermPool, input: VarId) -> TextKind {
    TextKind::of(outer.var_sort(input)).unwrap_or(TextKind::Str)
}

fn last_unit(outer: &TermPool, input: VarId) -> Unit {
    kind_of(outer, input).last()
}

pub(super) fn text_of(outer: &TermPool, model: &Model, input: VarId) -> Text {
    match model.value_of(outer, input) {
        Value::Text(text) => text,
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => Text::empty(kind_of(outer, input)),
    }
}
