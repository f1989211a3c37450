"""Dead reckoning at constant acceleration."""

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.states.states import MotionState, moved

NUMBER = st.floats(-100.0, 100.0)
TIME = st.floats(0.0, 10.0)
VECTOR = st.tuples(NUMBER, NUMBER, NUMBER)
MOTION = st.builds(MotionState, VECTOR, VECTOR, st.tuples(NUMBER, NUMBER))


def flat(motion: MotionState) -> tuple:
    """Return all numbers of a motion."""
    return (*motion.position, *motion.velocity, *motion.acceleration)


@given(MOTION, TIME, TIME)
def test_two_steps_are_one(motion: MotionState, first: float, second: float) -> None:
    """The time may be cut anywhere."""
    once, twice = moved(motion, first + second), moved(moved(motion, first), second)
    assert flat(twice) == pytest.approx(flat(once), rel=1e-9, abs=1e-9)


@given(MOTION, TIME)
def test_the_speed_gained_is_the_acceleration(motion: MotionState, time: float) -> None:
    """Horizontal velocity grows in proportion, the mean of both velocities is the way."""
    after = moved(motion, time)
    for axis in range(3):
        gained = motion.acceleration[axis] * time if axis < 2 else 0.0
        assert after.velocity[axis] - motion.velocity[axis] == pytest.approx(gained, abs=1e-9)
        mean = 0.5 * (after.velocity[axis] + motion.velocity[axis])
        way = after.position[axis] - motion.position[axis]
        assert way == pytest.approx(mean * time, abs=1e-9)
