"""The bridge with an emulated PX4, without ROS: flights as commanded, estimates and frames.

The labels are those of the conformance tests of the bridge. Every flight ends with a look at what
the emulator's strict mode found.
"""

import math

import pymap3d
import pytest
from support.autopilot.emulated import PLACE
from support.autopilot.strict import RELEASES, broken, guided, metres_moved, vehicle
from support.px4_emulator import events
from support.px4_emulator.estimate.estimator import Estimator
from support.px4_emulator.settings import LinkSettings
from velocity_mobility_ros.autopilot.engage.records import Request
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.geodesy.ground_memory import of_text, to_text
from velocity_mobility_ros.core.smoothing.motion_limit import STILL, Motion


@pytest.mark.parametrize('release', RELEASES)
@pytest.mark.parametrize('body', ['kinematic', 'quadrotor'])
def test_e01_a_square_and_a_landing(release, body):
    one = vehicle(release=release, vehicle=body)
    one.take_off()
    assert one.truth.height == pytest.approx(3.0, abs=0.3)
    for east, north in ((2.0, 0.0), (0.0, 2.0), (-2.0, 0.0), (0.0, -2.0)):
        start = one.truth
        one.command = Motion((east, north, 0.0), 0.0)
        one.tick()
        one.ask(Request.ENGAGE)
        one.run(4.0)
        x, y = metres_moved(one, start)
        assert x * east + y * north > 0.7 * 4.0 * 4.0  # most of 4 s at 2 m/s, the right way
    assert one.truth.height == pytest.approx(3.0, abs=0.3)
    one.command = None
    assert one.ask(Request.LAND)[0]
    one.run(30.0, State.READY)
    assert not one.is_armed and one.state is State.READY and broken(one) == set()


def test_f22_commands_move_the_vehicle_on_earth_as_they_say():
    one = vehicle()
    one.take_off()
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
    turned = math.remainder(one.truth.heading - heading, 2.0 * math.pi)
    assert turned < -0.5 and broken(one) == set()


def test_e30_a_command_of_the_body_turns_by_the_heading():
    one = vehicle(heading=math.radians(60.0))
    one.take_off()
    one.in_body = True
    start = one.truth
    one.track(east=2.0)  # forward
    one.run(4.0)
    east, north = metres_moved(one, start)
    assert math.degrees(math.atan2(east, north)) == pytest.approx(60.0, abs=4.0)


def test_e10_without_commands_the_vehicle_brakes_holds_and_is_handed_over():
    one = vehicle()
    one.take_off()
    one.track(east=5.0)
    one.run(5.0)
    one.command = None
    one.run(1.0)
    assert one.state is State.BRAKE
    one.run(3.0)
    assert one.state is State.HOLD and one.speed() < 0.3
    one.run(12.0)
    assert one.nav_state == 'AUTO_LOITER' and one.state is State.EXTERNAL and broken(one) == set()


@pytest.mark.parametrize('bad', [math.nan, math.inf, 1e9])
def test_e11_bad_commands_do_not_get_through(bad):
    one = vehicle()
    one.take_off()
    one.track(east=2.0)
    one.command = Motion((bad, 0.0, 0.0), 0.0)
    one.run(5.0)
    assert one.speed() < 5.1 and broken(one) == set()
    if not math.isfinite(bad) or bad < 1e9:
        assert one.state is not State.TRACK and one.speed() < 0.3


@pytest.mark.parametrize('jump', [
    {'xy': (3.0, 0.0)}, {'z': 1.0}, {'heading': math.radians(20.0)},
    {'xy': (3.0, -1.0), 'z': -1.0, 'heading': -0.3},
])  # fmt: skip
def test_e14_a_jump_of_the_estimate_does_not_move_a_vehicle_that_holds(jump):
    one = vehicle()
    one.take_off()
    one.run(2.0)
    start = one.truth
    one.px4.happens(events.estimate_reset, **jump)
    one.run(5.0)
    assert math.hypot(*metres_moved(one, start)) < 0.3
    assert one.truth.height == pytest.approx(start.height, abs=0.3)
    assert abs(math.remainder(one.truth.heading - start.heading, 2 * math.pi)) < 0.1


def test_e15_a_counter_that_begins_again_and_one_that_skips():
    one = vehicle()
    one.take_off()
    one.px4.happens(events.counter, 'xy', 255)
    one.run(1.0)
    start = one.truth
    one.px4.happens(events.estimate_reset, xy=(3.0, 0.0))
    one.run(3.0)
    assert math.hypot(*metres_moved(one, start)) < 0.3
    one.px4.happens(events.counter, 'xy', 7)
    one.run(3.0)
    assert math.hypot(*metres_moved(one, start)) < 0.6


def test_e16_a_controller_in_the_plane_keeps_its_height():
    one = vehicle(guided(vertical_mode='hold_height'))
    one.take_off()
    one.run(2.0)
    height = one.truth.height
    one.track(east=1.0)
    for k in range(60):
        one.command = Motion((math.cos(0.3 * k), math.sin(0.3 * k), 0.0), 0.0)
        one.run(1.0)
        if k == 30:
            one.px4.happens(events.estimate_reset, z=1.0)
    assert one.truth.height == pytest.approx(height, abs=0.3) and one.state is State.TRACK


@pytest.mark.parametrize('mode', ['hold_position', 'passthrough'])
def test_at_a_command_of_zero_a_vehicle_whose_velocity_is_wrong_keeps_its_place(monkeypatch, mode):
    one = vehicle(guided(horizontal_mode=mode))
    one.take_off()
    monkeypatch.setattr(Estimator, 'velocity_error', (0.4, -0.3))
    one.track(east=3.0)
    one.run(3.0)
    one.command = STILL
    one.run(2.0)
    start, moved = one.truth, []
    for _ in range(30):
        one.run(1.0)
        moved.append(math.hypot(*metres_moved(one, start)))
    assert one.state is State.TRACK and broken(one) == set()
    assert max(moved) < 1.0 if mode == 'hold_position' else max(moved) > 10.0


