"""The filter as machine code gives the same bits as the plain one."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.core.fences import ring_edges
from soliton_encirclement_ros.core.laws.filter_codes import SEPARATION
from soliton_encirclement_ros.safety.filter import RESULT, filter_into
from soliton_encirclement_ros.safety.filter_records import (
    SCRATCH_COLUMNS, SCRATCH_ROWS, FilterSettings, OwnState
)
from soliton_encirclement_ros.safety.nearest_bodies import span_of
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from soliton_encirclement_ros.swarm.over_rows import widest_spans
from support.safety.draws import row, scratch, stream, velocity

FENCES = [[], ring_edges([(-12, -12), (12, -12), (12, 12), (-12, 12)], [(4, 4), (7, 4), (4, 8)])]
WORST = (math.nan, math.inf, 0.0, -0.0, 1e308)


def others_of(draw):
    """Return rows of up to 14 bodies, sometimes with numbers that nobody should send."""
    rows = []
    for k in range(int(draw.integers(0, 15))):
        one = row(
            *draw.uniform(-9, 9, 2), *velocity(draw), z=draw.uniform(-3, 3),
            vz=draw.uniform(-2, 2), age=draw.uniform(0, 1), kind=int(draw.integers(0, 6)), name=k,
        )  # fmt: skip
        if draw.random() < 0.03:
            one[int(draw.integers(0, 7))] = WORST[int(draw.integers(0, len(WORST)))]
        rows.append(one)
    return rows


@pytest.mark.parametrize('tau', [0.2, 1.0, math.nan])
@pytest.mark.parametrize('fence', FENCES, ids=['free', 'fence'])
def test_all_barriers_are_equal_to_the_bit(tau, fence):
    draw, reasons = stream(110), set()
    fast = compiled(filter_into)
    how = FilterSettings(
        (10.0, 5.0, 4.0, 5.0, tau, tau), delay=0.03, clock_error=0.01, target_radius=4.0,
        adversary_radius=3.0, lowest=-4.0, highest=4.0,
    )  # fmt: skip
    for _ in range(400):
        others = others_of(draw)
        own = OwnState((*draw.uniform(-9, 9, 2), 0.0), (*velocity(draw), draw.uniform(-2, 2)))
        wanted = (*draw.uniform(-12, 12, 2), draw.uniform(-6, 6))
        plain, result = [0.0] * 4 + [draw.uniform(0, 6), draw.integers(-1, 2)], np.zeros(RESULT)
        result[:] = plain
        with np.errstate(all='ignore'):
            one = filter_into(how, own, wanted, wanted, others, fence, scratch(), plain)
        other = fast(
            how, own, wanted, wanted, np.array(others).reshape(-1, 9),
            np.array(fence).reshape(-1, 4), np.zeros((SCRATCH_ROWS, SCRATCH_COLUMNS)), result,
        )  # fmt: skip
        assert one == other
        assert [float(v).hex() for v in plain] == [v.hex() for v in result.tolist()]
        reasons.add(one)
    assert len(reasons) >= 5


@pytest.mark.parametrize('space', [9.0, 60.0, 400.0])
def test_spans_that_rows_bring_change_nothing(space):
    """The engine finds them once for all agents, for the vehicle that has to look farthest."""
    draw, fast, pushed = stream(111), compiled(filter_into), 0
    hows = [
        FilterSettings((10.0, 5.0, a, 5.0, tau, tau), delay=delay, clock_error=0.02, run_on=run_on)
        for a, tau, delay, run_on in ((4.0, 1.0, 0.0, 0.3), (2.0, 0.2, 0.1, 0.0), (6.0, 3.0, 0, 1))
    ]
    spans = widest_spans(hows)
    for how in hows * 100:
        others = [
            row(
                *draw.uniform(-space, space, 2), *velocity(draw, 20.0), z=draw.choice([0.0, 2.5]),
                vz=draw.uniform(-2, 2), age=draw.uniform(0, 2), kind=int(draw.integers(1, 6)),
            )
            for _ in range(30)
        ]  # fmt: skip
        own = OwnState((0.0, 0.0, 0.0), (*velocity(draw), draw.uniform(-2, 2)))
        wanted, still, fence = (
            (*draw.uniform(-12, 12, 2), draw.uniform(-3, 3)),
            (0.0, 0.0, 0.0),
            [],
        )
        without, plain, machine = [0.0] * RESULT, [0.0] * RESULT, np.zeros(RESULT)
        bare = filter_into(how, own, wanted, still, others, fence, scratch(), without)
        told = [[*other, span_of(spans, other)] for other in others]
        reasons = filter_into(how, own, wanted, still, told, fence, scratch(), plain), fast(
            how, own, wanted, still, np.array(told), np.zeros((0, 4)),
            np.zeros((SCRATCH_ROWS, SCRATCH_COLUMNS)), machine,
        )  # fmt: skip
        assert reasons == (bare, bare)
        assert [float(v).hex() for v in without] == [float(v).hex() for v in plain]
        assert [float(v).hex() for v in without] == [v.hex() for v in machine.tolist()]
        pushed += bare == SEPARATION
    assert pushed > 10 if space < 400.0 else pushed < 150
