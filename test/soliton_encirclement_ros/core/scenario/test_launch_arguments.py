"""Arguments of a launch: what they mean, and which nobody declared."""

import re

import pytest
from soliton_encirclement_ros.core.errors import RunError, ScenarioError
from soliton_encirclement_ros.core.scenario.launch_arguments import (
    agent_again,
    chosen,
    launched_scenario,
    number,
    refuse_undeclared,
)

DECLARED = ('agents', 'scenario', 'set')


def test_an_empty_argument_changes_nothing():
    given = {'scenario': 'still', 'agents': '', 'controller': '', 'set': '', 'vehicle_file': ''}
    assert launched_scenario(given) == launched_scenario({'scenario': 'still'})


def test_arguments_replace_what_the_scenario_says(tmp_path):
    vehicle = tmp_path / 'small.yaml'
    vehicle.write_text('mobility: {max_speed_xy: 3.0, tau_xy: 0.4}', encoding='utf-8')
    scenario = launched_scenario({
        'scenario': 'still', 'agents': '3', 'duration': '12.5', 'seed': '7',
        'controller': 'two_channel', 'vehicle_file': str(vehicle),
        'set': 'mobility.tau_xy=0.5; failure.failure_schedule=1..2: 1; 3..: 2',
    })  # fmt: skip
    run, body = scenario.run, scenario.mobility
    assert (run.num_agents, run.sim_duration, run.seed) == (3, 12.5, 7)
    assert scenario.control.controller == 'two_channel'
    assert (body.max_speed_xy, body.tau_xy) == (3.0, 0.5)
    assert scenario.failure.failure_schedule == '1..2: 1; 3..: 2'


def test_a_refused_argument_is_named():
    with pytest.raises(ScenarioError, match=r"^launch arguments: run: num_agents = 'x' is a str"):
        launched_scenario({'scenario': 'still', 'agents': 'x'})


@pytest.mark.parametrize(('text', 'value'), [('3', 3), ('3.5', 3.5), ('x', 'x'), ('', '')])
def test_numbers(text, value):
    assert number(text) == value


@pytest.mark.parametrize(('text', 'value'), [('auto', None), ('true', True), ('false', False)])
def test_a_switch_may_be_left_to_the_plan(text, value):
    assert chosen(text) is value


@pytest.mark.parametrize(
    ('argument', 'line'),
    [
        ('agent:=3', "agent:=3: x.launch.py has no argument 'agent'; did you mean agents:=?"),
        ('zzz:=', "zzz:=: x.launch.py has no argument 'zzz'; arguments are agents, scenario, set"),
    ],
)
def test_what_nobody_declared_is_refused(argument, line):
    with pytest.raises(RunError, match=f'^{re.escape(line)}$'):
        refuse_undeclared('x.launch.py', ['agents:=4', argument], DECLARED)


def test_what_is_declared_or_for_launch_itself_is_taken():
    given = ['agents:=4', 'set:=run.seed:=3', 'launch-prefix:=gdb', 'sigterm_timeout:=3']
    refuse_undeclared('x.launch.py', given, DECLARED)


def test_an_agent_is_started_again_by_the_same_command_without_the_rest():
    words = ['/opt/ros/jazzy/bin/ros2', 'launch', 'ours', 'px4.launch.py', 'id:=3', 'record:=true',
             'set:=a=1; b=2']  # fmt: skip
    again = "ros2 launch ours px4.launch.py id:=3 'set:=a=1; b=2' bridge:=false"
    assert agent_again('px4.launch.py', words) == again
    assert agent_again('px4.launch.py', again.split()[:5]).endswith('id:=3 bridge:=false')
    by_path = ['ros2', 'launch', '/ours/px4.launch.py', 'id:=3']
    assert agent_again('px4.launch.py', by_path) == f'{" ".join(by_path)} bridge:=false'


@pytest.mark.parametrize('words', [
    [], ['/usr/bin/pytest', 'px4.launch.py'], ['ros2', 'launch', 'mine', 'field.launch.py'],
])  # fmt: skip
def test_words_of_another_program_or_file_are_not_repeated(words):
    told = agent_again('px4.launch.py', words)
    assert told == 'px4.launch.py with the same arguments and bridge:=false'
