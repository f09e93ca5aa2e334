//! What is open and what was not analysed, in few lines.
//!
//! A project has many functions and few reasons, so functions with the same verdict for the same
//! reasons share a line. Proved functions are only counted, unless every function is asked for.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Look;
use crate::check::totals::counted;
use crate::check::{Function, Verdict};
use crate::palette::{Role, visible};

/// Groups shown for each verdict; there are more where reasons name the function they are about.
const MOST_GROUPS: usize = 20;

/// The lines, best verdict first; functions are in the order given.
pub(super) fn lines(look: Look, functions: &[Function]) -> String {
    if look.verbose {
        return functions.iter().map(|one| every(look, one)).collect();
    }
    [Verdict::NoErrorFound, Verdict::NotAnalysed]
        .map(|verdict| of_verdict(look, verdict, functions))
        .concat()
}

fn of_verdict(look: Look, verdict: Verdict, functions: &[Function]) -> String {
    let mut places: BTreeMap<&[String], usize> = BTreeMap::new();
    let mut groups: Vec<Vec<&Function>> = Vec::new();
    for function in functions.iter().filter(|one| one.verdict == verdict) {
        let place = *places.entry(&function.reasons).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(function),
            None => groups.push(vec![function]),
        }
    }
    let (shown, rest) = groups.split_at(groups.len().min(MOST_GROUPS));
    let mut text: String = shown.iter().map(|group| together(look, group)).collect();
    if !rest.is_empty() {
        let functions = rest.iter().map(|group| group.len() as u64).sum();
        let subject = format!("{} (-v lists them)", counted(functions, "more function"));
        text += &line(look, verdict, &subject, &[]);
    }
    text
}

/// Functions with one verdict and the same reasons.
fn together(look: Look, group: &[&Function]) -> String {
    let [first, others @ ..] = group else {
        return String::new();
    };
    let mut subject = named(first);
    if !others.is_empty() {
        let _ = write!(subject, " and {}", counted(others.len() as u64, "other"));
    }
    line(look, first.verdict, &subject, &first.reasons)
}

fn every(look: Look, function: &Function) -> String {
    if function.paths == 0 {
        return line(look, function.verdict, &named(function), &function.reasons);
    }
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
