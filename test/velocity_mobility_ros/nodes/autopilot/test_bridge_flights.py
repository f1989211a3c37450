"""One flight of every autopilot over DDS, each with the process of its bridge.

All that a bridge does in flight is shown without ROS, see ``autopilot/bridge``; here it is shown
that the node passes it on: topics, services, axes, namespaces, releases, clocks.
"""

import math

import pytest

from support.autopilot.places import moved, speed, velocity
from support.autopilot.sky import Sky
from support.cli import wait_until

pytestmark = [pytest.mark.ros, pytest.mark.nightly]

KINDS = ('px4', 'ardupilot', 'mavros_px4', 'mavros_ardupilot')
HOLDS = {'px4': 'AUTO_LOITER', 'mavros_px4': 'AUTO.LOITER'}
"""Mode of PX4 that holds; that of ArduCopter is BRAKE."""

FLIES, STANDS = 1, 2
NEIGHBOUR = {'1.14': '1.15', '1.15': '1.14', '1.16': '1.17', '1.17': '1.16', '1.18': '1.17'}
"""Another release of px4_msgs, by mistake, for each release of PX4."""

SAYS = {
    '1.14': ('release 1.14', 'px4_msgs (1.15)', 'bytes'),
    '1.15': ('nothing arrives', 'px4_msgs (1.14)'),
    '1.16': ('version 1', 'version 0', 'VehicleLocalPosition'),
    '1.17': ('version 0', 'version 1', 'VehicleLocalPosition'),
    '1.18': ('version 1', 'version 4', 'VehicleStatus'),
}  # fmt: skip
"""What is said then. Of messages that are longer than its own a bridge sees nothing."""

TOO_LONG = 'is larger than the history payload size'
"""What Fast DDS prints of each message that is longer than expected."""


def leg(sky, east, north):
    """Fly straight on for some metres, by the true place on Earth and by the odometry."""
    one = sky.tracking(FLIES, command=(east, north, 0.0, 0.0))
    sky.wait(
        lambda: math.dist(velocity(sky.px4s[FLIES]), (east, north, 0.0)) < 0.6,
        f'({east}, {north}) m/s',
    )
    start, told = sky.px4s[FLIES], one.position

    def along(way):
        return 0.5 * (way[0] * east + way[1] * north)

    sky.wait(lambda: along(moved(start, sky.px4s[FLIES])) > 3.0, 'the way')
    x, y, up = moved(start, sky.px4s[FLIES])
    assert abs(x * north - y * east) < 1.0 and abs(up) < 0.4
    sky.wait(lambda: along([b - a for a, b in zip(told, one.position, strict=True)]) > 2.0,
             'the odometry')  # fmt: skip


@pytest.mark.parametrize('kind', KINDS)
def test_e01_e04_f22_a_flight_beside_another_vehicle(domain, tmp_path, kind):
    """What moves is the vehicle that is commanded, and truly where the axes of the map say."""
    settings = {k: {'heading': 1.0} for k in (FLIES, STANDS)}
    with Sky(tmp_path, domain, settings, kind=kind) as sky:
        sky.start(FLIES, STANDS)
        sky.ready(FLIES, STANDS)
        sky.take_off(FLIES)
        one = sky[FLIES]
        assert one.values['autopilot'] == kind.partition('_')[0]
        assert sky.px4s[FLIES].height == pytest.approx(1.6, abs=0.4)
        leg(sky, 2.0, 0.0)
        leg(sky, 0.0, 2.0)
        start = sky.px4s[FLIES]
        one.command = (0.0, 0.0, 1.0, 0.5)
        sky.wait(lambda: sky.px4s[FLIES].position[2] > start.position[2] + 1.0, 'a climb')

        def turned():
            return math.remainder(sky.px4s[FLIES].heading - start.heading, 2.0 * math.pi)

        sky.wait(lambda: abs(turned()) > 0.3, 'a turn')
        assert turned() < 0.0  # to the left: the compass heading decreases
        one.command = None
        assert sky.px4s[STANDS].height < 0.1 and not sky.px4s[STANDS].armed
        sky.landed(FLIES)
        if kind == 'px4':
            assert [sky[k].values['system_id'] for k in (FLIES, STANDS)] == ['2', '3']
            wait_until(lambda: one.status.get('px4_msgs_compared') == '10 of 10', 'formats')
        assert sky.broken() == {} or kind == 'mavros_px4'  # PX4's mode is told once a second
        assert 'Traceback' not in sky.bridges[FLIES].err


