use super::*;
use crate::{DecisionKind, NodeId, PathTree, Site, SiteTable};
use pef_logic::{Model, TermPool};
use std::rc::Rc;

/// `count` decisions, each below the yes-arm of the one before, alternating two sites.
fn chain(count: usize) -> Vec<OpenBranch> {
    let mut sites = SiteTable::default();
    let mut pool = TermPool::new();
    let mut tree = PathTree::default();
    let truth = pool.bool(true);
    let witness = Rc::new(Model::default());
    let mut parent = None;
    (0..count)
        .map(|index| {
            let site = sites.intern(Site {
                file: "t.py".into(),
                line: (index % 2) as u32 + 1,
                column: 1,
                kind: DecisionKind::If,
                instruction: 0,
            });
            let decision = crate::Decision::binary(site, truth, truth, true);
            let node: NodeId = tree.grow(parent, &decision, &witness);
            parent = Some(BranchId {
                node,
                arm: ArmIndex::FIRST,
            });
            let id = BranchId {
                node,
                arm: ArmIndex::of_bool(false),
            };
            OpenBranch {
                id,
                place: Place {
                    site,
                    question: Question::default(),
                    arm: id.arm,
                },
                level: index as u32,
                last_resort: false,
            }
        })
        .collect()
}

fn order(kind: StrategyKind, branches: &[OpenBranch]) -> Vec<usize> {
    let mut strategy = kind.build(7);
    for &branch in branches {
        strategy.opened(branch);
    }
    let mut taken = Vec::new();
    while let Some(id) = strategy.next() {
        let position = branches.iter().position(|branch| branch.id == id);
        taken.push(position.expect("a branch that was opened"));
    }
    taken
}

#[test]
fn depth_first_takes_the_newest() {
    assert_eq!(order(StrategyKind::DepthFirst, &chain(4)), [3, 2, 1, 0]);
}

#[test]
fn breadth_first_takes_the_oldest() {
    assert_eq!(order(StrategyKind::BreadthFirst, &chain(4)), [0, 1, 2, 3]);
}

#[test]
fn random_takes_each_once_and_repeats_with_its_seed() {
    let branches = chain(9);
    let first = order(StrategyKind::Random, &branches);
    assert_eq!(first, order(StrategyKind::Random, &branches));
    let mut sorted = first;
    sorted.sort_unstable();
    assert_eq!(sorted, (0..9).collect::<Vec<_>>());
}

#[test]
fn uncovered_prefers_arms_no_run_took() {
    let branches = chain(4);
    let mut strategy = StrategyKind::Uncovered.build(0);
    for &branch in &branches {
        strategy.opened(branch);
    }
    strategy.covered(branches[0].place);
    assert_eq!(strategy.next(), Some(branches[1].id));
}

#[test]
fn interleaved_hands_out_every_branch() {
    let branches = chain(9);
    let mut strategy = StrategyKind::Interleaved.build(0);
    for &branch in &branches {
        strategy.opened(branch);
    }
    let mut handed: Vec<BranchId> = std::iter::from_fn(|| strategy.next()).collect();
    handed.sort_unstable();
    handed.dedup();
    assert_eq!(handed.len(), branches.len());
}

/// A loop: one site has opened a hundred branches, the other one.
fn lopsided() -> Vec<OpenBranch> {
    let chain = chain(200);
    let (many, few) = (chain[0].place, chain[1].place);
    let of = |place| chain.iter().filter(move |branch| branch.place == place);
    of(many).chain(of(few).take(1)).copied().collect()
}

#[test]
fn a_loop_does_not_starve_other_sites() {
    let branches = lopsided();
    let lonely = branches.last().expect("a branch").id;
    let mut strategy = StrategyKind::Interleaved.build(0);
    for &branch in &branches {
        strategy.opened(branch);
    }
    let early: Vec<_> = (0..6).filter_map(|_| strategy.next()).collect();
    assert!(early.contains(&lonely));
}

#[test]
fn places_nobody_reached_are_tried_more_often() {
    let branches = chain(40);
    let mut strategy = fair::Fair::new(fair::Width::Site);
    for &branch in &branches {
        strategy.opened(branch);
    }
    strategy.covered(branches[0].place);
    let early: Vec<_> = (0..10).filter_map(|_| strategy.next()).collect();
    let fresh = branches
        .iter()
        .filter(|branch| branch.place == branches[1].place);
    assert!(fresh.filter(|branch| early.contains(&branch.id)).count() > 5);
}

#[test]
fn last_resorts_wait_for_everything_else() {
    let mut branches = chain(3);
    branches[2].last_resort = true;
    assert_eq!(order(StrategyKind::DepthFirst, &branches), [1, 0, 2]);
}

#[test]
fn every_kind_is_found_by_its_name() {
    for kind in StrategyKind::ALL {
        assert_eq!(StrategyKind::parse(kind.name()), Some(kind));
    }
    assert_eq!(StrategyKind::parse("bogus"), None);
}
