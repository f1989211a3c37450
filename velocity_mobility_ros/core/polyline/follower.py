"""A step along a polyline for callers of Python: errors are raised."""

import math

from velocity_mobility_ros.core.polyline.codes import (
    FINISHED,
    MOVED,
    NO_TRAJECTORY,
    NOT_A_LIMIT,
    NOT_A_SPEED,
    NOT_A_STEP,
    TIME_UNKNOWN,
)
from velocity_mobility_ros.core.polyline.errors import PolylineError
from velocity_mobility_ros.core.polyline.follow_step import follow_step
from velocity_mobility_ros.core.polyline.move import Followed
from velocity_mobility_ros.core.polyline.path import Polyline
from velocity_mobility_ros.core.polyline.records import FollowSettings, PathState


def check_settings(settings: FollowSettings, entity: str = '') -> None:
    """Refuse settings with which nothing can be followed.

    Raises:
        PolylineError: A limit or the step is not finite or not above 0, or the cruise speed is
            neither NaN nor finite and at least 0.
    """
    for name, value in settings.limits._asdict().items():
        if not 0.0 < value < math.inf:
            raise PolylineError(NOT_A_LIMIT, entity, None, f'{name} = {value:g}')
    cruise = settings.cruise_speed
    if not (math.isnan(cruise) or 0.0 <= cruise < math.inf):
        raise PolylineError(NOT_A_SPEED, entity, None, f'{cruise:g} m/s')
    if not 0.0 < settings.dt < math.inf:
        raise PolylineError(NOT_A_STEP, entity, None, f'{settings.dt:g} s')


def next_state(
    path: Polyline | None, state: PathState, settings: FollowSettings, entity: str = ''
) -> PathState | None:
    """Return the body one step later; None at the end of the polyline.

    Arguments and errors as of ``followed``.
    """
    found = followed(path, state, settings, entity)
    return None if found.code == FINISHED else found.state


def followed(
    path: Polyline | None,
    state: PathState,
    settings: FollowSettings,
    entity: str = '',
    first: int = 0,
) -> Followed:
    """Return the body one step later, MOVED, or where it is, FINISHED.

    Args:
        path: The polyline.
        state: The body; at the start its progress is ``path.start``.
        settings: How to follow.
        entity: What follows, for errors.
        first: Number of the first vertex, for errors.

    Raises:
        PolylineError: There is no polyline, the settings are invalid, the state is not finite, or,
            with strict settings or the rules of the original, the polyline cannot be followed.
    """
    if path is None:
        raise PolylineError(NO_TRAJECTORY, entity)
    if not math.isfinite(state.time):
        raise PolylineError(TIME_UNKNOWN, entity, None, f'{state.time:g} s')
    check_settings(settings, entity)
    found = follow_step(path.vertices, state, settings)
    if found.code not in (MOVED, FINISHED):
        raise PolylineError(found.code, entity, first + found.vertex, f'at {state.time:.3f} s')
    return found
