"""A flight with an emulated PX4 over DDS: take-off, the right ways, bad commands, no commands.

The labels are those of the conformance tests of the bridge. Each test begins in the air, where the
one before it ended, and PX4's strict mode judges all of it.
"""

import math
import time

import pytest
from geometry_msgs.msg import Twist
from support.autopilot.operator import during
from support.autopilot.places import moved, speed, velocity
from support.cli import wait_until

pytestmark = [pytest.mark.ros, pytest.mark.slow]

FLIES, HOLDS, STANDS = 1, 2, 3
EAST, NORTH, WEST, SOUTH = (2.0, 0.0), (0.0, 2.0), (-2.0, 0.0), (0.0, -2.0)
MAX_SPEED = 5.0
LOSS_TIME = 2.0
"""Time without a command after which the autopilot takes over [s]."""


@pytest.fixture(scope='module')
def sky(open_sky):
    """Return vehicles on the ground, with their bridges."""
    found = open_sky({k: {'heading': 1.0} for k in (FLIES, HOLDS, STANDS)})
    found.start(FLIES, HOLDS, STANDS, command_loss_time=LOSS_TIME)
    return found


@pytest.fixture(autouse=True)
def _nothing_forbidden(sky):
    yield
    assert sky.broken() == {}


def flies(sky, k, east, north, up):
    """Wait until a vehicle has nearly a velocity."""
    sky.wait(
        lambda: math.dist(velocity(sky.px4s[k]), (east, north, up)) < 0.5,
        f'vehicle {k} to fly ({east}, {north}, {up}) m/s',
    )


def leg(sky, k, east, north):
    """Fly straight on for some metres, and check that it is so; return how far in degrees."""
    sky[k].command = (east, north, 0.0, 0.0)
    flies(sky, k, east, north, 0.0)
    start, told = sky.px4s[k], sky[k].position

    def along(way):
        return 0.5 * (way[0] * east + way[1] * north)

    sky.wait(lambda: along(moved(start, sky.px4s[k])) > 3.0, 'the way')
    end = sky.px4s[k]
    x, y, up = moved(start, end)
    assert abs(x * north - y * east) < 1.0 and abs(up) < 0.3
    assert along([b - a for a, b in zip(told, sky[k].position, strict=True)]) > 2.0
    return [b - a for a, b in zip(start.position, end.position, strict=True)]


def test_e01_e04_f22_a_square_a_climb_a_turn_and_a_landing_beside_others(sky):
    """What moves is the vehicle that is commanded, and truly where the axes of the map say."""
    sky.ready(FLIES)
    sky.ask(FLIES, 'arm_takeoff')
    sky.tracking(HOLDS)
    sky[FLIES].wait('HOLD')
    assert sky.px4s[FLIES].height == pytest.approx(1.6, abs=0.3)
    others, ground = sky.px4s[HOLDS], sky.px4s[FLIES].height
    one = sky.tracking(FLIES)
    latitude, longitude, _ = leg(sky, FLIES, *EAST)
    assert longitude > 3e-5 and abs(latitude) < 1e-5
    latitude, longitude, _ = leg(sky, FLIES, *NORTH)
    assert latitude > 2e-5 and abs(longitude) < 1e-5
    leg(sky, FLIES, *WEST)
    leg(sky, FLIES, *SOUTH)
    assert sky.px4s[FLIES].height == pytest.approx(ground, abs=0.3)
    start = sky.px4s[FLIES]
    one.command = (0.0, 0.0, 1.0, 0.5)
    sky.wait(lambda: sky.px4s[FLIES].position[2] > start.position[2] + 1.0, 'a climb')
    turned = math.remainder(sky.px4s[FLIES].heading - start.heading, 2.0 * math.pi)
    assert turned < -0.3  # to the left: the compass heading decreases
    one.command = None
    assert math.hypot(*moved(others, sky.px4s[HOLDS])) < 0.7
    assert sky.px4s[STANDS].height < 0.1 and not sky.px4s[STANDS].armed
    sky.landed(FLIES)
    assert sky.px4s[FLIES].landed and sky.px4s[HOLDS].mode == 'OFFBOARD'
    assert [sky[k].values['system_id'] for k in (FLIES, HOLDS, STANDS)] == ['2', '3', '4']


def test_e10_without_commands_it_brakes_holds_and_is_handed_over(sky):
    one = sky.tracking(HOLDS, command=(4.0, 0.0, 0.0, 0.0))
    flies(sky, HOLDS, 4.0, 0.0, 0.0)
    one.history.clear()
    one.command = None
    one.wait('BRAKE', 'HOLD')
    one.wait('HOLD')
    assert 'engage again' in one.reason
    sky.wait(lambda: speed(sky.px4s[HOLDS]) < 0.3, 'a halt')
    one.wait('EXTERNAL')
    sky.wait(lambda: sky.px4s[HOLDS].mode == 'AUTO_LOITER', 'the autopilot to hold')
    assert [state for state, _ in one.history if state != 'HANDOVER'][-2:] == ['HOLD', 'EXTERNAL']


@pytest.mark.one_in(2)
@pytest.mark.parametrize('bad', [math.nan, math.inf])
def test_e11_a_command_that_is_not_finite_is_no_command(sky, bad):
    one = sky.tracking(HOLDS, command=(2.0, 0.0, 0.0, 0.0))
    flies(sky, HOLDS, 2.0, 0.0, 0.0)
    one.command = (2.0, bad, 0.0, 0.0)
    one.wait('HOLD')
    one.command = None
    sky.wait(lambda: speed(sky.px4s[HOLDS]) < 0.3, 'a halt')
    assert any('cmd_vel: refused' in line for line in sky.bridges[HOLDS].lines('WARN'))


def test_e11_a_huge_command_is_flown_within_the_limits(sky):
    one = sky.tracking(HOLDS, command=(1e9, 0.0, 0.0, 0.0))
    flies(sky, HOLDS, MAX_SPEED, 0.0, 0.0)
    assert during(0.5, lambda: speed(sky.px4s[HOLDS]) < MAX_SPEED + 0.3)
    one.command = (0.0, 0.0, 0.0, 0.0)
    flies(sky, HOLDS, 0.0, 0.0, 0.0)


def test_e11_of_a_burst_the_newest_command_counts(sky):
    one = sky.tracking(HOLDS)
    flies(sky, HOLDS, 0.0, 0.0, 0.0)
    one.command = None
    old, new = Twist(), Twist()
    old.linear.x, new.linear.y = -3.0, 2.0
    deadline = time.monotonic() + 60.0
    while velocity(sky.px4s[HOLDS])[1] < 1.5:
        for message in (*[old] * 40, new):
            one.publish(message)
        assert abs(velocity(sky.px4s[HOLDS])[0]) < 0.7 and time.monotonic() < deadline
        time.sleep(0.1)
    one.command = (0.0, 0.0, 0.0, 0.0)


def test_a_controller_that_moves_keeps_a_vehicle_on_the_ground(sky):
    one = sky[STANDS]
    one.command = (2.0, 0.0, 0.0, 0.0)
    wait_until(lambda: 'a controller commands' in one.values['waits_for'], 'the reason')
    assert one.values['ready'] == 'false' and not sky.px4s[STANDS].armed
    one.command = None
    sky.ready(STANDS)
