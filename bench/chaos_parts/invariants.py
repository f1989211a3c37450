"""What must hold in a chaos run, found from what bodies did: pure functions, no ROS.

Times are seconds of one clock that no fault touches.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from chaos_parts.faults import Fault

from soliton_encirclement_ros.core.ring.metrics import gap_figures

GRACE = 10.0
"""Time [s] for which a fault explains what happens after its end."""

COLLISION = 0.5
"""Distance at which two vehicles have collided, whatever the radio does [m]."""

TOLERANCE = 0.2
"""By how much a distance may fall below that which is kept [m]."""

WALK = 1.05
"""Largest speed of a command of a stopped agent that makes way [m/s]."""

OBEYS_WITHIN = 0.5
"""Time after its confirmation from when on a stop is judged [s]: commands on the way arrive."""

BACK_WITHIN = 10.0
"""Time after its start in which a node is back in the ring [s]."""

NEAR_RING = 0.15
"""Share of the radius by which an agent may be off while it counts as in the ring."""

SILENCE = 0.6
"""Time without a command after which an agent is away [s]."""

CLOSED = 0.1
"""E_gap below which the ring is closed."""

GROWTH_MB = 40.0
"""Growth of the memory of a process after its first minute that is too much [MB]."""


class Breach(NamedTuple):
    """Something that must not happen.

    Attributes:
        invariant: Its name.
        at: When [s].
        who: Whom it concerns.
        text: What happened.
    """

    invariant: str
    at: float
    who: str
    text: str


class Encounter(NamedTuple):
    """Two bodies too near to each other for a while.

    Attributes:
        begin: When [s].
        end: When it is over [s].
        pair: Their names.
        least: Their smallest distance [m].
        when: At that time [s].
    """

    begin: float
    end: float
    pair: tuple[str, str]
    least: float
    when: float


class Window(NamedTuple):
    """A time in which something was done to somebody, or to all if ``who`` is empty."""

    begin: float
    end: float
    who: tuple[str, ...]
    text: str
    is_within_contract: bool


class Stall(NamedTuple):
    """A time in which the machine did not run somebody."""

    begin: float
    end: float
    whose: str


STALL_GRACE = 3.0
"""Time for which a stall explains what happens after its end [s]."""


def window_of_stall(stall: Stall) -> Window:
    """Return the time in which a stall acts."""
    text = f'the machine did not run {stall.whose} for {stall.end - stall.begin:.1f} s'
    return Window(stall.begin, stall.end + STALL_GRACE, (), text, False)


def stalled_time(stalls: Iterable[Stall], begin: float, end: float) -> float:
    """Return for how long somebody was not run between two times [s]."""
    total = 0.0
    for stall in sorted(stalls):
        first, last = max(stall.begin, begin), min(stall.end, end)
        if last > first:
            total, begin = total + last - first, last
    return total


def window_of(fault: Fault, start: float) -> Window:
    """Return the time in which a fault acts, with what it leaves behind.

    Args:
        fault: The fault.
        start: Time of its zero [s].
    """
    begin, end = start + fault.at, start + fault.end + GRACE
    return Window(begin, end, fault.who, str(fault), fault.is_within_contract)


def acting(windows: Iterable[Window], at: float) -> list[Window]:
    """Return what acts at a time [s]."""
    return [window for window in windows if window.begin <= at <= window.end]


def find_encounters(
    times: np.ndarray, positions: np.ndarray, names: Sequence[str], bound: float
) -> list[Encounter]:
    """Return all times in which two bodies were nearer to each other than a bound.

    Args:
        times: Ascending times [s], shape (T,).
        positions: Positions [m], shape (T, N, 3).
        names: Of the bodies.
        bound: The bound [m].
    """
    found = []
    for i in range(len(names)):
        for j in range(i):
            distances = np.linalg.norm(positions[:, i] - positions[:, j], axis=1)
            near = np.flatnonzero(distances < bound)
            for part in np.split(near, np.flatnonzero(np.diff(near) > 1) + 1):
                if len(part):
                    least = part[np.argmin(distances[part])]
                    begin, end, when = (float(times[k]) for k in (part[0], part[-1], least))
                    pair, distance = (names[j], names[i]), float(distances[least])
                    found.append(Encounter(begin, end, pair, distance, when))
    return sorted(found, key=lambda one: one.begin)


def judge_encounters(
    encounters: Iterable[Encounter], windows: Sequence[Window], start: float
) -> tuple[list[Breach], list[str]]:
    """Return breaches, and explanations of those encounters that are none.

    An encounter is explained by faults outside of the contract that act when it begins, but a
    collision by none.

    Args:
        encounters: Two bodies too near to each other.
        windows: When what acted.
        start: From when the time in texts counts [s].
    """
    breaches, explained = [], []
    for one in encounters:
        beyond = [w.text for w in acting(windows, one.begin) if not w.is_within_contract]
        text = f'{one.least:.2f} m at {one.when - start:.1f} s'
        who = ' and '.join(one.pair)
        if one.least < COLLISION or not beyond:
            name = 'collision' if one.least < COLLISION else 'separation'
            reason = f'; {"; ".join(beyond)}' if beyond else ''
            breaches.append(Breach(name, one.begin, who, text + reason))
        else:
            explained.append(f'{who}: {text}: {"; ".join(beyond)}')
    return breaches, explained


Command = Sequence[float]
"""Time [s], linear x, y, z [m/s], angular x, y, z [rad/s]."""


def judge_commands(
    who: str, commands: Iterable[Command], speed_xy: float, speed_z: float
) -> list[Breach]:
    """Return commands that are not finite or faster than allowed [m/s]."""
    breaches = []
    for at, *values in commands:
        if not all(map(math.isfinite, values)):
            breaches.append(Breach('command', at, who, f'not finite: {values}'))
            continue
        level, climb = math.hypot(*values[:2]), abs(values[2])
        if level > speed_xy * (1.0 + 1e-9) or climb > speed_z * (1.0 + 1e-9):
            text = f'{level:.3f} m/s, {climb:.3f} m/s up or down'
            breaches.append(Breach('command', at, who, text))
    return breaches


def judge_stops(
    who: str, commands: Iterable[Command], stops: Iterable[tuple[float, float]]
) -> list[Breach]:
    """Return commands of a stopped agent that are more than making way.

    Args:
        who: The agent.
        commands: Its commands.
        stops: When its stop was confirmed, and when it was released [s].
    """
    intervals = [(begin + OBEYS_WITHIN, end) for begin, end in stops]
    return [
        Breach('stop', command[0], who, f'{math.hypot(*command[1:4]):.2f} m/s while stopped')
        for command in commands
        if math.hypot(*command[1:4]) > WALK
        and any(begin <= command[0] <= end for begin, end in intervals)
    ]


def gap_error(positions: np.ndarray, target: np.ndarray) -> float:
    """Return E_gap of bodies at some positions [m], shape (N, 2 or 3), round another one."""
    offsets = positions - target
    ring = sorted(np.arctan2(offsets[:, 1], offsets[:, 0]).tolist())
    return gap_figures(ring, [1.0] * len(ring))[1]


def time_of_return(
    start: float, times: np.ndarray, radii: np.ndarray, commanded: np.ndarray, radius: float
) -> float:
    """Return how long an agent took to be in the ring again and stay for a second [s].

    Args:
        start: When its process was started [s].
        times: Ascending times [s], shape (T,).
        radii: Its distances from the target [m], shape (T,).
        commanded: Ascending times of its commands [s].
        radius: Of the ring [m].

    Returns:
        Infinite if it was not back.
    """
    last = np.searchsorted(commanded, times, 'right') - 1
    known = np.where(last >= 0, commanded[np.maximum(last, 0)] if len(commanded) else 0.0, -np.inf)
    is_heard = (times - known < SILENCE) & (known > start)
    is_back = is_heard & (np.abs(radii / radius - 1.0) < NEAR_RING) & (times > start)
    since = None
    for at, back in zip(times, is_back, strict=True):
        since = None if not back else at if since is None else since
        if since is not None and at - since >= 1.0:
            return float(since - start)
    return math.inf


BORNE = (
    'heartbeat_gap', 'stale_stamp', 'setpoint_outside_offboard', 'velocity_step',
    'left_in_offboard',
)  # fmt: skip
"""Rules of an autopilot's strict mode that a killed, stopped or late bridge cannot keep."""

