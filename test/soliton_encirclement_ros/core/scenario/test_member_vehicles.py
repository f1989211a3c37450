"""Vehicles of single members, and vehicle files that a scenario names."""

import pytest
import yaml

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.run.run_folder import create_run_folder
from soliton_encirclement_ros.core.scenario.scenario import (
    Scenario, load_scenario, scenario_from_dict
)
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, body_spec, swarm_plan
from velocity_mobility_ros.core.velocity_model import MobilityParameters

SIX = {'run': {'num_agents': 6}}


def chosen(**vehicles: str) -> Scenario:
    return Scenario().with_changes({**SIX, 'vehicles': vehicles}, 'test')


def test_without_a_choice_all_have_the_vehicle_of_the_scenario():
    scenario = chosen()
    assert not scenario.own_vehicles
    assert all(scenario.vehicle_of(name) is scenario.mobility for name in scenario.members)


def test_members_get_the_vehicles_of_their_files():
    scenario = chosen(target_vehicle='superdroid_hd2', agent_vehicles='iris: 2 3; x500: 5')
    types = {name: scenario.vehicle_of(name).vehicle for name in scenario.members}
    assert types == {
        **dict.fromkeys(scenario.members, 'kinematic'),
        **dict.fromkeys(('uav_2', 'uav_3', 'uav_5'), 'quadrotor'), 'target': 'tracked',
    }  # fmt: skip
    assert scenario.vehicle_of('uav_2') != scenario.vehicle_of('uav_5')


def test_a_file_of_the_same_type_keeps_the_other_values(tmp_path):
    file = tmp_path / 'slow.yaml'
    file.write_text('mobility: {max_speed_xy: 3.0}')
    scenario = chosen(agent_vehicles=f'{file}: 1').with_changes({'mobility': {'tau_xy': 0.4}}, '')
    assert scenario.vehicle_of('uav_1') == MobilityParameters(tau_xy=0.4, max_speed_xy=3.0)


def test_nodes_of_a_member_get_its_vehicle():
    scenario = chosen(target_vehicle='superdroid_hd2')
    assert body_spec(scenario, 'target').parameters['vehicle'] == 'tracked'
    assert body_spec(scenario, 'uav_1').parameters['vehicle'] == 'kinematic'
    world = swarm_plan(scenario, PlanOptions())[0]
    assert world.parameters['target_vehicle'] == 'superdroid_hd2'


def test_an_absent_adversary_needs_no_vehicle():
    nobody = {'adversary': {'adversary_enable': False}}
    assert not chosen(adversary_vehicle='iris').with_changes(nobody, 'x').own_vehicles


@pytest.mark.parametrize(
    ('vehicles', 'line'),
    [
        ({'target_vehicle': 'foo'}, 'foo: no such vehicle file; included vehicles: '),
        ({'agent_vehicles': 'iris'}, "vehicles.agent_vehicles: 'iris' must be a vehicle file, a"),
        ({'agent_vehicles': 'iris: 7'}, "'7' names no member; there are the agents 1 to 6"),
        ({'agent_vehicles': 'iris: 2; x500: 2'}, 'uav_2 has two vehicles; give it one'),
        ({'agent_vehicles': 'iris: target', 'target_vehicle': 'iris'}, 'target has two vehicles'),
    ],
)
def test_a_choice_that_cannot_be_is_one_line(vehicles, line):
    with pytest.raises(ScenarioError) as refused:
        chosen(**vehicles)
    assert line in str(refused.value) and '\n' not in str(refused.value)


def test_another_update_period_is_refused(tmp_path):
    file = tmp_path / 'fast.yaml'
    file.write_text('mobility: {update_rate: 0.005}')
    with pytest.raises(ScenarioError, match=r'update_rate = 0.005 s must be that of all vehicles'):
        chosen(target_vehicle=str(file))


def test_files_beside_the_scenario_are_found_and_kept(tmp_path):
    (tmp_path / 'own.yaml').write_text('mobility: {max_speed_xy: 3.0}')
    content = {
        **SIX, 'mobility': {'vehicle_file': 'own.yaml', 'tau_xy': 0.5},
        'vehicles': {'target_vehicle': 'own.yaml', 'agent_vehicles': 'own.yaml: 2; iris: 3'},
    }  # fmt: skip
    (tmp_path / 'mine.yaml').write_text(yaml.safe_dump(content))
    scenario = load_scenario(tmp_path / 'mine.yaml')
    assert scenario.mobility == MobilityParameters(max_speed_xy=3.0, tau_xy=0.5)
    assert scenario.vehicle_of('uav_2').max_speed_xy == 3.0
    assert scenario.vehicle_of('uav_3').vehicle == 'quadrotor'
    folder = create_run_folder(tmp_path / 'runs', scenario, ['swarm'])
    assert (folder / 'own.yaml').read_text() == 'mobility: {max_speed_xy: 3.0}'
    again = scenario_from_dict(scenario.as_dict(), 'mine', 'test')
    assert again == scenario


def test_a_vehicle_file_of_the_scenario_counts_below_its_own_values():
    scenario = Scenario().with_changes({'mobility': {'vehicle_file': 'x500', 'mass': 2.5}}, 'x')
    assert (scenario.mobility.vehicle, scenario.mobility.mass) == ('quadrotor', 2.5)
    with pytest.raises(ScenarioError, match='bar: no such vehicle file'):
        scenario_from_dict({'mobility': {'vehicle_file': 'bar'}}, 'x', 'x')
    with pytest.raises(ScenarioError, match=r"unknown key 'vehicle_file'"):
        scenario_from_dict({'mobility': {'vehicle_file': 3}}, 'x', 'x')


def test_agents_may_assume_another_lag_than_that_of_their_vehicle():
    scenario = chosen(agent_vehicles='iris: 2', assumed_lag_factor=2.0)
    scenario = scenario.with_changes({'mobility': {'tau_xy': 0.2, 'tau_z': None}}, 'test')
    known = scenario.with_changes({'vehicles': {'assumed_lag_factor': 1.0}}, 'test')
    assert [scenario.limits_of(name).tau_xy for name in ('uav_1', 'uav_2', 'target')] == [
        0.4, 2.0 * known.limits_of('uav_2').tau_xy, 0.2,
    ]  # fmt: skip
    assert scenario.limits_of('uav_1').tau_z is None
    assert known.limits_of('uav_1') is known.limits_of('uav_3')
    assert scenario.vehicle_of('uav_1') == known.vehicle_of('uav_1')
    nodes = swarm_plan(scenario, PlanOptions())
    agent = next(one for one in nodes if one.executable == 'agent_node')
    assert agent.parameters['tau_xy'] == 0.4


@pytest.mark.parametrize('factor', [0.0, -1.0, 101.0])
def test_an_assumed_lag_out_of_bounds_is_refused(factor):
    with pytest.raises(ScenarioError, match=r'assumed_lag_factor = .* must be'):
        chosen(assumed_lag_factor=factor)
