"""Where the target is now, from what it said a while ago."""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.states.dead_reckoning import Motion, moved

MAX_STEP = 0.5
"""Two states farther apart than this [s] say nothing about the acceleration."""

SHORTEST_STEP = 1e-6


def filtered_acceleration(
    ax: float,
    ay: float,
    velocity: Vector,
    before: Vector,
    dt: float,
    time_constant: float,
) -> tuple[float, float]:
    """Return the filtered acceleration [m/s^2] after another velocity was reported.

    Args:
        ax: East acceleration so far [m/s^2].
        ay: North acceleration so far [m/s^2].
        velocity: What is reported [m/s].
        before: What was reported before [m/s].
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
    """The words that the acceleration was last taken from, and what it came to.

    ``seq`` is their number, ``NOT_YET`` before the first; ``valid`` [s] is when they were true,
    ``vx`` and ``vy`` [m/s] are the velocity in them, ``ax`` and ``ay`` [m/s^2] the acceleration.
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
    """Take in the target's latest words.

    Args:
        track: What is known so far.
        seq: Number of the words.
        velocity: The velocity in them [m/s].
        valid: When they were true [s].
        fresh: Whether they are; a target that is lost is taken to keep its velocity.
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
    """Return how the target moves now: ``p + v t + a t^2 / 2`` from its last words.

    Args:
        track: What is known of it.
        position: Where it said that it was [m].
        velocity: How it said that it moved [m/s].
        age: How old these words are [s].
    """
    return moved(Motion(position, velocity, (track.ax, track.ay)), age)
