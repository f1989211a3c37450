"""What bridges report: their status, when they count as heard, who belongs to the fleet."""

import math

import pytest

from soliton_encirclement_ros.cli.fly.fleet_link import FleetLink
from soliton_encirclement_ros.cli.fly.fleet_state import (
    NOT_HEARD, addressed_fleet, by_number, read_report, silence
)
from soliton_encirclement_ros.cli.operator.addressees import WHOLE_SWARM, Addressees
from soliton_encirclement_ros.core.states.swarm_topics import MAX_MEMBERS
from support.fly.reports import READY, snapshot
from velocity_mobility_ros.autopilot.engage.engage_records import State


def test_every_value_is_read():
    report = read_report('ready', READY)
    assert (report.state, report.ready, report.armed, report.landed) == (
        State.READY, True, False, True
    )  # fmt: skip
    assert (report.battery, report.position, report.system_id) == (0.9, (1.0, 2.0, 0.0), 2)
    assert (report.clock_offset, report.command_age, report.odometry_age) == (-0.05, 0.02, 0.01)
    assert (report.autopilot, report.mode, report.origin) == ('px4', 'AUTO_LOITER', '47.4,8.5,488')
    assert report.state_text == 'ready'


def test_an_empty_status_says_nothing():
    report = read_report('', {})
    assert (report.state, report.ready, report.armed, report.landed) == (None, False, None, None)
    assert report.position is None and report.system_id == 0
    assert math.isnan(report.battery) and math.isnan(report.clock_offset)
    assert (report.command_age, report.odometry_age) == (math.inf, math.inf)
    assert report.state_text == 'unknown state'


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


def test_one_report_may_be_left_from_long_ago():
    assert silence(snapshot(reports=1)) == 'its bridge has reported only once'


@pytest.mark.parametrize(('age', 'is_live'), [(0.3, True), (2.0, True), (2.01, False)])
def test_old_reports_do_not_count(age, is_live):
    assert snapshot(age=age).is_live == is_live


def test_what_others_hear_of_it_is_said():
    told = NOT_HEARD._replace(by_others='another bridge hears it')
    assert silence(told) == 'not heard here; another bridge hears it'


def test_what_is_missing_is_said():
    assert silence(NOT_HEARD).startswith('not heard: start its bridge')
    assert silence(snapshot(age=7.04)) == 'its bridge has not reported for 7.0 s, at most 2 s'


PAIR = {name: snapshot(fleet='uav_1,uav_2') for name in ('uav_1', 'uav_2')}
ALONE = {'uav_1': snapshot(fleet='uav_1')}
TOLD = {'uav_1': snapshot(fleet='uav_1,uav_2', fleet_is_stated='true')}
TELLS = {'uav_1': snapshot(fleet='uav_1,uav_2')}


@pytest.mark.parametrize(
    ('meant', 'seen', 'agents', 'names', 'is_complete'),
    [
        (Addressees(('uav_7',)), PAIR, (), ['uav_7'], True),
        (Addressees((), ('uav_1', 'uav_3')), PAIR, (), ['uav_1', 'uav_2', 'uav_3'], True),
        (WHOLE_SWARM, {}, (), [], False),
        (WHOLE_SWARM, ALONE, (), ['uav_1'], False),
        (WHOLE_SWARM, PAIR, (), ['uav_1', 'uav_2'], True),
        (WHOLE_SWARM, PAIR, ('uav_1', 'uav_3'), ['uav_1', 'uav_2'], False),
        (WHOLE_SWARM, TOLD, ('uav_3',), ['uav_1', 'uav_2'], True),
        (WHOLE_SWARM, TELLS, (), ['uav_1', 'uav_2'], False),
        (WHOLE_SWARM, {**TOLD, 'uav_4': NOT_HEARD}, (), ['uav_1', 'uav_2', 'uav_4'], True),
    ],
)
def test_the_fleet_is_what_operator_or_vehicles_say(meant, seen, agents, names, is_complete):
    assert addressed_fleet(meant, seen, agents) == (names, is_complete)


def test_uav_10_comes_after_uav_9():
    assert sorted(['uav_10', 'b', 'uav_9'], key=by_number) == ['b', 'uav_9', 'uav_10']


def test_a_list_of_names_without_end_is_cut():
    names = ','.join(f'uav_{k}' for k in range(2 * MAX_MEMBERS))
    assert len(read_report('', {'fleet': names}).fleet) == MAX_MEMBERS


def test_who_has_no_name_of_a_vehicle_is_not_heard():
    link = FleetLink()
    link.begin('ann')
    for name in ('uav_1', '', 'uav 2', 'uav_3,uav_4', 'u' * 81):
        link.hear(name, 'ready', READY)
    assert [link.report_count(name) for name in ('uav_1', '', 'uav 2', 'u' * 81)] == [1, 0, 0, 0]


def test_of_earlier_reports_the_answers_are_kept_and_the_last_one_as_it_came():
    link = FleetLink()
    link.begin('ann')
    values = {**READY, 'fleet': 'uav_1,uav_2', 'silent': 'uav_2: TRACK', 'order_id': 'a'}
    for _ in range(3):
        link.hear('uav_1', 'ready', values)
    *earlier, last = link.reports_since('uav_1', 0)
    assert [(each.fleet, each.silent, each.order_id) for each in earlier] == [((), '', 'a')] * 2
    assert (last.fleet, last.silent) == (('uav_1', 'uav_2'), 'uav_2: TRACK')
