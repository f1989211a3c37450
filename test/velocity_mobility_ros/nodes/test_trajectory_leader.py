"""How a vehicle follows the leader of its trajectory node: waits, lag, leash, heading."""

import math

import pytest
from nav_msgs.msg import Odometry
from support.ros.path_flight import (
    LOGGER,
    STEP,
    PathFlight,
)
from support.ros.told import ERROR, WARN
from velocity_mobility_ros.ros_io.messages import (
    odometry_to_body,
)
from velocity_mobility_ros.ros_io.qos import STATE

pytestmark = pytest.mark.ros


def test_a_pose_given_twice_is_waited_at(ros):
    """Four metres ahead from 3 to 5 s, then on: the vehicle stands there meanwhile."""
    flight = PathFlight(ros)
    flight.advance(0.1)
    flight.send((4.0, 0.0, 0.0, 3.0), (4.0, 0.0, 0.0, 5.0), (4.0, 4.0, 0.0, 9.0))
    flight.advance(3.5)
    assert flight.values()['vertices_left'] == '2'
    for _ in range(6):
        flight.advance(0.2)
        assert flight.distance(4.0, 0.0, 0.0) < 0.15
        assert abs(flight.commands.last.linear.x) < 0.15
    flight.advance(4.6)
    assert flight.distance(4.0, 4.0, 0.0) < 0.15
    values = flight.values()
    assert values['vertices_left'] == '0'
    assert abs(float(values['lateness_s'])) <= STEP / 2.0


@pytest.mark.parametrize(('known', 'low', 'high'), [({}, 0.3, 1.5), ({'tau_xy': 0.4}, 0.0, 0.27)])
def test_a_lag_that_the_node_knows_is_made_up_for(ros, known, low, high):
    """How far a vehicle with a lag of 0.4 s is from its leader, in the worst of 4 s."""
    flight = PathFlight(ros, lag=0.4, **known)
    flight.advance(0.1)
    flight.send((16.0, 0.0, 0.0, 6.0))
    away = []
    for _ in range(40):
        flight.advance(0.1)
        away.append(math.dist(flight.position, flight.node._pursuit.leader.state.position))
    assert low <= max(away) < high


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
    assert 0.5 < flight.commands.last.linear.x < 1.6


@pytest.mark.parametrize(
    ('parameters', 'expected'),
    [
        ({}, math.pi / 2.0),
        ({'yaw_policy': 'fixed', 'yaw': -1.0}, -1.0),
        ({'yaw_policy': 'toward_point', 'point_x': -100.0, 'point_y': 8.0}, math.pi),
    ],
)
def test_the_vehicle_looks_where_the_policy_says(ros, parameters, expected):
    flight = PathFlight(ros, **parameters)
    flight.advance(0.1)
    flight.send((0.0, 8.0, 0.0))
    flight.advance(5.5)
    yaw = odometry_to_body(flight.odometry.last)[2]
    assert math.cos(yaw - expected) > math.cos(0.1)
    assert max(abs(one.angular.z) for one in flight.commands) <= 1.5


def test_in_strict_mode_a_missed_pose_ends_the_path(ros):
    flight = PathFlight(ros, strict=True)
    flight.advance(0.1)
    flight.send((50.0, 0.0, 0.0, 1.0), (60.0, 0.0, 0.0))
    flight.advance(0.1)
    assert flight.told.logged(LOGGER, 'path: may be late: vertex 1 at ')
    flight.advance(1.2)
    flight.shows(ERROR, 'path given up: vertex 1', 'TIMED_WAYPOINT_NOT_REACHED')
    flight.advance(2.5)
    assert abs(flight.commands.last.linear.x) < 0.1
    assert flight.values()['last_error'] == 'TIMED_WAYPOINT_NOT_REACHED'
