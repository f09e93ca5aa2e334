//! Terms over text mean what they say, simplified or not.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod text_terms;

use pef_logic::{Evaluator, TermPool, Value};
use proptest::prelude::*;
use text_terms::{Style, inputs, inputs_from, truths};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6_000))]

    #[test]
    fn simplified_and_unsimplified_terms_agree_with_the_reference(
        (kind, truths) in truths(1, 3),
        bytes in prop::collection::vec(inputs(), 4),
    ) {
        let mut pool = TermPool::new();
        let mut evaluator = Evaluator::new();
        let truth = &truths[0];
        let written = truth.build(&mut pool, kind, Style::AsWritten);
        let simplified = truth.build(&mut pool, kind, Style::Simplified);
        for bytes in bytes {
            let inputs = inputs_from(bytes, kind);
            let model = inputs.model(&mut pool, kind);
            let expected = Ok(Value::Bool(truth.value(kind, &inputs)));
            prop_assert_eq!(&evaluator.value(&pool, &model, written), &expected, "{:?}", inputs);
            prop_assert_eq!(
                &evaluator.value(&pool, &model, simplified),
                &expected,
                "{} for {:?}",
                pef_logic::python_source(&pool, simplified),
                inputs
            );
        }
    }
}
