"""The bridge with an emulated ArduCopter over AP_DDS, without ROS: flights and faults."""

import math

import pytest
from support.ardupilot_emulator import ArduSettings
from support.ardupilot_emulator.estimate import enu, spot_of
from support.ardupilot_emulator.modes import Flight
from support.autopilot.emulated_ardupilot import ENGAGE, FRAME, PLACE, EmulatedArduPilot
from velocity_mobility_ros.autopilot.bridge.bridge_records import BridgeParameters
from velocity_mobility_ros.autopilot.engage.records import Request
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters
from velocity_mobility_ros.autopilot.outputs import Action
from velocity_mobility_ros.core.smoothing.motion_limit import Motion

FLOWN = [Action.OFFBOARD, Action.ARM, Action.TAKEOFF]


def flown(**settings):
    one = EmulatedArduPilot(ArduSettings(**settings))
    one.take_off()
    return one


@pytest.mark.parametrize('body', ['kinematic', 'quadrotor'])
def test_a_square_and_a_landing(body):
    one = flown(vehicle=body)
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
    assert not one.is_armed and one.state is State.READY and one.asked == [*FLOWN, Action.LAND]


def test_it_takes_off_again_from_its_landing_mode():
    one = flown()
    one.ask(Request.LAND)
    one.run(30.0, State.READY)
    assert one.mode == 'LAND'
    one.take_off()
    assert one.truth.height == pytest.approx(3.0, abs=0.3)


def test_no_setpoint_disturbs_the_take_off():
    one = flown()
    taking_off = [at for at, state in zip(_times(one), one.states, strict=True)
                  if state is State.TAKE_OFF]  # fmt: skip
    assert not [at for at, _ in one.sent if taking_off[0] <= at <= taking_off[-1]]


def _times(one):
    return [one.now - 0.02 * k for k in range(len(one.states) - 1, -1, -1)]


def test_commands_move_it_on_earth_as_they_say():
    one = flown(heading=math.radians(120.0))
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
    assert {command.frame_id for _, command in one.sent} == {'map'}


def test_it_stays_where_it_is_told_to_hold_though_it_takes_velocities_only():
    one = flown()
    one.track(east=5.0)
    one.run(4.0)
    one.ask(Request.HOLD)
    one.run(4.0, State.HOLD)
    held = one.bridge.position
    one.run(20.0)
    assert math.dist(one.bridge.position, held) < 0.3 and one.state is State.HOLD


def test_home_moves_and_the_swarms_frame_does_not():
    """HOME is where it is armed; the place in the swarm's frame comes from the Earth."""
    one = EmulatedArduPilot()
    one.run(3.0)
    before, home = one.bridge.position, one.copter.home
    one.take_off()
    moved = enu(home, one.copter.home)
    assert math.hypot(moved[0], moved[1]) > 5.0
    assert math.dist(one.bridge.position[:2], before[:2]) < 0.2


def test_its_place_among_others_is_right():
    one = EmulatedArduPilot(ArduSettings(latitude=PLACE[0] + 0.001, longitude=PLACE[1] - 0.002))
    one.take_off()
    x, y, z = one.bridge.position
    east, north, _ = enu(spot_of(one.truth)._replace(
        latitude=PLACE[0], longitude=PLACE[1], altitude=PLACE[2]), spot_of(one.truth))  # fmt: skip
    assert (x, y) == pytest.approx((east, north), abs=0.1)
    assert z == pytest.approx(one.truth.height, abs=0.1)


@pytest.mark.parametrize(('hold_mode', 'name'), [('brake', 'BRAKE'), ('loiter', 'LOITER')])
def test_without_commands_it_brakes_holds_and_is_handed_over(hold_mode, name):
    one = EmulatedArduPilot(hold_mode=hold_mode)
    one.take_off()
    one.track(east=4.0)
    one.run(5.0)
    one.command = None
    one.run(1.0)
    assert one.state is State.BRAKE
    one.run(4.0)
    assert one.state is State.HOLD and one.speed() < 0.3
    one.run(12.0)
    assert one.mode == name and one.state is State.EXTERNAL


def test_without_the_bridge_it_stops_and_stays_in_guided():
    one = flown()
    one.track(east=4.0)
    one.run(4.0)
    one.is_frozen = True
    one.run(2.0)
    assert one.speed() > 3.0  # the last velocity for 3 s
    one.run(4.0)
    assert one.speed() < 0.1 and one.mode == 'GUIDED' and one.is_armed
    one.is_frozen = False
    one.run(5.0)
    assert one.state is State.HOLD_REENTRY and one.speed() < 0.3
    assert one.ask(Request.ENGAGE)[0]


def test_after_a_lost_link_it_is_held_and_waits_for_the_operator():
    one = flown()
    one.track(east=3.0)
    one.run(2.0)
    one.emulator.is_up = False
    one.run(4.0)
    assert one.state is State.LINK_LOST
    one.emulator.is_up = True
    one.run(3.0)
    assert one.state is State.HOLD_REENTRY and one.mode == 'GUIDED' and one.speed() < 0.3


def test_the_pilot_takes_over_and_keeps_it():
    one = flown()
    one.track(east=3.0)
    one.run(2.0)
    one.copter.set_mode(Flight.ALT_HOLD)
    one.run(0.3)
    assert one.state is State.EXTERNAL and 'ALT_HOLD' in one.reason
    sent, asked = len(one.sent), len(one.asked)
    one.run(10.0)
    assert (len(one.sent), len(one.asked)) == (sent, asked) and one.mode == 'ALT_HOLD'


