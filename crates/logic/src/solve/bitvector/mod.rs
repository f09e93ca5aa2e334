//! Bit-vectors of growing width, for bit operations and products.
//!
//! A query whose numbers all have bounds is decided exactly in a width that holds them. Otherwise
//! small widths are tried first, with side conditions that no intermediate result overflows: a model
//! found that way is a model, but its absence says nothing, and a wider one is tried.

mod encode;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::evaluate::Evaluator;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::solve::interval::Propagation;
use crate::solve::shrink::Shrinker;
use crate::solve::z3::{Checked, Session, remaining};
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, UnknownReason, start_from};
use crate::term::{BinaryOp, Sort, Term, TermId, UnaryOp};
use crate::value::{Model, Value};
use crate::variables::VarSet;

use encode::{Overflow, Translation};

/// The widths tried one after the other where the numbers have no bounds.
const WIDTHS: [u32; 5] = [8, 16, 32, 64, 128];
/// Bounded queries are decided exactly up to this width.
const MAX_EXACT_WIDTH: u64 = 192;
/// Products and quotients wider than this are better left to integer reasoning at first.
const MAX_EXACT_PRODUCT_WIDTH: u64 = 72;
/// Larger queries would take Z3 too long to translate.
const MAX_TERMS: usize = 4_000;

/// Which queries a layer takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Those with bit operations on numbers within bounds; decided for good.
    Bounded,
    /// Everything that is left, in growing widths.
    Growing,
}

/// Asks Z3 about bit-vectors.
pub(super) struct BitVectors {
    mode: Mode,
    session: Session,
    propagation: Propagation,
    evaluator: Evaluator,
    shrinker: Shrinker,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

/// What one width gave.
enum Outcome {
    Model(Model),
    Unsat,
    Unknown,
}

impl BitVectors {
    /// Takes the queries of `Mode::Bounded`; the others go to `next`.
    pub(super) fn bounded(session: Session, next: Box<dyn Solver>) -> Self {
        Self::new(Mode::Bounded, session, "bit-vectors, bounded", next)
    }

    /// Takes every query; those it does not decide go to `next`.
    pub(super) fn growing(session: Session, next: Box<dyn Solver>) -> Self {
        Self::new(Mode::Growing, session, "bit-vectors, growing", next)
    }

    fn new(mode: Mode, session: Session, layer: &'static str, next: Box<dyn Solver>) -> Self {
        BitVectors {
            mode,
            session,
            propagation: Propagation::new(),
            evaluator: Evaluator::new(),
            shrinker: Shrinker::new(),
            statistics: LayerStatistics::new(layer),
            next,
        }
    }

    /// The width in which all numbers of the query fit, if they have bounds.
    fn exact_width(&self) -> Option<u64> {
        let mut width = 2;
        for (_, range) in self.propagation.numbers() {
            width = width.max(range.magnitude_bits()? + 2);
        }
        Some(width)
    }

    fn kinds(&self, pool: &TermPool) -> Kinds {
        let mut kinds = Kinds::default();
        for (count, (term, _)) in self.propagation.numbers().enumerate() {
            kinds.note(pool, term);
            kinds.too_many = count > MAX_TERMS;
        }
        kinds
    }

    fn decide(&mut self, pool: &TermPool, query: &Query<'_>, budget: &Budget) -> Option<Answer> {
        let roots = query.path.iter().copied().chain([query.goal]);
        if self.propagation.run(pool, roots).is_err() {
            return Some(Answer::Unsat);
        }
        let kinds = self.kinds(pool);
        if kinds.too_many {
            return None;
        }
        let exact = self.exact_width();
        match self.mode {
            Mode::Bounded => {
                let limit = if kinds.products {
                    MAX_EXACT_PRODUCT_WIDTH
                } else {
                    MAX_EXACT_WIDTH
                };
                let width = exact.filter(|width| kinds.bits && *width <= limit)?;
                self.decide_exactly(pool, query, budget, width as u32)
            }
            Mode::Growing => self.grow(pool, query, budget, exact),
        }
    }

    fn decide_exactly(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        budget: &Budget,
        width: u32,
    ) -> Option<Answer> {
        match self.ask(pool, query, budget, width, Overflow::Impossible) {
            Outcome::Model(model) => self.accept(pool, query, model),
            Outcome::Unsat => Some(Answer::Unsat),
            Outcome::Unknown => None,
        }
    }

    fn grow(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        budget: &Budget,
        exact: Option<u64>,
    ) -> Option<Answer> {
        let start = Instant::now();
        for width in WIDTHS {
            if exact.is_some_and(|exact| exact <= u64::from(width)) {
                break;
            }
            let rest = remaining(budget, start.elapsed())?;
            // Half of the rest each time: the widest must not be starved by those before it.
            let share = Budget {
                wall: rest.wall / 2,
                rlimit: rest.rlimit / 2,
            };
            match self.ask(pool, query, &share, width, Overflow::Excluded) {
                Outcome::Model(model) => {
                    if let Some(answer) = self.accept(pool, query, model) {
                        return Some(answer);
                    }
                }
                Outcome::Unsat | Outcome::Unknown => {}
            }
        }
        let width = exact.filter(|width| *width <= MAX_EXACT_WIDTH)?;
        let rest = remaining(budget, start.elapsed())?;
        self.decide_exactly(pool, query, &rest, width as u32)
    }

