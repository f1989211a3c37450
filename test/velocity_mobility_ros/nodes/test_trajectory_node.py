"""The trajectory node over real DDS: a path in, commands out, a simulated vehicle flies it.

How a leader flies, waits and is followed is shown where that is computed (core/trajectory).
"""

import itertools
import math

import pytest
from nav_msgs.msg import Odometry, Path

from support.ros.bodies import odometry_to_body
from support.ros.graph import set_parameters
from support.ros.path_flight import BEGIN_NS, LOGGER, NODE, NONE, STEP, PathFlight
from support.ros.sent_messages import odometry_message, path_message
from support.ros.told import ERROR, OK, STALE, WARN
from velocity_mobility_ros.core.trajectory.pursuit import Waypoint
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.nodes.trajectory_node import TrajectoryNode
from velocity_mobility_ros.ros_io.endpoints import LATCHED, STATE
from velocity_mobility_ros.ros_io.messages.message_conversion import level_odometry
from velocity_mobility_ros.ros_io.node_time import time_to_ns

pytestmark = pytest.mark.ros


@pytest.mark.parametrize('stamped', [False, True])
def test_a_timed_path_is_flown_and_reached_in_time(ros, stamped):
    """The leader is there within half a step, the vehicle is where the leader is."""
    flight = PathFlight(ros, enable_stamped_cmd_vel=stamped)
    flight.shows(STALE, 'no path received yet on /uav_1/path')
    flight.advance(0.1)
    flight.send((6.0, 0.0, 2.0, 3.0), (6.0, 6.0, 2.0, 6.0))
    flight.advance(1.0)
    values = flight.values()
    assert (values['vertices_left'], values['last_error']) == ('2', 'none')
    assert 7.0 < float(values['distance_m']) < 12.0
    assert 1.8 < float(values['time_to_go_s']) < 2.1
    flight.shows(OK, 'ok')
    flight.advance(2.0)
    assert flight.distance(6.0, 0.0, 2.0) < 0.6
    flight.advance(3.2)
    assert flight.distance(6.0, 6.0, 2.0) < 0.15
    values = flight.values()
    assert (values['paths'], values['vertices_left']) == ('1', '0')
    assert abs(float(values['lateness_s'])) <= STEP / 2.0
    if stamped:
        assert {one.header.frame_id for one in flight.commands} == {'map'}


def test_a_node_that_comes_later_and_a_restarted_one_take_the_latched_path(ros):
    message = path_message([Waypoint((4.0, 0.0, 0.0), NONE)], BEGIN_NS)
    publisher = ros.tester.create_publisher(Path, '/uav_1/path', LATCHED)
    publisher.publish(message)
    flight = PathFlight(ros)
    flight.take_kept_path()
    flight.advance(1.0)
    ros.remove(flight.node)
    flight.node = ros.make(TrajectoryNode, '/uav_1', use_sim_time=True)
    flight.take_kept_path()
    flight.advance(4.0)
    assert flight.distance(4.0, 0.0, 0.0) < 0.15
    assert flight.values()['paths'] == '1'


def test_relative_times_count_from_the_arrival(ros):
    flight = PathFlight(ros, time_mode='relative')
    flight.advance(0.1)
    message = path_message([Waypoint((4.0, 0.0, 0.0), 3.0)], 77_000_000_000)
    flight.publish(message)
    flight.advance(2.0)
    assert flight.distance(4.0, 0.0, 0.0) > 0.3
    flight.advance(1.3)
    assert flight.distance(4.0, 0.0, 0.0) < 0.15
    assert abs(float(flight.values()['lateness_s'])) <= STEP / 2.0


def test_an_empty_path_brakes_within_the_limits_and_a_loop_goes_on(ros):
    flight = PathFlight(ros, loop=True, cruise_speed=4.0)
    flight.advance(0.1)
    flight.send((9.0, 0.0, 0.0), (9.0, 9.0, 0.0), (0.0, 9.0, 0.0), (0.0, 0.0, 0.0))
    flight.advance(2.5)
    assert flight.values()['vertices_left'] == '3', 'it does not end'
    flight.send()
    flight.advance(0.3)
    assert flight.commands.last.linear.x > 1.0
    flight.advance(3.5)
    assert abs(flight.commands.last.linear.x) < 0.05
    stopped = flight.position
    flight.advance(0.5)
    assert math.dist(stopped, flight.position) < 0.05


def test_a_leader_waits_for_its_vehicle(ros):
    """A vehicle that does not move: the leader stops at the leash and says so."""
    flight = PathFlight(ros, vehicle=False, leash=1.0)
    voice = ros.voice(Odometry, '/uav_1/odom', STATE)
    for _ in range(5):
        flight.stand(voice)
    flight.send((30.0, 0.0, 0.0, 10.0))
    for _ in range(60):
        flight.stand(voice)
    flight.shows(WARN, 'the leader waits, the vehicle is 1.', 'm behind (leash 1 m)')
    values = flight.values()
    assert 1.0 < float(values['leader_distance_m']) < 1.5
    assert float(values['held_s']) > 0.5
    ros.until(lambda: 0.5 < flight.commands.last.linear.x < 1.6, 'the command')


def test_the_vehicle_looks_where_the_policy_says(ros):
    flight = PathFlight(ros, yaw_policy='toward_point', point_x=-100.0, point_y=8.0)
    flight.advance(0.1)
    flight.send((0.0, 8.0, 0.0))
    flight.advance(5.5)
    assert math.cos(odometry_to_body(flight.odometry.last)[2] - math.pi) > math.cos(0.1)


