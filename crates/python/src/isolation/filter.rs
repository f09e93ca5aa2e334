//! System calls: a process keeps what computing takes and gives up what acts on others.
//!
//! A filter is a program for the kernel's packet filter. Ours is a list of questions about the
//! number of the call and the low half of an argument; the first that fits is answered with an
//! error, or put to whoever listens. Which calls those are is up to `pef.isolation.seccomp`.

use std::io;
use std::mem::offset_of;
use std::ptr::from_ref;

use libc::{c_long, c_ulong, seccomp_data, sock_filter, sock_fprog};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rustc_hash::FxHashMap;

use super::calls::{Number, machine, named};
use super::errors::{checked, os_error};
use super::process::give_up_privileges;

/// Calls that are denied, as `pef.isolation.seccomp.Rule` has them.
#[derive(FromPyObject)]
pub struct Rule {
    names: Vec<String>,
    error: u16,
    /// Which argument is looked at, if any.
    argument: Option<u8>,
    mask: u32,
    unless: u32,
    is_told: bool,
}

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const AND: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
const JUMP_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const JUMP_FROM: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

const NUMBER: u32 = offset_of!(seccomp_data, nr) as u32;
const MACHINE_AT: u32 = offset_of!(seccomp_data, arch) as u32;
const ARGUMENTS: u32 = offset_of!(seccomp_data, args) as u32;
const ARGUMENT_BYTES: u32 = size_of::<u64>() as u32;
const MOST_ARGUMENTS: u8 = 6;
/// x86-64 has the calls once more from here on.
const OTHER_TABLE: u32 = 0x4000_0000;

/// A program in the making.
struct Program(Vec<sock_filter>);

impl Program {
    fn push(&mut self, code: u16, k: u32) {
        self.jump(code, k, 0, 0);
    }

    /// Goes on after `jt` or `jf` more instructions.
    fn jump(&mut self, code: u16, k: u32, jt: u8, jf: u8) {
        self.0.push(sock_filter { code, jt, jf, k });
    }

    /// Calls of another machine's table are denied: their numbers mean others.
    fn begin(machine: u32) -> Self {
        let mut program = Program(Vec::new());
        program.push(LOAD, MACHINE_AT);
        program.jump(JUMP_EQUAL, machine, 1, 0);
        program.push(RETURN, denied(libc::ENOSYS as u16));
        program.push(LOAD, NUMBER);
        program.jump(JUMP_FROM, OTHER_TABLE, 0, 1);
        program.push(RETURN, denied(libc::ENOSYS as u16));
        program
    }

    /// The questions about one call. Its number is loaded before and after.
    fn ask(&mut self, rule: &Rule, number: u32, answer: u32) {
        let Some(argument) = rule.argument else {
            self.jump(JUMP_EQUAL, number, 0, 1);
            self.push(RETURN, answer);
            return;
        };
        self.jump(JUMP_EQUAL, number, 0, 5);
        self.push(LOAD, ARGUMENTS + ARGUMENT_BYTES * u32::from(argument));
        self.push(AND, rule.mask);
        self.jump(JUMP_EQUAL, rule.unless, 1, 0);
        self.push(RETURN, answer);
        self.push(LOAD, NUMBER);
    }
}

fn denied(error: u16) -> u32 {
    libc::SECCOMP_RET_ERRNO | u32::from(error)
}

/// The program for rules, to be installed by this process or a fork. With a warden, it is asked
/// about what it is told of.
#[pyfunction]
#[pyo3(signature = (rules, *, has_warden))]
#[allow(clippy::needless_pass_by_value)] // that is how PyO3 hands them over
pub fn assemble_filter(
    py: Python<'_>,
    rules: Vec<Rule>,
    has_warden: bool,
) -> PyResult<Bound<'_, PyBytes>> {
    let mut program = Program::begin(machine()?);
    let known: FxHashMap<&str, Number> = named().collect();
    for rule in &rules {
        if rule.argument.is_some_and(|each| each >= MOST_ARGUMENTS) {
            return Err(PyValueError::new_err("no call has so many arguments"));
        }
        let answer = if rule.is_told && has_warden {
            libc::SECCOMP_RET_USER_NOTIF
        } else {
            denied(rule.error)
        };
        for name in &rule.names {
            match known.get(name.as_str()) {
                Some(Some(number)) => program.ask(rule, *number as u32, answer),
                Some(None) => {}
                None => return Err(PyValueError::new_err(format!("no system call: {name}"))),
            }
        }
    }
    program.push(RETURN, libc::SECCOMP_RET_ALLOW);
    let mut code = Vec::with_capacity(program.0.len() * size_of::<sock_filter>());
    for each in &program.0 {
        code.extend(each.code.to_ne_bytes());
        code.extend([each.jt, each.jf]);
        code.extend(each.k.to_ne_bytes());
    }
    Ok(PyBytes::new(py, &code))
}

/// Gives up calls for good, in this thread and all it starts.
#[pyfunction]
pub fn install_filter(py: Python<'_>, program: &[u8]) -> PyResult<()> {
    install(&read(program)?, 0)
        .map(|_| ())
        .map_err(|problem| os_error(py, &problem))
}

/// As `install_filter`; the descriptor that the kernel's questions come from.
///
/// A process that waits for an answer is not woken by signals, except deadly ones, where the
/// kernel can do that: else a question might be asked twice.
#[pyfunction]
pub fn install_listened_filter(py: Python<'_>, program: &[u8]) -> PyResult<c_long> {
    let program = read(program)?;
    let listened = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    install(
        &program,
        listened | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
    )
    .or_else(|problem| match problem.raw_os_error() {
        Some(libc::EINVAL) => install(&program, listened), // before Linux 5.19
        _ => Err(problem),
    })
    .map_err(|problem| os_error(py, &problem))
}

/// The instructions that `assemble_filter` has written.
fn read(program: &[u8]) -> PyResult<Vec<sock_filter>> {
    let (whole, rest) = program.as_chunks::<{ size_of::<sock_filter>() }>();
    if !rest.is_empty() || u16::try_from(whole.len()).is_err() {
        return Err(PyValueError::new_err("not a program for the kernel"));
    }
    let instructions = whole.iter().map(|&[a, b, jt, jf, k @ ..]| sock_filter {
        code: u16::from_ne_bytes([a, b]),
        jt,
        jf,
        k: u32::from_ne_bytes(k),
    });
    Ok(instructions.collect())
}

fn install(program: &[sock_filter], flags: c_ulong) -> io::Result<c_long> {
    let described = sock_fprog {
        len: program.len() as u16,
        filter: program.as_ptr().cast_mut(),
    };
    give_up_privileges()?;
    // SAFETY: the kernel reads as many instructions as there are, and checks them.
    checked(unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            flags,
            from_ref(&described),
        )
    })
}
