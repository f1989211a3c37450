"""The rigid body: what it conserves, how exact a step is; drag in its axes, wind and ground."""

import math

import pytest
from velocity_mobility_ros.core.frames import rotate
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.vehicles.quadrotor import QuadrotorParameters
from velocity_mobility_ros.vehicles.quadrotor.attitude import heading, level
from velocity_mobility_ros.vehicles.quadrotor.drag import drag_force, drag_of
from velocity_mobility_ros.vehicles.quadrotor.rigid_body import (
    BodyState,
    acceleration,
    angular_acceleration,
    body_means,
    landed,
    moved,
)

STILL = (0.0, 0.0, 0.0)
CALM = STILL
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
    means, dt = body_means(parameters, None, 0.002), 0.002
    terminal = math.sqrt(2.0 * 1.5 * 9.81 / (1.225 * 0.05))
    body = BodyState(STILL, STILL, level(0.0), STILL)
    for _ in range(10_000):
        body = moved(body, acceleration(means, body, 0.0, STILL), STILL, dt)
    assert body.velocity == pytest.approx((0.0, 0.0, -terminal), rel=1e-3)
    still = BodyState(STILL, STILL, level(0.0), STILL)
    assert acceleration(means, still, 0.0, (0.0, 0.0, terminal)) == pytest.approx(STILL, abs=1e-9)
