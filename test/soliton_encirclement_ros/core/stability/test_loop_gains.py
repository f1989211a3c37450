"""Which laws have a bound, and that gains, lag and filter are those with which they fly."""

import pytest

from soliton_encirclement_ros.controllers import CONTROLLERS, Setup
from soliton_encirclement_ros.controllers.lag_inversion import lag_inversion
from soliton_encirclement_ros.core.parameters.control_parameters import (
    CONTROLLER_NAMES, PREDICTIVE, SOLITON, ControlParameters
)
from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.core.stability.gain_bound import (
    assumed_lag, filter_follows, tracking_gain
)
from soliton_encirclement_ros.core.stability.law_stability import agent_loop, has_bound

PRESETS = (PREDICTIVE, SOLITON)


def control_of(law: str) -> ControlParameters:
    """Return the control section of a law with all of its defaults."""
    return record_of('control', law)(controller=law)


@pytest.mark.parametrize('tau', [None, 0.2, 3.0])
@pytest.mark.parametrize('law', PRESETS)
def test_the_numbers_are_those_of_the_flying_law(law: str, tau: float | None) -> None:
    """Gains, hops, inversion, filter and prediction."""
    control = control_of(law)
    limits = CommandLimits(tau_xy=tau)
    setup, loop = Setup(control, limits=limits), agent_loop(control, limits, 0.05)
    flown = CONTROLLERS[law].law(setup).gains(setup)
    gains, lag = flown.pursuit.encirclement, flown.pursuit.lag
    assert has_bound(control)
    assert (control.k_r, loop.gain, loop.velocity_gain) == (gains.k_r, gains.k_s, gains.k_v)
    assert (loop.assumed_lag, loop.follows) == (lag.gain, lag.follows)
    assert (loop.prediction is not None) == flown.tracking.own.is_on


@pytest.mark.parametrize('law', [name for name in CONTROLLER_NAMES if name not in PRESETS])
def test_other_laws_have_none(law: str) -> None:
    """Their loops are others."""
    assert not has_bound(control_of(law))


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
