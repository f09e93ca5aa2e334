//! A search that is divided among copies: together they find what one finds alone, and nothing twice.
//!
//! A copy is made by doing the same again: a search is the same each time until it keeps a part.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod programs;

use pef_explore::{Budget, Ending, Exploration, Options, PathRecord, Stop, StrategyKind};
use pef_logic::{Model, Term, Value};
use programs::{exploration, explore, less, value, var};
use std::collections::BTreeSet;

/// Sorts four numbers; every comparison is made a second time, the other way round.
fn sorting(search: &mut Exploration, model: &Model) -> Result<Ending, Stop> {
    let mut sorted = Vec::new();
    for (index, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let variable = var(search, name);
        let new = (variable, value(search, model, variable));
        let mut place = index;
        while place > 0 {
            let other = sorted[place - 1];
            let smaller = less(search, 1, new, other)?;
            let larger = less(search, 2, other, new)?;
            assert!(!(smaller && larger));
            if !smaller {
                break;
            }
            place -= 1;
        }
        sorted.insert(place, new);
    }
    Ok(Ending::Returned)
}

/// When a search was divided, counted in paths of this copy and those it comes from, and which part it kept.
type History = Vec<(usize, usize)>;

fn every_option() -> impl Iterator<Item = Options> {
    StrategyKind::ALL
        .into_iter()
        .flat_map(|strategy| [true, false].map(|eager| all_paths(strategy, eager)))
}

fn all_paths(strategy: StrategyKind, eager: bool) -> Options {
    Options {
        budget: Budget {
            depth: None,
            ..Budget::default()
        },
        strategy,
        eager,
        ..Options::default()
    }
}

fn decisions(path: &PathRecord) -> Vec<usize> {
    let taken = path.decisions.iter().map(|each| each.taken.index());
    taken.collect()
}

/// So many paths, or all there are.
fn explore_some(search: &mut Exploration, count: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    while found.len() < count {
        let Some(model) = search.next_run() else {
            break;
        };
        let ending = sorting(search, &model).unwrap_or(Ending::Stopped);
        found.extend(search.end_run(ending).as_ref().map(decisions));
    }
    found
}

/// The paths that are a copy's own: found after it came into being.
fn own_paths(options: &Options, history: &History) -> Vec<Vec<usize>> {
    let mut search = exploration(options.clone());
    let (mut seen, mut own) = (0, Vec::new());
    for &(after, part) in history {
        while seen < after {
            let Some(model) = search.next_run() else {
                break;
            };
            let ending = sorting(&mut search, &model).unwrap_or(Ending::Stopped);
            if let Some(path) = search.end_run(ending) {
                seen += 1;
                own.push(decisions(&path));
            }
        }
        search.keep_part(part, 2);
        if part == 1 {
            own.clear();
        }
    }
    own.extend(explore(&mut search, sorting).iter().map(decisions));
    assert!(search.is_exhaustive());
    own
}

fn assert_nothing_lost_or_twice(options: &Options, copies: &[History]) {
    let alone = explore(&mut exploration(options.clone()), sorting);
    let alone: BTreeSet<_> = alone.iter().map(decisions).collect();
    let found: Vec<_> = copies
        .iter()
        .flat_map(|history| own_paths(options, history))
        .collect();
    let different: BTreeSet<_> = found.iter().cloned().collect();
    assert_eq!(different, alone, "{options:?}");
    assert_eq!(found.len(), alone.len(), "{options:?}");
}

#[test]
fn two_parts_are_the_whole_whenever_it_is_divided() {
    for options in every_option() {
        for after in [1, 2, 7, 20, 1000] {
            assert_nothing_lost_or_twice(&options, &[vec![(after, 0)], vec![(after, 1)]]);
        }
    }
}

#[test]
fn parts_that_are_divided_again_are_the_whole() {
    for options in every_option() {
        let copies = [
            vec![(2, 0), (5, 0), (6, 0)],
            vec![(2, 0), (5, 0), (6, 1)],
            vec![(2, 0), (5, 1)],
            vec![(2, 1), (3, 0)],
            vec![(2, 1), (3, 1)],
        ];
        assert_nothing_lost_or_twice(&options, &copies);
    }
}

#[test]
fn both_parts_have_something_to_do() {
    for options in every_option() {
        for part in [0, 1] {
            let own = own_paths(&options, &vec![(4, part)]);
            assert!(own.len() > 4 * usize::from(part == 0), "{options:?}");
        }
    }
}

#[test]
fn an_input_that_belongs_to_another_part_gives_no_path() {
    let options = all_paths(StrategyKind::Interleaved, false);
    let own = own_paths(&options, &vec![(3, 1)]);
    let mut search = exploration(options);
    explore_some(&mut search, 3);
    search.keep_part(1, 2);
    for number in -3..4 {
        let inputs = ["a", "b", "c", "d"].map(|name| var(&mut search, name));
        let values = inputs.into_iter().enumerate().map(|(index, input)| {
            let Term::Var(variable) = *search.pool.get(input) else {
                panic!("not a variable")
            };
            (variable, Value::from(number * index as i64))
        });
        let seed = Model::from_iter(values.collect::<Vec<_>>());
        search.seed(seed);
    }
    let found: BTreeSet<_> = explore(&mut search, sorting)
        .iter()
        .map(decisions)
        .collect();
    assert_eq!(found, own.into_iter().collect());
}
