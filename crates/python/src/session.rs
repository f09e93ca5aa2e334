//! One function under exploration: the loop of runs.
//!
//! A session owns the exploration between runs and lends it to the recorder during one.
//! It knows the function, how to build its inputs, its contract and the state to put
//! back; it knows nothing of reports.

use pef_explore::{
    Budget, DecisionKind, Ending, Exploration, Options, PathRecord, Site, SiteId, Stop,
    StrategyKind,
};
use pef_logic::{QueryLog, standard_chain, timed_chain};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyTuple};
use std::fs::File;
use std::io::BufWriter;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::arrivals::Arrivals;
use crate::boundary::Raised;
use crate::clock::SystemClock;
use crate::inputs::InputSpec;
use crate::isolation::pulse::{self, Phase};
use crate::output::{Capture, Output};
use crate::path::RawPath;
use crate::recorder::{self, Mode, PathStopped};
use crate::state::Snapshot;
use crate::values::{self, lift};
use crate::watchdog::{Limits, PathTimeout, Watchdog};

/// Whether new sessions time the layers of their solver.
static TIME_LAYERS: AtomicBool = AtomicBool::new(false);

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passing {
    Positional,
    Named,
    /// A tuple of positional arguments.
    Spread,
    /// A dict of arguments with names.
    SpreadNamed,
    /// Not at all: making it puts it where the function finds it.
    Aside,
}

impl Passing {
    fn parse(text: &str) -> PyResult<Self> {
        match text {
            "positional" => Ok(Passing::Positional),
            "named" => Ok(Passing::Named),
            "spread" => Ok(Passing::Spread),
            "spread-named" => Ok(Passing::SpreadNamed),
            "aside" => Ok(Passing::Aside),
            other => Err(PyValueError::new_err(format!(
                "no way to pass an argument: '{other}'"
            ))),
        }
    }
}

/// A parameter of the function, with the input that fills it.
struct Parameter {
    name: String,
    passing: Passing,
    input: Py<InputSpec>,
}

/// What the function did in one run.
struct Outcome {
    ending: Ending,
    result: Option<Py<PyAny>>,
    exception: Option<PyErr>,
    violated: Option<Py<PyAny>>,
}

impl Outcome {
    fn of(ending: Ending) -> Self {
        Outcome {
            ending,
            result: None,
            exception: None,
            violated: None,
        }
    }
}

/// An exploration of one function, driven from Python.
#[pyclass(unsendable, module = "pef._native")]
pub struct Session {
    function: Py<PyAny>,
    parameters: Vec<Parameter>,
    contract: Option<Py<PyAny>>,
    exploration: Option<Box<Exploration>>,
    epoch: u32,
    modules: Vec<Py<PyModule>>,
    snapshot: Snapshot,
    arrivals: Arrivals,
    /// Whether others change the state of the modules between paths.
    shared: bool,
    /// State outside the modules: objects with `capture()` and `restore()`.
    ambient: Vec<Py<PyAny>>,
    stream: Py<PyAny>,
    interrupted: bool,
    /// Processor time of a single run.
    run_limit: Option<Duration>,
    /// A clause of the contract that could not be evaluated: the contract's fault, not the
    /// function's.
    broken_contract: Option<PyErr>,
}

