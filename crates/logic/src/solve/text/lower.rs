//! From terms over text to terms over numbers.
//!
//! Every term gets an image in the mirror, operands first. With the lengths of all inputs fixed, a text
//! is a few alternatives, each a row of units under a condition. With lengths left open
//! ([`open`](super::open)) some operations are exact and the others become variables of which
//! only facts are known: enough to refute, and to propose lengths.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::mirror::{Mirror, Origin};
use super::open::Window;
use super::units::{Alternative, Alternatives};
use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{Sort, Term, TermId, VarId};
use crate::text::{TextKind, Unit};

/// Terms made for one constraint.
const MAX_NEW_TERMS: usize = 60_000;

/// The constraint would become too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

/// How much of something is considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Scope {
    /// A small part. Quicker, and the models are nicer.
    Narrow,
    /// As much as there is, or can be handled.
    Wide,
}

/// What is assumed about the inputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Setting {
    /// The lengths of text inputs, ascending by input.
    pub(super) lengths: Vec<(VarId, usize)>,
    /// Whether there are inputs of which the length is left open.
    pub(super) open: bool,
    /// Whether units beyond ASCII are considered where tables are large.
    pub(super) alphabet: Scope,
    /// Whether numbers are written with many digits.
    pub(super) digits: Scope,
}

/// What a term becomes.
#[derive(Clone, Debug)]
pub(super) enum Image {
    /// A number, a truth value or a float.
    Plain(TermId),
    /// Text of known length, or a choice of a few.
    Text(Alternatives),
    /// A text input of any length, or part of it.
    Window(Window),
    /// Text of which only the length is known.
    Opaque(TermId),
}

/// What the lowering of one operation adds to the query.
#[derive(Clone, Debug, Default)]
pub(super) struct Note {
    /// Statements that hold for every input.
    pub(super) facts: Vec<TermId>,
    /// Statements without which the image is wrong; they exclude inputs.
    pub(super) restrictions: Vec<TermId>,
    /// The image says less than the term.
    pub(super) approximate: bool,
    /// A large table is involved.
    pub(super) bulky: bool,
}

/// A lowered constraint.
#[derive(Clone, Debug, Default)]
pub(super) struct Root {
    /// The constraint and everything that goes with it.
    pub(super) parts: Vec<TermId>,
    /// Without these the image is wrong. They exclude inputs: a refutation counts only if they follow from
    /// the rest.
    pub(super) restrictions: Vec<TermId>,
    /// A model need not be one.
    pub(super) approximate: bool,
    pub(super) bulky: bool,
    /// The operations on text in it, as terms of the outer pool.
    pub(super) atoms: Vec<TermId>,
}

/// Images under one setting, kept from query to query.
#[derive(Debug)]
pub(super) struct Lowering {
    pub(super) setting: Setting,
    images: FxHashMap<TermId, Image>,
    notes: FxHashMap<TermId, Note>,
    roots: FxHashMap<TermId, Option<Rc<Root>>>,
}

impl Lowering {
    pub(super) fn new(setting: Setting) -> Self {
        Lowering {
            setting,
            images: FxHashMap::default(),
            notes: FxHashMap::default(),
            roots: FxHashMap::default(),
        }
    }

    /// The image of a constraint.
    pub(super) fn root(
        &mut self,
        outer: &TermPool,
        mirror: &mut Mirror,
        constraint: TermId,
    ) -> Result<Rc<Root>, TooLarge> {
        if let Some(known) = self.roots.get(&constraint) {
            return known.clone().ok_or(TooLarge);
        }
        let root = self.lower(outer, mirror, constraint).ok().map(Rc::new);
        self.roots.insert(constraint, root.clone());
        root.ok_or(TooLarge)
    }

    /// The image of a term of a constraint that was lowered.
    pub(super) fn plain(&self, term: TermId) -> Option<TermId> {
        match self.images.get(&term)? {
            Image::Plain(image) => Some(*image),
            Image::Text(_) | Image::Window(_) | Image::Opaque(_) => None,
        }
    }

