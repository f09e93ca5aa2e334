//! Explorations of small "programs" written against the public interface: closures that
//! make decisions from their inputs, as the executor would.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod programs;

use pef_explore::{
    Budget, Decision, DecisionKind, Ending, Exploration, OpenReason, Options, PinReason, Stop,
    StrategyKind,
};
use pef_logic::{Integer, Model, Term, Value};
use programs::{exploration, explore, less, site, value, var};
use std::time::Duration;

fn two_tests(search: &mut Exploration, model: &Model) -> Result<Ending, Stop> {
    let (x, y) = (var(search, "x"), var(search, "y"));
    let five = search.pool.small(5);
    let (a, b) = (value(search, model, x), value(search, model, y));
    less(search, 1, (five, 5), (x, a))?;
    less(search, 2, (five, 5), (y, b))?;
    Ok(Ending::Returned)
}

fn counting(search: &mut Exploration, model: &Model) -> Result<Ending, Stop> {
    let x = var(search, "x");
    let a = value(search, model, x);
    let mut count = 0;
    loop {
        let bound = search.pool.small(count);
        if !less(search, 1, (bound, count), (x, a))? {
            return Ok(Ending::Returned);
        }
        count += 1;
    }
}

fn forced_again(search: &mut Exploration, model: &Model) -> Result<Ending, Stop> {
    let x = var(search, "x");
    let a = value(search, model, x);
    let (three, five) = (search.pool.small(3), search.pool.small(5));
    if less(search, 1, (five, 5), (x, a))? {
        less(search, 2, (three, 3), (x, a))?;
    }
    Ok(Ending::Returned)
}

fn with_depth(depth: u32) -> Options {
    Options {
        budget: Budget {
            depth: Some(depth),
            ..Budget::default()
        },
        ..Options::default()
    }
}

#[test]
fn independent_tests_give_every_combination_true_first() {
    let mut search = exploration(Options::default());
    let paths = explore(&mut search, two_tests);
    let taken: Vec<Vec<usize>> = paths
        .iter()
        .map(|path| {
            path.decisions
                .iter()
                .map(|decision| decision.taken.index())
                .collect()
        })
        .collect();
    assert_eq!(taken, [[0, 0], [0, 1], [1, 0], [1, 1]]);
    assert!(search.is_exhaustive());
    assert_eq!(search.totals().depth, 2);
}

#[test]
fn every_strategy_finds_the_same_paths() {
    for strategy in StrategyKind::ALL {
        for eager in [true, false] {
            let mut search = exploration(Options {
                strategy,
                eager,
                ..Options::default()
            });
            let mut taken: Vec<Vec<usize>> = explore(&mut search, two_tests)
                .iter()
                .map(|path| path.decisions.iter().map(|d| d.taken.index()).collect())
                .collect();
            taken.sort();
            assert_eq!(
                taken,
                [[0, 0], [0, 1], [1, 0], [1, 1]],
                "{}",
                strategy.name()
            );
            assert!(search.is_exhaustive(), "{}", strategy.name());
        }
    }
}

#[test]
fn a_loop_is_pruned_at_the_depth_limit() {
    let mut search = exploration(with_depth(4));
    let paths = explore(&mut search, counting);
    assert_eq!(
        (paths.len(), search.totals().depth, search.totals().pruned),
        (5, 4, 1)
    );
    assert!(!search.is_exhaustive());
    let reasons: Vec<_> = search
        .open()
        .iter()
        .map(|(reason, _)| reason.clone())
        .collect();
    assert_eq!(reasons, [OpenReason::DepthLimit]);
}

#[test]
fn a_forced_decision_costs_no_depth() {
    let mut search = exploration(with_depth(1));
    let paths = explore(&mut search, forced_again);
    assert_eq!((paths.len(), search.totals().pruned), (2, 0));
    let free: Vec<bool> = paths[0]
        .decisions
        .iter()
        .map(|decision| decision.free)
        .collect();
    assert_eq!(free, [true, false]);
    assert!(search.is_exhaustive());
}

