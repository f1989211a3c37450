"""What goes wrong in flight, with an emulated PX4 over DDS: pilot, kill switch, clocks, links.

Whatever ends offboard mode, only the operator's word brings it back. PX4's strict mode sees to it:
requests after a pilot's, or setpoints in another mode, are violations.
"""

import time

import pytest
from support.autopilot.operator import during
from support.autopilot.places import moved, speed
from support.px4_emulator.settings import LinkSettings

pytestmark = [pytest.mark.ros, pytest.mark.slow, pytest.mark.paced]

LOSSY, CLOCK, PILOT, KILLED = 1, 2, 3, 4
VEHICLES = {
    LOSSY: {'link_in': LinkSettings(0.2, 0.0, 0.1), 'link_out': LinkSettings(0.2, 0.0, 0.1)},
    CLOCK: {'time_jump_period': 1.5}, PILOT: {},
    KILLED: {'parameters': {'com_kill_disarm': 0.5}},
}  # fmt: skip
LINK_DOWN = ('heartbeat_gap', 'left_in_offboard')
"""Rules that a bridge cannot keep whose messages do not arrive."""

FAR = 5.0
"""Largest difference [s] of a stamp and the clock on a slow machine; those of boot are years."""


@pytest.fixture(scope='module')
def sky(open_sky):
    """Return vehicles on the ground, of which the first one takes off."""
    lossy = {name: settings._asdict() for name, settings in VEHICLES[LOSSY].items()}
    found = open_sky(VEHICLES | {LOSSY: lossy})
    found.start(LOSSY)
    found.start(CLOCK, odometry_stamp='sample')
    found.ready(LOSSY)
    found.ask(LOSSY, 'arm_takeoff')
    return found


@pytest.fixture(autouse=True)
def _nothing_forbidden(sky):
    yield
    assert sky.broken() == {}


def requests(one):
    """Return how many requests a bridge has sent to its autopilot, by its newest diagnostics."""
    before = one.status
    deadline = time.monotonic() + 30.0
    while one.status is before:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return int(one.status['requests'])


def test_e25_a_jump_of_the_clocks_is_no_loss_and_no_stamp_is_of_boot(sky):
    one = sky.tracking(CLOCK, command=(0.0, 1.0, 0.0, 0.0))
    one.odometry.clear()
    sky.wait(lambda: len(one.odometry) > 150, 'odometry with jumps of the clock')
    sky.px4s.do(CLOCK, 'time_jump', by=5.0)
    one.wait('TRACK')
    count = len(one.odometry)
    sky.wait(lambda: len(one.odometry) > count + 100, 'odometry after a jump of 5 s')
    stamps = [m.header.stamp.sec + 1e-9 * m.header.stamp.nanosec for _, m in one.odometry]
    arrivals = [1e-9 * at for at, _ in one.odometry]
    assert max(abs(a - b) for a, b in zip(stamps, arrivals, strict=True)) < FAR
    assert stamps == sorted(stamps)
    assert one.state == 'TRACK' and sky.px4s[CLOCK].mode == 'OFFBOARD'
    assert sky.broken() == {}
    sky.stop(CLOCK)


def test_e28_a_flight_with_a_fifth_of_all_messages_lost(sky):
    one = sky[LOSSY]
    one.wait('HOLD')
    start = sky.px4s[LOSSY]
    sky.tracking(LOSSY, command=(2.0, 0.0, 0.0, 0.0))
    sky.wait(lambda: moved(start, sky.px4s[LOSSY])[0] > 4.0, 'the way')
    one.command = None
    sky.landed(LOSSY)
    assert sky.broken(('setpoint_outside_offboard',)) == {}  # the status was lost on its way
    sky.stop(LOSSY)


def test_e12_a_pilot_takes_over_and_gives_back(sky):
    sky.start(PILOT, KILLED, status_timeout=2.0)
    one = sky.tracking(PILOT, command=(3.0, 0.0, 0.0, 0.0))
    sky.wait(lambda: speed(sky.px4s[PILOT]) > 2.0, 'the vehicle to fly')
    sky.px4s.do(PILOT, 'pilot_takes', mode='POSCTL')
    one.wait('EXTERNAL')
    assert 'POSCTL' in one.reason and 'engage again' in one.reason
    sent = requests(one)
    sky.wait(lambda: speed(sky.px4s[PILOT]) < 0.3, 'the pilot to have it')
    assert during(1.0, lambda: one.state == 'EXTERNAL' and sky.px4s[PILOT].mode == 'POSCTL')
    assert requests(one) == sent
    sky.engage(PILOT)
    sky.wait(lambda: speed(sky.px4s[PILOT]) > 2.0, 'the vehicle to fly again')


def test_e22_the_agent_restarts_in_flight(sky):
    one = sky.tracking(PILOT, command=(1.0, 0.0, 0.0, 0.0))
    sky.px4s.do(PILOT, 'agent_down', seconds=0.1)
    one.wait('LINK_LOST')
    assert one.level == b'\2' and 'autopilot' in one.reason
    sky.wait(lambda: sky.px4s[PILOT].mode == 'AUTO_LOITER', "PX4's own failsafe")
    one.wait('EXTERNAL')
    assert 'engage again' in one.reason
    assert during(1.0, lambda: sky.px4s[PILOT].mode == 'AUTO_LOITER' and one.state == 'EXTERNAL')
    sky.engage(PILOT)
    assert sky.broken(LINK_DOWN) == {}


def test_e23_a_kill_switch_is_a_fault_and_final(sky):
    one = sky.tracking(KILLED)
    sky.px4s.do(KILLED, 'kill_switch')
    one.wait('FAULT')
    assert 'disarmed' in one.reason and one.level == b'\2'
    sent = requests(one)
    for verb in ('arm_takeoff', 'engage'):
        accepted, answer = one.ask(verb)
        assert not accepted and 'disarmed' in answer
    assert requests(one) == sent and not sky.px4s[KILLED].armed
    one.command = None
    assert one.ask('reset')[0]
    one.wait('READY')


def test_e22_px4_restarts_on_the_ground(sky):
    one = sky[KILLED]
    one.wait('READY', 'FAULT')
    one.ask('reset')
    sky.px4s.do(KILLED, 'reboot')
    one.wait('WAIT_LINK')
    sky.ready(KILLED)
    assert not sky.px4s[KILLED].armed
