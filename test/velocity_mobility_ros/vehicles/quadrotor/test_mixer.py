"""The mixer: the reference vectors, and what it gives up first."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from velocity_mobility_ros.vehicles.quadrotor import QuadrotorParameters, airframe
from velocity_mobility_ros.vehicles.quadrotor.mixer import (
    mixer_means,
    rotor_thrusts,
    wanted_speeds,
)

PARAMETERS = QuadrotorParameters()
MEANS = mixer_means(PARAMETERS)
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
    found = rotor_thrusts(mixer_means(parameters), wish[0], tuple(wish[1:]))
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
