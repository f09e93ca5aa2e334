//! What a decision asks, apart from where in the input it looks.
//!
//! One call of a library function may ask many different questions at one site: which of a hundred
//! alternatives of a pattern, which of forty words. A search that knows only the site takes them for one.

use std::hash::{Hash, Hasher};

use pef_logic::{Operation, Term, TermId, TermPool};
use rustc_hash::FxHasher;

/// Names a kind of question: constants and operations of a condition, without positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Question(u32);

/// Parts of a condition that are looked at.
const MAX_PARTS: usize = 24;

impl Question {
    /// The kind of a condition.
    pub fn of(pool: &TermPool, condition: TermId) -> Question {
        let mut hasher = FxHasher::default();
        let mut pending = vec![condition];
        let mut parts = 0;
        while let Some(term) = pending.pop() {
            parts += 1;
            if parts > MAX_PARTS {
                break;
            }
            match pool.get(term) {
                Term::Not(inner) => pending.push(*inner),
                Term::And(a, b) | Term::Or(a, b) | Term::Iff(a, b) => pending.extend([*a, *b]),
                Term::Compare(comparison, a, b) => {
                    comparison.hash(&mut hasher);
                    hash_operand(pool, *a, &mut hasher);
                    hash_operand(pool, *b, &mut hasher);
                    if is_unit(pool, *a) || is_unit(pool, *b) {
                        hash_number(pool, *a, &mut hasher);
                        hash_number(pool, *b, &mut hasher);
                    }
                }
                Term::Apply(operation, operands) => {
                    operation.hash(&mut hasher);
                    for &operand in operands {
                        hash_operand(pool, operand, &mut hasher);
                    }
                }
                other => std::mem::discriminant(other).hash(&mut hasher),
            }
        }
        Question((hasher.finish() >> 16) as u32)
    }
}

/// Constants of text and floats count, and which operation it is; numbers do not: they are mostly positions.
fn hash_operand(pool: &TermPool, term: TermId, hasher: &mut FxHasher) {
    match pool.get(term) {
        Term::Text(text) => text.hash(hasher),
        Term::Float(float) => float.hash(hasher),
        Term::Apply(operation, _) => std::mem::discriminant(operation).hash(hasher),
        other => std::mem::discriminant(other).hash(hasher),
    }
}

fn hash_number(pool: &TermPool, term: TermId, hasher: &mut FxHasher) {
    if let Term::Int(number) = pool.get(term) {
        number.hash(hasher);
    }
}

/// Whether a number is a character: what it is compared with says what is asked.
fn is_unit(pool: &TermPool, term: TermId) -> bool {
    matches!(
        pool.get(term),
        Term::Apply(Operation::At | Operation::MapCode(_), _)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use pef_logic::Sort;

    #[test]
    fn positions_do_not_matter() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::Int);
        let (three, four) = (pool.small(3), pool.small(4));
        let (first, second) = (pool.lt(x, three), pool.lt(x, four));
        assert_eq!(Question::of(&pool, first), Question::of(&pool, second));
    }

    #[test]
    fn both_answers_belong_to_one_question() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("x", Sort::Int), pool.variable("y", Sort::Int));
        let yes = pool.eq(x, y);
        let no = pool.not(yes);
        assert_eq!(Question::of(&pool, yes), Question::of(&pool, no));
    }

    #[test]
    fn comparisons_differ() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("x", Sort::Int), pool.variable("y", Sort::Int));
        let (equal, less) = (pool.eq(x, y), pool.lt(x, y));
        assert_ne!(Question::of(&pool, equal), Question::of(&pool, less));
    }
}
