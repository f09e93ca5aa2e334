//! Repairs several variables, one constraint after the other.
//!
//! Where a change of one variable breaks a constraint of the path, another variable may be able to
//! make up for it: with `a + b == 42` on the path, `a - b != 42` needs both to move. The walk
//! changes a variable to satisfy the first broken constraint, looks what that broke, and goes on, a
//! few changes deep. It finds small models near the hint and never proves anything.

use crate::evaluate::Evaluator;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::solve::inversion::Inverter;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, start_from};
use crate::term::{Sort, TermId, VarId};
use crate::value::{Model, Value};

/// Variables changed in one attempt; bounds recursion.
const MAX_CHANGES: usize = 4;
/// Variables of a broken constraint that are tried.
const MAX_VARIABLES: usize = 6;
/// Evaluation work per query.
const MAX_COST: u64 = 3_000;

/// Changes a few variables.
pub(super) struct Walk {
    inverter: Inverter,
    evaluator: Evaluator,
    changed: Vec<VarId>,
    /// The evaluation cost at which the walk ends.
    limit: u64,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

impl Walk {
    pub(super) fn new(next: Box<dyn Solver>) -> Self {
        Walk {
            inverter: Inverter::new(),
            evaluator: Evaluator::new(),
            changed: Vec::new(),
            limit: 0,
            statistics: LayerStatistics::new("walk"),
            next,
        }
    }

    fn broken(&mut self, pool: &TermPool, model: &Model, query: &Query<'_>) -> Option<TermId> {
        let evaluator = &mut self.evaluator;
        std::iter::once(query.goal)
            .chain(query.path.iter().copied())
            .find(|&part| !evaluator.holds(pool, model, part))
    }

    /// Tells whether the model now satisfies everything.
    fn walk(&mut self, pool: &TermPool, model: &mut Model, query: &Query<'_>) -> bool {
        let Some(broken) = self.broken(pool, model, query) else {
            return true;
        };
        if self.changed.len() >= MAX_CHANGES {
            return false;
        }
        for variable in pool.vars(broken).iter().take(MAX_VARIABLES) {
            if self.changed.contains(&variable) {
                continue;
            }
            let before = model.value_of(pool, variable);
            let mut candidates = Vec::new();
            self.inverter
                .candidates(pool, model, broken, variable, &mut candidates);
            if self.changed.is_empty() {
                offer_usual(pool, variable, &before, &mut candidates);
            }
            self.changed.push(variable);
            for candidate in candidates {
                if self.evaluator.cost() > self.limit {
                    break;
                }
                model.set(variable, candidate);
                if self.walk(pool, model, query) {
                    return true;
                }
            }
            self.changed.pop();
            model.set(variable, before);
        }
        false
    }
}

/// Values worth trying for any reason.
fn offer_usual(pool: &TermPool, variable: VarId, before: &Value, out: &mut Vec<Value>) {
    let usual = match (pool.var_sort(variable), before) {
        (Sort::Int, Value::Int(value)) => vec![
            Value::Int(value + &Integer::ONE),
            Value::Int(value - &Integer::ONE),
            Value::from(0),
            Value::from(1),
            Value::from(-1),
            Value::from(2),
            Value::Int(-value),
        ],
        (Sort::Bool, Value::Bool(value)) => vec![Value::Bool(!value)],
        (Sort::Int | Sort::Bool | Sort::Str | Sort::Bytes | Sort::Float, _) => vec![],
    };
    for value in usual {
        if value != *before && !out.contains(&value) {
            out.push(value);
        }
    }
}

impl Solver for Walk {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
        self.limit = self.evaluator.cost() + MAX_COST;
        self.changed.clear();
        let mut model = start_from(pool, query.hint);
        if self.walk(pool, &mut model, query) {
            self.statistics.sat += 1;
            return Answer::Sat(model);
        }
        self.next.solve(pool, query, budget)
    }

    fn name(&self) -> &'static str {
        self.statistics.layer
    }

    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        out.push(self.statistics.clone());
        self.next.statistics(out);
    }
}
