"""How far the agents' estimates of the target are from the truth.

    position error = sqrt(mean |x_hat - x|^2)          velocity error = sqrt(mean |v_hat - v|^2)
    NEES = mean (x_hat - x)^T P^-1 (x_hat - x)         P: covariance of the estimated position

over all agents that are up and have an estimate, and all ticks after ``run.transient_time``. The
normalised estimation error squared (NEES) of a consistent filter is 3, the number of coordinates;
above it the filter is too sure of itself. Source: Y. Bar-Shalom, X. R. Li, T. Kirubarajan,
Estimation with Applications to Tracking and Navigation, Wiley, 2001, section 5.4.
"""

import math
from collections.abc import Iterable, MutableSequence, Sequence

from soliton_encirclement_ros.core.estimation.information import (
    Symmetric,
    applied,
    dot,
    full,
    inverse,
    is_positive,
)
from soliton_encirclement_ros.core.stability.ordered_sum import total

POSITION, VELOCITY = 'estimate_position_error_m', 'estimate_velocity_error_m_per_s'
NEES, KNOWN_SHARE = 'estimate_nees', 'estimate_known_share'
"""Keys of a summary."""

TICKS, KNOWN, POSITION_SQ, VELOCITY_SQ, RATED, RATIOS = range(6)
ERROR_COLUMNS = 6
"""Columns of an agent: how many ticks it was up, and had an estimate; the sums of the squared
errors; how many estimates had a covariance, and the sum of their normalised squared errors."""

AGE, COVARIANCE = 6, 7
"""Columns of an estimate, see ``telemetry.ESTIMATE_NAMES``."""


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
    row[KNOWN] += 1.0
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
    nees, known = _mean(rows, RATIOS, RATED), _mean(rows, KNOWN, TICKS)
    return {
        POSITION: _root(_mean(rows, POSITION_SQ, KNOWN)),
        VELOCITY: _root(_mean(rows, VELOCITY_SQ, KNOWN)),
        NEES: nees,
        KNOWN_SHARE: known,
    }


def _mean(rows: Sequence[Sequence[float]], column: int, counted: int) -> float | None:
    count = total(row[counted] for row in rows)
    mean = total(row[column] for row in rows) / count if count else math.nan
    return mean if math.isfinite(mean) else None


def _root(value: float | None) -> float | None:
    return None if value is None else math.sqrt(value)
