//! Puts the constants of a question into the hint.
//!
//! Most conditions on text are about text that stands in the program. Before lengths are chosen and texts
//! taken apart, the constants of the goal are tried alone and at every place of the hint: a few evaluations
//! instead of a search.

use rustc_hash::FxHashSet;

use super::mirror::text_of;
use super::trial::Trial;
use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::{Query, start_from};
use crate::term::{Term, TermId, VarId};
use crate::text::{Text, Unit};
use crate::value::Model;

/// Evaluation work per question.
const MAX_COST: u64 = 1_500;
/// Constants that are tried.
const MAX_CONSTANTS: usize = 4;
/// Terms of the goal that are searched for constants.
const MAX_TERMS: usize = 400;
/// Text longer than this is not changed place by place.
const MAX_LENGTH: usize = 48;

/// A model, if one is found at once.
pub(super) fn guess(
    pool: &TermPool,
    query: &Query<'_>,
    inputs: &[VarId],
    evaluator: &mut Evaluator,
) -> Option<Model> {
    let constants = constants(pool, query.goal);
    let mut model = start_from(pool, query.hint);
    let mut trial = Trial::new(pool, query, evaluator, MAX_COST);
    let goal = pool.vars(query.goal);
    for &input in inputs.iter().filter(|&&input| goal.contains(input)) {
        let text = text_of(pool, query.hint, input);
        for candidate in candidates(text.units(), &constants) {
            if trial.try_units(&mut model, input, candidate) {
                return Some(model);
            }
            if trial.is_over() {
                return None;
            }
        }
    }
    None
}

/// The text constants of a term.
fn constants(pool: &TermPool, root: TermId) -> Vec<Text> {
    let mut constants: Vec<Text> = Vec::new();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut pending = vec![root];
    while let Some(term) = pending.pop() {
        if !seen.insert(term) || seen.len() > MAX_TERMS || constants.len() >= MAX_CONSTANTS {
            continue;
        }
        match pool.get(term) {
            Term::Text(text) if !text.is_empty() => constants.push(text.clone()),
            other => pending.extend_from_slice(other.children().as_slice()),
        }
    }
    constants
}

/// The text with constants put in, then with units left out.
fn candidates<'a>(
    units: &'a [Unit],
    constants: &'a [Text],
) -> impl Iterator<Item = Vec<Unit>> + 'a {
    let places = if units.len() <= MAX_LENGTH {
        units.len()
    } else {
        0
    };
    let alone = constants.iter().map(|constant| constant.units().to_vec());
    let spliced = constants.iter().flat_map(move |constant| {
        (0..=places).rev().flat_map(move |place| {
            let replaced = (place + constant.len()).min(units.len());
            let splice = |end: usize| [&units[..place], constant.units(), &units[end..]].concat();
            [splice(place), splice(replaced)]
        })
    });
    let shortened = (0..places).map(|place| [&units[..place], &units[place + 1..]].concat());
    alone.chain(spliced).chain(shortened)
}
