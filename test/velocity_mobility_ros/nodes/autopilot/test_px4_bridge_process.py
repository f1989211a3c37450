"""The process of a bridge that stands still, is asked to end, fails, or is killed in flight.

A vehicle each, with an emulated PX4 over DDS. PX4's strict mode sees a heartbeat that ends before
offboard mode does.
"""

import signal

import pytest

from support.autopilot.bridge_process import CODE
from support.autopilot.places import speed

pytestmark = [pytest.mark.ros, pytest.mark.nightly]

STOPPED, INTERRUPTED, TERMINATED, BROKEN, MUTE, KILLED = range(11, 17)
LINK_DOWN = ('heartbeat_gap', 'left_in_offboard')

BREAKS = (
    'import signal; from {module} import {name}\n'
    'def fail(*_, **__): raise RuntimeError("planted")\n'
    'signal.signal(signal.SIGUSR1, lambda *_: setattr({name}, "{method}", fail))\n'
)
"""Code of a bridge in which a method fails from a signal on."""

IN_COMMANDS = BREAKS.format(
    module='velocity_mobility_ros.autopilot.bridge', name='Bridge', method='command'
)
IN_REPORTS = BREAKS.format(
    module='velocity_mobility_ros.nodes.autopilot.bridge_report', name='BridgeReport',
    method='update',
)  # fmt: skip


NOT_SHARING = STOPPED, KILLED
"""Bridges that share no memory with others: they may stop in the middle of an access."""

CODES = {BROKEN: IN_COMMANDS, MUTE: IN_REPORTS}


@pytest.fixture(scope='module')
def sky(open_sky):
    """Return vehicles on the ground; each test starts the bridge of its own."""
    found = open_sky({k: {} for k in range(STOPPED, KILLED + 1)})
    found.may_end.update(found.numbers)
    return found


@pytest.fixture(autouse=True)
def _nothing_goes_on(sky):
    yield
    for k in (*sky.bridges,):
        sky[k].command = None
    sky.stop()


def flying(sky, k):
    """Start the bridge of a vehicle, and let it fly at some speed."""
    sky.start(k, code=CODES.get(k, '') + CODE, is_killed=k in NOT_SHARING)
    one = sky.tracking(k, command=(3.0, 0.0, 0.0, 0.0))
    sky.wait(lambda: speed(sky.px4s[k]) > 2.5, 'the vehicle to fly')
    return one


def test_e09_a_bridge_that_stood_still_does_not_go_on(sky):
    one = flying(sky, STOPPED)
    one.history.clear()
    sky.bridges[STOPPED].freeze()
    sky.wait(lambda: sky.px4s[STOPPED].failsafe, "PX4's failsafe")
    sky.wait(lambda: speed(sky.px4s[STOPPED]) < 1.0, 'the vehicle to stop')
    sky.bridges[STOPPED].go_on()
    sky.wait(lambda: one.history, 'the bridge to go on')
    one.wait('EXTERNAL', 'HOLD_REENTRY')
    assert sky.stays(lambda: speed(sky.px4s[STOPPED]) < 1.0 and one.state != 'TRACK', STOPPED)
    assert sky.broken(LINK_DOWN) == {}
    sky.engage(STOPPED)
    assert sky.broken() == {}


def ends(sky, k, number):
    """Send a signal and wait for the end and the hand-over; return the exit code."""
    sky.bridges[k].popen.send_signal(number)
    code = sky.bridges[k].end()
    sky.wait(lambda: sky.px4s[k].mode == 'AUTO_LOITER', 'the autopilot to hold')
    assert sky.stays(lambda: not sky.px4s[k].failsafe)
    return code


@pytest.mark.parametrize(('k', 'number'), [
    (TERMINATED, signal.SIGTERM), (INTERRUPTED, signal.SIGINT),
])  # fmt: skip
def test_e20_a_bridge_that_is_asked_to_end_hands_over_first(sky, k, number):
    one = flying(sky, k)
    assert ends(sky, k, number) == 0
    sky.wait(lambda: one.history[-1][0] in ('HANDOVER', 'RELEASED'), 'its last state')
    assert sky.broken() == {}


@pytest.mark.parametrize('k', CODES)
def test_e20_a_bridge_that_fails_hands_over_first(sky, k):
    flying(sky, k)
    assert ends(sky, k, signal.SIGUSR1) == 1 and 'planted' in sky.bridges[k].err
    assert sky.broken() == {}


def test_e21_a_killed_bridge_is_a_failsafe_of_px4_and_no_hurdle_to_the_next(sky):
    one = flying(sky, KILLED)
    sky.bridges[KILLED].popen.kill()
    sky.wait(lambda: sky.px4s[KILLED].failsafe, "PX4's failsafe")
    assert sky.px4s[KILLED].mode == 'AUTO_LOITER'
    assert sky.broken(LINK_DOWN) == {}
    one.values = {}
    sky.start(KILLED)
    one.wait('READY', 'EXTERNAL')
    assert sky.stays(lambda: sky.px4s[KILLED].mode == 'AUTO_LOITER', KILLED)
    sky.wait(lambda: one.values.get('z', 'unknown') != 'unknown', 'the height, which a file keeps')
    assert abs(float(one.values['z']) - sky.px4s[KILLED].height) < 0.3
    sky.engage(KILLED)