ARMS_WITHIN = 30.0
"""Time after the operator's order of a take-off in which a vehicle may arm [s]."""


def judge_autopilots(reports: Iterable[Mapping[str, Any]]) -> list[Breach]:
    """Return what autopilots saw that must not happen: also that one armed without an operator.

    Args:
        reports: In order of time: orders of the operator, and news of the autopilots.
    """
    breaches, allowed, armed = [], dict[str, float](), set[str]()
    for one in reports:
        at = one['at']
        if one.get('order') == 'takeoff':
            allowed |= dict.fromkeys(one['to'], at + ARMS_WITHIN)
        if 'autopilot' not in one:
            continue
        name = one['autopilot']
        if one['armed'] and name not in armed and at > allowed.get(name, -math.inf):
            breaches.append(Breach('armed', at, name, 'armed without an order of the operator'))
        (armed.add if one['armed'] else armed.discard)(name)
        if one['crashed']:
            breaches.append(Breach('crash', at, name, 'hit the ground'))
        breaches += [
            Breach('autopilot', at, name, f'{rule}: {text}')
            for _, rule, text in one['violations'] if rule not in BORNE
        ]  # fmt: skip
    return breaches


def judge_memory(sizes: Mapping[str, Sequence[tuple[float, float]]]) -> list[Breach]:
    """Return processes whose memory grew too much after their first minute.

    Args:
        sizes: By process: times [s] and sizes [MB] of one process, from its start on.
    """
    breaches = []
    for who, rows in sizes.items():
        settled = [size for at, size in rows if at >= rows[0][0] + 60.0]
        if len(settled) > 1 and settled[-1] - settled[0] > GROWTH_MB:
            text = f'{settled[0]:.0f} MB a minute after its start, then {settled[-1]:.0f} MB'
            breaches.append(Breach('memory', rows[-1][0], who, text))
    return breaches


def find_gaps(
    arrivals: Sequence[float], longest: float, windows: Sequence[Window],
    stalls: Sequence[Stall] = (),
) -> list[tuple[float, float]]:  # fmt: skip
    """Return times without a message longer than allowed [s] in which nothing acts.

    What the machine stood still does not count.
    """
    return [
        (a, b)
        for a, b in pairwise(arrivals)
        if b - a - stalled_time(stalls, a, b) > longest
        and not any(w.begin <= b and w.end >= a for w in windows)
    ]


def by_invariant(breaches: Iterable[Breach]) -> dict[str, Any]:
    """Return the number of breaches by invariant."""
    counts: dict[str, int] = {}
    for breach in breaches:
        counts[breach.invariant] = counts.get(breach.invariant, 0) + 1
    return counts
