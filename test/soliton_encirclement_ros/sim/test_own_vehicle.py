"""A vehicle that is added: one record, and loop and engine fly it alike."""

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import Scenario, scenario_from_dict
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, swarm_plan, vehicle_spec
from soliton_encirclement_ros.core.scenario.vehicle_file import vehicle_from_dict
from support.identity import assert_identical, by_engine, differences, scenario
from support.ready import NO_HURRY, laws
from support.vehicles.integrator import integrator

__all__ = ['integrator', 'laws']

pytestmark = NO_HURRY

OFTEN = {'failure': {'failure_mean_failures_per_min': 20.0}}
LOSSY = {'radio': {'communication_failure_rate': 0.3, 'communication_delay': 0.06}}


def own(*changes):
    return scenario(
        OFTEN, *changes, {'mobility': {'vehicle': 'integrator', 'followed_share': 0.9}}
    )


@pytest.mark.parametrize('way', [{}, LOSSY, {'run': {'rng': 'reference'}}], ids=str)
def test_it_flies_the_same_by_loop_and_engine(integrator, way):
    assert_identical(own(way), {}, {'plain': True})


def test_its_parameters_count(integrator):
    slower = own({}).with_changes({'mobility': {'followed_share': 0.5}}, 'test')
    assert differences(by_engine(own()), by_engine(slower))
    assert differences(by_engine(own()), by_engine(scenario(OFTEN)))


def test_nodes_are_told_of_it(integrator):
    flown = own()
    told = [vehicle_spec(flown, 1), swarm_plan(flown, PlanOptions())[0]]
    for spec in told:
        assert spec.parameters['vehicle'] == 'integrator'
        assert spec.parameters['followed_share'] == 0.9


def test_its_parameters_go_with_it(integrator):
    content = own().as_dict()
    assert content['mobility']['followed_share'] == 0.9
    assert scenario_from_dict(content, 'again', 'test').mobility == own().mobility
    back = own().with_changes({'mobility': {'vehicle': 'kinematic'}}, 'test')
    assert back.mobility == Scenario().mobility


def test_a_vehicle_file_chooses_it(integrator):
    found = vehicle_from_dict(
        {'mobility': {'vehicle': 'integrator', 'followed_share': 0.4}}, 'mine', 'mine.yaml'
    )
    flown = Scenario().with_changes({'mobility': found.mobility}, 'test')
    assert (flown.mobility.vehicle, flown.mobility.followed_share) == ('integrator', 0.4)


@pytest.mark.parametrize(('values', 'said'), [
    ({'vehicle': 'rocket'}, "x: mobility: vehicle = 'rocket' must be one of kinematic"),
    ({'followed_share': 0.5}, "x: mobility: unknown key 'followed_share'"),
])  # fmt: skip
def test_without_it_nobody_knows_its_values(values, said):
    with pytest.raises(ScenarioError, match=said):
        scenario_from_dict({'mobility': values}, 'x', 'x')
