//! Terms as Z3 integers and truth values.
//!
//! Each term is translated once. Operations that integer arithmetic cannot express exactly stand as
//! fresh constants with *facts*: statements that hold for the real value. A constraint is asserted together
//! with the facts below it. Facts are sound, so a refutation is a refutation; they may be weak, so a model
//! has to be evaluated.

use rustc_hash::FxHashMap;
use z3::ast::{Bool, Int};

use super::numeral;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::term::{Comparison, Sort, Term, TermId, VarId};

/// A translated term.
#[derive(Clone, Debug)]
pub(super) enum Image {
    Bool(Bool),
    Int(Int),
}

/// What a term is made of; a term has the traits of its operands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traits {
    /// A product of unknowns occurs.
    pub(super) nonlinear: bool,
    /// Names an operation whose facts do not determine it.
    pub(super) approximate: Option<&'static str>,
    /// Facts have to be asserted along.
    has_facts: bool,
}

impl Traits {
    pub(super) fn join(self, other: Traits) -> Traits {
        Traits {
            nonlinear: self.nonlinear || other.nonlinear,
            approximate: self.approximate.or(other.approximate),
            has_facts: self.has_facts || other.has_facts,
        }
    }
}

#[derive(Debug)]
struct Node {
    image: Image,
    traits: Traits,
    facts: Vec<Bool>,
}

/// A constraint, ready to be asserted.
#[derive(Debug)]
pub(super) struct Constraint {
    pub(super) assertions: Vec<Bool>,
    pub(super) traits: Traits,
}

/// The term is of a form that cannot be translated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Untranslatable;

/// Collects what the translation of one term adds.
pub(super) struct Draft {
    term: TermId,
    count: u32,
    pub(super) facts: Vec<Bool>,
    pub(super) traits: Traits,
}

impl Draft {
    /// A constant that stands for part of the value of the term.
    pub(super) fn fresh(&mut self) -> Int {
        self.count += 1;
        Int::new_const(format!("part!{}!{}", self.term.index(), self.count))
    }

    pub(super) fn fact(&mut self, fact: Bool) {
        self.facts.push(fact);
    }

    pub(super) fn nonlinear(&mut self) {
        self.traits.nonlinear = true;
    }

    pub(super) fn approximate(&mut self, operation: &'static str) {
        self.traits.approximate.get_or_insert(operation);
    }
}

/// Translates terms and remembers the translations.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    nodes: FxHashMap<TermId, Node>,
    constraints: FxHashMap<TermId, Constraint>,
}

