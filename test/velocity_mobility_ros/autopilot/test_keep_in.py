"""The room in which a vehicle flies: it stops in front of its bounds and slides along them."""

import math

import pytest
from hypothesis import given, strategies as st

from velocity_mobility_ros.autopilot.setpoint_limits import (
    GuidanceParameters, keep_in_room, speed_towards
)

ROOM = GuidanceParameters(keep_in_radius=50.0, min_height=2.0, max_height=20.0)


def test_inside_nothing_changes():
    found = keep_in_room(ROOM, (3.0, 4.0, 10.0), (5.0, 0.0, 1.0))
    assert found.velocity == (5.0, 0.0, 1.0) and found.outside == 0.0


def test_at_the_bound_only_the_way_along_it_is_left():
    found = keep_in_room(ROOM, (50.0, 0.0, 10.0), (5.0, 3.0, 0.0))
    assert found.velocity == pytest.approx((0.0, 3.0, 0.0))
    assert keep_in_room(ROOM, (50.0, 0.0, 10.0), (-5.0, 3.0, 0.0)).velocity == (-5.0, 3.0, 0.0)


def test_outside_is_told_and_back_is_free():
    found = keep_in_room(ROOM, (0.0, 53.0, 25.0), (0.0, -4.0, -1.0))
    assert found.velocity == (0.0, -4.0, -1.0) and found.outside == 5.0
    assert keep_in_room(ROOM, (0.0, 0.0, 1.5), (0.0, 0.0, -1.0)).outside == 0.5


@given(st.floats(0.01, 100.0), st.floats(0.0, 1.0), st.floats(0.5, 8.0))
def test_the_speed_is_the_one_that_stops_at_the_bound(gap, delay, a):
    v = speed_towards(gap, delay, a)
    assert v * delay + v * v / (2.0 * a) == pytest.approx(gap)


@given(st.floats(0.0, 2.0 * math.pi), st.floats(0.0, 2.0 * math.pi), st.floats(-3.0, 3.0))
def test_a_vehicle_that_is_driven_outward_for_ever_stays_inside(place, way, climb):
    """It takes the delay to follow, and brakes by its acceleration."""
    x, y, z = 40.0 * math.cos(place), 40.0 * math.sin(place), 11.0
    velocity, waiting = [0.0, 0.0, 0.0], []
    wanted = 5.0 * math.cos(way), 5.0 * math.sin(way), climb
    dt, acc = 0.02, (ROOM.max_acc_xy, ROOM.max_acc_z)
    for _ in range(1500):
        waiting.append(keep_in_room(ROOM, (x, y, z), wanted).velocity)
        now = waiting.pop(0) if len(waiting) > 0.2 / dt else (0.0, 0.0, 0.0)
        dx, dy, dz = (b - a for a, b in zip(velocity, now, strict=True))
        size = math.hypot(dx, dy)
        share = min(1.0, acc[0] * dt / size) if size else 0.0
        velocity = [velocity[0] + share * dx, velocity[1] + share * dy,
                    velocity[2] + max(-acc[1] * dt, min(acc[1] * dt, dz))]  # fmt: skip
        x, y, z = x + velocity[0] * dt, y + velocity[1] * dt, z + velocity[2] * dt
        assert math.hypot(x, y) < 50.6 and 1.6 < z < 20.4
