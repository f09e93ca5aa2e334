//! Terms over text mean what they say, simplified or not.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod text_terms;

use pef_logic::{Evaluator, TermPool, TextKind, Value, python_source};
use proptest::prelude::*;
use text_terms::{Style, Truth, inputs, inputs_from, plain_relation, truths};

fn check(kind: TextKind, truth: &Truth, all_inputs: Vec<Vec<u8>>) -> Result<(), TestCaseError> {
    let mut pool = TermPool::new();
    let mut evaluator = Evaluator::new();
    let written = truth.build(&mut pool, kind, Style::AsWritten);
    let simplified = truth.build(&mut pool, kind, Style::Simplified);
    for bytes in all_inputs {
        let inputs = inputs_from(bytes, kind);
        let model = inputs.model(&mut pool, kind);
        let expected = Ok(Value::Bool(truth.value(kind, &inputs)));
        prop_assert_eq!(
            &evaluator.value(&pool, &model, written),
            &expected,
            "{:?}",
            inputs
        );
        prop_assert_eq!(
            &evaluator.value(&pool, &model, simplified),
            &expected,
            "{} for {:?}",
            python_source(&pool, simplified),
            inputs
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6_000))]

    #[test]
    fn simplified_and_unsimplified_terms_agree_with_the_reference(
        (kind, truths) in truths(1, 3),
        bytes in prop::collection::vec(inputs(), 4),
    ) {
        check(kind, &truths[0], bytes)?;
    }

    #[test]
    fn simplified_relations_agree_with_the_reference(
        (kind, truth) in plain_relation(),
        bytes in prop::collection::vec(inputs(), 12),
    ) {
        check(kind, &truth, bytes)?;
    }
}
