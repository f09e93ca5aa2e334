//! Decides small worlds by dividing them.
//!
//! A year between 1 and 9999, digits, squares of a board: where the numbers of a query are within narrow
//! bounds, it takes less to go through them than to start a general solver. The range of a variable is cut into
//! parts, each part is propagated, and what bounds refute is gone. What is left in the end is a
//! model, or a proof that there is none. Worlds that turn out to be large are passed on; when the general solver
//! could not help either, a second instance takes its time.

use crate::evaluate::Evaluator;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::solve::interval::{Domain, Propagation, Range};
use crate::solve::shrink::Shrinker;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, start_from};
use crate::term::{Sort, VarId};
use crate::value::{Model, Value};
use crate::variables::VarSet;

/// Terms evaluated per query: about two milliseconds.
const MAX_WORK: u64 = 40_000;
/// The same for worlds without an edge to start from, and for a layer that mostly looked in vain.
const LESS_WORK: u64 = 4_000;
/// The second instance may evaluate one term for so much of the effort that Z3 may spend: less than half of its time.
const EFFORT_PER_TERM: u32 = 2;
/// To propagate a term takes as long as to evaluate so many.
const PER_PROPAGATION: u64 = 2;
/// So often it may look in vain, and so often more for each success.
const VAIN_AT_MOST: u64 = 2;
/// Nested divisions; also bounds recursion.
const MAX_DEPTH: u32 = 48;
/// Ranges of at most this many values are propagated value by value.
const FEW: i64 = 4;
/// The last variable is evaluated for each of its values, if it has no more than this.
const MAX_VALUES: i64 = 20_000;

/// How long a layer goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Patience {
    /// As long as Z3 would take to start.
    Short,
    /// As long as the budget allows.
    Long,
}

/// Divides the ranges of variables.
pub(super) struct Splits {
    patience: Patience,
    propagation: Propagation,
    evaluator: Evaluator,
    shrinker: Shrinker,
    variables: Vec<VarId>,
    /// The cost at which this query is given up.
    limit: u64,
    in_vain: u64,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

enum Verdict {
    Found(Model),
    Refuted,
    GaveUp,
}

impl Splits {
    pub(super) fn short(next: Box<dyn Solver>) -> Self {
        Self::new(Patience::Short, "splits", next)
    }

    pub(super) fn long(next: Box<dyn Solver>) -> Self {
        Self::new(Patience::Long, "splits, again", next)
    }

    fn new(patience: Patience, name: &'static str, next: Box<dyn Solver>) -> Self {
        Splits {
            patience,
            propagation: Propagation::new(),
            evaluator: Evaluator::new(),
            shrinker: Shrinker::new(),
            variables: Vec::new(),
            limit: 0,
            in_vain: 0,
            statistics: LayerStatistics::new(name),
            next,
        }
    }

    fn decide(&mut self, pool: &TermPool, query: &Query<'_>, budget: &Budget) -> Verdict {
        let mut mentioned = VarSet::new();
        for &part in query.path.iter().chain([&query.goal]) {
            mentioned.extend(pool.vars(part));
        }
        self.variables.clear();
        self.variables.extend(mentioned.iter());
        let fits = |&variable: &VarId| matches!(pool.var_sort(variable), Sort::Int | Sort::Bool);
        if !self.variables.iter().all(fits) {
            return Verdict::GaveUp;
        }
        let successes = self.statistics.sat + self.statistics.unsat;
        let is_vain = self.in_vain > VAIN_AT_MOST * (1 + successes);
        let roots = query.path.iter().copied().chain([query.goal]);
        if self.propagation.run(pool, roots).is_err() {
            return Verdict::Refuted;
        }
        let is_hopeless = is_vain || self.is_vast(pool);
        let work = match self.patience {
            Patience::Short if is_hopeless => LESS_WORK,
            Patience::Short => MAX_WORK,
            Patience::Long if is_hopeless => return Verdict::GaveUp,
            Patience::Long => u64::from(budget.rlimit / EFFORT_PER_TERM),
        };
        self.limit = self.cost() + work;
        let mut model = start_from(pool, query.hint);
        self.search(pool, query, &mut model, 0)
    }

    fn cost(&self) -> u64 {
        PER_PROPAGATION * self.propagation.cost() + self.evaluator.cost()
    }

    /// Whether no variable has few values: only luck or a contradiction ends the search soon.
    fn is_vast(&self, pool: &TermPool) -> bool {
        !self.variables.iter().any(|&variable| {
            let domain = self.propagation.variable(pool, variable);
            let states = domain.as_ref().and_then(width);
            states.is_some_and(|states| states > 1 && states <= MAX_VALUES)
        })
    }

