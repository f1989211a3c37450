"""Forces of the ground on the tracks, and a rigid body on a plane under them."""

import math

import pytest
from hypothesis import given, strategies as st

from velocity_mobility_ros.vehicles.track_dynamics import (
    Chassis, Planar, contact_positions, largest_cg_offset, next_planar, normal_loads, track_forces
)
from velocity_mobility_ros.vehicles.tracked_vehicle import TRACKED, TrackedParameters, ground_of

SPEED = st.floats(-3.0, 3.0)
ROW = st.tuples(SPEED, SPEED, SPEED, SPEED, SPEED)


@given(st.floats(0.1, 5.0), st.floats(-1.0, 1.0), st.floats(1.0, 1e4))
def test_loads_balance_weight_and_pitching_moment(
    length: float, share: float, weight: float
) -> None:
    """Up to the offset at which one end is lifted."""
    positions = contact_positions(length, share * largest_cg_offset(length))
    loads = normal_loads(positions, weight)
    assert min(loads) >= 0.0
    assert sum(loads) == pytest.approx(weight)
    moment = sum(x * load for x, load in zip(positions, loads, strict=True))
    assert moment == pytest.approx(0.0, abs=1e-12 * weight * length)


@given(ROW)
def test_friction_stays_in_its_ellipse(row: tuple[float, ...]) -> None:
    """The rolling resistance comes on top of it."""
    able = TrackedParameters(cg_offset=0.05)
    ground = ground_of(able)
    for side in track_forces(ground, *row):
        for load, (x, y) in zip(ground.loads, side, strict=True):
            x = max(0.0, abs(x) - able.rolling_resistance * load)
            reach = (x / (able.friction_x * load)) ** 2 + (y / (able.friction_y * load)) ** 2
            assert reach <= 1.0 + 1e-12


@given(ROW)
def test_tracks_that_stand_only_brake(row: tuple[float, ...]) -> None:
    """The power of all forces on the body is never positive."""
    ground = ground_of(TrackedParameters(cg_offset=0.05))
    _, _, u, v, r = row
    power = 0.0
    for y, side in zip((0.225, -0.225), track_forces(ground, 0.0, 0.0, u, v, r), strict=True):
        for x, (fx, fy) in zip(ground.positions, side, strict=True):
            power += fx * (u - r * y) + fy * (v + r * x)
    assert power <= 0.0


def test_small_slips_are_viscous_and_continuous() -> None:
    """On both sides of the limit below which tanh(s)/s is replaced."""
    ground = ground_of(TrackedParameters())
    load = ground.loads[0]
    for slip in (0.0, 0.99e-9, 1.01e-9, 1e-6):
        force = track_forces(ground, slip, slip, 0.0, 0.0, 0.0)[0][0][0]
        assert force == pytest.approx(0.8 * load * slip / 0.1, rel=1e-9)
    assert math.tanh(1.0) == pytest.approx(0.76, abs=2e-3)


CHASSIS: Chassis = TRACKED.coefficients(TrackedParameters()).chassis


def energy(at: Planar) -> float:
    """Return the kinetic energy [J]."""
    linear = CHASSIS.mass * (at.u * at.u + at.v * at.v)
    return 0.5 * (linear + CHASSIS.inertia * at.r * at.r)


@given(SPEED, SPEED, SPEED)
def test_tracks_that_stand_take_energy_in_every_step(u: float, v: float, r: float) -> None:
    """Until it is at rest; never is any created."""
    at = Planar(0.0, 0.0, 0.3, u, v, r)
    for _ in range(600):
        after = next_planar(CHASSIS, 0.0, 0.0, at, 0.005)
        assert energy(after) <= energy(at)
        at = after
    assert energy(at) < 1e-9


def test_without_friction_the_body_keeps_its_velocity() -> None:
    """In the map frame: the apparent forces of the turning body frame are right."""
    ice = TrackedParameters(friction_x=0.0, friction_y=0.0, rolling_resistance=0.0)
    chassis = TRACKED.coefficients(ice).chassis
    at = Planar(0.0, 0.0, 0.0, 1.0, 0.5, 2.0)
    for _ in range(400):
        at = next_planar(chassis, 2.0, -1.0, at, 0.005)
    assert (at.x, at.y, at.yaw, at.r) == pytest.approx((2.0, 1.0, 4.0, 2.0))
