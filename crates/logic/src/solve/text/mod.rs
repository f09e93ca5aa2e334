//! Answers questions about text with the layers for numbers.
//!
//! A question is lowered (see [`lower`]) to lengths and units in a pool of its own ([`mirror`]) and
//! put to a second instance of the chain below. First with lengths left open: that is often exact, and what it
//! refutes is refuted. Otherwise its model proposes lengths; with those fixed, everything is
//! exact. Lengths that do not work are excluded, until there is a model or none are left.

mod digits;
mod lemmas;
mod lower;
mod mirror;
mod open;
mod search;
mod tables;
mod units;

use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::z3::{Session, remaining};
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, UnknownReason};
use crate::term::{TermId, VarId};
use crate::text::TextKind;
use crate::value::Model;
use crate::variables::VarSet;

use lower::{Lowering, Scope, Setting, TooLarge};
use mirror::{Mirror, Origin, text_of};
use tables::LAST_ASCII;

/// Choices of lengths tried for one query.
const MAX_TRIES: usize = 32;
/// Settings whose images are kept; beyond this all but the open ones are dropped.
const MAX_SETTINGS: usize = 256;
/// Terms in the mirror; beyond this it is started afresh.
const MAX_TERMS: usize = 3_000_000;

/// Lowers text to numbers.
pub(super) struct Texts {
    make_numbers: fn(&Session) -> Box<dyn Solver>,
    session: Session,
    mirror: Mirror,
    /// Answers questions in the mirror.
    numbers: Box<dyn Solver>,
    lowerings: FxHashMap<Setting, Lowering>,
    evaluator: Evaluator,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

/// A question in the mirror.
struct Lowered {
    path: Vec<TermId>,
    goal: TermId,
    hint: Model,
    variables: VarSet,
    /// What the constraints say that are right without restrictions, if there are any of those.
    unrestricted: Vec<TermId>,
    restrictions: Vec<TermId>,
    bulky: bool,
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

/// One original question.
struct Question<'a> {
    query: Query<'a>,
    inputs: Vec<VarId>,
    start: Instant,
    budget: Budget,
    excluded: Vec<Vec<(VarId, usize)>>,
}

impl Question<'_> {
    fn budget(&self) -> Option<Budget> {
        remaining(&self.budget, self.start.elapsed())
    }
}

impl Texts {
    /// `make_numbers` builds the chain for questions without text; questions that have none to begin with go to
    /// `next`.
    pub(super) fn new(
        session: Session,
        make_numbers: fn(&Session) -> Box<dyn Solver>,
        next: Box<dyn Solver>,
    ) -> Self {
        let numbers = make_numbers(&session);
        Texts {
            make_numbers,
            session,
            mirror: Mirror::default(),
            numbers,
            lowerings: FxHashMap::default(),
            evaluator: Evaluator::new(),
            statistics: LayerStatistics::new("text"),
            next,
        }
    }

    fn decide(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        if query.path.contains(&pool.not(query.goal)) {
            return Answer::Unsat;
        }
        if self.mirror.pool.len() > MAX_TERMS {
            self.mirror = Mirror::default();
            self.numbers = (self.make_numbers)(&self.session);
            self.lowerings.clear();
        } else if self.lowerings.len() > MAX_SETTINGS {
            self.lowerings
                .retain(|setting, _| setting.lengths.is_none());
        }
        let mut question = Question {
            query: *query,
            inputs: text_inputs(pool, query),
            start: Instant::now(),
            budget: *budget,
            excluded: Vec::new(),
        };
        self.search(pool, &mut question)
    }

