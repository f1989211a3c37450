"""What is particular to an emulated MAVROS, with PX4 or ArduCopter behind it, without ROS."""

from itertools import pairwise
from types import SimpleNamespace

import pytest

from support.autopilot.emulated_mavros import EmulatedMavros
from velocity_mobility_ros.autopilot.autopilot_requests import Action
from velocity_mobility_ros.autopilot.engage.engage_records import Request, State

both = pytest.mark.parametrize('autopilot', ['px4', 'ardupilot'])


def test_px4_gets_a_stream_before_and_without_a_pause():
    vehicle = EmulatedMavros('px4')
    vehicle.run(3.0)
    assert vehicle.setpoints == [] and vehicle.state is State.READY
    vehicle.take_off()
    times = [at for at, _ in vehicle.setpoints]
    asked_at = next(at for at, state in vehicle.states if state is State.SET_OFFBOARD)
    assert times[0] < asked_at - 1.2
    assert max(b - a for a, b in pairwise(times)) < 0.1


@both
def test_a_mode_that_was_sent_is_not_a_mode_that_is_flown(autopilot):
    vehicle = EmulatedMavros(autopilot)
    vehicle.run(3.0)
    vehicle.emulator.deaf_to_modes = 1
    assert vehicle.ask(Request.TAKE_OFF)[0]
    vehicle.run(2.6)
    assert vehicle.state is State.SET_OFFBOARD and vehicle.mode not in ('OFFBOARD', 'GUIDED')
    vehicle.run(30.0, State.HOLD)
    assert vehicle.state is State.HOLD and vehicle.asked.count(Action.OFFBOARD) == 2


def test_a_mode_that_never_comes_is_told():
    vehicle = EmulatedMavros('px4')
    vehicle.run(3.0)
    vehicle.emulator.deaf_to_modes = 99
    vehicle.ask(Request.TAKE_OFF)
    vehicle.run(25.0)
    assert vehicle.state is State.READY
    assert 'offboard was taken on, but the status does not show it (5 attempts)' in vehicle.reason


@both
def test_without_acknowledgements_the_state_decides(autopilot):
    vehicle = EmulatedMavros(autopilot)
    vehicle.emulator.ack_loss = 1.0
    vehicle.take_off()
    assert vehicle.truth.height == pytest.approx(3.0, abs=0.3)


@both
def test_a_lost_vehicle_is_noticed_before_mavros_says_so(autopilot):
    vehicle = EmulatedMavros(autopilot)
    vehicle.take_off()
    vehicle.cut()
    vehicle.run(4.0)
    assert vehicle.state is State.LINK_LOST and vehicle.emulator.last['state'].connected
    since = vehicle.now
    vehicle.run(8.0)
    assert not vehicle.emulator.last['state'].connected  # and says disarmed, which nobody knows
    assert vehicle.state is State.LINK_LOST and vehicle.bridge.known.status.is_armed
    assert vehicle.said_since(since) == 0


def test_an_ardupilot_that_would_not_arm_is_not_asked_to():
    vehicle = EmulatedMavros('ardupilot', passes_prearm=False)
    vehicle.run(3.0)
    vehicle.ask(Request.TAKE_OFF)
    vehicle.run(1.0)
    assert 'checks before arming fail' in vehicle.reason and vehicle.asked == []


def test_the_other_autopilot_behind_it_is_noticed():
    one = EmulatedMavros('ardupilot')
    for mode, words in (('OFFBOARD', 'MAVROS reports the mode OFFBOARD'), ('CMODE(21)', '')):
        state = SimpleNamespace(connected=True, armed=False, mode=mode, system_status=3)
        one.reports.take('state', state, one.now)
        assert one.reports.fault.startswith(words) and bool(one.reports.fault) == bool(words)
