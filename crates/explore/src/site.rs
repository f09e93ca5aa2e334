//! Where in the source a decision is made.
//!
//! Sites are interned: the executor resolves a frame to a [`SiteId`] once and
//! compares ids from then on.
//!
//! The shape of an input is chosen at a site as well, named after the part of the input. A tree has parts without
//! end, so whoever gives every site its share goes by [`SiteTable::region`].

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
    regions: Vec<SiteId>,
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
        self.regions.push(id);
        let region = region_of(&site);
        self.ids.insert(site, id);
        if let Some(region) = region {
            self.regions[id.0 as usize] = self.intern(region);
        }
        id
    }

    /// The site that stands for all like `id`: itself, but for like parts of an input.
    pub fn region(&self, id: SiteId) -> SiteId {
        self.regions[id.0 as usize]
    }

    /// The site named `id`.
    pub fn get(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }
}

/// Parts of one input with the same last name are alike: `tree.left` stands for `tree.right.left`, `items[]` for
/// every item.
fn region_of(site: &Site) -> Option<Site> {
    if site.kind != DecisionKind::InputShape {
        return None;
    }
    let part = ['.', '['];
    let (whole, _) = site.file.split_once(part)?;
    let last = &site.file[site.file.rfind(part)?..];
    let name = match last.strip_prefix('[') {
        Some(item) => format!("{whole}[{}", item.trim_start_matches(char::is_numeric)),
        None => format!("{whole}{last}"),
    };
    (*name != *site.file).then(|| Site {
        file: name.into(),
        ..site.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(sites: &mut SiteTable, name: &str) -> SiteId {
        sites.intern(Site {
            file: name.into(),
            line: 0,
            column: 0,
            kind: DecisionKind::InputShape,
            instruction: 0,
        })
    }

    #[test]
    fn like_parts_of_an_input_have_one_region() {
        let sites = &mut SiteTable::default();
        let left = shape(sites, "tree.left");
        let deep = shape(sites, "tree.left.right.left");
        let right = shape(sites, "tree.left.right");
        assert_eq!(sites.region(deep), left);
        assert_eq!(sites.region(left), left);
        assert_ne!(sites.region(right), left);
        let (first, later) = (shape(sites, "items[0]"), shape(sites, "items[12]"));
        assert_eq!(sites.region(first), sites.region(later));
        let length = shape(sites, "len(tree.children[1].children)");
        assert_eq!(sites.region(length), shape(sites, "len(tree.children)"));
    }

    #[test]
    fn inputs_and_sites_in_the_code_are_regions_of_their_own() {
        let sites = &mut SiteTable::default();
        let (a, b) = (shape(sites, "a"), shape(sites, "b"));
        assert_eq!((sites.region(a), sites.region(b)), (a, b));
        let branch = sites.intern(Site {
            file: "lib/tree.left.py".into(),
            line: 3,
            column: 1,
            kind: DecisionKind::If,
            instruction: 0,
        });
        assert_eq!(sites.region(branch), branch);
    }
}
