"""The radio: who hears a message, how much later, and who is cut off from whom."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.run_parameters import RadioParameters
from soliton_encirclement_ros.core.radio_delivery import Medium
from soliton_encirclement_ros.core.radio_loss_and_delay import (
    drawn_reach, link_number, open_groups, splits_of
)

MEMBERS = ('uav_1', 'uav_2', 'uav_3', 'target', 'adversary')
NEAR = {member: (10.0 * i, 0.0, 0.0) for i, member in enumerate(MEMBERS)}
MESSAGES = 4000

Fate = dict[tuple[int, str], int]


def radio(seed: int = 1, **parameters: object) -> Medium:
    """Return a radio."""
    return Medium(RadioParameters(**parameters), seed, MEMBERS)


def fates(one: Medium, sender: str = 'uav_1', now: Callable[[int], float] = float) -> Fate:
    """Return the delay [ns] of every message of a sender that arrives, by count and listener."""
    return {
        (count, receiver): delay
        for count in range(MESSAGES)
        for receiver, delay in one.receivers(sender, count, now(count), NEAR)
    }


def test_members_have_numbers_that_do_not_depend_on_the_others() -> None:
    assert [link_number(m) for m in ('target', 'adversary', 'uav_1', 'uav_7')] == [0, 1, 2, 8]


@pytest.mark.parametrize(
    ('place', 'hears'),
    [
        ((3.0, 4.0, 12.0), True),
        ((13.0, 0.0, 0.0), True),
        ((3.0, 4.0, 12.0001), False),
        ((0.0, 0.0, -13.1), False),
        ((math.nan, 0.0, 0.0), False),
    ],
)
def test_the_range_is_a_ball(place: tuple, hears: bool) -> None:
    """13 m, the bound included."""
    positions = {**NEAR, 'uav_1': (0.0, 0.0, 0.0), 'uav_2': place}
    link = radio(communication_transmission_range=13.0)
    assert ('uav_2' in dict(link.receivers('uav_1', 0, 0.0, positions))) is hears
    assert ('uav_1' in dict(link.receivers('uav_2', 0, 0.0, positions))) is hears


@pytest.mark.parametrize('rate', [0.05, 0.3, 0.9])
def test_every_link_loses_its_share(rate: float) -> None:
    arrived = fates(radio(communication_failure_rate=rate))
    sigma = math.sqrt(rate * (1.0 - rate) * MESSAGES)
    for receiver in MEMBERS[1:]:
        lost = MESSAGES - len([1 for _, who in arrived if who == receiver])
        assert abs(lost - rate * MESSAGES) < 4.0 * sigma


@pytest.mark.parametrize(('rate', 'count'), [(0.0, 4 * MESSAGES), (1.0, 0)])
def test_all_or_nothing(rate: float, count: int) -> None:
    assert len(fates(radio(communication_failure_rate=rate))) == count


def test_jitter_is_even_on_top_of_the_delay_whatever_is_lost() -> None:
    rough = {
        'communication_delay': 0.1,
        'communication_jitter': 0.2,
        'communication_failure_rate': 0.3,
    }
    delays = list(fates(radio(**rough)).values())
    assert min(delays) >= 100_000_000 and max(delays) <= 300_000_000
    mean = sum(delays) / len(delays)
    assert abs(mean - 2e8) < 4.0 * 2e8 / math.sqrt(12.0 * len(delays))


def test_jitter_shifts_no_loss_and_loss_no_jitter() -> None:
    jitter = fates(radio(communication_jitter=0.1))
    loss = fates(radio(communication_failure_rate=0.3))
    both = fates(radio(communication_jitter=0.1, communication_failure_rate=0.3))
    assert both == {key: jitter[key] for key in loss}


def test_a_partition_holds_while_its_window_is_open_and_heals() -> None:
    link = radio(partitions='20..40: 1 target | 2')
    hears = {
        now: set(dict(link.receivers('uav_1', 0, now, NEAR))) for now in (19.95, 20.0, 39.95, 40.0)
    }
    assert hears[20.0] == hears[39.95] == {'target'}
    assert hears[19.95] == hears[40.0] == set(MEMBERS) - {'uav_1'}


def test_overlapping_partitions_both_count() -> None:
    link = radio(partitions='0..: 1 2; 0..: 2 3')
    assert dict(link.receivers('uav_1', 0, 0.0, NEAR)) == {}
    assert set(dict(link.receivers('target', 0, 0.0, NEAR))) == {'adversary'}


@pytest.mark.parametrize(
    ('parameters', 'clear'),
    [
        ({}, True),
        ({'communication_transmission_range': 40.0}, True),
        ({'communication_transmission_range': 39.9}, False),
        ({'communication_delay': 0.01}, False),
        ({'communication_jitter': 0.01}, False),
        ({'communication_failure_rate': 0.01}, False),
        ({'partitions': '0..1: 1'}, False),
        ({'partitions': '1..2: 1'}, True),
    ],
)
def test_a_clear_radio_is_known_without_looking_at_pairs(parameters: dict, clear: bool) -> None:
    assert radio(**parameters).is_reception_uniform(0.0, list(NEAR.values())) is clear


def test_where_words_are_lost_everybody_draws_near_or_not() -> None:
    """The original's one generator goes on by one number per listener, without losses by none."""
    stream, twin = np.random.default_rng(3), np.random.default_rng(3)
    for dx in (1.0, 9.0) * 20:
        kept = twin.random() > 0.4
        assert drawn_reach(dx, 0.0, 0.0, 25.0, 0.4, stream) == (kept and dx == 1.0)
    assert drawn_reach(3.0, 4.0, 0.0, 25.0, 0.0, stream)
    assert not drawn_reach(3.0, 4.0, 0.1, 25.0, 0.0, stream)
    assert stream.random() == twin.random()


def groups(text: str, now: float) -> list[set[frozenset[str]]]:
    """Return the groups of every open window as sets of members."""
    return [
        {frozenset(m for m in MEMBERS if split[m] == split[member]) for member in MEMBERS}
        for split in open_groups(splits_of(text, MEMBERS), now)
    ]


def test_who_is_not_named_forms_one_more_group() -> None:
    (found,) = groups('20..40: 1 2 | 3', 30.0)
    assert found == {
        frozenset({'uav_1', 'uav_2'}),
        frozenset({'uav_3'}),
        frozenset({'target', 'adversary'}),
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
        splits_of(text, MEMBERS)
