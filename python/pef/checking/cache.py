"""Results of earlier runs, in SQLite.

A cache may only save time: whatever is wrong with it, the run goes on without it and says so once.
Every change is one short transaction, so that a run that is killed leaves it intact and two runs at
once are both right. The file is open only while it is used: processes that run target code are
forked in between, and must not inherit it. Where there is none, nothing is looked for, and none is
made before there is something to keep: SQLite takes longer to load than many a function to analyse.

A key covers everything a result depends on (`pef.checking.digest`), so what is stored under it
never becomes wrong. What depends on more than code is not stored (`pef.isolation.outside`).
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from pef.records import NamedTuple

if TYPE_CHECKING:
    import sqlite3

_FILE = "results.sqlite"
_APPLICATION = 0x50454631
"""Written into the file, so that it can be told from others."""
_SCHEMA = 1
_PATIENCE_SECONDS = 5.0
_DAYS_KEPT = 60
_VERSIONS_KEPT = 8
"""Results per function: enough to go back and forth between branches."""
_CALLS_KEPT = 20
_TABLES = """
CREATE TABLE results (
    key TEXT PRIMARY KEY,
    function TEXT NOT NULL,
    content TEXT NOT NULL,
    used REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX results_of_function ON results (function, used);
CREATE TABLE counterexamples (
    function TEXT NOT NULL,
    call TEXT NOT NULL,
    used REAL NOT NULL,
    PRIMARY KEY (function, call)
) WITHOUT ROWID;
"""
_LOOKUP = "SELECT content FROM results WHERE key = ?"
_CALLS = "SELECT call FROM counterexamples WHERE function = ? ORDER BY used DESC, call LIMIT ?"
_SUPERFLUOUS = """
DELETE FROM {table} WHERE (function, {row}) IN (
    SELECT function, {row} FROM (
        SELECT function, {row}, row_number() OVER
            (PARTITION BY function ORDER BY used DESC) AS place
        FROM {table}
    ) WHERE place > ?
)
"""
_TAG = """\
Signature: 8a477f597d28d172789f06886806bc55
# This folder holds results of earlier runs of pef, and may be deleted.
"""

Warn = Callable[[str], None]


class Stored(NamedTuple):
    """What is known about a function."""

    findings: list[dict[str, Any]]
    function: dict[str, Any]


class Call(NamedTuple):
    """A call that failed: its arguments as source."""

    args: list[str]
    kwargs: dict[str, str]
    variables: dict[str, str]


Result = TypeVar("Result")
Record = TypeVar("Record", Stored, Call)


class Cache:
    """The results in a folder; one that cannot be used is empty and forgets what it is told."""

    def __init__(self, folder: str | os.PathLike[str], warn: Warn) -> None:
        """`warn` is called at most once, as soon as something is wrong."""
        self._folder = os.fspath(folder)
        self._path = os.path.join(folder, _FILE)
        self._warn = warn
        self._is_usable = True
        self._used: set[str] = set()
        self._waits = False
        """Whether what is stored is not to be written yet."""
        self._results: list[tuple[str, str, str, float]] = []
        self._calls: list[tuple[str, str, float]] = []
        self.is_new = not os.path.exists(self._path)
        """Whether there was none when this run began."""

    def lookup(self, keys: Iterable[str]) -> dict[str, Stored]:
        """Return what was stored under the keys, for those that are known."""

        def read(connection: sqlite3.Connection) -> dict[str, Stored]:
            found = {}
            for key in keys:
                row = connection.execute(_LOOKUP, (key,)).fetchone()
                stored = _read(Stored, row[0]) if row else None
                if stored is not None:
                    found[key] = stored
            return found

        found = self._read(read) or {}
        self._used.update(found)
        return found

    def store(self, key: str, function: str, stored: Stored, calls: Iterable[Call] = ()) -> None:
        """Keep a result, and the calls that failed."""
        now = time.time()
        content = json.dumps(stored, separators=(",", ":"))
        self._results.append((key, function, content, now))
        self._calls += [(function, json.dumps(call), now) for call in calls]
        if not self._waits:
            self._write()

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is stored meanwhile is written at the end, in one transaction."""
        self._waits = True
        try:
            yield
        finally:
            self._waits = False
            self._write()

    def _write(self) -> None:
        results, self._results = self._results, []
        calls, self._calls = self._calls, []
        if not results:
            return

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?)", results)
            connection.executemany("INSERT OR REPLACE INTO counterexamples VALUES (?, ?, ?)", calls)

        if self._is_usable:
            try:
                _make(self._folder)
            except OSError as problem:
                self._give_up(problem)
        self._with_tables(write)

    def old_counterexamples(self, function: str) -> list[Call]:
        """Return calls that made any version of a function fail, latest first."""

        def read(connection: sqlite3.Connection) -> list[Call]:
            rows = connection.execute(_CALLS, (function, _CALLS_KEPT)).fetchall()
            return [call for (text,) in rows if (call := _read(Call, text)) is not None]

        return self._read(read) or []

    def tidy(self) -> None:
        """Note what was used, and drop what was not for long."""
        if self.is_new:
            return
        now = time.time()

        def write(connection: sqlite3.Connection) -> None:
            used = [(now, key) for key in sorted(self._used)]
            connection.executemany("UPDATE results SET used = ? WHERE key = ?", used)
            for table, row, kept in (
                ("results", "key", _VERSIONS_KEPT),
                ("counterexamples", "call", _CALLS_KEPT),
            ):
                oldest = now - _DAYS_KEPT * 86400
                connection.execute(f"DELETE FROM {table} WHERE used < ?", (oldest,))
                connection.execute(_SUPERFLUOUS.format(table=table, row=row), (kept,))

        self._with_tables(write)

    def _read(self, work: Callable[[sqlite3.Connection], Result]) -> Result | None:
        return self._with_tables(work) if os.path.exists(self._path) else None

    def _with_tables(self, work: Callable[[sqlite3.Connection], Result]) -> Result | None:
        """Do something in one transaction; None if the cache is of no use."""
        if not self._is_usable:
            return None
        sqlite3 = _sqlite()
        try:
            try:
                return _in_transaction(self._path, work)
            except _OldSchemaError:
                pass
            except sqlite3.DatabaseError as problem:
                if isinstance(problem, sqlite3.OperationalError):
                    raise
                self._complain(f"is damaged ({problem}) and is built anew")
            for ending in ("", "-journal", "-wal", "-shm"):
                with suppress(FileNotFoundError):
                    os.unlink(f"{self._path}{ending}")
            return _in_transaction(self._path, work)
        except (OSError, sqlite3.Error) as problem:
            self._give_up(problem)
            return None

    def _give_up(self, problem: Exception) -> None:
        self._is_usable = False
        reason = getattr(problem, "strerror", None) or str(problem)
        self._complain(f"cannot be used: {reason}")

    def _complain(self, what: str) -> None:
        warn, self._warn = self._warn, lambda message: None
        warn(f"the cache {self._folder} {what}")


