//! Searches for a model by moving one or two variables at a time.
//!
//! Most queries with floats have many models, and a good guess finds one thousands of times faster than a
//! decision procedure for IEEE-754 arithmetic. Each move is judged by the exact evaluator. The search never
//! proves anything.

use crate::evaluate::Evaluator;
use crate::float::Float;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::solve::float::candidates::Candidates;
use crate::solve::float::distance::Measure;
use crate::solve::float::invert::Inversion;
use crate::solve::interval::{Domain, Propagation};
use crate::term::{TermId, VarId};
use crate::value::{Model, Value};
use crate::variables::VarSet;

/// Broken constraints looked at in one round.
const MAX_BROKEN: usize = 6;
/// Variables tried in one round.
const MAX_VARIABLES: usize = 12;
/// Candidates of each variable that are tried in pairs.
const MAX_PAIRED: usize = 48;
/// Starting points of a scattered search.
const MAX_SCATTERED: usize = 40;

/// One query, ready to be searched.
pub(super) struct Problem<'a> {
    pub(super) pool: &'a TermPool,
    pub(super) constraints: &'a [TermId],
    /// The variables that may be moved.
    pub(super) variables: Vec<VarId>,
    /// Ranges of the variables: values outside of them cannot be part of a model.
    pub(super) ranges: &'a Propagation,
    pub(super) candidates: Candidates,
}

impl<'a> Problem<'a> {
    pub(super) fn new(
        pool: &'a TermPool,
        constraints: &'a [TermId],
        ranges: &'a Propagation,
    ) -> Self {
        let mut variables = VarSet::new();
        for &constraint in constraints {
            variables.extend(pool.vars(constraint));
        }
        Problem {
            pool,
            constraints,
            variables: variables.iter().collect(),
            ranges,
            candidates: Candidates::of(pool, constraints),
        }
    }

    fn admits(&self, variable: VarId, value: &Value) -> bool {
        match (self.ranges.variable(self.pool, variable), value) {
            (Some(Domain::Float(range)), Value::Float(value)) => range.contains(*value),
            (Some(Domain::Number(range)), Value::Int(value)) => range.contains(value),
            (Some(Domain::Truth(Some(certain))), Value::Bool(value)) => certain == *value,
            _ => true,
        }
    }

    /// The model with every variable moved into its range.
    pub(super) fn clamp(&self, model: &mut Model) {
        for &variable in &self.variables {
            let before = model.value_of(self.pool, variable);
            let value = match (self.ranges.variable(self.pool, variable), &before) {
                (Some(Domain::Float(range)), Value::Float(value)) => {
                    Value::Float(range.nearest(*value))
                }
                (Some(Domain::Number(range)), Value::Int(value)) => {
                    Value::Int(range.nearest(value))
                }
                (Some(Domain::Truth(Some(value))), _) => Value::Bool(value),
                _ => continue,
            };
            model.set(variable, value);
        }
    }
}

/// The search; keeps its buffers between queries.
#[derive(Debug, Default)]
pub(super) struct Search {
    evaluator: Evaluator,
    inverter: Evaluator,
    distances: Vec<f64>,
    /// The evaluation cost at which the search ends.
    limit: u64,
}

impl Search {
    /// Allows this much evaluation work from now on.
    pub(super) fn allow(&mut self, cost: u64) {
        self.limit = self.evaluator.cost() + cost;
    }

    fn exhausted(&self) -> bool {
        self.evaluator.cost() > self.limit
    }

    /// Moves the model downhill until it satisfies everything; tells whether it does.
    pub(super) fn climb(&mut self, problem: &Problem<'_>, model: &mut Model) -> bool {
        loop {
            let total = self.measure_all(problem, model);
            if total == 0.0 {
                return true;
            }
            if self.exhausted() || !self.improve(problem, model, total) {
                return false;
            }
        }
    }

