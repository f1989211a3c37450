"""Measured on the firmware: names, ids, quality of service, rates."""

from collections import Counter

import pytest
from support.px4_emulator import Cmd, Result
from support.px4_emulator.direct_drive import drive, vehicle_command
from support.px4_emulator.wire import releases

SUFFIXES = {
    '1.14': set(),
    '1.15': set(),
    '1.16': {'vehicle_status_v1'},
    '1.17': {
        'vehicle_status_v1', 'vehicle_local_position_v1', 'home_position_v1', 'battery_status_v1',
    },
    '1.18': {
        'vehicle_status_v4', 'vehicle_command_ack_v1', 'vehicle_local_position_v1',
        'home_position_v1', 'battery_status_v1',
    },
}  # fmt: skip

MISSING = {
    '1.14': {
        'vehicle_command_ack', 'vehicle_land_detected', 'battery_status', 'home_position',
    },
    '1.15': {'vehicle_land_detected', 'home_position'},
    '1.16': set(),
    '1.17': set(),
    '1.18': set(),
}  # fmt: skip


@pytest.mark.parametrize('release', SUFFIXES)
def test_suffixes_by_release(release):
    emulator = drive(release=release).emulator
    names = {emulator.topic_name(topic).rpartition('/')[2] for topic in emulator.out_topics}
    assert {name for name in names if name.rpartition('_v')[2].isdigit()} == SUFFIXES[release]


@pytest.mark.parametrize('release', SUFFIXES)
def test_topics_into_px4_have_no_suffix(release):
    emulator = drive(release=release, instance=2).emulator
    names = [emulator.topic_name(topic, 'in') for topic in releases.IN_TOPICS]
    assert names[2] == '/px4_2/fmu/in/vehicle_command'
    assert not any('_v1' in name for name in names)


@pytest.mark.parametrize('release', MISSING)
def test_missing_topics_are_missing(release):
    hands = drive(release=release)
    hands.run(2.0)
    assert hands.offboard() == (None if release == '1.14' else Result.ACCEPTED)
    assert hands.nav_state == 14
    assert set(releases.FREE) - {sent.topic for sent in hands.log} == MISSING[release]


def test_instance_0_has_no_namespace_and_instance_i_has_px4_i():
    assert drive().emulator.topic_name('vehicle_odometry') == '/fmu/out/vehicle_odometry'
    third = drive(instance=3).emulator
    assert third.topic_name('vehicle_odometry') == '/px4_3/fmu/out/vehicle_odometry'


def test_system_id_is_instance_plus_1():
    hands = drive(1.0, instance=3)
    assert hands.last['vehicle_status'].system_id == 4


def test_out_is_best_effort_transient_local_and_in_is_best_effort_volatile():
    assert releases.OUT_QOS == ('best effort', 'transient local')
    assert releases.IN_QOS == ('best effort', 'volatile')


def rates(release):
    counts = Counter(sent.topic for sent in drive(release=release).run(10.0))
    return {topic: count / 10.0 for topic, count in counts.items()}


def test_rates_of_1_16():
    found = rates('1.16')
    for topic in (
        'vehicle_odometry', 'vehicle_local_position', 'vehicle_global_position',
        'vehicle_attitude', 'battery_status',
    ):  # fmt: skip
        assert found[topic] == pytest.approx(99.0, abs=0.5)
    for topic in ('vehicle_status', 'vehicle_control_mode', 'failsafe_flags'):
        assert found[topic] == pytest.approx(2.0, abs=0.2)
    assert found['vehicle_land_detected'] == pytest.approx(1.0, abs=0.2)
    assert found['timesync_status'] == pytest.approx(14.0, abs=0.2)
    assert found['home_position'] <= 0.1


def test_rates_of_1_17_are_capped_but_odometry():
    found = rates('1.17')
    assert found.pop('vehicle_odometry') == pytest.approx(99.0, abs=0.5)
    assert max(found.values()) == pytest.approx(50.0, abs=0.2)
    assert found['battery_status'] == pytest.approx(1.0, abs=0.11)


@pytest.mark.parametrize(('release', 'most'), [('1.16', 0.04), ('1.17', 0.22)])
def test_status_comes_with_a_change_of_mode(release, most):
    """From 1.17 on at most 5 times a second."""
    hands = drive(1.03, release=release)
    hands.emulator.receive('vehicle_command', vehicle_command(Cmd.NAV_LAND))
    assert hands.until(lambda: hands.last['vehicle_status'].nav_state == 18) <= most


def test_the_service_answers_in_20_to_40_ms():
    hands = drive(0.0, instance=1)
    times = []
    for _ in range(20):
        start, answers = hands.emulator.now, []
        call = vehicle_command(Cmd.DO_SET_MODE, 2, param1=1.0, param2=6.0)
        assert hands.emulator.call_service(call, answers.append)
        assert not hands.emulator.call_service(call, answers.append), 'it has one slot'
        hands.until(lambda found=answers: found)
        assert answers[0].result == Result.ACCEPTED
        times.append(hands.emulator.now - start)
        hands.run(0.5)
    assert min(times) >= 0.02 and max(times) <= 0.061


def test_no_service_in_1_14():
    assert not drive(release='1.14').emulator.call_service(vehicle_command(176), print)