#[pymethods]
impl Session {
    /// `parameters` is a list of `(name, passing, input)`; passing is "positional", "named" or
    /// "spread" (a tuple of positional arguments) or "aside" (not passed).
    #[new]
    #[pyo3(signature = (function, parameters, *, contract=None, modules=vec![], shared=false, ambient=vec![],
                        depth=None, max_paths=None, timeout=None, cpu_timeout=None,
                        strategy="depth-first", seed=0, query_log=None, eager=true,
                        run_timeout=None))]
    #[allow(
        clippy::too_many_arguments,
        reason = "keyword options of a Python constructor"
    )]
    fn new(
        py: Python<'_>,
        function: Py<PyAny>,
        parameters: Vec<(String, String, Py<InputSpec>)>,
        contract: Option<Py<PyAny>>,
        modules: Vec<Py<PyModule>>,
        shared: bool,
        ambient: Vec<Py<PyAny>>,
        depth: Option<u32>,
        max_paths: Option<u64>,
        timeout: Option<f64>,
        cpu_timeout: Option<f64>,
        strategy: &str,
        seed: u64,
        query_log: Option<&str>,
        eager: bool,
        run_timeout: Option<f64>,
    ) -> PyResult<Self> {
        values::awaken(py)?;
        let strategy = StrategyKind::parse(strategy)
            .ok_or_else(|| PyValueError::new_err(format!("unknown strategy '{strategy}'")))?;
        let budget = Budget {
            depth,
            paths: max_paths,
            wall: seconds(timeout)?,
            cpu: seconds(cpu_timeout)?,
            ..Budget::default()
        };
        let log = match query_log {
            None => None,
            Some(path) => Some(QueryLog::new(BufWriter::new(File::create(path)?))),
        };
        let options = Options {
            budget,
            strategy,
            seed,
            eager,
        };
        let solver = if TIME_LAYERS.load(Ordering::Relaxed) {
            timed_chain(log)
        } else {
            standard_chain(log)
        };
        let exploration = Exploration::new(options, solver, Box::new(SystemClock::new()));
        let parameters = parameters
            .into_iter()
            .map(|(name, passing, input)| {
                Ok(Parameter {
                    name,
                    passing: Passing::parse(&passing)?,
                    input,
                })
            })
            .collect::<PyResult<_>>()?;
        let mut session = Session {
            function,
            parameters,
            contract,
            exploration: Some(Box::new(exploration)),
            epoch: recorder::new_epoch(),
            modules,
            snapshot: Snapshot::default(),
            arrivals: Arrivals::since_now(py)?,
            shared,
            ambient,
            stream: py.import("io")?.getattr("StringIO")?.unbind(),
            interrupted: false,
            run_limit: seconds(run_timeout)?,
            broken_contract: None,
        };
        session.remember_state(py)?;
        Ok(session)
    }

    /// Runs until the next finished path; `None` when the exploration is over, or the patience of whoever
    /// asks.
    #[pyo3(signature = (patience = None))]
    fn next_path(&mut self, py: Python<'_>, patience: Option<f64>) -> PyResult<Option<RawPath>> {
        if let Some(exploration) = self.exploration.as_mut() {
            exploration.pause_after(seconds(patience)?);
        }
        if recorder::is_busy() {
            return Err(PyRuntimeError::new_err(
                "an exploration cannot run inside another",
            ));
        }
        if self.shared {
            self.notice_changes(py)?;
        }
        loop {
            py.check_signals()?;
            match self.step(py)? {
                Step::Over => return Ok(None),
                Step::Ran(None) => {}
                Step::Ran(path) => return Ok(path),
            }
        }
    }

    /// One run: whether there was one left, and the path it was, if it was one.
    fn next_run(&mut self, py: Python<'_>) -> PyResult<(bool, Option<RawPath>)> {
        match self.step(py)? {
            Step::Over => Ok((false, None)),
            Step::Ran(path) => Ok((true, path)),
        }
    }

    /// Shows in a page of shared memory, from now on, how far the runs of this process have come.
    #[staticmethod]
    fn show_pulse(page: &Bound<'_, PyAny>) -> PyResult<()> {
        pulse::show_on(page)
    }

    /// Stops the runs that follow just after so many decisions: what comes then is deadly.
    #[staticmethod]
    #[pyo3(signature = (decisions))]
    fn halt_at(decisions: Option<u64>) {
        pulse::halt_at(decisions);
    }

    /// Passes over the next run.
    fn skip_run(&mut self) {
        if let Some(exploration) = self.exploration.as_mut() {
            exploration.skip_run();
        }
    }

    /// Passes over the branch that would be tried next.
    fn skip_branch(&mut self) {
        if let Some(exploration) = self.exploration.as_mut() {
            exploration.skip_branch();
        }
    }

    /// The global variables that lead to something a run may have changed for the next, each with the type of
    /// what cannot be put back; `None` stands for all variables.
    fn leaks(&self) -> Vec<(Option<String>, String)> {
        let leaks = self.snapshot.leaks().iter().cloned();
        leaks.map(|leak| (leak.name, leak.kind)).collect()
    }

    /// Puts back what calls outside of any run have changed.
    fn restore(&mut self, py: Python<'_>) -> PyResult<()> {
        self.restore_state(py)
    }

    /// Offers an input from elsewhere, by parameter; false if it cannot be used: only ints, bools, floats, strs
    /// and bytes that are parameters themselves can be given.
    fn seed(&mut self, values: &Bound<'_, PyDict>) -> PyResult<bool> {
        let Some(exploration) = self.exploration.as_mut() else {
            return Ok(false);
        };
        let mut model = pef_logic::Model::new();
        for parameter in &self.parameters {
            let Some(given) = values.get_item(&parameter.name)? else {
                return Ok(false);
            };
            let value = lift::value(given.as_ptr());
            let sort = parameter.input.get().0.sort();
            let Some(value) = value.filter(|value| Some(value.sort()) == sort) else {
                return Ok(false);
            };
            let variable = exploration.pool.variable(&parameter.name, value.sort());
            if let pef_logic::Term::Var(variable) = *exploration.pool.get(variable) {
                model.set(variable, value);
            }
        }
        exploration.seed(model);
        Ok(true)
    }

    /// Ends the exploration early.
    fn abandon(&mut self) {
        if let Some(exploration) = self.exploration.as_mut() {
            exploration.abandon();
        }
    }

    /// Counts, whether everything was explored, and what stayed open.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let summary = PyDict::new(py);
        let Some(exploration) = self.exploration.as_ref() else {
            return Ok(summary);
        };
        let totals = exploration.totals();
        summary.set_item("paths", totals.paths)?;
        summary.set_item("returned", totals.returned)?;
        summary.set_item("raised", totals.raised)?;
        summary.set_item("pruned", totals.pruned)?;
        summary.set_item("timeouts", totals.timeouts)?;
        summary.set_item("depth", totals.depth)?;
        summary.set_item("runs", totals.runs)?;
        summary.set_item("diverged", totals.diverged)?;
        summary.set_item("exhaustive", exploration.is_exhaustive())?;
        summary.set_item("seconds", exploration.elapsed().as_secs_f64())?;
        let open: Vec<String> = exploration
            .open()
            .iter()
            .map(|(reason, count)| {
                let place = reason.site().map(|site| place(exploration, site));
                describe_open(&reason.to_string(), count, place.as_deref())
            })
            .collect();
        summary.set_item("open", open)?;
        Ok(summary)
    }

    /// Keeps one part of what is left, after a fork: the other process keeps the other.
    fn keep_part(&mut self, part: usize, parts: usize) -> PyResult<usize> {
        if part >= parts {
            return Err(PyValueError::new_err(format!("no part {part} of {parts}")));
        }
        let exploration = self.exploration.as_mut();
        Ok(exploration.map_or(0, |exploration| exploration.keep_part(part, parts)))
    }

    /// Whether `next_path` gave none because of its patience.
    fn is_paused(&self) -> bool {
        let exploration = self.exploration.as_ref();
        exploration.is_some_and(|exploration| exploration.is_paused())
    }

    /// How many branches are left to try, possible or not.
    fn untried(&self) -> usize {
        self.exploration
            .as_ref()
            .map_or(0, |exploration| exploration.untried())
    }

    /// How many different arms of symbolic branches were taken so far.
    fn covered(&self) -> usize {
        self.exploration
            .as_ref()
            .map_or(0, |exploration| exploration.coverage().count())
    }

    /// Whether sessions begun from now on measure the time of every layer of the solver. Measuring costs
    /// some time itself.
    #[staticmethod]
    fn time_layers(wanted: bool) {
        TIME_LAYERS.store(wanted, Ordering::Relaxed);
    }

    /// Per solver layer: `(name, asked, sat, unsat, unknown, nanoseconds)`.
    fn solver_statistics(&self) -> Vec<(&'static str, u64, u64, u64, u64, u64)> {
        let mut layers = Vec::new();
        if let Some(exploration) = self.exploration.as_ref() {
            exploration.solver().statistics(&mut layers);
        }
        let row = |layer: pef_logic::LayerStatistics| {
            (
                layer.layer,
                layer.asked,
                layer.sat,
                layer.unsat,
                layer.unknown,
                layer.nanos,
            )
        };
        layers.into_iter().map(row).collect()
    }

    /// The path condition as Python source, one conjunct each.
    fn condition(&self, path: &RawPath) -> Vec<String> {
        let Some(exploration) = self.exploration.as_ref() else {
            return Vec::new();
        };
        path.condition(&exploration.pool)
    }

    /// The decisions of a path: `(file, line, column, kind, outcome, free)`; `outcome` is
    /// a bool for a yes/no question, else the number of the arm.
    fn decisions<'py>(&self, py: Python<'py>, path: &RawPath) -> PyResult<Bound<'py, PyAny>> {
        match self.exploration.as_ref() {
            None => Ok(PyTuple::empty(py).into_any()),
            Some(exploration) => path.decisions(py, &exploration.sites),
        }
    }

    /// The pins of a path: `(file, line, reason, condition)`.
    fn pins(&self, path: &RawPath) -> Vec<(String, u32, String, String)> {
        let Some(exploration) = self.exploration.as_ref() else {
            return Vec::new();
        };
        path.pins(&exploration.pool, &exploration.sites)
    }
}

