//! Groups of constraints that share variables, kept while a path grows.
//!
//! A run asks one question after the other, and the path of each continues that of the one before. Looking
//! through a long path again for every question makes the time of a run grow with the square of its length; here
//! every constraint is looked at once.

use super::conjuncts;
use crate::pool::TermPool;
use crate::term::{TermId, VarId};

/// The constraints of a path, by the variables they connect.
#[derive(Default)]
pub(super) struct Groups {
    path: Vec<TermId>,
    /// Constraints of the path that have been put into groups.
    grouped: usize,
    parts: Vec<TermId>,
    /// For every variable another one of its group, or itself if it represents the group.
    parent: Vec<usize>,
    /// For every variable that represents a group, the parts of the group, by their positions.
    members: Vec<Vec<usize>>,
    /// The positions of one answer.
    found: Vec<usize>,
}

impl Groups {
    /// Takes in what is new in a path. False if it does not continue the last one: then it is only
    /// remembered, since nobody may ever continue it.
    pub(super) fn follow(&mut self, pool: &mut TermPool, path: &[TermId]) -> bool {
        if !path.starts_with(&self.path) {
            self.path.clear();
            self.path.extend_from_slice(path);
            self.grouped = 0;
            self.parts.clear();
            self.parent.clear();
            self.members.clear();
            return false;
        }
        self.path.extend_from_slice(&path[self.path.len()..]);
        for variable in self.parent.len()..pool.var_count() {
            self.parent.push(variable);
            self.members.push(Vec::new());
        }
        for position in self.grouped..self.path.len() {
            let start = self.parts.len();
            conjuncts(pool, self.path[position], &mut self.parts);
            for part in start..self.parts.len() {
                self.put(pool, part);
            }
        }
        self.grouped = self.path.len();
        true
    }

    /// Fills `slice` with the parts that are connected to a goal, in the order of the path.
    pub(super) fn connected(&mut self, pool: &TermPool, goal: TermId, slice: &mut Vec<TermId>) {
        let mut roots: Vec<usize> = Vec::new();
        for variable in pool.vars(goal).iter() {
            let root = self.root(variable);
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        self.found.clear();
        for &root in &roots {
            self.found.extend_from_slice(&self.members[root]);
        }
        self.found.sort_unstable();
        slice.clear();
        slice.extend(self.found.iter().map(|&position| self.parts[position]));
    }

    /// Puts a part into the group of its variables, which becomes one if they were several.
    fn put(&mut self, pool: &TermPool, part: usize) {
        let mut variables = pool.vars(self.parts[part]).iter();
        let Some(first) = variables.next() else {
            return;
        };
        let mut root = self.root(first);
        for variable in variables {
            root = self.join(root, variable);
        }
        self.members[root].push(part);
    }

    fn join(&mut self, one: usize, variable: VarId) -> usize {
        let other = self.root(variable);
        if one == other {
            return one;
        }
        // The shorter list moves, so that no part moves often.
        let (large, small) = if self.members[one].len() < self.members[other].len() {
            (other, one)
        } else {
            (one, other)
        };
        let moved = std::mem::take(&mut self.members[small]);
        self.members[large].extend(moved);
        self.parent[small] = large;
        large
    }

    fn root(&mut self, variable: VarId) -> usize {
        let mut place = variable.index();
        while self.parent[place] != place {
            // Halving the way keeps it short.
            self.parent[place] = self.parent[self.parent[place]];
            place = self.parent[place];
        }
        place
    }
}
