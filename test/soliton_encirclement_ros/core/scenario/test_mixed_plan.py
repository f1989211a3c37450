"""A swarm of several kinds of vehicles as one plan."""

import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.part_plan import chosen_kinds, mixed_plan, stated_fleet
from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario

FIRST = load_scenario(find_scenario('first_flight'))


def test_agents_are_chosen_by_their_numbers():
    given = {'px4': '3, 1', 'simulated': '2', 'mavros': ''}
    assert chosen_kinds(given, FIRST) == {1: 'px4', 2: 'simulated', 3: 'px4'}


@pytest.mark.parametrize(
    ('given', 'line'),
    [
        ({'px4': '1', 'simulated': '2,1'}, "simulated = '2,1': uav_1 is px4 already"),
        ({'px4': '4'}, "id = '4' must be a number from 1 to 3"),
        ({'px4': '', 'simulated': ' , '}, 'no agent is chosen: give px4, simulated numbers'),
    ],
)
def test_what_cannot_be_chosen_is_refused(given, line):
    with pytest.raises(ScenarioError) as refused:
        chosen_kinds(given, FIRST)
    assert line in str(refused.value)


def test_each_agent_has_its_own_kind_of_vehicle():
    kinds = {1: 'px4', 2: 'simulated', 3: 'none'}
    plan = mixed_plan(FIRST, kinds, {1: {'px4_namespace': 'px4_7'}}, target=True)
    assert [(spec.namespace, spec.executable) for spec in plan] == [
        ('uav_1', 'agent_node'),
        ('uav_1', 'px4_bridge_node'),
        ('uav_2', 'agent_node'),
        ('uav_2', 'mobility_node'),
        ('uav_3', 'agent_node'),
        ('target', 'target_node'),
        ('target', 'mobility_node'),
    ]
    assert plan[1].parameters['px4_namespace'] == 'px4_7'
    stamped = [spec.parameters['enable_stamped_cmd_vel'] for spec in plan]
    assert stamped == [True, True, False, False, True, False, False]
    agents = [spec.parameters for spec in plan if spec.executable == 'agent_node']
    assert [one.get('target_loss_stop') for one in agents] == [10.0, None, 10.0]
    assert [spec.parameters['inject_failures'] for spec in plan if spec.executable == 'agent_node'
            ] == [False, True, False]  # fmt: skip


def test_agents_of_real_vehicles_stop_themselves_after_another_time_or_never():
    kinds = {1: 'px4', 2: 'simulated'}
    for time in (0.0, 30.0):
        plan = mixed_plan(FIRST, kinds, {}, target=False, target_loss_stop=time)
        agents = [spec.parameters for spec in plan if spec.executable == 'agent_node']
        assert [one.get('target_loss_stop') for one in agents] == [time, None]


def test_target_and_adversary_may_be_elsewhere():
    assert len(mixed_plan(FIRST, {1: 'none'}, {}, target=False)) == 1
    roaming = Scenario().with_changes({'mobility': {'max_speed_z': 1.0}}, 'test')
    names = {spec.namespace for spec in mixed_plan(roaming, {1: 'px4'}, {}, target=True)}
    assert names == {'uav_1', 'target', 'adversary'}


@pytest.mark.parametrize(
    ('kinds', 'is_one_of_many', 'stated'),
    [
        ({1: 'px4', 2: 'px4', 3: 'px4'}, False, 'uav_1, uav_2, uav_3'),
        ({1: 'px4', 2: 'simulated', 3: 'mavros'}, False, 'uav_1, uav_3'),
        ({1: 'px4', 2: 'px4'}, False, ''),
        ({3: 'px4'}, True, 'uav_1, uav_2, uav_3'),
        ({3: 'px4'}, False, ''),
    ],
)
def test_bridges_are_told_their_fleet_where_all_of_it_is_known(kinds, is_one_of_many, stated):
    assert stated_fleet(FIRST, kinds, is_one_of_many) == stated
