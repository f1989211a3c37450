"""Attitude and rate loop: the reference vectors, and a body that turns where it should."""

from collections.abc import Callable
from typing import Any

import pytest
from support.vehicles.quadrotor_flights import specified
from velocity_mobility_ros.vehicles.quadrotor.attitude_loop import (
    attitude_means,
    next_integral,
    wanted_rates,
    wanted_torque,
)

MEANS = attitude_means(specified())
NONE = (0.0, 0.0, 0.0)


def test_wanted_rates_are_those_of_the_reference(reference: Callable[[str], Any]) -> None:
    """Six attitudes."""
    vectors = reference('vehicles.json')['attitude_loop']
    assert len(vectors) == 6
    for one in vectors:
        found = wanted_rates(MEANS, tuple(one['q']), tuple(one['q_des']), one['yaw_rate_cmd'])
        assert found == pytest.approx(one['rate_cmd'], rel=1e-9, abs=1e-12)


def test_an_attitude_and_its_negative_are_one() -> None:
    """The shorter way, whatever the sign of the quaternion."""
    wanted = (0.1, -0.2, 0.3, 0.9273618495495703)
    other = tuple(-part for part in wanted)
    level = (0.0, 0.0, 0.0, 1.0)
    assert wanted_rates(MEANS, level, wanted, 0.1) == wanted_rates(MEANS, level, other, 0.1)


def test_the_integral_is_bounded() -> None:
    """Each axis by its own limit."""
    integral = NONE
    for _ in range(10000):
        integral = next_integral(MEANS, integral, (4.0, -4.0, 4.0), 0.002)
    assert integral == (20.0, -20.0, 5.0)


def test_the_torque_cancels_that_of_the_turning_body() -> None:
    """At the wanted rates a body keeps them: the torque is ``w x (I w)``."""
    inertia, (x, y, z) = (0.01, 0.02, 0.025), (1.0, 2.0, 3.0)
    found = wanted_torque(MEANS, inertia, (x, y, z), NONE, NONE)
    momentum = (0.01 * x, 0.02 * y, 0.025 * z)
    assert found == pytest.approx((
        y * momentum[2] - z * momentum[1],
        z * momentum[0] - x * momentum[2],
        x * momentum[1] - y * momentum[0],
    ))  # fmt: skip
