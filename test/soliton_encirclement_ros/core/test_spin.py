"""The angle that the spin laws act on."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.core.spin import centre_error
from support.strategies import ANY_NUMBER


def polar(r: float, theta: float) -> tuple[float, float]:
    """Return an offset [m] from radius [m] and angle [rad]."""
    return r * math.cos(theta), r * math.sin(theta)


@pytest.mark.parametrize(
    ('swarm', 'adversary', 'expected'), [(0.0, 0.5, 0.5), (0.5, 0.0, -0.5), (3.0, -3.0, 0.2832)]
)
def test_error_is_the_way_from_swarm_to_adversary(
    swarm: float, adversary: float, expected: float
) -> None:
    """Positive means that the swarm has to turn counter-clockwise, the short way."""
    offsets = [polar(20.0, swarm - 0.1), polar(20.0, swarm + 0.1)]
    found = centre_error(offsets, polar(40.0, adversary), 0.05)
    assert found == pytest.approx(expected, abs=1e-4)


@given(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0))
def test_distance_does_not_matter(swarm: float, adversary: float) -> None:
    """Agents and adversary count by direction only."""
    near, far = (
        centre_error([polar(r, swarm), polar(20.0, swarm + 0.2)], polar(r, adversary), 0.05)
        for r in (5.0, 50.0)
    )
    assert math.cos(near - far) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize('count', [0, 2, 5, 10])
def test_no_centre_no_error(count: int) -> None:
    """An even ring, and nobody at all, have no direction to turn."""
    offsets = [polar(1.0, 2.0 * math.pi * i / count) for i in range(count)]
    assert centre_error(offsets, (0.0, 1.0), 0.05) == 0.0


@given(st.lists(st.tuples(ANY_NUMBER, ANY_NUMBER), max_size=5), st.tuples(ANY_NUMBER, ANY_NUMBER))
def test_invariant_5_finite_for_any_offsets(offsets: list[tuple], adversary: tuple) -> None:
    """Invariant 5: positions that are no numbers give a finite error."""
    assert math.isfinite(centre_error(offsets, adversary, 0.05))
