"""The separation filter of nodes as machine code; the same bits as in plain Python."""

import functools
from collections.abc import Callable, Sequence

import numpy as np
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.actors.command_filter import CommandFilter, OtherBodies, Row
from soliton_encirclement_ros.core.laws.record_rows import field_names, packing
from soliton_encirclement_ros.safety.calling import RESULT, filter_into
from soliton_encirclement_ros.safety.codes import (
    COLUMNS,
    EMPTY,
    KIND,
    SCRATCH_COLUMNS,
    SCRATCH_ROWS,
)
from soliton_encirclement_ros.safety.records import (
    Filtered,
    FilterMemory,
    FilterSettings,
    OwnState,
    Rows,
)
from soliton_encirclement_ros.sim.compilation.compiled import bound, compiled
from soliton_encirclement_ros.sim.compilation.law_unit import packed
from soliton_encirclement_ros.sim.kernel.flight_memory import Floats

EXAMPLE = FilterSettings((0.0,) * 6)
EDGE = 4
"""Numbers of an edge of the fence."""


class CompiledFilter(CommandFilter):
    """The filter by machine code."""

    def __init__(self, settings: FilterSettings, fence: Rows) -> None:
        """Take the numbers, as ``CommandFilter``."""
        super().__init__(settings, fence)
        self._numbers = packed(settings)
        self._edges = np.array(fence, dtype=np.float64).reshape(-1, EDGE)
        self._others = table(())
        self._rows = np.zeros((SCRATCH_ROWS, SCRATCH_COLUMNS))
        self._result = np.zeros(RESULT)

    def filtered(
        self,
        pose_age: float,
        own: OwnState,
        wanted: Vector,
        previous: Vector,
        others: OtherBodies,
        memory: FilterMemory,
    ) -> Filtered:
        """Return the command nearest to the wanted one that keeps all distances."""
        common, place, more = others
        count = len(common) + len(more)
        if count != len(self._others):
            self._others = np.zeros((count, COLUMNS))
        reason = entry()(
            self._numbers, pose_age, own, wanted, previous, memory, COMMON.of(common), place,
            table(more) if more else NOBODY_MORE, self._others, self._edges, self._rows,
            self._result,
        )  # fmt: skip
        x, y, z, pusher, turn, side = self._result.tolist()
        return Filtered((x, y, z), reason, int(pusher), FilterMemory(turn, side))


def table(rows: Sequence[Row]) -> Floats:
    """Return rows of bodies as an array."""
    return np.array(rows, dtype=np.float64).reshape(len(rows), COLUMNS)


class CommonRows:
    """Rows that agents share in an array; those who know the same one after the other share it."""

    def __init__(self) -> None:
        """Begin without rows."""
        self._rows: Sequence[Row] = ()
        self._array = table(())

    def of(self, rows: Sequence[Row]) -> Floats:
        """Return rows, which never change, as an array."""
        if rows is not self._rows:
            self._rows, self._array = rows, table(rows)
        return self._array


COMMON = CommonRows()


NOBODY_MORE = table(())


@functools.cache
def entry() -> Callable[..., int]:
    """Return the machine code; what it is called with has always the same types."""
    return bound(compiled(filtering_into()))


@functools.cache
def filtering_into() -> Callable[..., int]:
    """Return the filter over rows; the same every time, so that it is found compiled."""
    unpack, delay = packing(EXAMPLE).unpack, field_names(EXAMPLE).index('delay')

    def filter_row(
        settings: Floats, pose_age: float, own: OwnState, wanted: Vector, previous: Vector,
        memory: FilterMemory, common: Floats, place: int, more: Floats, others: Floats,
        fence: Floats, scratch: Floats, result: Floats,
    ) -> int:  # fmt: skip
        """Filter a velocity; leave command, pusher and memory in a row, and return the reason.

        ``others`` is overwritten with all bodies; the own row, if there is one, is unused.
        """
        count = len(common)
        for i in range(len(others)):
            row = common[i] if i < count else more[i - count]
            for k in range(COLUMNS):
                others[i, k] = row[k]
        if place >= 0:
            others[place, KIND] = EMPTY
        known = settings[delay]
        if pose_age > 0.0:
            settings[delay] = known + pose_age
        numbers = unpack(settings)
        settings[delay] = known
        result[4], result[5] = memory
        return filter_into(numbers, own, wanted, previous, others, fence, scratch, result)

    return filter_row
