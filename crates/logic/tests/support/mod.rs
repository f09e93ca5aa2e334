//! What several test suites share: random expressions with a reference meaning, and a small parser
//! for Python expressions. Also included by unit tests inside the crate.

#![allow(dead_code, clippy::unwrap_used, clippy::panic, missing_docs)]

pub mod expression;
pub mod float;
pub mod parser;
