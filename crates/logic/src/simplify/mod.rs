//! The constructors of terms, which simplify as they build.
//!
//! Simplification is exact and local: it looks at most two levels down, so a constructor costs tens
//! of nanoseconds. Where an operand may be undefined (a zero divisor), the result may be
//! *more* defined than the unsimplified term, never less, and never different where both have a
//! value. A rule names the shapes it applies to and its last arm stores the term as it is, so these are the
//! only matches on terms that may end in a wildcard. The canonical forms the rest of the crate relies on:
//!
//! - constants are the right operand of `+`, `*`, `&`, `|`, `^` and `==`; `x - c` is `x + -c`;
//! - operands of commutative operations are otherwise ordered by id;
//! - at most one side of a comparison ends in `+ c`, and then the right one;
//! - `not` stands only before variables, `==`, `and`, `or`, `iff` and `ite`: never before `<`, `<=`, `not`.

mod apply;
mod bitwise;
mod bool;
mod compare;
mod float;
mod int;
mod text;
