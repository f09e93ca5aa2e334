//! Bytes as conditions over numbers; the checks are those of `crates/logic/tests/fuzzing`.

#![no_main]

#[path = "../../crates/logic/tests/fuzzing/mod.rs"]
mod fuzzing;
#[path = "../../crates/logic/tests/support/mod.rs"]
mod support;
#[path = "../../crates/logic/tests/text_terms/mod.rs"]
mod text_terms;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::numbers::check(bytes));
