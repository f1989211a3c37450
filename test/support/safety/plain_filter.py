"""For tests of the separation filter: one call in plain Python, with scratch rows of its own."""

from soliton_encirclement_ros.safety.filter import filtered
from soliton_encirclement_ros.safety.filter_records import (
    SCRATCH_COLUMNS, SCRATCH_ROWS, Filtered, FilterMemory, FilterSettings, OwnState, Rows
)
from velocity_mobility_ros.core.velocity_model import Vector


def filtered_plain(
    settings: FilterSettings,
    own: OwnState,
    wanted: Vector,
    previous: Vector,
    others: Rows,
    fence: Rows,
    memory: FilterMemory,
) -> Filtered:
    """Filter a velocity with scratch rows of its own; see ``filtered``."""
    scratch = [[0.0] * SCRATCH_COLUMNS for _ in range(SCRATCH_ROWS)]
    return filtered(settings, own, wanted, previous, others, fence, scratch, memory)
