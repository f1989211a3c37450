"""The wanted rotation of the ring; its reference table is held in test_edge_weights.py."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.core.spin import SpinGains, SpinReference, centre_error
from support.strategies import ANY_NUMBER

GAINS = SpinGains(kp=1.0, kd=0.2, max_abs=1.0, rho_min=0.05, base=0.0)


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


def test_first_error_has_no_rate() -> None:
    """The derivative starts with the second error, then follows its change."""
    spin = SpinReference(GAINS)
    assert spin.update(0.0, 0.3) == pytest.approx(0.3)
    assert spin.update(0.5, 0.4) == pytest.approx(0.4 + 0.2 * 0.1 / 0.5)


def test_error_across_half_a_turn_has_a_small_rate() -> None:
    """From just below pi to just above -pi is a small step."""
    spin = SpinReference(SpinGains(1.0, 0.2, 50.0, 0.05, 0.0))
    spin.update(0.0, 3.1)
    assert spin.update(1.0, -3.1) == pytest.approx(-3.1 + 0.2 * (2.0 * math.pi - 6.2))


def test_repeated_time_has_no_rate() -> None:
    """Two updates at one time do not divide by zero."""
    spin = SpinReference(GAINS)
    spin.update(1.0, 0.1)
    assert spin.update(1.0, 0.5) == 0.5


@pytest.mark.parametrize(('base', 'expected'), [(0.3, 0.3), (4.0, 1.0), (-4.0, -1.0)])
def test_without_gains_the_base_rate_counts(base: float, expected: float) -> None:
    """Spec 10.3, first version: kp = kd = 0 gives the limited base."""
    spin = SpinReference(SpinGains(0.0, 0.0, 1.0, 0.05, base))
    assert spin.update(0.0, 0.7) == expected
    assert spin.update(1.0, 0.0) == expected


@pytest.mark.as_original
def test_w12_closed_gate_commands_zero_instead_of_the_base_as_original() -> None:
    """W12, as the original: with gains, an error of exactly 0 gives 0 and not the base."""
    assert SpinReference(SpinGains(1.0, 0.2, 1.0, 0.05, 0.4)).update(0.0, 0.0) == 0.0


@given(st.lists(st.tuples(st.floats(0.0, 100.0), st.floats(-math.pi, math.pi)), max_size=20))
def test_rate_is_within_its_limit(errors: list[tuple[float, float]]) -> None:
    """No sequence of errors asks for more than the limit."""
    spin = SpinReference(GAINS)
    for now, err in errors:
        assert abs(spin.update(now, err)) <= GAINS.max_abs


@given(st.lists(st.tuples(ANY_NUMBER, ANY_NUMBER), max_size=5), st.tuples(ANY_NUMBER, ANY_NUMBER))
def test_invariant_5_finite_for_any_offsets(offsets: list[tuple], adversary: tuple) -> None:
    """Invariant 5: positions that are no numbers give a finite rate."""
    err = centre_error(offsets, adversary, 0.05)
    assert math.isfinite(SpinReference(GAINS).update(0.0, err))
