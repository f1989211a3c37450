"""A member on its path: the leader ahead of it, and its commands."""

from collections.abc import Callable

from velocity_mobility_ros.core.limits import command_velocity
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.path import Polyline
from velocity_mobility_ros.core.trajectory.leader_rows import LeaderFlight, fly_rows
from velocity_mobility_ros.core.trajectory.leader_track import LeaderTrack, RecordedTrack
from velocity_mobility_ros.core.trajectory.track_pursuit import pursued

from soliton_encirclement_ros.core.paths.planned_path import PlannedPath


class PathFlight:
    """One member on its path."""

    def __init__(self, plan: PlannedPath, fly: Callable[..., LeaderFlight] = fly_rows) -> None:
        """Begin at the start of the path.

        Args:
            plan: The path.
            fly: ``fly_rows``, or the same function compiled.
        """
        self._plan = plan
        self._track = leader_of(plan, fly)
        self._track.reach(1)  # loads machine code now, and not at the first tick
        self._row = 0

    @property
    def is_over(self) -> bool:
        """Whether the leader is at the end of the path."""
        return self._track.ended and self._row == len(self._track.rows) - 1

    def command(self, position: Vector) -> Vector:
        """Return the commanded velocity [m/s, map] at a position [m]; at the end it holds there.

        Raises:
            PolylineError: The path cannot be followed.
        """
        self._track.reach(self._row + 3)
        rows, limits = self._track.rows, self._plan.limits
        self._row, velocity = pursued(rows, self._row, position, self._plan.guidance)
        return command_velocity(*velocity, limits.max_speed_xy, limits.max_speed_z)


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
