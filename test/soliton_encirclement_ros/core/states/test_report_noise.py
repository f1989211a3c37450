"""Noise of the target's reports: white noise is measured, a filter's own error is not."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.states.target_filter import (
    UNMEASURED, ExpectedReport, ReportNoise, measured_noise, with_first_report
)

DT = 0.05


def after(reports: np.ndarray, off: float = 0.0) -> ReportNoise:
    """Return the noise of reports, of which zeros were expected but for an error [m, m/s]."""
    noise = with_first_report(UNMEASURED, (*reports[0, :2], 0.0), (*reports[0, 2:], 0.0))
    expected = ExpectedReport(off, off, off, off, 0.0, 0.0)
    for x, y, vx, vy in reports[1:]:
        noise = measured_noise(noise, (x, y, 0.0), (vx, vy, 0.0), DT, expected)
    return noise


def white(count: int, position: float, velocity: float, seed: int) -> np.ndarray:
    """Return reports of a body at rest with white noise of standard deviations [m, m/s]."""
    normal = np.random.default_rng(seed).standard_normal((count, 4))
    return normal * [position, position, velocity, velocity]


def test_white_noise_is_measured():
    found = np.mean([after(white(200, 2.0, 0.5, seed))[:2] for seed in range(20)], axis=0)
    assert np.sqrt(found) == pytest.approx([2.0, 0.5], rel=0.05)


@pytest.mark.parametrize('off', [1.0, 10.0, 1000.0])
def test_however_wrong_the_filter_is_its_error_counts_as_no_noise(off):
    found = after(white(200, 0.02, 0.05, 1), off)
    assert found.position <= found.position_change < 3.0 * 0.02**2
    assert found.velocity <= found.velocity_change < 3.0 * 0.05**2


def test_what_the_velocities_explain_is_no_noise_of_the_position():
    times = DT * np.arange(100)
    flight = np.column_stack([times**2, 3.0 * times, 2.0 * times, np.full(100, 3.0)])
    assert after(flight).position == pytest.approx(0.0, abs=1e-20)


def test_a_report_of_which_nothing_was_expected_changes_no_variance():
    known = after(white(50, 2.0, 0.5, 2))
    found = with_first_report(known, (1.0, 2.0, 0.0), (3.0, 4.0, 0.0))
    assert found[:5] == known[:5]
    assert found[5:] == (1.0, 2.0, 3.0, 4.0)


NUMBER = st.floats(-1e4, 1e4)


@given(st.lists(st.tuples(NUMBER, NUMBER, NUMBER, NUMBER), min_size=2, max_size=60))
def test_the_variances_never_exceed_the_changes(reports):
    found = after(np.array(reports))
    assert found.position <= found.position_change
    assert found.velocity <= found.velocity_change
