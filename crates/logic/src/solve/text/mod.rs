//! Answers questions about text with the layers for numbers.
//!
//! Most questions are answered by one edit of the hint ([`edit`]), or refuted by the bounds of lengths and positions,
//! by what follows from equalities ([`equal`]) or as languages ([`words`]); others are answered by several edits.
//! A question is lowered (see [`lower`]) to lengths and units in a pool of its own ([`mirror`]) and
//! put to a second instance of the chain below. First with lengths left open: that is often exact, and what it
//! refutes is refuted. Otherwise its model proposes lengths; with those fixed, everything is
//! exact. Lengths that do not work are excluded, until there is a model or none are left.

mod approximate;
mod assembly;
mod cases;
mod digits;
mod edit;
mod equal;
mod expand;
mod guess;
mod lemmas;
mod lower;
mod mirror;
mod nice;
mod open;
mod question;
mod search;
mod tables;
mod trial;
mod units;
mod words;

use std::time::Instant;

use rustc_hash::FxHashMap;

use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::independent::conjuncts;
use crate::solve::interval::Propagation;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, UnknownReason};
use crate::term::VarId;
use crate::value::Model;

use assembly::{Assembly, Lowered, at_most, exclusion};
use lower::{Lowering, Scope, Setting, TooLarge};
use mirror::{Mirror, text_of};
use question::{Cap, MAX_LENGTH, Question, hinted_lengths, pinned_lengths, text_inputs};
use words::Words;

/// Choices of lengths tried for one query.
const MAX_TRIES: usize = 32;
/// Settings whose images are kept; beyond this all but the open ones are dropped.
const MAX_SETTINGS: usize = 256;
/// Terms in the mirror; beyond this it is started afresh.
const MAX_TERMS: usize = 3_000_000;

/// Lowers text to numbers.
pub(super) struct Texts {
    make_numbers: Box<dyn Fn() -> Box<dyn Solver>>,
    mirror: Mirror,
    /// Answers questions in the mirror.
    numbers: Box<dyn Solver>,
    lowerings: FxHashMap<Setting, Lowering>,
    words: Words,
    propagation: Propagation,
    evaluator: Evaluator,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

/// What one setting gave.
enum Outcome {
    /// A model of the original question.
    Model(Model),
    /// Lengths the open question proposes.
    Lengths(Vec<(VarId, usize)>),
    Unsat,
    Unknown(UnknownReason),
}

impl Texts {
    /// `make_numbers` builds the chain for questions without text; questions that have none to begin with go to
    /// `next`.
    pub(super) fn new(
        make_numbers: impl Fn() -> Box<dyn Solver> + 'static,
        next: Box<dyn Solver>,
    ) -> Self {
        let numbers = make_numbers();
        Texts {
            make_numbers: Box::new(make_numbers),
            mirror: Mirror::default(),
            numbers,
            lowerings: FxHashMap::default(),
            words: Words::default(),
            propagation: Propagation::new(),
            evaluator: Evaluator::new(),
            statistics: LayerStatistics::new("text"),
            next,
        }
    }

    fn decide(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        if self.mirror.pool.len() > MAX_TERMS {
            self.mirror = Mirror::default();
            self.numbers = (self.make_numbers)();
            self.lowerings.clear();
        } else if self.lowerings.len() > MAX_SETTINGS {
            self.lowerings
                .retain(|setting, _| setting.lengths.is_empty());
        }
        let mut parts = Vec::new();
        for &part in [&query.goal].into_iter().chain(query.path) {
            conjuncts(pool, part, &mut parts);
        }
        let inputs = text_inputs(pool, query);
        if let Some(model) = edit::at_once(pool, query.hint, &parts, &mut self.evaluator) {
            return self.improved(pool, query, &inputs, model);
        }
        if self.propagation.run(pool, parts.iter().copied()).is_err()
            || equal::refute(pool, &parts)
            || self.words.refute(pool, &parts)
        {
            return Answer::Unsat;
        }
        if let Some(model) = edit::edit(pool, query.hint, &parts, &mut self.evaluator) {
            return self.improved(pool, query, &inputs, model);
        }
        if budget.is_glance() {
            return Answer::Unknown(UnknownReason::Budget);
        }
        let hinted = hinted_lengths(pool, query.hint, &inputs);
        let mut question = Question {
            query: *query,
            pinned: pinned_lengths(pool, &parts),
            inputs,
            start: Instant::now(),
            budget: *budget,
            excluded: Vec::new(),
            usual: hinted.iter().map(|(_, length)| length).sum(),
            cap: Cap::Unset,
        };
        self.search(pool, &mut question)
    }

    fn improved(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        inputs: &[VarId],
        mut model: Model,
    ) -> Answer {
        nice::improve(pool, query, inputs, &mut self.evaluator, &mut model);
        Answer::Sat(model)
    }

