//! Queries in the SMT-LIB theories of floating point and bit-vectors.
//!
//! Integers are bit-vectors wide enough for every range of the query. What the theories lack (`%`, the C
//! library, text) stands as a constant of which only the range is told: more models, never fewer.
//! Integers without a range are given one, which may lose models; the encoding says so. The text names
//! each term by its id, so the size is that of the shared query.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use crate::float::{Float, Rounding};
use crate::integer::Integer;
use crate::operation::{Function, Operation};
use crate::pool::TermPool;
use crate::solve::float::FloatRange;
use crate::solve::interval::{Domain, Propagation};
use crate::term::{BinaryOp, Comparison, Sort, Term, TermId, UnaryOp, VarId};

/// The width of integers without a range, and the bits their variables may use.
const UNBOUNDED_WIDTH: u64 = 72;
const UNBOUNDED_BITS: u32 = 56;
/// Wider integers are not put into bit-vectors.
const MAX_WIDTH: u64 = 160;
/// Larger queries would take too long to translate.
const MAX_TERMS: usize = 3_000;
/// Integers of this many bits are floats.
const EXACT_BITS: u64 = 53;

/// A query as text for Z3.
#[derive(Debug)]
pub(super) struct Encoding {
    pub(super) text: String,
    pub(super) width: u32,
    /// Names an operation that is only told roughly: a model may be none.
    pub(super) approximate: Option<&'static str>,
    /// Integers were bounded: the absence of models says nothing.
    pub(super) bounded: bool,
}

/// The name of a variable in the text.
pub(super) fn name(variable: VarId) -> String {
    format!("v{}", variable.index())
}

struct Encoder<'a> {
    pool: &'a TermPool,
    ranges: &'a Propagation,
    out: Encoding,
}

/// The query as text; `None` if it is too large.
pub(super) fn encode(
    pool: &TermPool,
    ranges: &Propagation,
    constraints: &[TermId],
) -> Option<Encoding> {
    let terms = terms_of(pool, constraints)?;
    let (width, bounded) = width(ranges);
    let mut encoder = Encoder {
        pool,
        ranges,
        out: Encoding {
            text: String::new(),
            width: width as u32,
            approximate: None,
            bounded,
        },
    };
    for term in terms {
        encoder.define(term);
    }
    for constraint in constraints {
        let _ = writeln!(encoder.out.text, "(assert t{})", constraint.index());
    }
    Some(encoder.out)
}

/// The terms of a query, operands first; `None` if they are too many.
pub(super) fn terms_of(pool: &TermPool, constraints: &[TermId]) -> Option<Vec<TermId>> {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut pending = constraints.to_vec();
    let mut terms = Vec::new();
    while let Some(term) = pending.pop() {
        if seen.insert(term) {
            terms.push(term);
            pending.extend_from_slice(pool.get(term).children().as_slice());
            if terms.len() > MAX_TERMS {
                return None;
            }
        }
    }
    terms.sort_unstable();
    Some(terms)
}

/// The width that holds all integers of the query, and whether some had to be bounded for it.
fn width(ranges: &Propagation) -> (u64, bool) {
    let mut width = 8;
    for (_, range) in ranges.numbers() {
        match range.magnitude_bits() {
            Some(bits) if bits + 2 <= MAX_WIDTH => width = width.max(bits + 2),
            Some(_) | None => return (UNBOUNDED_WIDTH, true),
        }
    }
    (width, false)
}