@pytest.mark.parametrize('way', [(1.0, 0.0), (0.6, -0.8), (-0.7, 0.7)])
def test_e17_nothing_leads_out_of_the_room(way):
    one = vehicle(guided(keep_in_radius=25.0, max_height=10.0))
    one.take_off()
    one.track(*(5.0 * part for part in way), 2.0)
    for _ in range(40):
        one.run(0.5)
        x, y, z = one.bridge.position
        assert math.hypot(x, y) < 25.3 and z < 10.3
    assert one.state is State.TRACK and broken(one) == set()


def test_e26_four_vehicles_with_origins_of_their_own_agree_on_where_they_are():
    places = [(0.0, 0.0), (0.0018, 0.0), (0.0, 0.0027), (-0.0009, 0.004)]
    for north, east in places:
        one = vehicle(
            latitude=PLACE[0] + north, longitude=PLACE[1] + east, gps_error=0.0, noise=0.0
        )
        one.take_off()
        one.run(1.0)
        true = pymap3d.geodetic2enu(
            one.truth.latitude, one.truth.longitude, one.truth.altitude, *PLACE
        )
        assert math.dist(one.bridge.position[:2], true[:2]) < 0.05
        assert one.bridge.position[2] == pytest.approx(one.truth.height, abs=0.05)


def test_e27_an_origin_that_moves_in_flight_is_held_and_no_jump():
    one = vehicle()
    one.take_off()
    one.track(east=1.0)
    one.run(2.0)
    one.px4.happens(events.new_reference, PLACE[0] + 1e-4, PLACE[1], PLACE[2])
    one.run(0.5)
    start = one.truth
    assert one.state is State.HOLD_REENTRY
    one.run(4.0)
    assert math.hypot(*metres_moved(one, start)) < 1.0
    before = one.bridge.position
    assert one.ask(Request.ENGAGE)[0]
    one.run(2.0)
    assert one.state is State.TRACK and one.bridge.position[0] > before[0] + 1.0


@pytest.mark.parametrize('seed', range(4))
def test_e28_a_fifth_of_all_messages_is_lost(seed):
    lossy = LinkSettings(loss=0.2, delay=0.0, jitter=0.1)
    one = vehicle(link_in=lossy, link_out=lossy, seed=seed)
    one.take_off()
    start = one.truth
    one.track(east=2.0)
    one.run(5.0)
    assert metres_moved(one, start)[0] > 6.0
    one.command = None
    assert one.ask(Request.LAND)[0]
    one.run(40.0, State.READY)
    assert not one.is_armed


def restarted(one, meanwhile=lambda: None):
    """Let another bridge fly the vehicle, with what the file holds; it is down for 3 s."""
    kept = of_text(to_text(one.bridge.ground_memory))
    one.is_frozen = True
    one.run(2.0)
    meanwhile()
    one.run(1.0)
    one.bridge, one.is_frozen = type(one.bridge)(one.parameters), False
    one.bridge.kept = kept
    one.run(2.0)
    return kept


@pytest.mark.parametrize('release', RELEASES)
@pytest.mark.parametrize('jump', [0.0, 1.5])
def test_a_bridge_that_is_restarted_in_flight_knows_the_ground_and_may_track(release, jump):
    one = vehicle(guided(vertical_mode='hold_height'), release=release)
    one.take_off()
    one.px4.happens(events.estimate_reset, z=0.5)
    one.track(east=1.0)
    one.run(2.0)
    kept = restarted(
        one, lambda: one.px4.happens(events.estimate_reset, z=-jump) if jump else None
    )
    assert one.state is State.READY and one.nav_state == 'AUTO_LOITER', one.reason
    assert one.bridge.frame.ground == pytest.approx(kept.ground + jump, abs=1e-6)
    assert one.bridge.position[2] == pytest.approx(one.truth.height, abs=0.1)
    start = one.truth
    one.command = Motion((1.0, 0.0, 0.0), 0.0)
    one.tick()
    assert one.ask(Request.ENGAGE)[0], one.reason
    one.run(5.0)
    assert one.state is State.TRACK and metres_moved(one, start)[0] > 1.0
    assert one.truth.height == pytest.approx(start.height, abs=0.3)
    assert broken(one, ('heartbeat_gap', 'left_in_offboard')) == set()


def test_two_jumps_while_no_bridge_runs_leave_the_ground_unknown():
    one = vehicle()
    one.take_off()

    def jump_twice():
        one.px4.happens(events.estimate_reset, z=1.0)
        one.px4.happens(events.estimate_reset, z=-0.25)

    restarted(one, jump_twice)
    assert 'has jumped 2 times' in one.bridge.frame.trouble and one.bridge.pose is None
    assert one.bridge.ground_memory is None
    assert one.ask(Request.LAND)[0]
    one.run(30.0, State.READY)
    assert not one.is_armed and one.bridge.frame.trouble == ''


def test_the_ground_of_another_flight_is_not_taken():
    one = vehicle()
    one.take_off()
    earlier = one.bridge.ground_memory
    one.ask(Request.LAND)
    one.run(40.0, State.READY)
    one.take_off()
    assert one.bridge.ground_memory.armed_us > earlier.armed_us
    one.bridge = type(one.bridge)(one.parameters)
    one.bridge.kept = earlier
    one.run(2.0)
    assert 'the kept height is of another flight' in one.bridge.frame.trouble
