//! Which arms of which sites some run has taken.

use rustc_hash::FxHashMap;

use crate::{ArmIndex, SiteId};

/// Arms beyond these are one: which of ever more items is meant is no news.
const ARMS: usize = 8;

/// Counts how often each arm of each symbolic site was taken.
#[derive(Debug, Default)]
pub struct Coverage {
    hits: FxHashMap<(SiteId, ArmIndex), u64>,
}

impl Coverage {
    /// Notes one more run through `arm` of `site`.
    pub fn note(&mut self, site: SiteId, arm: ArmIndex) {
        let arm = ArmIndex::new(arm.index().min(ARMS));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DecisionKind, Site, SiteTable};

    #[test]
    fn ever_more_arms_are_no_news() {
        let site = SiteTable::default().intern(Site {
            file: "t.py".into(),
            line: 1,
            column: 1,
            kind: DecisionKind::Key,
            instruction: 0,
        });
        let mut coverage = Coverage::default();
        for arm in 0..=ARMS {
            coverage.note(site, ArmIndex::new(arm));
            assert_eq!(coverage.count(), arm + 1);
        }
        coverage.note(site, ArmIndex::new(ARMS + 1));
        assert_eq!(coverage.count(), ARMS + 1);
    }
}
