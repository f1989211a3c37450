"""Points and headings as velocities and yaw rates: they arrive, within the limits."""

import math

import pytest
from hypothesis import given, strategies as st

from velocity_mobility_ros.autopilot.autopilot_reports import LocalPosition
from velocity_mobility_ros.autopilot.autopilot_requests import (
    ARDUPILOT, Intent, Setpoint, SetpointKind
)
from velocity_mobility_ros.autopilot.guidance import START, as_velocity, step
from velocity_mobility_ros.autopilot.setpoint_limits import GuidanceParameters

SETTINGS = GuidanceParameters()
FAR = st.floats(-200.0, 200.0)


def local(position=(0.0, 0.0, 0.0), heading=0.0):
    return LocalPosition(0.0, position, (0.0, 0.0, 0.0), heading)


def point(target, yaw=0.0):
    return Setpoint(SetpointKind.POSITION, target, yaw=yaw)


@given(FAR, FAR, FAR, FAR, FAR, FAR)
def test_it_points_to_the_place_and_stays_within_the_limits(x, y, z, a, b, c):
    found = as_velocity(SETTINGS, point((x, y, z)), local((a, b, c)))
    vx, vy, vz = found.target
    assert found.kind is SetpointKind.VELOCITY and math.isnan(found.yaw)
    assert math.hypot(vx, vy) <= SETTINGS.max_speed_xy * (1.0 + 1e-9)
    assert -SETTINGS.max_speed_down <= vz <= SETTINGS.max_speed_up
    assert vz * (z - c) >= 0.0 and vx * (x - a) >= 0.0 and vy * (y - b) >= 0.0
    assert abs(vx * (y - b) - vy * (x - a)) <= 1e-6 * (1.0 + abs(x - a) + abs(y - b))


def test_a_vehicle_arrives_without_overshoot():
    x, steps = 0.0, 0
    while abs(20.0 - x) > 0.02 and steps < 2000:
        x += 0.02 * as_velocity(SETTINGS, point((20.0, 0.0, 0.0)), local((x, 0.0, 0.0))).target[0]
        steps += 1
        assert x <= 20.0
    assert 0.02 * steps < 15.0


@pytest.mark.parametrize(('yaw', 'heading', 'rate'), [
    (0.5, 0.0, 0.5), (0.0, 0.5, -0.5), (3.0, -3.0, -0.283), (2.5, 0.0, 1.0),
])  # fmt: skip
def test_a_heading_is_turned_to_the_short_way_within_the_limit(yaw, heading, rate):
    found = as_velocity(SETTINGS, point((0.0, 0.0, 0.0), yaw), local(heading=heading))
    assert found.yaw_rate == pytest.approx(rate, abs=1e-3)


def test_a_velocity_with_a_yaw_rate_stays_as_it_is():
    setpoint = Setpoint(SetpointKind.VELOCITY, (1.0, 2.0, 0.5), yaw_rate=0.3)
    assert as_velocity(SETTINGS, setpoint, local())[:2] == setpoint[:2]
    assert as_velocity(SETTINGS, setpoint, local()).yaw_rate == 0.3


def test_an_unknown_place_gives_no_setpoint():
    nowhere = local((math.nan, 0.0, 1.0))
    memory, found = step(SETTINGS, START, Intent.HOLD, None, nowhere, 1.0, traits=ARDUPILOT)
    assert found is None and 'not finite' in memory.fault
