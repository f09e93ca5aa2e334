//! The order of a set, as a condition on its items.
//!
//! A set is iterated in the order of its table. An integer that collides with no other stands at its
//! value modulo the size of the table, so an order of integers can be told without fixing one of them. Of
//! anything else the hash would have to be known: that fixes all items. In one decision, either way: what is
//! asked at a place must not depend on what earlier runs saw there.

use pef_logic::{BinaryOp, Integer, TermId, TermPool, Value};
use pyo3::ffi;

use crate::boundary::{Obj, Raised};
use crate::recorder;
use crate::values::{lift, operation};

/// Integers of this size and above are not their own hash.
const MODULUS: i64 = (1 << 61) - 1;

/// More items make a condition longer than it is worth.
const MOST_ITEMS: usize = 12;

/// Fixes that the items of a set come in the order given, which is the present one; false if they are
/// neither numbers nor text.
pub(super) fn fix(set: Obj, items: &[Obj]) -> Result<bool, Raised> {
    // SAFETY: a live set; our types have the layout of their base.
    let mask = unsafe { (*set.cast::<ffi::PySetObject>()).mask } as i64;
    let mut known = Vec::with_capacity(items.len());
    for &item in items {
        match (lift::term(item), lift::value(item)) {
            (Some(term), Some(value)) => known.push((term, value)),
            _ => return Ok(false),
        }
    }
    let by_place = known.len() <= MOST_ITEMS && is_by_place(&known, mask);
    let condition = recorder::build(|pool| {
        if by_place {
            in_order(pool, &known, mask)
        } else {
            these(pool, &known)
        }
    });
    condition.map_or(Ok(()), |condition| {
        recorder::pin(condition, operation("order of a set"))
    })?;
    Ok(true)
}

/// Whether the items are integers that stand at their own places, one after the other.
fn is_by_place(items: &[(TermId, Value)], mask: i64) -> bool {
    let mut last = None;
    items.iter().all(|(_, value)| match value {
        Value::Int(Integer::Small(value)) => {
            let place = Some(value & mask);
            let follows = place > last;
            last = place;
            follows && value.abs() < MODULUS && *value != -1
        }
        _ => false,
    })
}

/// The hash of -1 is another one; that of huge integers too, but those are nobody's input.
fn in_order(pool: &mut TermPool, items: &[(TermId, Value)], mask: i64) -> TermId {
    let (size, minus_one) = (pool.int(mask + 1), pool.int(-1));
    let mut condition = pool.bool(true);
    let mut last: Option<TermId> = None;
    for &(term, _) in items {
        let special = pool.eq(term, minus_one);
        let usual = pool.not(special);
        condition = pool.and(condition, usual);
        let place = pool.binary(BinaryOp::Mod, term, size);
        if let Some(last) = last {
            let follows = pool.lt(last, place);
            condition = pool.and(condition, follows);
        }
        last = Some(place);
    }
    condition
}

fn these(pool: &mut TermPool, items: &[(TermId, Value)]) -> TermId {
    let mut condition = pool.bool(true);
    for (term, value) in items {
        let constant = pool.constant(value);
        let same = pool.same(*term, constant);
        condition = pool.and(condition, same);
    }
    condition
}
