//! Answers queries with floats.
//!
//! Float arithmetic rounds, so almost nothing the integer layers know holds for it, and a decision procedure
//! for it is slow. From cheap to expensive: bounds and orders refute, a search guided by distances finds
//! models, real arithmetic guesses them, and Z3's theory of IEEE-754 settles the rest, if all of the query can
//! be told in it. Every model is judged by the exact evaluator; "no" comes only from what is sound for every
//! float. Queries without floats pass straight through.

mod candidates;
mod decide;
mod distance;
mod encode;
mod ieee;
mod invert;
mod order;
mod plain;
mod range;
mod reals;
mod search;
#[cfg(test)]
mod tests;

use crate::pool::TermPool;
use crate::solve::cache::AnswerCache;
use crate::solve::z3::Session;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver};

use decide::Deciding;
pub(super) use plain::plainer;
pub(super) use range::FloatRange;

/// Takes the queries with floats; the others go to `next`.
pub(super) struct Floats {
    deciding: AnswerCache,
    next: Box<dyn Solver>,
}

impl Floats {
    pub(super) fn new(session: Session, next: Box<dyn Solver>) -> Self {
        Floats {
            deciding: AnswerCache::new(Box::new(Deciding::new(session))),
            next,
        }
    }
}

impl Solver for Floats {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        let mut parts = query.path.iter().chain([&query.goal]);
        if parts.any(|&part| pool.has_float(part)) {
            self.deciding.solve(pool, query, budget)
        } else {
            self.next.solve(pool, query, budget)
        }
    }

    fn name(&self) -> &'static str {
        "floats"
    }

    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        let before = out.len();
        self.deciding.statistics(out);
        // Most explorations have no floats: their statistics need not show them.
        if out[before..].iter().all(|layer| layer.asked == 0) {
            out.truncate(before);
        }
        self.next.statistics(out);
    }
}