#[test]
fn the_path_limit_is_reported_only_if_something_is_left() {
    let limited = |paths| Options {
        budget: Budget {
            paths: Some(paths),
            ..Budget::default()
        },
        ..Options::default()
    };
    let mut search = exploration(limited(4));
    assert_eq!(explore(&mut search, two_tests).len(), 4);
    assert!(search.is_exhaustive());
    let mut search = exploration(limited(3));
    assert_eq!(explore(&mut search, two_tests).len(), 3);
    let reasons: Vec<_> = search
        .open()
        .iter()
        .map(|(reason, _)| reason.clone())
        .collect();
    assert_eq!(reasons, [OpenReason::PathLimit]);
}

#[test]
fn the_time_limit_ends_the_search() {
    let budget = Budget {
        wall: Some(Duration::ZERO),
        ..Budget::default()
    };
    let mut search = exploration(Options {
        budget,
        ..Options::default()
    });
    assert!(explore(&mut search, two_tests).is_empty());
    assert!(!search.is_exhaustive());
}

#[test]
fn an_excluded_run_is_no_path() {
    fn excluded(search: &mut Exploration, model: &Model) -> Result<Ending, Stop> {
        let x = var(search, "x");
        let a = value(search, model, x);
        let five = search.pool.small(5);
        if less(search, 1, (five, 5), (x, a))? {
            return Ok(Ending::Returned);
        }
        Ok(Ending::Excluded)
    }
    let mut search = exploration(Options::default());
    assert_eq!(explore(&mut search, excluded).len(), 1);
    assert_eq!(search.totals().paths, 1);
}

#[test]
fn a_program_that_changes_its_mind_is_noticed() {
    fn moody(search: &mut Exploration, model: &Model) -> Result<Ending, Stop> {
        let x = var(search, "x");
        let a = value(search, model, x);
        let limit = i64::try_from(search.totals().runs).expect("few runs");
        let bound = search.pool.small(limit);
        less(search, 1, (bound, limit), (x, a))?;
        Ok(Ending::Returned)
    }
    let mut search = exploration(Options::default());
    explore(&mut search, moody);
    assert!(search.totals().diverged > 0);
    assert!(!search.is_exhaustive());
    assert!(
        search
            .open()
            .iter()
            .any(|(reason, _)| matches!(reason, OpenReason::Diverged(_)))
    );
}

fn pinned(search: &mut Exploration, model: &Model) -> Result<Ending, Stop> {
    let x = var(search, "x");
    let a = value(search, model, x);
    let place = site(search, 1, DecisionKind::Pin(PinReason::Operation("hash()")));
    let constant = search.pool.small(a);
    let same = search.pool.eq(x, constant);
    let other = search.pool.not(same);
    search.pin(place, same, other)?;
    Ok(Ending::Returned)
}

