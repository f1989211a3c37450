"""What is read from a status of a bridge; what is missing or malformed is not known."""

import math

import pytest
from soliton_encirclement_ros.cli.fly.vehicle_report import read_report
from support.fly.reports import READY
from velocity_mobility_ros.autopilot.engage.states import State


def test_every_value_is_read():
    report = read_report('ready', READY)
    assert (report.state, report.ready, report.armed, report.landed) == (
        State.READY, True, False, True
    )  # fmt: skip
    assert (report.battery, report.position, report.system_id) == (0.9, (1.0, 2.0, 0.0), 2)
    assert (report.clock_offset, report.command_age, report.odometry_age) == (-0.05, 0.02, 0.01)
    assert (report.autopilot, report.mode, report.origin) == ('px4', 'AUTO_LOITER', '47.4,8.5,488')
    assert report.in_words == 'ready'


def test_an_empty_status_says_nothing():
    report = read_report('', {})
    assert (report.state, report.ready, report.armed, report.landed) == (None, False, None, None)
    assert report.position is None and report.system_id == 0
    assert math.isnan(report.battery) and math.isnan(report.clock_offset)
    assert (report.command_age, report.odometry_age) == (math.inf, math.inf)
    assert report.in_words == 'unknown state'


@pytest.mark.parametrize(
    ('key', 'text'),
    [('x', 'unknown'), ('y', 'nan'), ('z', 'inf'), ('x', ''), ('y', '1,0')],
)
def test_a_position_with_a_number_that_is_none_is_not_known(key, text):
    assert read_report('', {**READY, key: text}).position is None


@pytest.mark.parametrize('text', ['unknown', 'nan', 'inf', '', 'True'])
def test_other_values_that_are_none_are_not_known(text):
    report = read_report('', {**READY, 'battery': text, 'armed': text, 'system_id': text})
    assert math.isnan(report.battery)
    assert (report.armed, report.system_id) == (None, 0)


def test_only_the_word_true_is_ready():
    assert not read_report('', {**READY, 'ready': 'True'}).ready
    assert not read_report('', {**READY, 'ready': '1'}).ready


def test_a_state_of_a_later_release_is_none():
    assert read_report('', {**READY, 'state': 'DANCE'}).state is None


def test_long_texts_are_cut():
    assert len(read_report('x' * 1000, {'waits_for': 'y' * 1000}).reason) == 300
