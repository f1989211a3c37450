"""The separation filter of a vehicle that is to stand still."""

from collections.abc import Callable

from soliton_encirclement_ros.actors.command_filter import CommandFilter, OtherBodies
from soliton_encirclement_ros.core.fences.polygon import is_inside
from soliton_encirclement_ros.safety.records import (
    START,
    STILL,
    Filtered,
    FilterSettings,
    OwnState,
    Rows,
)
from soliton_encirclement_ros.safety.standstill import known_distances, level, standing

MakeFilter = Callable[[FilterSettings, Rows], CommandFilter]


class StandingFilter:
    """Two questions: whether a vehicle has to make way, by what is known; and where to.

    Fence and heights move nobody. A vehicle inside the fence does not leave it to make way.
    """

    def __init__(self, make_filter: MakeFilter, settings: FilterSettings, fence: Rows) -> None:
        """Make the filters.

        Args:
            make_filter: Makes one of its numbers and its fence.
            settings: The numbers of the vehicle in flight.
            fence: Edges of the fence, none without one.
        """
        self._settings, self._fence = settings, fence
        self._whether = make_filter(known_distances(settings), ())
        self._where = make_filter(level(settings), ())
        self._where_inside = make_filter(level(settings), fence) if len(fence) else self._where

    def filtered(
        self, pose_age: float, own: OwnState, previous: tuple[float, float, float],
        others: OtherBodies,
    ) -> Filtered:  # fmt: skip
        """Return the command, its reason and who caused it; see ``CommandFilter.filtered``.

        Args:
            pose_age: Age [s] of the own state.
            own: State of the own vehicle.
            previous: The command in effect until this one is [m/s, map].
            others: The other bodies at the time of the own state.
        """
        found = standing(
            self._settings,
            own,
            self._whether.filtered(pose_age, own, STILL, previous, others, START),
        )
        if found.command == STILL:
            return found
        x, y, _ = own.position
        where = self._where_inside if is_inside(self._fence, x, y) else self._where
        away = where.filtered(pose_age, own, STILL, previous, others, START)
        return standing(self._settings, own, away)
