"""Rotors: the reference vectors, and what they are at their limits."""

from collections.abc import Callable
from typing import Any

import pytest
from velocity_mobility_ros.vehicles.quadrotor import QuadrotorParameters, airframe
from velocity_mobility_ros.vehicles.quadrotor.rotors import (
    HOVER,
    RotorSpeeds,
    next_speeds,
    rotor_means,
    rotor_momentum,
    thrusts,
    torques,
)

SERIES = (
    'hold_hover', 'small_step_up_down', 'big_step_rate_clipped', 'over_max_and_negative_commands',
    'from_rest_dt5ms', 'coarse_dt_20ms', 'random',
)  # fmt: skip
STILL = (0.0, 0.0, 0.0, 0.0)


def test_all_series_of_the_reference_are_flown(reference: Callable[[str], Any]) -> None:
    """67 steps in seven series."""
    series = reference('vehicles.json')['rotor']
    assert {one['name'] for one in series} == set(SERIES)
    assert sum(len(one['steps']) for one in series) == 67


@pytest.mark.parametrize('name', SERIES)
def test_rotors_are_those_of_the_reference(reference: Callable[[str], Any], name: str) -> None:
    """Speeds [rpm], thrusts and torques."""
    (series,) = [one for one in reference('vehicles.json')['rotor'] if one['name'] == name]
    parameters = QuadrotorParameters()
    hover, means = airframe(parameters).hover_rpm, rotor_means(parameters, series['dt'])
    speeds = tuple(rpm / hover for rpm in series['initial_rpm'])
    for one in series['steps']:
        wanted = tuple(rpm / hover for rpm in one['cmd_rpm'])
        rotors = next_speeds(means, speeds, wanted, series['dt'])
        speeds = rotors.speeds
        assert [speed * hover for speed in speeds] == pytest.approx(one['rpm'], rel=1e-9)
        found = (*thrusts(means, speeds), *torques(means, rotors))
        assert found == pytest.approx(one['out8'], rel=1e-9, abs=1e-12)


def test_hover_is_exact() -> None:
    """A quarter of the weight each, nothing changes."""
    parameters = QuadrotorParameters()
    means = rotor_means(parameters, 0.002)
    assert next_speeds(means, HOVER, HOVER, 0.002) == RotorSpeeds(HOVER, STILL)
    assert thrusts(means, HOVER) == (parameters.mass * parameters.gravity / 4.0,) * 4
    assert rotor_momentum(means, HOVER) == 0.0


def test_standing_rotors_do_nothing() -> None:
    """No thrust and no torque."""
    means = rotor_means(QuadrotorParameters(), 0.002)
    rotors = next_speeds(means, STILL, STILL, 0.002)
    assert (*thrusts(means, rotors.speeds), *torques(means, rotors)) == (0.0,) * 8


def test_speeds_stay_above_the_smallest() -> None:
    """A wish to stop ends there."""
    means = rotor_means(QuadrotorParameters(rotor_speed_min=2000.0), 0.002)
    speeds = HOVER
    for _ in range(1000):
        speeds = next_speeds(means, speeds, STILL, 0.002).speeds
    assert speeds == pytest.approx((means.lowest,) * 4)