    /// Decides the query within the ranges that are known now.
    fn search(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        model: &mut Model,
        depth: u32,
    ) -> Verdict {
        if self.cost() > self.limit || depth > MAX_DEPTH {
            return Verdict::GaveUp;
        }
        let open = self.enter(pool, query, model);
        if self.holds(pool, query, model) {
            return Verdict::Found(model.clone());
        }
        let Some((variable, narrowest)) = open.narrowest else {
            return if open.count == 0 {
                Verdict::Refuted
            } else {
                Verdict::GaveUp
            };
        };
        if open.count == 1
            && let Some(values) = values(&narrowest)
        {
            return self.enumerate(pool, query, model, variable, values);
        }
        let hinted = model.value_of(pool, variable);
        let mark = self.propagation.mark();
        let Some(parts) = parts(&narrowest, &hinted) else {
            return Verdict::GaveUp;
        };
        for part in parts {
            self.propagation.back_to(&mark);
            if self.propagation.assume(pool, variable, &part).is_err() {
                continue;
            }
            match self.search(pool, query, model, depth + 1) {
                Verdict::Refuted => {}
                done @ (Verdict::Found(_) | Verdict::GaveUp) => return done,
            }
        }
        Verdict::Refuted
    }

    /// Moves the hint into the ranges; which variables are not fixed by them.
    fn enter(&mut self, pool: &TermPool, query: &Query<'_>, model: &mut Model) -> Open {
        let mut open = Open::default();
        let mut least = i64::MAX;
        for &variable in &self.variables {
            let Some(domain) = self.propagation.variable(pool, variable) else {
                continue;
            };
            let hinted = query.hint.value_of(pool, variable);
            match (&domain, hinted) {
                (Domain::Number(range), Value::Int(value)) => {
                    model.set(variable, Value::Int(range.nearest(&value)));
                }
                (Domain::Truth(known), Value::Bool(value)) => {
                    model.set(variable, Value::Bool(known.unwrap_or(value)));
                }
                (Domain::Number(_) | Domain::Truth(_) | Domain::Float(_), _) => {}
            }
            let width = width(&domain);
            if width == Some(1) {
                continue;
            }
            open.count += 1;
            if let Some(width) = width.filter(|&width| width < least) {
                least = width;
                open.narrowest = Some((variable, domain));
            }
        }
        open
    }

    /// Tries every value of the only variable that is left.
    fn enumerate(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        model: &mut Model,
        variable: VarId,
        values: Vec<Value>,
    ) -> Verdict {
        for value in values {
            if self.cost() > self.limit {
                return Verdict::GaveUp;
            }
            model.set(variable, value);
            if self.holds(pool, query, model) {
                return Verdict::Found(model.clone());
            }
        }
        Verdict::Refuted
    }

