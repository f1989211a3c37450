"""When a bridge counts as reporting."""

import pytest
from soliton_encirclement_ros.cli.fly.sighting import UNSEEN, silence
from support.fly.reports import sighting


def test_one_report_may_be_left_from_long_ago():
    assert silence(sighting(reports=1)) == 'its bridge has reported only once'


@pytest.mark.parametrize(('age', 'is_live'), [(0.3, True), (2.0, True), (2.01, False)])
def test_old_reports_do_not_count(age, is_live):
    assert sighting(age=age).is_live == is_live


def test_what_others_hear_of_it_is_said():
    told = UNSEEN._replace(told='another bridge hears it')
    assert silence(told) == 'not heard here; another bridge hears it'


def test_what_is_missing_is_said():
    assert silence(UNSEEN).startswith('not heard: start its bridge')
    assert silence(sighting(age=7.04)) == 'its bridge has not reported for 7.0 s, at most 2 s'
