"""A vehicle that follows a virtual leader along paths: all of the trajectory node but ROS.

    velocity = v_ref + k (p_ref - p), with v_ref = v_next + lag (v_next - v) / dt for a known lag
    yaw rate = k_yaw wrap(yaw_ref - yaw), within the largest one

The middle term is the inverse of a first-order lag: a vehicle with this lag has the velocity of
the leader at the next step. ``Pursuit`` follows a leader whose path may be replaced, ``pursue``
the rows of one whose way is known in advance (``LeaderTrack``):

    leader near:      i' = i + 1,  velocity = v_next + lag (v_next - v) / dt + k (p - position)
    beyond the leash: i' = i,      velocity = k (p - position)

p and v are those of row i', v_next that of the row after it. The polyline begins at the vehicle's
place and leads along the received waypoints.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from velocity_mobility_ros.core.coordinate_frames import wrap_pi
from velocity_mobility_ros.core.trajectory.polyline import (
    Polyline, Shortfall, difference, distance, first_shortfall, heading, inner, norm, polyline
)
from velocity_mobility_ros.core.trajectory.polyline_records import ARRIVAL_DISTANCE, FollowSettings
from velocity_mobility_ros.core.trajectory.virtual_leader import Leader
from velocity_mobility_ros.core.velocity_model import Vector, limit_abs

LEVEL_SHARE = 0.02
"""Horizontal share of a direction below which it has no heading: a climb or a descent."""

SEGMENT, FIXED, TOWARD_POINT = 'segment', 'fixed', 'toward_point'
YAW_POLICIES = (SEGMENT, FIXED, TOWARD_POINT)
"""Where the vehicle looks: along the path, in one direction, at a point."""


def follow_velocity(place: Vector, velocity: Vector, position: Vector, gain: float) -> Vector:
    """Return the commanded velocity [m/s, map].

    Args:
        place: Position of the leader [m].
        velocity: Its velocity [m/s].
        position: Position of the vehicle [m].
        gain: Correction [1/s].
    """
    return (
        velocity[0] + gain * (place[0] - position[0]),
        velocity[1] + gain * (place[1] - position[1]),
        velocity[2] + gain * (place[2] - position[2]),
    )


def made_up(velocity: Vector, after: Vector, xy: float, z: float) -> Vector:
    """Return the velocity [m/s] to command to a vehicle with a lag, the correction left out.

    Args:
        velocity: Velocity of the leader [m/s].
        after: The same one step later.
        xy: Lag of the horizontal velocity by the step.
        z: Lag of the vertical velocity by the step.
    """
    return (
        after[0] + xy * (after[0] - velocity[0]),
        after[1] + xy * (after[1] - velocity[1]),
        after[2] + z * (after[2] - velocity[2]),
    )


def yaw_along(direction: Vector, otherwise: float) -> float:
    """Return the heading [rad] of a direction; ``otherwise`` where it is nearly vertical."""
    x, y, z = direction
    level = math.sqrt(x * x + y * y)
    steep = level <= LEVEL_SHARE * math.sqrt(x * x + y * y + z * z)
    return otherwise if steep else math.atan2(y, x)


def yaw_rate(wanted: float, yaw: float, gain: float, largest: float) -> float:
    """Return the commanded yaw rate [rad/s].

    Args:
        wanted: Desired heading [rad].
        yaw: Heading of the vehicle [rad].
        gain: Correction [1/s].
        largest: Largest yaw rate [rad/s].
    """
    return limit_abs(gain * wrap_pi(wanted - yaw), largest)


class Waypoint(NamedTuple):
    """A place [m] to fly to, and the time [s] from now at which to be there, NaN for none."""

    position: Vector
    time: float


def route(waypoints: Sequence[Waypoint], position: Vector, loop: bool) -> Polyline:
    """Return the polyline from a position [m]; its times count from now.

    The position is the vertex before the first one, unless the first waypoint is there. In a loop
    it is the last waypoint, since that comes before the first one in later rounds; then the time
    of a waypoint counts from the timed one before it.

    Raises:
        PolylineError: The waypoints are no polyline; vertices are counted from 0 at the position.
    """
    rows = [[*place, time] for place, time in waypoints]
    if loop:
        rows = [rows[-1], *rows[:-1]] if rows else []
        return polyline(_legs(rows), 0.0, closed=True)
    if len(rows) < 2 or distance(waypoints[0].position, position) > ARRIVAL_DISTANCE:
        rows.insert(0, [*position, math.nan])
    return polyline(rows)


def _legs(rows: list[list[float]]) -> list[list[float]]:
    """Return vertices of a loop with the time of each since the timed one before it.

    The first row is the last waypoint of a round.
    """
    previous, legs = 0.0, []
    for *place, time in [*rows[1:], *rows[:1]]:
        legs.append([*place, time - previous])
        previous = previous if math.isnan(time) else time
    return [*legs[-1:], *legs[:-1]]


class Guidance(NamedTuple):
    """How a vehicle follows its leader.

    Attributes:
        gain: Speed per distance from the leader [1/s].
        leash: Distance from the leader [m] at which it waits.
        yaw_policy: Where the vehicle looks, one of ``YAW_POLICIES``.
        yaw: Heading [rad] for ``fixed``.
        point: Point [m, map] to look at for ``toward_point``, x and y.
        yaw_gain: Yaw rate per difference from the wanted heading [1/s].
        max_yaw_rate: Largest yaw rate [rad/s].
        lag_xy: Lag of the vehicle's horizontal velocity [s], which the command makes up for; None:
            it does not, and the vehicle trails.
        lag_z: The same of its vertical velocity.
    """

    gain: float = 1.0
    leash: float = 2.0
    yaw_policy: str = 'segment'
    yaw: float = 0.0
    point: tuple[float, float] = (0.0, 0.0)
    yaw_gain: float = 1.5
    max_yaw_rate: float = 1.5
    lag_xy: float | None = None
    lag_z: float | None = None


class Pursuit:
    """The leader of one vehicle, and the commands of the vehicle.

    Attributes:
        leader: The leader.
        guidance: How it is followed; replaceable.
    """

    def __init__(self, settings: FollowSettings, guidance: Guidance) -> None:
        """Begin without a path.

        Raises:
            PolylineError: The settings are invalid.
        """
        self.leader = Leader(settings)
        self.guidance = guidance
        self._wanted_yaw: float | None = None

    def distance(self, position: Vector) -> float:
        """Return the distance [m] of a vehicle from its leader, 0 without one."""
        state = self.leader.state
        return 0.0 if state is None else distance(state.position, position)

    def is_waiting(self, position: Vector) -> bool:
        """Return whether the leader waits for a vehicle at a position [m]."""
        return self.leader.is_following and self.distance(position) > self.guidance.leash

    def fly(
        self, waypoints: Sequence[Waypoint], position: Vector, velocity: Vector, loop: bool
    ) -> Shortfall | None:
        """Follow other waypoints from now on; none: come to rest.

        A leader on its way keeps its place, speed and acceleration. Another one begins at the
        vehicle.

        Args:
            waypoints: The waypoints.
            position: Position of the vehicle [m].
            velocity: Its velocity [m/s].
            loop: Whether the first waypoint follows the last one.

        Returns:
            The first waypoint for which there may be too little time; it is flown to anyway.

        Raises:
            PolylineError: The waypoints are no polyline; the present path is kept.
        """
        leader = self.leader
        if not waypoints:
            if leader.is_following:
                leader.follow(None)
            return None
        is_new = leader.state is None or (
            not leader.is_following and self.distance(position) > self.guidance.leash
        )
        begin = position if is_new else leader.placed.position
        path = route(waypoints, begin, loop)
        if is_new:
            leader.place(position, _speed_towards(path, position, velocity))
        leader.follow(path)
        return first_shortfall(path, leader.settings, 0.0)

    def step(self, position: Vector) -> None:
        """Move the leader of a vehicle at a position [m] by one step, or let it wait.

        Raises:
            PolylineError: The path cannot be followed; the leader comes to rest from then on.
        """
        if self.leader.state is None:
            return
        if self.is_waiting(position):
            self.leader.hold()
        else:
            self.leader.step()

    def command(self, position: Vector, yaw: float) -> tuple[Vector, float] | None:
        """Return velocity [m/s, map] and yaw rate [rad/s] for a vehicle, None before a path.

        Args:
            position: Position of the vehicle [m].
            yaw: Its heading [rad].
        """
        leader, guidance = self.leader, self.guidance
        if leader.state is None:
            return None
        ahead = (0.0, 0.0, 0.0) if self.is_waiting(position) else self._leader_velocity()
        velocity = follow_velocity(leader.state.position, ahead, position, guidance.gain)
        wanted = self._wanted_heading(position, yaw)
        return velocity, yaw_rate(wanted, yaw, guidance.yaw_gain, guidance.max_yaw_rate)

    def _leader_velocity(self) -> Vector:
        """Return the velocity [m/s] of the leader, with the lags that are known made up for."""
        now, guidance = self.leader.velocity, self.guidance
        if guidance.lag_xy is None and guidance.lag_z is None:
            return now
        xy, z = (
            0.0 if lag is None else lag / self.leader.settings.dt
            for lag in (guidance.lag_xy, guidance.lag_z)
        )
        x, y, up = made_up(now, self.leader.next_velocity(), xy, z)
        level = now[:2] if guidance.lag_xy is None else (x, y)
        return *level, now[2] if guidance.lag_z is None else up

    def _wanted_heading(self, position: Vector, yaw: float) -> float:
        """Return the wanted heading [rad]; where there is none, the last one or the present."""
        guidance, last = self.guidance, yaw if self._wanted_yaw is None else self._wanted_yaw
        if guidance.yaw_policy == FIXED:
            return guidance.yaw
        if guidance.yaw_policy == TOWARD_POINT:
            x, y = guidance.point
            return yaw_along((x - position[0], y - position[1], 0.0), last)
        self._wanted_yaw = yaw_along(heading(self.leader.placed.attitude), last)
        return self._wanted_yaw


def _speed_towards(path: Polyline, position: Vector, velocity: Vector) -> float:
    """Return the speed [m/s] of a vehicle towards the first waypoint."""
    offset = difference(tuple(path.vertices[1, :3].tolist()), position)
    length = norm(offset)
    return max(0.0, inner(velocity, offset) / length) if length > 0.0 else 0.0


class TrackGuidance(NamedTuple):
    """How a vehicle follows a leader.

    Attributes:
        gain: Speed per distance from the leader [1/s].
        leash: Distance from the leader [m] at which it waits.
        lag_xy: Lag of the vehicle's horizontal velocity [s].
        lag_z: Lag of its vertical velocity [s].
        dt: Time between two commands [s].
    """

    gain: float
    leash: float
    lag_xy: float
    lag_z: float
    dt: float


def pursue(rows: Any, i: int, position: Vector, guidance: TrackGuidance) -> tuple[int, Vector]:
    """Return the leader's row and the commanded velocity [m/s, map].

    Args:
        rows: The leader; float64 array, (n, 6).
        i: Its row at the last command; 0 at the start.
        position: Position of the vehicle [m].
        guidance: How it is followed.
    """
    place = row_place(rows[i])
    if distance(place, position) > guidance.leash:
        return i, follow_velocity(place, (0.0, 0.0, 0.0), position, guidance.gain)
    last = len(rows) - 1
    i = min(i + 1, last)
    v, next_velocity = row_velocity(rows[i]), row_velocity(rows[min(i + 1, last)])
    ahead = made_up(v, next_velocity, guidance.lag_xy / guidance.dt, guidance.lag_z / guidance.dt)
    return i, follow_velocity(row_place(rows[i]), ahead, position, guidance.gain)


def row_place(row: Any) -> Vector:
    """Return the position [m] in a row."""
    return float(row[0]), float(row[1]), float(row[2])


def row_velocity(row: Any) -> Vector:
    """Return the velocity [m/s] in a row."""
    return float(row[3]), float(row[4]), float(row[5])
