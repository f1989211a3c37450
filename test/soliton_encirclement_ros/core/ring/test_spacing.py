"""The spacing error, the rate round the target, and the damping."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.ring.ring_geometry import (
    angular_rate, damped_error, spacing_error
)
from support.strategies import ANY_NUMBER

NAN = math.nan


def test_reference_table(reference: Callable[[str], Any]) -> None:
    """Eighty cases of the original; null stands for not-a-number."""
    for case in reference('soliton_v1.json')['spacing_error']['cases']:
        names = ('gap_pred', 'gap_succ', 'lambda_pred', 'lambda_self')
        values = [NAN if case[name] is None else case[name] for name in names]
        assert spacing_error(*values) == pytest.approx(case['e_tau'], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ('arguments', 'expected'),
    [
        ((0.0, 0.0, 1.0, 1.0), 0.0),
        ((0.5, 1.0, 0.0, 0.0), 0.0),
        ((0.5, 1.0, -2.0, 1.0), 0.0),
        ((1e-10, 3e-10, 1.0, 1.0), 0.0),
        ((NAN, 1.0, 1.0, 1.0), 0.0),
        ((0.3, 0.4, NAN, 1.0), 0.0),
    ],
)
def test_golden_e_tau_of_spec_part_18(arguments: tuple, expected: float) -> None:
    """The specification's golden vectors; a missing gap is NaN here."""
    assert spacing_error(*arguments) == expected


@given(ANY_NUMBER, ANY_NUMBER, ANY_NUMBER, ANY_NUMBER)
def test_invariant_5_finite_for_any_input(gp: float, gs: float, lp: float, ls: float) -> None:
    """Invariant 5: whatever comes in, a number comes out."""
    assert math.isfinite(spacing_error(gp, gs, lp, ls))


@given(st.floats(0.0, 6.3), st.floats(0.1, 1e3), st.floats(-5.0, 5.0), st.floats(-9.0, 9.0))
def test_a_circling_body_has_its_rate(theta: float, r: float, omega: float, radial: float) -> None:
    """A body on a circle has the rate of the circle, whatever it does radially."""
    x, y = r * math.cos(theta), r * math.sin(theta)
    vx = -omega * y + radial * math.cos(theta)
    vy = omega * x + radial * math.sin(theta)
    assert angular_rate(x, y, vx, vy) == pytest.approx(omega, rel=1e-9, abs=1e-9 * 9.0 / r)


@pytest.mark.parametrize(('x', 'y'), [(0.0, 0.0), (1e-6, 0.0), (NAN, 1.0), (math.inf, 0.0)])
def test_rate_without_a_radius_is_undefined(x: float, y: float) -> None:
    """At the target itself there is no rate."""
    assert math.isnan(angular_rate(x, y, 1.0, 1.0))


@pytest.mark.parametrize(
    ('omegas', 'expected'),
    [
        ((0.5, 0.1, 0.3), 0.2 - 0.1 * (0.5 - 0.2)),
        ((0.5, 0.1, NAN), 0.2 - 0.1 * (0.5 - 0.1)),
        ((0.5, NAN, 0.3), 0.2 - 0.1 * (0.5 - 0.3)),
        ((0.5, NAN, NAN), 0.2),
        ((NAN, 0.1, 0.3), 0.2),
        ((math.inf, 0.1, 0.3), 0.2),
        ((0.5, -1e308, -1e308), 0.2),
    ],
)
def test_damping_takes_what_is_defined(omegas: tuple, expected: float) -> None:
    """Spec 4.3: the mean of the neighbours, or the only one, or nothing."""
    assert damped_error(0.2, 0.1, *omegas) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize('gain', [0.0, -1.0, NAN, math.inf])
def test_damping_is_off_without_a_positive_gain(gain: float) -> None:
    """Spec 4.3: active if and only if the gain is finite and positive."""
    assert damped_error(0.2, gain, 0.5, 0.1, 0.3) == 0.2
