//! The calls that led to a failure.
//!
//! A traceback is long where a report should be short: callers are shown from the failure outwards, a
//! call that repeats itself is shown once with its number, the middle of a long chain is counted, and
//! of the frames below the reported place (library code called from there) only the last is shown.

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
    if let (Some(own), Some(last)) = (own, finding.trace.last())
        && own + 1 < finding.trace.len()
    {
        elements.push(element(last, "raised in", sources));
    }
    let calls = nearest_first(&finding.trace[..own.unwrap_or(finding.trace.len())]);
    let hidden = match calls.len().saturating_sub(NEAREST + OUTERMOST) {
        // One call is not longer than the line that counts it.
        1 => 0,
        hidden => hidden,
    };
    for (position, call) in calls.iter().enumerate() {
        if hidden == 0 || !(NEAREST..NEAREST + hidden).contains(&position) {
            elements.push(element(call.frame, &call.relation(), sources));
        }
    }
    if hidden > 0 {
        let frames = calls[NEAREST..NEAREST + hidden].iter();
        let frames = frames.map(|call| call.times).sum();
        let remark = format!("{} in between", counted(frames, "more call"));
        elements.push(Level::NOTE.message(remark).into());
    }
    elements
}

/// A frame and how often it follows itself.
struct Call<'trace> {
    frame: &'trace Frame,
    times: u64,
}

impl Call<'_> {
    fn relation(&self) -> String {
        match self.times {
            1 => "called from".to_owned(),
            times => format!("called {} from", counted(times, "time")),
        }
    }
}

fn nearest_first(callers: &[Frame]) -> Vec<Call<'_>> {
    let mut calls: Vec<Call> = Vec::new();
    for frame in callers.iter().rev() {
        match calls.last_mut() {
            Some(call) if call.frame == frame => call.times += 1,
            _ => calls.push(Call { frame, times: 1 }),
        }
    }
    calls
}

fn element(frame: &Frame, relation: &str, sources: &mut Sources) -> Element<'static> {
    let region = frame.region();
    let label = format!("{relation} {}", visible(&frame.function));
    match Quote::find(sources, &frame.file, region, &frame.source) {
        Some(quote) => quote.element(&frame.file, AnnotationKind::Context, Some(label)),
        None => origin(&frame.file, region).into(),
    }
}
