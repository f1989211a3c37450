"""Numbers that follow from an airframe, against the reference."""

from collections.abc import Callable
from typing import Any

import pytest
from velocity_mobility_ros.vehicles.quadrotor import QuadrotorParameters, airframe

NAMES = {
    'cT': 'thrust_coefficient', 'cM': 'torque_coefficient', 'kappa': 'torque_arm',
    'f_max': 'max_thrust', 'w_hover': 'hover_speed', 'rpm_hover': 'hover_rpm',
    'hover_thrust_fraction': 'hover_thrust_share', 'hover_speed_fraction': 'hover_speed_share',
    'thrust_to_weight': 'thrust_to_weight',
}  # fmt: skip


@pytest.mark.parametrize('name', NAMES)
def test_derived_numbers_are_those_of_the_reference(
    reference: Callable[[str], Any], name: str
) -> None:
    """Of the default machine."""
    derived = airframe(QuadrotorParameters())
    expected = reference('vehicles.json')['derived'][name]
    assert getattr(derived, NAMES[name]) == pytest.approx(expected, rel=1e-12)


def test_the_other_way_to_turn_has_the_other_signs() -> None:
    """A rotor that turns counter-clockwise turns the body clockwise."""
    usual = airframe(QuadrotorParameters()).torque_signs
    other = airframe(QuadrotorParameters(front_right_spin='clockwise')).torque_signs
    assert usual == (-1.0, -1.0, 1.0, 1.0)
    assert other == (1.0, 1.0, -1.0, -1.0)
