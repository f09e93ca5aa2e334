//! Operations on text and floats: the concrete result and the term, from one definition.
//!
//! The concrete side is computed by the evaluator of the term language itself, so that it cannot differ
//! from the term. `pef._native.apply` gives the models in Python all operations by name.

use pef_logic::{
    CharClass, CharMap, Function, Language, Operation, Pattern, Rounding, TermId, TermPool,
    TextKind, Value,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::{characters, lift};
use crate::boundary::{Made, Obj, Raised};
use crate::recorder;

/// The result of an operation on plain or symbolic operands.
pub fn computed(op: Operation, operands: &[Obj]) -> Made {
    evaluated(|_| op, operands)
}

/// The truth of an operation that has one, with its term.
pub fn computed_truth(op: Operation, operands: &[Obj]) -> Option<(bool, TermId)> {
    let (value, term) = evaluate(|_| op, operands)?;
    Some((value.as_bool()?, term?))
}

fn evaluated(op: impl FnOnce(&mut TermPool) -> Operation, operands: &[Obj]) -> Made {
    match evaluate(op, operands) {
        Some((value, Some(term))) => lift::object(&value, term),
        Some((value, None)) => lift::plain(&value),
        None => Err(lift::unfit("an argument")),
    }
}

/// The value and, during a run, the term.
fn evaluate(
    op: impl FnOnce(&mut TermPool) -> Operation,
    operands: &[Obj],
) -> Option<(Value, Option<TermId>)> {
    let values: Vec<Value> = operands
        .iter()
        .map(|&operand| lift::value(operand))
        .collect::<Option<_>>()?;
    let terms: Option<Vec<TermId>> = operands
        .iter()
        .map(|&operand| lift::term(operand))
        .collect();
    let Some(terms) = terms else {
        let mut pool = TermPool::new();
        let op = op(&mut pool);
        return Some((pef_logic::apply::apply(&pool, op, &values).ok()?, None));
    };
    recorder::build(|pool| {
        let op = op(pool);
        let value = pef_logic::apply::apply(pool, op, &values).ok()?;
        Some((value, Some(pool.apply(op, &terms))))
    })
    .flatten()
}

/// A set of characters.
#[pyclass(frozen, name = "CharClass", module = "pef._native")]
pub struct ClassHandle(CharClass);

#[pymethods]
impl ClassHandle {
    /// The set of all characters in the given inclusive ranges of code points.
    #[new]
    fn new(ranges: Vec<(u32, u32)>) -> Self {
        ClassHandle(CharClass::new(ranges))
    }

    /// The characters in the ranges for which `str.is<name>` is true, each for itself; None if only Python can tell.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "made of a Python list")]
    fn named(name: &str, within: Vec<(u32, u32)>) -> Option<Self> {
        characters::named(name, &within).map(ClassHandle)
    }

    /// The other characters, up to `last`.
    fn complement(&self, last: u32) -> Self {
        ClassHandle(self.0.complement(last))
    }

    /// The characters of either.
    fn union(&self, other: &Self) -> Self {
        ClassHandle(self.0.union(&other.0))
    }

    /// The inclusive ranges, ascending.
    fn ranges(&self) -> Vec<(u32, u32)> {
        self.0.ranges().to_vec()
    }

    fn __contains__(&self, code: u32) -> bool {
        self.0.contains(code)
    }
}

/// A map of characters.
#[pyclass(frozen, name = "CharMap", module = "pef._native")]
pub struct MapHandle(CharMap);

#[pymethods]
impl MapHandle {
    /// The map that changes the first of each pair of code points to the second.
    #[new]
    fn new(pairs: Vec<(u32, u32)>) -> Self {
        MapHandle(CharMap::new(pairs))
    }
}

/// A regular language.
#[pyclass(frozen, name = "Language", module = "pef._native")]
pub struct LanguageHandle(Language);

#[pymethods]
impl LanguageHandle {
    /// The language of a pattern: `None` (empty text), a `CharClass` (one character), a list (one after the other), or a tuple:
    /// `("choice", pattern, ...)`, `("repeat", pattern, least, most or None)`.
    #[new]
    fn new(pattern: &Bound<'_, PyAny>) -> PyResult<Self> {
        let language = Language::new(read_pattern(pattern)?);
        language
            .map(LanguageHandle)
            .ok_or_else(|| PyValueError::new_err("the pattern is too large"))
    }
}

fn read_pattern(pattern: &Bound<'_, PyAny>) -> PyResult<Pattern> {
    if pattern.is_none() {
        return Ok(Pattern::Empty);
    }
    if let Ok(class) = pattern.cast::<ClassHandle>() {
        return Ok(Pattern::Class(class.get().0.clone()));
    }
    if let Ok(parts) = pattern.cast::<PyList>() {
        let parts = parts.iter().map(|part| read_pattern(&part));
        return Ok(Pattern::Sequence(parts.collect::<PyResult<_>>()?));
    }
    let parts = pattern.cast::<PyTuple>()?;
    let kind: String = parts.get_item(0)?.extract()?;
    match kind.as_str() {
        "choice" => {
            let choices = parts.iter().skip(1).map(|part| read_pattern(&part));
            Ok(Pattern::Choice(choices.collect::<PyResult<_>>()?))
        }
        "repeat" => Ok(Pattern::Repeat {
            body: Box::new(read_pattern(&parts.get_item(1)?)?),
            least: parts.get_item(2)?.extract()?,
            most: parts.get_item(3)?.extract()?,
        }),
        other => Err(PyValueError::new_err(format!("no pattern '{other}'"))),
    }
}

/// `apply(name, *operands, table=None)`: an operation of the term language. `table` is the class,
/// map, language or base of those that have one.
#[pyfunction]
#[pyo3(signature = (name, *operands, table=None))]
fn apply<'py>(
    py: Python<'py>,
    name: &str,
    operands: &Bound<'py, PyTuple>,
    table: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let named = Named::read(name, table)?;
    let operands: Vec<Obj> = operands.iter().map(|operand| operand.as_ptr()).collect();
    match evaluated(|pool| named.operation(pool), &operands) {
        // SAFETY: a new reference.
        Ok(object) => Ok(unsafe { Bound::from_owned_ptr(py, object) }),
        Err(Raised) => Err(PyErr::fetch(py)),
    }
}

