"""The watcher of a chaos run: what vehicles really do, from their simulation and not from ROS."""

import json
import socket
import threading
import time
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from chaos_parts.invariants import Stall, gap_error

PERIOD = 0.05
"""Time between two samples of all bodies [s]."""

STALL = 0.5
"""Time without a report of a vehicle or of the watcher for which the machine stood still [s]; a
vehicle without commands goes on for as long."""

SIZES_PERIOD = 5.0
"""Time between two looks at the memory of processes [s]."""


class Body(NamedTuple):
    """What was last reported of a body."""

    at: float
    position: np.ndarray
    velocity: np.ndarray


class Track(NamedTuple):
    """All samples: times [s], shape (T,), and positions [m], shape (T, N, 3)."""

    times: np.ndarray
    positions: np.ndarray


class Watch:
    """Collects reports of vehicles, and sizes of processes."""

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        """Listen on a socket of the file system.

        Args:
            path: Of the socket.
            names: Of the bodies, the target last.
        """
        self.names = list(names)
        self.commands: dict[str, list[tuple[float, ...]]] = defaultdict(list)
        self.sizes: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self.stalls: list[Stall] = []
        self.autopilots: list[dict[str, Any]] = []
        self._bodies: dict[str, Body] = {}
        self._autopilot_states: dict[str | None, tuple[object, ...]] = {}
        self._times: list[float] = []
        self._positions: list[np.ndarray] = []
        self._due = self._sizes_due = self._looked = time.monotonic()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._arrived: deque[bytes] = deque()
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self) -> None:
        """Take reports at once: the system keeps ten of them."""
        while True:
            self._arrived.append(self._socket.recv(2**20))

    @property
    def is_complete(self) -> bool:
        """Whether every body was reported."""
        return set(self.names) <= set(self._bodies)

    def look(self) -> None:
        """Take all reports, and a sample if it is time."""
        now = time.monotonic()
        if now - self._looked > STALL:
            self.stalls.append(Stall(self._looked, now, 'the watcher'))
        self._looked = now
        while self._arrived:
            report = json.loads(self._arrived.popleft())
            if isinstance(report, dict):
                self._note_autopilot(report)
            else:
                self._take(*report)
        if self.is_complete and now >= self._due:
            self._due = max(self._due + PERIOD, now - PERIOD)
            bodies = [self._bodies[name] for name in self.names]
            self._times.append(now)
            self._positions.append(
                np.array([body.position + (now - body.at) * body.velocity for body in bodies])
            )

    def _take(self, at: float, bodies: Sequence[Sequence]) -> None:
        for name, *values, commands in bodies:
            before = self._bodies.get(name)
            if before is not None and at - before.at > STALL:
                self.stalls.append(Stall(before.at, at, f'the vehicle of {name}'))
            self._bodies[name] = Body(at, np.array(values[:3]), np.array(values[3:]))
            self.commands[name] += map(tuple, commands)

    def _note_autopilot(self, report: dict[str, Any]) -> None:
        """Keep orders of the operator, and what an autopilot reports when that has changed."""
        name = report.get('autopilot')
        state = report.get('armed'), report.get('crashed')
        if name is None or report['violations'] or self._autopilot_states.get(name) != state:
            self._autopilot_states[name] = state
            self.autopilots.append(report)

    def look_at_sizes(self, processes: Mapping[str, int]) -> None:
        """Note the memory of processes, given as ids by name, if it is time."""
        now = time.monotonic()
        if now < self._sizes_due:
            return
        self._sizes_due = now + SIZES_PERIOD
        for name, pid in processes.items():
            try:
                status = Path(f'/proc/{pid}/status').read_text()
            except OSError:  # it has ended
                continue
            if 'VmRSS:' in status:
                size = float(status.partition('VmRSS:')[2].split()[0]) / 1e3
                self.sizes[f'{name} ({pid})'].append((now, size))

    def track(self) -> Track:
        """Return all samples so far."""
        return Track(np.array(self._times), np.array(self._positions))

    def save(self, path: Path) -> None:
        """Write all samples and commands to a file, for a closer look."""
        commands = {f'commands_{name}': np.array(rows) for name, rows in self.commands.items()}
        np.savez_compressed(path, names=self.names, **self.track()._asdict(), **commands)

    def gap_now(self) -> float:
        """Return E_gap of all agents, infinite before all are known."""
        if not self._positions:
            return float('inf')
        return gap_error(self._positions[-1][:-1], self._positions[-1][-1])

    def nearest_since(self, begin: float) -> float:
        """Return the smallest distance of two bodies since a time [m]."""
        first = int(np.searchsorted(np.array(self._times), begin))
        recent = self._positions[first:]
        if not recent:
            return float('inf')
        positions = np.array(recent)
        i, j = np.triu_indices(len(self.names), 1)
        return float(np.linalg.norm(positions[:, i] - positions[:, j], axis=2).min())
