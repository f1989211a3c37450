"""Present motion of the target, extrapolated from its last received state."""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.states.dead_reckoning import Motion, moved

MAX_STEP = 0.5
"""Two states farther apart than this [s] give no acceleration."""

SHORTEST_STEP = 1e-6


def filtered_acceleration(
    ax: float,
    ay: float,
    velocity: Vector,
    before: Vector,
    dt: float,
    time_constant: float,
) -> tuple[float, float]:
    """Return the filtered acceleration [m/s^2] after a new velocity was reported.

    Args:
        ax: East acceleration so far [m/s^2].
        ay: North acceleration so far [m/s^2].
        velocity: The reported velocity [m/s].
        before: The velocity reported before [m/s].
        dt: Time between the two [s].
        time_constant: Of the filter [s].
    """
    if not SHORTEST_STEP < dt < MAX_STEP:
        return ax, ay
    gain = dt / (time_constant + dt)
    next_x = ax + gain * ((velocity[0] - before[0]) / dt - ax)
    next_y = ay + gain * ((velocity[1] - before[1]) / dt - ay)
    if math.isfinite(next_x) and math.isfinite(next_y):
        return next_x, next_y
    return ax, ay


class TargetTrack(NamedTuple):
    """The state that the acceleration was last computed from, and the resulting acceleration.

    ``seq`` is its number, ``NOT_YET`` before the first; ``valid`` [s] is when it was valid,
    ``vx`` and ``vy`` [m/s] are its velocity, ``ax`` and ``ay`` [m/s^2] the acceleration.
    """

    seq: int
    valid: float
    vx: float
    vy: float
    ax: float
    ay: float


NOT_YET = -1
NO_TRACK = TargetTrack(NOT_YET, 0.0, 0.0, 0.0, 0.0, 0.0)


def updated_track(
    track: TargetTrack, seq: int, velocity: Vector, valid: float, fresh: bool, time_constant: float
) -> TargetTrack:
    """Update the track with the target's latest state.

    Args:
        track: The track so far.
        seq: Sequence number of the state.
        velocity: Its velocity [m/s].
        valid: When the state was valid [s].
        fresh: Whether it still is; a lost target is assumed to keep its velocity.
        time_constant: Of the filter of the acceleration [s].
    """
    ax, ay = track.ax, track.ay
    if seq != track.seq and track.seq != NOT_YET:
        before = (track.vx, track.vy, 0.0)
        dt = valid - track.valid
        ax, ay = filtered_acceleration(ax, ay, velocity, before, dt, time_constant)
    if not fresh:
        ax = ay = 0.0
    if seq != track.seq:
        return TargetTrack(seq, valid, velocity[0], velocity[1], ax, ay)
    return TargetTrack(seq, track.valid, track.vx, track.vy, ax, ay)


def motion_of(track: TargetTrack, position: Vector, velocity: Vector, age: float) -> Motion:
    """Return the present motion of the target: ``p + v t + a t^2 / 2`` from its last state.

    Args:
        track: The track of the target.
        position: Reported position [m].
        velocity: Reported velocity [m/s].
        age: Age of the report [s].
    """
    return moved(Motion(position, velocity, (track.ax, track.ay)), age)
