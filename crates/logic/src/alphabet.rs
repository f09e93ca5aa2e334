//! Sets of characters and maps between them.
//!
//! Predicates such as `isdigit` and changes of case speak about tens of thousands of characters. Which
//! ones is CPython's to say, so the tables come from outside; here they are sorted ranges with
//! fast lookup.

use crate::text::Unit;

/// A set of units, as sorted ranges that neither overlap nor touch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CharClass {
    ranges: Box<[(Unit, Unit)]>,
}

impl CharClass {
    /// The set of all units in the given inclusive ranges, in any order.
    pub fn new(ranges: impl IntoIterator<Item = (Unit, Unit)>) -> Self {
        let mut sorted: Vec<(Unit, Unit)> = ranges
            .into_iter()
            .filter(|(first, last)| first <= last)
            .collect();
        sorted.sort_unstable();
        let mut merged: Vec<(Unit, Unit)> = Vec::with_capacity(sorted.len());
        for (first, last) in sorted {
            match merged.last_mut() {
                Some(previous) if first <= previous.1.saturating_add(1) => {
                    previous.1 = previous.1.max(last);
                }
                _ => merged.push((first, last)),
            }
        }
        CharClass {
            ranges: merged.into(),
        }
    }

    /// The set of one unit.
    pub fn single(unit: Unit) -> Self {
        CharClass::new([(unit, unit)])
    }

    /// Everything up to `last` that is not in the set.
    #[must_use]
    pub fn complement(&self, last: Unit) -> Self {
        let mut gaps = Vec::new();
        let mut next = 0;
        for &(first, end) in &self.ranges {
            if first > next {
                gaps.push((next, first - 1));
            }
            next = end.saturating_add(1);
        }
        if next <= last {
            gaps.push((next, last));
        }
        CharClass::new(gaps)
    }

    /// Units in either set.
    #[must_use]
    pub fn union(&self, other: &CharClass) -> Self {
        CharClass::new(self.ranges.iter().chain(&other.ranges).copied())
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> &[(Unit, Unit)] {
        &self.ranges
    }

    /// Whether the set has no members.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Whether a unit is in the set.
    #[inline]
    pub fn contains(&self, unit: Unit) -> bool {
        let after = self.ranges.partition_point(|&(first, _)| first <= unit);
        after > 0 && unit <= self.ranges[after - 1].1
    }
}

/// A map of units to units; those not named stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CharMap {
    /// Sorted by the unit that changes.
    pairs: Box<[(Unit, Unit)]>,
}

impl CharMap {
    /// The map that changes the first of each pair to the second.
    pub fn new(pairs: impl IntoIterator<Item = (Unit, Unit)>) -> Self {
        let mut pairs: Vec<(Unit, Unit)> =
            pairs.into_iter().filter(|(from, to)| from != to).collect();
        pairs.sort_unstable();
        pairs.dedup_by_key(|pair| pair.0);
        CharMap {
            pairs: pairs.into(),
        }
    }

    /// The pairs that change, ascending by the first.
    pub fn pairs(&self) -> &[(Unit, Unit)] {
        &self.pairs
    }

    /// What a unit becomes.
    #[inline]
    pub fn apply(&self, unit: Unit) -> Unit {
        match self.pairs.binary_search_by_key(&unit, |pair| pair.0) {
            Ok(position) => self.pairs[position].1,
            Err(_) => unit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_ranges_become_one() {
        let class = CharClass::new([(5, 9), (1, 2), (3, 4), (20, 19)]);
        assert_eq!(class.ranges(), [(1, 9)]);
    }

    #[test]
    fn a_complement_has_exactly_the_others() {
        let class = CharClass::new([(0, 3), (7, 9)]);
        let others = class.complement(10);
        assert!((0..=10).all(|unit| class.contains(unit) != others.contains(unit)));
    }

    #[test]
    fn a_map_leaves_what_it_does_not_name() {
        let map = CharMap::new([(97, 65), (98, 66)]);
        assert_eq!((map.apply(98), map.apply(99)), (66, 99));
    }
}
