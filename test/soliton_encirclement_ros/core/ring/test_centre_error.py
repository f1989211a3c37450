"""The angle that the spin laws act on."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.ring.spin_laws import centre_error
from support.strategies import ANY_NUMBER


def polar(r: float, theta: float) -> tuple[float, float]:
    """Return an offset [m] from radius [m] and angle [rad]."""
    return r * math.cos(theta), r * math.sin(theta)


def error(
    offsets: Sequence[tuple[float, float]], adversary: tuple[float, float], rho_min: float = 0.05
) -> float:
    """Return the centre error [rad] for offsets [m] as pairs."""
    return centre_error([x for x, _ in offsets], [y for _, y in offsets], *adversary, rho_min)


@pytest.mark.parametrize(
    ('swarm', 'adversary', 'expected'), [(0.0, 0.5, 0.5), (0.5, 0.0, -0.5), (3.0, -3.0, 0.2832)]
)
def test_error_is_the_way_from_swarm_to_adversary(
    swarm: float, adversary: float, expected: float
) -> None:
    """Positive means that the swarm has to turn counter-clockwise, the short way."""
    offsets = [polar(20.0, swarm - 0.1), polar(20.0, swarm + 0.1)]
    found = error(offsets, polar(40.0, adversary))
    assert found == pytest.approx(expected, abs=1e-4)


@given(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0))
def test_distance_does_not_matter(swarm: float, adversary: float) -> None:
    """Agents and adversary count by direction only."""
    near, far = (
        error([polar(r, swarm), polar(20.0, swarm + 0.2)], polar(r, adversary))
        for r in (5.0, 50.0)
    )
    assert math.cos(near - far) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize('count', [0, 2, 5])
def test_no_centre_no_error(count: int) -> None:
    """An even ring, and nobody at all, have no direction to turn."""
    offsets = [polar(1.0, 2.0 * math.pi * i / count) for i in range(count)]
    assert error(offsets, (0.0, 1.0)) == 0.0


@given(st.lists(st.tuples(ANY_NUMBER, ANY_NUMBER), max_size=5), st.tuples(ANY_NUMBER, ANY_NUMBER))
def test_invariant_5_finite_for_any_offsets(offsets: list[tuple], adversary: tuple) -> None:
    """Invariant 5: positions that are no numbers give a finite error."""
    assert math.isfinite(error(offsets, adversary))


def test_the_bound_of_the_order_parameter_counts() -> None:
    """Two agents at a right angle have an order parameter of 0.707."""
    offsets = [(20.0, 0.0), (0.0, 20.0)]
    assert error(offsets, (1.0, 0.0), 0.7) == pytest.approx(-math.pi / 4.0)
    assert error(offsets, (1.0, 0.0), 0.71) == 0.0