/// What asking for another run came to.
enum Step {
    /// There is none left.
    Over,
    /// There was one, and it was a path or none.
    Ran(Option<RawPath>),
}

impl Session {
    fn step(&mut self, py: Python<'_>) -> PyResult<Step> {
        let Some(exploration) = self.exploration.as_mut() else {
            return Ok(Step::Over);
        };
        pulse::enter(Phase::Choosing);
        if exploration.next_run().is_none() {
            return Ok(Step::Over);
        }
        self.run(py).map(Step::Ran)
    }

    /// One run of the target on the inputs the exploration chose.
    fn run(&mut self, py: Python<'_>) -> PyResult<Option<RawPath>> {
        let Some(exploration) = self.exploration.take() else {
            return Ok(None);
        };
        let limits = self.limits_of_run(&exploration);
        let capture = Capture::start(py, &self.stream)?;
        let watchdog = limits
            .exist()
            .then(|| Watchdog::start(limits))
            .transpose()?;
        recorder::begin(exploration, self.epoch);
        pulse::enter(Phase::Building);
        let (outcome, arguments) = self.call(py);
        let stop = recorder::with_exploration(|search| search.stopped()).flatten();
        drop(watchdog);
        pulse::enter(Phase::Idle);
        let (exploration, record) = recorder::end(settled_ending(stop, outcome.ending));
        self.exploration = exploration;
        let output = capture.stop(py)?;
        self.restore_state(py)?;
        if let Some(error) = self.broken_contract.take() {
            self.abandon();
            return Err(error);
        }
        if self.interrupted {
            self.abandon();
            self.interrupted = false;
            return Err(outcome
                .exception
                .unwrap_or_else(|| PyKeyboardInterrupt::new_err(())));
        }
        Ok(record.map(|record| self.path(record, outcome, arguments, output)))
    }

