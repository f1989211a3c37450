"""The command chain: watchdog, clip, deadband, limiter, feedback, emergency stop."""

import math

import pytest
from hypothesis import given, strategies as st

from velocity_mobility_ros.core import twist_smoothing as chain
from velocity_mobility_ros.core.twist_smoothing import STILL, Motion, MotionLimits

S = 1_000_000_000
MS = 1_000_000
PERIOD = 20 * MS
OPEN = MotionLimits(math.inf, math.inf)
RULES = chain.ChainRules(10.0, 5.0, 1.5, 0.0, 0.0, MotionLimits(3.0, 2.0), 0.1, 0.5, OPEN)
FAST = Motion((4.0, 0.0, 0.0), 1.0)


def run(state, ticks, now_ns, rules=RULES, wanted=None, measured=None):
    """Make ticks, with a command before each if there is one; return the states."""
    states = []
    for i in range(1, ticks + 1):
        now = now_ns + i * PERIOD
        if wanted is not None:
            state = chain.accept(state, wanted, now)
        state = chain.step(rules, state, measured or STILL, measured is not None, now)
        states.append(state)
    return states


def speeds(states):
    return [state.limiter.motion.velocity[0] for state in states]


def test_before_a_command_there_is_no_output():
    (state,) = run(chain.at_rest(0), 1, 0)
    assert not state.is_started and state.limiter.motion == STILL


def test_it_starts_from_the_measured_motion():
    flying = Motion((3.0, 0.0, 0.0), 1.0)
    rules = RULES._replace(max_error=MotionLimits(1.0, 0.5))
    before = run(chain.at_rest(0), 3, 0, rules, measured=flying)[-1]
    (first,) = run(before, 1, 3 * PERIOD, rules, FAST, flying)
    assert first.limiter.motion.velocity[0] == pytest.approx(3.06)


def test_a_command_is_reached_within_the_limits_and_exactly():
    states = run(chain.at_rest(0), 100, 0, wanted=FAST)
    assert speeds(states)[:2] == pytest.approx([0.06, 0.12])
    assert states[-1].limiter.motion == FAST
    assert states[-1].limiter.factor == 1.0


def test_silence_ends_in_a_stop_within_the_limits():
    before = run(chain.at_rest(0), 100, 0, wanted=FAST)[-1]
    states = run(before, 120, 100 * PERIOD)
    assert speeds(states)[24] == 4.0
    assert speeds(states)[25] == pytest.approx(3.94)
    assert states[-1].limiter.motion == STILL
    assert (states[-1].timeouts, states[-1].has_command) == (1, False)
    again = run(states[-1], 1, 220 * PERIOD, wanted=FAST)[-1]
    assert speeds([again]) == pytest.approx([0.06])


def test_without_a_timeout_a_command_holds():
    before = run(chain.at_rest(0), 1, 0, wanted=FAST)[-1]
    states = run(before, 1000, PERIOD, RULES._replace(timeout=0.0))
    assert states[-1].limiter.motion == FAST


def test_a_clock_that_goes_back_neither_leaps_nor_keeps_a_command_for_ever():
    before = run(chain.at_rest(0), 100, 3600 * S, wanted=FAST)[-1]
    states = run(before, 300, 5 * S)
    assert speeds(states)[0] == 4.0
    assert states[0].limiter.clock.setbacks == 1
    assert states[30].timeouts == 1
    assert states[-1].limiter.motion == STILL


@pytest.mark.parametrize(('wanted', 'expected'), [
    (Motion((30.0, 40.0, 0.0), 0.0), Motion((6.0, 8.0, 0.0), 0.0)),
    (Motion((0.0, 0.0, -9.0), 7.0), Motion((0.0, 0.0, -5.0), 1.5)),
])  # fmt: skip
def test_targets_are_clipped(wanted, expected):
    assert run(chain.at_rest(0), 500, 0, wanted=wanted)[-1].limiter.motion == expected


