"""Counts of what the filter did, and the filter in words."""

from soliton_encirclement_ros.core.flight_statistics.filter_tally import (
    MOST_PAIRS, body_name, count_command, fault_text, filter_summary, filter_text, no_commands
)
from soliton_encirclement_ros.core.laws.filter_codes import (
    ADVERSARY_ID, FENCE, NOBODY, NONE, OTHER_ID, SEPARATION, TARGET_ID
)
from soliton_encirclement_ros.core.states.swarm_topics import uav


def test_shares_are_of_all_commands_in_flight():
    tally = no_commands()
    for reason in (NONE, NONE, SEPARATION, FENCE):
        count_command(tally, 3, reason, 4 if reason == SEPARATION else NOBODY)
    found = filter_summary(tally, uav)
    assert found['filtered_share'] == 0.5
    assert found['filtered_share_by_reason'] == {'SEPARATION': 0.25, 'FENCE': 0.25}
    assert found['filtered_pairs'] == [{'agent': 'uav_3', 'pusher': 'uav_4', 'count': 1}]


def test_the_most_frequent_pairs_come_first_and_no_more_than_ten():
    tally = no_commands()
    for agent in range(1, 13):
        for _ in range(agent):
            count_command(tally, agent, SEPARATION, TARGET_ID)
    count_command(tally, 12, SEPARATION, ADVERSARY_ID)
    pairs = filter_summary(tally, uav)['filtered_pairs']
    assert len(pairs) == MOST_PAIRS
    assert pairs[0] == {'agent': 'uav_12', 'pusher': 'target', 'count': 12}
    assert [pair['count'] for pair in pairs] == [*range(12, 2, -1)]


def test_every_id_has_a_name():
    ids = (7, TARGET_ID, ADVERSARY_ID, OTHER_ID, NOBODY)
    names = ['uav_7', 'target', 'adversary', 'another vehicle', '']
    assert [body_name(one) for one in ids] == names
    tally = no_commands()
    count_command(tally, 1, SEPARATION, OTHER_ID)
    (pair,) = filter_summary(tally, uav)['filtered_pairs']
    assert pair['pusher'] == 'another vehicle'


def test_without_a_filter_nothing_is_known():
    nothing = dict.fromkeys(('filtered_share', 'filtered_share_by_reason', 'filtered_pairs'))
    assert filter_summary(None, uav) == filter_summary(no_commands(), uav) == nothing


FILTERED = {
    'filtered_share': 0.1234,
    'filtered_share_by_reason': {'SEPARATION': 0.1, 'LIMITS': 0.0234},
    'filtered_pairs': [{'agent': 'uav_3', 'pusher': 'uav_4', 'count': 17}],
}


def test_share_reasons_and_the_most_frequent_pair_are_told():
    assert filter_text(FILTERED) == (
        'filter changed 12.3 % of the commands (SEPARATION 10.0 %, LIMITS 2.3 %), '
        'most often of uav_3 by uav_4 (17 times)'
    )
    nothing = {'filtered_share_by_reason': {}, 'filtered_pairs': []}
    found = {**FILTERED, 'filtered_share': 0.0, **nothing}
    assert filter_text(found) == 'filter changed 0.0 % of the commands'


def test_faults_and_nothing_are_told_in_short():
    counts = {'commands_beyond_limits': 0, 'commands_not_finite': 2, 'positions_outside': None}
    assert fault_text(counts) == 'commands that are not finite: 2'
    assert filter_text({}) == filter_text({'filtered_share': None}) == fault_text({}) == ''