    fn search(&mut self, pool: &mut TermPool, question: &mut Question<'_>) -> Answer {
        if question.pinned.len() == question.inputs.len() {
            return match self.ask(pool, question, Some(question.pinned.clone())) {
                Outcome::Model(model) => Answer::Sat(model),
                Outcome::Unsat => Answer::Unsat,
                Outcome::Lengths(_) => Answer::Unknown(UnknownReason::InvalidModel),
                Outcome::Unknown(reason) => Answer::Unknown(reason),
            };
        }
        let mut doubt = None;
        let (mut tries, mut guessed) = (0, false);
        while tries < MAX_TRIES {
            let lengths = match self.ask(pool, question, None) {
                Outcome::Model(model) => return Answer::Sat(model),
                Outcome::Unsat if question.raise_cap() => continue,
                Outcome::Unsat => return doubt.map_or(Answer::Unsat, Answer::Unknown),
                Outcome::Lengths(_) if !std::mem::replace(&mut guessed, true) => {
                    let (query, inputs) = (&question.query, &question.inputs);
                    match guess::guess(pool, query, inputs, &mut self.evaluator) {
                        Some(model) => return Answer::Sat(model),
                        None => continue,
                    }
                }
                Outcome::Lengths(lengths) if question.set_cap(&lengths) => continue,
                Outcome::Lengths(lengths) => lengths,
                Outcome::Unknown(reason) => {
                    doubt.get_or_insert(reason);
                    hinted_lengths(pool, question.query.hint, &question.inputs)
                }
            };
            tries += 1;
            if question.excluded.contains(&lengths) {
                break;
            }
            match self.ask(pool, question, Some(lengths.clone())) {
                Outcome::Model(model) => return Answer::Sat(model),
                Outcome::Unsat => {}
                Outcome::Lengths(_) => {
                    doubt.get_or_insert(UnknownReason::InvalidModel);
                }
                Outcome::Unknown(reason) => {
                    doubt.get_or_insert(reason);
                }
            }
            question.excluded.push(lengths);
            if question.budget().is_none() {
                return Answer::Unknown(UnknownReason::Budget);
            }
        }
        Answer::Unknown(doubt.unwrap_or(UnknownReason::Incomplete("the length of text")))
    }

    /// Asks with the given lengths, or with as few as possible fixed, in scopes as narrow as possible.
    fn ask(
        &mut self,
        pool: &TermPool,
        question: &Question<'_>,
        lengths: Option<Vec<(VarId, usize)>>,
    ) -> Outcome {
        let mut setting = Setting {
            open: lengths.is_none(),
            lengths: lengths.unwrap_or_else(|| question.pinned.clone()),
            alphabet: Scope::Narrow,
            digits: Scope::Narrow,
        };
        if setting
            .lengths
            .iter()
            .any(|&(_, length)| length > MAX_LENGTH)
        {
            return Outcome::Unknown(UnknownReason::Incomplete("long text"));
        }
        loop {
            let (outcome, wider) = self.ask_in(pool, question, &setting);
            match (outcome, wider) {
                (Outcome::Unsat | Outcome::Unknown(_), Some(wider)) => setting = wider,
                (outcome, _) => return outcome,
            }
        }
    }

    /// Asks in one setting; names a wider one that could make a difference.
    fn ask_in(
        &mut self,
        pool: &TermPool,
        question: &Question<'_>,
        setting: &Setting,
    ) -> (Outcome, Option<Setting>) {
        let too_large = || Outcome::Unknown(UnknownReason::Incomplete("long text"));
        let Ok(lowered) = self.lower(pool, question, setting) else {
            return (too_large(), None);
        };
        let Some(budget) = question.budget() else {
            return (Outcome::Unknown(UnknownReason::Budget), None);
        };
        let query = Query {
            path: &lowered.path,
            goal: lowered.goal,
            hint: &lowered.hint,
        };
        let wider = lowered.wider(setting);
        match self.numbers.solve(&mut self.mirror.pool, &query, &budget) {
            Answer::Sat(found) => {
                let outcome = self.model(pool, question, setting, &lowered, &found);
                (outcome, wider)
            }
            Answer::Unsat if lowered.is_clipped(setting) => (Outcome::Unsat, wider),
            Answer::Unsat if self.is_complete(&lowered, &budget) => (Outcome::Unsat, None),
            Answer::Unsat => {
                let reason = UnknownReason::Incomplete("the length of a number");
                (Outcome::Unknown(reason), wider)
            }
            Answer::Unknown(reason) => (Outcome::Unknown(reason), wider),
        }
    }