    /// The image of a text of a constraint that was lowered.
    pub(super) fn image(&self, term: TermId) -> Option<&Image> {
        self.images.get(&term)
    }

    fn lower(
        &mut self,
        outer: &TermPool,
        mirror: &mut Mirror,
        constraint: TermId,
    ) -> Result<Root, TooLarge> {
        let mut below: Vec<TermId> = Vec::new();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut pending = vec![constraint];
        while let Some(term) = pending.pop() {
            if seen.insert(term) {
                below.push(term);
                pending.extend_from_slice(outer.get(term).children().as_slice());
            }
        }
        // Operands have smaller ids.
        below.sort_unstable();
        let limit = mirror.pool.len() + MAX_NEW_TERMS;
        let mut root = Root::default();
        for term in below {
            if !self.images.contains_key(&term) {
                self.lower_one(outer, mirror, term)?;
                if mirror.pool.len() > limit {
                    return Err(TooLarge);
                }
            }
            if let Term::Apply(op, _) = outer.get(term)
                && op.is_text()
                && TextKind::of(outer.sort(term)).is_none()
            {
                root.atoms.push(term);
            }
            if let Some(note) = self.notes.get(&term) {
                root.parts.extend_from_slice(&note.facts);
                root.restrictions.extend_from_slice(&note.restrictions);
                root.approximate |= note.approximate;
                root.bulky |= note.bulky;
            }
        }
        root.parts.push(self.plain(constraint).ok_or(TooLarge)?);
        Ok(root)
    }

    fn lower_one(
        &mut self,
        outer: &TermPool,
        mirror: &mut Mirror,
        term: TermId,
    ) -> Result<(), TooLarge> {
        let mut step = Step {
            outer,
            mirror,
            images: &self.images,
            setting: &self.setting,
            term,
            note: Note::default(),
        };
        let image = step.image()?;
        let note = step.note;
        if note.approximate || note.bulky || !note.facts.is_empty() || !note.restrictions.is_empty()
        {
            self.notes.insert(term, note);
        }
        self.images.insert(term, image);
        Ok(())
    }
}

/// The lowering of one term whose operands have images.
pub(super) struct Step<'a> {
    pub(super) outer: &'a TermPool,
    pub(super) mirror: &'a mut Mirror,
    images: &'a FxHashMap<TermId, Image>,
    pub(super) setting: &'a Setting,
    pub(super) term: TermId,
    pub(super) note: Note,
}

