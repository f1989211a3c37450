"""The radial PD that differentiates the measured radius."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.controllers.terms.radial_pd import (
    UNKNOWN,
    radial_pd_difference,
    radial_speed,
)
from soliton_encirclement_ros.controllers.terms.velocity_terms import radial_pd
from support.strategies import ANY_NUMBER


def test_golden_of_spec_part_18() -> None:
    """Three radii at 0.05 s."""
    found, r_last = [], UNKNOWN
    for r in (21.0, 20.9, 20.7):
        found.append(radial_speed(r, r_last, 20.0, 1.0, 0.5, 0.05))
        r_last = r
    assert found == pytest.approx([-1.0, 0.10000000000001563, 1.2999999999999936], rel=1e-12)


@given(st.floats(1.0, 100.0), st.floats(-math.pi, math.pi), st.floats(-5.0, 5.0))
def test_a_body_on_a_ray_feels_the_pd_of_the_first_version(
    r: float, theta: float, speed: float
) -> None:
    """For radial motion the difference is the radial speed."""
    dx, dy = r * math.cos(theta), r * math.sin(theta)
    before = r - 0.05 * speed
    velocity, told = radial_pd_difference(dx, dy, before, 20.0, 1.0, 0.5, 0.05)
    dvx, dvy = speed * math.cos(theta), speed * math.sin(theta)
    assert velocity == pytest.approx(radial_pd(dx, dy, dvx, dvy, 20.0, 1.0, 0.5), abs=1e-9)
    assert told == pytest.approx(r)


@given(st.lists(ANY_NUMBER, min_size=3, max_size=3))
def test_invariant_5_finite_for_any_place(values: list[float]) -> None:
    """Invariant 5: offsets and radii that are no numbers give a finite velocity."""
    velocity, r = radial_pd_difference(*values, 20.0, 1.0, 0.5, 0.05)
    assert all(math.isfinite(value) for value in (*velocity, r))
