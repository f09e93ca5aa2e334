//! One question a run asked about its symbolic values, and its possible answers.

use pef_logic::TermId;
use smallvec::SmallVec;

use crate::{ArmIndex, SiteId};

/// Why a symbolic value had to be replaced by its concrete one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PinReason {
    /// A C function without a model received it.
    Call(Box<str>),
    /// An operator or method of the value has no theory.
    Operation(&'static str),
}

impl std::fmt::Display for PinReason {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PinReason::Call(name) => write!(out, "argument of {name}()"),
            PinReason::Operation(name) => write!(out, "{name}"),
        }
    }
}

/// What kind of question a decision answers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DecisionKind {
    /// The test of an `if` statement.
    If,
    /// The test of a `while` loop.
    While,
    /// A step of a `for` loop over something symbolic.
    For,
    /// An operand of `and`.
    And,
    /// An operand of `or`.
    Or,
    /// An operand of `not`.
    Not,
    /// The test of a conditional expression.
    IfExp,
    /// The test of an `assert`.
    Assert,
    /// An `if` of a comprehension.
    ComprehensionIf,
    /// One link of a comparison chain.
    CompareChain,
    /// A `case` of a `match`, or its guard.
    Match,
    /// Some other place that asked for the truth of a value, such as C code.
    Truth,
    /// Which element a symbolic index means, or none.
    Index,
    /// Which key of a mapping a symbolic key means, or none.
    Key,
    /// Whether a divisor is zero.
    DivisionByZero,
    /// A domain limit of an operation: a negative shift count, a value too large.
    Domain,
    /// The type of an input or value.
    Type,
    /// Whether an attribute exists.
    Attribute,
    /// A clause of a contract.
    Contract,
    /// The shape of an input: which alternative of a union, how long a list.
    InputShape,
    /// A value that was replaced by its concrete one.
    Pin(PinReason),
}

impl DecisionKind {
    /// The name used in reports.
    pub fn name(&self) -> &'static str {
        match self {
            DecisionKind::If => "if",
            DecisionKind::While => "while",
            DecisionKind::For => "for",
            DecisionKind::And => "and",
            DecisionKind::Or => "or",
            DecisionKind::Not => "not",
            DecisionKind::IfExp => "ifexp",
            DecisionKind::Assert => "assert",
            DecisionKind::ComprehensionIf => "comprehension-if",
            DecisionKind::CompareChain => "compare-chain",
            DecisionKind::Match => "match",
            DecisionKind::Truth => "truth",
            DecisionKind::Index => "index",
            DecisionKind::Key => "key",
            DecisionKind::DivisionByZero => "division-by-zero",
            DecisionKind::Domain => "domain",
            DecisionKind::Type => "type",
            DecisionKind::Attribute => "attribute",
            DecisionKind::Contract => "contract",
            DecisionKind::InputShape => "input-shape",
            DecisionKind::Pin(_) => "pin",
        }
    }

    /// The kind with this report name, for the kinds the source map can name.
    pub fn of_source(name: &str) -> DecisionKind {
        match name {
            "if" => DecisionKind::If,
            "while" => DecisionKind::While,
            "for" => DecisionKind::For,
            "and" => DecisionKind::And,
            "or" => DecisionKind::Or,
            "not" => DecisionKind::Not,
            "ifexp" => DecisionKind::IfExp,
            "assert" => DecisionKind::Assert,
            "comprehension-if" => DecisionKind::ComprehensionIf,
            "compare-chain" => DecisionKind::CompareChain,
            "match" | "match-case" | "match-guard" => DecisionKind::Match,
            _ => DecisionKind::Truth,
        }
    }
}

/// One possible answer: its condition over the inputs and what taking it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm {
    /// Holds exactly on the inputs that take this arm.
    pub condition: TermId,
    /// Free decisions this arm adds to the depth of a path, if the decision is free.
    pub cost: u32,
}

/// A question with all its answers. Exactly one arm's condition holds on any input
/// that reaches it.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Where it was asked.
    pub site: SiteId,
    /// All answers, preferred ones first; for a yes/no question, yes then no.
    pub arms: SmallVec<[Arm; 2]>,
    /// The answer the running input gives.
    pub taken: ArmIndex,
    /// Arms other than the first are tried only when nothing else is open.
    pub last_resort: bool,
}

impl Decision {
    /// A yes/no question that costs one level of depth whichever way it goes.
    pub fn binary(site: SiteId, yes: TermId, no: TermId, taken: bool) -> Self {
        Decision::binary_costing(site, yes, no, taken, 1)
    }

    /// A yes/no question with an explicit cost (contracts cost nothing).
    pub fn binary_costing(site: SiteId, yes: TermId, no: TermId, taken: bool, cost: u32) -> Self {
        Decision {
            site,
            arms: SmallVec::from([
                Arm {
                    condition: yes,
                    cost,
                },
                Arm {
                    condition: no,
                    cost,
                },
            ]),
            taken: ArmIndex::of_bool(taken),
            last_resort: false,
        }
    }

    /// A value replaced by its concrete one. Keeping the value costs nothing; trying
    /// another one is a free decision, made when nothing else is open.
    pub fn pin(site: SiteId, same: TermId, other: TermId) -> Self {
        Decision {
            site,
            arms: SmallVec::from([
                Arm {
                    condition: same,
                    cost: 0,
                },
                Arm {
                    condition: other,
                    cost: 1,
                },
            ]),
            taken: ArmIndex::FIRST,
            last_resort: true,
        }
    }
}
