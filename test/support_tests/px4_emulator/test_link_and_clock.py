"""The link and the fleet: losses, delays, order, determinism, several vehicles, cost."""

import time
from dataclasses import replace

import pytest
from support.px4_emulator import Fleet, LinkSettings, Place, Px4Emulator, Settings
from support.px4_emulator.direct_drive import Drive, drive, flying
from support.px4_emulator.wire.link import Link


def passed(settings, count=2000):
    link = Link(settings, 'test')
    found = []
    for k in range(count):
        link.send(k * 10_000, k)
        found += [(k, one) for one in link.due(k * 10_000)]
    return found


def test_an_ideal_link_delivers_at_once_in_order():
    assert passed(LinkSettings()) == [(k, k) for k in range(2000)]


def test_loss_and_duplicates_have_their_shares():
    lost = passed(LinkSettings(loss=0.2))
    assert 0.77 < len(lost) / 2000 < 0.83
    doubled = passed(LinkSettings(duplicates=0.1))
    assert 1.07 < len(doubled) / 2000 < 1.13


def test_delays_lie_in_their_range_and_jitter_reorders():
    found = passed(LinkSettings(delay=0.05, jitter=0.1))
    delays = [at - sent for at, sent in found]
    assert min(delays) >= 5 and max(delays) <= 15
    order = [sent for _, sent in found]
    assert order != sorted(order)


def test_a_link_that_is_cut_loses_what_is_under_way():
    link = Link(LinkSettings(delay=1.0), 'test')
    link.send(0, 'one')
    link.cut()
    link.send(0, 'two')
    assert link.due(10_000_000) == []


def flight(seed):
    bad = LinkSettings(loss=0.05, delay=0.005, jitter=0.02, duplicates=0.02)
    hands = drive(seed=seed, link_in=bad, link_out=bad)
    hands.go((0.0, 0.0, -3.0))
    hands.run(1.2)
    hands.offboard()
    hands.arm()
    hands.run(5.0)
    return [(sent.topic, sent.time, repr(sent.message)) for sent in hands.log]


def test_the_same_seed_gives_the_same_messages():
    first = flight(7)
    assert first == flight(7)
    assert first != flight(8)


def test_steps_of_any_length_give_the_same_messages():
    whole, parts = Px4Emulator(Settings(seed=3)), Px4Emulator(Settings(seed=3))
    found = [one for _ in range(400) for one in parts.step(0.0025)]
    assert repr(found) == repr(whole.step(1.0))


def test_time_begins_where_the_caller_says():
    emulator = Px4Emulator(Settings(), now=1234.5)
    sent = emulator.step(0.02)
    assert sent[0].time == pytest.approx(1234.51)
    assert emulator.now == pytest.approx(1234.52)


def test_vehicles_of_a_fleet_have_their_own_ids_and_obey_only_their_own_commands():
    places = [Place(47.0, 8.0 + 1e-4 * k, 400.0) for k in range(3)]
    fleet = Fleet(places, Settings(vehicle='kinematic'), first=1)
    assert [one.topic_name('vehicle_odometry') for one in fleet.vehicles] == [
        f'/px4_{k}/fmu/out/vehicle_odometry' for k in (1, 2, 3)
    ]
    hands = [Drive(one) for one in fleet.vehicles]
    assert hands[1].command(176, param1=1.0, param2=6.0) == 0
    assert hands[1].command(176, target_system=2, param1=1.0, param2=6.0) is None
    assert [one.nav_state for one in hands] == [4, 14, 4]
    stepped = fleet.step(0.1)
    assert [len(found) > 10 for _, found in stepped] == [True] * 3


def test_vehicles_of_a_fleet_differ_in_their_random_numbers():
    fleet = Fleet([Place(47.0, 8.0, 0.0)] * 2, Settings(vehicle='kinematic'))
    first, second = (found for _, found in fleet.step(0.1))
    assert repr(first) != repr(second)


def test_a_quadrotor_costs_less_than_a_tenth_of_a_core():
    hands = flying(vehicle='quadrotor')
    hands.log.clear()
    start = time.process_time()
    hands.run(10.0)
    assert (time.process_time() - start) / 10.0 < 0.1


def test_settings_can_be_changed_for_each_vehicle():
    one = replace(Settings(), release='1.17', instance=4)
    assert Px4Emulator(one).topic_name('battery_status') == '/px4_4/fmu/out/battery_status_v1'
