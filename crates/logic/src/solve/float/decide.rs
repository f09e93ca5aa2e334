//! Decides one query with floats, from cheap to expensive.

use std::time::Instant;

use crate::pool::TermPool;
use crate::solve::float::ieee::{self, Verdict};
use crate::solve::float::order::Order;
use crate::solve::float::reals;
use crate::solve::float::search::{Problem, Search};
use crate::solve::independent::conjuncts;
use crate::solve::interval::Propagation;
use crate::solve::shrink::Shrinker;
use crate::solve::z3::{Incremental, Session, remaining};
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, UnknownReason, start_from};
use crate::term::TermId;
use crate::value::Model;

/// Evaluation work of a search from one starting point.
const QUICK_COST: u64 = 20_000;
/// Evaluation work of the search from many starting points.
const LONG_COST: u64 = 60_000;
/// The part of the budget that a guess is worth.
const GUESS_SHARE: u32 = 10;

/// Answers queries with floats.
pub(super) struct Deciding {
    session: Session,
    propagation: Propagation,
    search: Search,
    /// Knows the part of a query that has no floats.
    integers: Incremental,
    shrinker: Shrinker,
    statistics: LayerStatistics,
}

impl Deciding {
    pub(super) fn new(session: Session) -> Self {
        Deciding {
            integers: Incremental::long(session.clone()),
            session,
            propagation: Propagation::new(),
            search: Search::default(),
            shrinker: Shrinker::new(),
            statistics: LayerStatistics::new("floats"),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        let mut constraints = Vec::with_capacity(query.path.len() + 1);
        for &part in query.path {
            conjuncts(pool, part, &mut constraints);
        }
        let goals = constraints.len();
        conjuncts(pool, query.goal, &mut constraints);
        if self
            .propagation
            .run(pool, constraints.iter().copied())
            .is_err()
            || Order::new(pool, &self.propagation).contradicts(&constraints)
        {
            return Answer::Unsat;
        }
        let mut near = start_from(pool, query.hint);
        Problem::new(pool, &constraints, &self.propagation).clamp(&mut near);
        let outcome = match self.find(pool, &constraints, near.clone()) {
            Some(model) => Ok(Some(model)),
            None if self.integers_refute(pool, query, &constraints, goals, budget) => Ok(None),
            None => self.settle(pool, query, &constraints, &near, budget),
        };
        match outcome {
            Ok(Some(model)) => Answer::Sat(self.shrinker.shrink(pool, query, model)),
            Ok(None) => Answer::Unsat,
            Err(reason) => Answer::Unknown(reason),
        }
    }

    /// A model near a starting point.
    fn find(&mut self, pool: &TermPool, constraints: &[TermId], start: Model) -> Option<Model> {
        let problem = Problem::new(pool, constraints, &self.propagation);
        let mut model = start;
        self.search.allow(QUICK_COST);
        let found =
            self.search.climb(&problem, &mut model) || self.search.pairs(&problem, &mut model);
        found.then_some(model)
    }

    /// Whether the part of the query without floats has no model. The path has one, so only a
    /// goal can make it impossible.
    fn integers_refute(
        &mut self,
        pool: &mut TermPool,
        query: &Query<'_>,
        constraints: &[TermId],
        goals: usize,
        budget: &Budget,
    ) -> bool {
        let plain = |&&part: &&TermId| !pool.has_float(part) && !pool.has_text(part);
        let path: Vec<TermId> = constraints[..goals].iter().filter(plain).copied().collect();
        let goals: Vec<TermId> = constraints[goals..].iter().filter(plain).copied().collect();
        let Some((&first, rest)) = goals.split_first() else {
            return false;
        };
        let goal = rest.iter().fold(first, |goal, &part| pool.and(goal, part));
        let part = Query {
            path: &path,
            goal,
            hint: query.hint,
        };
        self.integers.solve(pool, &part, &share(budget)) == Answer::Unsat
    }

    /// A model, or none if there is none.
    fn settle(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        constraints: &[TermId],
        near: &Model,
        budget: &Budget,
    ) -> Result<Option<Model>, UnknownReason> {
        if budget.is_glance() {
            return Err(UnknownReason::Budget);
        }
        let start = Instant::now();
        let problem = Problem::new(pool, constraints, &self.propagation);
        let hint = start_from(pool, query.hint);
        if let Some(mut model) = reals::guess(&self.session, &problem, &hint, &share(budget)) {
            self.search.allow(QUICK_COST);
            if self.search.climb(&problem, &mut model) {
                return Ok(Some(model));
            }
        }
        self.search.allow(LONG_COST);
        if let Some(model) = self.search.scatter(&problem, near) {
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

fn share(budget: &Budget) -> Budget {
    Budget {
        rlimit: budget.rlimit / GUESS_SHARE,
        wall: budget.wall / GUESS_SHARE,
    }
}

impl Solver for Deciding {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
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
    }
}