    /// The time one run may use. The first ones also read and rewrite what they call.
    fn limits_of_run(&self, exploration: &Exploration) -> Limits {
        let wall = exploration.time_left();
        let first = exploration.totals().runs <= 1;
        let cpu = match (self.run_limit, wall) {
            (Some(limit), Some(left)) if first => Some(limit.max(left / 2)),
            (limit, _) => limit,
        };
        Limits { wall, cpu }
    }

    /// Remembers the state every run starts from.
    fn remember_state(&mut self, py: Python<'_>) -> PyResult<()> {
        let modules: Vec<_> = self
            .modules
            .iter()
            .map(|module| module.bind(py).clone())
            .collect();
        self.snapshot = Snapshot::take(py, &modules)?;
        for state in &self.ambient {
            state.call_method0(py, "capture")?;
        }
        Ok(())
    }

    /// What others have changed between two paths is part of the state from now on.
    fn notice_changes(&mut self, py: Python<'_>) -> PyResult<()> {
        if !self.snapshot.is_current(py)? {
            return self.remember_state(py);
        }
        for state in &self.ambient {
            state.call_method0(py, "capture")?;
        }
        Ok(())
    }

    /// Puts back what a run changed. What it imported is part of the state from now on, unless
    /// the process is the user's own: nothing is imported twice there.
    fn restore_state(&mut self, py: Python<'_>) -> PyResult<()> {
        self.snapshot.restore(py)?;
        for state in &self.ambient {
            state.call_method0(py, "restore")?;
        }
        if self.shared {
            return Ok(());
        }
        let arrived = self.arrivals.settle(py)?;
        if arrived.is_empty() {
            return Ok(());
        }
        if !self.snapshot.is_current(py)? {
            Arrivals::have_changed_others(py)?;
        }
        self.modules.extend(arrived);
        self.remember_state(py)
    }

