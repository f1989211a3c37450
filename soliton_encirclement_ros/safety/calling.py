"""The filter as machine code and nodes call it: records in rows, a whole number as result.

A compiled function that returns nested records to Python is not safe, so ``filter_into`` writes
its result into a row.
"""

import math
from collections.abc import MutableSequence

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.safety.codes import SCRATCH_COLUMNS, SCRATCH_ROWS
from soliton_encirclement_ros.safety.filter import filtered, is_finite
from soliton_encirclement_ros.safety.records import (
    STILL,
    FilterMemory,
    FilterSettings,
    OwnState,
    Rows,
    Scratch,
)

RESULT = 6
"""Length of a result row: command [m/s], pusher, and the memory: turn [rad], side."""


def filter_into(
    settings: FilterSettings,
    own: OwnState,
    wanted: Vector,
    previous: Vector,
    others: Rows,
    fence: Rows,
    scratch: Scratch,
    result: MutableSequence[float],
) -> int:
    """Filter a velocity and return the reason; see ``filtered``.

    Args:
        settings: The filter's numbers.
        own: State of the own vehicle.
        wanted: Wanted velocity [m/s, map].
        previous: The command in effect until this one is [m/s, map].
        others: The other bodies.
        fence: Edges of the fence.
        scratch: Rows that are overwritten.
        result: Command, pusher and memory of the last call, of which the memory is read; gets
            those of this one.
    """
    memory = FilterMemory(result[4], result[5])
    found = filtered(settings, own, wanted, previous, others, fence, scratch, memory)
    result[0], result[1], result[2] = found.command
    result[3] = found.pusher
    result[4], result[5] = found.memory
    return found.reason


def command_change(wanted: Vector, command: Vector) -> float:
    """Return by how much a command differs from the wanted one [m/s].

    A wanted velocity that is not finite counts as 0.
    """
    x, y, z = wanted if is_finite(wanted) else STILL
    dx, dy, dz = command[0] - x, command[1] - y, command[2] - z
    return math.sqrt(dx * dx + dy * dy + dz * dz)


def scratch_rows() -> list[list[float]]:
    """Return scratch rows for plain Python, where lists are faster than arrays."""
    return [[0.0] * SCRATCH_COLUMNS for _ in range(SCRATCH_ROWS)]