    fn search(&mut self, pool: &mut TermPool, question: &mut Question<'_>) -> Answer {
        let mut doubt = None;
        for _ in 0..MAX_TRIES {
            let lengths = match self.ask(pool, question, None) {
                Outcome::Model(model) => return Answer::Sat(model),
                Outcome::Unsat => return doubt.map_or(Answer::Unsat, Answer::Unknown),
                Outcome::Lengths(lengths) => lengths,
                Outcome::Unknown(reason) => {
                    doubt.get_or_insert(reason);
                    hinted_lengths(pool, question)
                }
            };
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

    /// Asks with the given lengths, first in a narrow scope.
    fn ask(
        &mut self,
        pool: &TermPool,
        question: &Question<'_>,
        lengths: Option<Vec<(VarId, usize)>>,
    ) -> Outcome {
        let mut setting = Setting {
            lengths,
            scope: Scope::Narrow,
        };
        let (first, narrowed) = self.ask_in(pool, question, &setting);
        match first {
            Outcome::Unsat | Outcome::Unknown(_) if narrowed => {
                setting.scope = Scope::Wide;
                self.ask_in(pool, question, &setting).0
            }
            Outcome::Model(_) | Outcome::Lengths(_) | Outcome::Unsat | Outcome::Unknown(_) => first,
        }
    }

    /// Asks in one setting; tells whether a wider scope could make a difference.
    fn ask_in(
        &mut self,
        pool: &TermPool,
        question: &Question<'_>,
        setting: &Setting,
    ) -> (Outcome, bool) {
        let too_large = || Outcome::Unknown(UnknownReason::Incomplete("long text"));
        let Ok(lowered) = self.lower(pool, question, setting) else {
            return (too_large(), false);
        };
        let Some(budget) = question.budget() else {
            return (Outcome::Unknown(UnknownReason::Budget), false);
        };
        let query = Query {
            path: &lowered.path,
            goal: lowered.goal,
            hint: &lowered.hint,
        };
        let narrow = setting.scope == Scope::Narrow;
        let narrowed = narrow && (lowered.bulky || !lowered.restrictions.is_empty());
        match self.numbers.solve(&mut self.mirror.pool, &query, &budget) {
            Answer::Sat(found) => {
                let outcome = self.model(pool, question, setting, &lowered, &found);
                (outcome, narrowed)
            }
            Answer::Unsat if narrow && lowered.bulky => (Outcome::Unsat, true),
            Answer::Unsat if self.is_complete(&lowered, &budget) => (Outcome::Unsat, false),
            Answer::Unsat => {
                let reason = UnknownReason::Incomplete("the length of a number");
                (Outcome::Unknown(reason), narrowed)
            }
            Answer::Unknown(reason) => (Outcome::Unknown(reason), narrowed),
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
        let lengths = setting.lengths.as_deref().unwrap_or_default();
        let hint = question.query.hint;
        let Some(model) = self
            .mirror
            .read(pool, hint, found, &lowered.variables, lengths)
        else {
            return Outcome::Unknown(UnknownReason::Incomplete("long text"));
        };
        let query = &question.query;
        if self.evaluator.holds(pool, &model, query.goal)
            && self.evaluator.all_hold(pool, &model, query.path)
        {
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
        if setting.lengths.is_none() {
            for excluded in &question.excluded {
                let part = exclusion(pool, mirror, excluded);
                assembly.add(mirror, part);
            }
            if !approximate {
                atoms.clear();
            }
            for lemma in lemmas::lemmas(pool, mirror, lowering, &atoms, &assembly.variables) {
                assembly.add(mirror, lemma);
            }
        }
        if bulky && setting.scope == Scope::Narrow {
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

/// Collects the parts of a lowered question, each once, with what is known of their variables.
#[derive(Default)]
struct Assembly {
    parts: Vec<TermId>,
    seen: FxHashSet<TermId>,
    variables: VarSet,
}

impl Assembly {
    fn add(&mut self, mirror: &Mirror, part: TermId) {
        if mirror.pool.as_bool(part) == Some(true) || !self.seen.insert(part) {
            return;
        }
        let vars = mirror.pool.vars(part);
        if !vars.is_subset(&self.variables) {
            for variable in vars.iter() {
                if !self.variables.contains(variable) {
                    self.variables.insert(variable);
                    for &bound in mirror.bounds(variable) {
                        if self.seen.insert(bound) {
                            self.parts.push(bound);
                        }
                    }
                }
            }
        }
        self.parts.push(part);
    }

    /// All units are ASCII.
    fn plain_units(&mut self, mirror: &mut Mirror) {
        let last = mirror.pool.small(LAST_ASCII.into());
        let units: Vec<VarId> = self.variables.iter().collect();
        for variable in units {
            match mirror.origin(variable) {
                Origin::Unit(..) | Origin::UnitFromEnd(..) => {
                    let unit = mirror.pool.var_term(variable);
                    let plain = mirror.pool.le(unit, last);
                    self.add(mirror, plain);
                }
                Origin::Input(_) | Origin::Length(_) | Origin::LengthOf(_) | Origin::Value(_) => {}
            }
        }
    }
}

/// The text inputs a question is about.
fn text_inputs(pool: &TermPool, query: &Query<'_>) -> Vec<VarId> {
    let mut variables = VarSet::new();
    for &part in query.path.iter().chain([&query.goal]) {
        variables.extend(pool.vars(part));
    }
    variables
        .iter()
        .filter(|&variable| TextKind::of(pool.var_sort(variable)).is_some())
        .collect()
}

fn hinted_lengths(pool: &TermPool, question: &Question<'_>) -> Vec<(VarId, usize)> {
    let hint = question.query.hint;
    let length = |&input: &VarId| (input, text_of(pool, hint, input).len());
    question.inputs.iter().map(length).collect()
}

/// Not exactly these lengths.
fn exclusion(pool: &TermPool, mirror: &mut Mirror, lengths: &[(VarId, usize)]) -> TermId {
    let mut other = mirror.pool.bool(false);
    for &(input, length) in lengths {
        let variable = mirror.variable(pool, Origin::Length(input));
        let length = mirror.pool.small(length as i64);
        let differs = mirror.pool.ne(variable, length);
        other = mirror.pool.or(other, differs);
    }
    other
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
