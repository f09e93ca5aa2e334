//! Answers queries with floats.
//!
//! Float arithmetic rounds, so almost nothing the integer layers know holds for it, and a decision procedure
//! for it is slow. From cheap to expensive: bounds refute, a search guided by distances finds models, real
//! arithmetic guesses them, and Z3's theory of IEEE-754 settles the rest, if all of the query can be
//! told in it. Every model is judged by the exact evaluator; "no" comes only from bounds and from
//! exact encodings. Queries without floats pass straight through.

mod candidates;
mod distance;
mod invert;
mod range;
mod search;

use std::time::Instant;

use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::independent::conjuncts;
use crate::solve::interval::Propagation;
use crate::solve::shrink::Shrinker;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, UnknownReason, start_from};
use crate::term::TermId;
use crate::value::Model;

pub(super) use range::FloatRange;
use search::{Problem, Search};

/// Evaluation work of the first search.
const QUICK_COST: u64 = 30_000;

/// Answers queries with floats; the others go to `next`.
pub(super) struct Floats {
    propagation: Propagation,
    search: Search,
    evaluator: Evaluator,
    shrinker: Shrinker,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

impl Floats {
    pub(super) fn new(next: Box<dyn Solver>) -> Self {
        Floats {
            propagation: Propagation::new(),
            search: Search::default(),
            evaluator: Evaluator::new(),
            shrinker: Shrinker::new(),
            statistics: LayerStatistics::new("floats"),
            next,
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        let mut constraints = query.path.to_vec();
        conjuncts(pool, query.goal, &mut constraints);
        let pool = &*pool;
        if self.propagation.run(pool, constraints.iter().copied()).is_err() {
            return Answer::Unsat;
        }
        match self.search(pool, query, &constraints) {
            Some(model) => Answer::Sat(self.shrinker.shrink(pool, query, model)),
            None => Answer::Unknown(UnknownReason::Incomplete("float arithmetic")),
        }
    }

    fn search(&mut self, pool: &TermPool, query: &Query<'_>, constraints: &[TermId]) -> Option<Model> {
        let problem = Problem::new(pool, constraints, &self.propagation);
        let hint = start_from(pool, query.hint);
        let mut model = hint.clone();
        problem.clamp(&mut model);
        self.search.allow(QUICK_COST);
        if self.search.climb(&problem, &mut model) {
            return Some(model);
        }
        None
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
