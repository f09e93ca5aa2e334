"""Results of earlier runs, in SQLite.

A cache may only save time: whatever is wrong with it, the run goes on without it and says so once.
Every change is one short transaction, so that a run that is killed leaves it intact and two runs at
once are both right. What is stored under a key never changes; a key covers everything a result
depends on (`pef.check.digest`).
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

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


class Cache:
    """The results in a folder; one that cannot be used is empty and forgets what it is told."""

    def __init__(self, connection: sqlite3.Connection | None, warn: Warn) -> None:
        self._connection = connection
        self._warn = warn
        self._used: set[str] = set()

    @classmethod
    def open(cls, folder: str | os.PathLike[str], warn: Warn) -> Cache:
        """Open the cache of a folder, making both if need be; `warn` is called at most once."""
        path = Path(folder) / _FILE
        try:
            _make(Path(folder))
            return cls(_opened(path, warn), warn)
        except (OSError, sqlite3.Error) as problem:
            warn(f"the cache {folder} cannot be used: {_reason(problem)}")
            return cls(None, warn)

    def lookup(self, key: str) -> Stored | None:
        """Return what was stored under a key."""
        rows = self._run("SELECT content FROM results WHERE key = ?", (key,))
        if not rows:
            return None
        try:
            stored = Stored(*json.loads(rows[0][0]))
        except (ValueError, TypeError):
            return None
        self._used.add(key)
        return stored

    def store(self, key: str, function: str, stored: Stored, calls: Iterable[Call] = ()) -> None:
        """Keep a result, and the calls that failed."""
        now = time.time()
        content = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
        self._run(
            "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?)", (key, function, content, now)
        )
        for call in calls:
            self._run(
                "INSERT OR REPLACE INTO counterexamples VALUES (?, ?, ?)",
                (function, json.dumps(call), now),
            )

    def old_counterexamples(self, function: str) -> list[Call]:
        """Return calls that made any version of a function fail, latest first."""
        rows = self._run(
            "SELECT call FROM counterexamples WHERE function = ? ORDER BY used DESC, call LIMIT ?",
            (function, _CALLS_KEPT),
        )
        calls = []
        for (text,) in rows:
            try:
                calls.append(Call(*json.loads(text)))
            except (ValueError, TypeError):
                continue
        return calls

    def close(self) -> None:
        """Note what was used, drop what was not for long, and let go of the file."""
        if self._connection is None:
            return
        now = time.time()
        self._run(
            "UPDATE results SET used = ? WHERE key IN (SELECT value FROM json_each(?))",
            (now, json.dumps(sorted(self._used))),
        )
        self._prune(now - _DAYS_KEPT * 86400)
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _prune(self, before: float) -> None:
        self._run("DELETE FROM results WHERE used < ?", (before,))
        self._run("DELETE FROM counterexamples WHERE used < ?", (before,))
        for table, row, kept in (
            ("results", "key", _VERSIONS_KEPT),
            ("counterexamples", "call", _CALLS_KEPT),
        ):
            self._run(
                f"DELETE FROM {table} WHERE (function, {row}) IN ("
                f"SELECT function, {row} FROM (SELECT function, {row}, row_number() OVER "
                f"(PARTITION BY function ORDER BY used DESC) AS place FROM {table}) "
                "WHERE place > ?)",
                (kept,),
            )

    def _run(self, statement: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        """Run one statement, which is a transaction; after a failure the cache is left alone."""
        if self._connection is None:
            return []
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as problem:
            if _is_busy(problem):
                return []  # Another run is at it; a result that is not kept is found again.
            self._connection.close()
            self._connection = None
            self._warn(f"the cache cannot be used any more: {_reason(problem)}")
            return []


def _make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _TAG)):
        path = folder / name
        if not path.exists():
            path.write_text(content, encoding="utf-8")


def _opened(path: Path, warn: Warn) -> sqlite3.Connection:
    try:
        return _connected(path)
    except _OldSchemaError:
        pass
    except sqlite3.DatabaseError as problem:
        if isinstance(problem, sqlite3.OperationalError):
            raise
        warn(f"the cache {path} is damaged ({_reason(problem)}) and is built anew")
    for ending in ("", "-wal", "-shm", "-journal"):
        Path(f"{path}{ending}").unlink(missing_ok=True)
    return _connected(path)


class _OldSchemaError(Exception):
    """The file is of another version of PEF."""


def _connected(path: Path) -> sqlite3.Connection:
    """Open the file and make sure that its tables are ours."""
    connection = sqlite3.connect(path, timeout=_PATIENCE_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        try:
            _check_tables(connection)
        finally:
            connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _check_tables(connection: sqlite3.Connection) -> None:
    [application] = connection.execute("PRAGMA application_id").fetchone()
    [schema] = connection.execute("PRAGMA user_version").fetchone()
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if not tables:
        for statement in filter(str.strip, _TABLES.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {_SCHEMA}")
    elif application != _APPLICATION:
        raise sqlite3.OperationalError("it is a database of another program")
    elif schema != _SCHEMA:
        raise _OldSchemaError
    else:
        connection.execute("SELECT key, function, content, used FROM results LIMIT 1").fetchall()
        connection.execute("SELECT function, call, used FROM counterexamples LIMIT 1").fetchall()


def _is_busy(problem: sqlite3.Error) -> bool:
    return isinstance(problem, sqlite3.OperationalError) and "locked" in str(problem)


def _reason(problem: Exception) -> str:
    return getattr(problem, "strerror", None) or str(problem)
