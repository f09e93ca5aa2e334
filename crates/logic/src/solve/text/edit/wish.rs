//! From what a constraint should be to what the inputs would have to be.
//!
//! Operations are undone one by one, with everything beside the way as it is in the model. Where
//! there are many solutions a few are offered, those first that change least.

use crate::evaluate::Evaluator;
use crate::integer::Integer;
use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{Comparison, Term, TermId};
use crate::text::Text;
use crate::value::{Model, Value};

use super::near::Strange;
use super::{Edit, near, numbers, pieces};

/// Steps per question; long or widely branching terms are not followed to the end.
const MAX_STEPS: usize = 256;
/// Edits per question.
const MAX_EDITS: usize = 32;
/// Longer text is not edited. Four numbers of as many digits as CPython reads are not.
const MAX_LENGTH: usize = 20_000;

/// What a subterm should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Truth(bool),
    Exactly(Integer),
    AtLeast(Integer),
    AtMost(Integer),
    Not(Integer),
    Text(Text),
    Float(crate::float::Float),
}

impl Wish {
    /// The number that fulfils the wish and is nearest to `current`.
    pub(super) fn nearest(&self, current: &Integer) -> Option<Integer> {
        match self {
            Wish::Exactly(value) => Some(value.clone()),
            Wish::AtLeast(value) => Some(value.max(current).clone()),
            Wish::AtMost(value) => Some(value.min(current).clone()),
            Wish::Not(value) if value == current => Some(current + &Integer::ONE),
            Wish::Not(_) => Some(current.clone()),
            Wish::Truth(_) | Wish::Text(_) | Wish::Float(_) => None,
        }
    }
}

/// Works out edits; keeps its buffers between questions.
pub(super) struct Wishes<'a> {
    pending: Vec<(TermId, Wish)>,
    edits: Vec<Edit>,
    pub(super) strange: Strange<'a>,
}

/// One question: the model and how to look into it.
pub(super) struct Sight<'a> {
    pub(super) pool: &'a TermPool,
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) model: &'a Model,
}

impl Sight<'_> {
    pub(super) fn value(&mut self, term: TermId) -> Option<Value> {
        self.evaluator.value_again(self.pool, self.model, term).ok()
    }

    pub(super) fn int(&mut self, term: TermId) -> Option<Integer> {
        self.value(term)?.as_int().cloned()
    }

    pub(super) fn text(&mut self, term: TermId) -> Option<Text> {
        let text = self.value(term)?.as_text().cloned()?;
        (text.len() <= MAX_LENGTH).then_some(text)
    }

    pub(super) fn truth(&mut self, term: TermId) -> Option<bool> {
        self.value(term)?.as_bool()
    }
}

impl<'a> Wishes<'a> {
    pub(super) fn new(strange: Strange<'a>) -> Self {
        Wishes {
            pending: Vec::new(),
            edits: Vec::new(),
            strange,
        }
    }

    /// Edits of one input each that may make `goal` true.
    pub(super) fn edits(
        &mut self,
        pool: &TermPool,
        evaluator: &mut Evaluator,
        model: &Model,
        goal: TermId,
    ) -> Vec<Edit> {
        evaluator.forget();
        let mut sight = Sight {
            pool,
            evaluator,
            model,
        };
        self.pending.clear();
        self.pending.push((goal, Wish::Truth(true)));
        for _ in 0..MAX_STEPS {
            let Some((term, wish)) = self.pending.pop() else {
                break;
            };
            if self.edits.len() >= MAX_EDITS {
                break;
            }
            let offered = self.pending.len();
            // A term without a value, or a wish that makes no sense there, leads nowhere.
            let _ = self.follow(&mut sight, term, wish);
            self.pending[offered..].reverse();
        }
        std::mem::take(&mut self.edits)
    }

    pub(super) fn offer(&mut self, term: TermId, wish: Wish) {
        self.pending.push((term, wish));
    }

    pub(super) fn offer_texts(&mut self, term: TermId, texts: impl IntoIterator<Item = Text>) {
        for text in texts {
            if text.len() <= MAX_LENGTH {
                self.offer(term, Wish::Text(text));
            }
        }
    }

