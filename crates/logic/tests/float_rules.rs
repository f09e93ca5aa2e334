//! The rules for floats, and what the chain makes of random conditions.

mod support;

use pef_logic::{Answer, Budget, Evaluator, Model, Query, TermId, TermPool, standard_chain};
use proptest::prelude::*;
use support::expression::Style;
use support::float::{Claim, Point, SPECIAL, claim, point};

/// Points tried against a refutation.
fn grid() -> impl Iterator<Item = Point> {
    let wholes = [0, 1, -1, 2, 3, 10, 1 << 53, (1 << 53) + 1];
    SPECIAL.into_iter().flat_map(move |first| {
        SPECIAL.into_iter().flat_map(move |second| {
            wholes.into_iter().map(move |whole| Point {
                reals: [first, second],
                wholes: [whole, wholes[whole as usize % wholes.len()]],
            })
        })
    })
}

/// The conditions as they come out at a point.
fn path_of(pool: &mut TermPool, claims: &[Claim], hint: &Model) -> Vec<TermId> {
    let mut evaluator = Evaluator::new();
    let outcome = |claim: &Claim| {
        let term = claim.build(pool, Style::Simplified);
        if evaluator.holds(pool, hint, term) {
            term
        } else {
            pool.not(term)
        }
    };
    claims.iter().map(outcome).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn simplified_claims_have_the_same_truth(claim in claim(), point in point()) {
        let mut pool = TermPool::new();
        let model = point.model(&mut pool);
        let simple = claim.build(&mut pool, Style::Simplified);
        let plain = claim.build(&mut pool, Style::AsWritten);
        let mut evaluator = Evaluator::new();
        let expected = evaluator.value(&pool, &model, plain);
        prop_assert_eq!(evaluator.value(&pool, &model, simple), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn models_hold_and_refutations_have_no_counterexample(
        claims in prop::collection::vec(claim(), 0..4),
        goal in claim(),
        input in point(),
    ) {
        let mut pool = TermPool::new();
        let hint = input.model(&mut pool);
        let path = path_of(&mut pool, &claims, &hint);
        let goal = goal.build(&mut pool, Style::Simplified);
        let query = Query { path: &path, goal, hint: &hint };
        let budget = Budget { rlimit: 400_000, wall: std::time::Duration::from_millis(200) };
        let mut evaluator = Evaluator::new();
        match standard_chain(None).solve(&mut pool, &query, &budget) {
            Answer::Sat(model) => {
                prop_assert!(evaluator.holds(&pool, &model, goal));
                prop_assert!(evaluator.all_hold(&pool, &model, &path));
            }
            Answer::Unsat => {
                for point in grid() {
                    let model = point.model(&mut pool);
                    let holds = evaluator.holds(&pool, &model, goal)
                        && evaluator.all_hold(&pool, &model, &path);
                    prop_assert!(!holds, "missed {:?}", point);
                }
            }
            Answer::Unknown(_) => {}
        }
    }
}
