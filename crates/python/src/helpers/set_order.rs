//! The order of a set of integers, as a condition.
//!
//! A set is iterated in the order of its table. An integer that collides with no other stands at its
//! value modulo the size of the table, so an order can be told without fixing a value. Of anything else
//! (text, integers that collide) the hash would have to be known: that pins.

use pef_logic::{BinaryOp, Integer, Sort, TermId, TermPool, Value};
use pyo3::ffi;

use crate::boundary::{Obj, Raised};
use crate::recorder;
use crate::values::{lift, operation};

/// Integers of this size and above are not their own hash.
const MODULUS: i64 = (1 << 61) - 1;

/// More items make a condition longer than it is worth.
const MOST_ITEMS: usize = 12;

/// Fixes that the items of a set come in the order given, which is the present one; false if that cannot
/// be told without fixing the items.
pub(super) fn fix(set: Obj, items: &[Obj]) -> Result<bool, Raised> {
    // SAFETY: a live set; our types have the layout of their base.
    let mask = unsafe { (*set.cast::<ffi::PySetObject>()).mask } as i64;
    if items.len() > MOST_ITEMS || !is_by_place(items, mask) {
        return Ok(false);
    }
    let Some(terms) = items
        .iter()
        .map(|&item| lift::term(item))
        .collect::<Option<Vec<_>>>()
    else {
        return Ok(false);
    };
    let condition = recorder::build(|pool| {
        terms
            .iter()
            .all(|&term| pool.sort(term) == Sort::Int)
            .then(|| in_order(pool, &terms, mask))
    });
    match condition.flatten() {
        None => Ok(false),
        Some(condition) => recorder::pin(condition, operation("order of a set")).map(|()| true),
    }
}

/// Whether the items are integers that stand at their own places, one after the other.
fn is_by_place(items: &[Obj], mask: i64) -> bool {
    let mut last = None;
    items.iter().all(|&item| match lift::value(item) {
        Some(Value::Int(Integer::Small(value))) => {
            let place = Some(value & mask);
            let follows = place > last;
            last = place;
            follows && value > -MODULUS && value < MODULUS && value != -1
        }
        _ => false,
    })
}

fn in_order(pool: &mut TermPool, terms: &[TermId], mask: i64) -> TermId {
    let size = pool.int(mask + 1);
    let (low, high, minus_one) = (pool.int(-MODULUS), pool.int(MODULUS), pool.int(-1));
    let mut condition = pool.bool(true);
    let mut last: Option<TermId> = None;
    for &term in terms {
        let place = pool.binary(BinaryOp::Mod, term, size);
        let special = pool.eq(term, minus_one);
        let parts = [
            pool.lt(low, term),
            pool.lt(term, high),
            pool.not(special),
            match last {
                None => pool.bool(true),
                Some(last) => pool.lt(last, place),
            },
        ];
        for part in parts {
            condition = pool.and(condition, part);
        }
        last = Some(place);
    }
    condition
}
