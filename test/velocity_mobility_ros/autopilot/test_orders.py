"""What a bridge does with copies of orders, by its own clock alone; who belongs to a fleet."""

import math

import pytest

from velocity_mobility_ros.autopilot.engage.autopilot_exchange import OPERATOR_LOST
from velocity_mobility_ros.autopilot.engage.engage_records import Request
from velocity_mobility_ros.autopilot.fleet_member import (
    FORGOTTEN, SILENT, FleetMember, Peer, remembered, silent_peers, with_peer
)
from velocity_mobility_ros.autopilot.fleet_orders import (
    ASKED, AT_ONCE, RELEASED, VALID_FOR, FleetOrder, MalformedOrderError, OrderMemory, answered,
    fields_of, read_order, received
)
from velocity_mobility_ros.core.user_errors import ParameterError

NOW, WALL_NS = 500.0, 1_800_000_000_000_000_000
NEVER = -math.inf


def order(request=Request.HOLD, order_id='a', age=0.0, copy=0, start=AT_ONCE, wall_ns=WALL_NS):
    """Return a copy that was sent at a time of the wall."""
    stamp_ns = wall_ns - round(1e9 * age)
    return FleetOrder(order_id, request, (), 'ann', stamp_ns, age, copy, start)


def heard(*copies, memory=None, armed_at=NEVER):
    """Return the memory after copies at times since NOW, and what was asked of the bridge."""
    asked, memory = [], memory or OrderMemory()
    for after, one in copies:
        wall_ns = WALL_NS + round(1e9 * after)
        taken = received(memory, one, NOW + after, wall_ns, armed_at)
        memory = taken.memory
        if taken.request is not None:
            asked.append(taken.request)
            if taken.request is not Request.GO:
                memory = answered(memory, one, True, 'as asked')
    return memory, asked


def test_a_safe_order_is_carried_out_at_its_first_copy_and_once():
    _, asked = heard((0.0, order()), (0.1, order(age=0.1, copy=1)), (9.0, order(age=9.0, copy=90)))
    assert asked == [Request.HOLD]


@pytest.mark.parametrize('request_', [Request.TAKE_OFF, Request.ENGAGE, Request.RESET])
def test_another_order_needs_a_second_copy_that_did_not_wait_with_the_first(request_):
    first, second = order(request_), order(request_, age=0.1, copy=1)
    assert heard((0.0, first))[1] == heard((0.0, first), (0.01, second))[1] == []
    assert heard((0.0, first), (0.1, second))[1] == [request_]


def test_a_copy_from_long_ago_needs_a_second_one_also_with_clocks_that_differ():
    old = order(wall_ns=WALL_NS - 60 * 10**9)
    assert heard((0.0, old))[1] == []
    again = old._replace(age=0.1, copy=1)
    assert heard((0.0, old), (0.1, again))[1] == [Request.HOLD]


def test_an_order_expires():
    assert heard((0.0, order(age=VALID_FOR + 0.1)))[1] == []


def test_an_older_order_is_refused_and_says_so():
    memory, asked = heard((0.0, order()), (0.5, order(Request.LAND, 'b', age=1.0)))
    assert asked == [Request.HOLD]
    assert not memory.answered.accepted
    assert memory.answered.text == 'given 0.5 s before the order that counts (hold)'


def test_an_order_from_before_the_arming_is_refused():
    memory, asked = heard((0.0, order(age=3.0)), armed_at=NOW - 1.0)
    assert asked == []
    assert memory.answered.text == 'given 2.0 s before the vehicle was armed'
    assert heard((0.0, order(age=0.5)), armed_at=NOW - 1.0)[1] == [Request.HOLD]


def taken_off(release_after):
    """Return what was asked of a bridge whose take-off is released some time after it."""
    first, second = order(Request.TAKE_OFF, start=ASKED), None
    second = first._replace(age=0.1, copy=1)
    release = first._replace(age=0.1 + release_after, copy=9, start=RELEASED)
    return heard((0.0, first), (0.1, second), (0.1 + release_after, release))[1]


