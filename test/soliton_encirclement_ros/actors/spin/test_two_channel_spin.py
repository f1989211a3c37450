"""The successor's spin law."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from soliton_encirclement_ros.actors.spin.spin_law import SpinGains
from soliton_encirclement_ros.actors.spin.two_channel_spin import (
    TWO_CHANNEL_SPIN,
    TwoChannelSpinMemory,
    unwrap,
)
from support.spinning import Spinning


def law(kp: float, kd: float, max_abs: float, base: float, period: float = 0.05) -> Spinning:
    """Return a fresh law."""
    return Spinning(TWO_CHANNEL_SPIN, SpinGains(kp, kd, max_abs, 0.05, base, period, 0.0, 1.0))


def test_the_memory_counts_turns() -> None:
    """From just below half a turn to just above: the unwrapped error goes on growing."""
    first, still = unwrap(TwoChannelSpinMemory(math.nan, math.nan), 3.1)
    then, change = unwrap(first, -3.1)
    assert (first, still) == (TwoChannelSpinMemory(3.1, 3.1), 0.0)
    assert then == (-3.1, pytest.approx(2.0 * math.pi - 3.1))
    assert change == pytest.approx(2.0 * math.pi - 6.2)


def test_an_error_of_exactly_zero_forgets() -> None:
    """The memory is the one at rest."""
    spin = law(1.0, 0.2, 1.0, 0.0)
    spin.update(0.0, 0.5)
    spin.update(0.0, 0.0)
    assert all(math.isnan(number) for number in spin.memory)


def test_reference_table(reference: Callable[[str], Any]) -> None:
    """Fifteen sets of gains, forty errors each."""
    for case in reference('soliton_v3.json')['wrapped_angle_pd']['cases']:
        spin = law(case['kp'], case['kd'], case['max_abs'], 0.0, case['dt'])
        found = [spin.update(0.0, s['error']) for s in case['steps']]
        expected = [s['output'] for s in case['steps']]
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_golden_of_spec_part_18() -> None:
    """Six errors, the last ones across half a turn."""
    spin = law(1.0, 0.2, 1.0, 0.0)
    found = [spin.update(0.0, err) for err in (0.5, 0.4, 0.35, 3.1, -3.1, -3.0)]
    expected = [0.5, -4.440892098500626e-16, 0.1500000000000008, 1.0, -1.0, -1.0]
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_an_error_of_exactly_zero_starts_anew_at_the_base() -> None:
    """Spec 10.3: the base is not limited, and the next error has no rate."""
    spin = law(1.0, 0.2, 1.0, 4.0)
    spin.update(0.0, 0.5)
    assert spin.update(0.0, 0.0) == 4.0
    assert spin.update(0.0, 0.3) == pytest.approx(0.3)


def test_the_rate_counts_nominal_periods() -> None:
    """Spec 10.3: the time between two updates does not matter."""
    late, early = law(1.0, 0.2, 50.0, 0.0), law(1.0, 0.2, 50.0, 0.0)
    for k, err in enumerate((0.3, 0.4, -0.2)):
        assert late.update(10.0 * k, err) == early.update(0.0, err)


@pytest.mark.parametrize('bad', [math.nan, math.inf])
def test_an_error_that_is_no_number_gives_zero(bad: float) -> None:
    """Spec 10.3: non-finite becomes 0."""
    assert law(1.0, 0.2, 1.0, 0.4).update(0.0, bad) == 0.0
