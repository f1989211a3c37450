"""What the bridge does with any autopilot, emulated, without ROS.

PX4 by its own DDS client and behind MAVROS, ArduCopter by its own and behind MAVROS. PX4's flights
end with a look at what the emulator's strict mode found.
"""

import math

import pytest

from support.ardupilot_emulator.modes import Flight
from support.autopilot.emulated import EmulatedVehicle
from support.autopilot.emulated_ardupilot import EmulatedArduPilot
from support.autopilot.emulated_flight import FRAME
from support.autopilot.emulated_mavros import EmulatedMavros
from velocity_mobility_ros.autopilot.autopilot_requests import Action
from velocity_mobility_ros.autopilot.bridge import BridgeParameters
from velocity_mobility_ros.autopilot.engage.engage_records import EngageParameters, Request, State
from velocity_mobility_ros.autopilot.setpoint_limits import GuidanceParameters
from velocity_mobility_ros.core.twist_smoothing import Motion

KINDS = {
    'px4': EmulatedVehicle,
    'ardupilot': EmulatedArduPilot,
    'mavros_px4': lambda *given, **settings: EmulatedMavros('px4', *given, **settings),
    'mavros_ardupilot': lambda *given, **settings: EmulatedMavros('ardupilot', *given, **settings),
}
COPTERS = ('ardupilot', 'mavros_ardupilot')
HOLDS = {'px4': 'AUTO_LOITER', 'mavros_px4': 'AUTO.LOITER'}
"""Mode of PX4 that holds; that of ArduCopter is BRAKE."""

every = pytest.mark.parametrize('kind', KINDS)
copters = pytest.mark.parametrize('kind', COPTERS)


def flown(kind, **settings):
    one = KINDS[kind](**settings)
    one.take_off()
    return one


@every
def test_e01_f22_it_flies_the_right_ways_lands_and_takes_off_again(kind):
    """By the true place on Earth, with a nose that points neither north nor east, and tilts."""
    one = flown(kind, vehicle='quadrotor', heading=math.radians(120.0))
    assert one.truth.height == pytest.approx(3.0, abs=0.3)
    for east, north in ((2.0, 0.0), (0.0, 2.0), (-2.0, 0.0), (0.0, -2.0)):
        start = one.truth
        one.track(east, north)
        one.run(4.0)
        x, y = one.moved_since(start)
        assert x * east + y * north > 0.7 * 4.0 * 4.0  # most of 4 s at 2 m/s, the right way
    assert one.truth.height == pytest.approx(3.0, abs=0.3)
    start = one.truth
    one.command = Motion((0.0, 0.0, 1.0), 0.5)
    one.run(3.0)
    assert one.truth.altitude > start.altitude + 1.5
    assert math.remainder(one.truth.heading - start.heading, 2.0 * math.pi) < -0.5  # to the left
    one.land()
    lifts = [Action.TAKEOFF] if kind in COPTERS else []
    assert one.asked == [Action.OFFBOARD, Action.ARM, *lifts, Action.LAND]
    one.take_off()
    assert one.truth.height == pytest.approx(3.0, abs=0.3) and one.broken() == set()


@every
def test_it_stays_where_it_is_told_to_hold(kind):
    vehicle = flown(kind)
    vehicle.track(east=5.0)
    vehicle.run(4.0)
    vehicle.ask(Request.HOLD)
    vehicle.run(4.0, State.HOLD)
    held = vehicle.bridge.position
    vehicle.run(20.0)
    assert math.dist(vehicle.bridge.position, held) < 0.3 and vehicle.state is State.HOLD


@every
def test_e10_without_commands_it_brakes_holds_and_is_handed_over(kind):
    vehicle = flown(kind)
    vehicle.track(east=4.0)
    vehicle.run(5.0)
    vehicle.command = None
    vehicle.run(1.0)
    assert vehicle.state is State.BRAKE
    vehicle.run(4.0)
    assert vehicle.state is State.HOLD and vehicle.speed() < 0.3
    vehicle.run(14.0)
    assert vehicle.mode == HOLDS.get(kind, 'BRAKE') and vehicle.state is State.EXTERNAL
    assert vehicle.broken() == set()


@every
def test_e09_a_bridge_that_stood_still_does_not_go_on_by_itself(kind):
    one = flown(kind)
    one.track(east=4.0)
    one.run(4.0)
    one.is_frozen = True
    one.run(6.0)
    assert one.speed() < 0.3 and one.is_armed
    assert (one.mode == 'GUIDED') == (kind in COPTERS) and one.mode != 'OFFBOARD'
    one.is_frozen, since = False, one.now
    one.run(8.0)
    if kind in COPTERS:
        assert one.state is State.HOLD_REENTRY
    else:
        assert one.state is State.EXTERNAL and one.mode != 'OFFBOARD'
        assert one.said_since(since) == 0 and not [at for at, _ in one.heartbeats if at > since]
    assert one.speed() < 0.3
    assert one.ask(Request.ENGAGE)[0]
    one.run(8.0)
    assert one.state is State.TRACK and one.speed() > 3.0


