//! What the parts of an open question say about each other.
//!
//! Each approximated operation alone knows little. Most contradictions between them are of few kinds: text that
//! contains `ab` contains `a`; the last unit is also the third if the length is three.

use super::lower::{Image, Lowering};
use super::mirror::{Mirror, Origin};
use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{Term, TermId, VarId};
use crate::text::{Text, Unit};
use crate::variables::VarSet;

/// Pairs of units that are linked.
const MAX_LINKS: usize = 600;

/// A text and what it is known to contain if a condition holds.
struct Holding {
    text: TermId,
    content: Text,
    condition: TermId,
    /// The condition holds exactly if the text contains the content.
    exactly: bool,
}

/// Statements that hold for every input.
pub(super) fn lemmas(
    outer: &TermPool,
    mirror: &mut Mirror,
    lowering: &Lowering,
    atoms: &[TermId],
    variables: &VarSet,
) -> Vec<TermId> {
    let mut lemmas = Vec::new();
    link_ends(outer, mirror, variables, &mut lemmas);
    let holdings = holdings(outer, mirror, lowering, atoms);
    for (place, part) in holdings.iter().enumerate() {
        if !part.exactly {
            continue;
        }
        for (other, whole) in holdings.iter().enumerate() {
            if other != place && whole.text == part.text && has(&whole.content, &part.content) {
                let absent = mirror.pool.not(whole.condition);
                lemmas.push(mirror.pool.or(absent, part.condition));
            }
        }
        units_contain(mirror, lowering, part, variables, &mut lemmas);
    }
    lemmas
}

fn has(whole: &Text, part: &Text) -> bool {
    whole.find(part, &crate::integer::Integer::ZERO) >= 0
}

fn holdings(
    outer: &TermPool,
    mirror: &mut Mirror,
    lowering: &Lowering,
    atoms: &[TermId],
) -> Vec<Holding> {
    let mut holdings = Vec::new();
    for &atom in atoms {
        let Term::Apply(op, operands) = outer.get(atom) else {
            continue;
        };
        let content = operands.get(1).and_then(|&operand| outer.as_text(operand));
        let (Some(content), Some(image)) = (content, lowering.plain(atom)) else {
            continue;
        };
        let (condition, exactly) = match op {
            Operation::Contains => (image, true),
            Operation::StartsWith | Operation::EndsWith | Operation::TextEq => (image, false),
            Operation::Find | Operation::RFind => {
                let zero = mirror.pool.small(0);
                let from_start = *op == Operation::Find
                    && outer
                        .as_int(operands[2])
                        .is_some_and(crate::integer::Integer::is_zero);
                (mirror.pool.le(zero, image), from_start)
            }
            _ => continue,
        };
        holdings.push(Holding {
            text: operands[0],
            content: content.clone(),
            condition,
            exactly,
        });
    }
    holdings
}

/// A single unit that is not contained is none of the units of the text.
fn units_contain(
    mirror: &mut Mirror,
    lowering: &Lowering,
    part: &Holding,
    variables: &VarSet,
    lemmas: &mut Vec<TermId>,
) {
    let &[unit] = part.content.units() else {
        return;
    };
    let Some(&Image::Window(window)) = lowering.image(part.text) else {
        return;
    };
    for variable in variables.iter() {
        let place = match mirror.origin(variable) {
            Origin::Unit(input, place) if input == window.input => {
                (place as usize).checked_sub(window.front)
            }
            Origin::UnitFromEnd(input, place) if input == window.input => {
                (place as usize).checked_sub(window.back)
            }
            _ => None,
        };
        let Some(place) = place else { continue };
        let needed = window.front + window.back + place + 1;
        let lemma = stands(mirror, window.input, variable, unit, needed);
        lemmas.extend(lemma.map(|absent| mirror.pool.or(absent, part.condition)));
    }
}

/// The unit is another one, or the text is too short to have it.
fn stands(
    mirror: &mut Mirror,
    input: VarId,
    variable: VarId,
    unit: Unit,
    needed: usize,
) -> Option<TermId> {
    let length = mirror.known(Origin::Length(input))?;
    let (unit, needed) = (
        mirror.pool.small(unit.into()),
        mirror.pool.small(needed as i64),
    );
    let term = mirror.pool.var_term(variable);
    let differs = mirror.pool.ne(term, unit);
    let short = mirror.pool.lt(length, needed);
    Some(mirror.pool.or(differs, short))
}

/// Units counted from the start and from the end are the same where they meet.
fn link_ends(outer: &TermPool, mirror: &mut Mirror, variables: &VarSet, lemmas: &mut Vec<TermId>) {
    let origins: Vec<(VarId, Origin)> = variables
        .iter()
        .map(|variable| (variable, mirror.origin(variable)))
        .collect();
    let mut links = 0;
    for &(last, origin) in &origins {
        let Origin::UnitFromEnd(input, back) = origin else {
            continue;
        };
        let length = mirror.variable(outer, Origin::Length(input));
        for &(first, origin) in &origins {
            match origin {
                Origin::Unit(other, front) if other == input && links < MAX_LINKS => {
                    links += 1;
                    let total = mirror.pool.small(i64::from(front) + i64::from(back) + 1);
                    let apart = mirror.pool.ne(length, total);
                    let (first, last) = (mirror.pool.var_term(first), mirror.pool.var_term(last));
                    let same = mirror.pool.eq(first, last);
                    lemmas.push(mirror.pool.or(apart, same));
                }
                Origin::Unit(..)
                | Origin::UnitFromEnd(..)
                | Origin::Input(_)
                | Origin::Length(_)
                | Origin::LengthOf(_)
                | Origin::Value(_) => {}
            }
        }
    }
}
