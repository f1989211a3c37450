"""Laws of every estimator: it finds the target, stays finite, forgets and starts anew."""

import math
from typing import NamedTuple

import numpy as np
import pytest

from soliton_encirclement_ros.core.estimation.bearing_sensor import (
    camera_coefficients, measured, read
)
from soliton_encirclement_ros.core.estimation.estimator import (
    NOTHING_SEEN, Estimate, EstimatorSetup, EstimatorView, TargetMeasurement
)
from soliton_encirclement_ros.core.parameters.target_parameters import (
    ESTIMATOR_NAMES, TargetSensingParameters
)
from soliton_encirclement_ros.estimators import ESTIMATORS
from velocity_mobility_ros.core.velocity_model import Vector

LEVEL, STILL, DT = (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0), 0.05
EACH = pytest.mark.parametrize('name', ESTIMATORS)


class Crew(NamedTuple):
    """Last estimate of every agent, by tick."""

    estimates: list[list[Estimate]]

    def error(self, truth: Vector, velocity: Vector, ticks: int = 100) -> tuple[float, float]:
        """Return the RMS errors of the last ticks of a target that moves evenly."""
        last = len(self.estimates)
        found = [
            (np.subtract(e.position, np.add(truth, np.multiply(velocity, k * DT))),
             np.subtract(e.velocity, velocity))
            for k in range(last - ticks, last) for e in self.estimates[k]
        ]  # fmt: skip
        p, v = zip(*found, strict=True)
        return float(np.sqrt(np.mean(np.sum(np.square(p), 1)))), float(
            np.sqrt(np.mean(np.sum(np.square(v), 1)))
        )


def observe(
    name: str, agents: int, ticks: int, velocity: Vector = STILL, blind: tuple[int, ...] = (),
    loss: float = 0.0, blind_from: int = 10**9, **values: object,
) -> Crew:  # fmt: skip
    """Let agents that turn round a target of even motion estimate it."""
    setup = EstimatorSetup(TargetSensingParameters(target_broadcasts=False, **values))
    estimator, rng = ESTIMATORS[name], np.random.default_rng(5)
    gains, memories = estimator.gains(setup), [estimator.rest] * agents
    messages, out = [estimator.no_message] * agents, []
    cameras = [camera_coefficients(setup.target_sensing, DT, k + 1) for k in range(agents)]
    for tick in range(ticks):
        target = tuple(np.multiply(velocity, tick * DT))
        sent, found = [], []
        for k in range(agents):
            angle = 2.0 * math.pi * k / agents + 0.02 * tick
            place = (target[0] + 20 * math.cos(angle), target[1] + 20 * math.sin(angle), 3.0)
            vector = measured(cameras[k], k, tick, place, LEVEL, target)
            if k in blind or tick >= blind_from:
                vector = STILL
            bearing = read(vector, setup.target_sensing.range_noise is not None)
            seen = TargetMeasurement(bearing.is_there, place, bearing.direction, bearing.distance, 0.0)
            others = [(*place, *STILL, DT, *messages[j]) for j in range(agents)
                      if j != k and rng.random() >= loss]  # fmt: skip
            view = EstimatorView(tick * DT, DT, k + 1, place, STILL, seen, len(others), others)
            memories[k], message, estimate = estimator.step(gains, memories[k], view)
            sent.append(message)
            found.append(estimate)
        messages = sent
        out.append(found)
    return Crew(out)


def test_every_name_has_its_estimator():
    assert tuple(ESTIMATORS) == ESTIMATOR_NAMES


@EACH
@pytest.mark.parametrize('loss', [0.0, 0.5])
def test_it_finds_a_target_that_moves_evenly(name, loss):
    velocity = (3.0, -1.0, 0.0)
    position, rate = observe(name, 6, 400, velocity, loss=loss).error(STILL, velocity)
    assert position < 0.8
    assert rate < 2.0


@EACH
def test_without_noise_it_converges(name):
    exact = observe(name, 4, 600, bearing_noise_deg=0.0, bearing_rate=20.0)
    assert exact.error(STILL, STILL)[0] < 0.05


@EACH
def test_one_agent_with_ranges_is_enough(name):
    alone = observe(name, 1, 400, range_noise=0.5)
    assert alone.error(STILL, STILL)[0] < 1.5


@EACH
def test_who_sees_nothing_knows_it_from_the_others(name):
    crew = observe(name, 5, 400, blind=(0, 1))
    assert crew.error(STILL, STILL)[0] < 1.0
    assert all(estimate.age < 0.3 for estimate in crew.estimates[-1])


@EACH
def test_nobody_keeps_an_estimate_alive_by_hearsay(name):
    crew = observe(name, 4, 300, blind_from=100)
    ages = [estimate.age for estimate in crew.estimates[130]]
    assert all(1.4 < age < 1.7 for age in ages)
    assert all(math.isinf(estimate.age) for estimate in crew.estimates[-1])


@EACH
@pytest.mark.parametrize('direction', [(1.0, 0.0, 0.0), (0.0, 0.0, -1.0)])
def test_contradictory_bearings_leave_it_finite(name, direction):
    """From one place, then from where it thinks the target is, in any direction."""
    estimator, setup = ESTIMATORS[name], EstimatorSetup()
    gains, memory, estimate = estimator.gains(setup), estimator.rest, None
    for tick in range(200):
        turned = direction if tick % 3 else (-direction[0], direction[1], -direction[2])
        origin = estimate.position if estimate and tick % 2 else STILL
        values = TargetMeasurement(True, origin, turned, math.nan, 0.0)
        view = EstimatorView(tick * DT, DT, 1, origin, STILL, values, 0, [])
        memory, message, estimate = estimator.step(gains, memory, view)
        assert all(map(math.isfinite, (*memory, *message, *estimate.position)))
        assert max(map(abs, message)) < 1e9


@EACH
def test_before_the_first_bearing_there_is_no_estimate(name):
    estimator = ESTIMATORS[name]
    view = EstimatorView(0.0, DT, 1, STILL, STILL, NOTHING_SEEN, 0, [])
    memory, message, estimate = estimator.step(estimator.gains(EstimatorSetup()), estimator.rest, view)
    assert (memory, message) == (estimator.rest, estimator.no_message)
    assert set(message) == {0.0}
    assert math.isinf(estimate.age)
