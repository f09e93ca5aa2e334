"""Shares the functions out among workers, and believes only what a replay confirms.

No target code runs in this process. It watches pipes and clocks: a worker that dies, hangs or says
nothing at its end costs its function a verdict, never the run.
"""

from __future__ import annotations

import os
import selectors
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pef.checking.findings import Finding, Subject, smallest
from pef.checking.guard import Guard
from pef.checking.job import hangs_after, hangs_again_after
from pef.checking.replays import Replays, replayer_of
from pef.checking.server import Channel, Servers
from pef.checking.underway import (
    DISTURBED,
    Again,
    Module,
    Result,
    Served,
    Task,
    Worker,
)
from pef.isolation.leash import Leash
from pef.isolation.pulse import Pulse, shared_file
from pef.records import NamedTuple
from pef.replay.client import await_end
from pef.replay.process import WorkerProcess
from pef.replay.wire import decode_message, read_some

_IMPORT_SECONDS = 30.0
_TICK_SECONDS = 0.05
_SHORT_TICK_SECONDS = 0.01
"""Between two looks at many replays, and at the clocks."""
_FEW_REPLAYS = 8
_MOST_SERVED = 64


class _End(NamedTuple):
    """Stands for the end of a worker where its pipe stands for what it says."""

    worker: Worker


FAIL_FAST = "stopped at the first error"
"""Why a function was not analysed, or not to the end."""


class _Enough(Exception):  # noqa: N818, nothing is wrong
    """What was found is all that is wanted."""


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
    is_enough: Callable[[Finding, Subject], bool] = lambda found, subject: False
    """Whether nothing more needs to be found out after this."""
    fail_fast: bool = False
    """Whether anything may be enough: then nobody searches on while a suspicion is weighed."""


def check(
    modules: Iterable[Module],
    settings: Settings,
    servers: Servers,
    finished: Callable[[Module, list[Result]], None],
    progress: Callable[[int, int, int], None] = lambda functions, paths, findings: None,
) -> None:
    """Analyse every function; `finished` gets each module in order, as soon as it can."""
    _Supervisor(modules, settings, servers, finished, progress).run()


