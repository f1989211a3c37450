"""Who is named in scheduled texts: members, agents that are down, agents by file."""

import math

import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.schedules import PATH_FILES, check_schedule, outages, to_member

MEMBERS = ('uav_1', 'uav_2', 'uav_3', 'target', 'adversary')


@pytest.mark.parametrize(
    ('word', 'member'), [('3', 'uav_3'), ('target', 'target'), ('adversary', 'adversary')]
)
def test_members_by_word(word: str, member: str) -> None:
    assert to_member(word, MEMBERS, 'x.y') == member


STRANGERS = ['0', '4', '03', '-1', '1.0', 'uav_1', 'Target', '|', '٣', '9' * 99]


@pytest.mark.parametrize('word', STRANGERS)
def test_strangers_are_refused(word: str) -> None:
    text = f'^x.y: {word[:40]!r} names no member; there are the agents 1 to 3, target, adversary$'
    with pytest.raises(ScenarioError, match=text.replace('|', r'\|')):
        to_member(word, MEMBERS, 'x.y')


def test_who_is_not_in_the_scenario_cannot_be_named() -> None:
    with pytest.raises(ScenarioError, match=r'there are the agents 1 to 2, target$'):
        to_member('adversary', ('uav_1', 'uav_2', 'target'), 'x.y')


TEXT = '40..48: 3; 0..30: 7 8; 60..: 3'
AGENTS = [f'uav_{k}' for k in range(1, 9)]


@pytest.mark.parametrize(
    ('agent_id', 'spans'),
    [(3, [(40.0, 48.0), (60.0, math.inf)]), (7, [(0.0, 30.0)]), (8, [(0.0, 30.0)]), (1, [])],
)
def test_every_agent_finds_its_own(agent_id: int, spans: list[tuple[float, float]]) -> None:
    assert [window[:2] for window in outages(TEXT, agent_id)] == spans


def test_all_agents_there_are_may_be_named() -> None:
    check_schedule(TEXT, AGENTS)
    check_schedule('', AGENTS)


@pytest.mark.parametrize('word', ['9', 'target'])
def test_others_are_refused(word: str) -> None:
    with pytest.raises(ScenarioError, match=r'^failure\.failure_schedule: .*names no member'):
        check_schedule(f'1..2: 1 {word}', AGENTS)


def read(text: str) -> dict[str, list[str]]:
    """Return agents by path file."""
    return PATH_FILES.by_agents(text)


def test_files_with_their_agents():
    assert read('') == {}
    assert read(' a.csv: 2 3 ; b.yaml:5; a.csv: 4') == {'a.csv': ['2', '3', '4'], 'b.yaml': ['5']}
    assert read('runs/a:b#uav_2: 1') == {'runs/a:b#uav_2': ['1']}


@pytest.mark.parametrize('text', ['a.csv', 'a.csv:', ': 2', 'a.csv: 1; b'])
def test_what_is_not_understood_is_shown_an_example(text):
    with pytest.raises(ScenarioError, match=r'must be a path file, a colon.*survey.csv: 2 3'):
        read(text)
