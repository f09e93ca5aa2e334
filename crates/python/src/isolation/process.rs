//! What a process can ask the kernel to make of it.

use std::io;

use libc::{c_int, c_ulong};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::errors::{checked, os_error};

/// Bytes of the name of a thread, the last of which is zero.
const NAME_BYTES: usize = 16;

/// What comes before any restriction of oneself: no program that is started gains rights.
pub fn give_up_privileges() -> io::Result<()> {
    set(libc::PR_SET_NO_NEW_PRIVS, 1)
}

/// Sets one property of this process that is a number.
fn set(property: c_int, value: c_ulong) -> io::Result<()> {
    let nothing: c_ulong = 0;
    // SAFETY: the properties below are numbers; nothing is read or written through one.
    checked(unsafe { libc::prctl(property, value, nothing, nothing, nothing) })?;
    Ok(())
}

/// Becomes the parent of whatever a child leaves behind, even in another session.
#[pyfunction]
pub fn become_reaper(py: Python<'_>) -> PyResult<()> {
    set(libc::PR_SET_CHILD_SUBREAPER, 1).map_err(|problem| os_error(py, &problem))
}

/// Lets the kernel kill this process when the thread that forked it ends.
#[pyfunction]
pub fn die_with_parent(py: Python<'_>) -> PyResult<()> {
    set(libc::PR_SET_PDEATHSIG, libc::SIGKILL as c_ulong).map_err(|problem| os_error(py, &problem))
}

/// Lets processes of this user read our memory where only ancestors may (Yama).
#[pyfunction]
pub fn be_readable() {
    // A kernel without Yama knows no such property, and asks for no leave.
    let _ = set(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY);
}

/// Gives this thread another name and returns the one it had.
#[pyfunction]
pub fn rename_thread(py: Python<'_>, name: &[u8]) -> PyResult<Vec<u8>> {
    let mut before = [0u8; NAME_BYTES];
    let mut after = [0u8; NAME_BYTES];
    let Some(room) = after[..NAME_BYTES - 1].get_mut(..name.len()) else {
        return Err(PyValueError::new_err("too long for the name of a thread"));
    };
    room.copy_from_slice(name);
    // SAFETY: the kernel writes the bytes of a name, the last of them zero.
    checked(unsafe { libc::prctl(libc::PR_GET_NAME, before.as_mut_ptr()) })
        // SAFETY: the kernel reads up to the zero at the end.
        .and_then(|_| checked(unsafe { libc::prctl(libc::PR_SET_NAME, after.as_ptr()) }))
        .map_err(|problem| os_error(py, &problem))?;
    let length = before.iter().position(|&byte| byte == 0);
    Ok(before[..length.unwrap_or(NAME_BYTES)].to_vec())
}
