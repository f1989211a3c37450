"""Changes on top of a scenario: settings of a command line, arguments of a launch."""

import re

import pytest

from soliton_encirclement_ros.core.errors import RunError, ScenarioError
from soliton_encirclement_ros.core.scenario.launch_arguments import (
    launched_scenario, number, refuse_undeclared
)
from soliton_encirclement_ros.core.scenario.overrides import (
    COMMAND_LINE, LAUNCH, apply_changes, requested_scenario, split_settings
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario

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


def test_a_setting_replaces_one_value_and_no_other():
    changed = apply_changes(Scenario('x'), ['swarm.encirclement_radius=12.5'], {})
    assert changed.swarm.encirclement_radius == 12.5
    assert changed == Scenario('x').with_changes({'swarm': {'encirclement_radius': 12.5}}, '')


@pytest.mark.parametrize(
    ('text', 'value'),
    [('0.5', 0.5), ('null', None), ('', None)],
)
def test_values_are_read_as_yaml(text, value):
    assert apply_changes(Scenario(), [f'mobility.tau_xy={text}'], {}).mobility.tau_xy == value


def test_a_value_may_hold_an_equals_sign():
    with pytest.raises(ScenarioError, match=r"controller = 'a=b' must be one of"):
        apply_changes(Scenario(), ['control.controller=a=b'], {})


@pytest.mark.parametrize(
    ('settings', 'options', 'source', 'words'),
    [
        (['run.seed=1', 'run.seed=2'], {}, COMMAND_LINE, '--set run.seed=1 and --set run.seed=2'),
        (['run.seed=1'], {'seed': 3}, COMMAND_LINE, '--seed 3 and --set run.seed=1'),
        (['run.seed=1'], {'seed': 3}, LAUNCH, 'seed:=3 and set:=run.seed=1'),
        (['run.seed=1', 'run.seed=\n2'], {}, COMMAND_LINE,
         '--set run.seed=1 and --set run.seed= 2'),
    ],
)  # fmt: skip
def test_two_values_for_one_parameter_contradict_each_other(settings, options, source, words):
    with pytest.raises(ScenarioError) as caught:
        apply_changes(Scenario(), settings, {'run': options}, source)
    assert str(caught.value) == f'{words} contradict each other: give one of them'


def test_the_same_value_twice_is_no_contradiction():
    settings = ['run.num_agents=4', 'run.num_agents=4']
    assert apply_changes(Scenario(), settings, {'run': {'num_agents': 4}}).run.num_agents == 4


@pytest.mark.parametrize('text', ['seed=1', 'run.seed', '=1', 'run=1', 'walk.seed=1', ''])
def test_what_is_not_understood_is_shown_with_the_form_to_use(text):
    with pytest.raises(ScenarioError, match=r'write SECTION.KEY=VALUE with a section among run, '):
        apply_changes(Scenario(), [text], {})


@pytest.mark.parametrize('quote', ['', '"', "'"])
@pytest.mark.parametrize('text', ['', '20..40: 3; 60..: 2', '20..40: 1 | 3'])
def test_a_schedule_needs_no_quotes(text, quote):
    changed = apply_changes(Scenario(), [f'radio.partitions={quote}{text}{quote}'], {})
    assert changed.radio.partitions == text


@pytest.mark.parametrize(
    ('text', 'settings'),
    [
        ('', []),
        ('run.seed=3', ['run.seed=3']),
        ('run.seed=3;swarm.ring=x;', ['run.seed=3', 'swarm.ring=x']),
        ('failure.failure_schedule=1..2: 3; 4..: 5 ; run.seed=3',
         ['failure.failure_schedule=1..2: 3; 4..: 5', 'run.seed=3']),
        ("radio.partitions='1..2: 1 | 2' radio.byzantine=", ["radio.partitions='1..2: 1 | 2'",
                                                             'radio.byzantine=']),
    ],
)  # fmt: skip
def test_several_settings_stand_in_one_text(text, settings):
    assert split_settings(text) == settings


def test_a_launch_is_told_in_its_own_words():
    with pytest.raises(ScenarioError, match=r"^set:='seed=1': write SECTION\.KEY=VALUE"):
        requested_scenario('still', ['seed=1'], '', {}, LAUNCH)
    with pytest.raises(ScenarioError, match=r'^launch arguments: run: seed = -1 must be'):
        requested_scenario('still', [], '', {'run': {'seed': -1}}, LAUNCH)
