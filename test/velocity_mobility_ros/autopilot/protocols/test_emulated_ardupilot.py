"""What is particular to an emulated ArduCopter over AP_DDS; the rest: test_every_autopilot."""

import math

import pytest

from support.ardupilot_emulator.estimate import enu, spot_of
from support.autopilot.emulated_ardupilot import EmulatedArduPilot
from support.autopilot.emulated_flight import PLACE
from velocity_mobility_ros.autopilot.autopilot_requests import Action
from velocity_mobility_ros.autopilot.engage.engage_records import Request, State


def flown(**settings):
    vehicle = EmulatedArduPilot(**settings)
    vehicle.take_off()
    return vehicle


def refused(seconds, checks=False, **settings):
    """Return a vehicle that was asked to take off, and for how long it was waited."""
    vehicle = EmulatedArduPilot(**settings)
    vehicle.run(2.0)
    assert vehicle.ask(Request.TAKE_OFF)[0]
    for _ in range(round(2.0 * seconds)):
        if checks:
            vehicle.check_arming()
        else:
            vehicle.run(0.5)
    return vehicle


def test_no_setpoint_disturbs_the_take_off():
    vehicle = flown()
    taking_off = [at for at, state in vehicle.states if state is State.TAKE_OFF]
    assert not [at for at, _ in vehicle.setpoints if taking_off[0] <= at <= taking_off[-1]]


def test_home_moves_and_the_swarms_frame_does_not():
    """HOME is where it is armed; the place in the swarm's frame comes from the Earth."""
    vehicle = EmulatedArduPilot()
    vehicle.run(3.0)
    before, home = vehicle.bridge.position, vehicle.copter.home
    vehicle.take_off()
    moved = enu(home, vehicle.copter.home)
    assert math.hypot(moved[0], moved[1]) > 5.0
    assert math.dist(vehicle.bridge.position[:2], before[:2]) < 0.2


def test_its_place_among_others_is_right():
    one = flown(latitude=PLACE[0] + 0.001, longitude=PLACE[1] - 0.002)
    east, north, _ = enu(spot_of(one.truth)._replace(
        latitude=PLACE[0], longitude=PLACE[1], altitude=PLACE[2]), spot_of(one.truth))  # fmt: skip
    assert one.bridge.position == pytest.approx((east, north, one.truth.height), abs=0.1)


def test_loiter_can_be_the_mode_that_it_is_handed_over_to():
    vehicle = flown(hold_mode='loiter')
    vehicle.ask(Request.RELEASE)
    vehicle.run(3.0, State.RELEASED)
    assert vehicle.mode == 'LOITER'


def test_an_estimator_that_failed_is_a_landing():
    vehicle = flown()
    vehicle.copter.fail('ekf')
    vehicle.run(20.0, State.READY)
    assert Action.LAND in vehicle.asked and not vehicle.is_armed


def test_a_vehicle_that_would_not_arm_is_not_asked_to():
    vehicle = EmulatedArduPilot(passes_prearm=False)
    vehicle.run(2.0)
    vehicle.check_arming()
    assert vehicle.ask(Request.TAKE_OFF)[0]
    vehicle.run(16.0)
    assert vehicle.state is State.READY and 'checks before arming fail' in vehicle.reason
    assert vehicle.asked == []
    vehicle.copter.passes_prearm = True
    vehicle.check_arming()
    vehicle.take_off()


def test_checks_that_want_more_in_guided_are_waited_for():
    """Before it flies by its receiver it would arm in STABILIZE, and not in GUIDED."""
    vehicle = refused(20.0, checks=True, aided_after=12.0)
    assert vehicle.is_armed and vehicle.state in (State.TAKE_OFF, State.HOLD)
    vehicle = refused(25.0, checks=True, aided_after=60.0)
    assert vehicle.state is State.READY and 'arm' in vehicle.reason and not vehicle.is_armed


def test_a_refused_arming_and_services_that_never_answer_end_in_words():
    one = refused(20.0, passes_prearm=False)  # nobody has asked for the checks
    assert one.state is State.READY and 'arm was answered: temporarily rejected' in one.reason
    one = refused(30.0, service_loss=1.0)
    assert one.state is State.READY and 'its services do not answer' in one.reason


def test_calls_that_get_lost_are_repeated():
    assert len(flown(service_loss=0.4, seed=3).asked) > 3


def test_the_steps_of_latitudes_do_not_move_it():
    """They are 0.4 m wide: a vehicle that held by them would sway."""
    vehicle = flown()
    vehicle.run(5.0)
    places = []
    for _ in range(200):
        vehicle.tick()
        places.append(vehicle.bridge.position)
    assert max(max(axis) - min(axis) for axis in zip(*places, strict=True)) < 0.05
    vehicle.track(north=0.5)
    vehicle.run(3.0)
    steps = []
    for _ in range(100):
        before = vehicle.bridge.position
        vehicle.tick()
        steps.append(math.dist(vehicle.bridge.position[:2], before[:2]))
    assert max(steps) < 0.05


def test_a_poor_fix_keeps_it_on_the_ground():
    vehicle = EmulatedArduPilot()
    vehicle.emulator.deviation = 2.5
    vehicle.run(2.0)
    vehicle.ask(Request.TAKE_OFF)
    vehicle.run(1.0)
    assert 'eph = 2.5 m' in vehicle.reason
