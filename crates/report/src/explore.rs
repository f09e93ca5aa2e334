//! What `pef explore` knows at the end, as plain data.
//!
//! Field names and their order are the documented JSON format (`docs/explore.schema.json`), so a
//! rename here is a change users notice. Source fragments (`call`, `args`, `result`, `condition`)
//! are Python text that evaluates back.

use serde::{Deserialize, Serialize, Serializer};

use crate::ordered_object;

/// Everything one `pef explore` run has to say.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ExploreReport {
    /// `module:qualified.name`.
    pub function: String,
    /// Source file, as the user would name it.
    pub file: String,
    /// Line of the `def`, from 1.
    pub line: u32,
    /// The paths, in the order they were found.
    pub paths: Vec<PathReport>,
    /// Totals, and what stayed open.
    pub summary: Summary,
}

/// One path through the function: the input that takes it and what happened.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct PathReport {
    /// The whole call, to be pasted.
    pub call: String,
    /// Positional arguments.
    pub args: Vec<String>,
    /// Keyword arguments, in call order.
    #[serde(with = "ordered_object")]
    pub kwargs: Vec<(String, String)>,
    /// How the path ended.
    pub outcome: Outcome,
    /// `repr` of the returned value, if it returned.
    pub result: Option<String>,
    /// What was raised, if it raised.
    pub exception: Option<ExceptionReport>,
    /// What the call wrote to standard output.
    pub stdout: String,
    /// What the call wrote to standard error.
    pub stderr: String,
    /// The path condition, one conjunct each, over the parameters.
    pub condition: Vec<String>,
    /// Every decision on the way, forced ones included.
    pub decisions: Vec<DecisionReport>,
    /// Free decisions on the path.
    pub depth: u32,
    /// Values that lost their symbolic part on the way.
    pub pins: Vec<PinReport>,
    /// Whether a replay in plain Python ended the same way.
    pub reproduced: bool,
    /// What the replay did instead, if it differed.
    pub replay: Option<String>,
    /// More about a timeout, crash, exit or pruning: the signal, the status, the bound.
    pub detail: Option<String>,
    /// The contract clause this path violates.
    pub contract: Option<ContractReport>,
}

/// How a path ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The function returned.
    #[default]
    Returned,
    /// An exception left the function.
    Raised,
    /// A bound stopped the path before its end.
    Pruned,
    /// The call did not end in time.
    Timeout,
    /// The interpreter died.
    Crash,
    /// The call ended the process without an exception.
    Exit,
}

impl Outcome {
    /// The word used in reports.
    ///
    /// ```
    /// assert_eq!(pef_report::Outcome::Raised.name(), "raised");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Returned => "returned",
            Outcome::Raised => "raised",
            Outcome::Pruned => "pruned",
            Outcome::Timeout => "timeout",
            Outcome::Crash => "crash",
            Outcome::Exit => "exit",
        }
    }

    /// The outcome a report calls `name`, if there is one.
    ///
    /// ```
    /// use pef_report::Outcome;
    /// assert_eq!(Outcome::from_name("exit"), Some(Outcome::Exit));
    /// assert_eq!(Outcome::from_name("vanished"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }

    const ALL: [Self; 6] = [
        Self::Returned,
        Self::Raised,
        Self::Pruned,
        Self::Timeout,
        Self::Crash,
        Self::Exit,
    ];
}

/// An exception that left the function.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExceptionReport {
    /// Qualified type name; builtins without their module.
    #[serde(rename = "type")]
    pub type_name: String,
    /// `str()` of the exception.
    pub message: String,
    /// File of the innermost frame in the analysed project.
    pub file: Option<String>,
    /// Line in that file.
    pub line: Option<u32>,
}

/// One decision of a path.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionReport {
    /// File of the decision.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; unknown before Python 3.11.
    pub column: Option<u32>,
    /// What decided: `if`, `while`, `and`, `type`, ...
    pub kind: String,
    /// Which way it went.
    pub outcome: DecisionOutcome,
    /// Whether the other way was possible too; only free decisions cost depth.
    pub free: bool,
}

/// Which way a decision went.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum DecisionOutcome {
    /// The truth of a condition.
    Truth(bool),
    /// The position of the chosen candidate.
    Choice(u64),
    /// The name of the chosen alternative.
    Named(String),
}

/// A symbolic value that was fixed to its concrete value because something had no model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct PinReport {
    /// The pinned expression, over the parameters, if it can be written.
    pub expression: Option<String>,
    /// The value it was pinned to.
    pub value: Option<String>,
    /// Why.
    pub reason: String,
    /// Where, if a line of the program asked for it.
    pub file: Option<String>,
    /// Line in that file.
    pub line: Option<u32>,
}

