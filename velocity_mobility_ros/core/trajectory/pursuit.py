"""A vehicle that follows a virtual leader along paths: all of the trajectory node but ROS."""

from collections.abc import Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.feasibility import Shortfall, first_shortfall
from velocity_mobility_ros.core.polyline.orientation import difference, heading, inner, norm
from velocity_mobility_ros.core.polyline.path import Polyline
from velocity_mobility_ros.core.polyline.queries import distance
from velocity_mobility_ros.core.polyline.records import FollowSettings
from velocity_mobility_ros.core.trajectory.guidance import (
    FIXED,
    TOWARD_POINT,
    follow_velocity,
    made_up,
    yaw_along,
    yaw_rate,
)
from velocity_mobility_ros.core.trajectory.leader import Leader
from velocity_mobility_ros.core.trajectory.route import Waypoint, route


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
        begin = position if is_new else leader.state.position
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
        leader, how = self.leader, self.guidance
        if leader.state is None:
            return None
        ahead = (0.0, 0.0, 0.0) if self.is_waiting(position) else self._led()
        velocity = follow_velocity(leader.state.position, ahead, position, how.gain)
        wanted = self._wanted(position, yaw)
        return velocity, yaw_rate(wanted, yaw, how.yaw_gain, how.max_yaw_rate)

    def _led(self) -> Vector:
        """Return the velocity [m/s] of the leader, with the lags that are known made up for."""
        now, how = self.leader.velocity, self.guidance
        if how.lag_xy is None and how.lag_z is None:
            return now
        xy, z = (
            0.0 if lag is None else lag / self.leader.settings.dt
            for lag in (how.lag_xy, how.lag_z)
        )
        x, y, up = made_up(now, self.leader.next_velocity(), xy, z)
        level = now[:2] if how.lag_xy is None else (x, y)
        return *level, now[2] if how.lag_z is None else up

    def _wanted(self, position: Vector, yaw: float) -> float:
        """Return the wanted heading [rad]; where there is none, the last one or the present."""
        how, last = self.guidance, yaw if self._wanted_yaw is None else self._wanted_yaw
        if how.yaw_policy == FIXED:
            return how.yaw
        if how.yaw_policy == TOWARD_POINT:
            x, y = how.point
            return yaw_along((x - position[0], y - position[1], 0.0), last)
        self._wanted_yaw = yaw_along(heading(self.leader.state.attitude), last)
        return self._wanted_yaw


def _speed_towards(path: Polyline, position: Vector, velocity: Vector) -> float:
    """Return the speed [m/s] of a vehicle towards the first waypoint."""
    way = difference(tuple(path.vertices[1, :3].tolist()), position)
    length = norm(way)
    return max(0.0, inner(velocity, way) / length) if length > 0.0 else 0.0
