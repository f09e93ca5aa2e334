//! Recognises difference constraints.

use crate::integer::Integer;
use crate::pool::TermPool;
use crate::term::{BinaryOp, Comparison, Term, TermId, UnaryOp, VarId};

/// Sums with more parts than this are not looked at.
const MAX_PARTS: usize = 12;

/// One side of a difference: a variable, or the number zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Zero,
    Variable(VarId),
}

/// What a constraint says, with `left - right` on one side and a number on the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    AtMost {
        left: Side,
        right: Side,
        distance: i64,
    },
    Equal {
        left: Side,
        right: Side,
        distance: i64,
    },
    Differs {
        left: Side,
        right: Side,
        distance: i64,
    },
    Other,
}

impl Shape {
    pub(super) fn of(pool: &TermPool, term: TermId) -> Shape {
        Self::recognise(pool, term).unwrap_or(Shape::Other)
    }

    fn recognise(pool: &TermPool, term: TermId) -> Option<Shape> {
        match *pool.get(term) {
            Term::Compare(op, a, b) => {
                let (left, right, constant) = difference(pool, a, b)?;
                let strict = i64::from(op == Comparison::Lt);
                // left - right + constant <op> 0
                let distance = constant.to_i64()?.checked_neg()?.checked_sub(strict)?;
                Some(match op {
                    Comparison::Eq => Shape::Equal {
                        left,
                        right,
                        distance,
                    },
                    Comparison::Lt | Comparison::Le => Shape::AtMost {
                        left,
                        right,
                        distance,
                    },
                })
            }
            Term::Not(inner) => {
                let Shape::Equal {
                    left,
                    right,
                    distance,
                } = Self::recognise(pool, inner)?
                else {
                    return None;
                };
                Some(Shape::Differs {
                    left,
                    right,
                    distance,
                })
            }
            Term::Bool(_)
            | Term::Int(_)
            | Term::Var(_)
            | Term::And(..)
            | Term::Or(..)
            | Term::Iff(..)
            | Term::Ite(..)
            | Term::FromBool(_)
            | Term::Unary(..)
            | Term::Binary(..)
            | Term::Text(_)
            | Term::Float(_)
            | Term::Apply(..) => None,
        }
    }
}

/// Writes `a - b` as `left - right + constant`, if it has that form.
fn difference(pool: &TermPool, a: TermId, b: TermId) -> Option<(Side, Side, Integer)> {
    let mut sum = Sum {
        constant: Integer::ZERO,
        variables: [None, None],
    };
    let mut pending = [(a, 1_i8); MAX_PARTS];
    pending[1] = (b, -1);
    let mut count = 2;
    while count > 0 {
        count -= 1;
        let (term, sign) = pending[count];
        let mut schedule = |parts: &[(TermId, i8)]| -> Option<()> {
            for &part in parts {
                *pending.get_mut(count)? = part;
                count += 1;
            }
            Some(())
        };
        match *pool.get(term) {
            Term::Int(ref value) if sign > 0 => sum.constant = &sum.constant + value,
            Term::Int(ref value) => sum.constant = &sum.constant - value,
            Term::Var(variable) => sum.add(variable, sign)?,
            Term::Unary(UnaryOp::Neg, inner) => schedule(&[(inner, -sign)])?,
            Term::Binary(BinaryOp::Add, a, b) => schedule(&[(a, sign), (b, sign)])?,
            Term::Binary(BinaryOp::Sub, a, b) => schedule(&[(a, sign), (b, -sign)])?,
            Term::Bool(_)
            | Term::Not(_)
            | Term::And(..)
            | Term::Or(..)
            | Term::Iff(..)
            | Term::Compare(..)
            | Term::Ite(..)
            | Term::FromBool(_)
            | Term::Unary(..)
            | Term::Binary(..)
            | Term::Text(_)
            | Term::Float(_)
            | Term::Apply(..) => return None,
        }
    }
    sum.sides().map(|(left, right)| (left, right, sum.constant))
}

struct Sum {
    constant: Integer,
    variables: [Option<(VarId, i8)>; 2],
}

impl Sum {
    fn add(&mut self, variable: VarId, sign: i8) -> Option<()> {
        for slot in &mut self.variables {
            match slot {
                Some((present, coefficient)) if *present == variable => {
                    *coefficient += sign;
                    if *coefficient == 0 {
                        *slot = None;
                    }
                    return Some(());
                }
                Some(_) | None => {}
            }
        }
        let free = self.variables.iter_mut().find(|slot| slot.is_none())?;
        *free = Some((variable, sign));
        Some(())
    }

    fn sides(&self) -> Option<(Side, Side)> {
        let (mut left, mut right) = (Side::Zero, Side::Zero);
        for (variable, coefficient) in self.variables.iter().flatten() {
            let side = match coefficient {
                1 => &mut left,
                -1 => &mut right,
                _ => return None,
            };
            if *side != Side::Zero {
                return None;
            }
            *side = Side::Variable(*variable);
        }
        Some((left, right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn offsets_and_negations_are_seen_through() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("x", Sort::Int), pool.variable("y", Sort::Int));
        let (vx, vy) = (VarId::new(0), VarId::new(1));
        let difference = pool.binary(BinaryOp::Sub, x, y);
        let five = pool.small(5);
        let (left, right) = (Side::Variable(vx), Side::Variable(vy));
        let below = pool.lt(difference, five);
        assert_eq!(
            Shape::of(&pool, below),
            Shape::AtMost {
                left,
                right,
                distance: 4
            }
        );
        let differs = pool.ne(difference, five);
        assert_eq!(
            Shape::of(&pool, differs),
            Shape::Differs {
                left,
                right,
                distance: 5
            }
        );
        let bound = pool.ge(x, five);
        let expected = Shape::AtMost {
            left: Side::Zero,
            right: left,
            distance: -5,
        };
        assert_eq!(Shape::of(&pool, bound), expected);
    }

    #[test]
    fn sums_of_variables_are_not_differences() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("x", Sort::Int), pool.variable("y", Sort::Int));
        let sum = pool.binary(BinaryOp::Add, x, y);
        let five = pool.small(5);
        let constraint = pool.lt(sum, five);
        assert_eq!(Shape::of(&pool, constraint), Shape::Other);
    }
}
