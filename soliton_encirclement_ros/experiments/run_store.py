"""Results of runs, and the finished runs of a sweep on disk: one SQLite file, of one process.

A stored run survives any end of that process. A run repeated with newer code replaces the old one.

A result is sent from a worker to the store. Whatever runs a sweep reports to a ``SweepMonitor``.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import why_not_written
from soliton_encirclement_ros.core.run.run_folder import code_version
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.experiments.sweep_file import PlannedRun, SweptRun
from soliton_encirclement_ros.sim import simulation

MAX_ERROR_LENGTH = 300


Curves = Mapping[str, Sequence[float]]
"""The metrics of a run about once a second, by name, with their ``time`` [s]."""


class RunResult(NamedTuple):
    """Result of a run by a version of the code: JSON texts, and curves by ``pack_curves``.

    ``error`` says why there is none, in one line; empty if there is one.
    """

    key: str
    code: str
    error: str = ''
    summary: str = ''
    study: str = ''
    curves: bytes = b''


def fly_run(key: str, scenario: Scenario) -> RunResult:
    """Simulate one run; an error becomes part of the result."""
    try:
        flown = simulation.fly(scenario)
        summary, study = json.dumps(flown.summary), json.dumps(flown.study)
        return RunResult(key, code_version(), '', summary, study, pack_curves(flown.curves))
    except Exception as error:
        return RunResult(key, code_version(), one_line(error))


def one_line(error: BaseException) -> str:
    """Return an error in one line of limited length."""
    text = ' '.join(str(error).split())
    return (f'{type(error).__name__}: {text}' if text else type(error).__name__)[:MAX_ERROR_LENGTH]


def pack_curves(curves: Curves) -> bytes:
    """Return curves of equal length as bytes, in single precision, enough for plots."""
    head = json.dumps(list(curves)).encode()
    values = np.array([list(curve) for curve in curves.values()], dtype='<f4')
    return len(head).to_bytes(4, 'little') + head + values.tobytes()


def unpack_curves(packed: bytes) -> dict[str, list[float]]:
    """Return the curves packed by ``pack_curves``."""
    size = int.from_bytes(packed[:4], 'little')
    names = json.loads(packed[4 : 4 + size])
    values = np.frombuffer(packed[4 + size :], dtype='<f4').astype(float)
    rows = values.reshape(len(names), -1) if names else np.empty((0, 0))
    return dict(zip(names, rows.tolist(), strict=True))


class BrokenOffError(RunError):
    """The sweep was stopped by an external cause; finished runs are kept, it can be resumed."""


Finished = Sequence[tuple[PlannedRun, RunResult]]

TURN = 0.2
"""Longest wall time [s] between two calls of ``turn``."""


class SweepMonitor(Protocol):
    """Receives finished runs; all methods are called from one thread."""

    def take(self, finished: Finished) -> None:
        """Store finished runs, and report those that failed."""
        ...

    def note(self, line: str) -> None:
        """Print one line for the user."""
        ...

    def turn(self) -> bool:
        """Update the progress display; return whether to continue."""
        ...


DATABASE = 'runs.sqlite'
LAYOUT = 1
TABLES = """
CREATE TABLE IF NOT EXISTS runs (
    key TEXT PRIMARY KEY, parameters TEXT NOT NULL, code TEXT NOT NULL,
    summary TEXT NOT NULL, study TEXT NOT NULL, curves BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS of_parameters ON runs (parameters);
"""


class Store(AbstractContextManager['Store']):
    """The store of one sweep; a second sweep in the same folder is refused."""

    def __init__(self, folder: Path) -> None:
        """Open or create the store of a folder, and lock it until ``close``.

        Raises:
            RunError: It is in use, not a sweep store, or cannot be written.
        """
        self.path = folder / DATABASE
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f'{folder}: cannot write: {why_not_written(error)}') from None
        try:
            self._base = sqlite3.connect(self.path, timeout=0.0, isolation_level=None)
            self._open()
        except sqlite3.Error as error:
            raise RunError(self._refusal(error)) from None

    def __exit__(self, *error: object) -> None:
        """Close it."""
        self.close()

    def missing(self, runs: Iterable[PlannedRun]) -> list[PlannedRun]:
        """Return those of some runs that are not stored.

        Raises:
            RunError: The file is damaged.
        """
        known = {key for (key,) in self._ask('SELECT key FROM runs', ())}
        return [run for run in runs if run.key not in known]

    def outdated(self, runs: Iterable[PlannedRun]) -> int:
        """Return how many of some missing runs are stored from another version of the code."""
        known = {digest for (digest,) in self._ask('SELECT parameters FROM runs', ())}
        return sum(run.parameters in known for run in runs)

    def keep(self, finished: Iterable[tuple[PlannedRun, RunResult]]) -> None:
        """Store finished runs, all or none.

        Raises:
            BrokenOffError: They cannot be written; earlier runs stay stored.
        """
        rows = [
            (run.key, run.parameters, record.code, record.summary, record.study, record.curves)
            for run, record in finished
        ]
        try:
            self._base.execute('BEGIN IMMEDIATE')
            for row in rows:
                self._base.execute('DELETE FROM runs WHERE parameters = ?', (row[1],))
            self._base.executemany('INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?)', rows)
            self._base.execute('COMMIT')
        except sqlite3.Error as error:
            if self._base.in_transaction:
                self._base.execute('ROLLBACK')
            raise BrokenOffError(
                f'{self.path}: cannot write: {error}; finished runs are kept: free disk space and '
                'repeat the command'
            ) from None

    def read(self, runs: Sequence[PlannedRun]) -> Iterator[SweptRun]:
        """Iterate over those of some runs that are stored, in the given order."""
        for run in runs:
            rows = self._ask('SELECT summary, study FROM runs WHERE key = ?', (run.key,))
            for summary, study in rows:
                seed = run.scenario.run.seed
                yield SweptRun(run.point, seed, json.loads(summary), json.loads(study))

    def curves(self, run: PlannedRun) -> dict[str, list[float]]:
        """Return the curves of a stored run."""
        ((packed,),) = self._ask('SELECT curves FROM runs WHERE key = ?', (run.key,))
        return unpack_curves(packed)

    def close(self) -> None:
        """Close the file; on a full disk its journal remains and is read next time."""
        self._base.close()

    def _open(self) -> None:
        base = self._base
        (layout,) = base.execute('PRAGMA user_version').fetchone()
        if layout == 0 and base.execute('SELECT 1 FROM sqlite_master').fetchone():
            raise RunError(f'{self.path}: is not a sweep database: use another --out')
        base.execute('PRAGMA locking_mode = EXCLUSIVE')
        base.execute('PRAGMA journal_mode = WAL')
        base.execute('PRAGMA synchronous = NORMAL')
        base.execute('BEGIN IMMEDIATE')
        (layout,) = base.execute('PRAGMA user_version').fetchone()
        if layout not in (0, LAYOUT):
            raise RunError(f'{self.path}: layout {layout} must be {LAYOUT}: use another --out')
        for statement in TABLES.split(';'):
            base.execute(statement)
        base.execute(f'PRAGMA user_version = {LAYOUT}')
        base.execute('COMMIT')

    def _ask(self, question: str, values: tuple[str, ...]) -> list[Any]:
        try:
            return self._base.execute(question, values).fetchall()
        except sqlite3.Error as error:
            raise RunError(f'{self.path}: cannot read: {error}') from None

    def _refusal(self, error: sqlite3.Error) -> str:
        reason = str(error)
        if 'locked' in reason:
            return (
                f'{self.path.parent}: is in use by another sweep or program: wait for its end or '
                'use another --out'
            )
        if 'full' in reason or 'I/O' in reason:
            return f'{self.path}: cannot write: {reason}: free disk space and repeat the command'
        return f'{self.path}: cannot be used: {reason}; repair or remove it, or use another --out'
