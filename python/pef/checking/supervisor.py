"""Shares the functions out among workers, and believes only what a replay confirms.

No target code runs in this process. It watches pipes and clocks: a worker that dies, hangs or says
nothing at its end costs its function a verdict, never the run.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pef.checking.findings import Finding, finding, smallest, steady
from pef.checking.job import Suspicion, run_timeout
from pef.checking.server import Channel
from pef.checking.underway import (
    ONCE_FAILED,
    Module,
    Pending,
    Result,
    Served,
    Task,
    Worker,
    as_expected,
    spoken,
)
from pef.isolation.pulse import Pulse, shared_file
from pef.isolation.quarters import Quarters
from pef.replay.client import Outcome, Replayer, ReplayError
from pef.replay.forked import fork as fork_plain
from pef.replay.process import WorkerProcess, spawn
from pef.replay.wire import Message, decode_message, read_some

_IMPORT_SECONDS = 30.0
_TICK_SECONDS = 0.1
_ANY_CLAUSE = {"kind": "any"}


class Settings(NamedTuple):
    """What holds for the whole run."""

    jobs: int
    python_path: Sequence[str]
    project: Sequence[str]
    """Folders and files that are the project: what these raise is behaviour."""
    folder: str
    """Where target code may have temporary files; whoever made it removes it."""
    warn: Callable[[str], None] = lambda text: None
    """Told what the user should know about this machine."""


def check(
    modules: Iterable[Module],
    settings: Settings,
    engine: Channel,
    finished: Callable[[Module, list[Result]], None],
    progress: Callable[[int, int, int], None] = lambda functions, paths, findings: None,
) -> None:
    """Analyse every function; `finished` gets each module in order, as soon as it can.

    `engine` leads to a process that is warm and starts servers.
    """
    _Supervisor(modules, settings, engine, finished, progress).run()


class _Supervisor:
    def __init__(
        self,
        modules: Iterable[Module],
        settings: Settings,
        engine: Channel,
        finished: Callable[[Module, list[Result]], None],
        progress: Callable[[int, int, int], None],
    ) -> None:
        self._engine = engine
        self._modules = deque(modules)
        self._settings = settings
        self._finished = finished
        self._progress = progress
        self._served: list[Served] = []
        self._workers: dict[int, Worker] = {}
        self._selector = selectors.DefaultSelector()
        self._paths = self._functions = self._findings = 0
        self._told: set[str] = set()

    def run(self) -> None:
        try:
            while self._modules or self._served:
                self._fill()
                self._listen()
                self._collect()
                self._enforce()
                self._hand_out()
        except KeyboardInterrupt:
            self._interrupted()
            raise
        finally:
            self._close()

    # Starting

    def _fill(self) -> None:
        """Keep every slot busy; the next module is imported while the last one is finished."""
        free = self._settings.jobs - len(self._workers)
        for served in self._served:
            while free > 0 and served.ready and served.waiting:
                self._start(served)
                free -= 1
        waiting = sum(len(served.waiting) for served in self._served)
        if not waiting and not self._modules:
            self._share()
        while self._modules and waiting < self._settings.jobs and len(self._served) < 64:
            waiting += len(self._serve(self._modules.popleft()).waiting)

    def _share(self) -> None:
        """Let idle cores help with the functions that are left."""
        busy = sum(worker.busy for worker in self._workers.values())
        for worker in self._workers.values():
            if busy < self._settings.jobs and worker.can_share:
                os.kill(worker.pid, signal.SIGUSR1)
                worker.asked = time.monotonic()
                busy += 1

    def _serve(self, module: Module) -> Served:
        ours, theirs = socket.socketpair()
        quarters, replays = self._quarters(module), self._quarters(module)
        self._engine.send(
            {
                "kind": "serve",
                "path": str(module.path),
                "module": module.name,
                "python_path": list(self._settings.python_path),
                "project": list(self._settings.project),
                "folder": os.getcwd(),
                "quarters": quarters,
            },
            theirs.fileno(),
        )
        theirs.close()
        path = [*self._settings.python_path, str(module.root)]
        replayer = Replayer(
            _Anything(module.path, module.name),
            path,
            roots=self._settings.project,
            timeout=max((task.limits.timeout for task in module.tasks), default=10.0),
            launch=_launch(),
            quarters=replays,
        )
        served = Served(module, deque(module.tasks), Channel(ours), replayer, time.monotonic())
        self._selector.register(ours, selectors.EVENT_READ, served)
        self._served.append(served)
        return served

    def _quarters(self, module: Module) -> Quarters:
        """Where the code of a module lives."""
        allow = module.tasks[0].limits.allow if module.tasks else ()
        return Quarters(list(allow), tempfile.mkdtemp(dir=self._settings.folder))

    def _start(self, served: Served) -> None:
        task = served.waiting.popleft()
        worker = self._launch(served, task, task.limits.timeout)
        if worker is None:
            served.waiting.appendleft(task)
            self._lose(served, "the process that had imported it died")
            return
        for suspicion in task.tried_first:
            self._submit(worker, suspicion, None)

    def _restart(self, worker: Worker, why: str) -> None:
        """Explore a function that ended its process again, rehearsing every run."""
        task = worker.task
        left = task.limits.timeout - (time.monotonic() - worker.started)
        seconds = max(left, 0.2 * task.limits.timeout)
        other = self._launch(worker.served, task, seconds, careful=True)
        if other is None:
            worker.result.reasons.append(why)
            self._settle(worker, None)
            return
        other.result = worker.result
        other.deadline = worker.deadline

    def _launch(
        self, served: Served, task: Task, seconds: float, careful: bool = False
    ) -> Worker | None:
        """Start a worker; None if the server is gone."""
        reader, writer = os.pipe()
        page = shared_file()
        start = {
            "qualname": task.subject.qualname,
            "limits": task.limits._asdict(),
            "seconds": seconds,
            "careful": careful,
        }
        try:
            served.channel.send({"start": start}, writer, page)
            answer = served.channel.receive()
        except OSError:
            answer = None
        pulse = Pulse(page)
        os.close(page)
        os.close(writer)
        if answer is None:
            os.close(reader)
            return None
        os.set_blocking(reader, False)
        now = time.monotonic()
        worker = Worker(task, served, answer["pid"], reader, now, careful=careful, pulse=pulse)
        self._workers[reader] = worker
        served.running += 1
        self._selector.register(reader, selectors.EVENT_READ, worker)
        return worker

    # Listening

    def _listen(self) -> None:
        waits_for_replay = any(served.pending for served in self._served)
        timeout = 0.005 if waits_for_replay else _TICK_SECONDS
        for key, _ in self._selector.select(timeout):
            if isinstance(key.data, Served):
                self._hear_server(key.data)
            else:
                self._hear(key.data)

    def _hear_server(self, served: Served) -> None:
        """A server speaks of itself only once: whether the import went well."""
        try:
            message = served.channel.receive()
        except OSError:
            message = None
        if message is not None and message.get("ready"):
            served.ready = True
            self._say_missing(message["missing"])
            # From here on it speaks only when it is asked.
            self._selector.unregister(served.channel.socket)
            return
        self._selector.unregister(served.channel.socket)
        if message is not None:
            self._lose(served, f"cannot import it: {message['failed']}")
            return
        why = "cannot import it: the process died"
        file = served.waiting[0].subject.file if served.waiting else ""
        self._lose(served, why)
        for result in list(served.results.values())[:1]:
            result.mistake = f"{file}: {why}"

    def _say_missing(self, layers: Sequence[str]) -> None:
        """Tell once which part of the kernel's guarantee this machine does not give."""
        for layer in layers:
            if layer not in self._told:
                self._told.add(layer)
                self._settings.warn(f"side effects are not denied by the kernel: {layer}")

    def _lose(self, served: Served, why: str) -> None:
        """Nothing more can be learned of a module."""
        for task in served.waiting:
            served.results[task.subject] = Result(task.subject, reasons=[why])
            self._functions += 1
        served.waiting.clear()

    def _hear(self, worker: Worker) -> None:
        try:
            data = read_some(worker.out)
        except BlockingIOError:
            return
        if not data:
            self._retire(worker)
            return
        worker.inbox.feed(data)
        worker.heard = time.monotonic()
        try:
            while (body := worker.inbox.take()) is not None:
                message = decode_message(body)
                self._take(worker, message["kind"], message["content"])
        except (ValueError, KeyError, TypeError):  # target code wrote into the pipe
            worker.result.reasons.append("it disturbed the analysis: it wrote to our descriptor")
            self._retire(worker)

    def _take(self, worker: Worker, kind: str, content: Any) -> None:
        result = worker.result
        if kind == "suspicion":
            self._submit(worker, content, None)
        elif kind == "progress":
            worker.told = content
        elif kind == "shared":
            worker.parts += 1
        elif kind == "ended":
            worker.ended.append(content)
            self._paths += content["paths"]
            if content["exhaustive"] and not result.findings:
                self._confirm(worker, content["confirm"])
        elif kind == "refused":
            result.reasons.append(content)
            result.is_refused = True
        elif kind == "mistake":
            result.mistake = content
            result.reasons.append("its contract cannot be read")
        elif kind == "fault":
            result.fault = content

    def _submit(
        self,
        worker: Worker,
        suspicion: Suspicion | None,
        expected: dict[str, Any] | None,
        first: Finding | None = None,
    ) -> None:
        """Ask plain CPython."""
        call: Any = suspicion or expected
        served = worker.served
        timed_out = suspicion is not None and suspicion["outcome"] == "timeout"
        patience = run_timeout(worker.task.limits) if timed_out else None
        ticket = served.replayer.submit(
            call["args"],
            call["kwargs"],
            patience,
            None if suspicion is None else (suspicion["contract"] or _ANY_CLAUSE)["kind"],
            call["variables"],
            expected["result"] if expected is not None else None,
            worker.task.subject.qualname,
        )
        served.pending.append(Pending(ticket, worker, suspicion, expected, first))

    def _confirm(self, worker: Worker, paths: list[dict[str, Any]]) -> None:
        """A proof rests on paths that plain CPython takes too."""
        for path in paths:
            self._submit(worker, None, path)

    # Ending

    def _retire(self, worker: Worker) -> None:
        """A worker closed its pipe or is to be killed: it is done, or dead."""
        self._selector.unregister(worker.out)
        del self._workers[worker.out]
        os.close(worker.out)
        worker.served.running -= 1
        status = self._reap(worker)
        result = worker.result
        is_known = worker.ended and len(worker.ended) == worker.parts
        if not (is_known or worker.careful or result.reasons or result.mistake or result.fault):
            self._restart(worker, _how_it_died(status))
        else:
            self._settle(worker, status)

    def _settle(self, worker: Worker, status: int | None) -> None:
        """Say what is known of a function whose worker is gone."""
        served, result = worker.served, worker.result
        whole = len(worker.ended) == worker.parts
        if worker.ended:
            result.paths = sum(part["paths"] for part in worker.ended)
            result.depth = max(part["depth"] for part in worker.ended)
            result.seconds = max(part["seconds"] for part in worker.ended)
            result.reasons += [reason for part in worker.ended for reason in part["open"]]
            result.verdict = "no-error-found"
        result.is_cut_short |= not (whole or result.is_refused)
        if not (whole or result.reasons or result.mistake or result.fault):
            result.reasons.append(_how_it_died(status))
        if result.fault:
            result.reasons.append("internal error of pef")
        served.results[worker.task.subject] = result
        if whole and all(part["exhaustive"] for part in worker.ended):
            result.verdict = "proved"
        self._functions += 1

    def _reap(self, worker: Worker) -> int | None:
        _kill_group(worker.pid)
        try:
            worker.served.channel.send({"reap": worker.pid})
            answer = worker.served.channel.receive()
        except OSError:
            return None
        return None if answer is None else int(answer["status"])

    def _collect(self) -> None:
        """Take the replays that are done."""
        for served in self._served:
            still: list[Pending] = []
            waiting, served.pending = served.pending, []
            for pending in waiting:
                try:
                    if not served.replayer.is_done(pending.ticket):
                        still.append(pending)
                        continue
                    outcome = served.replayer.result(pending.ticket)
                except ReplayError as problem:
                    pending.worker.result.reasons.append(f"cannot replay: {problem}")
                    continue
                self._weigh(pending, outcome)
            served.pending = [*still, *served.pending]

    def _weigh(self, pending: Pending, outcome: Outcome) -> None:
        worker, suspicion, expected = pending.worker, pending.suspicion, pending.expected
        result = worker.result
        if suspicion is not None:
            found = finding(
                worker.task.subject, suspicion, outcome, worker.task.limits.all_exceptions
            )
            if pending.first is not None:
                self._believe(worker, suspicion, steady(pending.first, found, outcome))
            elif found is not None and found["name"] == "timeout":
                self._believe(worker, suspicion, found)
            elif found is not None:
                self._submit(worker, suspicion, None, found)
            elif suspicion["outcome"] not in ("timeout", ONCE_FAILED):
                result.reasons.append(f"not reproduced: {spoken(suspicion)}")
        elif expected is not None and not as_expected(expected, outcome):
            result.reasons.append("not reproduced: a path ends differently in plain CPython")

    def _believe(self, worker: Worker, suspicion: Suspicion, found: Finding) -> None:
        worker.result.findings.append(found)
        worker.result.counterexamples.append(suspicion)
        self._findings += 1

    def _enforce(self) -> None:
        """Kill what is late; the clock of the worker itself may be stuck in C code."""
        now = time.monotonic()
        for worker in list(self._workers.values()):
            if now > worker.deadline:
                limit = worker.task.limits.timeout
                worker.result.reasons.append(f"did not end within {limit:g} s and was killed")
                self._retire(worker)
            elif worker.is_stuck(now):
                self._retire(worker)
        for served in self._served:
            late = not served.ready and served.waiting and now > served.started + _IMPORT_SECONDS
            if late:
                self._selector.unregister(served.channel.socket)
                served.channel.socket.close()
                self._lose(served, f"cannot import it: not done after {_IMPORT_SECONDS:g} s")
        told = sum(worker.told for worker in self._workers.values())
        self._progress(self._functions, self._paths + told, self._findings)

    def _hand_out(self) -> None:
        """Give away the modules that are complete, in order."""
        while self._served and self._served[0].is_done:
            served = self._served.pop(0)
            self._end(served)
            self._finished(served.module, [_settled(served, task) for task in served.module.tasks])

    def _end(self, served: Served) -> None:
        if served.channel.socket.fileno() >= 0:
            served.channel.socket.close()
        served.replayer.close()

    def _interrupted(self) -> None:
        """Hand out what is known."""
        for served in self._served:
            for task in served.module.tasks:
                result = served.results.get(task.subject)
                if result is None:
                    running = [w for w in self._workers.values() if w.task is task]
                    result = running[0].result if running else Result(task.subject)
                    result.reasons.append("interrupted")
                    result.is_cut_short = True
                    served.results[task.subject] = result
            self._finished(served.module, [_settled(served, task) for task in served.module.tasks])
        for module in self._modules:
            unseen = [Result(task.subject, reasons=["interrupted"]) for task in module.tasks]
            self._finished(module, unseen)

    def _close(self) -> None:
        for worker in self._workers.values():
            _kill_group(worker.pid)
        for served in self._served:
            self._end(served)


def _launch() -> Callable[[Message], WorkerProcess]:
    """A fork of this process is plain, unless a user of the library loaded the engine in it."""
    return spawn if "pef._native" in sys.modules else fork_plain


@dataclass
class _Anything:
    """A module as the target of replays; each request names its function."""

    path: Path
    module_name: str
    qualname: str = ""


def _settled(served: Served, task: Task) -> Result:
    """The last word on a function."""
    result = served.results[task.subject]
    result.findings = smallest(result.findings)
    result.reasons = list(dict.fromkeys(result.reasons))
    if result.findings:
        result.verdict = "error"
    elif result.verdict == "proved" and result.reasons:
        result.verdict = "no-error-found"
    return result


def _how_it_died(status: int | None) -> str:
    if status is None or not os.WIFSIGNALED(status):
        code = "" if status is None else f" (exit status {os.WEXITSTATUS(status)})"
        return f"its process left without a word{code}"
    return f"its process died: {signal.Signals(os.WTERMSIG(status)).name}"


def _kill_group(leader: int) -> None:
    if leader <= 0:
        return
    for kill in (os.killpg, os.kill):
        try:
            kill(leader, signal.SIGKILL)
            return
        except (ProcessLookupError, PermissionError):
            continue
