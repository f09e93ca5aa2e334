//! Decides linear constraints over integers of any size.
//!
//! `3 * a + 7 * b == 1234 and a - b == 38` needs no search, only elimination (see [`system`]). Quotients and
//! remainders by a constant are linear as well, with the quotient for an unknown. Whatever else a number is
//! computed from counts as an unknown of its own, and constraints of other kinds are left out: what is
//! impossible without them is impossible. A model is believed when it satisfies all of the query; a
//! query for which none is found is passed on.

mod reading;
mod system;

use crate::evaluate::Evaluator;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::solve::independent::conjuncts;
use crate::solve::shrink::Shrinker;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, UnknownReason, start_from};
use crate::term::{Term, TermId};
use crate::value::{Model, Value};

use reading::Reading;
use system::Stop;

/// Queries with more constraints than this are passed on.
const MAX_CONSTRAINTS: usize = 160;

/// Solves systems of linear constraints.
pub(super) struct Linear {
    parts: Vec<TermId>,
    evaluator: Evaluator,
    shrinker: Shrinker,
    statistics: LayerStatistics,
    next: Option<Box<dyn Solver>>,
}

enum Verdict {
    Found(Model),
    Refuted,
    GaveUp,
}

impl Linear {
    /// Passes on what it cannot decide.
    pub(super) fn new(next: Box<dyn Solver>) -> Self {
        Self::with(Some(next))
    }

    /// The last of its chain.
    pub(super) fn last() -> Self {
        Self::with(None)
    }

    fn with(next: Option<Box<dyn Solver>>) -> Self {
        Linear {
            parts: Vec::new(),
            evaluator: Evaluator::new(),
            shrinker: Shrinker::new(),
            statistics: LayerStatistics::new("linear"),
            next,
        }
    }

    fn decide(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Verdict {
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        conjuncts(pool, query.goal, &mut parts);
        let goals = parts.len();
        for &part in query.path {
            conjuncts(pool, part, &mut parts);
        }
        let verdict = self.decide_all(pool, query, &parts, goals);
        self.parts = parts;
        verdict
    }

    /// Decides the constraints, of which the first so many are the goal.
    fn decide_all(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        parts: &[TermId],
        goals: usize,
    ) -> Verdict {
        // The hint solves the path: with nothing known of the goal there is nothing to find out.
        if parts.len() > MAX_CONSTRAINTS
            || !parts[..goals].iter().any(|&goal| is_linear(pool, goal))
        {
            return Verdict::GaveUp;
        }
        let mut reading = Reading::new(pool, query.hint, &mut self.evaluator);
        for &part in parts {
            if reading.constraint(part).is_err() {
                return Verdict::GaveUp;
            }
        }
        let Reading {
            mut system,
            variables,
            ..
        } = reading;
        let (evaluator, mut found) = (&mut self.evaluator, None);
        let outcome = system.solve(&mut |values| {
            let mut model = start_from(pool, query.hint);
            for &(variable, unknown) in &variables {
                model.set(variable, Value::Int(integer(values[unknown.index()])));
            }
            let holds = evaluator.all_hold(pool, &model, parts);
            if holds {
                found = Some(model);
            }
            holds
        });
        match (outcome, found) {
            (Err(Stop::Impossible), _) => Verdict::Refuted,
            (_, Some(model)) => Verdict::Found(model),
            (Ok(_) | Err(Stop::TooLarge), None) => Verdict::GaveUp,
        }
    }
}

/// Whether a constraint compares numbers.
fn is_linear(pool: &TermPool, term: TermId) -> bool {
    match *pool.get(term) {
        Term::Compare(..) => true,
        Term::Not(inner) => matches!(pool.get(inner), Term::Compare(..)),
        _ => false,
    }
}

fn integer(value: i128) -> Integer {
    match i64::try_from(value) {
        Ok(value) => Integer::Small(value),
        Err(_) => Integer::from(num_bigint::BigInt::from(value)),
    }
}

impl Solver for Linear {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
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
                if let Some(next) = &mut self.next {
                    return next.solve(pool, query, budget);
                }
                self.statistics.unknown += 1;
                Answer::Unknown(UnknownReason::Budget)
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
    use crate::solve::z3::{Incremental, Session};
    use crate::term::{BinaryOp, Sort};

    const VARIABLES: usize = 4;

    /// A sum of multiples of the variables, perhaps divided by a number, compared with zero.
    #[derive(Clone, Debug)]
    struct Row {
        factors: [i64; VARIABLES],
        divided: Option<(BinaryOp, i64)>,
        constant: i64,
        op: u8,
    }

    fn divided() -> impl Strategy<Value = Option<(BinaryOp, i64)>> {
        let divisor = || prop_oneof![3 => 1_i64..12, 1 => -12_i64..0];
        prop_oneof![
            8 => Just(None),
            2 => divisor().prop_map(|divisor| Some((BinaryOp::Mod, divisor))),
            2 => divisor().prop_map(|divisor| Some((BinaryOp::FloorDiv, divisor))),
            1 => (0_i64..4).prop_map(|places| Some((BinaryOp::Shl, places))),
            2 => (0_i64..4).prop_map(|places| Some((BinaryOp::Shr, places))),
            2 => (0_i64..4).prop_map(|places| Some((BinaryOp::BitAnd, (1 << places) - 1))),
            1 => (-9_i64..12).prop_map(|mask| Some((BinaryOp::BitAnd, mask))),
        ]
    }

