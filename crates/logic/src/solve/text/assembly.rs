//! The parts of a question in the mirror.
//!
//! Constraints come with facts, restrictions and the bounds of their variables; here they become one list,
//! in an order that stays the same from query to query so that incremental solvers profit.

use rustc_hash::FxHashSet;

use super::lower::{Scope, Setting};
use super::mirror::{Mirror, Origin};
use super::tables::LAST_ASCII;
use crate::pool::TermPool;
use crate::term::{BinaryOp, TermId, VarId};
use crate::value::Model;
use crate::variables::VarSet;

/// A question in the mirror.
pub(super) struct Lowered {
    pub(super) path: Vec<TermId>,
    pub(super) goal: TermId,
    pub(super) hint: Model,
    pub(super) variables: VarSet,
    /// What the constraints say that are right without restrictions, if there are any of those.
    pub(super) unrestricted: Vec<TermId>,
    pub(super) restrictions: Vec<TermId>,
    pub(super) bulky: bool,
}

impl Lowered {
    /// Whether units were left out.
    pub(super) fn is_clipped(&self, setting: &Setting) -> bool {
        self.bulky && setting.alphabet == Scope::Narrow
    }

    /// The next setting that leaves out less.
    pub(super) fn wider(&self, setting: &Setting) -> Option<Setting> {
        let mut wider = setting.clone();
        if self.is_clipped(setting) {
            wider.alphabet = Scope::Wide;
        } else if !self.restrictions.is_empty() && setting.digits == Scope::Narrow {
            wider.digits = Scope::Wide;
        } else {
            return None;
        }
        Some(wider)
    }
}

/// Collects the parts of a lowered question, each once, with what is known of their variables.
#[derive(Default)]
pub(super) struct Assembly {
    pub(super) parts: Vec<TermId>,
    pub(super) seen: FxHashSet<TermId>,
    pub(super) variables: VarSet,
}

impl Assembly {
    pub(super) fn add(&mut self, mirror: &Mirror, part: TermId) {
        if mirror.pool.as_bool(part) == Some(true) || !self.seen.insert(part) {
            return;
        }
        let vars = mirror.pool.vars(part);
        if !vars.is_subset(&self.variables) {
            for variable in vars.iter() {
                if !self.variables.contains(variable) {
                    self.variables.insert(variable);
                    for &bound in mirror.bounds(variable) {
                        if self.seen.insert(bound) {
                            self.parts.push(bound);
                        }
                    }
                }
            }
        }
        self.parts.push(part);
    }

    /// All units are ASCII.
    pub(super) fn plain_units(&mut self, mirror: &mut Mirror) {
        let last = mirror.pool.small(LAST_ASCII.into());
        let units: Vec<VarId> = self.variables.iter().collect();
        for variable in units {
            match mirror.origin(variable) {
                Origin::Unit(..) | Origin::UnitFromEnd(..) => {
                    let unit = mirror.pool.var_term(variable);
                    let plain = mirror.pool.le(unit, last);
                    self.add(mirror, plain);
                }
                Origin::Input(_) | Origin::Length(_) | Origin::LengthOf(_) | Origin::Value(_) => {}
            }
        }
    }
}

/// All text together is at most this long.
pub(super) fn at_most(
    pool: &TermPool,
    mirror: &mut Mirror,
    inputs: &[VarId],
    total: usize,
) -> TermId {
    let mut sum = mirror.pool.small(0);
    for &input in inputs {
        let length = mirror.variable(pool, Origin::Length(input));
        sum = mirror.pool.binary(BinaryOp::Add, sum, length);
    }
    let total = mirror.pool.small(total as i64);
    mirror.pool.le(sum, total)
}

/// Not exactly these lengths.
pub(super) fn exclusion(
    pool: &TermPool,
    mirror: &mut Mirror,
    lengths: &[(VarId, usize)],
    pinned: &[(VarId, usize)],
) -> TermId {
    let mut other = mirror.pool.bool(false);
    for &(input, length) in lengths.iter().filter(|length| !pinned.contains(length)) {
        let variable = mirror.variable(pool, Origin::Length(input));
        let length = mirror.pool.small(length as i64);
        let differs = mirror.pool.ne(variable, length);
        other = mirror.pool.or(other, differs);
    }
    other
}
