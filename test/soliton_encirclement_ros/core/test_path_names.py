"""Which member flies which path."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.member_paths import absolute_path, member_paths
from soliton_encirclement_ros.core.parameters.swarm_parameters import MemberPath, PathChoices
from soliton_encirclement_ros.core.scenario.plugin_sections import chosen_files
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.schedules import PATH_FILES

MEMBERS = ('uav_1', 'uav_2', 'uav_3', 'target')


def test_paths_by_member_with_the_settings_of_all():
    choices = PathChoices(target_path='t.csv', agent_paths='a.yaml: 1 3', path_gain=0.5)
    paths = member_paths(choices, MEMBERS)
    assert {name: path.path for name, path in paths.items()} == {
        'target': 't.csv', 'uav_1': 'a.yaml', 'uav_3': 'a.yaml'
    }  # fmt: skip
    assert paths['uav_1'] == MemberPath(path='a.yaml', path_gain=0.5)


def test_an_adversary_that_takes_no_part_has_none():
    choices = PathChoices(adversary_path='a.csv')
    assert member_paths(choices, MEMBERS) == {}
    assert list(member_paths(choices, (*MEMBERS, 'adversary'))) == ['adversary']


@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        ('a.csv: 7', "'7' names no member; there are the agents 1 to 3"),
        ('a.csv: 2; b.csv: 2', 'uav_2 has two paths; give it one'),
        ('a.csv 2', 'must be a path file, a colon'),
    ],
)
def test_agents_that_cannot_fly_it(text, reason):
    with pytest.raises(ScenarioError, match=reason):
        member_paths(PathChoices(agent_paths=text), MEMBERS)


def test_names_count_from_the_folder_of_the_scenario(tmp_path):
    for name in ('t.csv', 'a.yaml'):
        (tmp_path / name).touch()
    (tmp_path / 'run').mkdir()
    given = {'target_path': 't.csv', 'adversary_path': 'run#uav_2', 'agent_paths': 'a.yaml: 1'}
    found = PATH_FILES.with_absolute({**given, 'path_gain': 2.0}, partial(absolute_path, tmp_path))
    assert found == {
        'target_path': f'{tmp_path}/t.csv', 'adversary_path': f'{tmp_path}/run#uav_2',
        'agent_paths': f'{tmp_path}/a.yaml: 1', 'path_gain': 2.0,
    }  # fmt: skip
    assert absolute_path(tmp_path, 'missing.csv') == 'missing.csv'
    assert absolute_path(tmp_path, '9' * 300) == '9' * 300


def test_files_that_are_kept_beside_a_run_are_no_recordings():
    choices = PathChoices(target_path='t.csv', adversary_path='run#target', agent_paths='a.yaml:1')
    flown = SimpleNamespace(**{**vars(Scenario()), 'paths': choices})
    assert chosen_files(flown) == [Path('t.csv'), Path('a.yaml')]
