"""Separation and near misses in words, also of summaries that lack them."""

from soliton_encirclement_ros.core.run.separation.near_miss_text import (
    closest_text,
    near_miss_text,
)
from soliton_encirclement_ros.core.run.separation.near_misses import RATES

OLD = {'min_separation_m': 0.756}


def test_a_summary_of_an_older_version_has_the_distance_alone():
    assert closest_text(OLD) == 'smallest separation 0.76 m'
    assert near_miss_text(OLD) == ''


def test_pair_and_time_are_named():
    summary = {**OLD, 'min_separation_time_s': 3.0, 'min_separation_pair': ['uav_2', 'uav_5']}
    assert closest_text(summary) == 'smallest separation 0.76 m (uav_2 and uav_5 at 3.00 s)'


def test_one_agent_has_no_separation():
    assert closest_text({'min_separation_m': None}) == 'never two agents at once'


def test_near_misses_are_named_by_threshold():
    summary = dict(zip(RATES, (3.0, 1.25, 0.0), strict=True))
    expected = 'near misses per min: 3.0 below 2 m, 1.2 below 1 m, 0.0 below 0.5 m'
    assert near_miss_text(summary) == expected
