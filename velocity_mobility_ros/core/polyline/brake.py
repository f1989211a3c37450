"""A step of braking along the heading, within the limits."""

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.move import Followed, moved_with
from velocity_mobility_ros.core.polyline.orientation import heading, scaled
from velocity_mobility_ros.core.polyline.records import (
    Attitude,
    FollowSettings,
    PathState,
    SpeedTask,
)
from velocity_mobility_ros.core.polyline.speed.bounds import constrained_brake


def brake_step(state: PathState, settings: FollowSettings) -> Followed:
    """Return the body one step later, which comes to rest along its heading."""
    return braked(state, heading(state.attitude), state.attitude, 0, settings)


def braked(
    state: PathState, aim: Vector, attitude: Attitude, row: int, settings: FollowSettings
) -> Followed:
    """Return the body after a step of braking.

    Args:
        state: The body.
        aim: Direction of the motion, a unit vector.
        attitude: Attitude after the step.
        row: Vertex that an error is about.
        settings: Limits, rules and step.
    """
    task = SpeedTask(settings.limits.max_speed, settings.limits, settings.dt, settings.original)
    change = constrained_brake(task, state.speed, state.acceleration) * settings.dt
    return moved_with(state, scaled(aim, state.speed + change), attitude, row, settings.dt)
