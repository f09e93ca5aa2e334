//! Answers queries with floats.
//!
//! Float arithmetic rounds, so almost nothing the integer layers know holds for it, and a decision procedure
//! for it is slow. From cheap to expensive: bounds refute, a search guided by distances finds models, real
//! arithmetic guesses them, and Z3's theory of IEEE-754 settles the rest, if all of the query can be
//! told in it. Every model is judged by the exact evaluator; "no" comes only from bounds and from
//! exact encodings. Queries without floats pass straight through.

mod candidates;
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

use std::time::Instant;

use crate::pool::TermPool;
use crate::solve::independent::conjuncts;
use crate::solve::interval::Propagation;
use crate::solve::shrink::Shrinker;
use crate::solve::z3::{Session, remaining};
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, UnknownReason, start_from};
use crate::term::TermId;
use crate::value::Model;

use ieee::Verdict;
use order::Order;
pub(super) use plain::plainer;
pub(super) use range::FloatRange;
use search::{Problem, Search};

/// Evaluation work of the search before Z3 is asked.
const QUICK_COST: u64 = 20_000;
/// Evaluation work of the search before IEEE-754 arithmetic is asked.
const LONG_COST: u64 = 60_000;
/// The part of the budget that real arithmetic gets.
const GUESS_SHARE: u32 = 10;

/// Answers queries with floats; the others go to `next`.
pub(super) struct Floats {
    session: Session,
    propagation: Propagation,
    search: Search,
    shrinker: Shrinker,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

impl Floats {
    pub(super) fn new(session: Session, next: Box<dyn Solver>) -> Self {
        Floats {
            session,
            propagation: Propagation::new(),
            search: Search::default(),
            shrinker: Shrinker::new(),
            statistics: LayerStatistics::new("floats"),
            next,
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        let mut constraints = Vec::with_capacity(query.path.len() + 1);
        for &part in query.path.iter().chain([&query.goal]) {
            conjuncts(pool, part, &mut constraints);
        }
        let pool = &*pool;
        if self
            .propagation
            .run(pool, constraints.iter().copied())
            .is_err()
            || Order::new(pool, &self.propagation).contradicts(&constraints)
        {
            return Answer::Unsat;
        }
        match self.decide(pool, query, &constraints, budget) {
            Ok(Some(model)) => Answer::Sat(self.shrinker.shrink(pool, query, model)),
            Ok(None) => Answer::Unsat,
            Err(reason) => Answer::Unknown(reason),
        }
    }

    /// A model, or none if there is none.
    fn decide(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        constraints: &[TermId],
        budget: &Budget,
    ) -> Result<Option<Model>, UnknownReason> {
        let start = Instant::now();
        let problem = Problem::new(pool, constraints, &self.propagation);
        let hint = start_from(pool, query.hint);
        let mut near = hint.clone();
        problem.clamp(&mut near);
        let mut model = near.clone();
        self.search.allow(QUICK_COST);
        if self.search.climb(&problem, &mut model) || self.search.pairs(&problem, &mut model) {
            return Ok(Some(model));
        }
        let short = share(budget);
        if let Some(mut model) = reals::guess(&self.session, &problem, &hint, &short) {
            self.search.allow(QUICK_COST);
            if self.search.climb(&problem, &mut model) {
                return Ok(Some(model));
            }
        }
        self.search.allow(LONG_COST);
        if let Some(model) = self.search.scatter(&problem, &near) {
            return Ok(Some(model));
        }
        let rest = remaining(budget, start.elapsed()).ok_or(UnknownReason::Budget)?;
        match ieee::ask(&self.session, &problem, &hint, &rest) {
            Verdict::Unsat => Ok(None),
            Verdict::Unknown(reason) => Err(reason),
            Verdict::Model(mut model, approximate) => {
                self.search.allow(QUICK_COST);
                if self.search.climb(&problem, &mut model) {
                    return Ok(Some(model));
                }
                Err(approximate.map_or(UnknownReason::InvalidModel, UnknownReason::Incomplete))
            }
        }
    }
}

/// The part of a budget that a guess is worth.
fn share(budget: &Budget) -> Budget {
    Budget {
        rlimit: budget.rlimit / GUESS_SHARE,
        wall: budget.wall / GUESS_SHARE,
    }
}

fn has_floats(pool: &TermPool, query: &Query<'_>) -> bool {
    pool.has_float(query.goal) || query.path.iter().any(|&part| pool.has_float(part))
}

impl Solver for Floats {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        if !has_floats(pool, query) {
            return self.next.solve(pool, query, budget);
        }
        self.statistics.asked += 1;
        let start = Instant::now();
        let answer = self.answer(pool, query, budget);
        self.statistics.nanos += start.elapsed().as_nanos() as u64;
        self.statistics.count(&answer);
        answer
    }

    fn name(&self) -> &'static str {
        self.statistics.layer
    }

    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        out.push(self.statistics.clone());
        self.next.statistics(out);
    }
}
