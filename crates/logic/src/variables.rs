//! Sets of variables.
//!
//! Slicing asks for every constraint of every query which variables it shares with the goal, so the
//! answer is kept per term and is a few word operations.

use crate::term::VarId;

/// A set of variables, as a bit set. The last word is never zero, so equality is structural.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct VarSet {
    first: u64,
    rest: Vec<u64>,
}

impl VarSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// The set of one variable.
    pub fn singleton(variable: VarId) -> Self {
        let mut set = Self::new();
        set.insert(variable);
        set
    }

    /// Adds a variable.
    pub fn insert(&mut self, variable: VarId) {
        let (word, bit) = (variable.index() / 64, 1 << (variable.index() % 64));
        if word == 0 {
            self.first |= bit;
            return;
        }
        if self.rest.len() < word {
            self.rest.resize(word, 0);
        }
        self.rest[word - 1] |= bit;
    }

    /// Whether no variable is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.first == 0 && self.rest.is_empty()
    }

    /// How many variables are in the set.
    pub fn len(&self) -> usize {
        self.words().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the variable is in the set.
    #[inline]
    pub fn contains(&self, variable: VarId) -> bool {
        let (word, bit) = (variable.index() / 64, 1 << (variable.index() % 64));
        let bits = if word == 0 {
            Some(&self.first)
        } else {
            self.rest.get(word - 1)
        };
        bits.is_some_and(|bits| bits & bit != 0)
    }

    /// Whether the sets share a variable.
    #[inline]
    pub fn intersects(&self, other: &VarSet) -> bool {
        self.first & other.first != 0
            || self
                .rest
                .iter()
                .zip(&other.rest)
                .any(|(mine, theirs)| mine & theirs != 0)
    }

    /// Whether every variable of this set is in the other.
    pub fn is_subset(&self, other: &VarSet) -> bool {
        self.first & !other.first == 0
            && self.rest.len() <= other.rest.len()
            && self
                .rest
                .iter()
                .zip(&other.rest)
                .all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// Adds all variables of the other set.
    pub fn extend(&mut self, other: &VarSet) {
        self.first |= other.first;
        if self.rest.len() < other.rest.len() {
            self.rest.resize(other.rest.len(), 0);
        }
        for (mine, theirs) in self.rest.iter_mut().zip(&other.rest) {
            *mine |= theirs;
        }
    }

    /// The variables of either set.
    #[must_use]
    pub fn union(&self, other: &VarSet) -> VarSet {
        let mut all = self.clone();
        all.extend(other);
        all
    }

    /// Empties the set but keeps its storage.
    pub fn clear(&mut self) {
        self.first = 0;
        self.rest.clear();
    }

    /// The variables in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = VarId> + '_ {
        self.words().enumerate().flat_map(|(position, word)| {
            std::iter::successors((word != 0).then_some(word), |bits| {
                let rest = bits & (bits - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |bits| VarId::new(position * 64 + bits.trailing_zeros() as usize))
        })
    }

    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        std::iter::once(self.first).chain(self.rest.iter().copied())
    }
}

impl FromIterator<VarId> for VarSet {
    fn from_iter<I: IntoIterator<Item = VarId>>(variables: I) -> Self {
        let mut set = VarSet::new();
        for variable in variables {
            set.insert(variable);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(indices: &[usize]) -> VarSet {
        indices.iter().map(|&index| VarId::new(index)).collect()
    }

    #[test]
    fn iteration_is_ascending_across_words() {
        let indices: Vec<usize> = set(&[200, 0, 63, 64]).iter().map(VarId::index).collect();
        assert_eq!(indices, [0, 63, 64, 200]);
    }

    #[test]
    fn intersection_needs_a_shared_variable() {
        assert!(set(&[1, 130]).intersects(&set(&[130])));
        assert!(!set(&[1, 130]).intersects(&set(&[2, 66, 131])));
    }

    #[test]
    fn subsets_may_be_shorter() {
        assert!(set(&[3]).is_subset(&set(&[3, 99])));
        assert!(!set(&[3, 99]).is_subset(&set(&[3])));
        assert!(set(&[]).is_subset(&set(&[])));
    }

    #[test]
    fn union_contains_both() {
        let all = set(&[1]).union(&set(&[70]));
        assert!(all.contains(VarId::new(1)) && all.contains(VarId::new(70)));
        assert_eq!(all.len(), 2);
    }
}
