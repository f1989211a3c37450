"""Paths of members by section ``paths``; read from files or bags, and checked.

A path of a recorded run is the flight of a member in its bag. A ``PathFlight`` is one member on
its path: the leader ahead of it, as far as it has been computed.
"""

import functools
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, MemberPath, PathChoices, PathParameters
)
from soliton_encirclement_ros.core.schedules import PATH_FILES
from velocity_mobility_ros.core.spreadsheet import SAVE_AS
from velocity_mobility_ros.core.trajectory.leader_track import (
    LeaderFlight, LeaderTrack, RecordedTrack, TimedTrack, fly_rows, track
)
from velocity_mobility_ros.core.trajectory.path_files import READERS, PathError, read_path
from velocity_mobility_ros.core.trajectory.polyline import Polyline, first_shortfall, polyline
from velocity_mobility_ros.core.trajectory.polyline_records import FollowSettings, SpeedLimits
from velocity_mobility_ros.core.trajectory.pursuit import TrackGuidance
from velocity_mobility_ros.core.trajectory.virtual_leader import (
    JERK_RATE, followable, limits_along
)
from velocity_mobility_ros.core.user_errors import MobilityError
from velocity_mobility_ros.core.velocity_model import Vector

MEMBER = '#'
"""Sign between a recorded run and the name of the member whose flight is repeated."""


def member_paths(choices: PathChoices, members: Sequence[str]) -> dict[str, MemberPath]:
    """Return the paths of the members that fly one.

    Args:
        choices: Section ``paths``.
        members: Names of all members.

    Raises:
        ScenarioError: A text is not understood, there is no such member, or one has two paths.
    """
    limits = {field.name: getattr(choices, field.name) for field in fields(PathParameters)}
    chosen = PATH_FILES.chosen(choices, members)
    return {member: MemberPath(**limits, path=name) for member, name in chosen.items()}


def absolute_path(folder: Path, name: str) -> str:
    """Return the absolute path of a path file or a run in a folder, any other name unchanged."""
    file, sign, member = name.partition(MEMBER)
    is_there = bool(file) and os.path.exists(folder / file)  # no error where a name is too long
    return f'{(folder / file).resolve()}{sign}{member}' if is_there else name


ODOM = 'odom'
NANOSECONDS = 1e-9


def recorded_rows(run: Path, member: str) -> list[list[float]]:
    """Return the poses of a member, one a row: x, y, z [m] and time since the first one [s].

    Args:
        run: A run's folder, or a rosbag2 folder.
        member: Name of the member; its odometry is on ``member/odom``.

    Raises:
        PathError: It is no recorded run, cannot be read, or has no odometry of the member.
    """
    folder = run / 'bag' if (run / 'bag').is_dir() else run
    if not (folder / 'metadata.yaml').is_file():
        hint = f'; {SAVE_AS}' if run.is_file() else ''
        raise PathError(
            f'{run}: no path file (.csv, .yaml) and no recorded run with a bag; name one of '
            f'them{hint}'
        )
    rows: dict[float, list[float]] = {}  # of several at a time the first one
    for *place, time in _rows(folder, f'/{member}/{ODOM}'):
        rows.setdefault(time, place)
    if not rows:
        raise PathError(f'{run}: no odometry of {member} in this bag; name another member after #')
    began = min(rows)
    return [[*rows[time], time - began] for time in sorted(rows)]


def _rows(folder: Path, topic: str) -> Iterator[list[float]]:
    """Iterate over positions and stamps."""
    from rosbags.highlevel import AnyReader, AnyReaderError
    from rosbags.rosbag2 import ReaderError
    from rosbags.typesys import Stores, get_typestore

    try:
        with AnyReader([folder], default_typestore=get_typestore(Stores.LATEST)) as reader:
            connections = [each for each in reader.connections if each.topic.endswith(topic)]
            for connection, _, raw in reader.messages(connections):
                message: Any = reader.deserialize(raw, connection.msgtype)
                place, stamp = message.pose.pose.position, message.header.stamp
                yield [place.x, place.y, place.z, stamp.sec + NANOSECONDS * stamp.nanosec]
    except (AnyReaderError, ReaderError, OSError, ValueError) as error:
        reason = ' '.join(str(error).split())
        raise PathError(f'{folder}: cannot be read: {reason}; is the bag complete?') from None


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

    way: Polyline | TimedTrack
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
        curve = _way(path.path, member)
        settings = _settings(path, curve, limits, period)
    except MobilityError as error:
        raise ScenarioError(f'{where}: {error}') from None
    if isinstance(curve, Polyline):
        late = first_shortfall(curve, settings, 0.0)
        if late is not None:
            raise ScenarioError(f'{where}: {path.path}: {late}')
    lag_xy, lag_z = limits.tau_xy or 0.0, limits.tau_z or 0.0
    guidance = TrackGuidance(path.path_gain, path.path_leash, lag_xy, lag_z, period)
    return PlannedPath(curve, settings, guidance, limits)


def _way(name: str, member: str) -> Polyline | TimedTrack:
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
def _read(path: Path, member: str, stamp: int) -> Polyline | TimedTrack:
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
    path: MemberPath, curve: Polyline | TimedTrack, limits: CommandLimits, period: float
) -> FollowSettings:
    """Return how a path is followed within the limits of the vehicle and of the parameters."""
    cruise = path.path_cruise_speed or math.nan
    if isinstance(curve, TimedTrack):
        return FollowSettings(SpeedLimits(), cruise, period)
    xy = followable(limits.max_speed_xy, limits.max_acc_xy, limits.tau_xy or 0.0)
    z = followable(limits.max_speed_z, limits.max_acc_z, limits.tau_z or 0.0)
    attainable = limits_along(curve, xy, z)
    speed = min(attainable.max_speed, path.path_max_speed or math.inf)
    acceleration = min(attainable.max_acceleration, path.path_max_acceleration or math.inf)
    if not (speed > 0.0 and acceleration > 0.0):
        raise PathError(
            f'{path.path}: the vehicle cannot fly it: its largest speed or acceleration is 0'
        )
    jerk = JERK_RATE * acceleration
    along = SpeedLimits(speed, acceleration, jerk, acceleration, jerk)
    return FollowSettings(along, cruise, period)


AHEAD = 3
"""Rows that a tick needs besides that of its leader."""


class PathFlight:
    """One member on its path, as far as its leader has been computed."""

    def __init__(self, plan: PlannedPath, fly: Callable[..., LeaderFlight] = fly_rows) -> None:
        """Begin at the start of the path.

        Args:
            plan: The path.
            fly: ``fly_rows``, or the same function compiled.
        """
        self.plan = plan
        self.track = leader_of(plan, fly)
        self.track.reach(1)  # loads machine code now, and not at the first tick

    def reach(self, row: int) -> bool:
        """Prepare a tick at a row of the leader; return whether there are more rows.

        Raises:
            PolylineError: The path cannot be followed.
        """
        before = len(self.track.rows)
        self.track.reach(row + AHEAD)
        return len(self.track.rows) != before


def leader_of(
    plan: PlannedPath, fly: Callable[..., LeaderFlight] = fly_rows
) -> LeaderTrack | RecordedTrack:
    """Return the leader on a path.

    Args:
        plan: The path.
        fly: ``fly_rows``, or the same function compiled.
    """
    if isinstance(plan.way, Polyline):
        return LeaderTrack(plan.way, plan.settings, fly)
    return RecordedTrack(plan.way, plan.settings.dt)
