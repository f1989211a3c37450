"""Statistics of agents: how much their commands change, which are out of bounds, and errors.

Effort of commands (``note_effort``), the load on a vehicle and its motors:

    change = sqrt(mean |c_k - c_{k-1}|^2)                     [m/s]
    jerk   = sqrt(mean |c_k - 2 c_{k-1} + c_{k-2}|^2) / T^2   [m/s^3]

over all commands c_k of all agents, T apart. A command of exactly zero, as of an agent that is
down or knows no target, is none: changes from it and to it do not count, or failures would.

Errors of the estimates of the target (``note_error``):

    position error = sqrt(mean |x_hat - x|^2)          velocity error = sqrt(mean |v_hat - v|^2)
    NEES = mean (x_hat - x)^T P^-1 (x_hat - x)         P: covariance of the estimated position

over all agents that are up and have an estimate, and all ticks after ``run.transient_time``. The
normalised estimation error squared (NEES) of a consistent filter is 3, the number of coordinates;
above it the filter is too sure of itself. Source: Y. Bar-Shalom, X. R. Li, T. Kirubarajan,
Estimation with Applications to Tracking and Navigation, Wiley, 2001, section 5.4.

Bounds of commands and positions (``space_bounds``) are checked by what was sent and measured.

They are those of the vehicles and of the fence, without any margin: the separation filter does
not take part, so that its faults are seen.
"""

import math
from collections.abc import Iterable, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.estimation.information import (
    Symmetric, applied, dot, full, inverse, is_positive
)
from soliton_encirclement_ros.core.fences import Edges, fence_rings, is_inside, ring_edges
from soliton_encirclement_ros.core.flight_statistics.near_misses import Closest
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from soliton_encirclement_ros.core.stability.agent_loop import total

CHANGE, JERK = 'command_change_m_per_s', 'command_jerk_m_per_s3'
"""Keys of a summary."""

LAST, BEFORE, KNOWN, CHANGES, CHANGES_SQ, JERKS, JERKS_SQ = 0, 3, 6, 7, 8, 9, 10
EFFORT_COLUMNS = 11
"""Columns of an agent: its last command and the one before it [m/s], how many of them there are,
and the numbers of changes and of changes of changes with the sums of their squares."""


def no_effort() -> list[float]:
    """Return the row of an agent before its first command."""
    return [0.0] * EFFORT_COLUMNS


def note_effort(row: MutableSequence[float], x: float, y: float, z: float) -> None:
    """Count the next command of an agent [m/s, map] in its row; one that is no number ends it."""
    speed_sq = x * x + y * y + z * z
    if not 0.0 < speed_sq < math.inf:
        row[KNOWN] = 0.0
        return
    known = row[KNOWN]
    dx, dy, dz = x - row[LAST], y - row[LAST + 1], z - row[LAST + 2]
    if known >= 1.0:
        row[CHANGES] += 1.0
        row[CHANGES_SQ] += dx * dx + dy * dy + dz * dz
    if known >= 2.0:
        jx = dx - (row[LAST] - row[BEFORE])
        jy = dy - (row[LAST + 1] - row[BEFORE + 1])
        jz = dz - (row[LAST + 2] - row[BEFORE + 2])
        row[JERKS] += 1.0
        row[JERKS_SQ] += jx * jx + jy * jy + jz * jz
    for k in range(3):
        row[BEFORE + k] = row[LAST + k]
    row[LAST], row[LAST + 1], row[LAST + 2] = x, y, z
    row[KNOWN] = min(2.0, known + 1.0)


def effort_facts(rows: Iterable[Sequence[float]], period: float) -> dict[str, float | None]:
    """Return the entries of a summary; None without any change.

    Args:
        rows: Those of all agents, by number.
        period: Time between two commands [s]; NaN if it is not known.
    """
    rows = [*rows]
    change, jerk = _rms(rows, CHANGES), _rms(rows, JERKS)
    if jerk is not None:
        jerk = None if math.isnan(period) else jerk / (period * period)
    return {CHANGE: change, JERK: jerk}


