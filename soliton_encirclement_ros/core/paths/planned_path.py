"""Paths of members, read and checked."""

import functools
import math
from pathlib import Path
from typing import NamedTuple

from velocity_mobility_ros.core.trajectory.leader_track import Track, track
from velocity_mobility_ros.core.trajectory.path_files import READERS, PathError, read_path
from velocity_mobility_ros.core.trajectory.polyline import Polyline, first_shortfall, polyline
from velocity_mobility_ros.core.trajectory.polyline_records import FollowSettings, SpeedLimits
from velocity_mobility_ros.core.trajectory.pursuit import TrackGuidance
from velocity_mobility_ros.core.trajectory.virtual_leader import (
    JERK_RATE,
    followable,
    limits_along,
)
from velocity_mobility_ros.core.user_errors import MobilityError
from velocity_mobility_ros.core.velocity_model import Vector

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.path_parameters import MemberPath
from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits
from soliton_encirclement_ros.core.paths.path_names import MEMBER
from soliton_encirclement_ros.core.paths.recorded_path import recorded_rows

DATES = 1e8
"""Times [s] from here on are since 1970, as robots and recorders write them, not of a run."""


class PlannedPath(NamedTuple):
    """A path that was read and checked.

    Attributes:
        way: The polyline, or the recording, which is repeated exactly.
        settings: How the polyline is followed.
        guidance: How the vehicle follows the leader.
        limits: Limits of the commands.
    """

    way: Polyline | Track
    settings: FollowSettings
    guidance: TrackGuidance
    limits: CommandLimits

    @property
    def start(self) -> Vector:
        """Where it begins [m]."""
        x, y, z = self.way.vertices[0, :3].tolist()
        return x, y, z

    @property
    def reach(self) -> float:
        """Distance of its farthest point from the origin [m]."""
        return max(math.sqrt(x * x + y * y + z * z) for x, y, z, _ in self.way.vertices.tolist())


def planned_path(
    path: MemberPath, member: str, limits: CommandLimits, period: float, where: str
) -> PlannedPath:
    """Return the path of a member.

    Args:
        path: The path, and how it is flown.
        member: Name of the member; of a recorded run its own flight is repeated, if no other is
            named.
        limits: Limits of its vehicle.
        period: Time between two commands [s].
        where: Name of the parameter, for errors.

    Raises:
        ScenarioError: The path cannot be read, is no path, or gives a point too little time.
    """
    try:
        way = _way(path.path, member)
        settings = _settings(path, way, limits, period)
    except MobilityError as error:
        raise ScenarioError(f'{where}: {error}') from None
    if isinstance(way, Polyline):
        late = first_shortfall(way, settings, 0.0)
        if late is not None:
            raise ScenarioError(f'{where}: {path.path}: {late}')
    lag_xy, lag_z = limits.tau_xy or 0.0, limits.tau_z or 0.0
    guidance = TrackGuidance(path.path_gain, path.path_leash, lag_xy, lag_z, period)
    return PlannedPath(way, settings, guidance, limits)


def _way(name: str, member: str) -> Polyline | Track:
    """Return what a path is about.

    Raises:
        MobilityError: It cannot be read, or is no path.
    """
    file, _, whose = name.partition(MEMBER)
    path = Path(file).expanduser()
    try:
        stamp = path.stat().st_mtime_ns
    except OSError as error:
        raise PathError(f'{path}: {error.strerror}; name a path file or a recorded run') from None
    return _read(path, whose or member, stamp)


@functools.lru_cache(maxsize=256)
def _read(path: Path, member: str, stamp: int) -> Polyline | Track:
    """Read a path; the time stamp of its last change makes the cache find the present one."""
    if path.suffix.lower() not in READERS:
        return track(recorded_rows(path, member), entity=str(path))
    data = read_path(path)
    begins = float(data.rows[0, 3])
    if data.closed or data.relative or not begins > 0.0:
        if begins < 0.0:
            raise PathError(f'{path}: point 1: t = {begins:g} s must not be before the start, 0')
        return data.polyline(0.0)
    if begins >= DATES:
        raise PathError(
            f'{path}: point 1: t = {begins:.0f} s is a date; times count from the start of the run'
        )
    first = [*data.rows[0, :3].tolist(), math.nan]
    return polyline([first, *data.rows.tolist()])  # it waits at the first point


def _settings(
    path: MemberPath, way: Polyline | Track, limits: CommandLimits, period: float
) -> FollowSettings:
    """Return how a path is followed within the limits of the vehicle and of the parameters."""
    cruise = path.path_cruise_speed or math.nan
    if isinstance(way, Track):
        return FollowSettings(SpeedLimits(), cruise, period)
    xy = followable(limits.max_speed_xy, limits.max_acc_xy, limits.tau_xy or 0.0)
    z = followable(limits.max_speed_z, limits.max_acc_z, limits.tau_z or 0.0)
    able = limits_along(way, xy, z)
    speed = min(able.max_speed, path.path_max_speed or math.inf)
    acceleration = min(able.max_acceleration, path.path_max_acceleration or math.inf)
    if not (speed > 0.0 and acceleration > 0.0):
        raise PathError(
            f'{path.path}: the vehicle cannot fly it: its largest speed or acceleration is 0'
        )
    jerk = JERK_RATE * acceleration
    along = SpeedLimits(speed, acceleration, jerk, acceleration, jerk)
    return FollowSettings(along, cruise, period)
