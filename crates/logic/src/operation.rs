//! Operations on text and floats.
//!
//! Integers and truth values have node kinds of their own, because every layer of the solver chain looks
//! at them. Operations on text and floats are many and few layers care, so they share one kind of
//! node, [`Term::Apply`](crate::Term::Apply). All of them are total.

use crate::float::Rounding;
use crate::term::Sort;
use crate::text::TextKind;

/// Names a character class of one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub(crate) u32);

/// Names a character map of one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MapId(pub(crate) u32);

/// Names a regular language of one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LanguageId(pub(crate) u32);

/// How a unit becomes one, two or three; see [`Operation::Expand`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expansion {
    /// What every unit becomes.
    pub first: MapId,
    /// The units that become two or more.
    pub longer: ClassId,
    /// What comes second.
    pub second: MapId,
    /// Those of them that become three.
    pub longest: ClassId,
    /// What comes third.
    pub third: MapId,
}

/// A function of the C library from one float to one float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Function {
    /// `math.sqrt`; exact
    Sqrt,
    /// `math.exp`
    Exp,
    /// `math.expm1`
    ExpM1,
    /// `math.log`
    Log,
    /// `math.log1p`
    Log1P,
    /// `math.log2`
    Log2,
    /// `math.log10`
    Log10,
    /// `math.sin`
    Sin,
    /// `math.cos`
    Cos,
    /// `math.tan`
    Tan,
    /// `math.asin`
    Asin,
    /// `math.acos`
    Acos,
    /// `math.atan`
    Atan,
    /// `math.sinh`
    Sinh,
    /// `math.cosh`
    Cosh,
    /// `math.tanh`
    Tanh,
}

/// An operation on text or floats. `s`, `t` stand for text, `i`, `j` for integers, `f`, `g` for floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `len(s)`
    Length,
    /// The unit of `s` at `i`, as an integer; -1 outside the text.
    At,
    /// All operands, one after the other.
    Concat,
    /// `s` from `i` up to `j`, both clamped to the text, negative ones to 0; empty if they cross.
    Slice,
    /// The text of one unit `i`; empty if the kind has no such unit.
    FromCode(TextKind),
    /// The first position of `t` in `s` at or after `i`; -1 if there is none.
    Find,
    /// The last position of `t` in `s` that ends at or before `j`; -1 if there is none.
    RFind,
    /// `t in s`
    Contains,
    /// `s.startswith(t)`
    StartsWith,
    /// `s.endswith(t)`
    EndsWith,
    /// `s == t`
    TextEq,
    /// `s < t`, unit by unit
    TextLt,
    /// `s <= t`
    TextLe,
    /// How many units at the start of `s` are of the class.
    Span(ClassId),
    /// How many units at the end of `s` are of the class.
    RSpan(ClassId),
    /// Whether the whole of `s` is in the language.
    Matches(LanguageId),
    /// Whether the integer `i` is a unit of the class.
    InClass(ClassId),
    /// `s` with every unit mapped.
    MapText(MapId),
    /// `s` with every unit replaced by one, two or three.
    Expand(Expansion),
    /// `s` with every capital sigma that ends a word replaced by the small one that does: before it comes a
    /// unit of the first class, after it none, units of the second class aside.
    FinalSigma(ClassId, ClassId),
    /// The units of `s` as text of the kind; `?` for those it does not have. Without such units, what
    /// encoding and decoding as Latin-1 give.
    Recode(TextKind),
    /// `s` without the units of the class.
    Without(ClassId),
    /// `repr(s)`, a `str`; units of the class are printable.
    Shown(ClassId),
    /// The integer `i` mapped as a unit; itself if it is none.
    MapCode(MapId),
    /// The value of a sign and digits of the base; 0 for other text.
    ToInt(u8),
    /// The digits of `i` in the base, lower case, `-` before a negative one.
    FromInt(TextKind, u8),
    /// `f + g`
    FloatAdd,
    /// `f - g`
    FloatSub,
    /// `f * g`
    FloatMul,
    /// `f / g`, infinite or `nan` for a zero divisor as in IEEE-754
    FloatDiv,
    /// `f // g`
    FloatFloorDiv,
    /// `f % g`
    FloatMod,
    /// `math.fmod(f, g)`
    FloatRemainder,
    /// `pow(f, g)` of the C library
    FloatPow,
    /// `-f`
    FloatNeg,
    /// `abs(f)`
    FloatAbs,
    /// `math.copysign(f, g)`
    CopySign,
    /// `f` rounded to a whole number, as a float
    FloatRound(Rounding),
    /// A function of the C library.
    Call(Function),
    /// `f == g` of IEEE-754: false for `nan`, true for zeros of either sign
    FloatEq,
    /// `f < g`
    FloatLt,
    /// `f <= g`
    FloatLe,
    /// `math.isnan(f)`
    IsNan,
    /// Whether the sign bit is set; false for `nan`.
    IsNegative,
    /// `float(i)`, infinite if too large
    FloatFromInt,
    /// `int(f)`; 0 for what has no whole part
    FloatToInt,
    /// `i == f`, exactly
    IntEqFloat,
    /// `i < f`, exactly
    IntLtFloat,
    /// `i <= f`, exactly
    IntLeFloat,
    /// `i > f`, exactly
    IntGtFloat,
    /// `i >= f`, exactly
    IntGeFloat,
    /// `i / j` as Python rounds it; 0.0 for a zero divisor, infinite if too large
    IntDiv,
}

