//! The system calls that a filter can speak of, by name.
//!
//! A rule is written for all machines. What a machine never had (`open` on ARM, where there is
//! only `openat`) is known here as absent, so that a name nobody knows is a mistake and not a
//! rule that holds for nothing.

use libc::c_long;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The number of a call; none where this machine does not have it.
pub type Number = Option<c_long>;

/// Machines whose table is known to be right, and where the low half of an argument comes first.
#[cfg(all(
    target_pointer_width = "64",
    target_endian = "little",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod tried {
    use super::Number;
    use libc::c_long;

    /// What the kernel calls the machine (`AUDIT_ARCH_*`).
    pub const MACHINE: Option<u32> = Some(if cfg!(target_arch = "x86_64") {
        0xC000_003E
    } else {
        0xC000_00B7
    });

    /// In `libc` for some machines only; the number is the same on all.
    const SYS_FCHMODAT2: c_long = 452;

    /// Numbers of calls that only the oldest machine has: later ones got more general ones instead.
    #[cfg(target_arch = "x86_64")]
    macro_rules! former {
        ($name:ident) => {
            Some(libc::$name)
        };
    }
    #[cfg(not(target_arch = "x86_64"))]
    macro_rules! former {
        ($name:ident) => {
            None
        };
    }

    macro_rules! table {
        (everywhere: $($name:ident)*; former: $($old:ident)*;) => {
            &[
                $((stringify!($name), Some(libc::$name)),)*
                $((stringify!($old), former!($old)),)*
                ("SYS_fchmodat2", Some(SYS_FCHMODAT2)),
            ]
        };
    }

    #[rustfmt::skip]
    pub const TABLE: &[(&str, Number)] = table! {
        everywhere:
            SYS_clone SYS_clone3 SYS_execve SYS_execveat
            SYS_socket SYS_connect SYS_bind SYS_listen
            SYS_ptrace SYS_process_vm_readv SYS_process_vm_writev SYS_pidfd_send_signal SYS_pidfd_getfd
            SYS_mknodat SYS_memfd_create SYS_memfd_secret
            SYS_mount SYS_umount2 SYS_pivot_root SYS_chroot SYS_setns SYS_unshare SYS_quotactl SYS_acct
            SYS_bpf SYS_perf_event_open SYS_keyctl SYS_add_key SYS_request_key SYS_userfaultfd
            SYS_io_uring_setup SYS_io_uring_enter SYS_io_uring_register
            SYS_init_module SYS_finit_module SYS_delete_module SYS_kexec_load SYS_reboot
            SYS_swapon SYS_swapoff SYS_sethostname SYS_setdomainname
            SYS_settimeofday SYS_clock_settime SYS_adjtimex SYS_clock_adjtime
            SYS_shmget SYS_shmat SYS_semget SYS_msgget SYS_mq_open SYS_mq_unlink
            SYS_openat SYS_openat2 SYS_truncate SYS_unlinkat SYS_mkdirat
            SYS_renameat SYS_renameat2 SYS_linkat SYS_symlinkat
            SYS_fchmod SYS_fchmodat SYS_fchown SYS_fchownat SYS_utimensat
            SYS_setxattr SYS_lsetxattr SYS_fsetxattr
            SYS_removexattr SYS_lremovexattr SYS_fremovexattr
            SYS_kill SYS_tkill SYS_tgkill SYS_rt_sigqueueinfo SYS_rt_tgsigqueueinfo;
        former:
            SYS_fork SYS_vfork SYS_mknod SYS_open SYS_creat SYS_unlink SYS_rmdir SYS_mkdir
            SYS_rename SYS_link SYS_symlink SYS_chmod SYS_chown SYS_lchown
            SYS_utime SYS_utimes SYS_futimesat;
    };
}

#[cfg(not(all(
    target_pointer_width = "64",
    target_endian = "little",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
mod tried {
    use super::Number;

    pub const MACHINE: Option<u32> = None;
    pub const TABLE: &[(&str, Number)] = &[];
}

/// What the kernel calls this machine; an `OSError` if nothing is known of it here.
pub fn machine() -> PyResult<u32> {
    tried::MACHINE.ok_or_else(|| {
        let text = format!("not known on {}", std::env::consts::ARCH);
        PyOSError::new_err((0, text))
    })
}

/// The calls with their names.
pub fn named() -> impl Iterator<Item = (&'static str, Number)> {
    tried::TABLE
        .iter()
        .map(|&(name, number)| (name.trim_start_matches("SYS_"), number))
}

/// The numbers of the calls that this machine is known to have, by name.
#[pyfunction]
pub fn system_calls(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let calls = PyDict::new(py);
    for (name, number) in named() {
        if let Some(number) = number {
            calls.set_item(name, number)?;
        }
    }
    Ok(calls)
}
