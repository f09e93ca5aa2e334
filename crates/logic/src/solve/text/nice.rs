//! Makes text readable.
//!
//! Solvers of numbers prefer small numbers, which makes control characters. As long as all constraints hold,
//! units that people would not type are replaced, and text that grew is cut.

use super::mirror::text_of;
use super::trial::Trial;
use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::Query;
use crate::term::VarId;
use crate::text::{Text, Unit};
use crate::value::Model;

/// Evaluation work per model.
const MAX_COST: u64 = 3_000;
/// Longer text is as readable as it gets.
const MAX_LENGTH: usize = 200;
/// Units that stand for what is not typed, best first.
const PREFERRED: [char; 9] = ['a', '0', 'A', ' ', '-', '!', '~', '\n', '\u{e9}'];

/// Improves the text of inputs in a model of the query.
pub(super) fn improve(
    pool: &TermPool,
    query: &Query<'_>,
    inputs: &[VarId],
    evaluator: &mut Evaluator,
    model: &mut Model,
) {
    let mut trial = Trial::new(pool, query, evaluator, MAX_COST);
    for &input in inputs {
        let hinted = text_of(pool, query.hint, input);
        let text = text_of(pool, model, input);
        if text != hinted && text.len() <= MAX_LENGTH {
            trial.shorten(model, input, &hinted);
            trial.replace(model, input, &hinted);
        }
    }
}

impl Trial<'_> {
    /// Leaves out units while the text is longer than before.
    fn shorten(&mut self, model: &mut Model, input: VarId, hinted: &Text) {
        let mut place = text_of(self.pool, model, input).len();
        while place > 0 {
            place -= 1;
            let mut units = text_of(self.pool, model, input).units().to_vec();
            if units.len() <= hinted.len() {
                return;
            }
            units.remove(place);
            self.try_units(model, input, units);
        }
    }

    fn replace(&mut self, model: &mut Model, input: VarId, hinted: &Text) {
        for place in 0..text_of(self.pool, model, input).len() {
            let text = text_of(self.pool, model, input);
            let unit = text.units()[place];
            if hinted.units().get(place) == Some(&unit) {
                continue;
            }
            for better in better_units(unit) {
                let mut units = text.units().to_vec();
                units[place] = better;
                if self.try_units(model, input, units) {
                    break;
                }
            }
        }
    }
}

/// Units to try before this one: smaller digits for a digit, nothing for a letter.
fn better_units(unit: Unit) -> Vec<Unit> {
    match char::from_u32(unit) {
        Some(c) if c.is_ascii_digit() => ('0' as Unit..unit).collect(),
        Some(c) if c.is_ascii_alphabetic() => Vec::new(),
        _ => PREFERRED
            .iter()
            .map(|&better| better as Unit)
            .take_while(|&better| better != unit)
            .collect(),
    }
}
