//! Texts near a text: words of a language, and texts that are a little different.

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use crate::alphabet::CharClass;
use crate::language::Language;
use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{Term, TermId};
use crate::text::{Text, Unit};

/// Units that people type, best first.
const PREFERRED: [char; 8] = ['a', '0', 'A', ' ', '-', '_', '.', '\u{e9}'];
/// Units offered where others are excluded.
const MAX_STRANGE: usize = 20;
/// Ranges of one class that give units.
const MAX_RANGES: usize = 6;
/// Terms that are searched for languages.
const MAX_TERMS: usize = 2_000;
/// Larger automata and longer texts are left to the solvers.
const MAX_STATES: usize = 160;
const MAX_LENGTH: usize = 48;

/// Units worth trying where others are excluded: those that the constraints tell from others.
///
/// To find them all constraints are gone through, which few edits need.
pub(super) struct Strange<'a> {
    pool: &'a TermPool,
    constraints: &'a [TermId],
    units: OnceCell<Vec<Unit>>,
}

impl<'a> Strange<'a> {
    pub(super) fn new(pool: &'a TermPool, constraints: &'a [TermId]) -> Self {
        Strange {
            pool,
            constraints,
            units: OnceCell::new(),
        }
    }

    /// Usual ones first.
    pub(super) fn units(&self) -> &[Unit] {
        self.units
            .get_or_init(|| strange_units(self.pool, self.constraints))
    }
}

fn strange_units(pool: &TermPool, constraints: &[TermId]) -> Vec<Unit> {
    let mut units: Vec<Unit> = PREFERRED.iter().map(|&unit| unit as Unit).collect();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut pending = constraints.to_vec();
    while let Some(term) = pending.pop() {
        if !seen.insert(term) || seen.len() > MAX_TERMS || units.len() >= MAX_STRANGE {
            continue;
        }
        let term = pool.get(term);
        if let Term::Apply(Operation::Matches(language), _) = term {
            let language = pool.language(*language);
            for state in 1..language.states().min(MAX_STATES) {
                let ranges = language.class(state).ranges().iter().take(MAX_RANGES);
                for &(first, _) in ranges {
                    if !units.contains(&first) && units.len() < MAX_STRANGE {
                        units.push(first);
                    }
                }
            }
        }
        pending.extend_from_slice(term.children().as_slice());
    }
    units
}

/// Units inside or outside of a class, usual ones first.
pub(super) fn members(class: &CharClass, inside: bool, strange: &[Unit]) -> Vec<Unit> {
    let preferred = PREFERRED.iter().map(|&unit| unit as Unit);
    let edges = class.ranges().iter().take(MAX_RANGES);
    let edges = edges.flat_map(|&(first, last)| [first, last.saturating_add(1)]);
    let mut units: Vec<Unit> = Vec::new();
    for unit in preferred.chain(strange.iter().copied()).chain(edges) {
        let fits = class.contains(unit) == inside && unit <= 0x10_FFFF;
        if fits && !units.contains(&unit) {
            units.push(unit);
        }
    }
    units
}

/// The text with a unit more, less, or another one.
pub(super) fn disturbed(text: &Text, strange: &[Unit]) -> Vec<Text> {
    let (units, kind) = (text.units(), text.kind());
    let fits = |unit: &&Unit| **unit <= kind.last();
    let mut texts = Vec::new();
    if let Some((last, before)) = units.split_last() {
        for unit in strange.iter().filter(fits).filter(|unit| **unit != *last) {
            texts.push(Text::new(kind, [before, &[*unit]].concat()));
        }
        texts.push(Text::new(kind, before));
    }
    for unit in strange.iter().filter(fits).take(3) {
        texts.push(Text::new(kind, [units, &[*unit]].concat()));
    }
    texts.push(Text::empty(kind));
    texts
}

/// Words of the language that differ little from the text, of a few lengths.
pub(super) fn words(language: &Language, text: &Text) -> Vec<Text> {
    let Some((least, most)) = language.lengths() else {
        return Vec::new();
    };
    if language.states() > MAX_STATES {
        return Vec::new();
    }
    let most = most.unwrap_or(MAX_LENGTH).min(MAX_LENGTH);
    let length = text.len();
    let mut lengths = vec![
        length.clamp(least, most.max(least)),
        least,
        least + 1,
        length + 1,
    ];
    lengths.dedup();
    let words = lengths
        .into_iter()
        .filter(|&length| length >= least && length <= most);
    words
        .filter_map(|length| word(language, text, length))
        .collect()
}

/// A word of this length that keeps as many units of the text as possible.
fn word(language: &Language, text: &Text, length: usize) -> Option<Text> {
    let states = language.states();
    // For every place and state: the fewest changes so far, and the state before.
    let mut best: Vec<Vec<Option<(usize, u32)>>> = vec![vec![None; states]; length + 1];
    best[0][0] = Some((0, 0));
    for place in 0..length {
        for state in 0..states {
            let Some((changes, _)) = best[place][state] else {
                continue;
            };
            for &next in language.next(state) {
                let kept = text.units().get(place);
                let keeps = kept.is_some_and(|&unit| language.class(next as usize).contains(unit));
                let changes = changes + usize::from(!keeps);
                let known = &mut best[place + 1][next as usize];
                if known.is_none_or(|(fewest, _)| changes < fewest) {
                    *known = Some((changes, state as u32));
                }
            }
        }
    }
    let reached = (0..states).filter(|&state| language.accepts_in(state));
    let mut state = reached
        .filter_map(|state| best[length][state].map(|(changes, _)| (changes, state)))
        .min()?
        .1;
    let mut units = Vec::with_capacity(length);
    for place in (0..length).rev() {
        let class = language.class(state);
        let kept = text.units().get(place).copied();
        let unit = kept
            .filter(|&unit| class.contains(unit))
            .or_else(|| members(class, true, &[]).first().copied())?;
        units.push(unit);
        state = best[place + 1][state]?.1 as usize;
    }
    units.reverse();
    Some(Text::new(text.kind(), units))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Pattern;

    #[test]
    fn words_keep_what_fits() {
        let letters = Pattern::Class(CharClass::new([('a' as Unit, 'z' as Unit)]));
        let pattern = Pattern::Repeat {
            body: Box::new(letters),
            least: 2,
            most: Some(3),
        };
        let found = Language::new(pattern).map(|language| words(&language, &Text::str("x9y!")));
        let expected = ["xay", "xa"].map(Text::str);
        assert_eq!(
            found,
            Some(vec![
                expected[0].clone(),
                expected[1].clone(),
                expected[0].clone()
            ])
        );
    }

    #[test]
    fn units_outside_of_a_class_are_such_as_people_type() {
        let lower = CharClass::new([('a' as Unit, 'z' as Unit)]);
        assert_eq!(members(&lower, false, &[]).first(), Some(&('0' as Unit)));
    }
}
