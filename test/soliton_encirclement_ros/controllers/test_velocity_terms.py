"""The parts of a velocity command and their sum; the radial PD that differentiates the radius."""

import math

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers.original_laws import (
    compose, radial_pd, spin_velocity, tangential_velocity
)
from soliton_encirclement_ros.controllers.two_channel import (
    UNKNOWN, radial_pd_difference, radial_speed
)
from support.strategies import ANY_NUMBER

OFFSET = st.floats(-100.0, 100.0)
SPEED = st.floats(-20.0, 20.0)


def test_at_the_target_the_radial_part_points_east() -> None:
    """Spec 5: without a direction the agent is pushed outwards along +x."""
    assert radial_pd(0.0, 0.0, 0.0, 0.0, 20.0, 1.0, 0.5) == (20.0, 0.0)


def test_close_in_the_smallest_radius_counts() -> None:
    """Spec 8: r_eff = max(r, r_min)."""
    assert tangential_velocity(0.25, 0.0, 1.0, 0.2, 1.0) == (0.0, 0.2)


@pytest.mark.parametrize('omega', [0.0, math.nan, math.inf])
def test_spin_without_a_rate_is_nothing(omega: float) -> None:
    """Spec 8: no spin unless the rate is finite and not zero."""
    assert spin_velocity(3.0, 4.0, omega) == (0.0, 0.0)


@given(
    st.tuples(ANY_NUMBER, ANY_NUMBER),
    st.tuples(ANY_NUMBER, ANY_NUMBER),
    st.tuples(SPEED, SPEED, SPEED),
)
def test_invariant_5_a_broken_part_leaves_the_targets_velocity(
    radial: tuple, tangential: tuple, target: tuple
) -> None:
    """Invariant 5: with a finite target the sum is finite, at worst the target's velocity."""
    wanted = compose(radial, tangential, target, (0.0, 0.0))
    assert all(math.isfinite(component) for component in wanted)
    if not all(math.isfinite(component) for component in (*radial, *tangential)):
        assert wanted == target


def test_golden_radial_speeds_of_spec_part_18() -> None:
    """Three radii at 0.05 s."""
    found, r_last = [], UNKNOWN
    for r in (21.0, 20.9, 20.7):
        found.append(radial_speed(r, r_last, 20.0, 1.0, 0.5, 0.05))
        r_last = r
    assert found == pytest.approx([-1.0, 0.10000000000001563, 1.2999999999999936], rel=1e-12)


@given(st.lists(ANY_NUMBER, min_size=3, max_size=3))
def test_invariant_5_finite_for_any_place(values: list[float]) -> None:
    """Invariant 5: offsets and radii that are no numbers give a finite velocity."""
    velocity, r = radial_pd_difference(*values, 20.0, 1.0, 0.5, 0.05)
    assert all(math.isfinite(value) for value in (*velocity, r))
