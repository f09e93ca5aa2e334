//! The language of terms.
//!
//! A term is an expression over input variables with exactly Python's meaning. Terms are stored
//! once each in a [`TermPool`](crate::TermPool) and named by [`TermId`]; this file only says which
//! terms exist. It knows nothing of simplification, evaluation or solving. Code that inspects terms matches every
//! variant by name, so that a new sort cannot be forgotten anywhere.

use crate::float::Float;
use crate::integer::Integer;
use crate::operation::Operation;
use crate::text::Text;

/// Names a term of one pool. A term's children always have smaller ids than the term itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(u32);

/// Names a variable of one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(u32);

impl TermId {
    pub(crate) fn new(index: usize) -> Self {
        TermId(index as u32)
    }

    /// The position of the term in its pool.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl VarId {
    pub(crate) fn new(index: usize) -> Self {
        VarId(index as u32)
    }

    /// The position of the variable among the variables of its pool.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What kind of value a term has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Python's `bool`.
    Bool,
    /// Python's `int`, unbounded.
    Int,
    /// Python's `str`.
    Str,
    /// Python's `bytes`.
    Bytes,
    /// Python's `float`.
    Float,
}

/// The comparisons that exist as terms; the others are these, flipped or negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// `==`
    Eq,
    /// `<`
    Lt,
    /// `<=`
    Le,
}

/// Operations on one integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOp {
    /// `-x`
    Neg,
    /// `abs(x)`
    Abs,
    /// `x.bit_length()`
    BitLength,
    /// `x.bit_count()`
    BitCount,
}

/// Operations on two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `//`, rounding down; undefined for a zero divisor
    FloorDiv,
    /// `%`, with the sign of the divisor; undefined for a zero divisor
    Mod,
    /// `**`; undefined for a negative exponent, where Python leaves the integers
    Pow,
    /// `<<`; undefined for negative places
    Shl,
    /// `>>`; undefined for negative places
    Shr,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
}

/// One node. Children are ids of the same pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// A `str` or `bytes`.
    Text(Text),
    /// A float.
    Float(Float),
    /// An input.
    Var(VarId),
    /// `not a`
    Not(TermId),
    /// `a and b`; false as soon as one side is, even if the other is undefined.
    And(TermId, TermId),
    /// `a or b`; true as soon as one side is, even if the other is undefined.
    Or(TermId, TermId),
    /// `a == b` of two truth values
    Iff(TermId, TermId),
    /// A comparison of two integers.
    Compare(Comparison, TermId, TermId),
    /// `b if a else c`, of any sort
    Ite(TermId, TermId, TermId),
    /// `int(a)` of a truth value
    FromBool(TermId),
    /// An operation on one integer.
    Unary(UnaryOp, TermId),
    /// An operation on two integers.
    Binary(BinaryOp, TermId, TermId),
    /// An operation on text or floats.
    Apply(Operation, Box<[TermId]>),
}

/// The children of a term, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Children<'a> {
    /// Up to three of them.
    Few([TermId; 3], u8),
    /// Any number.
    Many(&'a [TermId]),
}

impl Children<'_> {
    /// The children as a slice.
    #[inline]
    pub fn as_slice(&self) -> &[TermId] {
        match self {
            Children::Few(ids, count) => &ids[..usize::from(*count)],
            Children::Many(ids) => ids,
        }
    }
}

impl Term {
    /// The children of the term, first operand first.
    #[inline]
    pub fn children(&self) -> Children<'_> {
        let none = TermId(0);
        let (ids, count) = match self {
            Term::Bool(_) | Term::Int(_) | Term::Text(_) | Term::Float(_) | Term::Var(_) => {
                ([none; 3], 0)
            }
            Term::Not(a) | Term::FromBool(a) | Term::Unary(_, a) => ([*a, none, none], 1),
            Term::And(a, b)
            | Term::Or(a, b)
            | Term::Iff(a, b)
            | Term::Compare(_, a, b)
            | Term::Binary(_, a, b) => ([*a, *b, none], 2),
            Term::Ite(a, b, c) => ([*a, *b, *c], 3),
            Term::Apply(_, operands) => return Children::Many(operands),
        };
        Children::Few(ids, count)
    }
}
