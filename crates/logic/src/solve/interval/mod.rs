//! Refutes queries by bounds, and solves those that bounds pin down.
//!
//! Propagation handles every operation at least roughly, so it sees contradictions
//! that the exact but narrow difference layer cannot. It also tells the bit-vector layers how wide
//! the numbers of a query can get.

mod backward;
mod propagate;
mod range;

use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, start_from};
use crate::value::{Model, Value};
use crate::variables::VarSet;

use propagate::Domain;
pub(super) use propagate::Propagation;

/// Propagates bounds; tries the hint moved into the bounds as a model.
pub(super) struct Intervals {
    propagation: Propagation,
    evaluator: Evaluator,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

impl Intervals {
    pub(super) fn new(next: Box<dyn Solver>) -> Self {
        Intervals {
            propagation: Propagation::new(),
            evaluator: Evaluator::new(),
            statistics: LayerStatistics::new("intervals"),
            next,
        }
    }

    /// The hint with every variable moved into its range, if that is a model.
    fn clamped(&mut self, pool: &TermPool, query: &Query<'_>) -> Option<Model> {
        let mut model = start_from(pool, query.hint);
        let mut variables = VarSet::new();
        for &part in query.path.iter().chain([&query.goal]) {
            variables.extend(pool.vars(part));
        }
        let mut moved = false;
        for variable in variables.iter() {
            let before = model.value_of(pool, variable);
            let value = match (self.propagation.variable(pool, variable)?, &before) {
                (Domain::Number(range), Value::Int(value)) => Value::Int(range.nearest(value)),
                (Domain::Truth(Some(value)), _) => Value::Bool(value),
                (Domain::Truth(None), _) | (Domain::Number(_), Value::Bool(_)) => continue,
            };
            if value != before {
                model.set(variable, value);
                moved = true;
            }
        }
        let holds = moved
            && self.evaluator.holds(pool, &model, query.goal)
            && self.evaluator.all_hold(pool, &model, query.path);
        holds.then_some(model)
    }
}

impl Solver for Intervals {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
        let roots = query.path.iter().copied().chain([query.goal]);
        if self.propagation.run(pool, roots).is_err() {
            self.statistics.unsat += 1;
            return Answer::Unsat;
        }
        match self.clamped(pool, query) {
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