@every
def test_after_a_lost_link_it_waits_for_the_operator(kind):
    vehicle = flown(kind)
    vehicle.track(east=3.0)
    vehicle.run(2.0)
    vehicle.cut()
    vehicle.run(4.0)
    assert vehicle.state is State.LINK_LOST
    vehicle.cut(False)
    vehicle.run(4.0)
    assert vehicle.state is (State.HOLD_REENTRY if kind in COPTERS else State.EXTERNAL)
    assert vehicle.speed() < 0.3 and vehicle.is_armed and vehicle.mode != 'OFFBOARD'


@every
def test_e12_the_pilot_takes_over_and_keeps_it(kind):
    one = flown(kind)
    one.track(east=3.0)
    one.run(2.0)
    one.pilot_takes()
    one.run(1.2)
    mode, since = one.mode, one.now
    assert one.state is State.EXTERNAL and mode in one.reason
    one.run(10.0)
    assert one.said_since(since) == 0 and one.mode == mode and one.state is State.EXTERNAL
    if kind == 'px4':  # behind MAVROS the bridge learns it up to a second later
        assert one.broken() == set()


@pytest.mark.parametrize(('name', 'mode', 'words'), [
    ('battery', Flight.RTL, 'battery'), ('radio', Flight.LAND, 'remote control'),
])  # fmt: skip
@copters
def test_a_failsafe_of_ardupilot_flies_and_is_named(kind, name, mode, words):
    vehicle = flown(kind)
    vehicle.track(east=3.0)
    vehicle.run(1.0)
    vehicle.copter.fail(name, mode)
    vehicle.run(1.2)
    assert vehicle.state is State.EXTERNAL and f'failsafe of the autopilot (mode {mode.name}' in (
        vehicle.reason)  # fmt: skip
    assert words in vehicle.reason or kind == 'mavros_ardupilot'  # which does not tell which
    since = vehicle.now
    vehicle.run(60.0)
    assert not vehicle.is_armed and vehicle.state is State.READY and vehicle.said_since(since) == 0
    assert not vehicle.ask(Request.ENGAGE)[0]


@every
def test_motors_are_stopped_in_flight_when_asked_twice_and_never_disarmed(kind):
    vehicle = flown(kind)
    assert not vehicle.ask(Request.DISARM)[0] and not vehicle.ask(Request.KILL)[0]
    accepted, words = vehicle.ask(Request.KILL)
    if kind == 'ardupilot':
        assert not accepted and 'cannot stop motors' in words and vehicle.is_armed
        return
    vehicle.run(3.0, State.FAULT)
    assert accepted and not vehicle.is_armed and vehicle.state is State.FAULT


@every
def test_e20_a_bridge_that_ends_hands_it_over_first(kind):
    vehicle = flown(kind)
    vehicle.track(east=3.0)
    vehicle.run(2.0)
    vehicle.ask(Request.RELEASE)
    vehicle.run(4.0, State.RELEASED)
    vehicle.is_frozen = True
    vehicle.run(5.0)
    assert vehicle.state is State.RELEASED and vehicle.mode == HOLDS.get(kind, 'BRAKE')
    assert vehicle.broken() == set() and vehicle.is_armed


@copters
def test_the_way_home_lands_it(kind):
    vehicle = flown(kind)
    home = vehicle.truth
    vehicle.track(east=4.0)
    vehicle.run(5.0)
    assert vehicle.ask(Request.RETURN)[0]
    vehicle.run(90.0, State.READY)
    assert not vehicle.is_armed and math.hypot(*vehicle.moved_since(home)) < 1.5


@every
def test_the_operator_states_what_that_autopilot_does_alone(kind):
    engage = EngageParameters(operate=True)
    one = KINDS[kind](BridgeParameters(engage, GuidanceParameters(), FRAME))
    one.run(3.0)
    one.ask(Request.TAKE_OFF)
    one.run(1.0)
    name = 'ardupilot_failsafes' if kind in COPTERS else 'px4_offboard_loss_action'
    assert f'{name} is empty' in one.reason and ('px4' in one.reason) == (kind not in COPTERS)


@every
def test_a_place_at_the_end_of_the_numbers_is_as_if_nothing_had_come(kind):
    """What an estimator or a wire that goes wrong may tell; a bridge that ends lets go."""
    vehicle = flown(kind)
    vehicle.track(east=1.0)
    emulator = vehicle.px4 if kind == 'px4' else vehicle.emulator
    step = emulator.step

    def far_off(dt):
        sent = step(dt)
        for one in sent:
            if one.topic == 'vehicle_odometry':
                one.message.position = [1e300, 0.0, 0.0]
            elif one.topic == 'vehicle_local_position':
                one.message.x = math.inf
            elif one.topic in ('pose/filtered', 'local_position/odom'):
                at = getattr(one.message.pose, 'pose', one.message.pose).position
                at.x = 1e300
        return sent

    emulator.step = far_off
    vehicle.run(0.3)
    emulator.step = step
    vehicle.run(0.3)
    assert vehicle.state is State.TRACK
    assert all(math.isfinite(value) for _, one in vehicle.setpoints for value in one.target[:2])
