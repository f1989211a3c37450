"""Setpoints of each intent, and their limits for whatever is commanded."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from velocity_mobility_ros.autopilot.autopilot_reports import LocalPosition, Resets
from velocity_mobility_ros.autopilot.autopilot_requests import Intent, Setpoint, SetpointKind
from velocity_mobility_ros.autopilot.guidance import START, fault_of, has_taken_off, step
from velocity_mobility_ros.autopilot.setpoint_limits import GuidanceParameters
from velocity_mobility_ros.core.twist_smoothing import Motion
from velocity_mobility_ros.core.user_errors import ParameterError

LIMITS = GuidanceParameters()
FREE = GuidanceParameters(max_lead_xy=10.0, reference_tau_xy=None)
"""Commands as they are, for vehicles that a test does not move."""
DT = 0.02
NAN, INF = math.nan, math.inf


def at(position=(1.0, 2.0, 3.0), velocity=(0.0, 0.0, 0.0), heading=0.5, resets=None, **rest):
    known = Resets(11, 12, 13, 11, 11) if resets is None else resets
    return LocalPosition(0.0, position, velocity, heading, resets=known, **rest)


def flown(intent, command=None, local=None, seconds=1.0, memory=START, how=LIMITS):
    """Return all setpoints of an intent, and the memory."""
    local, found = at() if local is None else local, []
    for _ in range(round(seconds / DT)):
        memory, setpoint = step(how, memory, intent, command, local, memory.now + DT)
        found.append(setpoint)
    return found, memory


def motion(x=0.0, y=0.0, z=0.0, turn=0.0):
    return Motion((x, y, z), turn)


def test_nothing_is_said_while_somebody_else_flies():
    assert set(flown(Intent.SILENT, motion(3.0))[0]) == {None}


def test_a_point_is_held_with_its_heading_wherever_the_vehicle_drifts():
    first, memory = flown(Intent.HOLD)
    assert set(first) == {Setpoint(SetpointKind.POSITION, (1.0, 2.0, 3.0), yaw=0.5)}
    drifted, _ = flown(Intent.HOLD, local=at((2.0, 2.0, 3.0), heading=1.0), memory=memory)
    assert drifted[-1] == first[0]


def test_a_take_off_rises_straight_up_and_ends_when_it_has_settled():
    found, memory = flown(Intent.TAKE_OFF, seconds=10.0)
    heights = [one.target[2] for one in found]
    assert {one.target[:2] for one in found} == {(1.0, 2.0)}
    assert (heights[0], heights[-1]) == (3.0, 6.0)
    steps = [b - a for a, b in pairwise(heights)]
    assert min(steps) >= 0.0 and max(steps) <= LIMITS.takeoff_speed * DT + 1e-9
    assert not has_taken_off(memory)
    _, passing = flown(Intent.TAKE_OFF, local=at((1, 2, 6.0), (0, 0, 0.5)), memory=memory)
    assert not has_taken_off(passing)
    _, settling = flown(Intent.TAKE_OFF, local=at((1, 2, 5.8)), memory=passing, seconds=0.9)
    assert not has_taken_off(settling)
    _, there = flown(Intent.TAKE_OFF, local=at((1, 2, 5.8)), memory=settling, seconds=0.2)
    assert has_taken_off(there)


def test_a_velocity_is_reached_by_its_limits_from_the_measured_one():
    here = at(velocity=(1.0, 3.0, 0.0))
    found, _ = flown(Intent.TRACK, motion(30.0, 40.0), here, 4.0, how=FREE)
    assert found[0].kind is SetpointKind.VELOCITY
    first = found[0].target
    assert math.dist(first, (1.0, 3.0, 0.0)) == pytest.approx(FREE.max_slew_xy * DT)
    assert found[-1].target == pytest.approx((3.0, 4.0, 0.0))  # 5 m/s in the wanted direction


def test_what_is_asked_for_is_never_far_from_the_measured_velocity():
    found, _ = flown(Intent.TRACK, motion(-3.0, 4.0), at(velocity=(2.0, 0.0, 0.0)), 4.0)
    x, y, _ = found[-1].target
    assert math.hypot(x - 2.0, y) == pytest.approx(LIMITS.max_lead_xy)
    assert (x - 2.0) / y == pytest.approx(-5.0 / 4.0, rel=0.1)
    unknown = at(velocity=(2.0, 0.0, 0.0), v_xy_valid=False)
    assert flown(Intent.TRACK, motion(-3.0), unknown, 4.0)[0][-1].target[0] == pytest.approx(-3.0)


def test_what_the_estimator_can_bear_is_a_limit_too():
    slow = at(max_speed_xy=1.0, max_speed_z=0.5)
    found, _ = flown(Intent.TRACK, motion(4.0, 0.0, 2.0), slow, 3.0)
    assert found[-1].target == pytest.approx((1.0, 0.0, 0.5))
    unknown = at(max_speed_xy=NAN, max_speed_z=INF)
    found, _ = flown(Intent.TRACK, motion(4.0), unknown, 3.0, how=FREE)
    assert found[-1].target[0] == pytest.approx(4.0)


def test_a_turn_is_a_rate_and_its_end_a_heading():
    turning, memory = flown(Intent.TRACK, motion(turn=0.8))
    assert math.isnan(turning[-1].yaw) and turning[-1].yaw_rate == pytest.approx(0.8)
    still, _ = flown(Intent.TRACK, motion(), at(heading=2.0), memory=memory)
    assert still[-1].yaw == 2.0 and math.isnan(still[-1].yaw_rate)
    rates = [one.yaw_rate for one in turning if not math.isnan(one.yaw_rate)]
    assert max(b - a for a, b in pairwise(rates)) <= LIMITS.max_yaw_acc * DT + 1e-9


def test_braking_begins_where_tracking_was_and_ends_at_zero():
    _, memory = flown(Intent.TRACK, motion(4.0), seconds=3.0, how=FREE)
    braking, _ = flown(Intent.BRAKE, motion(4.0), at(velocity=(3.5, 0, 0)), 2.0, memory)
    assert braking[0].target[0] == pytest.approx(4.0 - LIMITS.max_acc_xy * DT)
    assert braking[-1].target == (0.0, 0.0, 0.0)
    stopping, _ = flown(Intent.STOP, motion(4.0), at(velocity=(3.5, 0, 0)), 0.1, memory)
    assert stopping[0].target == (0.0, 0.0, 0.0)


def test_a_held_height_is_that_where_tracking_began():
    _, memory = flown(Intent.TRACK, motion(1.0))
    low, memory = flown(Intent.TRACK, motion(1.0), at((1, 2, 2.5)), 2.0, memory)
    assert low[-1].target[2] == pytest.approx(0.5)
    lost = at((1, 2, NAN), z_valid=False)
    assert flown(Intent.TRACK, motion(1.0), lost, 2.0, memory)[0][-1].target[2] == 0.0


def test_a_held_height_moves_with_the_vertical_command_and_is_never_far():
    found, _ = flown(Intent.TRACK, motion(z=0.4), seconds=2.0)
    assert found[-1].target[2] == pytest.approx(0.4 + 0.4 * 2.0, abs=0.15)
    found, _ = flown(Intent.TRACK, motion(z=0.4), seconds=9.0)
    assert found[-1].target[2] == pytest.approx(1.4)


def test_a_vertical_command_is_flown_as_it_is_where_that_is_asked_for():
    how = GuidanceParameters(vertical_mode='passthrough')
    assert flown(Intent.TRACK, motion(z=0.4), seconds=9.0, how=how)[0][-1].target[2] == 0.4


def test_what_is_latched_jumps_with_the_estimator():
    _, memory = flown(Intent.HOLD)
    jump = Resets(12, 13, 13, 11, 12, (3.0, -1.0), 0.5, delta_heading=0.2)
    here = at((4.0, 1.0, 3.5), heading=0.7, resets=jump)
    found, _ = flown(Intent.HOLD, local=here, memory=memory)
    assert found[0].target == (4.0, 1.0, 3.5) and found[0].yaw == pytest.approx(0.7)


@pytest.mark.parametrize(('before', 'now'), [(11, 14), (254, 1)])
def test_after_missed_jumps_the_present_point_is_held(before, now):
    _, memory = flown(Intent.HOLD, local=at(resets=Resets(before, 12, 13, 11, 11)))
    missed = Resets(now, 12, 13, 11, 11, (0.1, 0.1))
    found, _ = flown(Intent.HOLD, local=at((9.0, 8.0, 3.0), resets=missed), memory=memory)
    assert found[0].target == (9.0, 8.0, 3.0)


def test_counters_begin_anywhere_and_begin_again_at_0():
    last = Resets(255, 255, 255, 255, 255)
    _, memory = flown(Intent.HOLD, local=at(resets=last))
    over = Resets(0, 255, 255, 255, 255, (1.0, 0.0))
    found, _ = flown(Intent.HOLD, local=at((2.0, 2.0, 3.0), resets=over), memory=memory)
    assert found[0].target == (2.0, 2.0, 3.0)


def test_a_jump_of_the_velocity_is_no_change_of_the_command():
    _, memory = flown(Intent.TRACK, motion(2.0), seconds=2.0, how=FREE)
    jump = Resets(11, 12, 14, 11, 11, delta_v_xy=(0.5, 0.0))
    found, _ = flown(Intent.TRACK, motion(2.5), at(resets=jump), DT, memory, FREE)
    assert found[0].target[0] == pytest.approx(2.5)


@pytest.mark.parametrize(('setpoint', 'word'), [
    (Setpoint(SetpointKind.VELOCITY, (NAN, 0.0, 0.0), yaw=0.0), 'not finite'),
    (Setpoint(SetpointKind.POSITION, (2e4, 0.0, 0.0), yaw=0.0), 'too large'),
    (Setpoint(SetpointKind.POSITION, (0.0, 0.0, 0.0)), 'exactly one'),
    (Setpoint(SetpointKind.POSITION, (0.0, 0.0, 0.0), 0.0, 0.0), 'exactly one'),
    (Setpoint(SetpointKind.POSITION, (0.0, 0.0, 0.0), 3.2), 'beyond pi'),
    (Setpoint(SetpointKind.VELOCITY, (0.0, 0.0, 0.0), yaw_rate=INF), 'not finite'),
])  # fmt: skip
def test_the_last_look_finds_what_must_not_be_sent(setpoint, word):
    assert word in fault_of(setpoint)


def test_an_unknown_position_is_not_held_and_told():
    found, memory = flown(Intent.HOLD, local=at((NAN, NAN, 3.0)))
    assert set(found) == {None} and 'not finite' in memory.fault


ANY = st.one_of(st.floats(-20, 20), st.sampled_from([NAN, INF, -INF, 1e9, -1e308, 0.0]))
COUNTS = st.integers(0, 255)
REPORT = st.builds(
    lambda p, v, heading, counts, deltas, most: at(
        p, v, heading, Resets(*counts, deltas[:2], deltas[2], deltas[:2], deltas[2], deltas[0]),
        max_speed_xy=most,
    ),
    st.tuples(ANY, ANY, ANY), st.tuples(ANY, ANY, ANY), st.floats(-10, 10),
    st.tuples(*[st.sampled_from([11, 11, 11, 11, 12, 200])] * 5), st.tuples(ANY, ANY, ANY), ANY,
)  # fmt: skip
TICK = st.tuples(
    st.sampled_from(list(Intent)),
    st.one_of(st.none(), st.builds(motion, ANY, ANY, ANY, ANY)),
    REPORT,
    st.sampled_from([0.02, 0.02, 0.02, 0.0, -1.0, 10.0]),
)


@given(st.lists(TICK, min_size=1, max_size=40), st.booleans())
def test_nothing_beyond_the_limits_ever_gets_out(ticks, holds):
    how = GuidanceParameters(vertical_mode='hold_height' if holds else 'passthrough')
    memory, now = START, 5.0
    for intent, command, local, dt in ticks:
        now += dt
        memory, setpoint = step(how, memory, intent, command, local, now)
        if setpoint is None:
            continue
        assert fault_of(setpoint) == ''
        if setpoint.kind is SetpointKind.VELOCITY:
            x, y, z = setpoint.target
            assert math.hypot(x, y) <= how.max_speed_xy + 1e-9
            assert -how.max_speed_down <= z <= how.max_speed_up
            assert math.isnan(setpoint.yaw_rate) or abs(setpoint.yaw_rate) <= how.max_yaw_rate


@given(st.lists(st.tuples(ANY, ANY, ANY, ANY, st.floats(0.001, 0.5)), min_size=2, max_size=40))
def test_no_command_changes_the_velocity_faster_than_allowed(commands):
    memory, now, last = START, 1.0, None
    for x, y, z, turn, dt in commands:
        now += dt
        memory, setpoint = step(LIMITS, memory, Intent.TRACK, motion(x, y, z, turn), at(), now)
        if last is not None:
            change = [b - a for a, b in zip(last, setpoint.target, strict=True)]
            counted = min(dt, 0.1) + 1e-9
            assert math.hypot(*change[:2]) <= LIMITS.max_slew_xy * counted + 1e-9
            assert abs(change[2]) <= LIMITS.max_slew_z * counted + 1e-9
        last = setpoint.target


def test_bounds_that_contradict_each_other_are_refused():
    with pytest.raises(ParameterError, match='min_height'):
        GuidanceParameters(min_height=60.0)
    with pytest.raises(ParameterError, match='takeoff_speed'):
        GuidanceParameters(takeoff_speed=2.5)
    with pytest.raises(ParameterError, match='max_speed_xy'):
        GuidanceParameters(max_speed_xy=13.0)
