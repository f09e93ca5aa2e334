//! Repairs the hint instead of solving.
//!
//! The hint satisfies the whole path and misses only the goal. Very often it is enough to change one
//! variable of the goal to a value that [`inversion`](super::inversion) can work out.

use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::inversion::Inverter;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, start_from};
use crate::term::{TermId, VarId};
use crate::value::{Model, Value};

/// Variables of the goal that are tried.
const MAX_VARIABLES: usize = 8;
/// Evaluation work per query.
const MAX_COST: u64 = 5_000;

/// Changes one variable of the goal.
pub(super) struct Repair {
    inverter: Inverter,
    evaluator: Evaluator,
    candidates: Vec<Value>,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

impl Repair {
    pub(super) fn new(next: Box<dyn Solver>) -> Self {
        Repair {
            inverter: Inverter::new(),
            evaluator: Evaluator::new(),
            candidates: Vec::new(),
            statistics: LayerStatistics::new("repair"),
            next,
        }
    }

    fn attempt(&mut self, pool: &TermPool, query: &Query<'_>) -> Option<Model> {
        let mut model = start_from(pool, query.hint);
        let limit = self.evaluator.cost() + MAX_COST;
        for variable in pool.vars(query.goal).iter().take(MAX_VARIABLES) {
            self.candidates.clear();
            self.inverter
                .candidates(pool, &model, query.goal, variable, &mut self.candidates);
            let mut before = None;
            for candidate in self.candidates.drain(..) {
                if self.evaluator.cost() > limit {
                    break;
                }
                let replaced = model.set(variable, candidate);
                before = before.or(replaced);
                if holds_after(&mut self.evaluator, pool, &model, query, variable) {
                    return Some(model);
                }
            }
            if let Some(value) = before {
                model.set(variable, value);
            }
        }
        None
    }
}

/// Whether goal and path hold after `variable` was changed.
fn holds_after(
    evaluator: &mut Evaluator,
    pool: &TermPool,
    model: &Model,
    query: &Query<'_>,
    variable: VarId,
) -> bool {
    let mut affected =
        |term: TermId| !pool.vars(term).contains(variable) || evaluator.holds(pool, model, term);
    affected(query.goal) && query.path.iter().all(|&part| affected(part))
}

impl Solver for Repair {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
        match self.attempt(pool, query) {
            Some(model) => {
                self.statistics.sat += 1;
                Answer::Sat(model)
            }
            None => self.next.solve(pool, query, budget),
        }
    }

    fn name(&self) -> &'static str {
        self.statistics.layer
    }

    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        out.push(self.statistics.clone());
        self.next.statistics(out);
    }
}