    /// Whether the restrictions follow from the constraints that do not need them.
    fn is_complete(&mut self, lowered: &Lowered, budget: &Budget) -> bool {
        let mirror = &mut self.mirror.pool;
        let mut beyond = mirror.bool(false);
        for &restriction in &lowered.restrictions {
            let negated = mirror.not(restriction);
            beyond = mirror.or(beyond, negated);
        }
        let mut path = Vec::with_capacity(lowered.unrestricted.len());
        for &part in &lowered.unrestricted {
            if self.evaluator.holds(mirror, &lowered.hint, part) {
                path.push(part);
            } else {
                beyond = mirror.and(beyond, part);
            }
        }
        let query = Query {
            path: &path,
            goal: beyond,
            hint: &lowered.hint,
        };
        self.numbers.solve(mirror, &query, budget) == Answer::Unsat
    }

    /// The input described by a model of the lowered question, or at least its lengths.
    fn model(
        &mut self,
        pool: &TermPool,
        question: &Question<'_>,
        setting: &Setting,
        lowered: &Lowered,
        found: &Model,
    ) -> Outcome {
        let hint = question.query.hint;
        let Some(mut model) =
            self.mirror
                .read(pool, hint, found, &lowered.variables, &setting.lengths)
        else {
            return Outcome::Unknown(UnknownReason::Incomplete("long text"));
        };
        let query = &question.query;
        if self.evaluator.holds(pool, &model, query.goal)
            && self.evaluator.all_hold(pool, &model, query.path)
        {
            let inputs = &question.inputs;
            nice::improve(pool, query, inputs, &mut self.evaluator, &mut model);
            return Outcome::Model(model);
        }
        let length = |&input: &VarId| (input, text_of(pool, &model, input).len());
        Outcome::Lengths(question.inputs.iter().map(length).collect())
    }

    /// The question in the mirror. What holds under the hint is path, what does not is goal, so that the layers
    /// may rely on the hint.
    fn lower(
        &mut self,
        pool: &TermPool,
        question: &Question<'_>,
        setting: &Setting,
    ) -> Result<Lowered, TooLarge> {
        let lowering = self
            .lowerings
            .entry(setting.clone())
            .or_insert_with(|| Lowering::new(setting.clone()));
        let mirror = &mut self.mirror;
        let mut assembly = Assembly::default();
        let (mut unrestricted, mut restrictions) = (Vec::new(), Vec::new());
        let (mut bulky, mut approximate) = (false, false);
        let mut atoms = Vec::new();
        for &constraint in question.query.path.iter().chain([&question.query.goal]) {
            let root = lowering.root(pool, mirror, constraint)?;
            bulky |= root.bulky;
            for &part in root.parts.iter().chain(&root.restrictions) {
                assembly.add(mirror, part);
            }
            if root.restrictions.is_empty() {
                unrestricted.extend_from_slice(&root.parts);
            }
            restrictions.extend_from_slice(&root.restrictions);
            approximate |= root.approximate;
            atoms.extend_from_slice(&root.atoms);
        }
        if setting.open {
            if let Cap::Above(more) = question.cap {
                let part = at_most(pool, mirror, &question.inputs, question.usual + more);
                assembly.add(mirror, part);
            }
            for excluded in &question.excluded {
                let part = exclusion(pool, mirror, excluded, &setting.lengths);
                assembly.add(mirror, part);
            }
            if !approximate {
                atoms.clear();
            }
            for lemma in lemmas::lemmas(pool, mirror, lowering, &atoms, &assembly.variables) {
                assembly.add(mirror, lemma);
            }
        }
        if bulky && setting.alphabet == Scope::Narrow {
            assembly.plain_units(mirror);
        }
        let Assembly {
            parts, variables, ..
        } = assembly;
        let hint = mirror.hint(pool, question.query.hint, &variables, &mut self.evaluator);
        let mut path = Vec::with_capacity(parts.len());
        let mut goal = mirror.pool.bool(true);
        for part in parts {
            if self.evaluator.holds(&mirror.pool, &hint, part) {
                path.push(part);
            } else {
                goal = mirror.pool.and(goal, part);
            }
        }
        Ok(Lowered {
            path,
            goal,
            hint,
            variables,
            unrestricted,
            restrictions,
            bulky,
        })
    }
}

impl Solver for Texts {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        let has_text =
            pool.has_text(query.goal) || query.path.iter().any(|&part| pool.has_text(part));
        if !has_text {
            return self.next.solve(pool, query, budget);
        }
        self.statistics.asked += 1;
        let answer = self.decide(pool, query, budget);
        self.statistics.count(&answer);
        answer
    }

    fn name(&self) -> &'static str {
        self.statistics.layer
    }

    /// Layers behind this one exist twice; their counts are added.
    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        out.push(self.statistics.clone());
        self.next.statistics(out);
        let mut mirrored = Vec::new();
        self.numbers.statistics(&mut mirrored);
        for layer in mirrored {
            match out.iter_mut().find(|known| known.layer == layer.layer) {
                Some(known) => known.add(&layer),
                None => out.push(layer),
            }
        }
    }
}
