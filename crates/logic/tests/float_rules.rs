//! The rules for floats, and what the chain makes of random conditions.

mod support;

use pef_logic::{Answer, Budget, Evaluator, Model, Query, TermId, TermPool, standard_chain};
use proptest::prelude::*;
use support::expression::Style;
use support::float::{Claim, claim, narrow_claim, point, telling_points};

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

/// Checks a claim with and without simplification at many points.
fn check_rules(claim: &Claim) -> Result<(), TestCaseError> {
    let mut pool = TermPool::new();
    let simple = claim.build(&mut pool, Style::Simplified);
    let plain = claim.build(&mut pool, Style::AsWritten);
    let mut evaluator = Evaluator::new();
    for point in telling_points() {
        let model = point.model(&mut pool);
        let expected = evaluator.value(&pool, &model, plain);
        let found = evaluator.value(&pool, &model, simple);
        prop_assert_eq!(found, expected, "at {:?}", point);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn simplified_claims_have_the_same_truth(claim in claim()) {
        check_rules(&claim)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn simplified_small_claims_have_the_same_truth(claim in narrow_claim()) {
        check_rules(&claim)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn models_hold_and_refutations_have_no_counterexample(
        claims in prop::collection::vec(prop_oneof![claim(), narrow_claim()], 0..4),
        goal in prop_oneof![claim(), narrow_claim()],
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
                for point in telling_points() {
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