class _OldSchemaError(Exception):
    """The file is of another version of PEF."""


def _in_transaction(path: str, work: Callable[[sqlite3.Connection], Result]) -> Result:
    connection = _sqlite().connect(path, timeout=_PATIENCE_SECONDS, isolation_level=None)
    try:
        # The system may lose the last moments before it crashes; a process that dies loses nothing.
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN IMMEDIATE")
        _check_tables(connection)
        result = work(connection)
        connection.execute("COMMIT")
        return result
    finally:
        connection.close()


def _check_tables(connection: sqlite3.Connection) -> None:
    """Make sure that the tables are ours; in a new file, make them."""
    sqlite3 = _sqlite()
    [application] = connection.execute("PRAGMA application_id").fetchone()
    [schema] = connection.execute("PRAGMA user_version").fetchone()
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if not tables:
        for statement in filter(str.strip, _TABLES.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {_SCHEMA}")
    elif application != _APPLICATION:
        raise sqlite3.OperationalError("its file belongs to another program")
    elif schema != _SCHEMA:
        raise _OldSchemaError
    elif not {"results", "counterexamples"} <= tables:
        raise sqlite3.DatabaseError("tables are missing")


def _sqlite() -> Any:
    """The module. Around its C code there is only what dates need, which takes as long to load."""
    try:
        import _sqlite3
    except ImportError:
        import sqlite3

        return sqlite3
    return _sqlite3


def _make(folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    for name, content in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _TAG)):
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)


def _read(kind: type[Record], text: str) -> Record | None:
    """Return what a row holds; None if we did not write it."""
    try:
        return kind(*json.loads(text))
    except (ValueError, TypeError):
        return None
