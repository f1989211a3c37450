"""Those who watch a flight are witnesses."""

import inspect

import pytest
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.run.observer import Observer
from soliton_encirclement_ros.core.run.run_observation import RunObservation
from soliton_encirclement_ros.core.run.summary import summarise
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.engine_observer import EngineObserver

WITNESSES = {'observer': Observer(SwarmParameters()), 'seen': EngineObserver(True, 1, 0.05)}


@pytest.mark.parametrize('name', WITNESSES)
def test_a_witness_has_all_that_is_asked(name):
    asked = {*inspect.get_annotations(RunObservation)}
    asked |= {key for key, value in vars(RunObservation).items() if isinstance(value, property)}
    assert asked >= {'series', 'last', 'down', 'trails'}
    assert all(hasattr(WITNESSES[name], attribute) for attribute in asked)


def test_before_the_first_sample_all_of_them_say_the_same():
    said = [summarise(Scenario(), witness, {}) for witness in WITNESSES.values()]
    assert said[0] == said[1]
