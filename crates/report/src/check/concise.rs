//! `--output-format concise`: a line per finding, as editors and `grep` like it.

use super::Finding;
use super::place::location;
use crate::palette::{Palette, Role, visible};

/// `file:line:col: PEF001 message; fails with f(...)`.
pub(super) fn finding(finding: &Finding, palette: Palette) -> String {
    let place = location(&visible(&finding.file), finding.region());
    format!(
        "{}: {} {}\n",
        palette.paint(Role::Location, &place),
        palette.paint(Role::Error, &visible(&finding.code)),
        visible(&finding.sentence())
    )
}
