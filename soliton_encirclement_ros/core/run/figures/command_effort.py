"""How much the commands of an agent change: what its vehicle and its motors get to feel.

    change = sqrt(mean |c_k - c_{k-1}|^2)                     [m/s]
    jerk   = sqrt(mean |c_k - 2 c_{k-1} + c_{k-2}|^2) / T^2   [m/s^3]

over all commands c_k of all agents, T apart. A command of exactly zero, as of an agent that is
down or knows no target, is none: changes from it and to it do not count, or failures would.
"""

import math
from collections.abc import Iterable, MutableSequence, Sequence

from soliton_encirclement_ros.core.stability.ordered_sum import total

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
    known = jerk is not None and not math.isnan(period)
    return {CHANGE: change, JERK: jerk / (period * period) if known else None}


def _rms(rows: Sequence[Sequence[float]], column: int) -> float | None:
    """Return the RMS of what a column counts; the sum of the squares follows it."""
    count = total(row[column] for row in rows)
    mean = total(row[column + 1] for row in rows) / count if count else math.nan
    return math.sqrt(mean) if math.isfinite(mean) else None
