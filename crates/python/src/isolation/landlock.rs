//! Files: a process keeps the right to read all of them and to change only some.
//!
//! Landlock (Linux 5.13 and later) knows no rule for what can be changed without being opened:
//! mode, owner and times are up to `pef.isolation.hook` and `pef.isolation.warden` alone.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::ptr::{from_ref, null};

use libc::{c_int, c_long};
use pyo3::prelude::*;

use super::errors::{checked, os_error};
use super::process::give_up_privileges;

const CREATE_RULESET_VERSION: u32 = 1;
const RULE_PATH_BENEATH: c_int = 1;

const WRITE_FILE: u64 = 1 << 1;
/// Remove directories and files; make character devices, directories, regular files, sockets,
/// fifos, block devices and links.
const CHANGE_FOLDERS: u64 = 0b1_1111_1111 << 4;
const REFER: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;
/// Of these, what there is to allow for something that is no folder.
const OF_FILES: u64 = WRITE_FILE | TRUNCATE;

const SCOPE_ABSTRACT_SOCKET: u64 = 1;
const SCOPE_SIGNAL: u64 = 2;

/// What is given up wherever no rule allows it; later kernels know more fields.
#[repr(C)]
struct RulesetAttributes {
    handled_access_fs: u64,
    handled_access_net: u64,
    scoped: u64,
}

#[repr(C, packed)]
struct PathBeneath {
    allowed_access: u64,
    parent_fd: i32,
}

impl RulesetAttributes {
    /// What a kernel can take away, by its version of Landlock; and how many bytes it reads.
    fn of(version: c_long) -> (Self, usize) {
        let mut rights = WRITE_FILE | CHANGE_FOLDERS;
        rights |= if version >= 2 { REFER } else { 0 };
        rights |= if version >= 3 { TRUNCATE } else { 0 };
        let is_scoped = version >= 6;
        let attributes = RulesetAttributes {
            handled_access_fs: rights,
            handled_access_net: 0,
            // Signals to processes outside, and sockets without a file.
            scoped: if is_scoped {
                SCOPE_ABSTRACT_SOCKET | SCOPE_SIGNAL
            } else {
                0
            },
        };
        let size = if is_scoped {
            size_of::<Self>()
        } else {
            size_of::<u64>()
        };
        (attributes, size)
    }
}

/// Gives up the right to change files that are none of `writable` nor below them.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // that is how PyO3 hands them over
pub fn restrict_files(py: Python<'_>, writable: Vec<PathBuf>) -> PyResult<()> {
    restrict(&writable).map_err(|problem| os_error(py, &problem))
}

fn restrict(writable: &[PathBuf]) -> io::Result<()> {
    let (attributes, size) = RulesetAttributes::of(version()?);
    let rules = ruleset(&attributes, size)?;
    for path in writable {
        allow(&rules, path, attributes.handled_access_fs)?;
    }
    give_up_privileges()?;
    // SAFETY: takes a descriptor and no pointer.
    checked(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0u32) })?;
    Ok(())
}

/// What this kernel knows of Landlock; an error if that is nothing.
fn version() -> io::Result<c_long> {
    let nothing = null::<RulesetAttributes>();
    // SAFETY: with this flag the kernel reads no attributes.
    checked(unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            nothing,
            0usize,
            CREATE_RULESET_VERSION,
        )
    })
}

fn ruleset(attributes: &RulesetAttributes, size: usize) -> io::Result<OwnedFd> {
    // SAFETY: the kernel reads `size` bytes, which are no more than there are.
    let descriptor = checked(unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            from_ref(attributes),
            size,
            0u32,
        )
    })?;
    // SAFETY: the descriptor is new, and nobody else's.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor as c_int) })
}

/// Allows changes below a path; one that does not exist is looked for where it would be made.
fn allow(rules: &OwnedFd, path: &Path, rights: u64) -> io::Result<()> {
    let place = path.ancestors().find(|each| each.exists()).unwrap_or(path);
    let place: File = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_PATH)
        .open(place)?;
    let is_folder = place.metadata()?.is_dir();
    let rule = PathBeneath {
        allowed_access: if is_folder { rights } else { rights & OF_FILES },
        parent_fd: place.as_raw_fd(),
    };
    // SAFETY: the kernel reads one rule of this kind; its descriptor is open until we return.
    checked(unsafe {
        libc::syscall(
            libc::SYS_landlock_add_rule,
            rules.as_raw_fd(),
            RULE_PATH_BENEATH,
            from_ref(&rule),
            0u32,
        )
    })?;
    Ok(())
}