    fn path(
        &self,
        record: PathRecord,
        outcome: Outcome,
        arguments: Vec<Py<PyAny>>,
        output: Output,
    ) -> RawPath {
        let names = self
            .parameters
            .iter()
            .map(|parameter| parameter.name.clone());
        RawPath::new(
            record,
            names.zip(arguments).collect(),
            outcome.result,
            outcome.exception,
            outcome.violated,
            output,
        )
    }

    /// Builds the inputs and calls the function, all while recording.
    fn call(&mut self, py: Python<'_>) -> (Outcome, Vec<Py<PyAny>>) {
        let mut arguments = Vec::with_capacity(self.parameters.len());
        for parameter in &self.parameters {
            match parameter.input.get().0.build(py, &parameter.name) {
                Ok(value) => arguments.push(value),
                Err(error) => {
                    // An input too large for the depth limit is no path.
                    let mut outcome = self.raised(py, error);
                    if outcome.ending == Ending::Stopped {
                        outcome.ending = Ending::Excluded;
                    }
                    return (outcome, Vec::new());
                }
            }
        }
        let outcome = match self.call_with(py, &arguments) {
            Ok(outcome) => outcome,
            Err(error) => self.raised(py, error),
        };
        (outcome, arguments.into_iter().map(Bound::unbind).collect())
    }

