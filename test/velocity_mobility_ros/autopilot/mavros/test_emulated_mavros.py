"""The bridge with an emulated MAVROS, PX4 or ArduCopter behind it, without ROS."""

import math
from itertools import pairwise
from types import SimpleNamespace

import pytest
from support.ardupilot_emulator import ArduSettings
from support.ardupilot_emulator.modes import Flight
from support.autopilot.emulated_mavros import FRAME, EmulatedMavros
from support.px4_emulator import events
from support.px4_emulator.constants import NavState
from velocity_mobility_ros.autopilot.bridge.bridge_records import BridgeParameters
from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.engage.records import Request
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters
from velocity_mobility_ros.autopilot.outputs import Action
from velocity_mobility_ros.core.smoothing.motion_limit import Motion

BOTH = ('px4', 'ardupilot')
HOLDS = {'px4': 'AUTO.LOITER', 'ardupilot': 'BRAKE'}
OFFBOARD = {'px4': 'OFFBOARD', 'ardupilot': 'GUIDED'}


def flown(autopilot):
    one = EmulatedMavros(autopilot)
    one.take_off()
    return one


def broken(one):
    """Return the strict rules of the emulated PX4 that were broken."""
    return {found.rule for found in one.side.px4.violations} if hasattr(one.side, 'px4') else set()


@pytest.mark.parametrize('autopilot', BOTH)
def test_a_square_and_a_landing(autopilot):
    one = flown(autopilot)
    assert one.truth.height == pytest.approx(3.0, abs=0.3)
    for east, north in ((2.0, 0.0), (0.0, 2.0), (-2.0, 0.0), (0.0, -2.0)):
        start = one.truth
        one.command = Motion((east, north, 0.0), 0.0)
        one.tick()
        one.ask(Request.ENGAGE)
        one.run(4.0)
        x, y = one.moved_since(start)
        assert x * east + y * north > 0.7 * 4.0 * 4.0  # most of 4 s at 2 m/s, the right way
    assert one.truth.height == pytest.approx(3.0, abs=0.3)
    one.command = None
    assert one.ask(Request.LAND)[0]
    one.run(30.0, State.READY)
    assert not one.is_armed and one.state is State.READY and broken(one) == set()
    lifts = [Action.TAKEOFF] if autopilot == 'ardupilot' else []
    assert one.asked == [Action.OFFBOARD, Action.ARM, *lifts, Action.LAND]


@pytest.mark.parametrize('autopilot', BOTH)
def test_commands_move_it_on_earth_as_they_say(autopilot):
    one = flown(autopilot)
    start = one.truth
    one.track(east=2.0)
    one.run(5.0)
    assert one.truth.longitude > start.longitude + 5e-5
    assert abs(one.truth.latitude - start.latitude) < 1e-5
    one.command = Motion((0.0, 0.0, 1.0), 0.0)
    one.run(3.0)
    assert one.truth.altitude > start.altitude + 1.5
    heading = one.truth.heading
    one.command = Motion((0.0, 0.0, 0.0), 0.5)
    one.run(2.0)
    assert math.remainder(one.truth.heading - heading, 2.0 * math.pi) < -0.5
    assert broken(one) == set()


def test_px4_gets_a_stream_before_and_without_a_pause():
    one = EmulatedMavros('px4')
    one.run(3.0)
    assert one.sent == [] and one.state is State.READY
    one.take_off()
    times = [at for at, _ in one.sent]
    asked_at = next(at for at, state in zip(_times(one), one.states, strict=True)
                    if state is State.SET_OFFBOARD)  # fmt: skip
    assert times[0] < asked_at - 1.2
    assert max(b - a for a, b in pairwise(times)) < 0.1


def _times(one):
    return [one.now - 0.02 * k for k in range(len(one.states) - 1, -1, -1)]


def test_px4_is_not_brought_back_to_offboard_by_a_stream_that_resumes():
    one = flown('px4')
    one.track(east=3.0)
    one.run(3.0)
    one.is_frozen = True
    one.run(2.5)
    assert one.mode != 'OFFBOARD'
    one.is_frozen = False
    one.run(8.0)
    assert one.mode != 'OFFBOARD' and one.state is State.EXTERNAL
    assert one.ask(Request.ENGAGE)[0]
    one.run(8.0)
    assert one.state is State.TRACK and one.mode == 'OFFBOARD' and one.speed() > 2.0


def test_ardupilot_stops_and_stays_in_guided_without_the_bridge():
    one = flown('ardupilot')
    one.track(east=4.0)
    one.run(4.0)
    one.is_frozen = True
    one.run(6.0)
    assert one.mode == 'GUIDED' and one.speed() < 0.1
    one.is_frozen = False
    one.run(3.0)
    assert one.state is State.HOLD_REENTRY


@pytest.mark.parametrize('autopilot', BOTH)
def test_a_mode_that_was_sent_is_not_a_mode_that_is_flown(autopilot):
    one = EmulatedMavros(autopilot)
    one.run(3.0)
    one.emulator.deaf_to_modes = 1
    assert one.ask(Request.TAKE_OFF)[0]
    one.run(2.6)
    assert one.state is State.SET_OFFBOARD and one.mode != OFFBOARD[autopilot]
    one.run(30.0, State.HOLD)
    assert one.state is State.HOLD and one.asked.count(Action.OFFBOARD) == 2


