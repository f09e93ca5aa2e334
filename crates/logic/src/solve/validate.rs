//! Lets no model pass that does not hold exactly.
//!
//! Solvers work on encodings, and an encoding can be wrong or approximate. Every model is evaluated
//! with Python's semantics on all constraints it was asked for before anyone sees it.

use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, UnknownReason};

/// Re-evaluates models; counts the refused ones as unknown.
pub(super) struct Validated {
    evaluator: Evaluator,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

impl Validated {
    pub(super) fn new(next: Box<dyn Solver>) -> Self {
        Validated {
            evaluator: Evaluator::new(),
            statistics: LayerStatistics::new("model check"),
            next,
        }
    }
}

impl Solver for Validated {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
        match self.next.solve(pool, query, budget) {
            Answer::Sat(model)
                if !(self.evaluator.holds(pool, &model, query.goal)
                    && self.evaluator.all_hold(pool, &model, query.path)) =>
            {
                self.statistics.unknown += 1;
                Answer::Unknown(UnknownReason::InvalidModel)
            }
            answer @ (Answer::Sat(_) | Answer::Unsat | Answer::Unknown(_)) => answer,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::scripted::Scripted;
    use crate::term::Sort;
    use crate::value::Model;

    #[test]
    fn a_wrong_model_becomes_unknown() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::Int);
        let seven = pool.small(7);
        let goal = pool.eq(x, seven);
        let hint = Model::new();
        let query = Query {
            path: &[],
            goal,
            hint: &hint,
        };
        let mut right = Model::new();
        right.set(pool.vars(x).iter().next().unwrap(), 7);
        let answers = [Answer::Sat(Model::new()), Answer::Sat(right.clone())];
        let mut layer = Validated::new(Box::new(Scripted::new(answers)));
        let first = layer.solve(&mut pool, &query, &Budget::default());
        assert_eq!(first, Answer::Unknown(UnknownReason::InvalidModel));
        let second = layer.solve(&mut pool, &query, &Budget::default());
        assert_eq!(second, Answer::Sat(right));
    }
}
