"""Paths of a scenario, read and checked: whatever is wrong with one is a line."""

import math
from pathlib import Path
from typing import Any

import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from velocity_mobility_ros.core.trajectory.polyline import Polyline

HEAD = 'x,y,z,t\n'


def target_on(folder: Path, text: str, name: str = 'way.csv', **values: Any) -> Scenario:
    """Return a scenario whose target flies a path."""
    (folder / name).write_text(text, encoding='utf-8')
    paths = {'target_path': str(folder / name), **values}
    return Scenario().with_changes({'paths': paths}, 'test')


def test_a_leader_stays_within_what_the_vehicle_can_follow(tmp_path):
    plan = target_on(tmp_path, HEAD + '1,2,0,\n9,2,0,\n').planned_paths['target']
    assert isinstance(plan.way, Polyline) and plan.start == (1.0, 2.0, 0.0)
    assert plan.reach == pytest.approx(math.sqrt(85.0))
    assert plan.settings.limits.max_speed == 7.5
    assert plan.settings.limits.max_acceleration == 2.5
    assert plan.guidance == (1.0, 2.0, 1.0, 1.2, 0.05)


def test_parameters_lower_the_limits(tmp_path):
    slow = {'path_max_speed': 3.0, 'path_max_acceleration': 0.5, 'path_cruise_speed': 2.0}
    plan = target_on(tmp_path, HEAD + '0,0,0,\n9,0,0,\n', **slow).planned_paths['target']
    assert plan.settings.limits[:3] == (3.0, 0.5, 1.0)
    assert plan.settings.cruise_speed == 2.0


def test_a_member_with_a_vehicle_of_its_own_has_its_limits(tmp_path):
    (tmp_path / 'way.csv').write_text(HEAD + '0,0,0,\n9,0,0,\n', encoding='utf-8')
    changes = {
        'paths': {'target_path': str(tmp_path / 'way.csv')},
        'vehicles': {'target_vehicle': 'superdroid_hd2'},
    }
    plan = Scenario().with_changes(changes, 'test').planned_paths['target']
    assert plan.settings.limits.max_speed == 0.75


def test_a_first_time_after_the_start_is_waited_for(tmp_path):
    plan = target_on(tmp_path, HEAD + '5,0,0,4\n9,0,0,20\n').planned_paths['target']
    assert plan.way.vertices[1].tolist() == [5.0, 0.0, 0.0, 4.0]
    assert plan.start == (5.0, 0.0, 0.0)


def test_a_changed_file_is_read_again(tmp_path):
    first = target_on(tmp_path, HEAD + '1,0,0,\n9,0,0,\n')
    second = target_on(tmp_path, HEAD + '2,0,0,\n9,0,0,\n')
    starts = [one.planned_paths['target'].start[0] for one in (first, second)]
    assert starts == [1.0, 2.0]


@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        ('0,0,0,0\n50,0,0,2\n', r'vertex 1 at 2 s: 50 m from the one before need 10.* s too few'),
        ('0,0,0,0\n5,0,0,9\n9,0,0,4\n', 'point 3: .*4 s, 9 s before'),
        ('0,0,0,\nnan,0,0,\n', "line 3: x = 'nan' must be a finite number"),
        ('0,0,0,-3\n9,0,0,9\n', 'point 1: t = -3 s must not be before the start, 0'),
        ('0,0,0,1780000000\n9,0,0,1780000009\n', 'point 1: t = 1780000000 s is a date; times'),
    ],
)
def test_what_is_refused_names_parameter_file_and_point(tmp_path, text, reason):
    with pytest.raises(ScenarioError, match=reason) as caught:
        target_on(tmp_path, HEAD + text)
    assert 'paths.target_path: ' in str(caught.value) and 'way.csv' in str(caught.value)
    assert '\n' not in str(caught.value)


@pytest.mark.parametrize(
    ('changes', 'reason'),
    [
        ({'paths': {'target_path': 'nowhere.csv'}}, 'nowhere.csv: No such file'),
        ({'paths': {'target_path': '.'}}, 'no path file .* and no recorded run'),
    ],
)
def test_what_is_not_there_is_said(changes, reason):
    with pytest.raises(ScenarioError, match=reason):
        Scenario().with_changes(changes, 'test')


def test_a_robot_on_the_ground_does_not_climb(tmp_path):
    (tmp_path / 'way.csv').write_text(HEAD + '0,0,0,\n9,0,3,\n', encoding='utf-8')
    changes = {
        'paths': {'target_path': str(tmp_path / 'way.csv')},
        'vehicles': {'target_vehicle': 'superdroid_hd2'},
    }
    with pytest.raises(ScenarioError, match='the vehicle cannot fly it'):
        Scenario().with_changes(changes, 'test')


def test_random_numbers_of_the_original_have_no_paths(tmp_path):
    with pytest.raises(ScenarioError, match=r'paths.target_path = .* with run.rng'):
        target_on(tmp_path, HEAD + '0,0,0,\n9,0,0,\n').with_changes(
            {'run': {'rng': 'reference'}}, 'test'
        )
