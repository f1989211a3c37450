"""The times at which curves of different rates are compared."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.compare.time_base import common_times
from soliton_encirclement_ros.core.errors import RunError


def test_the_base_is_what_all_cover_at_the_longest_step():
    fine, coarse = np.arange(1.0, 9.0, 0.05), np.arange(2.03, 20.0, 0.5)
    base = common_times([fine, coarse])
    assert base[0] == 2.03 and base[-1] <= 8.95 and np.allclose(np.diff(base), 0.5)


def test_equal_times_stay_as_they_are_up_to_the_shortest():
    time = 0.05 * np.arange(1, 100)
    assert np.array_equal(common_times([time, time[:50]]), time[:50])


@pytest.mark.parametrize('times', [[np.arange(3.0), np.arange(5.0, 8.0)], [np.arange(3.0), []]])
def test_without_time_in_common_it_is_said(times):
    with pytest.raises(RunError, match='aligned recordings have no time in common'):
        common_times(list(map(np.asarray, times)))


def test_one_sample_is_a_base_of_one():
    assert common_times([np.array([2.0]), np.array([2.0])]).tolist() == [2.0]
