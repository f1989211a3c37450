"""Sensors, clocks, schedules and the original's numbers against the rest of a scenario."""

import re

import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import Scenario, scenario_from_dict

BLURRED = {'mobility': {'position_noise_xy': 0.5}}


def changed(**changes: dict) -> Scenario:
    """Return the default scenario with changes."""
    return Scenario().with_changes(changes, 'test')


@pytest.mark.parametrize('name', ['odom_latency', 'command_latency'])
def test_a_latency_as_long_as_the_run_is_refused(name):
    with pytest.raises(ScenarioError) as raised:
        changed(mobility={name: 2.0}, run={'sim_duration': 2.0})
    expected = f'mobility.{name} = 2.0 s must be shorter than the run, run.sim_duration = 2.0 s'
    assert str(raised.value) == f'test: {expected}'
    assert changed(mobility={name: 2.0}, run={'sim_duration': 2.1}).is_sensed


def test_the_original_has_no_sensors():
    with pytest.raises(ScenarioError, match='the original experiment has no noise'):
        changed(run={'rng': 'reference'}, **BLURRED)


def test_a_vehicle_file_is_checked_like_the_section(tmp_path):
    path = tmp_path / 'late.yaml'
    path.write_text('mobility: {command_latency: 3.0}\n')
    with pytest.raises(ScenarioError, match=r'command_latency = 3\.0 s must be shorter'):
        changed(vehicles={'target_vehicle': str(path)}, run={'sim_duration': 1.0})
    late = changed(vehicles={'target_vehicle': str(path)})
    assert late.is_sensed
    assert late.sensor_of('target').delay == 300 and late.sensor_of('uav_1').delay == 0


def test_limits_of_commands_count_their_latency():
    late = changed(mobility={'command_latency': 0.2})
    assert late.limits_of('uav_1').response_delay == 0.2


def test_clocks_that_are_wrong_by_more_than_a_timeout_are_warned_of():
    assert not changed(radio={'clock_offset': 0.2}).warnings
    (line,) = changed(radio={'clock_offset': 0.4}).warnings
    assert line.startswith('radio.clock_offset = 0.4 s is longer than swarm.agent_state_timeout')


def test_the_original_has_no_wrong_clocks():
    with pytest.raises(ScenarioError, match=r"radio\.clock_offset = 0\.1 with run\.rng = 'ref"):
        changed(radio={'clock_offset': 0.1}, run={'rng': 'reference'})


THREE = {'run': {'num_agents': 3}}


@pytest.mark.parametrize(
    ('section', 'key', 'text', 'message'),
    [
        ('radio', 'partitions', '1..2: 4', "radio.partitions: '4' names no member"),
        ('radio', 'byzantine', '1..2: 3 loud', "radio.byzantine: '3 loud' has the kind 'loud'"),
        ('failure', 'failure_schedule', '1..2: 3 3', "failure_schedule: '3' is named twice"),
    ],
)
def test_mistakes_stop_the_start(section: str, key: str, text: str, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        scenario_from_dict({**THREE, section: {key: text}}, 'x', 'file.yaml')
    assert str(caught.value).startswith('file.yaml: ')
    assert message in str(caught.value)


def test_an_adversary_that_is_not_there_cannot_be_named() -> None:
    radio = {'partitions': '1..2: adversary'}
    assert scenario_from_dict({'radio': radio}, 'x', 'y').radio.partitions == '1..2: adversary'
    alone = {'radio': radio, 'adversary': {'adversary_enable': False}}
    with pytest.raises(ScenarioError, match="'adversary' names no member"):
        scenario_from_dict(alone, 'x', 'y')


def test_a_change_of_the_number_of_agents_is_checked_again() -> None:
    flight = Scenario().with_changes({'failure': {'failure_schedule': '0..9: 8'}}, 'x')
    with pytest.raises(ScenarioError, match="'8' names no member; there are the agents 1 to 3"):
        flight.with_changes(THREE, 'command line')


UNKNOWN = [
    ('radio', 'communication_jitter', 0.1),
    ('radio', 'partitions', '1..2: 1'),
    ('radio', 'byzantine', '1..2: 1 nan'),
    ('failure', 'failure_schedule', '1..2: 1'),
]


@pytest.mark.parametrize(('section', 'name', 'value'), UNKNOWN)
def test_what_the_original_does_not_know_is_refused(
    section: str, name: str, value: object
) -> None:
    """In one line that names both parameters; each alone is allowed."""
    asked = Scenario().with_changes({section: {name: value}}, 'x')
    said = re.escape(
        f"{section}.{name} = {value!r} with run.rng = 'reference': the original experiment "
        'does not have this feature; remove one of the two'
    )
    with pytest.raises(ScenarioError, match=f'{said}$'):
        asked.with_changes({'run': {'rng': 'reference'}}, 'x')


def test_what_it_knows_is_allowed() -> None:
    """Loss, delay and range were there."""
    radio = {'communication_failure_rate': 0.1, 'communication_delay': 0.01,
             'communication_transmission_range': 30.0}  # fmt: skip
    Scenario().with_changes({'run': {'rng': 'reference'}, 'radio': radio}, 'x')
