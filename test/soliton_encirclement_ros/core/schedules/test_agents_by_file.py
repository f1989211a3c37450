"""Texts that give files to agents."""

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.schedules.agents_by_file import agents_by_file


def read(text: str) -> dict[str, list[str]]:
    """Return agents by path file."""
    return agents_by_file(text, 'paths.agent_paths', 'path file', 'survey.csv: 2 3')


def test_files_with_their_agents():
    assert read('') == {}
    assert read(' a.csv: 2 3 ; b.yaml:5; a.csv: 4') == {'a.csv': ['2', '3', '4'], 'b.yaml': ['5']}
    assert read('runs/a:b#uav_2: 1') == {'runs/a:b#uav_2': ['1']}


@pytest.mark.parametrize('text', ['a.csv', 'a.csv:', ': 2', 'a.csv: 1; b'])
def test_what_is_not_understood_is_shown_an_example(text):
    with pytest.raises(ScenarioError, match=r'must be a path file, a colon.*survey.csv: 2 3'):
        read(text)
