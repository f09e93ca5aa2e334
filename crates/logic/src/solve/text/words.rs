//! Refutes what regular languages exclude, whatever the length.
//!
//! `s.isdigit()` implies that `int(s)` works, for text of every length. Statements about one text that are
//! regular languages (patterns, prefixes, contents, single characters, lengths) are run side by side, as
//! sets of states. If no text leads to a place where all of them hold, there is none.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::alphabet::CharClass;
use crate::integer::Integer;
use crate::language::{Language, Pattern};
use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{Comparison, Term, TermId};
use crate::text::{Text, TextKind, Unit};

/// Sets of states visited for one text.
const MAX_VISITED: usize = 600;
/// Steps from a state with a unit, for one text.
const MAX_STEPS: usize = 400_000;
/// Positions and lengths beyond this are not spelled out as patterns.
const MAX_COUNT: i64 = 64;
/// Verdicts kept; beyond this all are dropped.
const MAX_KNOWN: usize = 20_000;

/// A statement about one text.
struct Claim {
    text: TermId,
    pattern: Pattern,
    /// Whether the text is in the language, or is not.
    inside: bool,
    /// Whether other layers do not understand the statement as well, even about an input.
    regular: bool,
}

/// Whether a text has to be in the language.
type Member = (Rc<Language>, bool);

/// Checks regular statements; remembers automata and verdicts.
#[derive(Debug, Default)]
pub(super) struct Words {
    claims: FxHashMap<TermId, Option<(TermId, Member, bool)>>,
    verdicts: FxHashMap<Vec<TermId>, bool>,
}

impl Words {
    /// Whether the statements about some text exclude each other.
    pub(super) fn refute(&mut self, pool: &TermPool, parts: &[TermId]) -> bool {
        let mut texts: Vec<(TermId, Vec<TermId>, bool)> = Vec::new();
        for &part in parts {
            let Some((text, _, regular)) = self.claim(pool, part) else {
                continue;
            };
            match texts.iter_mut().find(|known| known.0 == text) {
                Some(known) => {
                    known.1.push(part);
                    known.2 |= regular;
                }
                None => texts.push((text, vec![part], regular)),
            }
        }
        texts
            .into_iter()
            .filter(|(text, claims, regular)| {
                let computed = !matches!(pool.get(*text), Term::Var(_));
                claims.len() > 1 && (*regular || computed)
            })
            .any(|(text, claims, _)| self.excluded(pool, text, claims))
    }

    fn claim(&mut self, pool: &TermPool, part: TermId) -> Option<(TermId, Member, bool)> {
        let known = self.claims.entry(part).or_insert_with(|| {
            let claim = read(pool, part)?;
            let language = Rc::new(Language::new(claim.pattern)?);
            Some((claim.text, (language, claim.inside), claim.regular))
        });
        known.clone()
    }

    fn excluded(&mut self, pool: &TermPool, text: TermId, mut claims: Vec<TermId>) -> bool {
        claims.sort_unstable();
        claims.dedup();
        if let Some(&known) = self.verdicts.get(&claims) {
            return known;
        }
        let members: Vec<Member> = claims
            .iter()
            .filter_map(|&part| Some(self.claim(pool, part)?.1))
            .collect();
        let last = TextKind::of(pool.sort(text)).map_or(0, TextKind::last);
        let verdict = is_empty(&members, last);
        if self.verdicts.len() > MAX_KNOWN {
            self.verdicts.clear();
        }
        self.verdicts.insert(claims, verdict);
        verdict
    }
}

/// Whether no text is as all members demand; false if that takes too long to find out.
fn is_empty(members: &[Member], last: Unit) -> bool {
    let units = representatives(members, last);
    let start: Vec<Vec<u32>> = vec![vec![0]; members.len()];
    let mut visited: FxHashSet<Vec<Vec<u32>>> = FxHashSet::default();
    let mut pending = vec![start.clone()];
    visited.insert(start);
    let mut steps = 0;
    while let Some(states) = pending.pop() {
        let accepted = members
            .iter()
            .zip(&states)
            .all(|((language, inside), set)| {
                let accepts = set.iter().any(|&state| language.accepts_in(state as usize));
                accepts == *inside
            });
        if accepted {
            return false;
        }
        for &unit in &units {
            let mut next = Vec::with_capacity(states.len());
            for ((language, inside), set) in members.iter().zip(&states) {
                let reached = step(language, set, unit, &mut steps);
                if *inside && reached.is_empty() {
                    break;
                }
                next.push(reached);
            }
            if steps > MAX_STEPS || visited.len() > MAX_VISITED {
                return false;
            }
            if next.len() == members.len() && visited.insert(next.clone()) {
                pending.push(next);
            }
        }
    }
    true
}

fn step(language: &Language, set: &[u32], unit: Unit, steps: &mut usize) -> Vec<u32> {
    let mut reached: Vec<u32> = Vec::new();
    for &state in set {
        for &target in language.next(state as usize) {
            *steps += 1;
            if language.class(target as usize).contains(unit) {
                reached.push(target);
            }
        }
    }
    reached.sort_unstable();
    reached.dedup();
    reached
}

/// One unit of every kind that the classes distinguish.
fn representatives(members: &[Member], last: Unit) -> Vec<Unit> {
    let mut units = vec![0];
    for (language, _) in members {
        for state in 1..language.states() {
            for &(first, end) in language.class(state).ranges() {
                units.extend([first, end.saturating_add(1)]);
            }
        }
    }
    units.retain(|&unit| unit <= last);
    units.sort_unstable();
    units.dedup();
    units
}

