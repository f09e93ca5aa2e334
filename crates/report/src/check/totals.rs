//! Counting, and the one line that says the totals.
//!
//! The counts are made here and not by the caller, so that whatever the format, the same functions and
//! findings give the same summary.

use std::fmt::Write;

use super::{Finding, Function, Severity, Summary, Verdict};

impl Summary {
    pub(super) fn count_finding(&mut self, finding: &Finding) {
        match finding.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
        }
    }

    pub(super) fn count_function(&mut self, function: &Function) {
        self.functions += 1;
        self.paths += function.paths;
        let counter = match function.verdict {
            Verdict::Error => &mut self.functions_with_errors,
            Verdict::Proved => &mut self.proved,
            Verdict::NoErrorFound => &mut self.no_error_found,
            Verdict::NotAnalysed => &mut self.not_analysed,
        };
        *counter += 1;
    }

    /// The totals as the `summary` object of a report.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// `3 errors in 2 functions; 5 proved, ...; 1,234 paths in 0.8 s`.
    pub(super) fn sentence(&self) -> String {
        let mut errors = match self.errors {
            0 => format!("no errors in {}", counted(self.functions, "function")),
            errors if self.functions_with_errors == 0 => counted(errors, "error"),
            errors => format!(
                "{} in {}",
                counted(errors, "error"),
                counted(self.functions_with_errors, "function")
            ),
        };
        if self.warnings > 0 {
            let _ = write!(errors, ", {}", counted(self.warnings, "warning"));
        }
        format!(
            "{errors}; {} proved, {} no error found (open), {} not analysed; {} in {:.1} s{}",
            grouped(self.proved),
            grouped(self.no_error_found),
            grouped(self.not_analysed),
            counted(self.paths, "path"),
            self.seconds,
            if self.interrupted {
                "; interrupted"
            } else {
                ""
            }
        )
    }
}

/// `1 error`, `2 errors`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// Digits in groups of three.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.char_indices() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        for (count, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(count), text);
        }
    }

    #[test]
    fn every_function_is_counted_once() {
        let mut summary = Summary::default();
        for verdict in [
            Verdict::Error,
            Verdict::Proved,
            Verdict::NoErrorFound,
            Verdict::NotAnalysed,
        ] {
            summary.count_function(&Function {
                verdict,
                paths: 300,
                ..Function::default()
            });
        }
        summary.count_finding(&Finding::default());
        assert_eq!(
            summary.sentence(),
            "1 error in 1 function; 1 proved, 1 no error found (open), 1 not analysed; \
             1,200 paths in 0.0 s"
        );
    }

    #[test]
    fn a_warning_is_not_an_error() {
        let mut summary = Summary {
            interrupted: true,
            ..Summary::default()
        };
        summary.count_finding(&Finding {
            severity: Severity::Warning,
            ..Finding::default()
        });
        assert_eq!(
            summary.sentence(),
            "no errors in 0 functions, 1 warning; 0 proved, 0 no error found (open), \
             0 not analysed; 0 paths in 0.0 s; interrupted"
        );
    }
}
