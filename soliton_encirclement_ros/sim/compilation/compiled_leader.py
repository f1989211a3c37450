"""Leaders on paths whose steps are machine code, which is a hundred times faster; same bits.

The leader lies in a row of numbers: the machine code returns nothing but a whole number.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from velocity_mobility_ros.core.trajectory.leader_track import LeaderFlight, LeaderTrack, fly_rows
from velocity_mobility_ros.core.trajectory.polyline import polyline
from velocity_mobility_ros.core.trajectory.polyline_records import (
    FollowSettings,
    PathState,
    start_progress,
    start_state,
)

from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from soliton_encirclement_ros.swarm.memory import Floats

REST = start_state(0.0, (0.0, 0.0, 0.0), start_progress(0))


def fly_compiled(
    vertices: Any, state: PathState, settings: FollowSettings, first: int, rows: Floats
) -> LeaderFlight:
    """Do what ``fly_rows`` does, by machine code."""
    found, how = _leader(), packing(settings)
    packed, numbers = np.zeros(found.size + 1), np.zeros(how.size)
    found.pack(state, packed)
    how.pack(settings, numbers)
    count = compiled(flying())(vertices, packed, numbers, first, rows)
    *leader, code = packed.tolist()
    return LeaderFlight(found.unpack(leader), int(code), count)


@functools.cache
def _leader() -> Any:
    return packing(REST)


@functools.cache
def flying() -> Callable[..., int]:
    """Return ``fly_rows`` over rows; the same every time, so that it is found compiled."""
    size, pack_state, unpack_state = _leader()
    unpack_settings = packing(FollowSettings()).unpack

    def fly_packed(
        vertices: Floats, leader: Floats, settings: Floats, first: int, rows: Floats
    ) -> int:
        """Fly on; leave the leader and the outcome in a row, and return the number of rows."""
        found = fly_rows(vertices, unpack_state(leader), unpack_settings(settings), first, rows)
        pack_state(found.state, leader)
        leader[size] = found.code
        return found.rows

    return fly_packed


def leader_programs() -> list[Callable]:
    """Return the functions that leaders need compiled."""
    return [flying()]


def load_leader() -> None:
    """Load the compiled way of leaders, or compile it."""
    way = polyline([[0.0, 0.0, 0.0, math.nan], [1.0, 0.0, 0.0, math.nan]])
    LeaderTrack(way, FollowSettings(), fly_compiled).reach(1)