impl Encoder<'_> {
    fn define(&mut self, term: TermId) {
        let sort = match self.pool.sort(term) {
            Sort::Bool => "Bool".to_owned(),
            Sort::Float => "Float64".to_owned(),
            Sort::Int => format!("(_ BitVec {})", self.out.width),
            // Operations on text stand for themselves.
            Sort::Str | Sort::Bytes => return,
        };
        let id = term.index();
        if let Term::Var(variable) = *self.pool.get(term) {
            let name = name(variable);
            let _ = writeln!(self.out.text, "(declare-const {name} {sort})");
            let _ = writeln!(self.out.text, "(define-fun t{id} () {sort} {name})");
            self.tell_range(term);
            return;
        }
        if let Some(body) = self.body(term) {
            let _ = writeln!(self.out.text, "(define-fun t{id} () {sort} {body})");
            return;
        }
        let what = operation_name(self.pool.get(term));
        self.out.approximate.get_or_insert(what);
        let _ = writeln!(self.out.text, "(declare-const t{id} {sort})");
        self.tell_range(term);
    }

    /// Asserts what bounds say of a constant.
    fn tell_range(&mut self, term: TermId) {
        let id = term.index();
        match self.ranges.term(term) {
            Some(Domain::Float(range)) => {
                if range == FloatRange::ALL {
                    return;
                }
                let inside = if range.has_numbers() {
                    let (low, high) = (range.low(), range.high());
                    let (low, high) = (literal(low), literal(high));
                    format!("(and (fp.leq {low} t{id}) (fp.leq t{id} {high}))")
                } else {
                    "false".to_owned()
                };
                let nan = if range.may_be_nan() {
                    format!("(fp.isNaN t{id})")
                } else {
                    "false".to_owned()
                };
                let _ = writeln!(self.out.text, "(assert (or {inside} {nan}))");
            }
            Some(Domain::Number(range)) => {
                let limit = Integer::power_of_two(UNBOUNDED_BITS);
                let free = Some(limit).filter(|_| self.out.bounded);
                let low = range
                    .low
                    .clone()
                    .or_else(|| free.as_ref().map(|limit| -limit));
                let high = range.high.clone().or(free);
                for (bound, order) in [(low, "bvsge"), (high, "bvsle")] {
                    if let Some(bound) = bound.and_then(|bound| self.integer(&bound)) {
                        let _ = writeln!(self.out.text, "(assert ({order} t{id} {bound}))");
                    }
                }
            }
            Some(Domain::Truth(_)) | None => {}
        }
    }

    /// A numeral, if the width holds it.
    fn integer(&self, value: &Integer) -> Option<String> {
        let width = self.out.width;
        if value.bit_length() + 1 > u64::from(width) {
            return None;
        }
        Some(if value.is_negative() {
            format!("(bvneg (_ bv{} {width}))", value.abs())
        } else {
            format!("(_ bv{value} {width})")
        })
    }

    /// The term over its operands; `None` if the theories lack the operation.
    fn body(&self, term: TermId) -> Option<String> {
        let t = |id: TermId| format!("t{}", id.index());
        Some(match *self.pool.get(term) {
            Term::Bool(value) => value.to_string(),
            Term::Int(ref value) => self.integer(value)?,
            Term::Float(value) => literal(value.get()),
            Term::Not(a) => format!("(not {})", t(a)),
            Term::And(a, b) => format!("(and {} {})", t(a), t(b)),
            Term::Or(a, b) => format!("(or {} {})", t(a), t(b)),
            Term::Iff(a, b) => format!("(= {} {})", t(a), t(b)),
            Term::Ite(a, b, c) => format!("(ite {} {} {})", t(a), t(b), t(c)),
            Term::Compare(op, a, b) => {
                let op = match op {
                    Comparison::Eq => "=",
                    Comparison::Lt => "bvslt",
                    Comparison::Le => "bvsle",
                };
                format!("({op} {} {})", t(a), t(b))
            }
            Term::FromBool(a) => {
                let (one, zero) = (self.integer(&Integer::ONE)?, self.integer(&Integer::ZERO)?);
                format!("(ite {} {one} {zero})", t(a))
            }
            Term::Unary(UnaryOp::Neg, a) => format!("(bvneg {})", t(a)),
            Term::Unary(UnaryOp::Abs, a) => {
                let (a, zero) = (t(a), self.integer(&Integer::ZERO)?);
                format!("(ite (bvslt {a} {zero}) (bvneg {a}) {a})")
            }
            Term::Text(_)
            | Term::Var(_)
            | Term::Unary(UnaryOp::BitLength | UnaryOp::BitCount, _) => return None,
            Term::Binary(op, a, b) => arithmetic(op, &t(a), &t(b))?,
            Term::Apply(op, ref operands) => self.operation(op, operands)?,
        })
    }

    fn operation(&self, op: Operation, operands: &[TermId]) -> Option<String> {
        use Operation as Op;
        let width = self.out.width;
        let a = format!("t{}", operands.first()?.index());
        let b = operands.get(1).map(|id| format!("t{}", id.index()));
        let b = b.as_deref().unwrap_or_default();
        Some(match op {
            Op::FloatAdd => format!("(fp.add RNE {a} {b})"),
            Op::FloatSub => format!("(fp.sub RNE {a} {b})"),
            Op::FloatMul => format!("(fp.mul RNE {a} {b})"),
            Op::FloatDiv => format!("(fp.div RNE {a} {b})"),
            Op::FloatNeg => format!("(fp.neg {a})"),
            Op::FloatAbs => format!("(fp.abs {a})"),
            Op::CopySign => {
                format!("(ite (fp.isNegative {b}) (fp.neg (fp.abs {a})) (fp.abs {a}))")
            }
            Op::FloatRound(rounding) => {
                let mode = match rounding {
                    Rounding::Down => "RTN",
                    Rounding::Up => "RTP",
                    Rounding::TowardsZero => "RTZ",
                    Rounding::HalfEven => "RNE",
                };
                format!("(fp.roundToIntegral {mode} {a})")
            }
            Op::Call(Function::Sqrt) => format!("(fp.sqrt RNE {a})"),
            Op::FloatEq => format!("(fp.eq {a} {b})"),
            Op::FloatLt => format!("(fp.lt {a} {b})"),
            Op::FloatLe => format!("(fp.leq {a} {b})"),
            Op::IsNan => format!("(fp.isNaN {a})"),
            Op::IsNegative => format!("(and (not (fp.isNaN {a})) (fp.isNegative {a}))"),
            Op::FloatFromInt => format!("((_ to_fp 11 53) RNE {a})"),
            Op::FloatToInt => {
                let zero = self.integer(&Integer::ZERO)?;
                let whole = format!("((_ fp.to_sbv {width}) RTZ {a})");
                format!("(ite (or (fp.isNaN {a}) (fp.isInfinite {a})) {zero} {whole})")
            }
            Op::IntEqFloat => self.mixed("fp.eq", &a, b),
            Op::IntLtFloat => self.mixed("fp.lt", &a, b),
            Op::IntLeFloat => self.mixed("fp.leq", &a, b),
            Op::IntGtFloat => self.mixed("fp.gt", &a, b),
            Op::IntGeFloat => self.mixed("fp.geq", &a, b),
            Op::IntDiv if self.is_exact(operands[0]) && self.is_exact(operands[1]) => {
                let zero = self.integer(&Integer::ZERO)?;
                let float = |part: &str| format!("((_ to_fp 11 53) RNE {part})");
                let quotient = format!("(fp.div RNE {} {})", float(&a), float(b));
                format!("(ite (= {b} {zero}) {} {quotient})", literal(0.0))
            }
            _ => return None,
        })
    }

    /// A comparison in a format that holds the integer and the float exactly.
    fn mixed(&self, op: &str, i: &str, f: &str) -> String {
        let digits = self.out.width.max(53) + 1;
        format!("({op} ((_ to_fp 15 {digits}) RNE {i}) ((_ to_fp 15 {digits}) RNE {f}))")
    }

    /// Whether all values of an integer are floats.
    fn is_exact(&self, term: TermId) -> bool {
        match self.ranges.term(term) {
            Some(Domain::Number(range)) => range
                .magnitude_bits()
                .is_some_and(|bits| bits <= EXACT_BITS),
            Some(Domain::Truth(_) | Domain::Float(_)) | None => false,
        }
    }
}

