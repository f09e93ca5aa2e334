//! Z3, asked incrementally.
//!
//! One solver keeps the constraints of the previous query. Consecutive queries mostly share the
//! beginning of their path, so only the difference is taken back and asserted. Products and the like can take
//! for ever, so a first attempt is short; what it does not decide goes on to the bit-vectors, and if those
//! fail as well, a second attempt gets the rest of the budget.

mod bits;
mod encode;
mod int;
mod numeral;
mod session;
mod watchdog;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::shrink::Shrinker;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, UnknownReason, start_from};
use crate::term::{Sort, TermId};
use crate::value::{Model, Value};
use crate::variables::VarSet;

use encode::{Encoder, Traits};
pub(in crate::solve) use numeral::{from_bits, from_z3, to_bits};
pub(in crate::solve) use session::{Checked, Session};

/// Terms kept translated; beyond this everything is dropped and started afresh.
const MAX_TRANSLATED: usize = 200_000;
/// Z3 walks terms recursively in places: deeper ones could exhaust the stack.
const MAX_DEPTH: u32 = 4_000;
/// The part of the budget that a first attempt at a hard query gets.
const FIRST_SHARE: u32 = 24;

/// How much of the budget a layer spends on queries that integer reasoning may never decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// A small share: something better may come next.
    Short,
    /// Whatever is left.
    Long,
}

/// Asks Z3 about integers.
pub(super) struct Incremental {
    patience: Patience,
    session: Session,
    engine: Option<Engine>,
    evaluator: Evaluator,
    shrinker: Shrinker,
    statistics: LayerStatistics,
    next: Option<Box<dyn Solver>>,
}

/// The solver and what it has been told.
struct Engine {
    solver: z3::Solver,
    encoder: Encoder,
    stack: Vec<TermId>,
    rlimit: u32,
}

/// What one check gave.
enum Outcome {
    Model(Model),
    Unsat,
    Unknown(UnknownReason),
}

impl Incremental {
    /// Asked first; passes on what turns out to be hard.
    pub(super) fn short(session: Session, next: Box<dyn Solver>) -> Self {
        Self::new(Patience::Short, session, "z3 integers", Some(next))
    }

    /// Asked last.
    pub(super) fn long(session: Session) -> Self {
        Self::new(Patience::Long, session, "z3 integers, again", None)
    }

    fn new(
        patience: Patience,
        session: Session,
        layer: &'static str,
        next: Option<Box<dyn Solver>>,
    ) -> Self {
        Incremental {
            patience,
            session,
            engine: None,
            evaluator: Evaluator::new(),
            shrinker: Shrinker::new(),
            statistics: LayerStatistics::new(layer),
            next,
        }
    }

    fn ask(&mut self, pool: &TermPool, query: &Query<'_>, budget: &Budget) -> Outcome {
        let deep = |&term: &TermId| pool.depth(term) > MAX_DEPTH;
        if deep(&query.goal) || query.path.iter().any(deep) {
            return Outcome::Unknown(UnknownReason::Incomplete("a deeply nested term"));
        }
        if self
            .engine
            .as_ref()
            .is_some_and(|engine| engine.encoder.len() > MAX_TRANSLATED)
        {
            self.engine = None;
        }
        let (session, patience) = (&self.session, self.patience);
        let engine = &mut self.engine;
        // The z3 crate asserts that Z3 never refuses to build a term; out of memory it does.
        let attempt = catch_unwind(AssertUnwindSafe(|| {
            let engine = engine.get_or_insert_with(|| Engine::new(session));
            engine.ask(session, pool, query, budget, patience)
        }));
        if let Ok(Some(outcome)) = attempt {
            outcome
        } else {
            self.engine = None;
            Outcome::Unknown(UnknownReason::SolverFault)
        }
    }

