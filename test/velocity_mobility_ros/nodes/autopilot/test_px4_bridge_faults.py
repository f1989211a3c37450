"""What goes wrong in flight and needs DDS to do so, with an emulated PX4: clocks, agent, commands.

Whatever ends offboard mode, only the operator's word brings it back. PX4's strict mode sees to it:
requests after a pilot's, or setpoints in another mode, are violations.
"""

import math
import os
import time
from pathlib import Path

import pytest
from geometry_msgs.msg import Twist

from support.autopilot.places import speed, velocity
from support.autopilot.sky import Sky

pytestmark = [pytest.mark.ros, pytest.mark.nightly]

CLOCK, FLIES = 2, 3
FLEET = (42, 43, 44, 45)
LINK_DOWN = ('heartbeat_gap', 'left_in_offboard')
"""Rules that a bridge cannot keep whose messages do not arrive."""

DAY = 86_400.0
"""Stamps of boot differ by years from the clock [s]."""

SOAK = float(os.environ.get('SOAK_SECONDS', '60'))
"""How long four vehicles fly [s]."""

LARGEST_GAP = 0.25
"""Between two heartbeats, of which PX4 needs one in a second [s]."""

MORE_MEMORY = 4.0
"""By so much a process may grow once it flies [MB]."""


@pytest.fixture(scope='module')
def sky(open_sky):
    """Return vehicles on the ground, with their bridges."""
    found = open_sky({CLOCK: {'time_jump_period': 1.5}, FLIES: {}})
    found.start(CLOCK, odometry_stamp='sample')
    found.start(FLIES, status_timeout=2.0)
    return found


def test_e25_a_jump_of_the_clocks_is_no_loss_and_no_stamp_is_of_boot(sky):
    vehicle = sky.tracking(CLOCK, command=(0.0, 1.0, 0.0, 0.0))
    vehicle.odometry.clear()
    sky.wait(lambda: len(vehicle.odometry) > 150, 'odometry with jumps of the clock')
    sky.px4s.do(CLOCK, 'time_jump', by=5.0)
    vehicle.wait('TRACK')
    count = len(vehicle.odometry)
    sky.wait(lambda: len(vehicle.odometry) > count + 100, 'odometry after a jump of 5 s')
    stamps = [m.header.stamp.sec + 1e-9 * m.header.stamp.nanosec for _, m in vehicle.odometry]
    assert all(abs(stamp - time.time()) < DAY for stamp in stamps) and stamps == sorted(stamps)
    assert vehicle.state == 'TRACK' and sky.px4s[CLOCK].mode == 'OFFBOARD'
    assert sky.broken() == {}
    sky.stop(CLOCK)


def test_e11_a_command_that_is_not_finite_is_no_command(sky):
    vehicle = sky.tracking(FLIES, command=(2.0, 0.0, 0.0, 0.0))
    sky.wait(lambda: speed(sky.px4s[FLIES]) > 1.5, 'the vehicle to fly')
    vehicle.command = (2.0, math.nan, 0.0, 0.0)
    vehicle.wait('HOLD')
    vehicle.command = None
    sky.wait(lambda: speed(sky.px4s[FLIES]) < 0.3, 'a halt')
    assert any('cmd_vel: refused' in line for line in sky.bridges[FLIES].lines('WARN'))
    assert sky.broken() == {}


def test_e11_of_a_burst_the_newest_command_counts(sky):
    vehicle = sky.tracking(FLIES)
    sky.wait(lambda: speed(sky.px4s[FLIES]) < 0.3, 'a halt')
    vehicle.command = None
    old, new = Twist(), Twist()
    old.linear.x, new.linear.y = -3.0, 2.0

    def is_flown():
        for message in (*[old] * 40, new):
            vehicle.publish(message)
        east, north, _ = velocity(sky.px4s[FLIES])
        return north > 1.5 and abs(east) < 0.7

    sky.wait(is_flown, 'the newest command')


def test_e22_the_agent_restarts_in_flight(sky):
    vehicle = sky.tracking(FLIES, command=(1.0, 0.0, 0.0, 0.0))
    sky.px4s.do(FLIES, 'agent_down', seconds=0.1)
    vehicle.wait('LINK_LOST')
    assert vehicle.level == b'\2' and 'autopilot' in vehicle.reason
    sky.wait(lambda: sky.px4s[FLIES].mode == 'AUTO_LOITER', "PX4's own failsafe")
    vehicle.wait('EXTERNAL')
    assert 'engage again' in vehicle.reason
    assert sky.stays(
        lambda: sky.px4s[FLIES].mode == 'AUTO_LOITER' and vehicle.state == 'EXTERNAL', FLIES
    )
    sky.engage(FLIES)
    assert sky.broken(LINK_DOWN) == {}


def memory(pid: int) -> float:
    """Return the memory of a process [MB]."""
    lines = Path(f'/proc/{pid}/status').read_text(encoding='ascii').splitlines()
    return int(next(line for line in lines if line.startswith('VmRSS')).split()[1]) / 1e3


@pytest.mark.timeout(SOAK + 300.0)
def test_e33_for_long_nothing_grows_and_no_heartbeat_is_late(domain, tmp_path):
    strict = {'heartbeat_gap': LARGEST_GAP}
    with Sky(tmp_path, domain, {k: {'strict': strict} for k in FLEET}) as sky:
        sky.start(*FLEET)
        sky.tracking(*FLEET, command=(0.0, 0.3, 0.0, 0.1))
        assert sky.stays(lambda: True, *FLEET)
        before, end = {k: memory(sky.bridges[k].pid) for k in FLEET}, sky.px4s.time + SOAK
        sky.wait(lambda: sky.px4s.time > end, 'the end of the flight', SOAK + 60.0)
        for k in FLEET:
            assert 'HOLD_REENTRY' not in {state for state, _ in sky[k].history[-3:]}
            assert sky[k].state == 'TRACK' and sky.bridges[k].complaints == []
            assert memory(sky.bridges[k].pid) < before[k] + MORE_MEMORY
        assert sky.broken() == {}
