"""What a live page is told of a swarm."""

import math
import time

import pytest

from soliton_encirclement_ros.cli.live.swarm_picture import (
    COLUMNS, SILENT_AFTER, Flag, LiveBodyState, SwarmPicture
)

PLACE = {name: i for i, name in enumerate(COLUMNS)}
STILL = (0.0, 0.0, 0.0)


def on_ring(angle, **more):
    place = (20.0 * math.cos(angle), 20.0 * math.sin(angle), 10.0)
    return LiveBodyState(place, STILL, heard_at=time.monotonic(), **more)


def ring(**more):
    """Return the picture of three agents, evenly round a target, and a vehicle beside."""
    picture = SwarmPicture()
    picture.radius = 20.0
    for k in (1, 2, 3):
        picture.see(f'uav_{k}', on_ring(2.0 * math.pi * k / 3, **(more if k == 2 else {})), 1.0)
    picture.see('target', LiveBodyState(STILL, STILL, heard_at=time.monotonic()), 1.0)
    picture.see('ugv', LiveBodyState((5.0, 0.0, 0.0), (3.0, 4.0, 0.0), 0.3, time.monotonic()), 1.0)
    return picture


def test_nothing_is_told_before_anybody_is_heard():
    assert SwarmPicture().look() is None
    assert SwarmPicture().scene()['names'] == []


def test_places_speeds_headings_and_neighbours():
    picture = ring(neighbours=(1.0, 3.0))
    rows = picture.look().rows[-1]
    names = picture.names
    assert rows[names.index('ugv'), PLACE['v']] == 5.0
    assert rows[names.index('ugv'), PLACE['yaw']] == pytest.approx(0.3)
    two = rows[names.index('uav_2')]
    assert [two[PLACE['pred']], two[PLACE['succ']]] == [0.0, 2.0]
    scene = picture.scene()
    assert scene['kinds'] == ['agent', 'agent', 'agent', 'target', 'other']
    assert (scene['count'], scene['radius']) == (1, 20.0)


def test_metrics_are_those_of_the_live_agents():
    found = ring().look().metrics
    assert (found['time'], found['alive']) == (1.0, 3)
    assert [found[name] for name in ('E_r', 'E_gap', 'rho')] == pytest.approx([0.0] * 3, abs=1e-9)
    assert ring(is_down=True).look().metrics['E_gap'] > 0.2  # a gap of two thirds
    without = ring()
    without.radius = math.nan
    assert without.look().metrics is None


def test_what_changes_is_an_event_once():
    picture = ring()
    picture.look()
    picture.see('uav_2', on_ring(3.0, is_down=True), 2.0)
    picture.stopped = frozenset({'uav_3'})
    told = [(one.name, one.text, one.is_bad) for one in picture.look().events]
    assert told == [('uav_2', 'down', True), ('uav_3', 'stopped by the operator', True)]
    assert picture.look().events == []
    picture.see('uav_2', on_ring(3.0), 3.0)
    assert [one.text for one in picture.look().events] == ['up again']
    assert [event[2] for event in picture.scene()['events']] == [
        'down', 'stopped by the operator', 'up again']  # fmt: skip


def test_a_near_miss_is_an_event_at_each_threshold():
    picture = ring()
    picture.look()
    told = []
    for angle in (0.0, 0.08, 0.0, 0.04, 0.02, 0.0, 0.5, 0.04):  # uav_3 is at 0
        picture.see('uav_1', on_ring(angle or 0.3), picture.now + 1.0)
        told += [(one.name, one.text) for one in picture.look().events]
    near = [f'nearer than {metres} m to uav_3' for metres in ('2', '1', '0.5', '1')]
    assert told == [('uav_1', text) for text in near]


def test_who_is_silent_has_no_place_and_is_told():
    picture = ring()
    picture.look()
    quiet = on_ring(1.0)._replace(heard_at=time.monotonic() - 2.0 * SILENT_AFTER)
    picture.see('uav_1', quiet, 1.1)
    found = picture.look()
    row = found.rows[-1, picture.names.index('uav_1')]
    assert math.isnan(row[PLACE['x']]) and int(row[PLACE['flags']]) & Flag.SILENT
    assert [(one.name, one.text) for one in found.events] == [('uav_1', 'silent')]
