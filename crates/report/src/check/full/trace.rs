//! The calls that led to a failure.
//!
//! A traceback is long where a report should be short: nearest callers are shown first, the middle of
//! a deep recursion is counted, and of the frames below the reported place (library code that was
//! called from there) only the one that raised is shown.

use annotate_snippets::{AnnotationKind, Element, Level};

use super::quote::{Quote, origin};
use crate::check::totals::counted;
use crate::check::{Finding, Frame, Sources};
use crate::palette::visible;

/// Callers shown nearest to the failure.
const NEAREST: usize = 4;
/// Callers shown at the outside, if some between are not.
const OUTERMOST: usize = 1;

/// The position in the trace of the frame the finding points at.
pub(super) fn own_frame(finding: &Finding) -> Option<usize> {
    finding
        .trace
        .iter()
        .rposition(|frame| frame.file == finding.file && frame.line == finding.line)
}

/// The other frames, as parts of the finding's block.
pub(super) fn elements(finding: &Finding, sources: &mut Sources) -> Vec<Element<'static>> {
    let own = own_frame(finding);
    let mut elements = Vec::new();
    if let (Some(own), Some(raiser)) = (own, finding.trace.last())
        && own + 1 < finding.trace.len()
    {
        elements.push(element(raiser, "raised in", sources));
    }
    let callers = &finding.trace[..own.unwrap_or(finding.trace.len())];
    let mut nearest_first = callers.iter().rev();
    if callers.len() <= NEAREST + OUTERMOST + 1 {
        elements.extend(nearest_first.map(|frame| element(frame, "called from", sources)));
        return elements;
    }
    for frame in nearest_first.by_ref().take(NEAREST) {
        elements.push(element(frame, "called from", sources));
    }
    let skipped = callers.len() - NEAREST - OUTERMOST;
    let remark = format!("{} between not shown", counted(skipped as u64, "call"));
    for frame in nearest_first.skip(skipped) {
        elements.push(element(frame, "called from", sources));
    }
    elements.push(Level::NOTE.message(remark).into());
    elements
}

fn element(frame: &Frame, relation: &str, sources: &mut Sources) -> Element<'static> {
    let region = frame.region();
    let label = format!("{relation} {}", visible(&frame.function));
    match Quote::find(sources, &frame.file, region, &frame.source) {
        Some(quote) => quote.element(&frame.file, AnnotationKind::Context, Some(label)),
        None => origin(&frame.file, region).into(),
    }
}
