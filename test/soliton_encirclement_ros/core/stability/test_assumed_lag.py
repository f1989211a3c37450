"""The lag that a command makes up for is that of the controllers, and so is their filter."""

import pytest
from soliton_encirclement_ros.controllers.terms.lag_inversion import lag_inversion
from soliton_encirclement_ros.core.stability.assumed_lag import (
    assumed_lag,
    filter_follows,
    tracking_gain,
)


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


@pytest.mark.parametrize(('tau', 'expected'), [
    (None, 8.0), (0.05, 4.8), (0.225, 2.0), (1.0, 1.1)
])  # fmt: skip
def test_a_vehicle_that_answers_sooner_gets_a_higher_gain_of_velocity_tracking(
    tau: float | None, expected: float
) -> None:
    """With a period of 0.05 s, and 1.1 1/s at least."""
    assert tracking_gain(1.1, 0.6, tau, 0.05) == pytest.approx(expected)


def test_without_a_share_the_gain_is_the_least_one() -> None:
    """As that of ``soliton``."""
    assert tracking_gain(4.0, 0.0, None, 0.05) == 4.0