    fn holds(&mut self, pool: &TermPool, query: &Query<'_>, model: &Model) -> bool {
        self.evaluator.holds(pool, model, query.goal)
            && self.evaluator.all_hold(pool, model, query.path)
    }
}

impl Engine {
    fn new(session: &Session) -> Self {
        Engine {
            solver: session.incremental(),
            encoder: Encoder::default(),
            stack: Vec::new(),
            rlimit: 0,
        }
    }

    /// `None` if the query cannot be put to Z3 at all.
    fn ask(
        &mut self,
        session: &Session,
        pool: &TermPool,
        query: &Query<'_>,
        budget: &Budget,
        patience: Patience,
    ) -> Option<Outcome> {
        let start = Instant::now();
        let common = self
            .stack
            .iter()
            .zip(query.path)
            .take_while(|(mine, theirs)| mine == theirs)
            .count();
        self.retract_to(common);
        let mut traits = Traits::default();
        for (position, &part) in query.path.iter().enumerate() {
            traits = traits.join(self.encoder.constraint(pool, part).ok()?.traits);
            if position >= common {
                self.assert(pool, part)?;
                // Z3 takes constraints in at once, which nobody can interrupt.
                if start.elapsed() > budget.wall {
                    return Some(Outcome::Unknown(UnknownReason::Budget));
                }
            }
        }
        traits = traits.join(self.encoder.constraint(pool, query.goal).ok()?.traits);
        let hard = traits.nonlinear || traits.approximate.is_some();
        let share = if hard && patience == Patience::Short {
            FIRST_SHARE
        } else {
            1
        };
        self.set_limit(budget.rlimit / share);
        self.assert(pool, query.goal)?;
        let budget = Budget {
            rlimit: budget.rlimit / share,
            wall: budget.wall / share,
        };
        let outcome = match session.check(&self.solver, &budget) {
            Checked::Sat => match self.model(pool, query) {
                Some(model) => Outcome::Model(model),
                None => Outcome::Unknown(UnknownReason::SolverFault),
            },
            Checked::Unsat => Outcome::Unsat,
            Checked::Unknown(reason) => Outcome::Unknown(match traits.approximate {
                Some(operation) => UnknownReason::Incomplete(operation),
                None => reason,
            }),
        };
        self.retract_to(query.path.len());
        Some(outcome)
    }

    fn set_limit(&mut self, rlimit: u32) {
        if self.rlimit != rlimit {
            Session::limit(&self.solver, rlimit);
            self.rlimit = rlimit;
        }
    }

    fn assert(&mut self, pool: &TermPool, part: TermId) -> Option<()> {
        let constraint = self.encoder.constraint(pool, part).ok()?;
        self.solver.push();
        self.stack.push(part);
        for assertion in &constraint.assertions {
            self.solver.assert(assertion);
        }
        Some(())
    }

    fn retract_to(&mut self, length: usize) {
        let surplus = self.stack.len().saturating_sub(length);
        if surplus > 0 {
            self.solver.pop(surplus as u32);
            self.stack.truncate(length);
        }
    }

    fn model(&self, pool: &TermPool, query: &Query<'_>) -> Option<Model> {
        let found = self.solver.get_model()?;
        let mut model = start_from(pool, query.hint);
        let mut variables = VarSet::new();
        for &part in query.path.iter().chain([&query.goal]) {
            variables.extend(pool.vars(part));
        }
        for variable in variables.iter() {
            let value = match pool.var_sort(variable) {
                Sort::Int => {
                    let value = found.eval(&Encoder::int_variable(variable), true)?;
                    Value::Int(numeral::from_z3(&value)?)
                }
                Sort::Bool => {
                    let value = found.eval(&Encoder::bool_variable(variable), true)?;
                    Value::Bool(value.as_bool()?)
                }
                Sort::Str | Sort::Bytes | Sort::Float => return None,
            };
            model.set(variable, value);
        }
        Some(model)
    }
}

