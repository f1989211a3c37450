"""The bridge of a vehicle: limits with which its agent plans, and namespaces of autopilots."""

import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.launch_arguments import (
    BRIDGES, first_instance, instance_parameter, namespace_parameter
)
from soliton_encirclement_ros.core.scenario.part_plan import (
    PartOptions, agent_part, bridge_spec, bridge_warnings, safety_part, target_part,
    without_bridges
)
from soliton_encirclement_ros.core.scenario.scenario import load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from velocity_mobility_ros.autopilot.setpoint_limits import GuidanceParameters
from velocity_mobility_ros.core.parameter_declaration import declarations

FIRST = load_scenario(find_scenario('first_flight'))


@pytest.mark.parametrize('kind', BRIDGES)
def test_a_bridge_comes_along_with_the_member(kind):
    options = PartOptions(kind)
    for part, name in (
        (agent_part(FIRST, 2, options), 'uav_2'),
        (safety_part(FIRST, 3, options), 'uav_3'),
        (target_part(FIRST, options), 'target'),
    ):
        member, bridge = part
        assert bridge.executable == BRIDGES[kind]
        assert {member.namespace, bridge.namespace} == {name}
        stamped = [spec.parameters['enable_stamped_cmd_vel'] for spec in part]
        assert stamped == [True, True]


@pytest.mark.parametrize('part', [
    lambda options: agent_part(FIRST, 2, options),
    lambda options: safety_part(FIRST, 3, options),
    lambda options: target_part(FIRST, options),
])  # fmt: skip
def test_a_member_that_is_started_again_beside_its_bridge_is_the_same(part):
    member, _ = plan = part(PartOptions('px4'))
    assert without_bridges(plan) == [member]
    with pytest.raises(ScenarioError, match=r'leaves out the bridge .* but there is none'):
        without_bridges(part(PartOptions('simulated')))


def test_agent_and_bridge_have_the_same_limits():
    agent, bridge = agent_part(FIRST, 1, PartOptions('px4'))
    for name in ('max_speed_xy', 'max_acc_xy', 'max_acc_z'):
        assert agent.parameters[name] == bridge.parameters[name]
    up, down = bridge.parameters['max_speed_up'], bridge.parameters['max_speed_down']
    assert agent.parameters['max_speed_z'] == up == down
    assert agent.parameters['tau_xy'] == 0.4


def test_a_vehicle_of_its_own_has_limits_of_its_own():
    told = FIRST.with_changes({'vehicles': {'agent_vehicles': 'crazyflie_2: 2'}}, 'test')
    own, usual = (agent_part(told, k, PartOptions('px4'))[1].parameters for k in (2, 1))
    assert own['max_acc_xy'] != usual['max_acc_xy']


def test_every_parameter_is_one_of_the_guidance():
    spec = bridge_spec(FIRST, 'uav_1', 'px4', {})
    assert set(spec.parameters) <= set(declarations(GuidanceParameters))


def test_what_is_given_for_one_bridge_counts():
    spec = bridge_spec(FIRST, 'uav_1', 'px4', {'px4_namespace': '', 'max_speed_xy': 1.0})
    assert (spec.parameters['px4_namespace'], spec.parameters['max_speed_xy']) == ('', 1.0)


@pytest.mark.parametrize(
    ('mobility', 'line'),
    [
        ({'max_speed_z': 2.0}, r'max_speed_down = 2\.0'),
        ({'max_speed_xy': 20.0}, r'max_speed_xy = 20\.0'),
        ({'max_speed_z': 0.0}, r'max_speed_up = 0\.0'),
    ],
)
def test_limits_beyond_what_an_autopilot_flies_are_refused_in_one_line(mobility, line):
    fast = FIRST.with_changes({'mobility': mobility}, 'test')
    with pytest.raises(ScenarioError, match=line) as refused:
        agent_part(fast, 1, PartOptions('px4'))
    assert 'vehicle_file:=px4_x500' in str(refused.value)
    assert '\n' not in str(refused.value)


def test_a_filter_that_counts_on_vehicles_which_stop_at_once_is_warned_of():
    assert bridge_warnings(FIRST, ['px4', 'simulated']) == []
    (line,) = bridge_warnings(FIRST, ['px4', 'ardupilot'])
    assert 'safety.silent_flight_time is 1.5 s' in line and 'at least 3' in line
    unset = FIRST.with_changes({'safety': {'silent_flight_time': None}}, 'test')
    (line,) = bridge_warnings(unset, ['px4'])
    assert 'safety.silent_flight_time is not set' in line and 'at least 1' in line
    assert bridge_warnings(unset, ['simulated', 'none']) == []


def test_agents_that_fly_on_without_the_target_for_longer_than_others_assume_are_warned_of():
    long = FIRST.with_changes({'control': {'target_hold_time': 2.0}}, 'test')
    (line,) = bridge_warnings(long, ['px4'])
    assert 'flies on for 2.5 s' in line and 'target_hold_time to at most 1' in line
    unseen = long.with_changes({'target_sensing': {'target_broadcasts': False}}, 'test')
    assert bridge_warnings(unseen, ['px4']) == bridge_warnings(long, ['simulated']) == []


@pytest.mark.parametrize(
    ('kind', 'text', 'found'),
    [
        ('px4', 'auto', {}),
        ('simulated', 'auto', {}),
        ('px4', 'none', {'px4_namespace': ''}),
        ('ardupilot', 'ap', {'ap_prefix': '/ap'}),
        ('mavros', 'uav1/mavros', {'mavros_namespace': 'uav1/mavros'}),
    ],
)
def test_a_namespace_is_a_parameter_of_the_kind(kind, text, found):
    assert namespace_parameter(kind, text) == found


@pytest.mark.parametrize('text', ['a b', '3x', 'a/', 'a//b', '-'])
def test_what_is_no_namespace_is_refused(text):
    with pytest.raises(ScenarioError, match=r'autopilot_namespace = .* must be auto, none or a'):
        namespace_parameter('px4', text)


@pytest.mark.parametrize('kind', ['ardupilot', 'mavros'])
def test_only_px4_may_have_none(kind):
    with pytest.raises(ScenarioError, match=f'the topics of {kind} always have one'):
        namespace_parameter(kind, 'none')


def test_a_vehicle_without_an_autopilot_has_no_such_namespace():
    with pytest.raises(ScenarioError, match='a vehicle of kind simulated has no autopilot'):
        namespace_parameter('simulated', 'px4_1')


@pytest.mark.parametrize(
    ('kind', 'agent_id', 'first', 'found'),
    [
        ('px4', 3, 1, {'px4_namespace': 'px4_3'}),
        ('px4', 1, 0, {'px4_namespace': ''}),
        ('px4', 3, 21, {'px4_namespace': 'px4_23'}),
        ('ardupilot', 3, 21, {'ap_prefix': '/ap/v3'}),
        ('mavros', 3, 21, {}),
        ('simulated', 3, 21, {}),
    ],
)
def test_instances_follow_the_first_one(kind, agent_id, first, found):
    assert instance_parameter(kind, agent_id, first) == found


@pytest.mark.parametrize('text', ['', '-1', 'x', '254', '252', '1.0', '\u0663'])
def test_an_instance_that_cannot_be_is_refused(text):
    with pytest.raises(ScenarioError, match='must be a number from 0 to 251, for 3 vehicles'):
        first_instance(text, 3)


def test_an_instance_is_a_number():
    assert (first_instance('0', 3), first_instance('251', 3)) == (0, 251)