fn any() -> Pattern {
    Pattern::Class(CharClass::new([(0, TextKind::Str.last())]))
}

fn repeat(body: Pattern, least: u32, most: Option<u32>) -> Pattern {
    Pattern::Repeat {
        body: Box::new(body),
        least,
        most,
    }
}

fn anything() -> Pattern {
    repeat(any(), 0, None)
}

fn literal(text: &Text) -> Pattern {
    let units = text.units().iter();
    Pattern::Sequence(
        units
            .map(|&unit| Pattern::Class(CharClass::single(unit)))
            .collect(),
    )
}

/// The statement a constraint makes, if it is a regular one about one text.
fn read(pool: &TermPool, part: TermId) -> Option<Claim> {
    match pool.get(part) {
        Term::Not(inner) => {
            let claim = read(pool, *inner)?;
            Some(Claim {
                inside: !claim.inside,
                ..claim
            })
        }
        Term::Apply(op, operands) => {
            let constant = || pool.as_text(*operands.get(1)?);
            let (pattern, regular) = match op {
                Operation::Matches(language) => (pool.language(*language).pattern().clone(), true),
                Operation::TextEq => (literal(constant()?), false),
                Operation::StartsWith => {
                    let parts = vec![literal(constant()?), anything()];
                    (Pattern::Sequence(parts), false)
                }
                Operation::EndsWith => {
                    let parts = vec![anything(), literal(constant()?)];
                    (Pattern::Sequence(parts), false)
                }
                Operation::Contains => (containing(constant()?), false),
                Operation::InClass(class) => {
                    let class = pool.class(*class).clone();
                    return at(pool, operands[0], Pattern::Class(class));
                }
                _ => return None,
            };
            Some(Claim {
                text: operands[0],
                pattern,
                inside: true,
                regular,
            })
        }
        Term::Compare(op, left, right) => comparison(pool, *op, *left, *right),
        _ => None,
    }
}

fn containing(needle: &Text) -> Pattern {
    Pattern::Sequence(vec![anything(), literal(needle), anything()])
}

/// A text whose unit at a constant position is of a pattern.
fn at(pool: &TermPool, code: TermId, unit: Pattern) -> Option<Claim> {
    let Term::Apply(Operation::At, operands) = pool.get(code) else {
        return None;
    };
    let place = small(pool, operands[1])?;
    Some(Claim {
        text: operands[0],
        pattern: Pattern::Sequence(vec![repeat(any(), place, Some(place)), unit, anything()]),
        inside: true,
        regular: false,
    })
}

fn small(pool: &TermPool, term: TermId) -> Option<u32> {
    let value = pool.as_int(term)?.to_i64()?;
    (0..=MAX_COUNT).contains(&value).then_some(value as u32)
}

fn comparison(pool: &TermPool, op: Comparison, left: TermId, right: TermId) -> Option<Claim> {
    match (pool.get(left), pool.get(right)) {
        (Term::Apply(Operation::Length, text), Term::Int(_)) => {
            lengths(text[0], op, small(pool, right)?, Side::Right)
        }
        (Term::Int(_), Term::Apply(Operation::Length, text)) => {
            lengths(text[0], op, small(pool, left)?, Side::Left)
        }
        (Term::Apply(Operation::At, _), Term::Int(_)) if op == Comparison::Eq => {
            let unit = Unit::try_from(pool.as_int(right)?.to_i64()?).ok()?;
            at(pool, left, Pattern::Class(CharClass::single(unit)))
        }
        (Term::Apply(Operation::Find, find), Term::Int(bound)) => {
            let absent = match op {
                Comparison::Eq | Comparison::Le => Integer::Small(-1),
                Comparison::Lt => Integer::ZERO,
            };
            (*bound == absent).then_some(())?;
            found(pool, find, false)
        }
        (Term::Int(bound), Term::Apply(Operation::Find, find)) => {
            (op == Comparison::Le && bound.is_zero()).then_some(())?;
            found(pool, find, true)
        }
        (Term::Apply(a, first), Term::Apply(b, second)) if first[0] == second[0] => {
            let (class, inside) = match (a, op, b) {
                (Operation::Span(class), Comparison::Eq, Operation::Length)
                | (Operation::Length, Comparison::Eq | Comparison::Le, Operation::Span(class)) => {
                    (class, true)
                }
                (Operation::Span(class), Comparison::Lt, Operation::Length) => (class, false),
                _ => return None,
            };
            Some(Claim {
                text: first[0],
                pattern: repeat(Pattern::Class(pool.class(*class).clone()), 0, None),
                inside,
                regular: true,
            })
        }
        _ => None,
    }
}

fn found(pool: &TermPool, find: &[TermId], inside: bool) -> Option<Claim> {
    pool.as_int(find[2]).filter(|start| start.is_zero())?;
    Some(Claim {
        text: find[0],
        pattern: containing(pool.as_text(find[1])?),
        inside,
        regular: false,
    })
}

/// The side of the comparison on which the constant stands.
enum Side {
    Left,
    Right,
}

fn lengths(text: TermId, op: Comparison, bound: u32, side: Side) -> Option<Claim> {
    let (least, most) = match (op, side) {
        (Comparison::Eq, _) => (bound, Some(bound)),
        (Comparison::Le, Side::Right) => (0, Some(bound)),
        (Comparison::Lt, Side::Right) => (0, Some(bound.checked_sub(1)?)),
        (Comparison::Le, Side::Left) => (bound, None),
        (Comparison::Lt, Side::Left) => (bound + 1, None),
    };
    Some(Claim {
        text,
        pattern: repeat(any(), least, most),
        inside: true,
        regular: false,
    })
}
