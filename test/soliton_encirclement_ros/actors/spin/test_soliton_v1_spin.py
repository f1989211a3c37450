"""The seed's spin law; its reference table is held in test_edge_weights.py."""

import math

import pytest
from soliton_encirclement_ros.actors.spin.soliton_v1_spin import (
    SOLITON_V1_SPIN,
    SolitonV1SpinMemory,
    error_rate,
)
from soliton_encirclement_ros.actors.spin.spin_law import SpinGains
from support.spinning import Spinning


def law(kp: float = 1.0, kd: float = 0.2, max_abs: float = 1.0, base: float = 0.0) -> Spinning:
    """Return a fresh law."""
    return Spinning(SOLITON_V1_SPIN, SpinGains(kp, kd, max_abs, 0.05, base, 0.05, 0.0, 1.0))


def test_the_memory_is_the_last_error_and_its_time() -> None:
    """At first nothing is known, and then whatever was seen last."""
    spin = law()
    assert all(math.isnan(number) for number in spin.memory)
    for now, err in ((1.0, 0.3), (2.0, 0.0), (2.0, -0.1)):
        spin.update(now, err)
        assert spin.memory == SolitonV1SpinMemory(err, now)


def test_no_rate_is_made_of_the_unknown() -> None:
    """Before the first error, at an error of exactly 0, and within a microsecond."""
    assert error_rate(SolitonV1SpinMemory(math.nan, math.nan), 1.0, 0.5) == 0.0
    assert error_rate(SolitonV1SpinMemory(0.5, 1.0), 2.0, 0.0) == 0.0
    assert error_rate(SolitonV1SpinMemory(0.4, 1.0), 1.0 + 5e-7, 0.5) == 0.0


def test_first_error_has_no_rate() -> None:
    """The derivative starts with the second error, then follows its change."""
    spin = law()
    assert spin.update(0.0, 0.3) == pytest.approx(0.3)
    assert spin.update(0.5, 0.4) == pytest.approx(0.4 + 0.2 * 0.1 / 0.5)


def test_error_across_half_a_turn_has_a_small_rate() -> None:
    """From just below pi to just above -pi is a small step."""
    spin = law(max_abs=50.0)
    spin.update(0.0, 3.1)
    assert spin.update(1.0, -3.1) == pytest.approx(-3.1 + 0.2 * (2.0 * math.pi - 6.2))


def test_repeated_time_has_no_rate() -> None:
    """Two updates at one time do not divide by zero."""
    spin = law()
    spin.update(1.0, 0.1)
    assert spin.update(1.0, 0.5) == 0.5


@pytest.mark.parametrize(('base', 'expected'), [(0.3, 0.3), (4.0, 1.0), (-4.0, -1.0)])
def test_without_gains_the_base_rate_counts(base: float, expected: float) -> None:
    """Spec 10.3, first version: kp = kd = 0 gives the limited base."""
    spin = law(kp=0.0, kd=0.0, base=base)
    assert spin.update(0.0, 0.7) == expected
    assert spin.update(1.0, 0.0) == expected


@pytest.mark.as_original
def test_w12_closed_gate_commands_zero_instead_of_the_base_as_original() -> None:
    """W12, as the original: with gains, an error of exactly 0 gives 0 and not the base."""
    assert law(base=0.4).update(0.0, 0.0) == 0.0
