//! Findings in, text out.
//!
//! This room turns what a run found into what a person or a program reads. It holds plain owned data
//! ([`ExploreReport`] and its parts for `pef explore`, [`check`] for `pef check`) and one module per
//! output format; what a person reads is rendered piece by piece, so that a long run shows what it
//! has. Running Python, choosing paths and deciding what is true stay out: a report repeats what it
//! was told and adds nothing.

pub mod check;
mod explore;
pub mod json;
mod ordered_object;
mod palette;
mod stream;
mod surrogates;
mod text;

pub use explore::{
    ContractReport, CoverageReport, DecisionOutcome, DecisionReport, ExceptionReport,
    ExploreReport, MissedBranch, Outcome, PathReport, PinReport, Summary,
};
pub use palette::Palette;
pub use stream::{Completion, Format, Stream};
pub use surrogates::spelt_out;
pub use text::TextFormat;
