//! From the running frame to the site of a decision.
//!
//! A branch is not marked in the rewritten code; when a symbolic value is asked for its
//! truth, the current frame and instruction say where. Each instruction is looked up
//! once, then found by its code object and offset.

use pef_explore::{DecisionKind, Site, SiteId};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyCode;
use rustc_hash::FxHashMap;

use crate::boundary::{GilCell, Obj, Raised, raise};
use crate::recorder;

/// What is known of a code object.
struct CodeInfo {
    /// Keeps the address from being reused.
    _code: Py<PyAny>,
    /// Ours: the site is that of the caller.
    internal: bool,
    file: Box<str>,
    /// `lookup(line, column, end_line, end_column) -> (kind, line, column)`.
    index: Option<Py<PyAny>>,
}

#[derive(Default)]
struct Sites {
    codes: FxHashMap<usize, CodeInfo>,
    known: FxHashMap<(usize, u32, Option<DecisionKind>), SiteId>,
    epoch: u32,
    internal_prefix: Box<str>,
}

static SITES: GilCell<Option<Sites>> = GilCell::new(None);

fn with<R>(body: impl FnOnce(&mut Sites) -> R) -> R {
    SITES.with(|sites| body(sites.get_or_insert_with(Sites::default)))
}

/// Says which files are ours: decisions made in them belong to their callers.
pub fn set_internal_prefix(prefix: &str) {
    with(|sites| sites.internal_prefix = prefix.into());
}

/// Registers a rewritten code object with the index of its file's branch sites.
pub fn register(code: &Bound<'_, PyAny>, index: &Bound<'_, PyAny>) -> PyResult<()> {
    let info = describe(code, Some(index.clone().unbind()))?;
    with(|sites| sites.codes.insert(code.as_ptr() as usize, info));
    Ok(())
}

/// Whether a code object was rewritten.
#[inline]
pub fn is_registered(code: Obj) -> bool {
    with(|sites| {
        sites
            .codes
            .get(&(code as usize))
            .is_some_and(|info| info.index.is_some())
    })
}

/// Whether a code object is one of ours, which keep symbolic values whole.
pub fn is_internal(code: Obj) -> bool {
    let known = with(|sites| sites.codes.get(&(code as usize)).map(|info| info.internal));
    known.unwrap_or_else(|| {
        Python::attach(|py| {
            // SAFETY: a live code object.
            let code = unsafe { Bound::from_borrowed_ptr(py, code) };
            let Ok(info) = describe(&code, None) else {
                return false;
            };
            let internal = info.internal;
            with(|sites| sites.codes.insert(code.as_ptr() as usize, info));
            internal
        })
    })
}

fn describe(code: &Bound<'_, PyAny>, index: Option<Py<PyAny>>) -> PyResult<CodeInfo> {
    let file: String = code.getattr("co_filename")?.extract()?;
    let prefix = with(|sites| sites.internal_prefix.clone());
    let internal = !prefix.is_empty() && file.starts_with(&*prefix);
    Ok(CodeInfo {
        _code: code.clone().unbind(),
        internal,
        file: file.into(),
        index,
    })
}

/// The site of the running instruction; `kind` overrides what the source says.
pub fn current(kind: Option<DecisionKind>) -> Result<SiteId, Raised> {
    Python::attach(|py| find(py, kind).map_err(raise))
}

fn find(py: Python<'_>, kind: Option<DecisionKind>) -> PyResult<SiteId> {
    // SAFETY: returns a borrowed frame or null.
    let frame = unsafe { ffi::PyEval_GetFrame() };
    // SAFETY: a borrowed reference that is kept alive by the new one made here.
    let mut frame = unsafe { Bound::from_borrowed_ptr_or_opt(py, frame.cast()) };
    while let Some(here) = frame {
        let (code, offset) = instruction(&here)?;
        let key = (code.as_ptr() as usize, offset, kind.clone());
        forget_other_explorations();
        if let Some(site) = with(|sites| sites.known.get(&key).copied()) {
            return Ok(site);
        }
        if with(|sites| !sites.codes.contains_key(&key.0)) {
            let info = describe(code.as_any(), None)?;
            with(|sites| sites.codes.insert(key.0, info));
        }
        if with(|sites| sites.codes.get(&key.0).is_some_and(|info| info.internal)) {
            frame = caller(&here)?;
            continue;
        }
        let site = locate(py, &here, code.as_any(), offset, kind)?;
        let site = intern(site);
        with(|sites| sites.known.insert(key, site));
        return Ok(site);
    }
    let kind = kind.unwrap_or(DecisionKind::Truth);
    Ok(intern(Site {
        file: "<unknown>".into(),
        line: 0,
        column: 0,
        kind,
        instruction: 0,
    }))
}