    fn holds(&mut self, pool: &TermPool, query: &Query<'_>, model: &Model) -> bool {
        self.evaluator.holds(pool, model, query.goal)
            && self.evaluator.all_hold(pool, model, query.path)
    }
}

/// The variables that have more than one possible value.
#[derive(Default)]
struct Open {
    count: usize,
    /// The one with the fewest, unless all have infinitely many.
    narrowest: Option<(VarId, Domain)>,
}

/// How many values there are; `None` if there are too many to count.
fn width(domain: &Domain) -> Option<i64> {
    match domain {
        Domain::Truth(Some(_)) => Some(1),
        Domain::Truth(None) => Some(2),
        Domain::Number(range) => {
            let (low, high) = bounds(range)?;
            high.checked_sub(low)?.checked_add(1)
        }
        Domain::Float(_) => None,
    }
}

fn bounds(range: &Range) -> Option<(i64, i64)> {
    Some((
        range.low.as_ref()?.to_i64()?,
        range.high.as_ref()?.to_i64()?,
    ))
}

/// All values of a domain; `None` if they are not to be enumerated.
fn values(domain: &Domain) -> Option<Vec<Value>> {
    if width(domain)? > MAX_VALUES {
        return None;
    }
    match domain {
        Domain::Truth(Some(value)) => Some(vec![Value::Bool(*value)]),
        Domain::Truth(None) => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Domain::Number(range) => {
            let (low, high) = bounds(range)?;
            Some((low..=high).map(Value::from).collect())
        }
        Domain::Float(_) => None,
    }
}

/// All of the domain in parts, the one with the hinted value first; `None` if it has no end.
fn parts(domain: &Domain, hinted: &Value) -> Option<Vec<Domain>> {
    let mut parts = match domain {
        Domain::Truth(_) => vec![Domain::Truth(Some(false)), Domain::Truth(Some(true))],
        Domain::Number(range) => {
            let (low, high) = bounds(range)?;
            let wide = high.checked_sub(low)?;
            if wide < FEW {
                (low..=high).map(|value| between(value, value)).collect()
            } else {
                let middle = low + wide / 2;
                vec![between(low, middle), between(middle + 1, high)]
            }
        }
        Domain::Float(_) => return None,
    };
    let first = parts.iter().position(|part| match (part, hinted) {
        (Domain::Number(range), Value::Int(value)) => range.contains(value),
        (Domain::Truth(Some(truth)), Value::Bool(value)) => truth == value,
        (Domain::Number(_) | Domain::Truth(_) | Domain::Float(_), _) => false,
    });
    if let Some(first) = first {
        parts.swap(0, first);
    }
    Some(parts)
}

fn between(low: i64, high: i64) -> Domain {
    Domain::Number(Range::new(
        Some(Integer::Small(low)),
        Some(Integer::Small(high)),
    ))
}

impl Solver for Splits {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
        if budget.is_glance() {
            return self.next.solve(pool, query, budget);
        }
        match self.decide(pool, query, budget) {
            Verdict::Found(model) => {
                self.statistics.sat += 1;
                Answer::Sat(self.shrinker.shrink(pool, query, model))
            }
            Verdict::Refuted => {
                self.statistics.unsat += 1;
                Answer::Unsat
            }
            Verdict::GaveUp => {
                self.in_vain += 1;
                self.next.solve(pool, query, budget)
            }
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
    use proptest::prelude::*;

    use super::*;
    use crate::solve::agreement::{agrees_with_enumeration, asked};
    use crate::solve::scripted::Scripted;
    use crate::support::expression::{Style, narrow_comparison, tame_truth};
    use crate::term::{BinaryOp, TermId};

    /// With nobody behind it.
    fn layer() -> Splits {
        Splits::short(Box::new(Scripted::new([])))
    }

    /// What the layer alone makes of a query.
    fn alone(pool: &mut TermPool, path: &[TermId], goal: TermId) -> Answer {
        asked(&mut layer(), pool, path, goal)
    }

    #[test]
    fn a_year_is_found_among_thousands_and_missed_where_there_is_none() {
        let mut pool = TermPool::new();
        let year = pool.variable("year", Sort::Int);
        let (first, last) = (pool.small(1), pool.small(9_999));
        let path = [pool.le(first, year), pool.le(year, last)];
        let (hundred, cycle, zero) = (pool.small(100), pool.small(400), pool.small(0));
        let in_century = pool.binary(BinaryOp::Mod, year, hundred);
        let in_cycle = pool.binary(BinaryOp::Mod, year, cycle);
        let (turn, leap) = (pool.eq(in_century, zero), pool.eq(in_cycle, zero));
        let (no_turn, no_leap) = (pool.not(turn), pool.not(leap));
        let possible = pool.and(turn, no_leap);
        let impossible = pool.and(no_turn, leap);
        assert!(matches!(alone(&mut pool, &path, possible), Answer::Sat(_)));
        assert_eq!(alone(&mut pool, &path, impossible), Answer::Unsat);
    }

    #[test]
    fn what_has_too_many_values_is_passed_on() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::Int);
        let (low, high) = (pool.small(0), pool.small(1 << 40));
        let path = [pool.le(low, x), pool.le(x, high)];
        let square = pool.binary(BinaryOp::Mul, x, x);
        let modulus = pool.small(1_000_003);
        let rest = pool.binary(BinaryOp::Mod, square, modulus);
        let wanted = pool.small(999_999);
        let goal = pool.eq(rest, wanted);
        assert!(matches!(alone(&mut pool, &path, goal), Answer::Unknown(_)));
        let unbounded = pool.variable("y", Sort::Int);
        let cube = pool.binary(BinaryOp::Mul, unbounded, unbounded);
        let rest = pool.binary(BinaryOp::Mod, cube, modulus);
        let goal = pool.eq(rest, wanted);
        assert!(matches!(alone(&mut pool, &[], goal), Answer::Unknown(_)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(250))]

        #[test]
        fn answers_agree_with_enumeration(
            conditions in prop::collection::vec(tame_truth(), 1..3),
            written in any::<bool>(),
        ) {
            let style = if written { Style::AsWritten } else { Style::Simplified };
            agrees_with_enumeration(&mut layer(), &conditions, style)?;
        }

        #[test]
        fn answers_about_comparisons_agree_with_enumeration(
            conditions in prop::collection::vec(narrow_comparison(), 1..4),
            written in any::<bool>(),
        ) {
            let style = if written { Style::AsWritten } else { Style::Simplified };
            agrees_with_enumeration(&mut layer(), &conditions, style)?;
        }
    }
}
