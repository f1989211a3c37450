"""Polylines of the reference tables, and flights along polylines."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from velocity_mobility_ros.core.trajectory.polyline_follower import follow_step
from velocity_mobility_ros.core.trajectory.polyline_records import (
    FINISHED, MOVED, NAMES, FollowSettings, PathState, SpeedLimits, start_progress, start_state
)
from velocity_mobility_ros.core.trajectory.polyline_step import Followed

Step = Callable[..., Followed]
NONE = math.nan


def number(value: float | None) -> float:
    """Return a number of a table; null is NaN."""
    return math.nan if value is None else float(value)


def limits_of(values: Sequence[float]) -> SpeedLimits:
    """Return the limits of a table: acceleration, its rate, deceleration, its rate, speed."""
    up, up_rate, down, down_rate, speed = map(float, values)
    return SpeedLimits(speed, up, up_rate, down, down_rate)


def vertices_of(run: Mapping[str, Any]) -> NDArray[np.float64]:
    """Return the vertices of a table, which has the time first."""
    return np.array([[*map(number, row[1:]), number(row[0])] for row in run['vertices_t_xyz']])


def settings_of(run: Mapping[str, Any], original: bool) -> FollowSettings:
    """Return how a run of a table was made."""
    return FollowSettings(
        limits_of(run['limits']), number(run['target_speed']), run['dt'], original=original,
        strict=original, cuts_corners=True, by_position=run.get('follow_mode_position', True),
    )  # fmt: skip


def start_of(run: Mapping[str, Any]) -> PathState:
    """Return the body at the start of a run of a table."""
    rows = run['vertices_t_xyz']
    progress = start_progress(
        len(rows), number(run.get('base_time')), bool(run.get('closed', False))
    )
    if 'initial' not in run:
        return start_state(0.0, tuple(rows[0][1:]), progress, float(run['initial_speed']))
    begin = run['initial']
    return start_state(
        begin['t'], tuple(begin['p']), progress, begin['speed'], begin['accel'],
        tuple(map(float, begin['q'])),
    )  # fmt: skip


class Flight(NamedTuple):
    """States of a flight, the first one at its start, and its end: a name of a code."""

    states: list[PathState]
    end: str


def name_of(code: int) -> str:
    """Return the name of a code."""
    return {MOVED: 'MOVED', FINISHED: 'FINISHED'}.get(code) or NAMES[code]


def fly(
    vertices: NDArray[np.float64],
    state: PathState,
    settings: FollowSettings,
    steps: int = 4000,
    step: Step = follow_step,
) -> Flight:
    """Fly until the end of the polyline, an error, or some steps."""
    states = [state]
    for _ in range(steps):
        found = step(vertices, states[-1], settings)
        if found.code != MOVED:
            return Flight([*states[:-1], found.state], name_of(found.code))
        states.append(found.state)
    return Flight(states, 'MOVED')


def line(*rows: Sequence[float]) -> NDArray[np.float64]:
    """Return vertices, given as x, y, z or x, y, z, time."""
    return np.array([[*row, NONE][:4] for row in rows])


def at(
    position: Sequence[float],
    vertices: NDArray[np.float64],
    speed: float = 0.0,
    acceleration: float = 0.0,
    time: float = 0.0,
    **more: Any,
) -> PathState:
    """Return a body at a position with the progress of a start."""
    progress = start_progress(len(vertices), **more)
    return start_state(time, tuple(map(float, position)), progress, speed, acceleration)