def _rms(rows: Sequence[Sequence[float]], column: int) -> float | None:
    """Return the RMS of the values counted in a column; the sum of their squares follows it."""
    count = total(row[column] for row in rows)
    mean = total(row[column + 1] for row in rows) / count if count else math.nan
    return math.sqrt(mean) if math.isfinite(mean) else None


EXCESS = 1e-9
"""Relative excess of a bound that is rounding."""

BEYOND, NOT_FINITE, OUTSIDE = (
    'commands_beyond_limits',
    'commands_not_finite',
    'positions_outside',
)
"""Keys of a summary."""


class SpaceBounds(NamedTuple):
    """Where agents may be: edges of the fence, none without one; heights [m]."""

    edges: Edges
    lowest: float
    highest: float


EVERYWHERE = SpaceBounds((), -math.inf, math.inf)


def space_bounds(safety: SafetyParameters, is_filtered: bool) -> SpaceBounds:
    """Return where agents may be; everywhere if commands are not filtered."""
    if not is_filtered:
        return EVERYWHERE
    low, high = safety.lowest_height, safety.highest_height
    return SpaceBounds(
        ring_edges(*fence_rings(safety.fence)),
        -math.inf if low is None else low,
        math.inf if high is None else high,
    )


def is_outside(x: float, y: float, z: float, edges: Edges, lowest: float, highest: float) -> bool:
    """Return whether a position [m] is outside the fence or the band of heights."""
    if z < lowest - EXCESS * abs(lowest) or z > highest + EXCESS * abs(highest):
        return True
    return len(edges) > 0 and not is_inside(edges, x, y)


def is_unlimited(velocity: Sequence[Any], max_xy: float, max_z: float) -> Any:
    """Return whether a command exceeds its limits [m/s]; of numbers or of arrays."""
    x, y, z = velocity[0], velocity[1], velocity[2]
    most_xy, most_z = (1.0 + EXCESS) * max_xy, (1.0 + EXCESS) * max_z
    return (x * x + y * y > most_xy * most_xy) | (z > most_z) | (z < -most_z)


def is_broken(velocity: Sequence[Any]) -> Any:
    """Return whether a command holds a number that is not finite; of numbers or of arrays."""
    x, y, z = velocity[0], velocity[1], velocity[2]
    return (x - x != 0.0) | (y - y != 0.0) | (z - z != 0.0)


class CommandRecord:
    """The record of one run.

    Attributes:
        beyond: Commands beyond the limits of their vehicle.
        not_finite: Commands with a number that is not finite.
        efforts: A row of ``command_effort`` per agent, by number.
    """

    def __init__(self, agents: int, period: float) -> None:
        """Start at 0.

        Args:
            agents: How many there are.
            period: Time between two commands of an agent [s].
        """
        self.beyond = self.not_finite = 0
        self.efforts = [no_effort() for _ in range(agents)]
        self._period = period

    def note(self, agent_id: int, velocity: Sequence[float], max_xy: float, max_z: float) -> None:
        """Count a command [m/s] of ``uav_k`` with its limits [m/s]."""
        self.beyond += int(is_unlimited(velocity, max_xy, max_z))
        self.not_finite += int(is_broken(velocity))
        note_effort(self.efforts[agent_id - 1], *velocity)

    @property
    def facts(self) -> dict[str, float | None]:
        """The entries of a summary."""
        counts = {BEYOND: self.beyond, NOT_FINITE: self.not_finite}
        return {**counts, **effort_facts(self.efforts, self._period)}


POSITION, VELOCITY = 'estimate_position_error_m', 'estimate_velocity_error_m_per_s'
NEES, KNOWN_SHARE = 'estimate_nees', 'estimate_known_share'
"""Keys of a summary."""

TICKS, ESTIMATED, POSITION_SQ, VELOCITY_SQ, RATED, RATIOS = range(6)
ERROR_COLUMNS = 6
"""Columns of an agent: how many ticks it was up, and had an estimate; the sums of the squared
errors; how many estimates had a covariance, and the sum of their normalised squared errors."""

AGE = 6
"""Column of an estimate, see ``telemetry.ESTIMATE_NAMES``."""


def no_error() -> list[float]:
    """Return the row of an agent before its first tick."""
    return [0.0] * ERROR_COLUMNS


