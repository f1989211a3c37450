"""The separation filter with the numbers of one vehicle, as the guard of an agent calls it."""

from collections.abc import Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.states.known_bodies import NO_ROW
from soliton_encirclement_ros.safety.calling import scratch_rows
from soliton_encirclement_ros.safety.filter import filtered
from soliton_encirclement_ros.safety.records import (
    Filtered,
    FilterMemory,
    FilterSettings,
    OwnState,
    Rows,
)

Row = Sequence[float]


class OtherBodies(NamedTuple):
    """The other bodies, one a row of COLUMNS numbers; see ``safety.codes``.

    Attributes:
        common: Rows that never change; agents that know the same share them.
        own: Index of the own body among them, which does not count; NO_ROW if it is not there.
        more: Rows of the other bodies.
    """

    common: Sequence[Row]
    own: int
    more: Sequence[Row]


class CommandFilter:
    """The filter in plain Python."""

    def __init__(self, settings: FilterSettings, fence: Rows) -> None:
        """Take the numbers.

        Args:
            settings: The filter's numbers.
            fence: Edges of the fence, none without one.
        """
        self._settings = settings
        self._fence = fence
        self._scratch = scratch_rows()

    def filtered(
        self,
        pose_age: float,
        own: OwnState,
        wanted: Vector,
        previous: Vector,
        others: OtherBodies,
        memory: FilterMemory,
    ) -> Filtered:
        """Return the command nearest to the wanted one that keeps all distances.

        Args:
            pose_age: Age [s] of the own state.
            own: State of the own vehicle.
            wanted: Wanted velocity [m/s, map].
            previous: The command in effect until this one is [m/s, map].
            others: The other bodies at the time of the own state.
            memory: Memory of the last call; START at first.
        """
        settings, (common, place, more) = self._settings, others
        if pose_age > 0.0:
            settings = settings._replace(delay=settings.delay + pose_age)
        rows = [*common, *more]
        if place != NO_ROW:
            del rows[place]
        return filtered(settings, own, wanted, previous, rows, self._fence, self._scratch, memory)
