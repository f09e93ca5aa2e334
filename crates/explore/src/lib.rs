//! What to explore.
//!
//! A run of the target is a list of decisions; this room stores every prefix of
//! every run once ([`PathTree`]), asks the solver which branches not yet taken are
//! possible, and lets a [`Strategy`] choose the next one. It is pure data: it never
//! sees CPython, and nothing here knows how a query is answered.
//!
//! The executor drives one [`Exploration`]:
//!
//! ```text
//! while let Some(inputs) = exploration.next_run() {
//!     // run the target; at each symbolic branch: exploration.decide(...)
//!     exploration.end_run(ending);
//! }
//! ```
#![forbid(unsafe_code)]

mod budget;
mod chance;
mod coverage;
mod decision;
mod ending;
mod exploration;
mod open;
mod question;
mod site;
mod strategy;
mod tree;

pub use budget::{Budget, Clock, ManualClock};
pub use coverage::Coverage;
pub use decision::{Arm, Decision, DecisionKind, PinReason};
pub use ending::{Ending, PathRecord, Stop, TakenDecision};
pub use exploration::{Exploration, Options, Totals};
pub use open::{OpenBranches, OpenReason};
pub use question::Question;
pub use site::{Site, SiteId, SiteTable};
pub use strategy::{OpenBranch, Place, Strategy, StrategyKind};
pub use tree::{ArmIndex, ArmState, BranchId, NodeId, PathTree};
