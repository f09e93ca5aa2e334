//! An original question, and what it says about lengths before anything is lowered.

use std::time::Instant;

use super::mirror::text_of;
use crate::operation::Operation;
use crate::pool::TermPool;
use crate::solve::z3::remaining;
use crate::solve::{Budget, Query};
use crate::term::{Comparison, Term, TermId, VarId};
use crate::text::TextKind;
use crate::value::Model;
use crate::variables::VarSet;

/// How much longer than the hint text may be at first, and before there is no limit.
const FIRST_CAP: usize = 4;
const LAST_CAP: usize = 100;
/// Longer text is not taken apart into units.
pub(super) const MAX_LENGTH: usize = 2_000;

/// One original question.
pub(super) struct Question<'a> {
    pub(super) query: Query<'a>,
    pub(super) inputs: Vec<VarId>,
    /// Lengths that the question states.
    pub(super) pinned: Vec<(VarId, usize)>,
    pub(super) start: Instant,
    pub(super) budget: Budget,
    pub(super) excluded: Vec<Vec<(VarId, usize)>>,
    /// The length of all text in the hint.
    pub(super) usual: usize,
    pub(super) cap: Cap,
}

/// How long all text together may be. Solvers of numbers propose any length; people prefer short text, and
/// it is quicker to take apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cap {
    /// Nothing is known about the question yet.
    Unset,
    /// So much longer than the hint.
    Above(usize),
    /// Short text does not do.
    Lifted,
}

impl Question<'_> {
    pub(super) fn budget(&self) -> Option<Budget> {
        remaining(&self.budget, self.start.elapsed())
    }

    /// Asks for shorter text than was proposed, if it is long; tells whether it does.
    pub(super) fn set_cap(&mut self, proposed: &[(VarId, usize)]) -> bool {
        let total: usize = proposed.iter().map(|(_, length)| length).sum();
        let long = self.cap == Cap::Unset && total > self.usual + FIRST_CAP;
        if long {
            self.cap = Cap::Above(FIRST_CAP);
        }
        long
    }

    /// Allows longer text; tells whether shorter text was asked for before.
    pub(super) fn raise_cap(&mut self) -> bool {
        match self.cap {
            Cap::Above(more) if more < LAST_CAP => self.cap = Cap::Above(more * 3),
            Cap::Above(_) => self.cap = Cap::Lifted,
            Cap::Unset | Cap::Lifted => return false,
        }
        true
    }
}

/// The text inputs a question is about.
pub(super) fn text_inputs(pool: &TermPool, query: &Query<'_>) -> Vec<VarId> {
    let mut variables = VarSet::new();
    for &part in query.path.iter().chain([&query.goal]) {
        variables.extend(pool.vars(part));
    }
    variables
        .iter()
        .filter(|&variable| TextKind::of(pool.var_sort(variable)).is_some())
        .collect()
}

/// The lengths that the question states, ascending by input.
pub(super) fn pinned_lengths(pool: &TermPool, parts: &[TermId]) -> Vec<(VarId, usize)> {
    let mut pinned: Vec<(VarId, usize)> = parts
        .iter()
        .filter_map(|&part| pinned_length(pool, part))
        .collect();
    pinned.sort_unstable();
    pinned.dedup_by_key(|pin| pin.0);
    pinned
}

fn pinned_length(pool: &TermPool, part: TermId) -> Option<(VarId, usize)> {
    let (text, length) = match pool.get(part) {
        Term::Apply(Operation::TextEq, operands) => (operands[0], pool.as_text(operands[1])?.len()),
        Term::Compare(Comparison::Eq, left, right) => match pool.get(*left) {
            Term::Apply(Operation::Length, operands) => {
                let length = pool.as_int(*right)?.to_i64()?;
                (operands[0], usize::try_from(length).ok()?)
            }
            _ => return None,
        },
        _ => return None,
    };
    match *pool.get(text) {
        Term::Var(variable) if length <= MAX_LENGTH => Some((variable, length)),
        _ => None,
    }
}

pub(super) fn hinted_lengths(
    pool: &TermPool,
    hint: &Model,
    inputs: &[VarId],
) -> Vec<(VarId, usize)> {
    let length = |&input: &VarId| (input, text_of(pool, hint, input).len());
    inputs.iter().map(length).collect()
}
