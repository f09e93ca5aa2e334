//! How much of the machine a process may still use; never to be undone by it or its children.
//!
//! CPython can do this, too. But a process that was just forked pays for every page of the
//! interpreter that it touches, and every call of target code has such a process to itself.

use std::fs::read_to_string;
use std::io;
use std::mem::MaybeUninit;

use libc::{rlim_t, rlimit};
use pyo3::prelude::*;

use super::errors::{checked, os_error};

#[cfg(all(target_os = "linux", target_env = "gnu"))]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
type Resource = libc::c_int;

/// Bounds what is given: bytes of address space, seconds of processor time and processes of this
/// user on top of what is used now, and the size of files. Memory and processes stay as they
/// are where the kernel does not tell what is used. No core is written any more.
#[pyfunction]
#[pyo3(signature = (*, memory=None, file_size=None, seconds=None, processes=None))]
pub fn lower_limits(
    py: Python<'_>,
    memory: Option<rlim_t>,
    file_size: Option<rlim_t>,
    seconds: Option<f64>,
    processes: Option<rlim_t>,
) -> PyResult<()> {
    let lowered = || -> io::Result<()> {
        if let (Some(more), Some(mapped)) = (memory, mapped()) {
            lower(libc::RLIMIT_AS, mapped.saturating_add(more))?;
        }
        if let Some(size) = file_size {
            lower(libc::RLIMIT_FSIZE, size)?;
        }
        if let Some(more) = seconds {
            let whole = (processor_seconds()? + more) as rlim_t;
            lower(libc::RLIMIT_CPU, whole.saturating_add(1))?;
        }
        if let (Some(more), Some(running)) = (processes, running()) {
            lower(libc::RLIMIT_NPROC, running.saturating_add(more))?;
        }
        lower(libc::RLIMIT_CORE, 0)
    };
    lowered().map_err(|problem| os_error(py, &problem))
}

/// Sets a limit, unless the one that holds is lower.
fn lower(kind: Resource, value: rlim_t) -> io::Result<()> {
    let mut present = rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: the kernel writes one limit.
    checked(unsafe { libc::getrlimit(kind, &raw mut present) })?;
    if present.rlim_max == libc::RLIM_INFINITY || value < present.rlim_max {
        let lowered = rlimit {
            rlim_cur: value,
            rlim_max: value,
        };
        // SAFETY: the kernel reads one limit.
        checked(unsafe { libc::setrlimit(kind, &raw const lowered) })?;
    }
    Ok(())
}

/// Processor time that this process has used.
fn processor_seconds() -> io::Result<f64> {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the kernel fills in the whole structure, in which any bits are numbers.
    let usage = unsafe {
        checked(libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()))?;
        usage.assume_init()
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Ok(seconds(usage.ru_utime) + seconds(usage.ru_stime))
}

/// Bytes of address space in use; none where nobody tells, or a limit means nothing.
fn mapped() -> Option<rlim_t> {
    let told = read_to_string("/proc/self/statm").ok()?;
    let pages: rlim_t = told.split(' ').next()?.parse().ok()?;
    // SAFETY: asks for a number.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    Some(pages * rlim_t::try_from(bytes).ok()?)
}

/// How many processes and threads there are, whoever has them; the limit counts the user's.
fn running() -> Option<rlim_t> {
    let told = read_to_string("/proc/loadavg").ok()?;
    told.split(' ').nth(3)?.split('/').nth(1)?.parse().ok()
}
