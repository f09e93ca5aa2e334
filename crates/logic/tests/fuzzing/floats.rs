//! Terms over floats. The evaluator, which is compared with CPython elsewhere, is the judge.

use pef_logic::{Evaluator, TermId, TermPool, python_source};

use super::search::Path;
use crate::support::expression::Style;
use crate::support::float::{Claim, Point, Source, telling_points};

const DEEPEST: u32 = 3;

/// Reads conditions and an input from bytes, and checks simplification and search on them.
pub fn check(bytes: &[u8]) {
    let mut source = Source::new(bytes.to_vec());
    let input = source.point();
    let claims: Vec<Claim> = (0..=source.choose(3))
        .map(|_| match source.choose(2) {
            0 => source.narrow_claim(),
            _ => source.claim(DEEPEST),
        })
        .collect();
    for claim in &claims {
        check_values(claim, &input);
    }
    check_search(&claims, &input);
}

fn check_values(claim: &Claim, input: &Point) {
    let mut pool = TermPool::new();
    let simple = claim.build(&mut pool, Style::Simplified);
    let plain = claim.build(&mut pool, Style::AsWritten);
    let mut evaluator = Evaluator::new();
    for point in telling_points().chain([input.clone()]) {
        let model = point.model(&mut pool);
        let expected = evaluator.value(&pool, &model, plain);
        let found = evaluator.value(&pool, &model, simple);
        let text = python_source(&pool, plain);
        assert_eq!(found, expected, "{text} at {point:?}");
    }
}

fn check_search(claims: &[Claim], input: &Point) {
    let mut pool = TermPool::new();
    let hint = input.model(&mut pool);
    let mut evaluator = Evaluator::new();
    let taken: Vec<TermId> = claims
        .iter()
        .map(|claim| {
            let term = claim.build(&mut pool, Style::Simplified);
            if evaluator.holds(&pool, &hint, term) {
                term
            } else {
                pool.not(term)
            }
        })
        .collect();
    let points: Vec<_> = telling_points()
        .map(|point| point.model(&mut pool))
        .collect();
    let path = Path {
        bounds: &[],
        taken: &taken,
        hint: &hint,
    };
    path.search(&mut pool, |pool, count| {
        let mut evaluator = Evaluator::new();
        let other = points.iter().find(|point| {
            let off = evaluator.value(pool, point, taken[count]) == Ok(false.into());
            off && evaluator.all_hold(pool, point, &taken[..count])
        });
        other.map(|model| format!("{model:?}"))
    });
}
