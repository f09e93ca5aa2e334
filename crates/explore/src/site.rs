//! Where in the source a decision is made.
//!
//! Sites are interned: the executor resolves a frame to a [`SiteId`] once and
//! compares ids from then on.

use rustc_hash::FxHashMap;
use std::rc::Rc;

use crate::DecisionKind;

/// A place in the analysed source. Lines and columns count from one; column zero
/// means the interpreter did not tell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// The file, as the code object names it.
    pub file: Rc<str>,
    /// First line of the expression.
    pub line: u32,
    /// First column of the expression, or zero.
    pub column: u32,
    /// What asks there.
    pub kind: DecisionKind,
    /// Tells apart two sites that share a position (the instruction offset).
    pub instruction: u32,
}

/// Names one [`Site`] of a [`SiteTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteId(u32);

/// All sites seen so far.
#[derive(Debug, Default)]
pub struct SiteTable {
    sites: Vec<Site>,
    ids: FxHashMap<Site, SiteId>,
}

impl SiteTable {
    /// The id of `site`, new or known.
    pub fn intern(&mut self, site: Site) -> SiteId {
        if let Some(&id) = self.ids.get(&site) {
            return id;
        }
        let id = SiteId(self.sites.len() as u32);
        self.sites.push(site.clone());
        self.ids.insert(site, id);
        id
    }

    /// The site named `id`.
    pub fn get(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }
}
