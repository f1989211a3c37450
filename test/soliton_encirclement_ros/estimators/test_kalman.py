"""The distributed Kalman filter: as good as a central one, and neither too sure nor too unsure."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.core.estimation.estimator import (
    EstimatorSetup, EstimatorView, TargetMeasurement
)
from soliton_encirclement_ros.estimators.kalman import KALMAN

DT, STILL = 0.05, (0.0, 0.0, 0.0)
GAINS = KALMAN.gains(EstimatorSetup())
PLACES = [(20.0, 0.0, 4.0), (-12.0, 16.0, 2.0), (-5.0, -19.0, 0.0)]


def bearing(place, target, rng, noise=0.0):
    d = np.subtract(target, place) + rng.normal(size=3) * noise
    return tuple(map(float, d / np.linalg.norm(d)))


def step(memory, place, seen, messages, tick):
    others = [(*STILL, *STILL, DT, *message) for message in messages]
    view = EstimatorView(tick * DT, DT, 1, place, STILL, seen, len(others), others)
    return KALMAN.step(GAINS, memory, view)


def measurement(place, target, rng, noise=0.0):
    return TargetMeasurement(True, place, bearing(place, target, rng, noise), math.nan, 0.0)


def test_agents_that_hear_everything_hold_one_estimate():
    rng, memories, messages = np.random.default_rng(1), [KALMAN.rest] * 3, [KALMAN.rest] * 3
    for tick in range(60):
        done = [
            step(memories[k], PLACES[k], measurement(PLACES[k], (1.0, 2.0, 0.0), rng, 0.5),
                 [messages[j] for j in range(3) if j != k], tick)
            for k in range(3)
        ]  # fmt: skip
        memories, messages, estimates = zip(*done, strict=True)
    for other in estimates[1:]:
        assert other.position == pytest.approx(estimates[0].position, abs=1e-9)
        assert other.covariance == pytest.approx(estimates[0].covariance, rel=1e-6)


def test_the_same_message_from_two_agents_does_not_count_twice():
    """Covariance intersection: an estimate that is fused with itself is no surer than before."""
    rng, memory = np.random.default_rng(2), KALMAN.rest
    for tick in range(40):
        memory, _, _ = step(memory, PLACES[0], measurement(PLACES[0], STILL, rng), [], tick)
    quiet = memory._replace(**{name: 0.0 for name in memory._fields if name.startswith('j_')})
    nothing = TargetMeasurement(False, STILL, (1.0, 0.0, 0.0), math.nan, 0.0)
    _, _, alone = step(quiet, PLACES[0], nothing, [], 40)
    _, _, fused = step(quiet, PLACES[0], nothing, [quiet] * 5, 40)
    assert fused.position == pytest.approx(alone.position, abs=1e-6)
    assert fused.covariance == pytest.approx(alone.covariance, rel=1e-6)


def test_an_old_message_is_brought_to_the_present():
    rng, memory = np.random.default_rng(3), KALMAN.rest
    velocity = (4.0, 0.0, 0.0)
    for tick in range(200):
        target = (velocity[0] * tick * DT, 0.0, 0.0)
        place = PLACES[tick % 3]
        memory, message, estimate = step(memory, place, measurement(place, target, rng), [], tick)
    late = 0.4
    row = (*STILL, *STILL, DT + late, *message)
    nothing = TargetMeasurement(False, STILL, (1.0, 0.0, 0.0), math.nan, 0.0)
    view = EstimatorView(11.0, DT, 2, STILL, STILL, nothing, 1, [row])
    _, _, fresh = KALMAN.step(GAINS, KALMAN.rest, view)
    expected = estimate.position[0] + estimate.velocity[0] * (DT + late)
    assert fresh.position[0] == pytest.approx(expected, abs=0.3)
    assert fresh.age == pytest.approx(DT + late, abs=0.06)


def test_a_single_bearing_leaves_the_range_open():
    rng, memory = np.random.default_rng(4), KALMAN.rest
    for tick in range(3):
        memory, _, estimate = step(memory, PLACES[0], measurement(PLACES[0], STILL, rng), [], tick)
    c = estimate.covariance
    along = np.array(PLACES[0]) / np.linalg.norm(PLACES[0])
    full = np.array([[c.xx, c.xy, c.xz], [c.xy, c.yy, c.yz], [c.xz, c.yz, c.zz]])
    assert along @ full @ along > 50.0
    assert np.linalg.eigvalsh(full)[0] < 1.0
