//! Which arms of which sites some run has taken.

use rustc_hash::FxHashMap;

use crate::{ArmIndex, SiteId};

/// Counts how often each arm of each symbolic site was taken.
#[derive(Debug, Default)]
pub struct Coverage {
    hits: FxHashMap<(SiteId, ArmIndex), u64>,
}

impl Coverage {
    /// Notes one more run through `arm` of `site`.
    pub fn note(&mut self, site: SiteId, arm: ArmIndex) {
        *self.hits.entry((site, arm)).or_default() += 1;
    }

    /// How many runs took `arm` of `site`.
    pub fn hits(&self, site: SiteId, arm: ArmIndex) -> u64 {
        self.hits.get(&(site, arm)).copied().unwrap_or(0)
    }

    /// How many different arms were taken so far.
    pub fn count(&self) -> usize {
        self.hits.len()
    }

    /// All arms taken so far, in site order.
    pub fn taken(&self) -> Vec<(SiteId, ArmIndex)> {
        let mut all: Vec<_> = self.hits.keys().copied().collect();
        all.sort_unstable();
        all
    }
}
