//! `--output-format full`: what a person reads.
//!
//! A block per finding, with the source it is about, the calls that led there and the call to paste;
//! at the end what is open, what was not analysed, and the totals. The drawing of source and carets
//! is that of `annotate-snippets`, which rustc uses too; what is quoted and said is decided here.

mod quote;
mod trace;
mod verdicts;

use std::fmt::Write;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Message, Renderer};

use self::quote::Quote;
use super::{Clause, Finding, Function, Severity, Sources, Summary};
use crate::palette::{Palette, Role, visible};

/// How text for people looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// Colours. Default: none.
    pub palette: Palette,
    /// Say something about every function, proved ones included. Default: no.
    pub verbose: bool,
    /// Columns of the terminal; longer source lines are cut. Default: 140.
    pub width: Option<usize>,
}

impl Look {
    /// The block of one finding, with the empty line after it.
    pub(super) fn finding(&self, finding: &Finding, sources: &mut Sources) -> String {
        let level = match finding.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level
            .primary_title(headline(finding))
            .id(visible(&finding.code));
        let group = Group::with_title(title)
            .element(primary(finding, sources))
            .elements(trace::elements(finding, sources))
            .elements(remarks(finding));
        self.renderer().render(&[group]) + "\n\n"
    }

    /// What comes after the last finding.
    pub(super) fn closing(
        &self,
        findings: &[Finding],
        functions: &[Function],
        summary: &Summary,
    ) -> String {
        let mut text = verdicts::lines(*self, functions);
        if let Some(finding) = findings.first() {
            let code = visible(&finding.code);
            let _ = writeln!(text, "for more about a code: pef explain {code}");
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text + &self.summary(summary)
    }

    /// The line with the totals.
    pub(super) fn summary(&self, summary: &Summary) -> String {
        let complete = summary.no_error_found + summary.not_analysed == 0 && !summary.interrupted;
        let role = match (summary.errors, complete) {
            (0, true) => Role::Good,
            (0, false) => Role::Doubt,
            _ => Role::Error,
        };
        self.palette.paint(role, &summary.sentence()) + "\n"
    }

    fn renderer(&self) -> Renderer {
        let renderer = match self.palette {
            Palette::Plain => Renderer::plain(),
            Palette::Ansi => Renderer::styled(),
        };
        match self.width {
            Some(width) => renderer.term_width(width.max(40)),
            None => renderer,
        }
    }
}

/// The title of the code and the message, which may be the same.
fn headline(finding: &Finding) -> String {
    let title = finding.title();
    if finding.message.is_empty() || finding.message.eq_ignore_ascii_case(&title) {
        return visible(&title);
    }
    visible(&format!("{title}: {}", finding.message))
}

fn primary(finding: &Finding, sources: &mut Sources) -> Element<'static> {
    let remembered = trace::own_frame(finding).map_or("", |at| &finding.trace[at].source);
    let region = finding.region();
    let raised = finding.exception.as_ref().map(|raised| &raised.type_name);
    let label = raised.filter(|name| !finding.message.contains(name.as_str()));
    let label = label.map(|name| visible(name));
    match Quote::find(sources, &finding.file, region, remembered) {
        Some(quote) => quote.element(&finding.file, AnnotationKind::Primary, label),
        None => quote::origin(&finding.file, region).into(),
    }
}

/// The lines under the source, each led by `=`.
fn remarks(finding: &Finding) -> Vec<Message<'static>> {
    let mut remarks = Vec::new();
    let mut say = |level: Level<'static>, text: &str| remarks.push(level.message(visible(text)));
    if let Some(call) = &finding.call {
        say(Level::NOTE.with_name("fails with"), call);
    }
    for line in &finding.setup {
        say(Level::NOTE.with_name("after"), line);
    }
    if let Some(clause) = &finding.contract {
        say(Level::NOTE.with_name("contract"), &clause_text(clause));
    }
    for note in &finding.notes {
        say(Level::NOTE, note);
    }
    if let Some(hint) = &finding.hint {
        say(Level::HELP, hint);
    }
    remarks
}

fn clause_text(clause: &Clause) -> String {
    let place = match (&clause.file, clause.line) {
        (Some(file), Some(line)) => format!(" ({file}:{line})"),
        (Some(file), None) => format!(" ({file})"),
        (None, _) => String::new(),
    };
    format!(":{}: {}{place}", clause.kind, clause.text)
}

#[cfg(test)]
mod tests;