fn arithmetic(op: BinaryOp, a: &str, b: &str) -> Option<String> {
    Some(match op {
        BinaryOp::Add => format!("(bvadd {a} {b})"),
        BinaryOp::Sub => format!("(bvsub {a} {b})"),
        BinaryOp::Mul => format!("(bvmul {a} {b})"),
        // `bvsmod` has the sign of the divisor, as in Python.
        BinaryOp::Mod => format!("(bvsmod {a} {b})"),
        BinaryOp::FloorDiv => format!("(bvsdiv (bvsub {a} (bvsmod {a} {b})) {b})"),
        BinaryOp::BitAnd => format!("(bvand {a} {b})"),
        BinaryOp::BitOr => format!("(bvor {a} {b})"),
        BinaryOp::BitXor => format!("(bvxor {a} {b})"),
        BinaryOp::Pow | BinaryOp::Shl | BinaryOp::Shr => return None,
    })
}

/// A float by its bits.
fn literal(value: f64) -> String {
    if value.is_nan() {
        return "(_ NaN 11 53)".to_owned();
    }
    format!(
        "((_ to_fp 11 53) #x{:016x})",
        Float::new(value).get().to_bits()
    )
}

/// What is told only roughly, for people.
fn operation_name(term: &Term) -> &'static str {
    match term {
        Term::Apply(Operation::FloatMod | Operation::FloatRemainder, _) => "a remainder of floats",
        Term::Apply(Operation::FloatFloorDiv, _) => "// of floats",
        Term::Apply(Operation::FloatPow, _) => "** of floats",
        Term::Apply(Operation::Call(_), _) => "a function of the C library",
        Term::Apply(Operation::IntDiv, _) => "/ of large integers",
        Term::Apply(op, _) if op.is_text() => "text among floats",
        _ => "an integer operation among floats",
    }
}