class _Supervisor:
    def __init__(
        self,
        modules: Iterable[Module],
        settings: Settings,
        servers: Servers,
        finished: Callable[[Module, list[Result]], None],
        progress: Callable[[int, int, int], None],
    ) -> None:
        self._servers = servers
        self._modules = deque(modules)
        self._settings = settings
        self._guard = Guard(settings.folder)
        self._replays = Replays(self._guard, self._stop_if_enough)
        self._finished = finished
        self._progress = progress
        self._served: list[Served] = []
        self._workers: dict[int, Worker] = {}
        self._hermits: deque[Again] = deque()
        """Functions whose turn comes when no other worker runs."""
        self._selector = selectors.DefaultSelector()
        self._leaving: list[WorkerProcess] = []
        """Processes of replays that were told to leave."""
        self._paths = self._functions = 0
        self._told: set[str] = set()
        self._looked = 0.0
        """When it was last seen to that nobody is late."""

    def run(self) -> None:
        try:
            while self._modules or self._served:
                self._fill()
                self._listen()
                for served in self._served:
                    self._replays.collect(served)
                self._loosen()
                self._enforce()
                self._hand_out()
        except _Enough:
            self._hand_out_the_rest(FAIL_FAST)
        except KeyboardInterrupt:
            self._hand_out_the_rest("interrupted")
            raise
        finally:
            self._close()

    # Starting

    def _fill(self) -> None:
        """Keep as many cores busy as were asked for: functions come first, then modules."""
        if self._hermits and not self._workers:
            self._restart(self._hermits.popleft())
        if self._hermits or any(worker.alone for worker in self._workers.values()):
            return
        free = self._idle
        for served in self._served:
            while free > 0 and served.ready and served.waiting:
                self._start(served)
                free -= 1
        while self._may_serve(free):
            self._serve(self._modules.popleft())
            free -= 1
        for worker in self._workers.values():
            if free > 0 and worker.can_share:
                worker.share()
                free -= 1

    def _may_serve(self, free: int) -> bool:
        """Whether it is time for the next module; with several cores one is imported ahead."""
        if not self._modules or len(self._served) >= _MOST_SERVED:
            return False
        is_ahead = any(served.waiting for served in self._served)
        return free > 0 or (free == 0 and self._settings.jobs > 1 and not is_ahead)

    @property
    def _idle(self) -> int:
        """How many cores nothing runs on: no import, no search, no replay.

        With several cores the replays of one module may run beside the others: they are short, and
        now and then a core waits until we have heard and answered.
        """
        jobs = self._settings.jobs
        exploring = sum(worker.busy for worker in self._workers.values())
        loading = sum(served.is_loading for served in self._served)
        replaying = sum(served.is_replaying for served in self._served)
        return jobs - exploring - loading - max(0, replaying - (jobs > 1))

    def _serve(self, module: Module) -> Served:
        self._servers.warm_up()
        replays = self._guard.quarters(_leave_of(module))
        replayer = replayer_of(module, self._settings.python_path, self._settings.project, replays)
        channel = self._server(module)
        replayer.stand_by()
        served = Served(module, deque(module.tasks), channel, replayer, time.monotonic())
        self._selector.register(channel.socket, selectors.EVENT_READ, served)
        self._served.append(served)
        return served

    def _server(self, module: Module) -> Channel:
        request = {
            "path": module.path,
            "module": module.name,
            "python_path": list(self._settings.python_path),
            "project": list(self._settings.project),
            "folder": os.getcwd(),
        }
        quarters = self._guard.quarters(_leave_of(module))
        self._guard.begin()
        return self._servers.start(request, quarters)

    def _start(self, served: Served) -> None:
        task = served.waiting.popleft()
        worker = self._launch(served, task, task.limits.timeout)
        if worker is None:
            served.waiting.appendleft(task)
            self._lose(served, "the process that had imported it died")
            return
        for suspicion in task.tried_first:
            self._replays.ask(worker, suspicion)

    def _start_again(self, worker: Worker, status: int | None) -> None:
        """Explore a function that ended its process again, rehearsing every run.

        What somebody else has killed, as the kernel does when memory is short, gets the machine for
        itself.
        """
        limit = worker.task.limits.timeout
        left = limit - (time.monotonic() - worker.started)
        alone = _is_killed(status) and not worker.is_ended_by_us
        again = Again(worker, max(left, 0.2 * limit), _how_it_died(status), alone)
        worker.served.running += 1  # until its turn comes
        if alone:
            self._hermits.append(again)
        else:
            self._restart(again)

    def _restart(self, again: Again) -> None:
        worker = again.worker
        worker.served.running -= 1
        limits = worker.task.limits
        hung = worker.is_ended_by_us
        rehearsal = hangs_again_after(limits) if hung else hangs_after(limits)
        other = self._launch(worker.served, worker.task, again.seconds, rehearsal)
        if other is None:
            worker.result.reasons.append(again.why)
            self._settle(worker, None)
            return
        other.result = worker.result
        other.alone = again.alone
        other.deadline += again.seconds - limits.timeout

    def _launch(
        self, served: Served, task: Task, seconds: float, rehearsal: float | None = None
    ) -> Worker | None:
        """Start a worker; None if the server is gone."""
        if served.last is not None and not self._renew(served):
            return None
        reader, writer = os.pipe()
        page = shared_file()
        is_alone = not (served.waiting or served.running or rehearsal or task.limits.allow)
        start = {
            "qualname": task.subject.qualname,
            "limits": task.limits._asdict(),
            "seconds": seconds,
            "rehearsal": rehearsal,
            "is_last": is_alone,
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
        if is_alone:
            served.last = answer["pid"]
            self._servers.entrust(answer["pid"])
            self._guard.refused(answer["pid"])  # what the import tried is not the function's doing
        os.set_blocking(reader, False)
        now = time.monotonic()
        leash = Leash(answer["pid"])
        careful = rehearsal is not None
        worker = Worker(task, served, leash, reader, now, careful=careful, pulse=pulse)
        self._workers[reader] = worker
        served.running += 1
        self._selector.register(reader, selectors.EVENT_READ, worker)
        if leash.descriptor is not None:
            self._selector.register(leash.descriptor, selectors.EVENT_READ, _End(worker))
        return worker

    def _renew(self, served: Served) -> bool:
        """Start another server for a module whose last function did not end well; whether it can.

        That the module can be imported is known, so this is waited for; not for ever.
        """
        served.channel.socket.close()
        served.channel, served.last = self._server(served.module), None
        served.channel.socket.settimeout(_IMPORT_SECONDS)
        try:
            message = served.channel.receive()
        except OSError:  # it died, or takes too long this time
            return False
        served.channel.socket.settimeout(None)
        if message is None or "ready" not in message:
            return False
        served.variables.update(message["variables"])
        return True

    # Listening

    def _listen(self) -> None:
        is_short = any(served.pending for served in self._served)
        with self._heard_replays():
            ready = self._selector.select(_SHORT_TICK_SECONDS if is_short else _TICK_SECONDS)
        for key, _ in ready:
            if key.data is None:
                continue  # a replay is done: whoever asked for it looks
            if isinstance(key.data, Served):
                self._hear_server(key.data)
            elif isinstance(key.data, _End):
                self._hear_last_words(key.data.worker)
            elif key.data.out in self._workers:
                self._hear(key.data)

    @contextmanager
    def _heard_replays(self) -> Iterator[None]:
        """Wake up for the last answers; to do so for each of many would take longer than those.

        Only meanwhile: their descriptors are closed, and taken by others, without our knowing.
        """
        asked = [served for served in self._served if 0 < len(served.pending) <= _FEW_REPLAYS]
        descriptors = [served.replayer.descriptor for served in asked]
        heard = [descriptor for descriptor in descriptors if descriptor is not None]
        for descriptor in heard:
            self._selector.register(descriptor, selectors.EVENT_READ)
        try:
            yield
        finally:
            for descriptor in heard:
                self._selector.unregister(descriptor)

    def _hear_server(self, served: Served) -> None:
        """A server speaks of itself only once: whether the import went well."""
        try:
            message = served.channel.receive()
        except OSError:
            message = None
        if message is not None and message.get("ready"):
            served.ready = True
            self._refuse_some(served)
            served.variables.update(message["variables"])
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

    def _refuse_some(self, served: Served) -> None:
        """Say of some functions that they cannot be analysed; their module was imported."""
        for task in [task for task in served.waiting if task.refusal]:
            served.waiting.remove(task)
            refused = Result(task.subject, reasons=[task.refusal], is_refused=True)
            served.results[task.subject] = refused
            self._functions += 1

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

    def _hear_last_words(self, worker: Worker) -> None:
        """A worker has ended; whoever it started may hold its pipe open, and is not waited for."""
        while self._workers.get(worker.out) is worker:
            if not self._hear(worker):
                self._retire(worker)

    def _hear(self, worker: Worker) -> bool:
        """Take what a worker says; False if it says nothing at the moment."""
        try:
            data = read_some(worker.out)
        except BlockingIOError:
            return False
        if not data:
            self._retire(worker)
            return True
        worker.inbox.feed(data)
        worker.heard_of(time.monotonic())
        try:
            while (body := worker.inbox.take()) is not None:
                message = decode_message(body)
                self._take(worker, message["kind"], message["content"])
        except (ValueError, KeyError, TypeError):  # target code wrote into the pipe
            worker.result.reasons.append(DISTURBED)
            self._retire(worker)
        return True

    def _take(self, worker: Worker, kind: str, content: Any) -> None:
        result = worker.result
        if kind == "suspicion":
            if self._settings.fail_fast:
                worker.hold(time.monotonic())
            self._replays.ask(worker, content)
        elif kind == "progress":
            self._paths += content
        elif kind == "shared":
            worker.parts += content
        elif kind == "ended":
            worker.ended.append(content)
            if content["exhaustive"] and not result.findings:
                self._replays.confirm(worker, content)
        elif kind == "refused":
            result.reasons.append(content)
            result.is_refused = True
        elif kind == "mistake":
            result.mistake = content
            result.reasons.append("its contract cannot be read")
        elif kind == "fault":
            result.fault = content

    # Ending

    def _retire(self, worker: Worker) -> None:
        """A worker closed its pipe or is to be killed: it is done, or dead."""
        self._selector.unregister(worker.out)
        del self._workers[worker.out]
        os.close(worker.out)
        if worker.leash.descriptor is not None:
            self._selector.unregister(worker.leash.descriptor)
        worker.served.running -= 1
        status = self._reap(worker)
        result = worker.result
        result.is_dated |= worker.pulse is not None and worker.pulse.is_dated
        result.reasons += map(str, self._guard.refused(worker.pid) or ())
        is_known = worker.ended and len(worker.ended) == worker.parts
        if not (is_known or worker.careful or result.reasons or result.mistake or result.fault):
            self._start_again(worker, status)
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
        worker.leash.kill()
        worker.leash.let_go()
        if worker.pid == worker.served.last:
            return self._servers.reap(worker.pid)
        try:
            worker.served.channel.send({"reap": worker.pid})
            answer = worker.served.channel.receive()
        except OSError:
            return None
        return None if answer is None else int(answer["status"])

    def _loosen(self) -> None:
        """Let those go on whose suspicions came to nothing."""
        for worker in self._workers.values():
            if worker.held is not None and not self._is_weighed(worker):
                worker.loosen(time.monotonic())

    @staticmethod
    def _is_weighed(worker: Worker) -> bool:
        return any(pending.worker is worker for pending in worker.served.pending)

    def _stop_if_enough(self, found: Finding, subject: Subject) -> None:
        if self._settings.is_enough(found, subject):
            raise _Enough

    def _enforce(self) -> None:
        """Kill what is late; the clock of the worker itself may be stuck in C code."""
        now = time.monotonic()
        if now < self._looked + _SHORT_TICK_SECONDS:
            return
        self._looked = now
        for worker in list(self._workers.values()):
            if worker.held is not None:
                continue
            if now > worker.deadline:
                limit = worker.task.limits.timeout
                worker.result.reasons.append(f"did not end within {limit:g} s and was killed")
                self._retire(worker)
            elif worker.is_stuck(now):
                worker.is_ended_by_us = True
                self._retire(worker)
        for served in self._served:
            late = not served.ready and served.waiting and now > served.started + _IMPORT_SECONDS
            if late:
                self._selector.unregister(served.channel.socket)
                served.channel.socket.close()
                self._lose(served, f"cannot import it: not done after {_IMPORT_SECONDS:g} s")
        self._progress(self._functions, self._paths, self._replays.findings)

    def _hand_out(self) -> None:
        """Give away the modules that are complete, in order."""
        while self._served and self._served[0].is_done:
            served = self._served.pop(0)
            self._end(served)
            self._finished(served.module, [_settled(served, task) for task in served.module.tasks])

    def _end(self, served: Served) -> None:
        if served.channel.socket.fileno() >= 0:
            served.channel.socket.close()
        leaving = served.replayer.dismiss()
        if leaving is not None:
            self._leaving.append(leaving)

    def _hand_out_the_rest(self, why: str) -> None:
        """What is known when the run ends early."""
        for served in self._served:
            for task in served.module.tasks:
                result = served.results.get(task.subject)
                if result is None:
                    running = [w.result for w in self._workers.values() if w.task is task]
                    waiting = [again.worker.result for again in self._hermits]
                    waiting = [each for each in waiting if each.subject == task.subject]
                    [result, *_] = [*running, *waiting, Result(task.subject)]
                    result.reasons.append(why)
                    result.is_cut_short = True
                    served.results[task.subject] = result
            self._finished(served.module, [_settled(served, task) for task in served.module.tasks])
        for module in self._modules:
            unseen = [Result(task.subject, reasons=[why]) for task in module.tasks]
            self._finished(module, unseen)

    def _close(self) -> None:
        for worker in self._workers.values():
            worker.leash.kill()
        for served in self._served:
            self._end(served)
        for leaving in self._leaving:
            await_end(leaving)
        self._guard.close()


def _leave_of(module: Module) -> Sequence[str]:
    """What the functions of a module may do."""
    return module.tasks[0].limits.allow if module.tasks else ()


def _settled(served: Served, task: Task) -> Result:
    """The last word on a function."""
    result = served.results[task.subject]
    result.findings = smallest(result.findings)
    result.variables = served.variables
    result.reasons = list(dict.fromkeys(result.reasons))
    if result.findings:
        result.verdict = "error"
    elif result.verdict == "proved" and result.reasons:
        result.verdict = "no-error-found"
    return result


def _is_killed(status: int | None) -> bool:
    return status is not None and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _how_it_died(status: int | None) -> str:
    if status is None or not os.WIFSIGNALED(status):
        code = "" if status is None else f" (exit status {os.WEXITSTATUS(status)})"
        return f"its process left without a word{code}"
    return f"its process died: {signal.Signals(os.WTERMSIG(status)).name}"
