"""The separation filter in words."""

from soliton_encirclement_ros.core.run.separation.filter_text import fault_text, filter_text

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


def test_a_filter_that_changed_nothing_is_told_in_short():
    found = {**FILTERED, 'filtered_share': 0.0, 'filtered_share_by_reason': {},
             'filtered_pairs': []}  # fmt: skip
    assert filter_text(found) == 'filter changed 0.0 % of the commands'


def test_old_runs_tell_nothing():
    assert filter_text({}) == filter_text({'filtered_share': None}) == fault_text({}) == ''


def test_only_what_is_out_of_bounds_is_told():
    counts = {'commands_beyond_limits': 0, 'commands_not_finite': 2, 'positions_outside': None}
    assert fault_text(counts) == 'commands that are not finite: 2'
