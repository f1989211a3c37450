"""The prediction of the linear model is that of the law, command by command."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.controllers.lag_inversion import NONE_SENT, own_motion, with_command
from soliton_encirclement_ros.controllers.ring_flight import tracking_of
from soliton_encirclement_ros.core.laws.law import RingView, Setup, TargetView, View
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, SwarmParameters
)
from soliton_encirclement_ros.core.stability.agent_loop import KEPT, OwnPrediction, predicted
from soliton_encirclement_ros.core.stability.gain_bound import assumed_lag

PERIOD = 0.05
REST = (0.0, 0.0, 0.0)
NOBODY = RingView(0, 0, (), (), (), (), (), ())


def of_the_law(tau: float | None, delay: float, age: float, commands: list[float]):
    """Return position and speed that an agent predicts, from (1 m, 2 m/s) on, all along x."""
    setup = Setup(
        ControlParameters(own_prediction=True),
        swarm=SwarmParameters(control_period=PERIOD),
        limits=CommandLimits(1e6, 5.0, 1e6, tau, 5.0, None, delay),
    )
    sent = NONE_SENT
    for command in reversed(commands):
        sent = with_command(sent, (command, 0.0, 0.0))
    target = TargetView(1, REST, REST, 0.0, 0.0, True)
    view = View(0.0, 1, (1.0, 0.0, 0.0), (2.0, 0.0, 0.0), REST, 0.0, target, NOBODY, age)
    position, velocity = own_motion(view, sent, tracking_of(setup).own)
    return position[0], velocity[0]


@pytest.mark.parametrize('tau', [None, 0.004, 0.3])
@pytest.mark.parametrize(('delay', 'age'), [
    (0.0, 0.0), (0.1, 0.0), (0.0, 0.03), (0.07, 0.05), (0.55, 0.07), (3.0, 0.0),
])  # fmt: skip
def test_it_predicts_what_the_law_predicts(tau: float | None, delay: float, age: float) -> None:
    """No latency, whole and broken periods, one longer than the kept commands."""
    commands = np.random.default_rng(1).normal(0.0, 3.0, KEPT).tolist()
    lag = None if tau is None else assumed_lag(True, tau, PERIOD)
    prediction = OwnPrediction(delay + age, lag, PERIOD)
    rows = [np.array([value]) for value in (math.nan, *commands)]
    x, v = predicted(np.array([[1.0], [2.0]]), rows, prediction)
    assert (x[0], v[0]) == pytest.approx(of_the_law(tau, delay, age, commands))


@pytest.mark.parametrize('tau', [0.004, 0.02, 0.3])
def test_a_lag_far_below_the_period_does_not_blow_a_prediction_up(tau: float) -> None:
    """A vehicle never does more than it is told; here it has always been told 3 m/s."""
    _, speed = of_the_law(tau, 0.5, 0.0, [3.0] * KEPT)
    assert 2.0 < speed <= 3.0


def test_reach_and_share() -> None:
    """Farther back than commands are kept nothing is predicted."""
    assert OwnPrediction(0.12, 0.5, PERIOD).reach == pytest.approx(0.12)
    assert OwnPrediction(9.0, 0.5, PERIOD).reach == pytest.approx(KEPT * PERIOD)
    assert OwnPrediction(0.0, 0.5, PERIOD).windows == []
    assert OwnPrediction(0.1, 0.5, PERIOD).follows == pytest.approx(0.1)
    assert OwnPrediction(0.1, None, PERIOD).follows == 1.0
