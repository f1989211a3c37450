"""Many steps with the same command in closed form, against the steps themselves."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from velocity_mobility_ros.core.model import Limits, Vector, step
from velocity_mobility_ros.vehicles.held_command import held_command

LIMITS: Limits = (10.0, 5.0, 4.0, 5.0, 1.0, 1.2)
VELOCITY = st.tuples(st.floats(-14.0, 14.0), st.floats(-14.0, 14.0), st.floats(-7.0, 7.0))
LAG = st.one_of(st.just(math.nan), st.floats(0.001, 3.0))
ABLE = st.tuples(
    st.just(10.0), st.just(5.0), st.floats(0.0, 50.0), st.floats(0.0, 50.0), LAG, LAG
)  # fmt: skip


def stepped(v: Vector, c: Vector, dt: float, count: int, limits: Limits) -> tuple[Vector, Vector]:
    """Return position and velocity after some steps from the origin."""
    p = (0.0, 0.0, 0.0)
    for _ in range(count):
        p, v = step(p, v, c, dt, limits)
    return p, v


def flat(motion: tuple[Vector, Vector]) -> list[float]:
    """Return position and velocity as one list."""
    return [*motion[0], *motion[1]]


@given(VELOCITY, VELOCITY, st.sampled_from([0.01, 0.05]), st.integers(0, 60), ABLE)
def test_it_is_the_model(v, c, dt, count, limits):
    found = held_command((0.0, 0.0, 0.0), v, c, dt, count, limits)
    assert flat(found) == pytest.approx(flat(stepped(v, c, dt, count, limits)), abs=1e-9)


@pytest.mark.parametrize('count', [0, 1])
def test_no_step_and_one_are_exactly_those_of_the_model(count):
    v, c = (3.1, -2.7, 0.3), (-4.9, 1.3, -0.7)
    assert held_command((0.0, 0.0, 0.0), v, c, 0.01, count, LIMITS) == stepped(
        v, c, 0.01, count, LIMITS
    )


@pytest.mark.parametrize(('v', 'c'), [
    ((9.99, 0.0, 0.0), (-9.99, 0.0, 0.0)),  # the acceleration limit decides all steps
    ((5.0, 0.0, 0.0), (5.5, 0.5, 0.1)),  # the lag decides all steps
    ((5.0, 0.0, 0.0), (0.0, 0.5, 0.1)),  # first one, then the other
    ((5.0, 0.0, 0.0), (5.0, 0.0, 0.0)),  # nothing changes
    ((0.0, 12.0, 0.0), (0.0, 0.0, 6.0)),  # too fast, as a wrong measurement may say
])  # fmt: skip
def test_whatever_decides(v, c):
    limits = (10.0, 5.0, 4.0, 5.0, 0.5, 1.2)
    found = held_command((0.0, 0.0, 0.0), v, c, 0.01, 90, limits)
    assert flat(found) == pytest.approx(flat(stepped(v, c, 0.01, 90, limits)), abs=1e-12)


def test_what_is_not_finite_is_as_in_the_model():
    v, c = (math.nan, 0.0, 0.0), (1.0, math.inf, 0.0)
    found = held_command((0.0, 0.0, 0.0), v, c, 0.01, 5, LIMITS)
    assert flat(found) == pytest.approx(flat(stepped(v, c, 0.01, 5, LIMITS)), nan_ok=True)