#[test]
fn a_pinned_value_is_sampled_and_stays_open() {
    let mut search = exploration(Options::default());
    let paths = explore(&mut search, pinned);
    let mut seen: Vec<i64> = Vec::new();
    let x = var(&mut search, "x");
    for path in &paths {
        seen.push(value(&search, &path.model, x));
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(
        seen.len(),
        5,
        "the first value and four samples, all different"
    );
    assert!(!search.is_exhaustive());
    assert!(
        search
            .open()
            .iter()
            .all(|(reason, _)| matches!(reason, OpenReason::Pinned(..)))
    );
    assert_eq!(search.totals().diverged, 0);
}

#[test]
fn a_pin_that_loses_nothing_leaves_nothing_open() {
    fn decided_before(search: &mut Exploration, model: &Model) -> Result<Ending, Stop> {
        let x = var(search, "x");
        let a = value(search, model, x);
        let place = site(search, 7, DecisionKind::If);
        let three = search.pool.int(Integer::from(3));
        let yes = search.pool.eq(x, three);
        let no = search.pool.not(yes);
        search.decide(&Decision::binary(place, yes, no, a == 3))?;
        if a == 3 {
            return pinned(search, model);
        }
        Ok(Ending::Returned)
    }
    let mut search = exploration(Options::default());
    assert_eq!(explore(&mut search, decided_before).len(), 2);
    assert!(search.is_exhaustive());
}

#[test]
fn shapes_are_chosen_one_after_the_other() {
    fn shaped(search: &mut Exploration, _: &Model) -> Result<Ending, Stop> {
        let first = site(search, 1, DecisionKind::InputShape);
        let second = site(search, 2, DecisionKind::InputShape);
        search.choose(first, 2, 0)?;
        search.choose(second, 3, 0)?;
        Ok(Ending::Returned)
    }
    let mut search = exploration(with_depth(0));
    let paths = explore(&mut search, shaped);
    assert_eq!(paths.len(), 6);
    assert_eq!(search.totals().depth, 0);
    assert!(search.is_exhaustive());
}

fn lazily(strategy: StrategyKind) -> Options {
    Options {
        budget: Budget {
            depth: None,
            ..Budget::default()
        },
        strategy,
        eager: false,
        ..Options::default()
    }
}

#[test]
fn a_lazy_search_finds_the_same_paths() {
    for strategy in StrategyKind::ALL {
        let mut eager = exploration(Options {
            strategy,
            ..Options::default()
        });
        let mut lazy = exploration(lazily(strategy));
        let paths = explore(&mut lazy, two_tests).len();
        assert_eq!(explore(&mut eager, two_tests).len(), paths);
        assert!(lazy.is_exhaustive());
    }
}

fn seeded(search: &mut Exploration, number: i64) {
    let x = var(search, "x");
    let Term::Var(variable) = *search.pool.get(x) else {
        panic!("not a variable")
    };
    search.seed(Model::from_iter([(variable, Value::from(number))]));
}

#[test]
fn a_seed_runs_before_what_the_solver_finds() {
    let mut search = exploration(lazily(StrategyKind::Interleaved));
    seeded(&mut search, 77);
    let x = var(&mut search, "x");
    let mut inputs = Vec::new();
    while let Some(model) = search.next_run() {
        inputs.push(value(&search, &model, x));
        let ending = two_tests(&mut search, &model).unwrap_or(Ending::Stopped);
        search.end_run(ending);
    }
    assert_eq!(inputs[1], 77);
    assert!(search.is_exhaustive());
}

#[test]
fn a_seed_on_a_known_path_gives_no_second_path() {
    let mut search = exploration(lazily(StrategyKind::Interleaved));
    let without = explore(
        &mut exploration(lazily(StrategyKind::Interleaved)),
        two_tests,
    )
    .len();
    for _ in 0..3 {
        seeded(&mut search, 77);
    }
    assert_eq!(explore(&mut search, two_tests).len(), without);
}

#[test]
fn a_search_that_pauses_goes_on_where_it_was() {
    let mut search = exploration(lazily(StrategyKind::Interleaved));
    search.pause_after(Some(Duration::ZERO));
    let mut paths = explore(&mut search, two_tests);
    assert_eq!(paths.len(), 1, "what needs no question is no pause");
    assert!(search.is_paused());
    assert!(!search.is_exhaustive());
    search.pause_after(None);
    assert!(!search.is_paused());
    paths.extend(explore(&mut search, two_tests));
    assert_eq!(paths.len(), 4);
    assert!(search.is_exhaustive());
}

#[test]
fn a_search_that_is_over_does_not_pause() {
    let mut search = exploration(lazily(StrategyKind::Interleaved));
    assert_eq!(explore(&mut search, two_tests).len(), 4);
    search.pause_after(Some(Duration::ZERO));
    assert!(search.next_run().is_none());
    assert!(!search.is_paused());
    assert!(search.is_exhaustive());
}