@pytest.mark.parametrize('autopilot', BOTH)
def test_a_mode_that_never_comes_is_told(autopilot):
    one = EmulatedMavros(autopilot)
    one.run(3.0)
    one.emulator.deaf_to_modes = 99
    one.ask(Request.TAKE_OFF)
    one.run(25.0)
    assert one.state is State.READY
    assert 'offboard was taken on, but the status does not show it (5 attempts)' in one.reason


@pytest.mark.parametrize('autopilot', BOTH)
def test_without_acknowledgements_the_state_decides(autopilot):
    one = EmulatedMavros(autopilot)
    one.emulator.ack_loss = 1.0
    one.take_off()
    assert one.truth.height == pytest.approx(3.0, abs=0.3)


@pytest.mark.parametrize('autopilot', BOTH)
def test_without_commands_it_brakes_holds_and_is_handed_over(autopilot):
    one = flown(autopilot)
    one.track(east=4.0)
    one.run(5.0)
    one.command = None
    one.run(5.0)
    assert one.state is State.HOLD and one.speed() < 0.3
    one.run(14.0)
    assert one.mode == HOLDS[autopilot] and one.state is State.EXTERNAL and broken(one) == set()


@pytest.mark.parametrize('autopilot', BOTH)
def test_a_lost_vehicle_is_noticed_before_mavros_says_so(autopilot):
    one = flown(autopilot)
    one.emulator.is_up = False
    one.run(4.0)
    assert one.state is State.LINK_LOST and one.emulator.last['state'].connected
    sent = len(one.sent)
    one.run(8.0)
    assert not one.emulator.last['state'].connected  # and says disarmed, which nobody knows
    assert one.state is State.LINK_LOST and one.bridge.known.status.is_armed
    assert len(one.sent) == sent
    one.emulator.is_up = True
    one.run(4.0)
    back = {'px4': State.EXTERNAL, 'ardupilot': State.HOLD_REENTRY}
    assert one.state is back[autopilot] and one.is_armed


def test_the_pilot_of_a_px4_takes_over():
    one = flown('px4')
    one.track(east=3.0)
    one.run(2.0)
    one.side.px4.happens(events.pilot_takes, NavState.POSCTL)
    one.run(1.2)
    assert one.state is State.EXTERNAL and 'POSCTL' in one.reason
    sent, asked = len(one.sent), len(one.asked)
    one.run(10.0)
    assert (len(one.sent), len(one.asked)) == (sent, asked)


def test_a_failsafe_of_an_ardupilot_is_left_alone():
    one = flown('ardupilot')
    one.side.fail('battery', Flight.RTL)
    one.run(1.2)
    assert one.state is State.EXTERNAL and 'failsafe of the autopilot (mode RTL)' in one.reason


@pytest.mark.parametrize('autopilot', BOTH)
def test_motors_are_stopped_in_flight_when_asked_twice(autopilot):
    one = flown(autopilot)
    assert not one.ask(Request.KILL)[0]
    assert one.ask(Request.KILL)[0]
    one.run(3.0, State.FAULT)
    assert not one.is_armed and one.state is State.FAULT


@pytest.mark.parametrize('autopilot', BOTH)
def test_a_bridge_that_ends_hands_it_over(autopilot):
    one = flown(autopilot)
    one.track(east=3.0)
    one.run(2.0)
    one.ask(Request.RELEASE)
    one.run(4.0, State.RELEASED)
    assert one.state is State.RELEASED and one.mode == HOLDS[autopilot]


@pytest.mark.parametrize(('autopilot', 'name'), [
    ('px4', 'px4_offboard_loss_action'), ('ardupilot', 'ardupilot_failsafes'),
])  # fmt: skip
def test_the_operator_states_what_that_autopilot_does_alone(autopilot, name):
    unsaid = BridgeParameters(EngageParameters(), GuidanceParameters(), FRAME)
    one = EmulatedMavros(autopilot, parameters=unsaid)
    one.run(3.0)
    one.ask(Request.TAKE_OFF)
    one.run(1.0)
    assert f'{name} is empty' in one.reason


def test_an_ardupilot_that_would_not_arm_is_not_asked_to():
    one = EmulatedMavros('ardupilot', ArduSettings(passes_prearm=False))
    one.run(3.0)
    one.ask(Request.TAKE_OFF)
    one.run(1.0)
    assert 'checks before arming fail' in one.reason and one.asked == []


def test_the_other_autopilot_behind_it_is_noticed():
    one = EmulatedMavros('ardupilot')
    one.reports.take('state', _state('OFFBOARD'), one.now)
    assert 'MAVROS reports the mode OFFBOARD' in one.reports.trouble
    one.reports.take('state', _state('CMODE(21)'), one.now)
    assert one.reports.trouble == ''


def _state(mode):
    return SimpleNamespace(connected=True, armed=False, mode=mode, system_status=3)
