//! Decides what depends on truth values, case by case.
//!
//! "One of these characters, and none of those" is no matter of arithmetic: supposing one alternative after the
//! other and propagating bounds leaves few cases. Where no alternative is open, a case consists of
//! comparisons, and those are decided by the layers for differences and linear constraints. Queries
//! with too many cases, or with one that those layers do not decide, are passed on.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::difference::Differences;
use crate::solve::interval::Propagation;
use crate::solve::linear::Linear;
use crate::solve::shrink::Shrinker;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, start_from};
use crate::term::{Sort, Term, TermId, VarId};
use crate::value::{Model, Value};

/// Terms looked at per query: about a millisecond.
const MAX_WORK: u64 = 60_000;
/// The same for a layer that mostly looked in vain.
const LESS_WORK: u64 = 4_000;
/// So often it may look in vain, and so often more for each success.
const VAIN_AT_MOST: u64 = 2;
/// Nested suppositions; also bounds recursion.
const MAX_DEPTH: u32 = 64;
/// Deeper terms are not rewritten; also bounds recursion.
const MAX_TERM_DEPTH: u32 = 200;
/// Cases that may be left undecided while a model is looked for in others.
const MAX_DOUBTFUL: u32 = 3;
/// Comparisons of one case.
const MAX_LITERALS: usize = 160;

/// Supposes truth values.
pub(super) struct Cases {
    propagation: Propagation,
    evaluator: Evaluator,
    shrinker: Shrinker,
    /// Decides one case.
    comparisons: Box<dyn Solver>,
    /// What was looked at besides propagation.
    looked: u64,
    /// The cost at which this query is given up.
    limit: u64,
    /// Cases of this query that were neither solved nor refuted.
    doubtful: u32,
    in_vain: u64,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

enum Verdict {
    Found(Model),
    Refuted,
    GaveUp,
}

/// What is to be supposed next, and which way first.
struct Supposition {
    term: TermId,
    first: bool,
}

/// What a case consists of, as far as it matters for the query.
#[derive(Default)]
struct Case {
    open: Option<Supposition>,
    comparisons: Vec<(TermId, bool)>,
    variables: Vec<(VarId, bool)>,
    seen: FxHashSet<TermId>,
    pending: Vec<TermId>,
}

impl Cases {
    pub(super) fn new(next: Box<dyn Solver>) -> Self {
        Cases {
            propagation: Propagation::new(),
            evaluator: Evaluator::new(),
            shrinker: Shrinker::new(),
            comparisons: Box::new(Differences::new(Box::new(Linear::last()))),
            looked: 0,
            limit: 0,
            doubtful: 0,
            in_vain: 0,
            statistics: LayerStatistics::new("cases"),
            next,
        }
    }

