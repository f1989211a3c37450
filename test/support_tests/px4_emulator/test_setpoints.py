"""Which setpoints the controller can follow, and which start a take-off."""

import math

import pytest
from support.px4_emulator.flight.setpoints import NOTHING, Setpoint, asks_up, is_valid

NAN = math.nan
HERE = (1.0, 2.0, -3.0)

GOOD = [
    Setpoint(position=HERE),
    Setpoint(velocity=HERE),
    Setpoint(position=HERE, velocity=HERE),
    Setpoint(position=(NAN, NAN, -3.0), velocity=(1.0, 2.0, NAN)),
]
BAD = [
    Setpoint(),
    Setpoint(velocity=(1.0, NAN, 0.0), position=(NAN, 2.0, NAN)),
    Setpoint(velocity=(1.0, 2.0, NAN)),
    Setpoint(velocity=(NAN, NAN, 1.0)),
    Setpoint(velocity=(math.inf, 0.0, 0.0)),
]


@pytest.mark.parametrize('setpoint', GOOD)
def test_it_can_be_followed_with_estimates_and_not_without(setpoint):
    assert is_valid(setpoint, xy_valid=True, z_valid=True)
    assert not is_valid(setpoint, xy_valid=False, z_valid=True)
    assert not is_valid(setpoint, xy_valid=True, z_valid=False)


@pytest.mark.parametrize('setpoint', BAD)
def test_it_cannot_be_followed(setpoint):
    assert not is_valid(setpoint, xy_valid=True, z_valid=True)


def test_acceleration_alone_needs_no_estimate():
    assert is_valid(Setpoint(acceleration=HERE), xy_valid=False, z_valid=False)


@pytest.mark.parametrize(
    ('setpoint', 'up'),
    [
        (Setpoint(position=(0.0, 0.0, -1.0)), True),
        (Setpoint(position=(0.0, 0.0, 0.0)), False),
        (Setpoint(velocity=(0.0, 0.0, -0.1)), True),
        (Setpoint(velocity=(1.0, 1.0, 0.0)), False),
        (Setpoint(acceleration=(0.0, 0.0, -1.0)), True),
        (Setpoint(position=NOTHING), False),
    ],
)
def test_what_starts_a_take_off(setpoint, up):
    assert asks_up(setpoint, 0.0) is up