    fn row(ops: std::ops::Range<u8>) -> impl Strategy<Value = Row> {
        let factor = prop_oneof![2 => Just(0_i64), 2 => -2_i64..=2, 1 => -9_i64..=9];
        let constant = prop_oneof![2 => -9_i64..=9, 1 => -2_000_i64..=2_000];
        (prop::array::uniform4(factor), divided(), constant, ops).prop_map(
            |(mut factors, divided, constant, op)| {
                if factors == [0; VARIABLES] {
                    factors[0] = 1;
                }
                // A remainder that is compared with anything large says nothing.
                let constant = match divided {
                    Some((BinaryOp::Mod | BinaryOp::BitAnd, by)) => {
                        -by.signum() * constant.rem_euclid(by.abs() + 2)
                    }
                    Some(_) | None => constant,
                };
                Row {
                    factors,
                    divided,
                    constant,
                    op,
                }
            },
        )
    }

    /// Numbers around the largest that are small, and smaller ones.
    fn large() -> impl Strategy<Value = i64> {
        prop_oneof![
            3 => -9_i64..=9,
            1 => (0_i64..3).prop_map(|step| i64::MAX - step),
            1 => (0_i64..3).prop_map(|step| i64::MIN + step),
            1 => (0_u32..63, -1_i64..=1).prop_map(|(places, step)| (1_i64 << places) + step),
            1 => any::<i64>(),
        ]
    }

    fn large_row() -> impl Strategy<Value = Row> {
        let ops = prop::sample::select(vec![BinaryOp::Mod, BinaryOp::FloorDiv, BinaryOp::BitAnd]);
        let shift = (0_i64..70).prop_map(|places| (BinaryOp::Shr, places));
        let divided = prop_oneof![
            2 => Just(None),
            3 => (ops, large()).prop_map(|(op, by)| Some((op, if by == 0 { 1 } else { by }))),
            1 => shift.prop_map(Some),
        ];
        let factor = prop_oneof![3 => Just(0_i64), 3 => -2_i64..=2, 1 => large()];
        (prop::array::uniform4(factor), divided).prop_map(|(factors, divided)| Row {
            factors,
            divided,
            constant: 0,
            op: 0,
        })
    }

    impl Row {
        fn build(&self, pool: &mut TermPool) -> TermId {
            let sum = self.sum(pool);
            let zero = pool.small(0);
            match self.op {
                0 => pool.eq(sum, zero),
                1 => pool.le(sum, zero),
                2 => pool.lt(sum, zero),
                _ => pool.ne(sum, zero),
            }
        }

        fn sum(&self, pool: &mut TermPool) -> TermId {
            let mut sum = pool.small(0);
            for (index, &factor) in self.factors.iter().enumerate() {
                let variable = pool.variable(&format!("x{index}"), Sort::Int);
                let factor = pool.small(factor);
                let product = pool.binary(BinaryOp::Mul, variable, factor);
                sum = pool.binary(BinaryOp::Add, sum, product);
            }
            if let Some((op, by)) = self.divided {
                let by = pool.small(by);
                sum = pool.binary(op, sum, by);
            }
            let constant = pool.small(self.constant);
            pool.binary(BinaryOp::Add, sum, constant)
        }
    }

