//! What an exploration leaves unexplored, and why.

use std::collections::BTreeMap;
use std::fmt;

use pef_logic::UnknownReason;

use crate::{PinReason, SiteId};

/// Why some branch was not followed to its end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpenReason {
    /// A path reached the depth limit.
    DepthLimit,
    /// The number of paths reached its limit.
    PathLimit,
    /// Wall or CPU time ran out.
    TimeLimit,
    /// A run was cut off by the time limit.
    RunTimeout(SiteKey),
    /// The solver could not decide a branch.
    Unknown(SiteKey, UnknownReason),
    /// A value was replaced by its concrete one and other values remain.
    Pinned(SiteKey, PinReason),
    /// A run left the path its input was solved for.
    Diverged(SiteKey),
    /// A run ended the process it was tried in.
    Deadly(SiteKey),
    /// The consumer stopped asking for paths.
    Abandoned,
}

/// A site, or none where the place is not known.
pub type SiteKey = Option<SiteId>;

impl OpenReason {
    /// The site it belongs to, if any.
    pub fn site(&self) -> SiteKey {
        match self {
            OpenReason::DepthLimit
            | OpenReason::PathLimit
            | OpenReason::TimeLimit
            | OpenReason::Abandoned => None,
            OpenReason::RunTimeout(site)
            | OpenReason::Unknown(site, _)
            | OpenReason::Pinned(site, _)
            | OpenReason::Diverged(site)
            | OpenReason::Deadly(site) => *site,
        }
    }
}

impl fmt::Display for OpenReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenReason::DepthLimit => write!(out, "depth limit"),
            OpenReason::PathLimit => write!(out, "path limit"),
            OpenReason::TimeLimit => write!(out, "time limit"),
            OpenReason::RunTimeout(_) => write!(out, "run cut off by the time limit"),
            OpenReason::Unknown(_, reason) => write!(out, "solver gave up ({reason})"),
            OpenReason::Pinned(_, reason) => write!(out, "pinned: {reason}"),
            OpenReason::Diverged(_) => write!(out, "run left its predicted path"),
            OpenReason::Deadly(_) => write!(out, "a run ended its process"),
            OpenReason::Abandoned => write!(out, "stopped early"),
        }
    }
}

/// The open branches of an exploration, counted by reason.
#[derive(Clone, Debug, Default)]
pub struct OpenBranches {
    counts: BTreeMap<OpenReason, u64>,
}

impl OpenBranches {
    /// Notes one branch left open.
    pub fn note(&mut self, reason: OpenReason) {
        *self.counts.entry(reason).or_default() += 1;
    }

    /// True if nothing was left open.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// All reasons with their counts, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (&OpenReason, u64)> {
        self.counts.iter().map(|(reason, &count)| (reason, count))
    }
}