def test_a_take_off_is_asked_and_then_released():
    assert taken_off(1.0) == [Request.TAKE_OFF, Request.GO]


def test_a_release_that_was_on_its_way_for_longer_than_the_lease_does_not_count():
    assert taken_off(OPERATOR_LOST + 0.2) == [Request.TAKE_OFF]


def test_one_that_was_not_asked_before_the_release_stays():
    late = order(Request.TAKE_OFF, start=RELEASED)
    memory, asked = heard((0.0, late), (0.1, late._replace(age=0.1, copy=1)))
    assert asked == [] and 'before this vehicle was asked' in memory.answered.text


def test_texts_say_all_of_an_order():
    one = order(Request.TAKE_OFF, start=ASKED, age=1.25, copy=7)._replace(members=('a', 'b'))
    assert read_order('ann', fields_of(one)) == one


@pytest.mark.parametrize(
    ('key', 'text', 'line'),
    [
        ('kind', 'dance', "kind = 'dance' must be one of"), ('kind', 'go', 'must be one of'),
        ('kind', 'release', 'must be one of'), ('order_id', '', 'order_id = '),
        ('start', 'soon', 'start = '), ('age_s', '-1', 'age_s = '), ('age_s', 'nan', 'age_s = '),
        ('copy', '1.5', 'copy = '), ('stamp_ns', '', 'stamp_ns = '),
        ('valid_for_s', 'inf', 'valid_for_s = '),
    ],
)  # fmt: skip
def test_a_malformed_order_is_none(key, text, line):
    with pytest.raises(MalformedOrderError, match=line):
        read_order('ann', {**fields_of(order()), key: text})


def test_one_that_was_in_the_air_is_never_forgotten():
    peers = with_peer({}, 'uav_1', Peer(0.0, 'TRACK', True))
    peers = with_peer(peers, 'uav_2', Peer(0.0, 'READY', False))
    assert [*remembered(peers, FORGOTTEN)] == ['uav_1', 'uav_2']
    assert [*remembered(peers, FORGOTTEN + 1.0)] == ['uav_1']


def test_a_silent_one_is_told_with_what_it_did():
    peers = with_peer({}, 'uav_1', Peer(0.0, 'TRACK', True))
    assert silent_peers(peers, SILENT) == {}
    assert silent_peers(peers, 41.0) == {'uav_1': 'TRACK 41 s ago'}


@pytest.mark.parametrize('name', ['', 'uav_1', 'uav_2,uav_3', 'uav 2', '2', 'uav_2\n', 'u' * 81])
def test_who_has_no_name_of_a_vehicle_or_the_own_one_is_not_heard(name):
    member = FleetMember('uav_1', '1', '', lambda *_: None)
    member.hear(name, {'state': 'TRACK', 'armed': 'true'}, 0.0)
    assert (member.values(0.0)['fleet'], member.values(60.0)['silent']) == ('uav_1', '')


@pytest.mark.parametrize(
    ('name', 'fleet', 'line'),
    [
        ('u' * 81, '', "namespace: 'uuu.* is no name of a vehicle: it must be letters, digits"),
        ('uav_1', 'uav_1; uav_2', "fleet: 'uav_1; uav_2' is no name"),
        ('uav_1', 'uav_1, 2', "fleet: '2' is no name"),
    ],
)
def test_a_name_that_nobody_would_hear_is_refused_at_the_start(name, fleet, line):
    with pytest.raises(ParameterError, match=line):
        FleetMember(name, '1', fleet, lambda *_: None)


def test_what_another_one_did_is_told_in_short():
    member = FleetMember('uav_1', '1', '', lambda *_: None)
    member.hear('u' * 80, {'state': 'T' * 1_000_000}, 0.0)
    assert 80 < len(member.values(60.0)['silent']) < 200
