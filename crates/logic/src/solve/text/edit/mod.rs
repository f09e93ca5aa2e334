//! Edits the hint instead of solving.
//!
//! The hint satisfies the path and misses the goal, mostly by little: a part that should be a digit
//! longer, a separator that is not there, a number that is too small. What a piece of text would have
//! to be for one constraint is worked out backwards ([`wish`]) and written into the input; constraints
//! this breaks are mended likewise, a few edits deep. Every edit is evaluated, so what is found is
//! true; nothing is ever proved here.

mod near;
mod numbers;
mod pieces;
mod wish;

use rustc_hash::FxHashSet;

use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::{Query, start_from};
use crate::term::{TermId, VarId};
use crate::value::{Model, Value};

use near::strange_units;
use wish::Wishes;

/// Edits that are made one after the other.
const MAX_EDITS: usize = 5;
/// Edits that break something are followed up if they are among the best of their kind.
const MAX_FOLLOWED: usize = 3;
/// Evaluation work per question.
const MAX_COST: u64 = 12_000;

/// One change of the model.
type Edit = (VarId, Value);

/// A search among edits of the hint.
struct Search<'a> {
    pool: &'a TermPool,
    evaluator: &'a mut Evaluator,
    /// Goal and path, in the order in which they are mended.
    constraints: Vec<TermId>,
    wishes: Wishes,
    seen: FxHashSet<Edit>,
    /// The evaluation cost at which the search ends.
    limit: u64,
}

/// A model near the hint, if edits lead to one.
pub(super) fn edit(pool: &TermPool, query: &Query<'_>, evaluator: &mut Evaluator) -> Option<Model> {
    let mut constraints = vec![query.goal];
    constraints.extend_from_slice(query.path);
    let mut search = Search {
        pool,
        limit: evaluator.cost() + MAX_COST,
        evaluator,
        wishes: Wishes::new(strange_units(pool, &constraints)),
        constraints,
        seen: FxHashSet::default(),
    };
    let mut model = start_from(pool, query.hint);
    search.mend(&mut model, query.goal, 0).then_some(model)
}

impl Search<'_> {
    /// Changes the model so that everything holds; `broken` does not hold yet.
    fn mend(&mut self, model: &mut Model, broken: TermId, edits: usize) -> bool {
        let mut promising = Vec::new();
        let candidates = self.wishes.edits(self.pool, self.evaluator, model, broken);
        for (variable, value) in candidates {
            if self.evaluator.cost() > self.limit {
                return false;
            }
            if !self.seen.insert((variable, value.clone())) {
                continue;
            }
            let before = model.value_of(self.pool, variable);
            model.set(variable, value.clone());
            match self.damage(model) {
                None => return true,
                Some((count, next)) if next != broken => {
                    promising.push((count, promising.len(), variable, value, next));
                }
                Some(_) => {}
            }
            model.set(variable, before);
        }
        if edits + 1 >= MAX_EDITS {
            return false;
        }
        promising.sort_by_key(|&(count, order, ..)| (count, order));
        for (_, _, variable, value, next) in promising.into_iter().take(MAX_FOLLOWED) {
            let before = model.value_of(self.pool, variable);
            model.set(variable, value);
            if self.mend(model, next, edits + 1) {
                return true;
            }
            model.set(variable, before);
        }
        false
    }

    /// How many constraints do not hold, and the first of them.
    fn damage(&mut self, model: &Model) -> Option<(usize, TermId)> {
        let (pool, evaluator) = (self.pool, &mut *self.evaluator);
        evaluator.forget();
        let mut broken = self
            .constraints
            .iter()
            .copied()
            .filter(|&part| evaluator.value_again(pool, model, part) != Ok(Value::Bool(true)));
        let first = broken.next()?;
        Some((1 + broken.count(), first))
    }
}