@pytest.mark.parametrize('kind', KINDS[1:])
def test_e20_a_bridge_that_is_interrupted_hands_over_first(domain, tmp_path, kind):
    with Sky(tmp_path, domain, {FLIES: {}}, kind=kind) as sky:
        sky.start(FLIES)
        sky.tracking(FLIES, command=(2.0, 0.0, 0.0, 0.0))
        sky.may_end.add(FLIES)
        sky.bridges[FLIES].interrupt()
        assert sky.bridges[FLIES].end() == 0, sky.bridges[FLIES].err
        sky.wait(lambda: sky.px4s[FLIES].mode == HOLDS.get(kind, 'BRAKE'), 'the hand-over')
        assert sky.px4s[FLIES].armed


@pytest.mark.parametrize('kind', KINDS[1:])
def test_e21_a_killed_bridge_leaves_a_vehicle_that_stops_and_the_next_one_flies_it(
    domain, tmp_path, kind
):
    with Sky(tmp_path, domain, {FLIES: {}}, kind=kind) as sky:
        sky.start(FLIES, is_killed=True)
        one = sky.tracking(FLIES, command=(2.0, 0.0, 0.0, 0.0))
        sky.wait(lambda: speed(sky.px4s[FLIES]) > 1.2, 'the vehicle to fly')
        sky.may_end.add(FLIES)
        sky.bridges[FLIES].popen.kill()
        left = {'mavros_px4': 'AUTO.LOITER'}.get(kind, 'GUIDED')
        sky.wait(lambda: speed(sky.px4s[FLIES]) < 0.1, 'a vehicle that stands')
        sky.wait(lambda: sky.px4s[FLIES].mode == left, left)
        assert sky.px4s[FLIES].armed
        one.command, one.values = None, {}
        sky.start(FLIES)
        one.wait('READY')
        assert sky.stays(lambda: sky.px4s[FLIES].mode == left, FLIES)  # no OFFBOARD by itself
        sky.landed(FLIES)


@pytest.mark.parametrize('release', NEIGHBOUR)
def test_e02_e08_a_release_flies_and_another_one_is_refused(domain, tmp_path, release):
    """Releases differ in names of topics, in fields, and in what they publish at all."""
    with Sky(tmp_path, domain, {FLIES: {}, STANDS: {}}, release) as sky:
        sky.start(FLIES)
        sky.start(STANDS, release=NEIGHBOUR[release])
        wrong, one = sky.bridges[STANDS], sky[FLIES]
        sky.ready(FLIES)
        sky.take_off(FLIES)
        assert one.values['landed'] == ('unknown' if release < '1.16' else 'false')
        wait_until(lambda: wrong.complaints, 'the refusal')
        (line,) = wrong.complaints
        assert all(text in line for text in SAYS[release]), line
        if release != '1.15':  # of which no graph tells that it is another one
            told = wrong.err.count(TOO_LONG)
            assert sky.stays(lambda: wrong.err.count(TOO_LONG) == told, FLIES)
        accepted, answer = sky[STANDS].ask('arm_takeoff')
        assert not accepted and 'px4_msgs' in answer and not sky.px4s[STANDS].armed
        wait_until(lambda: 'px4_msgs' in one.status, 'diagnostics')
        assert release in one.status['px4_msgs'].split('/')
        assert (one.status['answers'] == '0') == (release == '1.14')
        sky.landed(FLIES)
        assert sky.broken() == {}


@pytest.mark.parametrize('times', [5.0, 2.0])
def test_e32_by_simulated_time_nothing_is_late(domain, tmp_path, times):
    with Sky(tmp_path, domain, {FLIES: {}}, speed=times) as sky:
        sky.operator.tell_time(times)
        sky.start(FLIES, use_sim_time=True)
        sky.ready(FLIES)
        sky.take_off(FLIES)
        one, start = sky[FLIES], sky.px4s[FLIES]
        sky.tracking(FLIES, command=(2.0, 0.0, 0.0, 0.0))
        sky.wait(lambda: moved(start, sky.px4s[FLIES])[0] > 6.0, 'the way')
        stamp = one.odometry[-1][1].header.stamp
        assert 1000 < stamp.sec < 2000  # simulated
        one.command = None
        sky.landed(FLIES)
        states = [state for state, _ in one.history]
        assert not {'LINK_LOST', 'FAULT', 'EXTERNAL', 'HOLD_REENTRY'} & set(states), one.history
        assert [x for x in sky.bridges[FLIES].complaints if 'on /clock yet' not in x] == []