/// What is left of a budget, if it is enough to start something.
pub(in crate::solve) fn remaining(budget: &Budget, spent: Duration) -> Option<Budget> {
    let wall = budget.wall.saturating_sub(spent);
    (wall >= Duration::from_millis(1)).then_some(Budget { wall, ..*budget })
}

impl Solver for Incremental {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
        if budget.is_glance() {
            self.statistics.unknown += 1;
            return Answer::Unknown(UnknownReason::Budget);
        }
        let start = Instant::now();
        let outcome = self.ask(pool, query, budget);
        let answer = match outcome {
            Outcome::Model(model) if self.holds(pool, query, &model) => {
                Ok(Answer::Sat(self.shrinker.shrink(pool, query, model)))
            }
            Outcome::Model(_) => Err(UnknownReason::InvalidModel),
            Outcome::Unsat => Ok(Answer::Unsat),
            Outcome::Unknown(reason) => Err(reason),
        };
        let spent = start.elapsed();
        self.statistics.nanos += spent.as_nanos() as u64;
        match answer {
            Ok(answer) => {
                self.statistics.count(&answer);
                answer
            }
            Err(reason) => {
                if let (Some(rest), Some(next)) = (remaining(budget, spent), &mut self.next) {
                    return next.solve(pool, query, &rest);
                }
                self.statistics.unknown += 1;
                Answer::Unknown(reason)
            }
        }
    }

    fn name(&self) -> &'static str {
        self.statistics.layer
    }

    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        out.push(self.statistics.clone());
        if let Some(next) = &self.next {
            next.statistics(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::support::expression::{Assignment, Style, Truth, small_assignment, truth};
    use crate::term::VarId;

    /// Constraints that leave only the given assignment.
    fn pins(pool: &mut TermPool, model: &Model) -> Vec<TermId> {
        let values: Vec<(VarId, Value)> = model
            .iter()
            .map(|(variable, value)| (variable, value.clone()))
            .collect();
        let mut pins = Vec::new();
        for (variable, value) in values {
            let term = pool.var_term(variable);
            pins.push(match value {
                Value::Int(value) => {
                    let constant = pool.int(value);
                    pool.eq(term, constant)
                }
                Value::Bool(true) => term,
                Value::Bool(false) => pool.not(term),
                Value::Text(_) | Value::Float(_) => panic!("{value} among integers"),
            });
        }
        pins
    }

    /// What Z3 says about a term and about its negation once all variables are fixed.
    fn ask_both(expression: &Truth, assignment: &Assignment) -> (Outcome, Outcome, Traits) {
        let mut pool = TermPool::new();
        let model = assignment.model(&mut pool);
        let pins = pins(&mut pool, &model);
        let term = expression.build(&mut pool, Style::Simplified);
        let negated = pool.not(term);
        let mut layer = Incremental::long(Session::new());
        let mut ask = |goal| {
            let query = Query {
                path: &pins,
                goal,
                hint: &model,
            };
            layer.ask(&pool, &query, &Budget::default())
        };
        let (plain, opposite) = (ask(term), ask(negated));
        let traits = Encoder::default()
            .constraint(&pool, term)
            .map(|built| built.traits);
        (plain, opposite, traits.unwrap_or_default())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn the_encoding_agrees_with_the_reference_value(
            expression in truth(),
            assignment in small_assignment(),
        ) {
            if let Some(expected) = expression.value(&assignment) {
                let (plain, opposite, traits) = ask_both(&expression, &assignment);
                let (right, wrong) = if expected { (plain, opposite) } else { (opposite, plain) };
                prop_assert!(!matches!(right, Outcome::Unsat), "refuted what is true");
                if traits.approximate.is_none() && !traits.nonlinear {
                    prop_assert!(matches!(right, Outcome::Model(_)), "true but not found");
                    prop_assert!(matches!(wrong, Outcome::Unsat), "false but not refuted");
                }
            }
        }
    }
}
