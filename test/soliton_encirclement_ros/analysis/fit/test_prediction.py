"""Predicted against measured: stretch by stretch, agent by agent."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.fit.fit_records import FitSettings
from soliton_encirclement_ros.analysis.fit.joined_stretches import JoinedStretches
from soliton_encirclement_ros.analysis.fit.prediction import by_agent, curves, errors
from soliton_encirclement_ros.analysis.fit.stretches import stretches
from support.recorded.planted import flight, noisy, steps

VALUES = np.array([0.8, 3.0, 8.0, 0.5, 4.0, 4.0, 0.0])


@pytest.fixture(scope='module')
def found():
    chance = np.random.default_rng(1)
    members = [
        noisy(flight(steps(chance, duration=20.0), name=f'uav_{k}'), chance, size=0.05 * k)
        for k in (1, 2)
    ]
    parts = [one for member in members for one in stretches(member, FitSettings())]
    return curves(JoinedStretches(parts, 0.01), VALUES, np.full(3, 0.05))


def test_what_is_left_of_each_agent_is_its_noise(found):
    for k, (name, one) in enumerate(by_agent(found).items(), 1):
        assert name == f'uav_{k}'
        for value in (one.xy, one.z, one.usual_xy, one.usual_z):
            assert value == pytest.approx(0.05 * k, rel=0.15)


def test_errors_are_over_all_samples(found):
    assert errors(found).samples == sum(len(one.time) for one in found)
    assert 0.05 < errors(found).xy < 0.1


def test_a_curve_has_what_was_commanded(found):
    one = found[0]
    assert one.measured.shape == one.predicted.shape == one.commanded.shape
    assert np.corrcoef(one.commanded[:, 2], one.measured[:, 2])[0, 1] > 0.5