impl Operation {
    /// The sort of the result, given that of the first operand.
    pub fn sort(self, first: Sort) -> Sort {
        use Operation as Op;
        match self {
            Op::Length
            | Op::At
            | Op::Find
            | Op::RFind
            | Op::Span(_)
            | Op::RSpan(_)
            | Op::MapCode(_)
            | Op::ToInt(_)
            | Op::FloatToInt => Sort::Int,
            Op::Concat
            | Op::Slice
            | Op::MapText(_)
            | Op::Expand(_)
            | Op::FinalSigma(..)
            | Op::Without(_) => first,
            Op::Shown(_) => Sort::Str,
            Op::FromCode(kind) | Op::FromInt(kind, _) | Op::Recode(kind) => kind.sort(),
            Op::Contains
            | Op::StartsWith
            | Op::EndsWith
            | Op::TextEq
            | Op::TextLt
            | Op::TextLe
            | Op::Matches(_)
            | Op::InClass(_)
            | Op::FloatEq
            | Op::FloatLt
            | Op::FloatLe
            | Op::IsNan
            | Op::IsNegative
            | Op::IntEqFloat
            | Op::IntLtFloat
            | Op::IntLeFloat
            | Op::IntGtFloat
            | Op::IntGeFloat => Sort::Bool,
            Op::FloatAdd
            | Op::FloatSub
            | Op::FloatMul
            | Op::FloatDiv
            | Op::FloatFloorDiv
            | Op::FloatMod
            | Op::FloatRemainder
            | Op::FloatPow
            | Op::FloatNeg
            | Op::FloatAbs
            | Op::CopySign
            | Op::FloatRound(_)
            | Op::Call(_)
            | Op::FloatFromInt
            | Op::IntDiv => Sort::Float,
        }
    }

    /// Whether the operation is about text, not floats.
    pub fn is_text(self) -> bool {
        use Operation as Op;
        match self {
            Op::Length
            | Op::At
            | Op::Concat
            | Op::Slice
            | Op::FromCode(_)
            | Op::Find
            | Op::RFind
            | Op::Contains
            | Op::StartsWith
            | Op::EndsWith
            | Op::TextEq
            | Op::TextLt
            | Op::TextLe
            | Op::Span(_)
            | Op::RSpan(_)
            | Op::Matches(_)
            | Op::InClass(_)
            | Op::MapText(_)
            | Op::Expand(_)
            | Op::FinalSigma(..)
            | Op::Without(_)
            | Op::Shown(_)
            | Op::Recode(_)
            | Op::MapCode(_)
            | Op::ToInt(_)
            | Op::FromInt(..) => true,
            Op::FloatAdd
            | Op::FloatSub
            | Op::FloatMul
            | Op::FloatDiv
            | Op::FloatFloorDiv
            | Op::FloatMod
            | Op::FloatRemainder
            | Op::FloatPow
            | Op::FloatNeg
            | Op::FloatAbs
            | Op::CopySign
            | Op::FloatRound(_)
            | Op::Call(_)
            | Op::FloatEq
            | Op::FloatLt
            | Op::FloatLe
            | Op::IsNan
            | Op::IsNegative
            | Op::FloatFromInt
            | Op::FloatToInt
            | Op::IntEqFloat
            | Op::IntLtFloat
            | Op::IntLeFloat
            | Op::IntGtFloat
            | Op::IntGeFloat
            | Op::IntDiv => false,
        }
    }
}
