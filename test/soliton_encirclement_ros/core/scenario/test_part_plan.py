"""The parts of a swarm that are started one by one."""

import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.part_plan import (
    PartOptions, adversary_part, agent_part, chosen_agent, chosen_loss_stop, monitor_part,
    part_warnings, recorder_part, safety_part, target_part
)
from soliton_encirclement_ros.core.scenario.placement import ADVERSARY_START, initial_positions
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec, PlanOptions, swarm_plan

REAL = PartOptions('none')


def place(spec: NodeSpec) -> tuple[float, ...]:
    """Return where a simulated vehicle starts [m]."""
    return tuple(spec.parameters[f'initial_{axis}'] for axis in 'xyz')


@pytest.mark.parametrize('options', [PartOptions(), REAL], ids=['simulated', 'real'])
def test_nobody_waits_for_a_radio_that_is_not_simulated(options):
    """Without a world nobody speaks on ``heard``: members hear each other directly."""
    rough = {'radio': {'communication_failure_rate': 0.3}}
    scenario = Scenario().with_changes(rough, 'test')
    specs = [*agent_part(scenario, 1, options), *target_part(scenario, options),
             *adversary_part(scenario, options)]  # fmt: skip
    members = [spec for spec in specs if spec.executable != 'mobility_node']
    assert {spec.parameters['medium'] for spec in members} == {False}


def test_a_simulated_vehicle_comes_along_and_starts_as_in_the_world():
    scenario = Scenario()
    for specs, name, start in (
        (agent_part(scenario, 3, PartOptions()), 'uav_3', initial_positions(scenario)[3]),
        (safety_part(scenario, 2, PartOptions()), 'uav_2', initial_positions(scenario)[2]),
        (target_part(scenario, PartOptions()), 'target', (0.0, 0.0, 0.0)),
        (adversary_part(scenario, PartOptions()), 'adversary', ADVERSARY_START),
    ):
        member, body = specs
        assert body.executable == 'mobility_node'
        assert {member.namespace.strip('/'), body.namespace.strip('/')} == {name}
        assert place(body) == start


def test_a_real_vehicle_gets_stamped_commands_and_never_fails_on_purpose():
    (agent,) = agent_part(Scenario(), 3, REAL)
    assert agent.parameters['enable_stamped_cmd_vel'] is True
    assert agent.parameters['inject_failures'] is False


@pytest.mark.parametrize('vehicle', ['none', 'px4', 'ardupilot', 'mavros'])
def test_an_agent_of_a_real_vehicle_stops_itself_when_the_target_is_long_lost(vehicle):
    slow = Scenario().with_changes({'mobility': {'max_speed_z': 1.0}}, 'test')
    for options, time in (
        (PartOptions(vehicle), 10.0),
        (PartOptions(vehicle, target_loss_stop=30.0), 30.0),
    ):
        assert agent_part(slow, 3, options)[0].parameters['target_loss_stop'] == time
    assert 'target_loss_stop' not in agent_part(slow, 3, PartOptions())[0].parameters


def test_the_time_of_a_lost_target_is_a_number_of_seconds():
    assert [chosen_loss_stop(text) for text in ('0', '12.5')] == [0.0, 12.5]
    for text in ('', 'never', '-1', 'nan', 'inf'):
        with pytest.raises(ScenarioError, match='must be at least 0 s'):
            chosen_loss_stop(text)


def test_the_filter_of_a_vehicle_has_distances_and_limits_of_the_scenario():
    changed = {'safety': {'separation_distance': 3.5}, 'mobility': {'tau_xy': 0.4}}
    (safety,) = safety_part(Scenario().with_changes(changed, 'test'), 2, REAL)
    assert safety.executable == 'safety_node'
    assert safety.parameters['agent_id'] == 2
    assert safety.parameters['separation_distance'] == 3.5
    assert safety.parameters['tau_xy'] == 0.4
    assert safety.parameters['enable_stamped_cmd_vel'] is True


def test_members_and_monitor_are_those_of_the_plan_but_for_how_they_are_started():
    scenario = Scenario()
    whole = {spec.executable: spec for spec in swarm_plan(scenario, PlanOptions(lockstep=False))}
    parts = [target_part(scenario, REAL)[0], adversary_part(scenario, REAL)[0],
             monitor_part(scenario, '/x')]  # fmt: skip
    for spec in parts:
        same = {key: value for key, value in spec.parameters.items()
                if repr(whole[spec.executable].parameters.get(key)) == repr(value)}  # fmt: skip
        different = set(spec.parameters) - set(same)
        assert different <= {'enable_stamped_cmd_vel', 'monitors', 'recorders', 'world',
                             'watch_duration', 'run_folder', 'inject_failures'}  # fmt: skip


def test_a_scenario_without_an_adversary_has_none_to_start():
    calm = Scenario('calm').with_changes({'adversary': {'adversary_enable': False}}, 'test')
    with pytest.raises(ScenarioError, match=r"^scenario 'calm' has no adversary: adversary\."):
        adversary_part(calm, PartOptions())


def test_the_monitor_watches_without_a_world():
    spec = monitor_part(Scenario(), '/runs/x', 12.0)
    assert (spec.parameters['world'], spec.parameters['watch_duration']) == (False, 12.0)
    assert spec.parameters['run_folder'] == '/runs/x'


def test_a_recorder_alone_outlives_a_power_cut():
    parameters = recorder_part('/bags/x', '/uav_.*').parameters
    assert (parameters['bag'], parameters['include']) == ('/bags/x', '/uav_.*')
    assert parameters['durable'] is True and parameters['lockstep'] is False


@pytest.mark.parametrize('text', ['', '0', '11', 'x', '-1', '1.0', '\u0663'])
def test_an_agent_that_takes_no_part_is_refused(text):
    with pytest.raises(ScenarioError, match='must be a number from 1 to 10, the agents of'):
        chosen_agent(text, Scenario())
    assert chosen_agent('10', Scenario()) == 10


def test_a_radio_that_is_not_simulated_is_named():
    rough = Scenario('rough').with_changes({'radio': {'communication_delay': 0.1}}, 'test')
    (line,) = part_warnings(rough)
    assert line.startswith("the section radio of scenario 'rough' is not simulated here")
    assert part_warnings(Scenario()) == []
