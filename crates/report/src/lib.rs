//! Findings in, text out.
//!
//! This room turns what an exploration found into what a person or a program reads. It holds plain
//! owned data ([`ExploreReport`] and its parts) and one module per output format; each format can
//! render path by path, so that a long run shows what it has. Running Python, choosing paths and
//! deciding what is true stay out: a report repeats what it was told and adds nothing.

mod explore;
pub mod json;
mod ordered_object;
mod stream;
mod text;

pub use explore::{
    ContractReport, CoverageReport, DecisionOutcome, DecisionReport, ExceptionReport,
    ExploreReport, MissedBranch, Outcome, PathReport, PinReport, Summary,
};
pub use stream::{Completion, Format, Stream};
pub use text::{Palette, TextFormat};