/// A violated contract clause.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContractReport {
    /// `ensure`, `raises`, ...
    pub kind: String,
    /// The clause as written.
    pub text: String,
    /// Its line, from 1, in the file of the function.
    pub line: u32,
}

/// Totals of a run, and an explicit record of what was not explored.
///
/// Every path is counted exactly once: a path that was not reproduced only as such, any other by
/// its outcome.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Summary {
    /// All paths.
    pub paths: u64,
    /// Paths that returned.
    pub returned: u64,
    /// Paths that raised.
    pub raised: u64,
    /// Paths a bound stopped.
    pub pruned: u64,
    /// Free decisions on the deepest path.
    pub depth: u32,
    /// Whether no other path exists.
    pub exhaustive: bool,
    /// If not exhaustive: why.
    pub open: Vec<String>,
    /// Wall time.
    #[serde(serialize_with = "to_the_tenth_of_a_millisecond")]
    pub seconds: f64,
    /// Paths that did not end in time.
    pub timeout: u64,
    /// Paths that killed the interpreter.
    pub crash: u64,
    /// Paths that ended the process.
    pub exit: u64,
    /// Paths whose replay differed.
    pub not_reproduced: u64,
    /// Reproduced paths that violate a contract.
    pub violated: u64,
    /// Paths on which a value was pinned.
    pub pinned: u64,
    /// Branch coverage of the function's file, if measured.
    pub coverage: Option<CoverageReport>,
}

/// Branch coverage: each test has two branches.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct CoverageReport {
    /// Branches there are.
    pub branches: u64,
    /// Branches some path took.
    pub covered: u64,
    /// The others.
    pub missing: Vec<MissedBranch>,
}

/// A branch no path took.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MissedBranch {
    /// Line of the test, from 1.
    pub line: u32,
    /// Column, from 1; unknown before Python 3.11.
    pub column: Option<u32>,
    /// The outcome that was never seen.
    pub outcome: bool,
}

impl Summary {
    /// Adds one path to the totals; `exhaustive`, `open`, `seconds` and `coverage` are the caller's.
    pub fn count(&mut self, path: &PathReport) {
        self.paths += 1;
        self.depth = self.depth.max(path.depth);
        self.violated += u64::from(path.reproduced && path.contract.is_some());
        self.pinned += u64::from(!path.pins.is_empty());
        *self.counter(path) += 1;
    }

    fn counter(&mut self, path: &PathReport) -> &mut u64 {
        // A pruned path has no ending that a replay could reproduce.
        if path.outcome != Outcome::Pruned && !path.reproduced {
            return &mut self.not_reproduced;
        }
        match path.outcome {
            Outcome::Pruned => &mut self.pruned,
            Outcome::Returned => &mut self.returned,
            Outcome::Raised => &mut self.raised,
            Outcome::Timeout => &mut self.timeout,
            Outcome::Crash => &mut self.crash,
            Outcome::Exit => &mut self.exit,
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature serde asks for"
)]
pub(crate) fn to_the_tenth_of_a_millisecond<S: Serializer>(
    seconds: &f64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((seconds * 1e4).round() / 1e4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(outcome: Outcome, reproduced: bool, depth: u32) -> PathReport {
        PathReport {
            outcome,
            depth,
            reproduced,
            ..PathReport::default()
        }
    }

    #[test]
    fn every_path_is_counted_exactly_once() {
        let mut summary = Summary::default();
        for outcome in Outcome::ALL {
            summary.count(&path(outcome, true, 1));
            summary.count(&path(outcome, false, 3));
        }
        let by_ending = summary.returned
            + summary.raised
            + summary.pruned
            + summary.timeout
            + summary.crash
            + summary.exit
            + summary.not_reproduced;
        assert_eq!((summary.paths, by_ending), (12, 12));
        assert_eq!(
            (summary.pruned, summary.not_reproduced, summary.depth),
            (2, 5, 3)
        );
    }

    #[test]
    fn a_violation_counts_only_if_it_was_reproduced() {
        let mut summary = Summary::default();
        for reproduced in [true, false] {
            let contract = Some(ContractReport::default());
            summary.count(&PathReport {
                contract,
                ..path(Outcome::Returned, reproduced, 0)
            });
        }
        assert_eq!(summary.violated, 1);
    }

    #[test]
    fn every_outcome_is_found_by_its_name_and_serialises_as_it() {
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::from_name(outcome.name()), Some(outcome));
            let json = serde_json::to_value(outcome).unwrap();
            assert_eq!(json, outcome.name());
        }
    }
}
