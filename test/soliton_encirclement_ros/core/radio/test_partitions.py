"""Partitions: who is in which group when."""

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.radio.partitions import Partitions

MEMBERS = ('uav_1', 'uav_2', 'uav_3', 'uav_4', 'target', 'adversary')


def groups(text: str, now: float) -> list[set[frozenset[str]]]:
    """Return the groups of every open window as sets of members."""
    return [
        {frozenset(m for m in MEMBERS if split[m] == split[member]) for member in MEMBERS}
        for split in Partitions(text, MEMBERS).open(now)
    ]


def test_who_is_not_named_forms_one_more_group() -> None:
    (found,) = groups('20..40: 1 2 | 3', 30.0)
    assert found == {
        frozenset({'uav_1', 'uav_2'}),
        frozenset({'uav_3'}),
        frozenset({'uav_4', 'target', 'adversary'}),
    }


def test_one_group_alone_is_cut_off_from_the_rest() -> None:
    (found,) = groups('20..: 1 target', 30.0)
    assert found == {
        frozenset({'uav_1', 'target'}),
        frozenset({'uav_2', 'uav_3', 'uav_4', 'adversary'}),
    }


def test_windows_may_overlap() -> None:
    text = '20..40: 1; 30..50: 2'
    assert [len(groups(text, now)) for now in (10.0, 20.0, 30.0, 40.0, 50.0)] == [0, 1, 2, 1, 0]


@pytest.mark.parametrize(
    ('text', 'message'),
    [
        ('1..2: 5 | 1', "^radio.partitions: '5' names no member"),
        ('1..2: 1 2 | 2', "^radio.partitions: '1 2 | 2' names 2 twice"),
    ],
)
def test_bad_texts(text: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=message.replace('|', r'\|')):
        Partitions(text, MEMBERS)
