"""How the adversary roams."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.swarm.target import heading, pick_goal
from support.scripted import Scripted

NO_GOAL = (math.nan, math.nan)
SEED = st.integers(0, 1000)


@given(SEED, st.floats(-50.0, 50.0), st.floats(-50.0, 50.0), st.floats(1.0, 60.0))
def test_a_goal_is_in_the_box_and_far_enough(seed: int, tx: float, ty: float, bound: float):
    x, y = pick_goal(tx, ty, bound, 0.5 * bound, np.random.default_rng(seed))
    assert max(abs(x), abs(y)) <= bound
    assert math.hypot(x - tx, y - ty) >= 0.5 * bound


def test_east_is_drawn_before_north_try_by_try():
    stream = Scripted(1.0, 2.0, -30.0, 4.0, 5.0)
    assert pick_goal(0.0, 0.0, 40.0, 30.0, stream) == (-30.0, 4.0)
    assert stream.draws == [5.0]


def test_after_fifty_tries_the_goal_is_taken_from_the_circle_within_the_box():
    stream = Scripted(*[0.0] * (2 * 50), math.pi / 4.0, 9.0)
    assert pick_goal(0.0, 0.0, 10.0, 100.0, stream) == (10.0, 10.0)
    assert stream.draws == [9.0]


def test_the_first_goal_is_drawn_and_kept():
    stream = Scripted(-40.0, 0.0)
    angle = heading(40.0, 0.0, 0.0, 0.0, *NO_GOAL, 40.0, 30.0, stream)
    assert angle == (-1.0, 0.0, -40.0, 0.0)
    assert heading(0.0, 30.0, 0.0, 0.0, *angle[2:], 40.0, 30.0, stream)[2:] == (-40.0, 0.0)


def test_a_goal_that_is_reached_gives_way_to_another():
    stream = Scripted(0.0, 40.0)
    angle = heading(0.0, -39.0, 0.0, 0.0, 0.0, -40.0, 40.0, 30.0, stream)
    assert angle == (0.0, 1.0, 0.0, 40.0)


@pytest.mark.parametrize('goal', [NO_GOAL, (40.0, 0.0)])
def test_fleeing_draws_nothing_and_keeps_the_goal(goal: tuple[float, float]):
    ux, uy, *after = heading(0.0, -9.0, 0.0, 1.0, *goal, 40.0, 30.0, Scripted())
    assert (ux, uy) == (0.0, -1.0)
    assert after == pytest.approx(goal, nan_ok=True)


@given(SEED, st.floats(-40.0, 40.0), st.floats(-40.0, 40.0))
def test_the_heading_is_a_unit_vector(seed: int, x: float, y: float):
    ux, uy, *goal = heading(x, y, 0.0, 0.0, *NO_GOAL, 40.0, 30.0, np.random.default_rng(seed))
    assert math.hypot(ux, uy) == pytest.approx(1.0)
    assert math.isnan(goal[0]) == (math.hypot(x, y) < 30.0)
