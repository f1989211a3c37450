"""What is particular to an emulated ArduCopter over AP_DDS; the rest: test_every_autopilot."""

import math

import pytest

from support.ardupilot_emulator.estimate import enu, spot_of
from support.autopilot.emulated_ardupilot import EmulatedArduPilot
from support.autopilot.emulated_flight import PLACE
from velocity_mobility_ros.autopilot.autopilot_requests import Action
from velocity_mobility_ros.autopilot.engage.engage_records import Request, State


def flown(**settings):
    one = EmulatedArduPilot(**settings)
    one.take_off()
    return one


def refused(seconds, checks=False, **settings):
    """Return a vehicle that was asked to take off, and for how long it was waited."""
    one = EmulatedArduPilot(**settings)
    one.run(2.0)
    assert one.ask(Request.TAKE_OFF)[0]
    for _ in range(round(2.0 * seconds)):
        if checks:
            one.check_arming()
        else:
            one.run(0.5)
    return one


def test_no_setpoint_disturbs_the_take_off():
    one = flown()
    taking_off = [at for at, state in one.states if state is State.TAKE_OFF]
    assert not [at for at, _ in one.setpoints if taking_off[0] <= at <= taking_off[-1]]


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
    one = flown(latitude=PLACE[0] + 0.001, longitude=PLACE[1] - 0.002)
    east, north, _ = enu(spot_of(one.truth)._replace(
        latitude=PLACE[0], longitude=PLACE[1], altitude=PLACE[2]), spot_of(one.truth))  # fmt: skip
    assert one.bridge.position == pytest.approx((east, north, one.truth.height), abs=0.1)


def test_loiter_can_be_the_mode_that_it_is_handed_over_to():
    one = flown(hold_mode='loiter')
    one.ask(Request.RELEASE)
    one.run(3.0, State.RELEASED)
    assert one.mode == 'LOITER'


def test_an_estimator_that_failed_is_a_landing():
    one = flown()
    one.copter.fail('ekf')
    one.run(20.0, State.READY)
    assert Action.LAND in one.asked and not one.is_armed


def test_a_vehicle_that_would_not_arm_is_not_asked_to():
    one = EmulatedArduPilot(passes_prearm=False)
    one.run(2.0)
    one.check_arming()
    assert one.ask(Request.TAKE_OFF)[0]
    one.run(16.0)
    assert one.state is State.READY and 'checks before arming fail' in one.reason
    assert one.asked == []
    one.copter.passes_prearm = True
    one.check_arming()
    one.take_off()


def test_checks_that_want_more_in_guided_are_waited_for():
    """Before it flies by its receiver it would arm in STABILIZE, and not in GUIDED."""
    one = refused(20.0, checks=True, aided_after=12.0)
    assert one.is_armed and one.state in (State.TAKE_OFF, State.HOLD)
    one = refused(25.0, checks=True, aided_after=60.0)
    assert one.state is State.READY and 'arm' in one.reason and not one.is_armed


def test_a_refused_arming_and_services_that_never_answer_end_in_words():
    one = refused(20.0, passes_prearm=False)  # nobody has asked for the checks
    assert one.state is State.READY and 'arm was answered: temporarily rejected' in one.reason
    one = refused(30.0, service_loss=1.0)
    assert one.state is State.READY and 'its services do not answer' in one.reason


def test_calls_that_get_lost_are_repeated():
    assert len(flown(service_loss=0.4, seed=3).asked) > 3


def test_the_steps_of_latitudes_do_not_move_it():
    """They are 0.4 m wide: a vehicle that held by them would sway."""
    one = flown()
    one.run(5.0)
    places = []
    for _ in range(200):
        one.tick()
        places.append(one.bridge.position)
    assert max(max(axis) - min(axis) for axis in zip(*places, strict=True)) < 0.05
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