impl Encoder {
    /// How many terms were translated.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn constraint(
        &mut self,
        pool: &TermPool,
        term: TermId,
    ) -> Result<&Constraint, Untranslatable> {
        if !self.constraints.contains_key(&term) {
            let constraint = self.build(pool, term)?;
            self.constraints.insert(term, constraint);
        }
        self.constraints.get(&term).ok_or(Untranslatable)
    }

    /// The constant of an integer variable.
    pub(super) fn int_variable(variable: VarId) -> Int {
        Int::new_const(format!("int!{}", variable.index()))
    }

    /// The constant of a truth variable.
    pub(super) fn bool_variable(variable: VarId) -> Bool {
        Bool::new_const(format!("bool!{}", variable.index()))
    }

    fn build(&mut self, pool: &TermPool, term: TermId) -> Result<Constraint, Untranslatable> {
        self.translate(pool, term)?;
        let traits = self.node(term)?.traits;
        let mut assertions = vec![self.truth(term)?.clone()];
        if traits.has_facts {
            self.gather_facts(pool, term, &mut assertions)?;
        }
        Ok(Constraint { assertions, traits })
    }

    fn gather_facts(
        &self,
        pool: &TermPool,
        root: TermId,
        out: &mut Vec<Bool>,
    ) -> Result<(), Untranslatable> {
        let mut seen: rustc_hash::FxHashSet<TermId> = std::iter::once(root).collect();
        let mut pending = vec![root];
        while let Some(term) = pending.pop() {
            let node = self.node(term)?;
            out.extend_from_slice(&node.facts);
            for &child in pool.get(term).children().as_slice() {
                if self.node(child)?.traits.has_facts && seen.insert(child) {
                    pending.push(child);
                }
            }
        }
        Ok(())
    }

    fn translate(&mut self, pool: &TermPool, root: TermId) -> Result<(), Untranslatable> {
        let mut missing = Vec::new();
        let mut pending = vec![root];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(term) = pending.pop() {
            if !self.nodes.contains_key(&term) && seen.insert(term) {
                missing.push(term);
                pending.extend_from_slice(pool.get(term).children().as_slice());
            }
        }
        missing.sort_unstable();
        for term in missing {
            let node = self.translate_one(pool, term)?;
            self.nodes.insert(term, node);
        }
        Ok(())
    }

    fn translate_one(&self, pool: &TermPool, term: TermId) -> Result<Node, Untranslatable> {
        let mut draft = Draft {
            term,
            count: 0,
            facts: Vec::new(),
            traits: Traits::default(),
        };
        let image = match *pool.get(term) {
            Term::Bool(value) => Image::Bool(Bool::from_bool(value)),
            Term::Int(ref value) => Image::Int(numeral::to_z3(value).ok_or(Untranslatable)?),
            Term::Var(variable) => match pool.var_sort(variable) {
                Sort::Bool => Image::Bool(Self::bool_variable(variable)),
                Sort::Int => Image::Int(Self::int_variable(variable)),
                Sort::Str | Sort::Bytes | Sort::Float => return Err(Untranslatable),
            },
            Term::Text(_) | Term::Float(_) | Term::Apply(..) => return Err(Untranslatable),
            Term::Not(a) => Image::Bool(self.truth(a)?.not()),
            Term::And(a, b) => Image::Bool(Bool::and(&[self.truth(a)?, self.truth(b)?])),
            Term::Or(a, b) => Image::Bool(Bool::or(&[self.truth(a)?, self.truth(b)?])),
            Term::Iff(a, b) => Image::Bool(self.truth(a)?.iff(self.truth(b)?)),
            Term::Compare(op, a, b) => {
                let (left, right) = (self.number(a)?, self.number(b)?);
                Image::Bool(match op {
                    Comparison::Eq => left.eq(right),
                    Comparison::Lt => left.lt(right),
                    Comparison::Le => left.le(right),
                })
            }
            Term::Ite(condition, chosen, other) => {
                let condition = self.truth(condition)?;
                match pool.sort(term) {
                    Sort::Bool => {
                        Image::Bool(condition.ite(self.truth(chosen)?, self.truth(other)?))
                    }
                    Sort::Int => {
                        Image::Int(condition.ite(self.number(chosen)?, self.number(other)?))
                    }
                    Sort::Str | Sort::Bytes | Sort::Float => return Err(Untranslatable),
                }
            }
            Term::FromBool(a) => {
                Image::Int(self.truth(a)?.ite(&Int::from_i64(1), &Int::from_i64(0)))
            }
            Term::Unary(op, a) => Image::Int(draft.unary(op, self.number(a)?)),
            Term::Binary(op, a, b) => {
                let left = Operand {
                    image: self.number(a)?,
                    constant: pool.as_int(a),
                    term: a,
                };
                let right = Operand {
                    image: self.number(b)?,
                    constant: pool.as_int(b),
                    term: b,
                };
                Image::Int(draft.binary(op, &left, &right).ok_or(Untranslatable)?)
            }
        };
        let Draft {
            facts, mut traits, ..
        } = draft;
        traits.has_facts = !facts.is_empty();
        for &child in pool.get(term).children().as_slice() {
            traits = traits.join(self.node(child)?.traits);
        }
        Ok(Node {
            image,
            traits,
            facts,
        })
    }

    fn node(&self, term: TermId) -> Result<&Node, Untranslatable> {
        self.nodes.get(&term).ok_or(Untranslatable)
    }

    fn truth(&self, term: TermId) -> Result<&Bool, Untranslatable> {
        match &self.node(term)?.image {
            Image::Bool(image) => Ok(image),
            Image::Int(_) => Err(Untranslatable),
        }
    }

    fn number(&self, term: TermId) -> Result<&Int, Untranslatable> {
        match &self.node(term)?.image {
            Image::Int(image) => Ok(image),
            Image::Bool(_) => Err(Untranslatable),
        }
    }
}

/// An operand of a binary operation.
pub(super) struct Operand<'a> {
    pub(super) image: &'a Int,
    pub(super) constant: Option<&'a Integer>,
    pub(super) term: TermId,
}
