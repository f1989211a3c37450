"""Policies of fleets: who may do what, in files that SROS2 reads."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from soliton_encirclement_ros.cli.security.policies import (
    GROUND, OPERATOR, VIEWER, Policies, fleet_policies, flight_plan, further_node, policy_text,
    write_policies
)
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.launch_arguments import ARDUPILOT, MAVROS, NONE, PX4
from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from soliton_encirclement_ros.core.states.swarm_topics import Fleet

KINDS = {1: PX4, 2: ARDUPILOT, 3: NONE}
BRIDGE_SERVICES = ('arm_takeoff', 'engage', 'hold', 'land', 'rtl', 'disarm', 'kill', 'reset')


@pytest.fixture(scope='module')
def scenario() -> Scenario:
    """Return the scenario of the first flight."""
    return load_scenario(find_scenario('first_flight'))


@pytest.fixture(scope='module')
def policies(scenario: Scenario) -> Policies:
    """Return the policies of a flight with three kinds of vehicles."""
    return fleet_policies(flight_plan(scenario, KINDS, 1), KINDS, Fleet('/alpha'))


def may(policies: Policies, enclave: str, end: str) -> set[str]:
    """Return the names of one kind of end in an enclave."""
    return {name for one in policies[enclave] for name in getattr(one.allowed, end)}


def test_there_is_an_enclave_for_each_computer(policies: Policies) -> None:
    assert {*policies} == {
        'uav_1', 'uav_2', 'uav_3', GROUND, OPERATOR, VIEWER, 'uav_1_autopilot', 'uav_2_autopilot',
    }  # fmt: skip


def test_only_operators_may_order_and_call(policies: Policies) -> None:
    orders = '/alpha/swarm/fly_orders'
    assert [name for name in policies if orders in may(policies, name, 'publish')] == [OPERATOR]
    called = may(policies, OPERATOR, 'call')
    assert {f'/alpha/uav_1/{name}' for name in BRIDGE_SERVICES} <= called
    assert {'/alpha/swarm/emergency_stop', '/alpha/uav_1/agent/set_parameters'} <= called
    assert may(policies, VIEWER, 'publish') == {'/rosout', '/parameter_events'}
    assert all(name.endswith('/get_parameters') for name in may(policies, VIEWER, 'call'))
    for name in ('uav_1', 'uav_3', GROUND):
        assert may(policies, name, 'call') == set()


def test_a_vehicle_commands_itself_alone(policies: Policies) -> None:
    for name in ('uav_1', 'uav_2', 'uav_3'):
        commands = {one for one in may(policies, name, 'publish') if one.endswith('/cmd_vel')}
        assert f'/alpha/{name}/cmd_vel' in commands
        assert not any('uav_' in one and f'/{name}/' not in one for one in commands)


def test_nobody_but_its_bridge_speaks_with_an_autopilot(policies: Policies) -> None:
    own = {'uav_1': '/px4_1/fmu/', 'uav_2': '/ap/v2/'}
    for vehicle, prefix in own.items():
        for end in ('publish', 'subscribe', 'serve', 'call'):
            speakers = {
                name for name in policies
                if any(one.startswith(prefix) for one in may(policies, name, end))
            }  # fmt: skip
            assert speakers <= {vehicle, f'{vehicle}_autopilot'}
    assert '/ap/v2/arm_motors' in may(policies, 'uav_2', 'call')
    assert '/ap/v2/arm_motors' in may(policies, 'uav_2_autopilot', 'serve')
    assert '/px4_1/fmu/in/vehicle_command' in may(policies, 'uav_1_autopilot', 'subscribe')


def test_a_vehicle_with_odometry_of_its_own_may_publish_it(policies: Policies) -> None:
    agent, vehicle = policies['uav_3']
    assert '/alpha/uav_3/odom' in vehicle.allowed.publish
    assert '/tf' in agent.allowed.subscribe and '/tf' not in policies['uav_1'][0].allowed.subscribe


def test_files_hold_what_is_allowed(policies: Policies, tmp_path: Path) -> None:
    fleet = Fleet('/alpha')
    paths = write_policies(tmp_path / 'new' / 'policies', policies, fleet)
    assert [path.name for path in paths] == [f'{name}.policy.xml' for name in policies]
    for path, (name, profiles) in zip(paths, policies.items(), strict=True):
        root = ElementTree.parse(path).getroot()
        assert root.attrib == {'version': '0.2.0'}
        assert [one.get('path') for one in root.iter('enclave')] == [f'/alpha/{name}']
        written = {one.text for one in root.iter('topic') if one.text}
        assert written == may(policies, name, 'publish') | may(policies, name, 'subscribe')
        services = {one.text for one in root.iter('service')}
        assert services == may(policies, name, 'serve') | may(policies, name, 'call')
        assert len([*root.iter('profile')]) == len(profiles)
        assert {value for one in root.iter('topics') for value in one.attrib.values()} == {'ALLOW'}
    table = (tmp_path / 'new' / 'policies' / 'endpoints.md').read_text(encoding='utf-8')
    assert '| uav_1 | /alpha/uav_1/agent |' in table


def test_the_same_flight_gives_the_same_text(scenario: Scenario, policies: Policies) -> None:
    again = fleet_policies(flight_plan(scenario, KINDS, 1), KINDS, Fleet('/alpha'))
    for name, profiles in policies.items():
        assert policy_text(name, profiles) == policy_text(name, again[name])


def test_an_agent_that_estimates_hears_bearings_instead(scenario: Scenario) -> None:
    changed = scenario.with_changes({'target_sensing': {'target_broadcasts': False}}, 'changes')
    found = fleet_policies(flight_plan(changed, {1: MAVROS}, 1), {1: MAVROS}, Fleet())
    assert '/uav_1/target_bearing' in may(found, 'uav_1', 'subscribe')
    assert '/swarm/target_state' not in may(found, 'uav_1', 'subscribe')
    assert 'uav_1_autopilot' not in found  # MAVROS has a policy of its own


def test_a_further_node_is_allowed_where_it_runs(scenario: Scenario) -> None:
    plan = flight_plan(scenario, KINDS, 1, [further_node('uav_1/trajectory_node', scenario)])
    found = fleet_policies(plan, KINDS, Fleet())
    assert '/uav_1/path' in may(found, 'uav_1', 'subscribe')
    assert '/uav_1/path' in may(found, OPERATOR, 'publish')


@pytest.mark.parametrize(
    ('text', 'message'),
    [('trajectory_node', 'must be MEMBER/EXECUTABLE'), ('uav_9/trajectory_node', 'members are')],
)
def test_a_wrong_further_node_is_refused(scenario: Scenario, text: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        further_node(text, scenario)


def test_a_world_has_no_policy(scenario: Scenario) -> None:
    with pytest.raises(ScenarioError, match='world_node has no policy: it must be one of'):
        fleet_policies([NodeSpec('world_node', '', {})], {}, Fleet())
