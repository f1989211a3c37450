"""The parts of a velocity command and their sum; the radial PD that differentiates the radius."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.controllers.terms.radial_pd import (
    UNKNOWN,
    radial_pd_difference,
    radial_speed,
)
from soliton_encirclement_ros.controllers.terms.velocity_terms import (
    compose,
    radial_pd,
    spin_velocity,
    tangential_velocity,
)
from support.strategies import ANY_NUMBER

OFFSET = st.floats(-100.0, 100.0)
SPEED = st.floats(-20.0, 20.0)
PLANE = st.tuples(ANY_NUMBER, ANY_NUMBER)


@pytest.mark.parametrize(('r', 'expected'), [(15.0, 5.0), (25.0, -5.0)])
def test_radial_part_pulls_onto_the_ring(r: float, expected: float) -> None:
    """Inside it pushes outwards, outside it pulls in."""
    assert radial_pd(0.0, r, 0.0, 0.0, 20.0, 1.0, 0.5) == (0.0, expected)


def test_radial_speed_is_damped_and_tangential_speed_is_not() -> None:
    """Spec 5: only the component along e counts."""
    assert radial_pd(20.0, 0.0, 2.0, 7.0, 20.0, 1.0, 0.5) == (-1.0, 0.0)


def test_at_the_target_the_radial_part_points_east() -> None:
    """Spec 5: without a direction the agent is pushed outwards along +x."""
    assert radial_pd(0.0, 0.0, 0.0, 0.0, 20.0, 1.0, 0.5) == (20.0, 0.0)


@given(OFFSET, OFFSET, st.floats(-3.0, 3.0))
def test_tangential_part_is_across_and_counter_clockwise(x: float, y: float, u: float) -> None:
    """Positive u turns counter-clockwise, never inwards or outwards."""
    vx, vy = tangential_velocity(x, y, u, 0.2, 1.0)
    r = math.hypot(x, y)
    assert vx * x + vy * y == pytest.approx(0.0, abs=1e-9 * max(1.0, r) * r + 1e-6)
    if r > 1.0:
        assert (x * vy - y * vx) / (r * r) == pytest.approx(0.2 * u, rel=1e-9, abs=1e-12)


def test_close_in_the_smallest_radius_counts() -> None:
    """Spec 8: r_eff = max(r, r_min)."""
    assert tangential_velocity(0.25, 0.0, 1.0, 0.2, 1.0) == (0.0, 0.2)


@given(OFFSET, OFFSET, st.floats(-2.0, 2.0))
def test_spin_turns_rigidly(x: float, y: float, omega: float) -> None:
    """Every offset turns at the same rate; at the centre nothing moves."""
    expected = (-omega * y, omega * x) if math.hypot(x, y) > 1e-5 else (0.0, 0.0)
    assert spin_velocity(x, y, omega) == pytest.approx(expected, rel=1e-9, abs=1e-4)


@pytest.mark.parametrize('omega', [0.0, math.nan, math.inf])
def test_spin_without_a_rate_is_nothing(omega: float) -> None:
    """Spec 8: no spin unless the rate is finite and not zero."""
    assert spin_velocity(3.0, 4.0, omega) == (0.0, 0.0)


def test_compose_adds_on_top_of_the_target() -> None:
    """The sum of all parts; the height follows the target."""
    assert compose((1.0, 2.0), (3.0, 4.0), (5.0, 6.0, 7.0), (8.0, 9.0)) == (17.0, 21.0, 7.0)


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