    fn follow(&mut self, sight: &mut Sight<'_>, term: TermId, wish: Wish) -> Option<()> {
        let pool = sight.pool;
        if pool.vars(term).is_empty() {
            return None;
        }
        match (pool.get(term), wish) {
            (&Term::Var(variable), wish) => {
                let value = match wish {
                    Wish::Truth(value) => Value::Bool(value),
                    Wish::Text(text) => Value::Text(text),
                    Wish::Float(value) => Value::Float(value),
                    number => Value::Int(number.nearest(&sight.int(term)?)?),
                };
                if value.sort() == pool.var_sort(variable) {
                    self.edits.push((variable, value));
                }
            }
            (&Term::Not(inner), Wish::Truth(truth)) => self.offer(inner, Wish::Truth(!truth)),
            (&Term::And(a, b) | &Term::Or(a, b), Wish::Truth(truth)) => {
                self.both(sight, a, b, truth)?;
            }
            (&Term::Iff(a, b), Wish::Truth(truth)) => {
                let (first, second) = (sight.truth(a)?, sight.truth(b)?);
                self.offer(a, Wish::Truth(second == truth));
                self.offer(b, Wish::Truth(first == truth));
            }
            (&Term::Compare(op, a, b), Wish::Truth(truth)) => {
                self.compared(sight, op, a, b, truth)?;
            }
            (&Term::Ite(condition, a, b), wish) => {
                let truth = sight.truth(condition)?;
                self.offer(if truth { a } else { b }, wish);
                self.offer(condition, Wish::Truth(!truth));
            }
            (&Term::FromBool(inner), number) => {
                let current = sight.int(term)?;
                let value = number.nearest(&current)?;
                self.offer(inner, Wish::Truth(!value.is_zero()));
            }
            (&Term::Binary(op, a, b), number) => {
                numbers::binary(self, sight, op, (a, b), &number)?;
            }
            (&Term::Unary(op, inner), number) => numbers::unary(self, op, inner, number),
            (Term::Apply(op, operands), wish) => self.applied(sight, *op, operands, wish)?,
            (
                Term::Bool(_)
                | Term::Int(_)
                | Term::Text(_)
                | Term::Float(_)
                | Term::Not(_)
                | Term::And(..)
                | Term::Or(..)
                | Term::Iff(..)
                | Term::Compare(..),
                _,
            ) => {}
        }
        Some(())
    }

    /// Both operands as wished, where they are not.
    fn both(&mut self, sight: &mut Sight<'_>, a: TermId, b: TermId, truth: bool) -> Option<()> {
        for operand in [a, b] {
            if sight.truth(operand)? != truth {
                self.offer(operand, Wish::Truth(truth));
            }
        }
        Some(())
    }

    fn compared(
        &mut self,
        sight: &mut Sight<'_>,
        op: Comparison,
        a: TermId,
        b: TermId,
        truth: bool,
    ) -> Option<()> {
        let (x, y) = (sight.int(a)?, sight.int(b)?);
        let one = Integer::ONE;
        let (left, right) = match (op, truth) {
            (Comparison::Eq, true) => (Wish::Exactly(y), Wish::Exactly(x)),
            (Comparison::Eq, false) => (Wish::Not(y), Wish::Not(x)),
            (Comparison::Lt, true) => (Wish::AtMost(&y - &one), Wish::AtLeast(&x + &one)),
            (Comparison::Lt, false) => (Wish::AtLeast(y), Wish::AtMost(x)),
            (Comparison::Le, true) => (Wish::AtMost(y), Wish::AtLeast(x)),
            (Comparison::Le, false) => (Wish::AtLeast(&y + &one), Wish::AtMost(&x - &one)),
        };
        self.offer(a, left);
        self.offer(b, right);
        Some(())
    }

    fn applied(
        &mut self,
        sight: &mut Sight<'_>,
        op: Operation,
        operands: &[TermId],
        wish: Wish,
    ) -> Option<()> {
        match wish {
            Wish::Truth(truth) => self.asserted(sight, op, operands, truth),
            Wish::Text(text) => pieces::written(self, sight, op, operands, &text),
            Wish::Float(value) => numbers::float(self, sight, op, operands, value),
            number => numbers::applied(self, sight, op, operands, &number),
        }
    }

    fn asserted(
        &mut self,
        sight: &mut Sight<'_>,
        op: Operation,
        operands: &[TermId],
        truth: bool,
    ) -> Option<()> {
        use Operation as Op;
        let first = *operands.first()?;
        match op {
            Op::InClass(class) => {
                let class = sight.pool.class(class);
                let units = near::members(class, truth, self.strange.units());
                for unit in units {
                    self.offer(first, Wish::Exactly(Integer::Small(unit.into())));
                }
            }
            Op::Matches(language) => {
                let (language, text) = (sight.pool.language(language), sight.text(first)?);
                let texts = if truth {
                    near::words(language, &text)
                } else {
                    near::disturbed(&text, self.strange.units())
                };
                self.offer_texts(first, texts);
            }
            Op::FloatEq if truth => {
                let second = *operands.get(1)?;
                let (x, y) = (sight.value(first)?, sight.value(second)?);
                self.offer(first, Wish::Float(y.as_float()?));
                self.offer(second, Wish::Float(x.as_float()?));
            }
            Op::TextEq | Op::StartsWith | Op::EndsWith | Op::Contains | Op::TextLt | Op::TextLe => {
                let second = *operands.get(1)?;
                let (a, b) = (sight.text(first)?, sight.text(second)?);
                self.offer_texts(first, pieces::related(op, &a, &b, truth, &self.strange));
                self.offer_texts(second, pieces::relating(op, &a, &b, truth));
            }
            _ => return None,
        }
        Some(())
    }
}