    fn decide(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Verdict {
        let roots = query.path.iter().copied().chain([query.goal]);
        // What may have no value is neither true nor false where it does not matter.
        let fits = |part: TermId| {
            let mut variables = pool.vars(part).iter();
            !pool.is_partial(part)
                && variables
                    .all(|variable| matches!(pool.var_sort(variable), Sort::Int | Sort::Bool))
        };
        if !roots.clone().all(fits) {
            return Verdict::GaveUp;
        }
        if self.propagation.run(pool, roots).is_err() {
            return Verdict::Refuted;
        }
        let successes = self.statistics.sat + self.statistics.unsat;
        let is_vain = self.in_vain > VAIN_AT_MOST * (1 + successes);
        self.limit = self.cost() + if is_vain { LESS_WORK } else { MAX_WORK };
        self.doubtful = 0;
        match self.search(pool, query, 0) {
            Verdict::Refuted if self.doubtful > 0 => Verdict::GaveUp,
            verdict => verdict,
        }
    }

    fn cost(&self) -> u64 {
        self.propagation.cost() + self.looked
    }

    /// Decides what is supposed now.
    fn search(&mut self, pool: &mut TermPool, query: &Query<'_>, depth: u32) -> Verdict {
        if self.cost() > self.limit || depth > MAX_DEPTH {
            return Verdict::GaveUp;
        }
        let case = self.case(pool, query);
        let Some(Supposition { term, first }) = case.open else {
            return self.decide_case(pool, query, &case);
        };
        let mark = self.propagation.mark();
        for value in [first, !first] {
            self.propagation.back_to(&mark);
            if self.propagation.suppose(pool, term, value).is_err() {
                continue;
            }
            match self.search(pool, query, depth + 1) {
                Verdict::Refuted => {}
                done @ (Verdict::Found(_) | Verdict::GaveUp) => return done,
            }
        }
        Verdict::Refuted
    }

    /// Collects what the query comes down to, until something is open.
    fn case(&mut self, pool: &TermPool, query: &Query<'_>) -> Case {
        let mut case = Case::default();
        case.pending.extend(query.path.iter().rev());
        case.pending.push(query.goal);
        while let (Some(term), None) = (case.pending.pop(), &case.open) {
            if !case.seen.insert(term) {
                continue;
            }
            self.looked += 1;
            match pool.sort(term) {
                Sort::Bool => self.look_at_truth(pool, query, &mut case, term),
                Sort::Int => self.look_at_number(pool, query, &mut case, term),
                Sort::Str | Sort::Bytes | Sort::Float => {}
            }
        }
        case
    }

    fn look_at_truth(&mut self, pool: &TermPool, query: &Query<'_>, case: &mut Case, term: TermId) {
        let Some(truth) = self.propagation.truth(term) else {
            case.open = Some(self.as_hinted(pool, query, term));
            return;
        };
        match *pool.get(term) {
            Term::Not(inner) => case.pending.push(inner),
            Term::And(a, b) => self.look_at_both(pool, query, case, (a, b), truth, true),
            Term::Or(a, b) => self.look_at_both(pool, query, case, (a, b), truth, false),
            Term::Iff(a, b) => case.pending.extend([b, a]),
            Term::Ite(condition, a, b) => self.look_at_choice(case, (condition, a, b)),
            Term::Compare(_, a, b) => {
                case.comparisons.push((term, truth));
                case.pending.extend([b, a]);
            }
            Term::Var(variable) => case.variables.push((variable, truth)),
            // What is neither is left to the evaluation of the model.
            Term::Bool(_)
            | Term::Int(_)
            | Term::Text(_)
            | Term::Float(_)
            | Term::Unary(..)
            | Term::Binary(..)
            | Term::FromBool(_)
            | Term::Apply(..) => {}
        }
    }

    /// `and` that is true needs both operands, one that is false needs one; `or` the other way round.
    fn look_at_both(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        case: &mut Case,
        (a, b): (TermId, TermId),
        truth: bool,
        needs_both: bool,
    ) {
        if truth == needs_both {
            case.pending.extend([b, a]);
            return;
        }
        let settled = |&operand: &TermId| self.propagation.truth(operand) == Some(truth);
        if let Some(reason) = [a, b].into_iter().find(settled) {
            case.pending.push(reason);
            return;
        }
        let open = |&operand: &TermId| self.propagation.truth(operand).is_none();
        let Some(term) = [a, b].into_iter().find(open) else {
            return;
        };
        let hinted = |operand| self.evaluator.holds(pool, query.hint, operand) == truth;
        let [first, second] = [a, b].map(hinted);
        // The alternative that the hint takes, if it takes one, else this.
        let first = if first || !second { truth } else { !truth };
        case.open = Some(Supposition { term, first });
    }

    fn look_at_number(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        case: &mut Case,
        term: TermId,
    ) {
        match *pool.get(term) {
            Term::Ite(condition, a, b) => match self.propagation.truth(condition) {
                Some(_) => self.look_at_choice(case, (condition, a, b)),
                None => case.open = Some(self.as_hinted(pool, query, condition)),
            },
            Term::FromBool(inner) => case.pending.push(inner),
            _ => case
                .pending
                .extend(pool.get(term).children().as_slice().iter().rev()),
        }
    }

    fn look_at_choice(&self, case: &mut Case, (condition, a, b): (TermId, TermId, TermId)) {
        case.pending.push(condition);
        match self.propagation.truth(condition) {
            Some(true) => case.pending.push(a),
            Some(false) => case.pending.push(b),
            None => {}
        }
    }

    fn as_hinted(&mut self, pool: &TermPool, query: &Query<'_>, term: TermId) -> Supposition {
        Supposition {
            term,
            first: self.evaluator.holds(pool, query.hint, term),
        }
    }

    /// Decides a case in which nothing is open.
    fn decide_case(&mut self, pool: &mut TermPool, query: &Query<'_>, case: &Case) -> Verdict {
        if case.comparisons.len() > MAX_LITERALS {
            return Verdict::GaveUp;
        }
        let mut hint = start_from(pool, query.hint);
        for &(variable, truth) in &case.variables {
            hint.set(variable, Value::Bool(truth));
        }
        let (mut path, mut goal) = (Vec::new(), pool.bool(true));
        let mut rewritten = FxHashMap::default();
        for &(comparison, truth) in &case.comparisons {
            self.looked += 4;
            let plain = self.plain(pool, comparison, &mut rewritten, MAX_TERM_DEPTH);
            let literal = if truth { plain } else { pool.not(plain) };
            if self.evaluator.holds(pool, &hint, literal) {
                path.push(literal);
            } else {
                goal = pool.and(goal, literal);
            }
        }
        let question = Query {
            path: &path,
            goal,
            hint: &hint,
        };
        let answer = match pool.as_bool(goal) {
            Some(true) => Answer::Sat(hint),
            Some(false) => Answer::Unsat,
            None => self.comparisons.solve(pool, &question, &Budget::GLANCE),
        };
        let model = match answer {
            Answer::Unsat => return Verdict::Refuted,
            Answer::Sat(model) => Some(model),
            Answer::Unknown(_) => None,
        };
        match model {
            Some(model) if self.holds(pool, query, &model) => Verdict::Found(model),
            Some(_) | None => {
                self.doubtful += 1;
                if self.doubtful > MAX_DOUBTFUL {
                    Verdict::GaveUp
                } else {
                    Verdict::Refuted
                }
            }
        }
    }

    fn holds(&mut self, pool: &TermPool, query: &Query<'_>, model: &Model) -> bool {
        self.evaluator.holds(pool, model, query.goal)
            && self.evaluator.all_hold(pool, model, query.path)
    }

    /// The term with every choice made that is decided.
    fn plain(
        &self,
        pool: &mut TermPool,
        term: TermId,
        rewritten: &mut FxHashMap<TermId, TermId>,
        depth: u32,
    ) -> TermId {
        if pool.depth(term) > depth {
            return term;
        }
        if let Some(&known) = rewritten.get(&term) {
            return known;
        }
        let mut again = |pool: &mut TermPool, part| self.plain(pool, part, rewritten, depth);
        let plain = match *pool.get(term) {
            Term::Ite(condition, a, b) => match self.propagation.truth(condition) {
                Some(true) => again(pool, a),
                Some(false) => again(pool, b),
                None => term,
            },
            Term::FromBool(inner) => match self.propagation.truth(inner) {
                Some(truth) => pool.small(truth.into()),
                None => term,
            },
            Term::Compare(op, a, b) => {
                let (a, b) = (again(pool, a), again(pool, b));
                pool.compare(op, a, b)
            }
            Term::Binary(op, a, b) => {
                let (a, b) = (again(pool, a), again(pool, b));
                pool.binary(op, a, b)
            }
            Term::Unary(op, a) => {
                let a = again(pool, a);
                pool.unary(op, a)
            }
            Term::Bool(_)
            | Term::Int(_)
            | Term::Text(_)
            | Term::Float(_)
            | Term::Var(_)
            | Term::Not(_)
            | Term::And(..)
            | Term::Or(..)
            | Term::Iff(..)
            | Term::Apply(..) => term,
        };
        rewritten.insert(term, plain);
        plain
    }
}

impl Solver for Cases {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
        if budget.is_glance() {
            return self.next.solve(pool, query, budget);
        }
        match self.decide(pool, query) {
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

    /// With nobody behind it.
    fn layer() -> Cases {
        Cases::new(Box::new(Scripted::new([])))
    }

    /// What the layer alone makes of a query.
    fn alone(pool: &mut TermPool, path: &[TermId], goal: TermId) -> Answer {
        asked(&mut layer(), pool, path, goal)
    }

    /// `unit` is one of the characters.
    fn one_of(pool: &mut TermPool, unit: TermId, characters: &str) -> TermId {
        let mut any = pool.bool(false);
        for character in characters.chars() {
            let code = pool.small(i64::from(u32::from(character)));
            let equal = pool.eq(unit, code);
            any = pool.or(any, equal);
        }
        any
    }

    #[test]
    fn one_of_these_and_none_of_those() {
        let mut pool = TermPool::new();
        let unit = pool.variable("unit", Sort::Int);
        let known = one_of(&mut pool, unit, "0123456789+-");
        let sign = one_of(&mut pool, unit, "+-");
        let (zero, nine) = (pool.small(48), pool.small(57));
        let (low, high) = (pool.le(zero, unit), pool.le(unit, nine));
        let digit = pool.and(low, high);
        let (no_sign, no_digit) = (pool.not(sign), pool.not(digit));
        assert_eq!(alone(&mut pool, &[known, no_sign], no_digit), Answer::Unsat);
        assert!(matches!(
            alone(&mut pool, &[known], no_digit),
            Answer::Sat(_)
        ));
    }

    #[test]
    fn rows_that_equal_the_same_row_are_equal() {
        let mut pool = TermPool::new();
        let names = ["a0", "a1", "b0", "b1", "c0", "c1"];
        let [a0, a1, b0, b1, c0, c1] = names.map(|name| pool.variable(name, Sort::Int));
        let path = [
            pool.eq(a0, b0),
            pool.eq(a1, b1),
            pool.eq(b0, c0),
            pool.eq(b1, c1),
        ];
        let (first, second) = (pool.eq(a0, c0), pool.eq(a1, c1));
        let same = pool.and(first, second);
        let different = pool.not(same);
        assert_eq!(alone(&mut pool, &path, different), Answer::Unsat);
        assert!(matches!(
            alone(&mut pool, &path[..3], different),
            Answer::Sat(_)
        ));
    }

    #[test]
    fn choices_are_made_before_numbers_are_compared() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("x", Sort::Int), pool.variable("y", Sort::Int));
        let flag = pool.variable("flag", Sort::Bool);
        let chosen = pool.ite(flag, x, y);
        let (one, other) = (pool.lt(chosen, x), pool.lt(chosen, y));
        let below_both = pool.and(one, other);
        assert_eq!(alone(&mut pool, &[], below_both), Answer::Unsat);
        let Answer::Sat(model) = alone(&mut pool, &[], one) else {
            panic!("`y` may be smaller");
        };
        assert!(Evaluator::new().holds(&pool, &model, one));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn answers_agree_with_enumeration(
            conditions in prop::collection::vec(tame_truth(), 1..4),
            written in any::<bool>(),
        ) {
            let style = if written { Style::AsWritten } else { Style::Simplified };
            agrees_with_enumeration(&mut layer(), &conditions, style)?;
        }

        #[test]
        fn answers_about_comparisons_agree_with_enumeration(
            conditions in prop::collection::vec(narrow_comparison(), 1..5),
            written in any::<bool>(),
        ) {
            let style = if written { Style::AsWritten } else { Style::Simplified };
            agrees_with_enumeration(&mut layer(), &conditions, style)?;
        }
    }
}
