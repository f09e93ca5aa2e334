//! What is open and what was not analysed, in few lines.
//!
//! A project has many functions and few reasons, so functions with the same verdict for the same
//! reasons share a line. Proved functions are only counted, unless every function is asked for.

use std::collections::BTreeMap;

use super::Look;
use crate::check::totals::counted;
use crate::check::{Function, Verdict};
use crate::palette::{Role, visible};

/// The lines, best verdict first; functions are in the order given.
pub(super) fn lines(look: Look, functions: &[Function]) -> String {
    if look.verbose {
        return functions.iter().map(|one| every(look, one)).collect();
    }
    let mut groups: BTreeMap<(Verdict, &[String]), Vec<&Function>> = BTreeMap::new();
    for function in functions {
        if matches!(
            function.verdict,
            Verdict::NoErrorFound | Verdict::NotAnalysed
        ) {
            let key = (function.verdict, function.reasons.as_slice());
            groups.entry(key).or_default().push(function);
        }
    }
    groups
        .into_iter()
        .map(|((verdict, reasons), group)| {
            let subject = match group.as_slice() {
                [one] => named(one),
                [first, others @ ..] => {
                    let others = counted(others.len() as u64, "other");
                    format!("{} and {others}", named(first))
                }
                [] => String::new(),
            };
            line(look, verdict, &subject, reasons)
        })
        .collect()
}

fn every(look: Look, function: &Function) -> String {
    let effort = format!(
        "{} ({}, depth {}, {:.2} s{})",
        named(function),
        counted(function.paths, "path"),
        function.depth,
        function.seconds,
        if function.cached { ", cached" } else { "" }
    );
    line(look, function.verdict, &effort, &function.reasons)
}

fn line(look: Look, verdict: Verdict, subject: &str, reasons: &[String]) -> String {
    let role = match verdict {
        Verdict::Error => Role::Error,
        Verdict::Proved => Role::Good,
        Verdict::NoErrorFound | Verdict::NotAnalysed => Role::Doubt,
    };
    let mut text = format!(
        "{}: {}",
        look.palette.paint(role, verdict.words()),
        visible(subject)
    );
    if !reasons.is_empty() {
        text += ": ";
        text += &visible(&reasons.join("; "));
    }
    text + "\n"
}

fn named(function: &Function) -> String {
    format!("{}:{} {}", function.file, function.line, function.name)
}
