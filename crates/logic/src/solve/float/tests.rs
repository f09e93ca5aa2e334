//! Everything that can say "no" about floats, against the evaluator.

use proptest::prelude::*;

use super::ieee::{self, Verdict};
use super::order::Order;
use super::search::Problem;
use crate::evaluate::Evaluator;
use crate::operation::Operation;
use crate::pool::TermPool;
use crate::solve::Budget;
use crate::solve::interval::{Domain, Propagation};
use crate::solve::z3::Session;
use crate::support::expression::Style;
use crate::support::float::{
    Claim, Point, claim, narrow_claim, narrow_real, point, telling_points,
};
use crate::term::{TermId, VarId};
use crate::value::{Model, Value};

/// The claims as they come out at a point.
fn true_claims(pool: &mut TermPool, claims: &[Claim], model: &Model) -> Vec<TermId> {
    let mut evaluator = Evaluator::new();
    let outcome = |claim: &Claim| {
        let term = claim.build(pool, Style::Simplified);
        if evaluator.holds(pool, model, term) {
            term
        } else {
            pool.not(term)
        }
    };
    claims.iter().map(outcome).collect()
}

/// Constraints that leave only the values of the model.
fn pins(pool: &mut TermPool, model: &Model) -> Vec<TermId> {
    let values: Vec<(VarId, Value)> = model
        .iter()
        .map(|(variable, value)| (variable, value.clone()))
        .collect();
    let mut pins = Vec::new();
    for (variable, value) in values {
        let (term, constant) = (pool.var_term(variable), pool.constant(&value));
        pins.push(pool.same(term, constant));
    }
    pins
}

fn inside(domain: &Domain, value: &Value) -> bool {
    match (domain, value) {
        (Domain::Float(range), Value::Float(value)) => range.contains(*value),
        (Domain::Number(range), Value::Int(value)) => range.contains(value),
        (Domain::Truth(Some(certain)), Value::Bool(value)) => certain == value,
        (Domain::Truth(None), _) => true,
        _ => false,
    }
}

/// What the theory says about constraints.
fn ask(pool: &TermPool, constraints: &[TermId]) -> Option<Verdict> {
    let mut ranges = Propagation::new();
    if ranges.run(pool, constraints.iter().copied()).is_err() {
        return None;
    }
    let problem = Problem::new(pool, constraints, &ranges);
    let session = Session::new();
    Some(ieee::ask(
        &session,
        &problem,
        &Model::new(),
        &Budget::default(),
    ))
}

fn check_claims(claims: &[Claim], point: &Point) -> Result<(), TestCaseError> {
    let mut pool = TermPool::new();
    let model = point.model(&mut pool);
    let constraints = true_claims(&mut pool, claims, &model);
    check_bounds(&pool, &model, &constraints)
}

/// Checks that bounds and orders agree with a model of the constraints.
fn check_bounds(
    pool: &TermPool,
    model: &Model,
    constraints: &[TermId],
) -> Result<(), TestCaseError> {
    let mut ranges = Propagation::new();
    let result = ranges.run(pool, constraints.iter().copied());
    prop_assert!(result.is_ok(), "bounds refute what holds");
    let refuted = Order::new(pool, &ranges).contradicts(constraints);
    prop_assert!(!refuted, "the order refutes what holds");
    let mut evaluator = Evaluator::new();
    for index in 0..pool.len() {
        let term = TermId::new(index);
        if let (Some(domain), Ok(value)) = (ranges.term(term), evaluator.value(pool, model, term)) {
            prop_assert!(
                inside(&domain, &value),
                "{value} of {term:?} outside {domain:?}"
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn bounds_and_orders_never_refute_what_holds(
        claims in prop::collection::vec(claim(), 1..5),
        point in point(),
    ) {
        check_claims(&claims, &point)?;
    }

    #[test]
    fn bounds_reach_back_through_rounding(real in narrow_real(), point in point()) {
        let mut pool = TermPool::new();
        let model = point.model(&mut pool);
        let term = real.build(&mut pool, Style::Simplified);
        let Ok(value) = Evaluator::new().value(&pool, &model, term) else {
            return Ok(());
        };
        let constant = pool.constant(&value);
        let exactly = pool.same(term, constant);
        check_bounds(&pool, &model, &[exactly])?;
    }

    #[test]
    fn orders_hold_between_rounded_results(
        parts in prop::collection::vec((narrow_real(), narrow_real()), 1..4),
        point in point(),
    ) {
        let mut pool = TermPool::new();
        let model = point.model(&mut pool);
        let mut constraints = Vec::new();
        for (left, right) in parts {
            let operands = [left, right].map(|side| side.build(&mut pool, Style::Simplified));
            for operand in operands {
                let nan = pool.apply(Operation::IsNan, &[operand]);
                constraints.push(pool.not(nan));
            }
            for op in [Operation::FloatLt, Operation::FloatLe, Operation::FloatEq] {
                let claim = pool.apply(op, &operands);
                let holds = Evaluator::new().holds(&pool, &model, claim);
                constraints.push(if holds { claim } else { pool.not(claim) });
            }
        }
        if Evaluator::new().all_hold(&pool, &model, &constraints) {
            check_bounds(&pool, &model, &constraints)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn bounds_and_orders_never_refute_what_holds_at_telling_points(
        claims in prop::collection::vec(narrow_claim(), 1..4),
    ) {
        for point in telling_points() {
            check_claims(&claims, &point)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_encoding_agrees_with_the_evaluator(
        claim in prop_oneof![claim(), narrow_claim()],
        point in point(),
    ) {
        let mut pool = TermPool::new();
        let model = point.model(&mut pool);
        let right = true_claims(&mut pool, std::slice::from_ref(&claim), &model);
        let wrong = pool.not(right[0]);
        let pins = pins(&mut pool, &model);
        let with = |claim: TermId| -> Vec<TermId> { pins.iter().copied().chain([claim]).collect() };
        let holds = ask(&pool, &with(right[0]));
        prop_assert!(holds.is_some(), "bounds refute what holds");
        prop_assert!(!matches!(holds, Some(Verdict::Unsat)), "refuted what holds");
        if let Some(Verdict::Model(_, approximate)) = ask(&pool, &with(wrong)) {
            prop_assert!(approximate.is_some(), "a model of what does not hold");
        }
    }
}