    /// Tries pairs of candidates for two variables of a broken constraint, for conditions that no single
    /// move brings nearer.
    pub(super) fn pairs(&mut self, problem: &Problem<'_>, model: &mut Model) -> bool {
        self.measure_all(problem, model);
        for constraint in self.broken(problem) {
            let variables: Vec<VarId> = problem.pool.vars(constraint).iter().take(4).collect();
            for (position, &first) in variables.iter().enumerate() {
                for &second in &variables[position + 1..] {
                    if self.pair(problem, model, first, second) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn pair(
        &mut self,
        problem: &Problem<'_>,
        model: &mut Model,
        first: VarId,
        second: VarId,
    ) -> bool {
        let values = |variable: VarId| -> Vec<Value> {
            let sort = problem.pool.var_sort(variable);
            let all = problem.candidates.for_sort(sort).iter();
            all.filter(|value| problem.admits(variable, value))
                .take(MAX_PAIRED)
                .cloned()
                .collect()
        };
        let (ours, theirs) = (values(first), values(second));
        let before = (
            model.value_of(problem.pool, first),
            model.value_of(problem.pool, second),
        );
        // Plain values first in both: along the diagonals.
        for sum in 0..(ours.len() + theirs.len()).saturating_sub(1) {
            for (position, value) in ours.iter().enumerate().take(sum + 1) {
                let Some(other) = theirs.get(sum - position) else {
                    continue;
                };
                if self.exhausted() {
                    break;
                }
                model.set(first, value.clone());
                model.set(second, other.clone());
                if self.holds(problem, model) {
                    return true;
                }
            }
        }
        model.set(first, before.0);
        model.set(second, before.1);
        false
    }

    /// Climbs from scattered starting points. The sequence is the same for every query, so answers do not
    /// depend on what was asked before.
    pub(super) fn scatter(&mut self, problem: &Problem<'_>, start: &Model) -> Option<Model> {
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        for round in 0..MAX_SCATTERED {
            let mut model = start.clone();
            for &variable in &problem.variables {
                let all = problem.candidates.for_sort(problem.pool.var_sort(variable));
                // Plain candidates are more likely at first.
                let reach = all.len().min(12 + round);
                if reach == 0 {
                    continue;
                }
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let value = &all[(state >> 33) as usize % reach];
                if problem.admits(variable, value) {
                    model.set(variable, value.clone());
                }
            }
            if self.exhausted() {
                return None;
            }
            if self.climb(problem, &mut model) {
                return Some(model);
            }
        }
        None
    }

    fn holds(&mut self, problem: &Problem<'_>, model: &Model) -> bool {
        let evaluator = &mut self.evaluator;
        let mut constraints = problem.constraints.iter().rev();
        constraints.all(|&part| evaluator.holds(problem.pool, model, part))
    }

    fn measure_all(&mut self, problem: &Problem<'_>, model: &Model) -> f64 {
        self.distances.clear();
        for &constraint in problem.constraints {
            let distance = measure(&mut self.evaluator, problem.pool, model, constraint);
            self.distances.push(distance);
        }
        self.distances.iter().sum()
    }

    fn broken(&self, problem: &Problem<'_>) -> Vec<TermId> {
        let broken = problem.constraints.iter().zip(&self.distances);
        broken
            .filter(|(_, distance)| **distance > 0.0)
            .map(|(&constraint, _)| constraint)
            .take(MAX_BROKEN)
            .collect()
    }

    /// The sum of the distances if `variable` had this value.
    fn total_with(
        &mut self,
        problem: &Problem<'_>,
        model: &mut Model,
        variable: VarId,
        value: &Value,
    ) -> f64 {
        let before = model.set(variable, value.clone());
        let mut total = 0.0;
        for (&constraint, &known) in problem.constraints.iter().zip(&self.distances) {
            total += if problem.pool.vars(constraint).contains(variable) {
                measure(&mut self.evaluator, problem.pool, model, constraint)
            } else {
                known
            };
        }
        match before {
            Some(before) => model.set(variable, before),
            None => model.unset(variable),
        };
        total
    }

    /// Makes the best move found, if it makes things better.
    fn improve(&mut self, problem: &Problem<'_>, model: &mut Model, total: f64) -> bool {
        let broken = self.broken(problem);
        let mut variables: Vec<VarId> = Vec::new();
        let mut best = Best::new(total);
        for &constraint in &broken {
            for variable in problem.pool.vars(constraint).iter() {
                if !problem.variables.contains(&variable) || variables.len() >= MAX_VARIABLES {
                    continue;
                }
                if !variables.contains(&variable) {
                    variables.push(variable);
                }
                let values = Inversion::new(problem.pool, model, &mut self.inverter, variable);
                let values = values.values(constraint);
                self.consider(problem, model, variable, &values, &mut best);
            }
        }
        if best.is_solution() {
            return best.make(model);
        }
        for &variable in &variables {
            let sort = problem.pool.var_sort(variable);
            let usual = problem.candidates.for_sort(sort);
            self.consider(problem, model, variable, usual, &mut best);
        }
        if best.is_solution() {
            return best.make(model);
        }
        for &variable in &variables {
            let before = model.value_of(problem.pool, variable);
            self.consider(problem, model, variable, &around(&before), &mut best);
        }
        if best.found() {
            return best.make(model);
        }
        for &variable in &variables {
            let exotic = problem.candidates.exotic(problem.pool.var_sort(variable));
            self.consider(problem, model, variable, exotic, &mut best);
        }
        best.make(model)
    }

    fn consider(
        &mut self,
        problem: &Problem<'_>,
        model: &mut Model,
        variable: VarId,
        values: &[Value],
        best: &mut Best,
    ) {
        for value in values {
            if self.exhausted() {
                return;
            }
            if best.may_improve(value) && problem.admits(variable, value) {
                let total = self.total_with(problem, model, variable, value);
                best.offer(total, variable, value);
            }
        }
    }
}

fn measure(evaluator: &mut Evaluator, pool: &TermPool, model: &Model, constraint: TermId) -> f64 {
    let mut measure = Measure {
        pool,
        model,
        evaluator,
    };
    measure.distance(constraint)
}

/// The best move so far; of equally good ones the plainest.
struct Best {
    total: f64,
    weight: usize,
    step: Option<(VarId, Value)>,
}

impl Best {
    fn new(total: f64) -> Self {
        Best {
            total,
            weight: 0,
            step: None,
        }
    }

    /// Whether a move to this value can still be better.
    fn may_improve(&self, value: &Value) -> bool {
        !self.is_solution() || weight(value) < self.weight
    }

    fn offer(&mut self, total: f64, variable: VarId, value: &Value) {
        let weight = weight(value);
        if total < self.total || (total == self.total && weight < self.weight) {
            self.total = total;
            self.weight = weight;
            self.step = Some((variable, value.clone()));
        }
    }

    fn found(&self) -> bool {
        self.step.is_some()
    }

    fn is_solution(&self) -> bool {
        self.found() && self.total == 0.0
    }

    fn make(self, model: &mut Model) -> bool {
        match self.step {
            Some((variable, value)) => {
                model.set(variable, value);
                true
            }
            None => false,
        }
    }
}

/// How much there is to read; a sign weighs a little more than a digit.
fn weight(value: &Value) -> usize {
    match value {
        Value::Float(float) => {
            let sign = usize::from(float.get().is_sign_negative());
            2 * float.to_string().len() + sign
        }
        Value::Int(value) => 2 * value.bit_length() as usize + usize::from(value.is_negative()),
        Value::Bool(value) => usize::from(*value),
        Value::Text(value) => value.len(),
    }
}

/// Values at growing distances from one.
fn around(value: &Value) -> Vec<Value> {
    match value {
        Value::Float(float) => {
            let Some(rank) = float.rank() else {
                return vec![];
            };
            let steps = (0..62)
                .step_by(2)
                .flat_map(|bits| [1_i64 << bits, -(1_i64 << bits)]);
            let ulps = steps.map(|step| Float::from_rank(rank.saturating_add(step)));
            let number = float.get();
            let moves = [
                number + 1.0,
                number - 1.0,
                -number,
                number * 2.0,
                number / 2.0,
            ];
            ulps.chain(moves.map(Float::new))
                .map(Value::Float)
                .collect()
        }
        Value::Int(value) => (0..64)
            .step_by(3)
            .map(Integer::power_of_two)
            .flat_map(|step| [value + &step, value - &step])
            .chain([-value])
            .map(Value::Int)
            .collect(),
        Value::Bool(value) => vec![Value::Bool(!value)],
        Value::Text(_) => vec![],
    }
}
