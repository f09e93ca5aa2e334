//! Tries other text for an input.
//!
//! A trial knows a model of which only one input changes; it evaluates what mentions that input, within a
//! limit.

use super::mirror::text_of;
use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::Query;
use crate::term::{TermId, VarId};
use crate::text::{Text, Unit};
use crate::value::Model;

pub(super) struct Trial<'a> {
    pub(super) pool: &'a TermPool,
    query: &'a Query<'a>,
    evaluator: &'a mut Evaluator,
    /// The evaluation cost at which trying ends.
    limit: u64,
}

impl<'a> Trial<'a> {
    pub(super) fn new(
        pool: &'a TermPool,
        query: &'a Query<'a>,
        evaluator: &'a mut Evaluator,
        cost: u64,
    ) -> Self {
        let limit = evaluator.cost() + cost;
        Trial {
            pool,
            query,
            evaluator,
            limit,
        }
    }

    /// Whether there is no effort left.
    pub(super) fn is_over(&self) -> bool {
        self.evaluator.cost() > self.limit
    }

    /// Keeps the text if everything that mentions the input holds.
    pub(super) fn try_units(&mut self, model: &mut Model, input: VarId, units: Vec<Unit>) -> bool {
        if self.is_over() {
            return false;
        }
        let before = text_of(self.pool, model, input);
        model.set(input, Text::new(before.kind(), units));
        let (pool, evaluator) = (self.pool, &mut *self.evaluator);
        let mut holds =
            |part: TermId| !pool.vars(part).contains(input) || evaluator.holds(pool, model, part);
        if holds(self.query.goal) && self.query.path.iter().all(|&part| holds(part)) {
            return true;
        }
        model.set(input, before);
        false
    }
}
