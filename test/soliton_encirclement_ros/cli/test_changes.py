"""Changes from the command line on top of a scenario."""

import pytest
from soliton_encirclement_ros.cli.changes import apply_changes
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario import Scenario


def test_a_setting_replaces_one_value_and_no_other():
    changed = apply_changes(Scenario('x'), ['swarm.encirclement_radius=12.5'], {})
    assert changed.swarm.encirclement_radius == 12.5
    assert changed == Scenario('x').with_changes({'swarm': {'encirclement_radius': 12.5}}, '')


@pytest.mark.parametrize(
    ('text', 'value'),
    [('0.5', 0.5), ('2', 2.0), ('null', None), ('~', None), ('', None)],
)
def test_values_are_read_as_yaml(text, value):
    assert apply_changes(Scenario(), [f'mobility.tau_xy={text}'], {}).mobility.tau_xy == value


def test_a_value_may_hold_an_equals_sign():
    with pytest.raises(ScenarioError, match=r"controller = 'a=b' must be one of"):
        apply_changes(Scenario(), ['control.controller=a=b'], {})


def test_the_last_setting_wins_and_an_option_wins_over_it():
    settings = ['run.seed=1', 'run.seed=2']
    assert apply_changes(Scenario(), settings, {}).run.seed == 2
    assert apply_changes(Scenario(), settings, {'run': {'seed': 3}}).run.seed == 3


def test_an_option_that_was_not_given_changes_nothing():
    assert apply_changes(Scenario('x'), [], {'run': {'seed': None}}) == Scenario('x')


@pytest.mark.parametrize('text', ['seed=1', 'run.seed', '=1', 'run=1', 'walk.seed=1', ''])
def test_what_is_not_understood_is_shown_with_the_form_to_use(text):
    with pytest.raises(ScenarioError, match=r'write SECTION.KEY=VALUE with a section among run, '):
        apply_changes(Scenario(), [text], {})


def test_a_refused_value_names_the_command_line():
    with pytest.raises(ScenarioError, match=r'^command line: run: seed = -1 must be at least 0'):
        apply_changes(Scenario(), ['run.seed=-1'], {})


@pytest.mark.parametrize('quote', ['', '"', "'"])
@pytest.mark.parametrize('text', ['', '20..40: 3', '20..40: 3; 60..: 2', '20..40: 1 | 3'])
def test_a_schedule_needs_no_quotes(text, quote):
    changed = apply_changes(Scenario(), [f'radio.partitions={quote}{text}{quote}'], {})
    assert changed.radio.partitions == text


def test_a_number_is_no_schedule():
    with pytest.raises(ScenarioError, match=r"radio.partitions: '3' must be BEGIN..END: WORDS"):
        apply_changes(Scenario(), ['radio.partitions=3'], {})
