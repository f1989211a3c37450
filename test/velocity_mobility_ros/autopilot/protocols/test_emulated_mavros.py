"""What is particular to an emulated MAVROS, with PX4 or ArduCopter behind it, without ROS."""

from itertools import pairwise
from types import SimpleNamespace

import pytest

from support.autopilot.emulated_mavros import EmulatedMavros
from velocity_mobility_ros.autopilot.autopilot_requests import Action
from velocity_mobility_ros.autopilot.engage.engage_records import Request, State

both = pytest.mark.parametrize('autopilot', ['px4', 'ardupilot'])


def test_px4_gets_a_stream_before_and_without_a_pause():
    one = EmulatedMavros('px4')
    one.run(3.0)
    assert one.setpoints == [] and one.state is State.READY
    one.take_off()
    times = [at for at, _ in one.setpoints]
    asked_at = next(at for at, state in one.states if state is State.SET_OFFBOARD)
    assert times[0] < asked_at - 1.2
    assert max(b - a for a, b in pairwise(times)) < 0.1


@both
def test_a_mode_that_was_sent_is_not_a_mode_that_is_flown(autopilot):
    one = EmulatedMavros(autopilot)
    one.run(3.0)
    one.emulator.deaf_to_modes = 1
    assert one.ask(Request.TAKE_OFF)[0]
    one.run(2.6)
    assert one.state is State.SET_OFFBOARD and one.mode not in ('OFFBOARD', 'GUIDED')
    one.run(30.0, State.HOLD)
    assert one.state is State.HOLD and one.asked.count(Action.OFFBOARD) == 2


def test_a_mode_that_never_comes_is_told():
    one = EmulatedMavros('px4')
    one.run(3.0)
    one.emulator.deaf_to_modes = 99
    one.ask(Request.TAKE_OFF)
    one.run(25.0)
    assert one.state is State.READY
    assert 'offboard was taken on, but the status does not show it (5 attempts)' in one.reason


@both
def test_without_acknowledgements_the_state_decides(autopilot):
    one = EmulatedMavros(autopilot)
    one.emulator.ack_loss = 1.0
    one.take_off()
    assert one.truth.height == pytest.approx(3.0, abs=0.3)


@both
def test_a_lost_vehicle_is_noticed_before_mavros_says_so(autopilot):
    one = EmulatedMavros(autopilot)
    one.take_off()
    one.cut()
    one.run(4.0)
    assert one.state is State.LINK_LOST and one.emulator.last['state'].connected
    since = one.now
    one.run(8.0)
    assert not one.emulator.last['state'].connected  # and says disarmed, which nobody knows
    assert one.state is State.LINK_LOST and one.bridge.known.status.is_armed
    assert one.said_since(since) == 0


def test_an_ardupilot_that_would_not_arm_is_not_asked_to():
    one = EmulatedMavros('ardupilot', passes_prearm=False)
    one.run(3.0)
    one.ask(Request.TAKE_OFF)
    one.run(1.0)
    assert 'checks before arming fail' in one.reason and one.asked == []


def test_the_other_autopilot_behind_it_is_noticed():
    one = EmulatedMavros('ardupilot')
    for mode, words in (('OFFBOARD', 'MAVROS reports the mode OFFBOARD'), ('CMODE(21)', '')):
        state = SimpleNamespace(connected=True, armed=False, mode=mode, system_status=3)
        one.reports.take('state', state, one.now)
        assert one.reports.fault.startswith(words) and bool(one.reports.fault) == bool(words)