/// An operation whose table is not yet one of a pool.
enum Named<'py> {
    Plain(Operation),
    Class(fn(pef_logic::ClassId) -> Operation, Bound<'py, ClassHandle>),
    Map(fn(pef_logic::MapId) -> Operation, Bound<'py, MapHandle>),
    Language(Bound<'py, LanguageHandle>),
    Classes(
        fn(pef_logic::ClassId, pef_logic::ClassId) -> Operation,
        (Bound<'py, ClassHandle>, Bound<'py, ClassHandle>),
    ),
    Expansion(Parts<'py>),
}

/// The tables of an expansion: what comes first; the units with a second part, and that; the same of
/// the third.
type Parts<'py> = (
    Bound<'py, MapHandle>,
    (Bound<'py, ClassHandle>, Bound<'py, MapHandle>),
    (Bound<'py, ClassHandle>, Bound<'py, MapHandle>),
);

impl<'py> Named<'py> {
    fn read(name: &str, table: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let missing = || PyTypeError::new_err(format!("operation '{name}' needs a table"));
        let table = |_: &str| table.ok_or_else(missing);
        Ok(match name {
            "span" => Named::Class(Operation::Span, table(name)?.cast()?.clone()),
            "rspan" => Named::Class(Operation::RSpan, table(name)?.cast()?.clone()),
            "in_class" => Named::Class(Operation::InClass, table(name)?.cast()?.clone()),
            "without" => Named::Class(Operation::Without, table(name)?.cast()?.clone()),
            "shown" => Named::Class(Operation::Shown, table(name)?.cast()?.clone()),
            "map_text" => Named::Map(Operation::MapText, table(name)?.cast()?.clone()),
            "map_code" => Named::Map(Operation::MapCode, table(name)?.cast()?.clone()),
            "expand" => Named::Expansion(table(name)?.extract()?),
            "final_sigma" => Named::Classes(Operation::FinalSigma, table(name)?.extract()?),
            "matches" => Named::Language(table(name)?.cast()?.clone()),
            "to_int" => Named::Plain(Operation::ToInt(table(name)?.extract()?)),
            "from_int" => Named::Plain(Operation::FromInt(TextKind::Str, table(name)?.extract()?)),
            _ => {
                Named::Plain(plain_operation(name).ok_or_else(|| {
                    PyValueError::new_err(format!("there is no operation '{name}'"))
                })?)
            }
        })
    }

    fn operation(&self, pool: &mut TermPool) -> Operation {
        match self {
            Named::Plain(op) => *op,
            Named::Class(op, class) => op(pool.intern_class(class.get().0.clone())),
            Named::Map(op, map) => op(pool.intern_map(map.get().0.clone())),
            Named::Classes(op, (first, second)) => {
                let first = pool.intern_class(first.get().0.clone());
                op(first, pool.intern_class(second.get().0.clone()))
            }
            Named::Expansion((first, (longer, second), (longest, third))) => {
                Operation::Expand(pef_logic::Expansion {
                    first: pool.intern_map(first.get().0.clone()),
                    longer: pool.intern_class(longer.get().0.clone()),
                    second: pool.intern_map(second.get().0.clone()),
                    longest: pool.intern_class(longest.get().0.clone()),
                    third: pool.intern_map(third.get().0.clone()),
                })
            }
            Named::Language(language) => {
                Operation::Matches(pool.intern_language(language.get().0.clone()))
            }
        }
    }
}

fn plain_operation(name: &str) -> Option<Operation> {
    use Operation as Op;
    Some(match name {
        "length" => Op::Length,
        "at" => Op::At,
        "concat" => Op::Concat,
        "slice" => Op::Slice,
        "from_code" => Op::FromCode(TextKind::Str),
        "from_byte" => Op::FromCode(TextKind::Bytes),
        "as_str" => Op::Recode(TextKind::Str),
        "as_bytes" => Op::Recode(TextKind::Bytes),
        "find" => Op::Find,
        "rfind" => Op::RFind,
        "contains" => Op::Contains,
        "starts_with" => Op::StartsWith,
        "ends_with" => Op::EndsWith,
        "text_eq" => Op::TextEq,
        "float_add" => Op::FloatAdd,
        "float_sub" => Op::FloatSub,
        "float_mul" => Op::FloatMul,
        "float_div" => Op::FloatDiv,
        "float_floor_div" => Op::FloatFloorDiv,
        "float_mod" => Op::FloatMod,
        "float_remainder" => Op::FloatRemainder,
        "float_pow" => Op::FloatPow,
        "float_neg" => Op::FloatNeg,
        "float_abs" => Op::FloatAbs,
        "copysign" => Op::CopySign,
        "float_floor" => Op::FloatRound(Rounding::Down),
        "float_ceil" => Op::FloatRound(Rounding::Up),
        "float_trunc" => Op::FloatRound(Rounding::TowardsZero),
        "float_round" => Op::FloatRound(Rounding::HalfEven),
        "float_eq" => Op::FloatEq,
        "float_lt" => Op::FloatLt,
        "float_le" => Op::FloatLe,
        "is_nan" => Op::IsNan,
        "is_negative" => Op::IsNegative,
        "float_from_int" => Op::FloatFromInt,
        "float_to_int" => Op::FloatToInt,
        "int_eq_float" => Op::IntEqFloat,
        "int_lt_float" => Op::IntLtFloat,
        "int_le_float" => Op::IntLeFloat,
        "int_gt_float" => Op::IntGtFloat,
        "int_ge_float" => Op::IntGeFloat,
        "int_div" => Op::IntDiv,
        _ => return function(name).map(Op::Call),
    })
}

fn function(name: &str) -> Option<Function> {
    Some(match name {
        "sqrt" => Function::Sqrt,
        "exp" => Function::Exp,
        "expm1" => Function::ExpM1,
        "log" => Function::Log,
        "log1p" => Function::Log1P,
        "log2" => Function::Log2,
        "log10" => Function::Log10,
        "sin" => Function::Sin,
        "cos" => Function::Cos,
        "tan" => Function::Tan,
        "asin" => Function::Asin,
        "acos" => Function::Acos,
        "atan" => Function::Atan,
        "sinh" => Function::Sinh,
        "cosh" => Function::Cosh,
        "tanh" => Function::Tanh,
        _ => return None,
    })
}

/// Adds the operations and their tables to the module.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ClassHandle>()?;
    module.add_class::<MapHandle>()?;
    module.add_class::<LanguageHandle>()?;
    module.add_function(wrap_pyfunction!(apply, module)?)
}
