//! What fuzzing checks: for each family of terms a function from bytes to assertions.
//!
//! Shared by `fuzz/`, where coverage guides the bytes for as long as one likes, and by
//! `tests/fuzz.rs`, where they are few and always the same. The expressions come from the other
//! suites; new here is that one chain is asked many times, as in an exploration, so that what its
//! layers remember is put to the test.

#![allow(dead_code, missing_docs)]

pub mod floats;
pub mod numbers;
pub mod search;
pub mod texts;
