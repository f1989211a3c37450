"""The trajectory node over real DDS: a path in, commands out, a simulated vehicle flies it."""

import math

import pytest
from nav_msgs.msg import Path
from support.ros.path_flight import (
    BEGIN_NS,
    NONE,
    STEP,
    PathFlight,
)
from support.ros.told import OK, STALE
from velocity_mobility_ros.core.trajectory.route import Waypoint
from velocity_mobility_ros.nodes.trajectory_node import TrajectoryNode
from velocity_mobility_ros.ros_io.paths.path_message import path_message
from velocity_mobility_ros.ros_io.qos import LATCHED

pytestmark = pytest.mark.ros


@pytest.mark.parametrize('stamped', [False, True])
def test_a_timed_path_is_flown_and_reached_in_time(ros, stamped):
    """The leader is there within half a step, the vehicle is where the leader is."""
    flight = PathFlight(ros, enable_stamped_cmd_vel=stamped)
    flight.advance(0.1)
    flight.send((6.0, 0.0, 2.0, 3.0), (6.0, 6.0, 2.0, 6.0))
    flight.advance(3.0)
    assert flight.distance(6.0, 0.0, 2.0) < 0.6
    flight.advance(1.7)
    assert 0.3 < flight.distance(6.0, 6.0, 2.0) < 3.0
    flight.advance(1.5)
    assert flight.distance(6.0, 6.0, 2.0) < 0.15
    values = flight.values()
    assert (values['paths'], values['vertices_left']) == ('1', '0')
    assert abs(float(values['lateness_s'])) <= STEP / 2.0
    assert values['last_error'] == 'none'
    if stamped:
        assert {one.header.frame_id for one in flight.commands} == {'map'}


def test_status_tells_what_remains(ros):
    flight = PathFlight(ros)
    flight.shows(STALE, 'no path received yet on /uav_1/path')
    flight.advance(0.1)
    flight.send((10.0, 0.0, 0.0), (10.0, 10.0, 0.0, 12.0))
    flight.advance(1.0)
    values = flight.values()
    assert values['vertices_left'] == '2'
    assert 10.0 < float(values['distance_m']) < 20.0
    assert 10.5 < float(values['time_to_go_s']) < 11.5
    assert float(values['leader_distance_m']) < 1.0
    flight.shows(OK, 'ok')


def test_a_latched_path_is_taken_by_a_node_that_comes_later(ros):
    message = path_message([Waypoint((4.0, 0.0, 0.0), NONE)], BEGIN_NS)
    publisher = ros.tester.create_publisher(Path, '/uav_1/path', LATCHED)
    publisher.publish(message)
    flight = PathFlight(ros)
    flight.take_kept_path()
    flight.advance(3.5)
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


def test_a_new_path_replaces_the_old_one_without_a_jump(ros):
    flight = PathFlight(ros)
    flight.advance(0.1)
    flight.send((20.0, 0.0, 0.0))
    flight.advance(2.0)
    before = flight.commands.last.linear.x
    flight.send((30.0, 0.0, 0.0))
    flight.advance(0.1)
    assert before > 3.0
    assert abs(flight.commands.last.linear.x - before) < 1.0
    assert flight.values()['paths'] == '2'


def test_an_empty_path_brakes_within_the_limits(ros):
    flight = PathFlight(ros)
    flight.advance(0.1)
    flight.send((40.0, 0.0, 0.0))
    flight.advance(2.5)
    flight.send()
    flight.advance(0.3)
    assert flight.commands.last.linear.x > 1.0
    flight.advance(3.5)
    assert abs(flight.commands.last.linear.x) < 0.05
    stopped = flight.position
    assert 8.0 < stopped[0] < 25.0
    flight.advance(0.5)
    assert math.dist(stopped, flight.position) < 0.05


def test_a_loop_goes_on(ros):
    flight = PathFlight(ros, loop=True, cruise_speed=4.0)
    flight.advance(0.1)
    flight.send((3.0, 0.0, 0.0), (3.0, 3.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, 0.0))
    visits = [flight.position]
    for _ in range(70):
        flight.advance(0.1)
        visits.append(flight.position)
    assert flight.values()['vertices_left'] == '3'
    near = [i for i, one in enumerate(visits) if math.dist(one, (3.0, 3.0, 0.0)) < 0.8]
    assert max(near) - min(near) > 25


def test_a_restarted_node_takes_the_latched_path_again(ros):
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
