"""The motion limiter in three dimensions: one factor, limits that hold, table C.3 row by row."""

import math

import pytest
from hypothesis import given, strategies as st

from support.strategies import ANY_NUMBER
from velocity_mobility_ros.core.twist_smoothing import (
    STILL, Motion, MotionLimits, at_start, motion_step
)

S = 1_000_000_000
LIMITS = MotionLimits(3.0, 2.0)
PART = st.floats(-20.0, 20.0)
MOTION = st.builds(Motion, st.tuples(PART, PART, PART), st.floats(-3.0, 3.0))
ANY_MOTION = st.builds(Motion, st.tuples(ANY_NUMBER, ANY_NUMBER, ANY_NUMBER), ANY_NUMBER)


def updated(wanted, dt=0.02, start=STILL, limits=LIMITS, max_dt=0.1):
    return motion_step(limits, max_dt, at_start(start, 5 * S), wanted, 5 * S + round(dt * S))


@given(MOTION, MOTION, st.floats(0.1, 50.0), st.floats(0.1, 50.0), st.integers(10**6, 10**8))
def test_the_limits_hold_and_the_factor_is_a_share(start, wanted, acc, yaw_acc, dt_ns):
    limits, dt = MotionLimits(acc, yaw_acc), dt_ns / S
    after = updated(wanted, dt, start, limits)
    assert 0.0 <= after.factor <= 1.0
    assert math.dist(after.motion.velocity, start.velocity) / dt <= acc * (1 + 1e-9)
    assert abs(after.motion.yaw_rate - start.yaw_rate) / dt <= yaw_acc * (1 + 1e-9)


@given(MOTION, MOTION)
def test_the_change_keeps_its_direction_and_its_proportions(start, wanted):
    after = updated(wanted, 0.02, start)
    k = after.factor
    parts = zip((*start.velocity, start.yaw_rate), (*wanted.velocity, wanted.yaw_rate),
                (*after.motion.velocity, after.motion.yaw_rate), strict=True)  # fmt: skip
    for before, goal, now in parts:
        assert now - before == pytest.approx(k * (goal - before), abs=1e-13)


@given(MOTION, MOTION)
def test_a_constant_request_is_reached_exactly_and_kept(start, wanted):
    state = at_start(start, 0)
    for i in range(1, 400):
        state = motion_step(LIMITS, 0.1, state, wanted, i * S // 10)
    assert state.motion == wanted
    assert state.factor == 1.0


def test_the_slower_of_translation_and_rotation_governs():
    after = updated(Motion((0.03, 0.0, 0.0), 4.0))
    assert after.factor == pytest.approx(0.01)
    assert after.motion.velocity[0] == pytest.approx(0.0003)
    assert after.motion.yaw_rate == pytest.approx(0.04)


def test_limits_of_zero_freeze():
    start = Motion((1.0, 2.0, 0.0), 3.0)
    assert updated(STILL, start=start, limits=MotionLimits(0.0, 0.0)).motion == start
    assert updated(start, start=start, limits=MotionLimits(0.0, 0.0)).motion == start


def test_time_that_goes_back_holds_and_is_counted():
    first = updated(Motion((9.0, 0.0, 0.0), 0.0))
    back = motion_step(LIMITS, 0.1, first, Motion((-900.0, 0.0, 0.0), 9.0), S)
    assert (back.motion, back.clock) == (first.motion, (S, 1))
    after = motion_step(LIMITS, 0.1, back, Motion((9.0, 0.0, 0.0), 0.0), S + S // 50)
    assert after.motion.velocity[0] == pytest.approx(0.12)


@pytest.mark.parametrize('value', [math.nan, math.inf])
@pytest.mark.parametrize('at', range(4))
def test_a_request_that_is_not_finite_is_rejected_and_counted(value, at):
    parts = [1.0, 1.0, 1.0, 1.0]
    parts[at] = value
    start = Motion((0.5, 0.0, -0.5), 0.1)
    after = updated(Motion(tuple(parts[:3]), parts[3]), start=start)
    assert (after.motion, after.rejected) == (start, 1)
    assert after.clock.time_ns == 5 * S + S // 50


@given(ANY_MOTION, st.integers(-S, S), MOTION)
def test_whatever_comes_the_output_is_finite(wanted, step_ns, start):
    after = motion_step(LIMITS, 0.1, at_start(start, 5 * S), wanted, 5 * S + step_ns)
    assert all(map(math.isfinite, (*after.motion.velocity, after.motion.yaw_rate)))
    assert 0.0 <= after.factor <= 1.0
    dt = min(max(step_ns, 0) / S, 0.1)
    slack = 4.0 * math.ulp(40.0)
    assert math.dist(after.motion.velocity, start.velocity) <= 3.0 * dt * (1 + 1e-9) + slack