@pytest.mark.parametrize(('name', 'mode', 'words'), [
    ('battery', Flight.RTL, 'RTL, failsafe: battery'),
    ('radio', Flight.LAND, 'LAND, failsafe: remote control'),
    ('gcs', Flight.RTL, 'RTL, failsafe: ground station'),
])  # fmt: skip
def test_a_failsafe_flies_and_is_named(name, mode, words):
    one = flown()
    one.track(east=3.0)
    one.run(1.0)
    one.copter.fail(name, mode)
    one.run(0.5)
    assert one.state is State.EXTERNAL and words in one.reason
    one.command = Motion((3.0, 0.0, 0.0), 0.0)
    one.run(60.0)
    assert not one.is_armed and one.state is State.READY
    assert not one.ask(Request.ENGAGE)[0]


def test_an_estimator_that_failed_is_a_landing():
    one = flown()
    one.copter.fail('ekf')
    one.run(20.0, State.READY)
    assert Action.LAND in one.asked and not one.is_armed


def test_a_vehicle_that_would_not_arm_is_not_asked_to():
    one = EmulatedArduPilot(ArduSettings(passes_prearm=False))
    one.run(2.0)
    one.check_arming()
    one.run(0.5)
    assert one.ask(Request.TAKE_OFF)[0]
    one.run(16.0)
    assert one.state is State.READY and 'checks before arming fail' in one.reason
    assert one.asked == []
    one.copter.passes_prearm = True
    one.check_arming()
    one.run(0.5)
    one.take_off()


def test_checks_that_want_more_in_guided_are_waited_for():
    """Before it flies by its receiver it would arm in STABILIZE, and not in GUIDED."""
    one = EmulatedArduPilot(ArduSettings(aided_after=12.0))
    one.run(2.0)
    one.check_arming()
    one.run(0.5)
    assert one.bridge.faults == () and one.ask(Request.TAKE_OFF)[0]
    for _ in range(40):
        one.run(0.5)
        one.check_arming()
    assert one.is_armed and one.state in (State.TAKE_OFF, State.HOLD)


def test_checks_that_fail_for_long_end_it():
    one = EmulatedArduPilot(ArduSettings(aided_after=60.0))
    one.run(2.0)
    one.ask(Request.TAKE_OFF)
    for _ in range(50):
        one.run(0.5)
        one.check_arming()
    assert one.state is State.READY and 'arm' in one.reason and not one.is_armed


def test_a_refused_arming_ends_in_words():
    one = EmulatedArduPilot(ArduSettings(passes_prearm=False))  # nobody has asked for the checks
    one.run(2.0)
    one.ask(Request.TAKE_OFF)
    one.run(20.0)
    assert one.state is State.READY and 'arm was answered: temporarily rejected' in one.reason


def test_calls_that_get_lost_are_repeated():
    one = EmulatedArduPilot(ArduSettings(service_loss=0.4, seed=3))
    one.take_off()
    assert len(one.asked) > 3


def test_a_service_that_never_answers_is_named():
    one = EmulatedArduPilot(ArduSettings(service_loss=1.0))
    one.run(2.0)
    one.ask(Request.TAKE_OFF)
    one.run(30.0)
    assert one.state is State.READY and 'its services do not answer' in one.reason


def test_what_cannot_be_stopped_in_flight_is_refused():
    one = flown()
    accepted, words = one.ask(Request.KILL)
    assert not accepted and 'cannot stop motors' in words


def test_disarming_in_flight_is_refused_on_both_sides():
    one = flown()
    assert not one.ask(Request.DISARM)[0]
    assert not one.copter.disarm()


def test_the_way_home_lands_it():
    one = flown()
    one.track(east=4.0)
    one.run(5.0)
    assert one.ask(Request.RETURN)[0]
    one.run(90.0, State.READY)
    x, y = one.moved_since(spot_of(one.truth)._replace(latitude=PLACE[0], longitude=PLACE[1]))
    assert not one.is_armed and math.hypot(x, y) < 1.5


def test_a_bridge_that_ends_hands_it_over():
    one = flown()
    one.track(east=3.0)
    one.run(2.0)
    one.ask(Request.RELEASE)
    one.run(3.0, State.RELEASED)
    assert one.state is State.RELEASED and one.mode == 'BRAKE'


def test_the_operator_states_its_failsafes():
    unsaid = BridgeParameters(type(ENGAGE)(), GuidanceParameters(), FRAME)
    one = EmulatedArduPilot(parameters=unsaid)
    one.run(2.0)
    one.ask(Request.TAKE_OFF)
    one.run(1.0)
    assert 'ardupilot_failsafes is empty' in one.reason and 'px4' not in one.reason


def test_the_steps_of_latitudes_do_not_move_it():
    """They are 0.4 m wide: a vehicle that held by them would sway."""
    one = flown()
    one.run(5.0)
    places = []
    for _ in range(200):
        one.tick()
        places.append(one.bridge.position)
    spread = [max(axis) - min(axis) for axis in zip(*places, strict=True)]
    assert max(spread) < 0.05
    one.track(north=0.5)
    one.run(3.0)
    steps = []
    for _ in range(100):
        before = one.bridge.position
        one.tick()
        steps.append(math.dist(one.bridge.position[:2], before[:2]))
    assert max(steps) < 0.05


def test_a_poor_fix_keeps_it_on_the_ground():
    one = EmulatedArduPilot()
    one.emulator.deviation = 2.5
    one.run(2.0)
    one.ask(Request.TAKE_OFF)
    one.run(1.0)
    assert 'eph = 2.5 m' in one.reason
