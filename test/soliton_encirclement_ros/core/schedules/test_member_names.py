"""How scheduled texts name members."""

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.schedules.member_names import to_member

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