def note_error(
    row: MutableSequence[float], estimate: Sequence[float], truth: Sequence[float]
) -> None:
    """Count a tick of an agent in its row.

    Args:
        row: The row.
        estimate: The values of ``telemetry.ESTIMATE_NAMES``.
        truth: Position and velocity of the target [m, m/s, map].
    """
    row[TICKS] += 1.0
    if estimate[AGE] < 0.0:
        return
    x, y, z = estimate[0] - truth[0], estimate[1] - truth[1], estimate[2] - truth[2]
    vx, vy, vz = estimate[3] - truth[3], estimate[4] - truth[4], estimate[5] - truth[5]
    row[ESTIMATED] += 1.0
    row[POSITION_SQ] += x * x + y * y + z * z
    row[VELOCITY_SQ] += vx * vx + vy * vy + vz * vz
    c = Symmetric(estimate[7], estimate[8], estimate[9], estimate[10], estimate[11], estimate[12])
    if is_positive(c):
        row[RATED] += 1.0
        row[RATIOS] += dot((x, y, z), applied(full(inverse(c)), (x, y, z)))


def error_facts(rows: Iterable[Sequence[float]]) -> dict[str, float | None]:
    """Return the entries of a summary; None where there is nothing to average, none without rows.

    Args:
        rows: Those of all agents, by number.
    """
    rows = [*rows]
    if not rows:
        return {}
    nees, known = _mean(rows, RATIOS, RATED), _mean(rows, ESTIMATED, TICKS)
    return {
        POSITION: _root(_mean(rows, POSITION_SQ, ESTIMATED)),
        VELOCITY: _root(_mean(rows, VELOCITY_SQ, ESTIMATED)),
        NEES: nees,
        KNOWN_SHARE: known,
    }


def _mean(rows: Sequence[Sequence[float]], column: int, counted: int) -> float | None:
    count = total(row[counted] for row in rows)
    mean = total(row[column] for row in rows) / count if count else math.nan
    return mean if math.isfinite(mean) else None


def _root(value: float | None) -> float | None:
    return None if value is None else math.sqrt(value)


@dataclass(slots=True)
class Figures:
    """Running figures: switches of neighbours, time up [s], smallest distance of two agents [m].

    That was at a time [s], of two agents by their indices or numbers.
    """

    switches: float = 0.0
    uptime: float = 0.0
    separation: float = math.inf
    nearest_at: float = 0.0
    nearer: int = 0
    further: int = 0


FAILED, PRED, SUCC, SEEN_AT = range(4)
"""Columns of an agent: whether it was down, its neighbours clockwise and counter-clockwise, and
when that was [s], infinite before the first time."""


def no_health() -> list[float]:
    """Return the row of an agent of which nothing is known."""
    return [0.0, NOBODY, NOBODY, math.inf]


def note_health(
    row: MutableSequence[float], figures: Figures, failed: bool, pred: float, succ: float,
    now: float,
) -> bool:  # fmt: skip
    """Count switches of neighbours and time up; return whether an agent has failed or come back.

    Who finds a first neighbour, fails or comes back switches nobody.

    Args:
        row: The agent as it was; becomes what it is.
        figures: The running figures.
        failed: Whether it is down.
        pred: Number of its neighbour clockwise.
        succ: Number of its neighbour counter-clockwise.
        now: Time [s].
    """
    was_down = row[FAILED] != 0.0
    if not (failed or was_down):
        if gave_up(row[PRED], pred) or gave_up(row[SUCC], succ):
            figures.switches += 1.0
        figures.uptime += max(0.0, now - row[SEEN_AT])
    row[FAILED], row[PRED], row[SUCC], row[SEEN_AT] = 1.0 if failed else 0.0, pred, succ, now
    return failed != was_down


def gave_up(before: float, after: float) -> bool:
    """Return whether an agent dropped a neighbour, for another one or for none."""
    return before != NOBODY and before != after


def note_closest(figures: Figures, closest: Closest, now: float) -> None:
    """Keep the smallest distance of two agents [m], and when it was [s]."""
    if closest.distance < figures.separation:
        figures.separation, figures.nearest_at = closest.distance, now
        figures.nearer, figures.further = closest.first, closest.second