    /// The answer with this model, made small, if the model holds.
    fn accept(&mut self, pool: &TermPool, query: &Query<'_>, model: Model) -> Option<Answer> {
        let holds = self.evaluator.holds(pool, &model, query.goal)
            && self.evaluator.all_hold(pool, &model, query.path);
        holds.then(|| Answer::Sat(self.shrinker.shrink(pool, query, model)))
    }

    fn ask(
        &self,
        pool: &TermPool,
        query: &Query<'_>,
        budget: &Budget,
        width: u32,
        overflow: Overflow,
    ) -> Outcome {
        // The z3 crate asserts that Z3 never refuses to build a term; out of memory it does.
        let attempt = catch_unwind(AssertUnwindSafe(|| {
            self.try_width(pool, query, budget, width, overflow)
        }));
        attempt.unwrap_or(Outcome::Unknown)
    }

    fn try_width(
        &self,
        pool: &TermPool,
        query: &Query<'_>,
        budget: &Budget,
        width: u32,
        overflow: Overflow,
    ) -> Outcome {
        let mut translation = Translation::new(width, overflow);
        for (term, range) in self.propagation.numbers() {
            if let (&Term::Var(variable), Some(bits)) = (pool.get(term), range.magnitude_bits())
                && !range.nearest(&Integer::Small(-1)).is_negative()
            {
                translation.narrow(variable, bits);
            }
        }
        let Some(solver) = self.session.bit_vectors() else {
            return Outcome::Unknown;
        };
        for &part in query.path.iter().chain([&query.goal]) {
            match translation.truth(pool, part) {
                Some(image) => solver.assert(&image),
                None => {
                    return Outcome::Unknown;
                }
            }
        }
        for condition in translation.conditions() {
            solver.assert(condition);
        }
        Session::limit(&solver, budget.rlimit);
        match self.session.check(&solver, budget) {
            Checked::Sat => match read_model(pool, query, &solver, &translation, width) {
                Some(model) => Outcome::Model(model),
                None => Outcome::Unknown,
            },
            Checked::Unsat => Outcome::Unsat,
            Checked::Unknown(_) => Outcome::Unknown,
        }
    }
}

fn read_model(
    pool: &TermPool,
    query: &Query<'_>,
    solver: &z3::Solver,
    translation: &Translation,
    width: u32,
) -> Option<Model> {
    let found = solver.get_model()?;
    let mut model = start_from(pool, query.hint);
    let mut variables = VarSet::new();
    for &part in query.path.iter().chain([&query.goal]) {
        variables.extend(pool.vars(part));
    }
    for variable in variables.iter() {
        let value = match pool.var_sort(variable) {
            Sort::Int => {
                let value = found.eval(&translation.int_variable(variable), true)?;
                Value::Int(crate::solve::z3::from_bits(&value, width)?)
            }
            Sort::Bool => {
                let value = found.eval(&Translation::bool_variable(variable), true)?;
                Value::Bool(value.as_bool()?)
            }
            Sort::Str | Sort::Bytes | Sort::Float => return None,
        };
        model.set(variable, value);
    }
    Some(model)
}

/// What kinds of operations a query uses.
#[derive(Default)]
struct Kinds {
    bits: bool,
    products: bool,
    too_many: bool,
}

impl Kinds {
    fn note(&mut self, pool: &TermPool, term: TermId) {
        match *pool.get(term) {
            Term::Binary(op, a, b) => {
                let unknown = pool.as_int(a).is_none() && pool.as_int(b).is_none();
                match op {
                    BinaryOp::Add | BinaryOp::Sub => {}
                    BinaryOp::Mul | BinaryOp::FloorDiv | BinaryOp::Mod => {
                        self.products |= unknown;
                    }
                    BinaryOp::Pow => self.products = true,
                    BinaryOp::Shl | BinaryOp::Shr => self.bits |= pool.as_int(b).is_none(),
                    BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => self.bits = true,
                }
            }
            Term::Unary(UnaryOp::BitCount, _) => self.bits = true,
            Term::Unary(UnaryOp::Neg | UnaryOp::Abs | UnaryOp::BitLength, _)
            | Term::Bool(_)
            | Term::Int(_)
            | Term::Text(_)
            | Term::Float(_)
            | Term::Apply(..)
            | Term::Var(_)
            | Term::Not(_)
            | Term::And(..)
            | Term::Or(..)
            | Term::Iff(..)
            | Term::Compare(..)
            | Term::Ite(..)
            | Term::FromBool(_) => {}
        }
    }
}

impl Solver for BitVectors {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
        if budget.is_glance() {
            return self.next.solve(pool, query, budget);
        }
        let start = Instant::now();
        let share = Budget {
            wall: budget.wall / 2,
            rlimit: budget.rlimit / 2,
        };
        let decided = self.decide(pool, query, &share);
        let spent = start.elapsed();
        self.statistics.nanos += spent.as_nanos() as u64;
        if let Some(answer) = decided {
            self.statistics.count(&answer);
            return answer;
        }
        let Some(rest) = remaining(budget, spent) else {
            self.statistics.unknown += 1;
            return Answer::Unknown(UnknownReason::Budget);
        };
        self.next.solve(pool, query, &rest)
    }

    fn name(&self) -> &'static str {
        self.statistics.layer
    }

    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        out.push(self.statistics.clone());
        self.next.statistics(out);
    }
}
