//! Makes models small.
//!
//! A solver's model may hold numbers nobody would write. As long as all constraints still hold,
//! each variable is moved to its value in the hint, or towards zero, or to a float with fewer digits.

use num_bigint::BigInt;

use crate::evaluate::Evaluator;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::solve::Query;
use crate::solve::float::plainer;
use crate::term::{TermId, VarId};
use crate::value::{Model, Value};
use crate::variables::VarSet;

/// Evaluation work per model.
const MAX_COST: u64 = 8_000;

/// Shrinks models; keeps its buffers between calls.
#[derive(Debug, Default)]
pub(super) struct Shrinker {
    evaluator: Evaluator,
    /// The evaluation cost at which shrinking ends.
    limit: u64,
}

impl Shrinker {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// A model that is not larger and still satisfies path and goal.
    pub(super) fn shrink(&mut self, pool: &TermPool, query: &Query<'_>, mut model: Model) -> Model {
        self.limit = self.evaluator.cost() + MAX_COST;
        let mut variables = VarSet::new();
        for &part in query.path.iter().chain([&query.goal]) {
            variables.extend(pool.vars(part));
        }
        for variable in variables.iter() {
            let hinted = query.hint.value_of(pool, variable);
            if self.try_value(pool, query, &mut model, variable, hinted) {
                continue;
            }
            match model.value_of(pool, variable) {
                Value::Float(value) => {
                    let mut plainer = plainer(value).into_iter().map(Value::Float);
                    plainer.any(|plain| self.try_value(pool, query, &mut model, variable, plain));
                }
                Value::Int(_) | Value::Bool(_) | Value::Text(_) => {
                    self.towards_zero(pool, query, &mut model, variable);
                }
            }
        }
        model
    }

    fn towards_zero(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        model: &mut Model,
        variable: VarId,
    ) {
        for simple in [0, 1, -1] {
            match model.value_of(pool, variable) {
                Value::Int(value) if value.abs() > Integer::Small(simple).abs() => {
                    if self.try_value(pool, query, model, variable, Value::from(simple)) {
                        return;
                    }
                }
                Value::Int(_) | Value::Bool(_) | Value::Text(_) | Value::Float(_) => {}
            }
        }
        self.bisect(pool, query, model, variable);
    }

    /// Finds a value that holds while its neighbour towards zero does not.
    fn bisect(&mut self, pool: &TermPool, query: &Query<'_>, model: &mut Model, variable: VarId) {
        let Value::Int(start) = model.value_of(pool, variable) else {
            return;
        };
        let (mut bad, mut good) = (BigInt::ZERO, start.to_bigint());
        while (&good - &bad).magnitude() > BigInt::from(1).magnitude() {
            let middle: BigInt = (&good + &bad) / 2;
            let value = Value::Int(Integer::from(middle.clone()));
            if self.evaluator.cost() > self.limit {
                return;
            }
            if self.try_value(pool, query, model, variable, value) {
                good = middle;
            } else {
                bad = middle;
            }
        }
    }

    /// Keeps the value if everything still holds.
    fn try_value(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        model: &mut Model,
        variable: VarId,
        value: Value,
    ) -> bool {
        let before = model.value_of(pool, variable);
        if before == value {
            return true;
        }
        if self.evaluator.cost() > self.limit {
            return false;
        }
        model.set(variable, value);
        let evaluator = &mut self.evaluator;
        let mut holds = |part: TermId| {
            !pool.vars(part).contains(variable) || evaluator.holds(pool, model, part)
        };
        if holds(query.goal) && query.path.iter().all(|&part| holds(part)) {
            return true;
        }
        model.set(variable, before);
        false
    }
}
