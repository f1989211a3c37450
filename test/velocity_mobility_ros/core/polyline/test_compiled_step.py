"""The step as machine code gives the same bits as the plain one."""

import math
from typing import Any

import numpy as np
import pytest
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from support.polyline.runs import at, fly, line
from velocity_mobility_ros.core.polyline.follow_step import follow_step
from velocity_mobility_ros.core.polyline.records import FollowSettings
from velocity_mobility_ros.core.polyline.replay import ReplayState, replay_step, track

ROUND_TRIP = line((0, 0, 0), (5, 0, 0, 3.0), (5, 5, 2), (0, 0, 0, 4.0), (0, 0, 0))
SHORT = line((0, 0, 0), (2, 0, 0))


@pytest.fixture(scope='module')
def step() -> Any:
    """Return the compiled step."""
    return compiled(follow_step)


def same(step: Any, vertices: np.ndarray, state: Any, how: FollowSettings, steps: int) -> None:
    plain = fly(vertices, state, how, steps)
    fast = fly(vertices, state, how, steps, step)
    assert fast.end == plain.end
    for one, other in zip(plain.states, fast.states, strict=True):
        assert repr(one) == repr(plain_numbers(other))


def plain_numbers(state: Any) -> Any:
    """Return a state with its flag as Python has it."""
    return state._replace(progress=state.progress._replace(closed=bool(state.progress.closed)))


@pytest.mark.parametrize('cuts_corners', [False, True])
@pytest.mark.parametrize('strict', [False, True])
@pytest.mark.parametrize('original', [False, True])
def test_modes_are_equal_to_the_bit(step, original, strict, cuts_corners):
    how = FollowSettings(
        cruise_speed=4.0, original=original, strict=strict, cuts_corners=cuts_corners
    )
    same(step, SHORT, at((0, 0, 0), SHORT, speed=5.0), how, 200)
    start = at((0, 0, 0), ROUND_TRIP, base_time=0.0, closed=True)
    same(step, ROUND_TRIP, start, how, 150)
    same(step, SHORT, at((0, math.nan, 0), SHORT), how, 2)


def test_a_replay_is_equal_to_the_bit():
    fast = compiled(replay_step)
    found = track([(0, 0, 0, 1.0), (3, 1, 0, 2.0), (3, 4, 2, 4.5)])
    begin = ReplayState(0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), 0.0, 0.0, 0.0, 0.0)
    one = other = begin
    for k in range(1, 100):
        one = replay_step(found.vertices, found.attitudes, one, k * 0.05)
        other = fast(found.vertices, found.attitudes, other, k * 0.05)
        assert repr(one) == repr(other)
