"""The path of a member: the leader ahead of it, in rows that the tick reads."""

from collections.abc import Callable, Mapping

import numpy as np

from soliton_encirclement_ros.core.member_paths import PlannedPath
from soliton_encirclement_ros.swarm.rules import PathRules
from velocity_mobility_ros.core.trajectory.leader_track import (
    LeaderFlight, LeaderTrack, RecordedTrack, fly_rows
)
from velocity_mobility_ros.core.trajectory.polyline import Polyline

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


def path_rules_of(flights: Mapping[int, PathFlight], members: int) -> PathRules:
    """Return the paths of some members by their indices, as far as they are computed."""
    tables = [np.empty((0, 6))] * members
    ended = np.zeros(members, dtype=bool)
    guidance, limits = np.zeros((members, 5)), np.zeros((members, 2))
    for i, flight in flights.items():
        tables[i], ended[i] = flight.track.rows, flight.track.ended
        guidance[i] = flight.plan.guidance
        limits[i] = flight.plan.limits.max_speed_xy, flight.plan.limits.max_speed_z
    first = np.cumsum([0, *map(len, tables)])
    return PathRules(np.concatenate(tables), first, ended, guidance, limits)
