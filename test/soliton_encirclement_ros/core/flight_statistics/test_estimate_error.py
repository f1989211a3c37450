"""How far estimates are from the truth."""

import numpy as np
import pytest

from soliton_encirclement_ros.core.flight_statistics.agent_statistics import (
    KNOWN_SHARE, NEES, POSITION, VELOCITY, error_facts, no_error, note_error
)

TRUTH = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
NONE = [0.0] * 6 + [-1.0] + [0.0] * 6


def estimate(off: tuple[float, ...], rate: tuple[float, ...], variances: tuple[float, ...]):
    """Return an estimate that is off by so much."""
    values = np.add(TRUTH, (*off, *rate)).tolist()
    x, y, z = variances
    return [*values, 0.1, x, 0.0, 0.0, y, 0.0, z]


def test_the_figures_are_rms_errors_and_the_mean_nees_of_all_agents():
    one, two = no_error(), no_error()
    note_error(one, estimate((3.0, 0.0, 0.0), (0.0, 1.0, 0.0), (9.0, 1.0, 1.0)), TRUTH)
    note_error(two, estimate((0.0, 4.0, 0.0), (0.0, 0.0, 2.0), (1.0, 4.0, 1.0)), TRUTH)
    facts = error_facts([one, two])
    assert facts[POSITION] == pytest.approx(np.sqrt((9.0 + 16.0) / 2.0))
    assert facts[VELOCITY] == pytest.approx(np.sqrt((1.0 + 4.0) / 2.0))
    assert facts[NEES] == pytest.approx((1.0 + 4.0) / 2.0)
    assert facts[KNOWN_SHARE] == 1.0


def test_the_nees_of_what_a_covariance_describes_is_three():
    rng, row = np.random.default_rng(0), no_error()
    for _ in range(4000):
        off = tuple(map(float, rng.normal(size=3) * (2.0, 0.5, 1.0)))
        note_error(row, estimate(off, (0.0, 0.0, 0.0), (4.0, 0.25, 1.0)), TRUTH)
    assert error_facts([row])[NEES] == pytest.approx(3.0, rel=0.05)


def test_no_estimate_counts_only_in_the_share_and_no_covariance_has_no_nees():
    row = no_error()
    note_error(row, NONE, TRUTH)
    note_error(row, estimate((1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), TRUTH)
    facts = error_facts([row])
    assert (facts[KNOWN_SHARE], facts[POSITION], facts[NEES]) == (0.5, 1.0, None)


def test_without_estimators_a_summary_says_nothing_and_without_estimates_none():
    assert error_facts([]) == {}
    assert set(error_facts([no_error()]).values()) == {None}
