"""Output of a flight in progress: some samples at a time, as arrays; how many, and when.

A chunk is as long as the caller may wait for control, or in real time a tick when it is due. For
smaller files it is decimated: fewer samples than ticks.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.laws.telemetry import speed_squared

Floats = NDArray[np.float64]

AGENT_COLUMNS = (
    'x', 'y', 'z', 'vx', 'vy', 'vz', 'failed', 'pred', 'succ', 'seq', 'u', 'u_ss',
    'cmd_vx', 'cmd_vy', 'cmd_vz', 'weight',
)  # fmt: skip
"""The first columns of ``Chunk.agents``; the values of law and filter follow."""

TARGET_COLUMNS = ('x', 'y', 'z', 'vx', 'vy', 'vz', 'seq', 'omega_ref')
ADVERSARY_COLUMNS = ('x', 'y', 'z', 'vx', 'vy', 'vz', 'seq')


NO_ATTITUDES: Floats = np.zeros((0, 0, 10))
NO_GOSSIP: Floats = np.zeros((0, 0, 8, 8))
NO_TRUTH: Floats = np.zeros((0, 0, 17))


class Chunk(NamedTuple):
    """Some samples of a flight in order of time, S of them, with N agents in order of their ids.

    Attributes:
        times: Times [s], (S,).
        agents: Every agent at every sample, (S, N, 16 + V): ``AGENT_COLUMNS``, then the V values
            of ``controllers.recorded_names``. SI units, map frame; ``failed`` is 0 or 1,
            ``pred`` and ``succ`` are ids, -1 for none; ``seq`` is that of the agent's latest
            state, also while it is down; ``cmd_vx`` and so on are the velocity it commands,
            ``weight`` is the arc weight sent by the target, NaN where it sends none.
        target: The target, (S, 8), ``TARGET_COLUMNS``.
        adversary: The adversary, (S, 7), ``ADVERSARY_COLUMNS``; (0, 7) without one.
        metrics: E_r, E_vr, rho, G_max, E_gap, E_wgap, (S, 6).
        alive: Number of agents received, (S,).
        separation: Smallest distance between two agents [m], (S,).
        attitudes: Rotation to map (x, y, z, w), velocity [m/s] and angular velocity [rad/s] in the
            body frame of all members, (S, M, 10); (0, M, 10) if all are level and head east.
        gossip: Silent agents in every state, (S, N, 8, 8): position [m], velocity [m/s],
            index (-1 after the last) and age [s]; (0, N, 8, 8) if that is not kept.
        truth: True motion of all members, (S, M, 17), while ``agents``, ``target``, ``adversary``
            and ``attitudes`` have what they measure: position [m], velocity [m/s], ten columns as
            of ``attitudes``, age [s] of the measurement; (0, M, 17) if all measure exactly.
    """

    times: Floats
    agents: Floats
    target: Floats
    adversary: Floats
    metrics: Floats
    alive: Floats
    separation: Floats
    attitudes: Floats = NO_ATTITUDES
    gossip: Floats = NO_GOSSIP
    truth: Floats = NO_TRUTH


def places(chunk: Chunk) -> tuple[Floats, Floats, Floats]:
    """Return rows of agents, target and adversary: true position [m], velocity [m/s], more."""
    if not len(chunk.truth):
        return chunk.agents, chunk.target, chunk.adversary
    count = chunk.agents.shape[1]
    return chunk.truth[:, :count], chunk.truth[:, count], chunk.truth[:, -1]


TURN = 0.1
"""Wall time [s] of one turn, approximately."""

GROWTH = 8.0
"""Maximum factor between the lengths of two turns."""


class ChunkSizer:
    """Adapts the number of ticks per turn to the measured wall time."""

    def __init__(self) -> None:
        """Begin with a single tick."""
        self.ticks = 1

    def turn(self, advance: Callable[[int], None]) -> None:
        """Advance the caller by as many ticks as should fit, and adapt to the time it took."""
        began = time.monotonic()
        advance(self.ticks)
        spent = time.monotonic() - began
        share = TURN / spent if spent > 0.0 else GROWTH
        self.ticks = max(1, int(self.ticks * min(GROWTH, share)))


MOST_BEHIND = 0.5
"""Delay [s] that is made up for; if there is more, the flight takes longer instead."""


class RealTimePace:
    """Advances a flight by the clock.

    Attributes:
        delay: Time [s] that the flight has lost on a machine that is too slow.
    """

    def __init__(self, period: float, wait: Callable[[float], None] = time.sleep) -> None:
        """Begin with the first turn.

        Args:
            period: The control period [s].
            wait: Waits for a time [s], and does meanwhile what else is to be done.
        """
        self._period, self._wait = period, wait
        self._due: float | None = None
        self.delay = 0.0

    def turn(self, advance: Callable[[int], None]) -> None:
        """Advance the caller by a tick when it is due."""
        now = time.monotonic()
        if self._due is None:
            self._due = now
        self._wait(max(0.0, self._due - now))
        late = time.monotonic() - self._due
        if late > MOST_BEHIND:
            self.delay += late
            self._due += late
        advance(1)
        self._due += self._period


class Decimation:
    """Selects the sample of every ``every``-th tick, for batches of any size."""

    def __init__(self, every: int) -> None:
        """Begin before the first tick."""
        self._every = every
        self._ticks = 0

    def pick(self, chunk: Chunk) -> Chunk:
        """Return the samples to keep of the next ones, possibly none; the arrays are views."""
        first = -(self._ticks + 1) % self._every
        self._ticks += len(chunk.times)
        return Chunk(*(column[first :: self._every] for column in chunk))


VX = AGENT_COLUMNS.index('vx')


def speeds(chunk: Chunk) -> Floats:
    """Return the speed [m/s] of every agent at every sample, (S, N)."""
    vx, vy, vz = np.moveaxis(chunk.agents[:, :, VX : VX + 3], 2, 0)
    return np.sqrt(speed_squared(vx, vy, vz))
