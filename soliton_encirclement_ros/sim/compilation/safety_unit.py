"""The separation filter as the engine calls it: over rows of numbers, compiled by itself."""

import functools
from collections.abc import Callable, Sequence

import numpy as np

from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.safety.braking import usable_lag
from soliton_encirclement_ros.safety.calling import filter_into
from soliton_encirclement_ros.safety.nearest_bodies import SpanBound, span_bound
from soliton_encirclement_ros.safety.records import FilterSettings, OwnState, Rows
from soliton_encirclement_ros.sim.compilation.compiled import pointed
from soliton_encirclement_ros.sim.compilation.law_unit import packed
from soliton_encirclement_ros.swarm.memory import Floats
from soliton_encirclement_ros.swarm.rules import SafetyRules

EXAMPLE = FilterSettings((0.0,) * 6)
ROW, ROWS = np.zeros(1), np.zeros((1, 1))


def safety_rules(
    is_on: bool, settings: Sequence[FilterSettings], fence: Rows, plain: bool
) -> SafetyRules:
    """Return the filter as the kernel needs it.

    Args:
        is_on: Whether commands are filtered.
        settings: The filter's numbers, one per kind of vehicle.
        fence: Edges of the fence.
        plain: Whether it is not compiled.
    """
    step = filtering()
    if not plain:
        step = pointed(step, ROW, ROW, ROW, ROW, ROWS, ROWS, ROWS, ROW)
    return SafetyRules(
        is_on,
        step,
        np.array([*map(packed, settings)]),
        np.array(fence, dtype=np.float64).reshape(-1, 4),
        any(one.target_radius > 0.0 for one in settings),
        any(one.adversary_radius > 0.0 for one in settings),
        settings[0].lowest,
        settings[0].highest,
        widest_spans(settings),
    )


def widest_spans(settings: Sequence[FilterSettings]) -> SpanBound:
    """Return a bound on the spans of other bodies that holds for each of some vehicles."""
    able = [one for one in settings if one.limits[2] > 0.0]  # the others get command 0 anyway
    spans = [span_bound(one, one.limits[2], usable_lag(one.limits[4], one.period)) for one in able]
    return SpanBound(*map(max, zip(*spans, (0.0,) * len(SpanBound._fields), strict=True)))


@functools.cache
def filtering() -> Callable[..., int]:
    """Return the filter over rows; the same every time, so that it is found compiled."""
    unpack = packing(EXAMPLE).unpack

    def filter_rows(
        settings: Floats, body: Floats, wanted: Floats, in_effect: Floats, others: Floats,
        fence: Floats, scratch: Floats, result: Floats,
    ) -> int:  # fmt: skip
        """Filter a velocity; leave command, pusher and turn in a row, and return the reason."""
        own = OwnState((body[0], body[1], body[2]), (body[3], body[4], body[5]))
        return filter_into(
            unpack(settings), own, (wanted[0], wanted[1], wanted[2]),
            (in_effect[0], in_effect[1], in_effect[2]), others, fence, scratch, result,
        )  # fmt: skip

    return filter_rows
