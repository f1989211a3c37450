"""One step along a polyline, by the tables of cases for the last and for other vertices.

Source of the cases: follow trajectory of scenario_simulator_v2 (Tier IV), in free space.
"""

from velocity_mobility_ros.core.polyline.advance import advanced, is_waived, late, waived
from velocity_mobility_ros.core.polyline.codes import ARRIVAL_TIME_MISSED, ENDLESS_ADVANCE
from velocity_mobility_ros.core.polyline.final_vertex import final_step, has_arrived
from velocity_mobility_ros.core.polyline.intermediate_vertex import ADVANCE, intermediate_step
from velocity_mobility_ros.core.polyline.move import Followed, with_progress
from velocity_mobility_ros.core.polyline.queries import (
    Vertices,
    remaining_time,
    row_of,
    timed_index,
)
from velocity_mobility_ros.core.polyline.records import FollowSettings, PathState
from velocity_mobility_ros.core.polyline.validation import fault


def follow_step(vertices: Vertices, state: PathState, settings: FollowSettings) -> Followed:
    """Return the body one step later.

    Args:
        vertices: The polyline.
        state: The body.
        settings: How to follow.
    """
    for _ in range(len(vertices) + 1):
        checked = _checked(vertices, state, settings)
        if checked.code != 0:
            return checked
        state = checked.state
        if state.progress.left == 2:
            return final_step(vertices, state, settings)
        found = intermediate_step(vertices, state, settings)
        if found.code != ADVANCE:
            return found
        state = with_progress(state, advanced(vertices, state.progress, state.time))
    return Followed(state, ENDLESS_ADVANCE, row_of(vertices, state.progress, 1))


def _checked(vertices: Vertices, state: PathState, settings: FollowSettings) -> Followed:
    """Return the body before the step, with an error code; late vertices are untimed if lenient.

    A body that has arrived at the last vertex is never late.
    """
    code = fault(vertices, state, settings)
    if code != 0:
        row = row_of(vertices, state.progress, 1) if state.progress.left > 1 else 0
        return Followed(state, code, row)
    for _ in range(len(vertices)):
        progress = state.progress
        timed = timed_index(vertices, progress)
        remaining = remaining_time(vertices, progress, timed, state.time)
        if not remaining < -settings.dt or has_arrived(vertices, state):
            break
        if settings.strict:
            return Followed(state, ARRIVAL_TIME_MISSED, row_of(vertices, progress, timed))
        state = with_progress(state, waived(vertices, progress, state.time))
    if is_waived(state.progress):
        state = with_progress(state, late(state.progress, state.progress.due, state.time))
    return Followed(state, 0, 0)