def test_a_deadband_stops_small_targets_and_no_output():
    rules = RULES._replace(deadband_speed=0.5, deadband_yaw_rate=0.2)
    small = Motion((0.3, 0.3, 0.2), 0.19)
    assert run(chain.at_rest(0), 50, 0, rules, small)[-1].limiter.motion == STILL
    large = Motion((0.3, 0.3, 0.3), 0.2)
    states = run(chain.at_rest(0), 50, 0, rules, large)
    assert 0.0 < speeds(states)[0] < 0.1
    assert states[-1].limiter.motion == large
    assert run(states[-1], 50, S, rules, small)[-1].limiter.motion == STILL


def test_an_emergency_stop_is_at_once_latched_and_forgets():
    before = run(chain.at_rest(0), 100, 0, wanted=FAST)[-1]
    stopped = chain.stop(before)
    assert stopped.limiter.motion == STILL
    states = run(stopped, 50, 100 * PERIOD, wanted=FAST, measured=FAST)
    assert {state.limiter.motion for state in states} == {STILL}
    released = run(chain.release(states[-1]), 50, 150 * PERIOD, RULES._replace(timeout=0.0))
    assert {state.limiter.motion for state in released} == {STILL}
    assert speeds(run(released[-1], 2, 200 * PERIOD, wanted=FAST)) == pytest.approx([0.06, 0.12])


def test_an_emergency_stop_before_the_first_command_has_an_output():
    state = chain.stop(chain.at_rest(0))
    assert state.is_started and state.is_stopped
    assert chain.release(state).is_started


def test_the_output_stays_near_the_measured_motion():
    """A vehicle that is held: the output does not run away from it."""
    rules = RULES._replace(max_error=MotionLimits(1.0, 0.5))
    states = run(chain.at_rest(0), 200, 0, rules, FAST, STILL)
    assert max(speeds(states)) <= 1.06 * (1 + 1e-9)
    assert min(speeds(states)[20:]) >= 1.0, 'no nearer than it has to'
    assert max(state.limiter.motion.yaw_rate for state in states) <= 0.54 * (1 + 1e-9)


PART = st.floats(-20.0, 20.0)
MOTION = st.builds(Motion, st.tuples(PART, PART, PART), st.floats(-3.0, 3.0))
EVENT = st.tuples(st.one_of(st.none(), MOTION), st.integers(-100 * MS, 300 * MS))


@given(st.lists(EVENT, max_size=40))
def test_whatever_is_commanded_the_accelerations_hold(events):
    state, now = chain.at_rest(S), S
    for wanted, step_ns in events:
        now = max(0, now + step_ns)
        if wanted is not None:
            state = chain.accept(state, wanted, now)
        last, before = state.limiter.motion, state.limiter.clock.time_ns
        state = chain.step(RULES, state, STILL, False, now)
        dt = min(max(0, now - before) / S, 0.1)
        output = state.limiter.motion
        slack = 4.0 * math.ulp(20.0)
        assert math.dist(output.velocity, last.velocity) <= 3.0 * dt * (1 + 1e-9) + slack
        assert abs(output.yaw_rate - last.yaw_rate) <= 2.0 * dt * (1 + 1e-9) + slack
        assert math.hypot(*output.velocity[:2]) <= 10.0 * (1 + 1e-9)


def test_the_output_is_within_the_limits_however_fast_the_vehicle_says_it_is():
    rules = RULES._replace(max_error=MotionLimits(1.0, 0.5))
    absurd = Motion((9e4, -9e4, 1e3), 50.0)
    for begin in (chain.at_rest(0), chain.accept(chain.at_rest(0), FAST, 0)):
        for state in run(begin, 50, 0, rules, measured=absurd):
            (x, y, z), yaw_rate = state.limiter.motion
            assert math.hypot(x, y) <= rules.max_speed_xy * (1 + 1e-12)
            assert abs(z) <= rules.max_speed_z and abs(yaw_rate) <= rules.max_yaw_rate