    /// What the layer alone says, and what Z3 says, of rows that no hint satisfies.
    fn ask(rows: &[Row]) -> (TermPool, TermId, Answer, Answer) {
        let mut pool = TermPool::new();
        let mut goal = pool.bool(true);
        for row in rows {
            let part = row.build(&mut pool);
            goal = pool.and(goal, part);
        }
        let query = Query {
            path: &[],
            goal,
            hint: &Model::new(),
        };
        let mine = Linear::last().solve(&mut pool, &query, &Budget::default());
        let mut judge = Incremental::long(Session::new());
        let judged = judge.solve(&mut pool, &query, &Budget::default());
        (pool, goal, mine, judged)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn answers_agree_with_z3(rows in prop::collection::vec(row(0..4), 1..8)) {
            let (pool, goal, mine, judged) = ask(&rows);
            match mine {
                Answer::Sat(model) => {
                    prop_assert!(Evaluator::new().holds(&pool, &model, goal));
                }
                Answer::Unsat => prop_assert!(!matches!(judged, Answer::Sat(_)), "{:?}", judged),
                Answer::Unknown(_) => {}
            }
        }

        /// Comparisons of sums as they come out for some values, at the edge of what is computed with.
        #[test]
        fn what_has_a_solution_is_not_refuted(
            rows in prop::collection::vec((large_row(), -2_i64..=2, 0_u8..6), 1..7),
            solution in prop::array::uniform4(large()),
            hint in prop::array::uniform4(large()),
        ) {
            let mut pool = TermPool::new();
            let mut goal = pool.bool(true);
            let model = |pool: &mut TermPool, values: [i64; VARIABLES]| {
                let mut model = Model::new();
                for (index, value) in values.into_iter().enumerate() {
                    let variable = pool.variable(&format!("x{index}"), Sort::Int);
                    if let Term::Var(variable) = *pool.get(variable) {
                        model.set(variable, Value::Int(Integer::Small(value)));
                    }
                }
                model
            };
            let solution = model(&mut pool, solution);
            let hint = model(&mut pool, hint);
            let mut evaluator = Evaluator::new();
            for (row, slack, op) in rows {
                let sum = row.sum(&mut pool);
                let Ok(Value::Int(value)) = evaluator.value(&pool, &solution, sum) else {
                    continue;
                };
                let near = pool.int(&value + &Integer::Small(slack));
                let part = match op {
                    0 | 1 => pool.eq(sum, near),
                    2 => pool.le(sum, near),
                    3 => pool.le(near, sum),
                    4 => pool.lt(sum, near),
                    _ => pool.lt(near, sum),
                };
                let part = if evaluator.holds(&pool, &solution, part) { part } else { pool.not(part) };
                goal = pool.and(goal, part);
            }
            let query = Query { path: &[], goal, hint: &hint };
            match Linear::last().solve(&mut pool, &query, &Budget::default()) {
                Answer::Sat(model) => prop_assert!(evaluator.holds(&pool, &model, goal)),
                Answer::Unsat => prop_assert!(false, "refuted"),
                Answer::Unknown(_) => {}
            }
        }

        #[test]
        fn equations_are_always_decided(mut rows in prop::collection::vec(row(0..1), 1..5)) {
            for row in &mut rows {
                row.divided = None;
            }
            let (pool, goal, mine, judged) = ask(&rows);
            match (mine, pool.as_bool(goal)) {
                (Answer::Unknown(_), None) => prop_assert!(false, "gave up"),
                (Answer::Unknown(_), Some(_)) => {}
                (mine, _) => prop_assert_eq!(
                    matches!(mine, Answer::Sat(_)),
                    matches!(judged, Answer::Sat(_))
                ),
            }
        }
    }

    /// Asks for `path` and `goal` over `a` and `b`.
    fn of_two(
        build: impl FnOnce(&mut TermPool, TermId, TermId) -> (Vec<TermId>, TermId),
    ) -> (Answer, Vec<Value>) {
        let mut pool = TermPool::new();
        let (a, b) = (pool.variable("a", Sort::Int), pool.variable("b", Sort::Int));
        let (path, goal) = build(&mut pool, a, b);
        let query = Query {
            path: &path,
            goal,
            hint: &Model::new(),
        };
        let answer = Linear::last().solve(&mut pool, &query, &Budget::default());
        let values = match &answer {
            Answer::Sat(model) => model.iter().map(|(_, value)| value.clone()).collect(),
            Answer::Unsat | Answer::Unknown(_) => Vec::new(),
        };
        (answer, values)
    }

    fn multiple(pool: &mut TermPool, factor: i64, term: TermId) -> TermId {
        let factor = pool.small(factor);
        pool.binary(BinaryOp::Mul, factor, term)
    }

    #[test]
    fn two_equations_leave_one_model() {
        let (_, values) = of_two(|pool, a, b| {
            let (left, right) = (multiple(pool, 3, a), multiple(pool, 7, b));
            let sum = pool.binary(BinaryOp::Add, left, right);
            let difference = pool.binary(BinaryOp::Sub, a, b);
            let (total, distance) = (pool.small(1_234), pool.small(38));
            let first = pool.eq(sum, total);
            let second = pool.eq(difference, distance);
            (vec![], pool.and(first, second))
        });
        assert_eq!(values, [Value::from(150), Value::from(112)]);
    }

    #[test]
    fn no_multiple_of_six_plus_nine_is_four() {
        let (answer, _) = of_two(|pool, a, b| {
            let (left, right) = (multiple(pool, 6, a), multiple(pool, 9, b));
            let (sum, four) = (pool.binary(BinaryOp::Add, left, right), pool.small(4));
            (vec![], pool.eq(sum, four))
        });
        assert_eq!(answer, Answer::Unsat);
    }

    #[test]
    fn what_is_not_linear_is_refuted_only_by_what_is() {
        let product = |pool: &mut TermPool, a, b, value| {
            let (product, value) = (pool.binary(BinaryOp::Mul, a, b), pool.small(value));
            pool.eq(product, value)
        };
        let (answer, _) = of_two(|pool, a, b| {
            let (seven, eight) = (product(pool, a, b, 7), product(pool, a, b, 8));
            (vec![], pool.and(seven, eight))
        });
        assert_eq!(answer, Answer::Unsat);
        let (answer, _) = of_two(|pool, a, b| {
            let seven = product(pool, a, b, 7);
            let distance = pool.small(2);
            let sum = pool.binary(BinaryOp::Sub, a, b);
            let apart = pool.eq(sum, distance);
            (vec![], pool.and(seven, apart))
        });
        assert!(matches!(answer, Answer::Unknown(_)));
    }
}
