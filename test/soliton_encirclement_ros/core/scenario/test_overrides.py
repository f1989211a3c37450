"""Changes from the command line on top of a scenario."""

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.overrides import (
    COMMAND_LINE,
    LAUNCH,
    apply_changes,
    asked_scenario,
    split_settings,
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario


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
        asked_scenario('still', ['seed=1'], '', {}, LAUNCH)
    with pytest.raises(ScenarioError, match=r'^launch arguments: run: seed = -1 must be'):
        asked_scenario('still', [], '', {'run': {'seed': -1}}, LAUNCH)