def test_in_strict_mode_a_missed_pose_ends_the_path(ros):
    flight = PathFlight(ros, strict=True)
    flight.advance(0.1)
    flight.send((50.0, 0.0, 0.0, 1.0), (60.0, 0.0, 0.0))
    flight.advance(0.1)
    late = 'path: may be late: vertex 1 at '
    ros.until(lambda: flight.told.logged(LOGGER, late), late)
    flight.advance(1.2)
    flight.shows(ERROR, 'path given up: vertex 1', 'TIMED_WAYPOINT_NOT_REACHED')
    flight.advance(2.5)
    assert abs(flight.commands.last.linear.x) < 0.1
    assert flight.values()['last_error'] == 'TIMED_WAYPOINT_NOT_REACHED'


@pytest.mark.parametrize(
    ('poses', 'changes', 'text'),
    [
        ([(1.0, 0.0, 0.0), (0.0, math.inf, 0.0)], {}, 'poses[1] at'),
        ([(5.0, 0.0, 0.0, 3.0), (9.0, 0.0, 0.0, 2.0)], {}, 'its time must be after that of the'),
    ],
)
def test_a_wrong_path_is_refused_in_one_line_and_the_old_one_kept(ros, poses, changes, text):
    flight = PathFlight(ros)
    flight.advance(0.1)
    flight.send((20.0, 0.0, 0.0))
    flight.advance(0.5)
    flight.send(*poses, **changes)
    flight.advance(0.2)
    kept = '1 message refused on /uav_1/path'
    ros.until(lambda: [one for one in flight.messages() if kept in one and text in one], kept)
    lines = flight.told.lines
    line = 'the path before is kept'
    ros.until(lambda: [x for x in lines(LOGGER) if text in x and line in x], line)
    flight.advance(0.5)
    assert flight.commands.last.linear.x > 1.0
    assert flight.values()['paths'] == '1'


def test_without_odometry_in_map_no_command_is_sent(ros):
    """The first command comes after the first odometry in map."""
    flight = PathFlight(ros, vehicle=False, enable_stamped_cmd_vel=True)
    flight.shows(STALE, 'no odometry received yet on /uav_1/odom')
    flight.send((5.0, 0.0, 0.0))
    voice = ros.voice(Odometry, '/uav_1/odom', STATE)
    at, rest = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)

    def is_refused() -> bool:
        flight.advance(STEP)
        values = level_odometry(flight.now_ns, 'uav_1/base_link', at, 0.0, rest, 0.0, 'uav_1/odom')
        voice.publish(odometry_message(values))
        said = "frame_id = 'uav_1/odom' must be 'map'"
        return any(said in message for message in flight.messages())

    ros.until(is_refused, 'the refusal')
    begin_ns = flight.now_ns
    ros.until(lambda: flight.stand(voice) or flight.commands, 'a command')
    assert time_to_ns(flight.commands[0].header.stamp) > begin_ns


@pytest.mark.parametrize(('mode', 'jump'), [
    ('absolute', 20.0), ('absolute', -20.0), ('relative', 20.0),
])  # fmt: skip
def test_a_jump_of_the_clock_is_told_and_the_path_is_flown_on(ros, jump, mode):
    flight = PathFlight(ros, vehicle=False, time_mode=mode)
    voice = ros.voice(Odometry, '/uav_1/odom', STATE)
    for _ in range(4):
        flight.stand(voice)
    flight.send((1.5, 0.0, 0.0), (1.5, 1.0, 0.0, 6.0))
    for _ in range(6):
        flight.stand(voice)
    flight.now_ns += round(jump * 1e9)
    for _ in range(12):
        flight.stand(voice)
    told = f'simulated time jumped by {jump:+.0f}.'
    ros.until(lambda: flight.told.logged(LOGGER, told), told)
    values = flight.values()
    is_late = mode == 'absolute' and jump > 0.0
    assert (float(values['lateness_s']) > 10.0) == is_late
    assert values['last_error'] == 'none'
    before = len(flight.commands)
    ros.until(lambda: flight.stand(voice) or len(flight.commands) > before, 'commands')


def test_parameters_change_while_it_flies(ros):
    flight = PathFlight(ros)
    flight.advance(0.1)
    flight.send((60.0, 0.0, 0.0))
    flight.advance(2.0)
    assert flight.commands.last.linear.x > 3.0
    assert set_parameters(ros, NODE, cruise_speed=1.0, tau_xy=0.05) == ['', '']
    flight.advance(3.0)
    assert flight.commands.last.linear.x == pytest.approx(1.0, abs=0.3)
    (why,) = set_parameters(ros, NODE, max_speed=0.0)
    assert why.startswith('max_speed = 0.0 must be above 0')
    speeds = [one.linear.x for one in flight.commands]
    assert max(abs(b - a) for a, b in itertools.pairwise(speeds)) < 1.0, 'without a leap'


@pytest.mark.parametrize(
    ('parameters', 'text'),
    [
        ({'yaw_policy': 'away'}, "yaw_policy = 'away' must be one of segment, fixed, toward"),
        ({'cruise': 1.0}, "unknown parameter 'cruise'; did you mean 'cruise_speed'?"),
    ],
)
def test_a_wrong_parameter_is_refused_in_one_line(ros, parameters, text):
    with pytest.raises(ParameterError) as caught:
        ros.make(TrajectoryNode, '/uav_1', **parameters)
    assert text in str(caught.value)