    fn call_with(&mut self, py: Python<'_>, arguments: &[Bound<'_, PyAny>]) -> PyResult<Outcome> {
        let keywords = PyDict::new(py);
        let mut positional = Vec::with_capacity(arguments.len());
        for (parameter, value) in self.parameters.iter().zip(arguments) {
            match parameter.passing {
                Passing::Positional => positional.push(value.clone()),
                Passing::Named => keywords.set_item(&parameter.name, value)?,
                Passing::Aside => {}
                Passing::SpreadNamed => keywords.update(value.cast::<PyMapping>()?)?,
                Passing::Spread => {
                    for item in value.try_iter()? {
                        positional.push(item?);
                    }
                }
            }
        }
        let entry = match self.enter(py, arguments) {
            Ok(Entry::Holds(entry)) => entry,
            Ok(Entry::Violated) => return Ok(Outcome::of(Ending::Excluded)),
            // As for inputs: one too large for the depth limit is no path.
            Err(error) if error.is_instance_of::<PathStopped>(py) => {
                return Ok(Outcome::of(Ending::Excluded));
            }
            Err(error) => return Err(error),
        };
        let positional = PyTuple::new(py, positional)?;
        let keywords = (!keywords.is_empty()).then_some(&keywords);
        if pulse::enter(Phase::Calling) {
            return Err(halted(py));
        }
        match self.function.call(py, positional, keywords) {
            Ok(result) => {
                let violated = self.in_contract(py, "violated_ensure", entry, &result)?;
                Ok(Outcome {
                    result: Some(result),
                    violated,
                    ..Outcome::of(Ending::Returned)
                })
            }
            Err(error) => {
                let mut outcome = self.raised(py, error);
                if let (Ending::Raised, Some(error)) = (outcome.ending, &outcome.exception) {
                    let value = error.value(py).clone().into_any().unbind();
                    outcome.violated = self.in_contract(py, "violated_raises", entry, &value)?;
                }
                Ok(outcome)
            }
        }
    }

    /// Checks the preconditions and captures what the postconditions will need.
    fn enter(&mut self, py: Python<'_>, arguments: &[Bound<'_, PyAny>]) -> PyResult<Entry> {
        if self.contract.is_none() {
            return Ok(Entry::Holds(None));
        }
        let by_name = PyDict::new(py);
        for (parameter, value) in self.parameters.iter().zip(arguments) {
            if parameter.passing != Passing::Aside {
                by_name.set_item(&parameter.name, value)?;
            }
        }
        let violated = self.ask_contract(py, "violated_assume", (&by_name,))?;
        if violated.is_some_and(|clause| !clause.is_none(py)) {
            return Ok(Entry::Violated);
        }
        self.ask_contract(py, "enter", (&by_name,))
            .map(Entry::Holds)
    }

    fn in_contract(
        &mut self,
        py: Python<'_>,
        question: &str,
        entry: Option<Py<PyAny>>,
        outcome: &Py<PyAny>,
    ) -> PyResult<Option<Py<PyAny>>> {
        let Some(entry) = entry else { return Ok(None) };
        let violated = self.ask_contract(py, question, (entry, outcome))?;
        Ok(violated.filter(|clause| !clause.is_none(py)))
    }

    /// Calls a method of the contract; decisions made there belong to the contract.
    fn ask_contract<'py>(
        &mut self,
        py: Python<'py>,
        question: &str,
        given: impl pyo3::call::PyCallArgs<'py>,
    ) -> PyResult<Option<Py<PyAny>>> {
        let Some(contract) = &self.contract else {
            return Ok(None);
        };
        let outer = recorder::set_mode(Mode::Contract);
        let answer = contract.bind(py).call_method1(question, given);
        recorder::set_mode(outer);
        if let Err(error) = &answer {
            let ours = error.is_instance_of::<PathStopped>(py)
                || error.is_instance_of::<PathTimeout>(py)
                || error.is_instance_of::<PyKeyboardInterrupt>(py);
            if !ours {
                self.broken_contract = Some(error.clone_ref(py));
            }
        }
        answer.map(|answer| Some(answer.unbind()))
    }

    /// How an exception ends the run: our own signals are not the target's.
    fn raised(&mut self, py: Python<'_>, error: PyErr) -> Outcome {
        if error.is_instance_of::<PathStopped>(py) {
            return Outcome::of(Ending::Stopped);
        }
        if error.is_instance_of::<PathTimeout>(py) {
            return Outcome::of(Ending::Timeout);
        }
        self.interrupted |= error.is_instance_of::<PyKeyboardInterrupt>(py);
        Outcome {
            exception: Some(error),
            ..Outcome::of(Ending::Raised)
        }
    }
}

enum Entry {
    Violated,
    Holds(Option<Py<PyAny>>),
}

/// A stopped run may have swallowed our exception and returned as if nothing was.
fn settled_ending(stop: Option<Stop>, seen: Ending) -> Ending {
    if stop.is_some() && seen != Ending::Excluded {
        Ending::Stopped
    } else {
        seen
    }
}

/// The exception that ends a run before it becomes deadly.
fn halted(py: Python<'_>) -> PyErr {
    let Raised = recorder::halt();
    PyErr::fetch(py)
}

fn seconds(limit: Option<f64>) -> PyResult<Option<Duration>> {
    let Some(limit) = limit else { return Ok(None) };
    Duration::try_from_secs_f64(limit)
        .map(Some)
        .map_err(|_| PyValueError::new_err(format!("not a time limit in seconds: {limit}")))
}

fn place(exploration: &Exploration, site: SiteId) -> String {
    let Site { file, line, .. } = exploration.sites.get(site);
    match exploration.sites.get(site).kind {
        DecisionKind::InputShape => format!("input {file}"),
        _ => format!("{file}:{line}"),
    }
}

fn describe_open(reason: &str, count: u64, place: Option<&str>) -> String {
    let place = place
        .map(|place| format!(" at {place}"))
        .unwrap_or_default();
    let times = if count > 1 {
        format!(" ({count} times)")
    } else {
        String::new()
    };
    format!("{reason}{place}{times}")
}
