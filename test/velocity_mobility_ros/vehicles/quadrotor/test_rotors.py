"""Airframe, rotors and mixer: the reference, and what is given up first at the limits."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import (
    QuadrotorParameters, airframe
)
from velocity_mobility_ros.vehicles.quadrotor.rotors import (
    HOVER, RotorSpeeds, mixer_coefficients, next_speeds, rotor_coefficients, rotor_momentum,
    rotor_thrusts, thrusts, torques, wanted_speeds
)


def test_the_other_way_to_turn_has_the_other_signs() -> None:
    """A rotor that turns counter-clockwise turns the body clockwise."""
    usual = airframe(QuadrotorParameters()).torque_signs
    other = airframe(QuadrotorParameters(front_right_spin='clockwise')).torque_signs
    assert usual == (-1.0, -1.0, 1.0, 1.0)
    assert other == (1.0, 1.0, -1.0, -1.0)


STILL = (0.0, 0.0, 0.0, 0.0)


def test_rotors_are_those_of_the_reference(reference: Callable[[str], Any]) -> None:
    """Speeds [rpm], thrusts and torques: 67 steps in seven series."""
    table = reference('vehicles.json')['rotor']
    assert (len(table), sum(len(one['steps']) for one in table)) == (7, 67)
    parameters = QuadrotorParameters()
    hover = airframe(parameters).hover_rpm
    for series in table:
        model = rotor_coefficients(parameters, series['dt'])
        speeds = tuple(rpm / hover for rpm in series['initial_rpm'])
        for one in series['steps']:
            wanted = tuple(rpm / hover for rpm in one['cmd_rpm'])
            rotors = next_speeds(model, speeds, wanted, series['dt'])
            speeds = rotors.speeds
            assert [speed * hover for speed in speeds] == pytest.approx(one['rpm'], rel=1e-9)
            found = (*thrusts(model, speeds), *torques(model, rotors))
            assert found == pytest.approx(one['out8'], rel=1e-9, abs=1e-12), series['name']


def test_hover_is_exact() -> None:
    """A quarter of the weight each, nothing changes."""
    parameters = QuadrotorParameters()
    model = rotor_coefficients(parameters, 0.002)
    assert next_speeds(model, HOVER, HOVER, 0.002) == RotorSpeeds(HOVER, STILL)
    assert thrusts(model, HOVER) == (parameters.mass * parameters.gravity / 4.0,) * 4
    assert rotor_momentum(model, HOVER) == 0.0


def test_speeds_stay_above_the_smallest() -> None:
    """A wish to stop ends there."""
    model = rotor_coefficients(QuadrotorParameters(rotor_speed_min=2000.0), 0.002)
    speeds = HOVER
    for _ in range(1000):
        speeds = next_speeds(model, speeds, STILL, 0.002).speeds
    assert speeds == pytest.approx((model.lowest,) * 4)


PARAMETERS = QuadrotorParameters()
MEANS = mixer_coefficients(PARAMETERS)
TORQUES = st.floats(-20.0, 20.0)


def achieved(thrusts: tuple[float, ...], parameters: QuadrotorParameters) -> list[float]:
    """Return thrust and torque of four rotors, from their places and signs."""
    x, y, derived = parameters.rotor_x, parameters.rotor_y, airframe(parameters)
    places = ((x, -y), (-x, y), (x, y), (-x, -y))
    arms = [sign * derived.torque_arm for sign in derived.torque_signs]
    return [
        sum(thrusts),
        sum(place[1] * one for place, one in zip(places, thrusts, strict=True)),
        -sum(place[0] * one for place, one in zip(places, thrusts, strict=True)),
        sum(arm * one for arm, one in zip(arms, thrusts, strict=True)),
    ]


def test_thrusts_and_speeds_are_those_of_the_reference(reference: Callable[[str], Any]) -> None:
    """Sixteen vectors, every saturation among them."""
    vectors = reference('vehicles.json')['mixer']['vectors']
    assert len(vectors) == 16
    hover = airframe(PARAMETERS).hover_rpm
    for one in vectors:
        found = rotor_thrusts(MEANS, one['T'], tuple(one['M']))
        assert found == pytest.approx(one['f'], rel=1e-9, abs=1e-9)
        speeds = wanted_speeds(MEANS, one['T'], tuple(one['M']))
        assert [speed * hover for speed in speeds] == pytest.approx(one['rpm'], rel=1e-9, abs=1e-4)
        assert achieved(found, PARAMETERS) == pytest.approx(
            one['achieved_T_M'], rel=1e-9, abs=1e-9
        )


@pytest.mark.parametrize('spin', ['counter_clockwise', 'clockwise'])
def test_what_can_be_done_is_done(spin: str) -> None:
    """On a longer than wide frame, whichever way the rotors turn."""
    parameters = QuadrotorParameters(rotor_x=0.2, rotor_y=0.1, front_right_spin=spin)
    wish = [15.0, 0.2, -0.3, 0.05]
    found = rotor_thrusts(mixer_coefficients(parameters), wish[0], tuple(wish[1:]))
    assert achieved(found, parameters) == pytest.approx(wish)


@given(st.floats(-10.0, 80.0), TORQUES, TORQUES, TORQUES)
def test_roll_and_pitch_go_before_thrust_and_yaw(
    thrust: float, roll: float, pitch: float, yaw: float
) -> None:
    """They are reached, or scaled together; every rotor stays within its range."""
    found = rotor_thrusts(MEANS, thrust, (roll, pitch, yaw))
    assert all(0.0 <= one <= MEANS.highest for one in found)
    _, got_roll, got_pitch, got_yaw = achieved(found, PARAMETERS)
    most = abs(roll) / (4.0 * PARAMETERS.rotor_y) + abs(pitch) / (4.0 * PARAMETERS.rotor_x)
    scale = min(1.0, MEANS.highest / (2.0 * most)) if most > 0.0 else 1.0
    assert (got_roll, got_pitch) == pytest.approx((roll * scale, pitch * scale), abs=1e-9)
    assert got_yaw * yaw >= -1e-9
    assert abs(got_yaw) <= abs(yaw) + 1e-9
