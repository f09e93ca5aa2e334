//! How to solve: terms, their exact meaning, and the chain of solvers.
//!
//! This crate knows no Python objects and no search. It answers one kind of question: given
//! constraints that hold for known inputs, is there an input that satisfies them and one more?
//!
//! ```
//! use pef_logic::{Answer, Budget, Model, Query, Sort, TermPool, standard_chain};
//!
//! let mut pool = TermPool::new();
//! let x = pool.variable("x", Sort::Int);
//! let five = pool.small(5);
//! let goal = pool.gt(x, five);
//! let hint = Model::new();
//! let mut chain = standard_chain(None);
//! let query = Query { path: &[], goal, hint: &hint };
//! let Answer::Sat(model) = chain.solve(&mut pool, &query, &Budget::default()) else {
//!     panic!("`x > 5` has solutions");
//! };
//! let (_, value) = model.iter().next().unwrap();
//! assert_eq!(value.to_string(), "6");
//! ```

#![forbid(unsafe_code)]

#[cfg(test)]
extern crate self as pef_logic;
#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
#[cfg(test)]
#[path = "../tests/text_terms/mod.rs"]
mod text_terms;

pub mod alphabet;
pub mod apply;
pub mod evaluate;
pub mod float;
pub mod integer;
pub mod language;
pub mod operation;
pub mod pool;
pub mod python_syntax;
pub mod simplify;
pub mod smtlib;
pub mod solve;
pub mod term;
pub mod text;
pub mod value;
pub mod variables;

pub use alphabet::{CharClass, CharMap};
pub use evaluate::{Evaluator, Undefined};
pub use float::{Float, Rounding};
pub use integer::Integer;
pub use language::{Language, Pattern};
pub use operation::{ClassId, Expansion, Function, LanguageId, MapId, Operation};
pub use pool::TermPool;
pub use python_syntax::python_source;
pub use solve::{
    Answer, Budget, LayerStatistics, Query, QueryLog, Solver, UnknownReason, scripted,
    standard_chain, timed_chain,
};
pub use term::{BinaryOp, Comparison, Sort, Term, TermId, UnaryOp, VarId};
pub use text::{Text, TextKind};
pub use value::{Model, Value};
pub use variables::VarSet;
