"""The rigid body: what it conserves, how exact a step is; drag in its axes, wind and ground."""

import math

import pytest

from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import QuadrotorParameters
from velocity_mobility_ros.vehicles.quadrotor.rigid_body import (
    RigidBodyState, acceleration, body_coefficients, drag_force, drag_of, heading, landed, level,
    moved
)

STILL = (0.0, 0.0, 0.0)
CALM = STILL


def test_the_ground_stops_a_fall() -> None:
    """Level, not turning, sliding to a stop; what rises from below is left alone."""
    model = body_coefficients(QuadrotorParameters(), 2.0, 0.01)
    attitude = (0.1, 0.2, 0.3, math.sqrt(1.0 - 0.14))
    fallen = landed(model, RigidBodyState((5.0, 6.0, 1.9), (1.0, 2.0, -3.0), attitude, (1.0, 1.0, 1.0)))
    assert fallen.position == (5.0, 6.0, 2.0)
    assert fallen.velocity == pytest.approx((math.exp(-0.1), 2.0 * math.exp(-0.1), 0.0))
    assert fallen.rates == STILL
    assert fallen.attitude == pytest.approx(level(heading(attitude)))
    rising = RigidBodyState((5.0, 6.0, 1.9), (1.0, 2.0, 3.0), attitude, (1.0, 1.0, 1.0))
    assert landed(model, rising) == rising


LINEAR = {'drag_x': 0.1, 'drag_y': 0.2, 'drag_z': 0.3}
NONE = dict.fromkeys(LINEAR, 0.0)
AREAS = {'drag_area_x': 0.02, 'drag_area_y': 0.03, 'drag_area_z': 0.05}


def force(velocity: Vector, yaw: float = 0.0, **values: float) -> Vector:
    """Return the drag [N, body] of a level machine that moves with a velocity [m/s, map]."""
    return drag_force(drag_of(QuadrotorParameters(**values)), level(yaw), velocity)


def test_a_body_has_half_the_density_times_the_area_times_the_square() -> None:
    """Along an axis; the density is 1.225 kg/m^3."""
    found = force((8.0, 0.0, 0.0), **NONE, **AREAS)
    assert found == pytest.approx((-0.5 * 1.225 * 0.02 * 64.0, 0.0, 0.0))
    denser = force((8.0, 0.0, 0.0), air_density=2.45, **NONE, **AREAS)
    assert denser[0] == pytest.approx(2.0 * found[0])


def test_oblique_it_grows_with_the_whole_speed_by_the_area_of_each_axis() -> None:
    """Twice the speed, four times the force, in the same direction."""
    found = force((3.0, 4.0, 12.0), **NONE, **AREAS)
    half = 0.5 * 1.225 * 13.0
    assert found == pytest.approx((-half * 0.02 * 3.0, -half * 0.03 * 4.0, -half * 0.05 * 12.0))
    twice = force((6.0, 8.0, 24.0), **NONE, **AREAS)
    assert twice == pytest.approx(tuple(4.0 * one for one in found))


def test_rotors_and_body_add_up_in_the_axes_of_the_body() -> None:
    """Turned to the left, flight to the north is ahead."""
    both = force((0.0, 5.0, 0.0), math.pi / 2.0, **LINEAR, **AREAS)
    assert both[0] == pytest.approx(-(0.1 + 0.5 * 1.225 * 0.02 * 5.0) * 5.0)
    assert both[1:] == pytest.approx((0.0, 0.0), abs=1e-12)


def test_a_share_counts_the_square_up_to_a_speed_only() -> None:
    """As it is fed forward: at 10 m/s, with the square up to 4 m/s."""
    drag = drag_of(QuadrotorParameters(**LINEAR, **AREAS), 0.5, 4.0)
    found = drag_force(drag, level(0.0), (10.0, 0.0, 0.0))
    assert found[0] == pytest.approx(-0.5 * (0.1 + 0.5 * 1.225 * 0.02 * 4.0) * 10.0)
    slow = drag_force(drag, level(0.0), (3.0, 0.0, 0.0))
    assert slow[0] == pytest.approx(0.5 * force((3.0, 0.0, 0.0), **LINEAR, **AREAS)[0])


def test_without_areas_it_is_the_linear_one_to_the_bit() -> None:
    """Which is that of flights before there were areas."""
    velocity = (3.1, -4.7, 0.9)
    assert force(velocity, **LINEAR) == (-0.1 * 3.1, -0.2 * -4.7, -0.3 * 0.9)


def test_a_body_that_falls_is_held_at_its_terminal_speed() -> None:
    """The weight is ``rho / 2 A v^2``; drag is that of the air: a rising wind carries it."""
    parameters = QuadrotorParameters(**NONE, **AREAS)
    model, dt = body_coefficients(parameters, None, 0.002), 0.002
    terminal = math.sqrt(2.0 * 1.5 * 9.81 / (1.225 * 0.05))
    body = RigidBodyState(STILL, STILL, level(0.0), STILL)
    for _ in range(10_000):
        body = moved(body, acceleration(model, body, 0.0, STILL), STILL, dt)
    assert body.velocity == pytest.approx((0.0, 0.0, -terminal), rel=1e-3)
    still = RigidBodyState(STILL, STILL, level(0.0), STILL)
    assert acceleration(model, still, 0.0, (0.0, 0.0, terminal)) == pytest.approx(STILL, abs=1e-9)
