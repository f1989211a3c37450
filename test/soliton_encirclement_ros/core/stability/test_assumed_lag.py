"""The lag that a command makes up for is that of the controllers, and so is their filter."""

import pytest
from soliton_encirclement_ros.controllers.terms.lag_inversion import lag_inversion
from soliton_encirclement_ros.core.stability.assumed_lag import assumed_lag, filter_follows


@pytest.mark.parametrize('is_sampled', [False, True])
@pytest.mark.parametrize('tau', [None, 0.01, 0.05, 0.3, 2.0])
@pytest.mark.parametrize('share', [0.0, 0.1, 3.0])
def test_the_numbers_are_those_of_the_law(
    is_sampled: bool, tau: float | None, share: float
) -> None:
    """To the last bit, for both inversions, with and without lag and filter."""
    law = lag_inversion(is_sampled, tau, 4.0, 0.05, share)
    assert assumed_lag(is_sampled, tau, 0.05) == law.gain
    assert filter_follows(share, tau, 0.05) == law.follows
