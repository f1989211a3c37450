"""The reference between command and autopilot, and what is fed forward."""

import math

import pytest
from hypothesis import given, strategies as st

from velocity_mobility_ros.autopilot.autopilot_reports import LocalPosition
from velocity_mobility_ros.autopilot.autopilot_requests import (
    ARDUPILOT, MAVROS_ARDUPILOT, PX4, Intent
)
from velocity_mobility_ros.autopilot.guidance import START, fault_of, step
from velocity_mobility_ros.autopilot.setpoint_limits import GuidanceParameters
from velocity_mobility_ros.core.twist_smoothing import Motion

DT, LAG, DRAG = 0.02, 0.3, 0.5
SETTINGS = GuidanceParameters(reference_tau_xy=LAG, drag_xy=DRAG, max_lead_xy=10.0)
SPEEDS = st.floats(-8.0, 8.0)


def flown(commands, settings=SETTINGS, intent=Intent.TRACK, traits=PX4):
    """Return the setpoints for some commands of a vehicle that does what is asked for."""
    memory, found, velocity = START, [], (0.0, 0.0, 0.0)
    for x, y in commands:
        local = LocalPosition(0.0, (0.0, 0.0, 5.0), velocity, 0.0)
        command = Motion((x, y, 0.0), 0.0)
        memory, one = step(
            settings, memory, intent, command, local, memory.now + DT, traits
        )
        found.append(one)
        velocity = one.target
    return found


def test_a_small_step_is_followed_with_the_lag():
    found = flown([(1.0, 0.0)] * 100)
    for k, one in enumerate(found, start=1):
        assert one.target[0] == pytest.approx(1.0 - (1.0 - DT / LAG) ** k)
        assert one.acceleration[0] == pytest.approx(
            (1.0 - DT / LAG) ** (k - 1) / LAG + DRAG * one.target[0]
        )
    assert found[-1].acceleration == pytest.approx((DRAG, 0.0, 0.0), abs=0.01)


@given(st.lists(st.tuples(SPEEDS, SPEEDS), min_size=1, max_size=60))
def test_whatever_is_commanded_the_acceleration_is_bounded_and_belongs_to_the_velocity(commands):
    before = (0.0, 0.0, 0.0)
    for one in flown(commands):
        change = [(a - b) / DT for a, b in zip(one.target, before, strict=True)]
        assert math.hypot(*change[:2]) <= SETTINGS.reference_acc_xy + 1e-6
        ahead = [a + DRAG * v for a, v in zip(change[:2], one.target[:2], strict=True)]
        assert one.acceleration == pytest.approx((*ahead, 0.0), abs=1e-6)
        assert not fault_of(one)
        before = one.target


def test_a_brake_of_the_bridge_is_fed_forward_too():
    settings = GuidanceParameters(reference_tau_xy=LAG, max_lead_xy=10.0)
    local = LocalPosition(0.0, (0.0, 0.0, 5.0), (4.0, 0.0, 0.0), 0.0)
    memory, _ = step(settings, START, Intent.TRACK, Motion((4.0, 0.0, 0.0), 0.0), local, 1.0)
    _, one = step(settings, memory, Intent.BRAKE, None, local, 1.02)
    assert one.target[0] == pytest.approx(4.0 - 0.02 * settings.max_acc_xy)
    assert one.acceleration == pytest.approx((-settings.max_acc_xy, 0.0, 0.0))


@pytest.mark.parametrize(
    ('settings', 'traits'),
    [
        (SETTINGS, ARDUPILOT), (SETTINGS, MAVROS_ARDUPILOT),
        (GuidanceParameters(reference_tau_xy=None, max_lead_xy=10.0), PX4),
    ],
)
def test_without_a_reference_the_command_is_sent_at_once(settings, traits):
    first, *_ = flown([(1.0, -1.0)] * 3, settings, traits=traits)
    assert first.target == (1.0, -1.0, 0.0)
    assert all(map(math.isnan, first.acceleration))


@pytest.mark.parametrize('value', [math.nan, math.inf, 1e5])
def test_no_acceleration_that_is_not_finite_is_sent(value):
    (one,) = flown([(1.0, 0.0)])
    assert not fault_of(one)
    assert 'acceleration' in fault_of(one._replace(acceleration=(value, 0.0, 0.0)))