impl Step<'_> {
    fn image(&mut self) -> Result<Image, TooLarge> {
        let image = match *self.outer.get(self.term) {
            Term::Bool(value) => self.mirror.pool.bool(value),
            Term::Int(ref value) => self.mirror.pool.int(value.clone()),
            Term::Float(value) => self.mirror.pool.float(value.get()),
            Term::Text(ref text) => return Ok(Image::Text(self.constant(text.units()))),
            Term::Var(variable) => return Ok(self.input(variable)),
            Term::Not(a) => {
                let a = self.plain(a)?;
                self.mirror.pool.not(a)
            }
            Term::And(a, b) => {
                let (a, b) = (self.plain(a)?, self.plain(b)?);
                self.mirror.pool.and(a, b)
            }
            Term::Or(a, b) => {
                let (a, b) = (self.plain(a)?, self.plain(b)?);
                self.mirror.pool.or(a, b)
            }
            Term::Iff(a, b) => {
                let (a, b) = (self.plain(a)?, self.plain(b)?);
                self.mirror.pool.iff(a, b)
            }
            Term::Compare(op, a, b) => {
                let (a, b) = (self.plain(a)?, self.plain(b)?);
                self.compare(op, a, b)
            }
            Term::Ite(condition, a, b) => {
                let condition = self.plain(condition)?;
                return self.choice(condition, a, b);
            }
            Term::FromBool(a) => {
                let a = self.plain(a)?;
                let image = self.mirror.pool.from_bool(a);
                let negated = self.mirror.pool.not(a);
                self.remember(image, vec![(a, 1), (negated, 0)]);
                image
            }
            Term::Unary(op, a) => {
                let a = self.plain(a)?;
                self.unary(op, a)
            }
            Term::Binary(op, a, b) => {
                let (a, b) = (self.plain(a)?, self.plain(b)?);
                self.binary(op, a, b)
            }
            Term::Apply(op, ref operands) => return self.operation(op, operands),
        };
        Ok(Image::Plain(image))
    }

    fn input(&mut self, variable: VarId) -> Image {
        match self.outer.var_sort(variable) {
            Sort::Bool | Sort::Int | Sort::Float => {
                Image::Plain(self.mirror.variable(self.outer, Origin::Input(variable)))
            }
            Sort::Str | Sort::Bytes => {
                let known = self.setting.lengths.iter();
                let length = known.copied().find(|(input, _)| *input == variable);
                match length {
                    None if self.setting.open => Image::Window(Window::whole(variable)),
                    _ => {
                        let units = (0..length.map_or(0, |(_, length)| length))
                            .map(|position| self.unit(variable, position))
                            .collect();
                        Image::Text(self.single(units))
                    }
                }
            }
        }
    }

    /// The variable of a unit of an input.
    pub(super) fn unit(&mut self, input: VarId, position: usize) -> TermId {
        let unit = Origin::Unit(input, position as u32);
        self.mirror.variable(self.outer, unit)
    }

    fn constant(&mut self, units: &[Unit]) -> Alternatives {
        let units = units
            .iter()
            .map(|&unit| self.mirror.pool.small(unit.into()))
            .collect();
        self.single(units)
    }

    /// Text that is nothing but these units.
    pub(super) fn single(&mut self, units: Vec<TermId>) -> Alternatives {
        let guard = self.mirror.pool.bool(true);
        Rc::new([Alternative {
            guard,
            units: units.into(),
        }])
    }

    /// The image of an operand that is not text.
    pub(super) fn plain(&self, operand: TermId) -> Result<TermId, TooLarge> {
        match self.images.get(&operand) {
            Some(Image::Plain(image)) => Ok(*image),
            Some(Image::Text(_) | Image::Window(_) | Image::Opaque(_)) | None => Err(TooLarge),
        }
    }

    /// The image of an operand.
    pub(super) fn operand(&self, operand: TermId) -> Result<Image, TooLarge> {
        self.images.get(&operand).cloned().ok_or(TooLarge)
    }

    /// The alternatives of a text operand, if it has any.
    pub(super) fn alternatives(&self, operand: TermId) -> Option<Alternatives> {
        match self.images.get(&operand)? {
            Image::Text(alternatives) => Some(alternatives.clone()),
            Image::Plain(_) | Image::Window(_) | Image::Opaque(_) => None,
        }
    }

    fn operation(&mut self, op: Operation, operands: &[TermId]) -> Result<Image, TooLarge> {
        if !op.is_text() {
            let images: Result<Vec<TermId>, TooLarge> = operands
                .iter()
                .map(|&operand| self.plain(operand))
                .collect();
            return Ok(Image::Plain(self.mirror.pool.apply(op, &images?)));
        }
        if self.setting.open {
            return self.open(op, operands);
        }
        self.exact(op, operands)
    }

    fn choice(&mut self, condition: TermId, a: TermId, b: TermId) -> Result<Image, TooLarge> {
        if let (Image::Plain(a), Image::Plain(b)) = (self.operand(a)?, self.operand(b)?) {
            let image = self.mirror.pool.ite(condition, a, b);
            if let (Some(chosen), Some(other)) = (self.cases(a), self.cases(b)) {
                let negated = self.mirror.pool.not(condition);
                let mut merged = Vec::new();
                for (guard, cases) in [(condition, chosen), (negated, other)] {
                    for &(inner, value) in cases.iter() {
                        merged.push((self.mirror.pool.and(guard, inner), value));
                    }
                }
                self.remember(image, merged);
            }
            return Ok(Image::Plain(image));
        }
        self.text_choice(condition, a, b)
    }
}
