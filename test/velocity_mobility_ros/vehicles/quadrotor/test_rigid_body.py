"""The rigid body: what it conserves, how exact a step is, drag, wind and ground."""

import math

import pytest
from velocity_mobility_ros.core.frames import rotate
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.vehicles.quadrotor import QuadrotorParameters
from velocity_mobility_ros.vehicles.quadrotor.attitude import heading, level
from velocity_mobility_ros.vehicles.quadrotor.rigid_body import (
    BodyState,
    acceleration,
    angular_acceleration,
    body_means,
    landed,
    moved,
)

STILL = (0.0, 0.0, 0.0)
CALM = (0.0, 0.0, 0.0)
UNEVEN = QuadrotorParameters(
    inertia_xx=0.010, inertia_yy=0.018, inertia_zz=0.025, drag_x=0.0, drag_y=0.0, drag_z=0.0
)


def tossed(
    rates: Vector, seconds: float, dt: float, thrust: float = 0.0, torque: Vector = STILL
) -> BodyState:
    """Return a body after a flight with a constant thrust [N] and torque [N m]."""
    means = body_means(UNEVEN, None, dt)
    body = BodyState(STILL, (3.0, 0.0, 5.0), level(0.0), rates)
    for _ in range(round(seconds / dt)):
        angular = angular_acceleration(means, body.rates, torque, 0.0)
        body = moved(body, acceleration(means, body, thrust, CALM), angular, dt)
    return body


def energy(body: BodyState) -> float:
    """Return the energy of the centre of mass by its mass [m^2/s^2]."""
    return 0.5 * sum(v * v for v in body.velocity) + UNEVEN.gravity * body.position[2]


def momentum(body: BodyState) -> Vector:
    """Return the angular momentum [N m s, map]."""
    inertia = UNEVEN.inertia_xx, UNEVEN.inertia_yy, UNEVEN.inertia_zz
    parts = tuple(i * w for i, w in zip(inertia, body.rates, strict=True))
    return rotate(body.attitude, parts)


def test_free_fall_creates_no_energy() -> None:
    """It loses that of half a step: velocities come before positions."""
    dt, seconds = 0.002, 2.0
    start, end = tossed(STILL, 0.0, dt), tossed(STILL, seconds, dt)
    lost = 0.5 * UNEVEN.gravity**2 * seconds * dt
    assert energy(end) - energy(start) == pytest.approx(-lost, rel=1e-6)


def test_a_tumbling_body_keeps_its_angular_momentum() -> None:
    """To the first order of the step, in size and direction."""
    rates = (1.0, 2.0, 3.0)
    start = momentum(tossed(rates, 0.0, 0.001))
    errors = [math.dist(momentum(tossed(rates, 1.0, dt)), start) for dt in (0.002, 0.001, 0.0005)]
    assert errors[0] < 0.003 * math.hypot(*start)
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.1)
    assert errors[1] / errors[2] == pytest.approx(2.0, abs=0.1)


def test_steps_converge_with_the_first_order() -> None:
    """Half the step, half the error, in place and attitude, with thrust and torque."""
    pushed = {'thrust': 20.0, 'torque': (0.01, -0.02, 0.005)}
    exact = tossed((0.5, -0.3, 0.8), 1.0, 1e-5, **pushed)
    bodies = [tossed((0.5, -0.3, 0.8), 1.0, dt, **pushed) for dt in (0.004, 0.002, 0.001)]
    for field in ('position', 'attitude'):
        errors = [math.dist(getattr(body, field), getattr(exact, field)) for body in bodies]
        assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.1)
        assert errors[1] / errors[2] == pytest.approx(2.0, abs=0.1)


def test_rotors_that_turn_push_a_body_aside() -> None:
    """Angular momentum about the up axis makes roll out of pitch: ``-w x (h e_z)``."""
    means = body_means(UNEVEN, None, 0.002)
    found = angular_acceleration(means, (0.0, 2.0, 0.0), STILL, 0.1)
    assert found == pytest.approx((-0.2 / UNEVEN.inertia_xx, 0.0, 0.0))


def test_the_wind_takes_a_body_along() -> None:
    """Drag is that of the air, each axis its own, in the axes of the body."""
    parameters = QuadrotorParameters(drag_x=0.1, drag_y=0.2, drag_z=0.3)
    means = body_means(parameters, None, 0.002)
    body = BodyState(STILL, (1.0, 2.0, 3.0), level(math.pi / 2), STILL)
    assert acceleration(means, body, means.weight, (1.0, 2.0, 3.0)) == pytest.approx(STILL)
    found = acceleration(means, body, means.weight, (3.0, 2.0, 3.0))
    assert found == pytest.approx((2.0 * 0.2 / parameters.mass, 0.0, 0.0))


def test_the_ground_stops_a_fall() -> None:
    """Level, not turning, sliding to a stop; what rises from below is left alone."""
    means = body_means(QuadrotorParameters(), 2.0, 0.01)
    attitude = (0.1, 0.2, 0.3, math.sqrt(1.0 - 0.14))
    fallen = landed(means, BodyState((5.0, 6.0, 1.9), (1.0, 2.0, -3.0), attitude, (1.0, 1.0, 1.0)))
    assert fallen.position == (5.0, 6.0, 2.0)
    assert fallen.velocity == pytest.approx((math.exp(-0.1), 2.0 * math.exp(-0.1), 0.0))
    assert fallen.rates == STILL
    assert fallen.attitude == pytest.approx(level(heading(attitude)))
    rising = BodyState((5.0, 6.0, 1.9), (1.0, 2.0, 3.0), attitude, (1.0, 1.0, 1.0))
    assert landed(means, rising) == rising


def test_without_a_ground_there_is_none() -> None:
    """A body falls on."""
    means = body_means(QuadrotorParameters(), None, 0.01)
    falling = BodyState((0.0, 0.0, -1e6), (0.0, 0.0, -3.0), level(0.0), STILL)
    assert landed(means, falling) == falling
