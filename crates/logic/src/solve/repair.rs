//! Repairs the hint instead of solving.

use crate::evaluate::Evaluator;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver};
use crate::term::{Sort, VarId};
use crate::value::{Model, Value};

/// Changes one variable of the goal.
pub(super) struct Repair {
    evaluator: Evaluator,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

impl Repair {
    pub(super) fn new(next: Box<dyn Solver>) -> Self {
        Repair {
            evaluator: Evaluator::new(),
            statistics: LayerStatistics::new("repair"),
            next,
        }
    }

    fn attempt(&mut self, pool: &TermPool, query: &Query<'_>) -> Option<Model> {
        let mut model = query.hint.clone();
        model.complete(pool);
        let variables: Vec<VarId> = pool.vars(query.goal).iter().collect();
        for variable in variables {
            let before = model.value_of(pool, variable);
            let candidates: Vec<Value> = match pool.var_sort(variable) {
                Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
                Sort::Int => (-300..300)
                    .map(|v: i64| Value::Int(Integer::Small(v)))
                    .collect(),
            };
            for candidate in candidates {
                model.set(variable, candidate);
                if self.evaluator.holds(pool, &model, query.goal)
                    && self.evaluator.all_hold(pool, &model, query.path)
                {
                    return Some(model);
                }
            }
            model.set(variable, before);
        }
        None
    }
}

impl Solver for Repair {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
        if pool.as_bool(query.goal) == Some(false) {
            return Answer::Unsat;
        }
        match self.attempt(pool, query) {
            Some(model) => {
                self.statistics.sat += 1;
                Answer::Sat(model)
            }
            None => self.next.solve(pool, query, budget),
        }
    }

    fn name(&self) -> &'static str {
        "repair"
    }

    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        out.push(self.statistics.clone());
        self.next.statistics(out);
    }
}
