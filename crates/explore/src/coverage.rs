//! Which arms of which sites some run has taken.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{ArmIndex, SiteId};

/// Arms beyond these are one, unless the site had more from the start: which of ever more items is meant is no news.
const ARMS: usize = 8;

/// The arms of each symbolic site that were taken.
#[derive(Debug, Default)]
pub struct Coverage {
    arms: FxHashSet<(SiteId, ArmIndex)>,
    /// How many arms count, by site.
    counted: FxHashMap<SiteId, usize>,
}

impl Coverage {
    /// Notes that some run took `arm` of `site`, which has so many `arms` now.
    pub fn note(&mut self, site: SiteId, arm: ArmIndex, arms: usize) {
        let counted = *self.counted.entry(site).or_insert(arms.max(ARMS));
        let arm = ArmIndex::new(arm.index().min(counted));
        self.arms.insert((site, arm));
    }

    /// How many different arms were taken so far.
    pub fn count(&self) -> usize {
        self.arms.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DecisionKind, Site, SiteTable};

    fn site() -> SiteId {
        SiteTable::default().intern(Site {
            file: "t.py".into(),
            line: 1,
            column: 1,
            kind: DecisionKind::Key,
            instruction: 0,
        })
    }

    fn count(sizes: impl Iterator<Item = usize>) -> usize {
        let mut coverage = Coverage::default();
        for arms in sizes {
            for arm in 0..arms {
                coverage.note(site(), ArmIndex::new(arm), arms);
            }
        }
        coverage.count()
    }

    #[test]
    fn ever_more_arms_are_no_news() {
        assert_eq!(count(2..5), 4);
        assert_eq!(count(2..100), ARMS + 1);
    }

    #[test]
    fn each_arm_of_a_large_site_is_news() {
        assert_eq!(count(36..37), 36);
    }
}