/// Site ids belong to one exploration's table.
fn forget_other_explorations() {
    let epoch = recorder::recording_epoch().unwrap_or(0);
    with(|sites| {
        if sites.epoch != epoch {
            sites.known.clear();
            sites.epoch = epoch;
        }
    });
}

fn intern(site: Site) -> SiteId {
    recorder::with_exploration(|search| search.sites.intern(site.clone()))
        .unwrap_or_else(|| pef_explore::SiteTable::default().intern(site))
}

fn caller<'py>(frame: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let back = frame.getattr("f_back")?;
    Ok((!back.is_none()).then_some(back))
}

#[cfg_attr(
    Py_3_11,
    expect(
        clippy::unnecessary_wraps,
        reason = "reading the offset can fail before 3.11"
    )
)]
fn instruction<'py>(frame: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyCode>, u32)> {
    // SAFETY: `frame` is a frame object; the result is a new reference.
    let code = unsafe {
        let code = ffi::PyFrame_GetCode(frame.as_ptr().cast());
        Bound::from_owned_ptr(frame.py(), code.cast()).cast_into_unchecked::<PyCode>()
    };
    #[cfg(Py_3_11)]
    // SAFETY: `frame` is a frame object.
    let offset = unsafe { ffi::PyFrame_GetLasti(frame.as_ptr().cast()) };
    #[cfg(not(Py_3_11))]
    let offset: i32 = frame.getattr("f_lasti")?.extract()?;
    Ok((code, offset.max(0) as u32))
}

fn locate(
    py: Python<'_>,
    frame: &Bound<'_, PyAny>,
    code: &Bound<'_, PyAny>,
    offset: u32,
    kind: Option<DecisionKind>,
) -> PyResult<Site> {
    let (file, index) = with(|sites| {
        let info = sites.codes.get(&(code.as_ptr() as usize));
        let index = info.and_then(|info| info.index.as_ref().map(|index| index.clone_ref(py)));
        (
            info.map(|info| info.file.clone()).unwrap_or_default(),
            index,
        )
    });
    let (source_kind, line, column) = match index {
        None => plain_place(frame, code, offset)?,
        Some(index) => {
            let found = index.bind(py).call_method1("at", (code, offset))?;
            let name: String = found.getattr("kind")?.extract()?;
            let column: u32 = found.getattr("column")?.extract()?;
            (
                DecisionKind::of_source(&name),
                found.getattr("line")?.extract()?,
                Some(column),
            )
        }
    };
    let kind = kind.unwrap_or(source_kind);
    // A position names the site better than an offset: CPython 3.11 makes the same call from
    // another instruction once it has specialised it. 3.10 knows lines only.
    let (column, instruction) = match column {
        Some(column) if cfg!(Py_3_11) => (column + 1, 0),
        _ => (0, offset),
    };
    Ok(Site {
        file: (*file).into(),
        line,
        column,
        kind,
        instruction,
    })
}

/// The place of an instruction in code that was not rewritten.
type PlainPlace = (DecisionKind, u32, Option<u32>);

#[cfg(Py_3_11)]
fn plain_place(
    frame: &Bound<'_, PyAny>,
    code: &Bound<'_, PyAny>,
    offset: u32,
) -> PyResult<PlainPlace> {
    let mut all = code.call_method0("co_positions")?.try_iter()?;
    let here = all.nth((offset / 2) as usize).transpose()?;
    let (line, _, column, _) = match here {
        Some(found) => found.extract::<(Option<u32>, Option<u32>, Option<u32>, Option<u32>)>()?,
        None => (None, None, None, None),
    };
    let line = line.map_or_else(|| current_line(frame), Ok)?;
    Ok((DecisionKind::Truth, line, column))
}

#[cfg(not(Py_3_11))]
fn plain_place(
    frame: &Bound<'_, PyAny>,
    _code: &Bound<'_, PyAny>,
    _offset: u32,
) -> PyResult<PlainPlace> {
    Ok((DecisionKind::Truth, current_line(frame)?, None))
}

fn current_line(frame: &Bound<'_, PyAny>) -> PyResult<u32> {
    Ok(frame
        .getattr("f_lineno")?
        .extract::<Option<u32>>()?
        .unwrap_or(0))
}
