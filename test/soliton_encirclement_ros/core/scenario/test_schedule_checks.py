"""Scheduled texts are checked when a scenario is built."""

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import Scenario, scenario_from_dict

THREE = {'run': {'num_agents': 3}}


@pytest.mark.parametrize(
    ('section', 'key', 'text', 'message'),
    [
        ('radio', 'partitions', '1..2: 4', "radio.partitions: '4' names no member"),
        ('radio', 'partitions', '1..2', "radio.partitions: '1..2' must be BEGIN"),
        ('radio', 'byzantine', '1..2: 4 nan', "radio.byzantine: '4' names no member"),
        ('radio', 'byzantine', '1..2: 3 loud', "radio.byzantine: '3 loud' has the kind 'loud'"),
        ('failure', 'failure_schedule', '1..2: 4', "failure.failure_schedule: '4' names no"),
        ('failure', 'failure_schedule', '1..2: 3 3', "failure_schedule: '3' is named twice"),
        ('failure', 'failure_schedule', '1..2: target', "failure_schedule: 'target' names no"),
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


def test_members_in_their_order() -> None:
    assert Scenario().with_changes(THREE, 'x').members == (
        'uav_1', 'uav_2', 'uav_3', 'target', 'adversary',
    )  # fmt: skip
