"""A rigid body on a plane: reference rates, energy, order of the integration."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from velocity_mobility_ros.vehicles.tracked import TRACKED, TrackedParameters
from velocity_mobility_ros.vehicles.tracked.planar_body import Chassis, Planar, next_planar, rate

CHASSIS: Chassis = TRACKED.means(TrackedParameters()).chassis
SPEED = st.floats(-3.0, 3.0)


def test_rates_are_those_of_the_reference(reference) -> None:
    """Fourteen cases at a heading of 0.3 rad."""
    for vector in reference('vehicles.json')['track']['force_vectors']:
        at = Planar(0.0, 0.0, 0.3, *vector['uvr'])
        found = rate(CHASSIS, *vector['track_speeds'], at)
        assert found == pytest.approx(vector['state_derivative_at_yaw_0.3'], rel=1e-9, abs=1e-9)


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


def test_rest_is_kept_exactly() -> None:
    """No force without slip."""
    at = Planar(1.0, 2.0, 0.3, 0.0, 0.0, 0.0)
    assert next_planar(CHASSIS, 0.0, 0.0, at, 0.005) == at


def end(steps: int) -> np.ndarray:
    """Return the state after half a second with constant tracks, by a number of steps."""
    at = Planar(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for _ in range(steps):
        at = next_planar(CHASSIS, 0.4, 0.8, at, 0.5 / steps)
    return np.array(at)


def test_the_integration_is_of_order_4() -> None:
    """The slope of the error over the step, as both are halved."""
    exact = end(6400)
    errors = [np.abs(end(steps) - exact).max() for steps in (100, 200, 400)]
    slopes = [math.log2(a / b) for a, b in itertools.pairwise(errors)]
    assert slopes == pytest.approx([4.0, 4.0], abs=0.3)


def test_without_friction_the_body_keeps_its_velocity() -> None:
    """In the map frame: the apparent forces of the turning body frame are right."""
    ice = TrackedParameters(friction_x=0.0, friction_y=0.0, rolling_resistance=0.0)
    chassis = TRACKED.means(ice).chassis
    at = Planar(0.0, 0.0, 0.0, 1.0, 0.5, 2.0)
    for _ in range(400):
        at = next_planar(chassis, 2.0, -1.0, at, 0.005)
    assert (at.x, at.y, at.yaw, at.r) == pytest.approx((2.0, 1.0, 4.0, 2.0))
