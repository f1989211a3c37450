"""The trajectory node over real DDS: a path in, commands out, a simulated vehicle flies it."""

import math
import time
from typing import Any

import pytest
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry, Path
from rclpy.qos import QoSProfile
from rosgraph_msgs.msg import Clock
from support.ros.graph import Heard, Ros, set_parameters
from support.ros.told import ERROR, OK, STALE, WARN, Told
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.trajectory.route import Waypoint
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.nodes.trajectory_node import TrajectoryNode
from velocity_mobility_ros.ros_io.messages import (
    level_odometry,
    ns_to_time,
    odometry_message,
    odometry_to_body,
    time_to_ns,
)
from velocity_mobility_ros.ros_io.paths.path_message import path_message
from velocity_mobility_ros.ros_io.qos import COMMAND, LATCHED, STATE

pytestmark = pytest.mark.ros

STATUS, LOGGER = 'uav_1/trajectory_node: path', 'uav_1.trajectory_node'
NODE = '/uav_1/trajectory_node'
UPDATE_NS, STEP = 10_000_000, 0.05
NONE = math.nan
BEGIN_NS = 1_000_000_000_000


class Flight:
    """A vehicle and its trajectory node in simulated time, which goes on update by update."""

    def __init__(
        self, ros: Ros, vehicle: bool = True, lag: float = 0.05, **parameters: Any
    ) -> None:
        """Start both nodes; time stands still at 1000 s, the vehicle has a lag [s]."""
        self.ros, self.now_ns = ros, BEGIN_NS
        self.clock = ros.tester.create_publisher(Clock, '/clock', COMMAND)
        self.told = Told(ros)
        self.odometry: Heard = ros.listen(Odometry, '/uav_1/odom', STATE)
        stamped = parameters.get('enable_stamped_cmd_vel', False)
        self.commands: Heard = ros.listen(
            TwistStamped if stamped else Twist, '/uav_1/cmd_vel', COMMAND
        )
        self.node = ros.make(TrajectoryNode, '/uav_1', use_sim_time=True, **parameters)
        self.vehicle = None
        if vehicle:
            self.vehicle = ros.make(
                MobilityNode, '/uav_1', use_sim_time=True, enable_stamped_cmd_vel=stamped,
                tau_xy=lag, tau_z=lag, max_acc_xy=50.0, max_acc_z=50.0,
            )  # fmt: skip
        readers = 1 + vehicle
        ros.until(lambda: self.clock.get_subscription_count() >= readers, 'readers of the clock')
        self.tell_time()

    def tell_time(self) -> None:
        """Publish the time until both nodes have it."""
        nodes = [node for node in (self.node, self.vehicle) if node is not None]

        def told() -> bool:
            self.clock.publish(Clock(clock=ns_to_time(self.now_ns)))
            self.ros.spin(0.002)
            return all(node.get_clock().now().nanoseconds == self.now_ns for node in nodes)

        self.ros.until(told, 'the time')

    def advance(self, duration: float) -> None:
        """Let time go on, update by update: each with its odometry, each step with its command."""
        for _ in range(round(duration * 1e9 / UPDATE_NS)):
            self.now_ns += UPDATE_NS
            self.tell_time()
            self._await_answer()

    def _await_answer(self) -> None:
        """Wait for the odometry; the events executor misses a tick of /clock now and then."""
        deadline = time.monotonic() + 0.1
        while self.vehicle is not None and time.monotonic() < deadline:
            if self.odometry and time_to_ns(self.odometry.last.header.stamp) >= self.now_ns:
                return
            self.ros.spin(0.002)

    def take_kept_path(self) -> None:
        """Let time go on until the node has found and taken a path that was published before."""
        seen = len(self.taken())
        for _ in range(100):
            self.advance(STEP)
            self.ros.meanwhile(0.05)
            if len(self.taken()) > seen:
                return
        pytest.fail('the path was not taken')

    def taken(self) -> list[str]:
        """Return the lines about paths that were taken."""
        return [line for line in self.told.lines(LOGGER) if line.startswith('path of ')]

    def send(
        self, *waypoints: tuple[float, ...], qos: QoSProfile = COMMAND, **changes: Any
    ) -> None:
        """Publish a path of x, y, z and perhaps the time from now; wait until it is taken."""
        points = [Waypoint(one[:3], one[3] if len(one) > 3 else NONE) for one in waypoints]
        message = path_message(points, self.now_ns, **changes)
        self.publish(message, qos)

    def publish(self, message: Path, qos: QoSProfile = COMMAND) -> None:
        """Publish a path to the node."""
        publisher = self.ros.tester.create_publisher(Path, '/uav_1/path', qos)
        self.ros.until(lambda: publisher.get_subscription_count() >= 1, 'readers of the path')
        publisher.publish(message)
        self.ros.meanwhile(0.2)

    @property
    def position(self) -> tuple[float, float, float]:
        """Where the vehicle is."""
        return odometry_to_body(self.odometry.last)[0]

    def distance(self, *place: float) -> float:
        """Return the distance of the vehicle from a place."""
        return math.dist(self.position, place)

    def values(self) -> dict[str, str]:
        """Return the values of a status that is published from now on."""
        seen = len(self.told.statuses(STATUS))
        self.ros.until(lambda: len(self.told.statuses(STATUS)) > seen, 'a status')
        return {pair.key: pair.value for pair in self.told.statuses(STATUS)[-1].values}

    def shows(self, level: bytes, *texts: str) -> None:
        """Wait for a status."""
        self.ros.until(lambda: self.told.shows(STATUS, level, *texts), f'{texts}')


@pytest.mark.parametrize('stamped', [False, True])
def test_a_timed_path_is_flown_and_reached_in_time(ros, stamped):
    """The leader is there within half a step, the vehicle is where the leader is."""
    flight = Flight(ros, enable_stamped_cmd_vel=stamped)
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


def test_a_pose_given_twice_is_waited_at(ros):
    """Four metres ahead from 3 to 5 s, then on: the vehicle stands there meanwhile."""
    flight = Flight(ros)
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
    flight = Flight(ros, lag=0.4, **known)
    flight.advance(0.1)
    flight.send((16.0, 0.0, 0.0, 6.0))
    away = []
    for _ in range(40):
        flight.advance(0.1)
        away.append(math.dist(flight.position, flight.node._pursuit.leader.state.position))
    assert low <= max(away) < high


def test_status_tells_what_remains(ros):
    flight = Flight(ros)
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
    flight = Flight(ros)
    flight.take_kept_path()
    flight.advance(3.5)
    assert flight.distance(4.0, 0.0, 0.0) < 0.15
    assert flight.values()['paths'] == '1'


def test_relative_times_count_from_the_arrival(ros):
    flight = Flight(ros, time_mode='relative')
    flight.advance(0.1)
    message = path_message([Waypoint((4.0, 0.0, 0.0), 3.0)], 77_000_000_000)
    flight.publish(message)
    flight.advance(2.0)
    assert flight.distance(4.0, 0.0, 0.0) > 0.3
    flight.advance(1.3)
    assert flight.distance(4.0, 0.0, 0.0) < 0.15
    assert abs(float(flight.values()['lateness_s'])) <= STEP / 2.0


def test_a_new_path_replaces_the_old_one_without_a_jump(ros):
    flight = Flight(ros)
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
    flight = Flight(ros)
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
    flight = Flight(ros, loop=True, cruise_speed=4.0)
    flight.advance(0.1)
    flight.send((3.0, 0.0, 0.0), (3.0, 3.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, 0.0))
    visits = [flight.position]
    for _ in range(70):
        flight.advance(0.1)
        visits.append(flight.position)
    assert flight.values()['vertices_left'] == '3'
    near = [i for i, one in enumerate(visits) if math.dist(one, (3.0, 3.0, 0.0)) < 0.8]
    assert max(near) - min(near) > 25


WRONG = [
    ([(NONE, 0.0, 0.0)], {}, 'poses[0] at (nan, 0.0, 0.0) must be finite'),
    ([(1.0, 0.0, 0.0), (0.0, math.inf, 0.0)], {}, 'poses[1] at'),
    ([(1.0, 0.0, 0.0)], {'frame': 'odom'}, "header.frame_id = 'odom' must be 'map'; transform"),
    ([(1.0, 0.0, 0.0)], {'frame': ''}, "header.frame_id = '' must be 'map'"),
    ([(5.0, 0.0, 0.0, 3.0), (9.0, 0.0, 0.0, 2.0)], {}, 'its time must be after that of the'),
]


@pytest.mark.parametrize(('poses', 'changes', 'text'), WRONG)
def test_a_wrong_path_is_refused_in_one_line_and_the_old_one_kept(ros, poses, changes, text):
    flight = Flight(ros)
    flight.advance(0.1)
    flight.send((20.0, 0.0, 0.0))
    flight.advance(0.5)
    flight.send(*poses, **changes)
    flight.advance(0.2)
    flight.shows(WARN, '1 message refused on /uav_1/path', text, 'the path before is kept')
    lines = [line for line in flight.told.lines(LOGGER) if line.startswith('path: refused')]
    assert len(lines) == 1 and text in lines[0] and '\n' not in lines[0]
    flight.advance(0.5)
    assert flight.commands.last.linear.x > 1.0
    assert flight.values()['paths'] == '1'


def test_the_frame_of_a_pose_must_be_that_of_the_path(ros):
    flight = Flight(ros)
    flight.advance(0.1)
    message = path_message([Waypoint((1.0, 0.0, 0.0), NONE)] * 2, flight.now_ns)
    message.poses[1].header.frame_id = 'uav_1/odom'
    flight.publish(message)
    flight.advance(0.1)
    flight.shows(STALE, "poses[1].header.frame_id = 'uav_1/odom' must be 'map'")


def test_a_leader_waits_for_its_vehicle(ros):
    """A vehicle that does not move: the leader stops at the leash and says so."""
    flight = Flight(ros, vehicle=False, leash=1.0)
    voice = ros.voice(Odometry, '/uav_1/odom', STATE)

    def stand() -> None:
        flight.now_ns += 5 * UPDATE_NS
        flight.tell_time()
        values = level_odometry(
            flight.now_ns, 'uav_1/base_link', (0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0), 0.0
        )
        voice.publish(odometry_message(values))
        ros.meanwhile(0.01)

    for _ in range(5):
        stand()
    flight.send((30.0, 0.0, 0.0, 10.0))
    for _ in range(60):
        stand()
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
    flight = Flight(ros, **parameters)
    flight.advance(0.1)
    flight.send((0.0, 8.0, 0.0))
    flight.advance(5.5)
    yaw = odometry_to_body(flight.odometry.last)[2]
    assert math.cos(yaw - expected) > math.cos(0.1)
    assert max(abs(one.angular.z) for one in flight.commands) <= 1.5


def test_in_strict_mode_a_missed_pose_ends_the_path(ros):
    flight = Flight(ros, strict=True)
    flight.advance(0.1)
    flight.send((50.0, 0.0, 0.0, 1.0), (60.0, 0.0, 0.0))
    flight.advance(0.1)
    assert flight.told.logged(LOGGER, 'path: may be late: vertex 1 at ')
    flight.advance(1.2)
    flight.shows(ERROR, 'path given up: vertex 1', 'TIMED_WAYPOINT_NOT_REACHED')
    flight.advance(2.5)
    assert abs(flight.commands.last.linear.x) < 0.1
    assert flight.values()['last_error'] == 'TIMED_WAYPOINT_NOT_REACHED'


def test_without_odometry_no_command_is_sent(ros):
    flight = Flight(ros, vehicle=False)
    flight.shows(STALE, 'no odometry received yet on /uav_1/odom')
    flight.send((5.0, 0.0, 0.0))
    flight.advance(0.5)
    assert not flight.commands


def test_odometry_in_another_frame_is_refused(ros):
    flight = Flight(ros, vehicle=False)
    voice = ros.voice(Odometry, '/uav_1/odom', STATE)
    values = level_odometry(
        flight.now_ns, 'uav_1/base_link', (0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0), 0.0, 'uav_1/odom'
    )
    voice.publish(odometry_message(values))
    ros.meanwhile(0.1)
    flight.advance(0.1)
    flight.shows(STALE, "frame_id = 'uav_1/odom' must be 'map', as that of the path")


@pytest.mark.parametrize('mode', ['absolute', 'relative'])
@pytest.mark.parametrize('jump', [20.0, -20.0])
def test_a_jump_of_the_clock_is_told_and_the_path_is_flown_on(ros, jump, mode):
    flight = Flight(ros, vehicle=False, time_mode=mode)
    voice = ros.voice(Odometry, '/uav_1/odom', STATE)

    def stand() -> None:
        flight.now_ns += 5 * UPDATE_NS
        flight.tell_time()
        values = level_odometry(
            flight.now_ns, 'uav_1/base_link', (0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0), 0.0
        )
        voice.publish(odometry_message(values))
        ros.meanwhile(0.01)

    for _ in range(4):
        stand()
    flight.send((1.5, 0.0, 0.0), (1.5, 1.0, 0.0, 6.0))
    for _ in range(6):
        stand()
    flight.now_ns += round(jump * 1e9)
    for _ in range(12):
        stand()
    assert flight.told.logged(LOGGER, 'the clock jumped or the node stalled')
    values = flight.values()
    late = float(values['lateness_s'])
    is_late = mode == 'absolute' and jump > 0.0
    assert (late > 10.0) == is_late
    assert values['last_error'] == 'none'
    before = len(flight.commands)
    stand()
    stand()
    ros.until(lambda: len(flight.commands) > before, 'commands')


def test_parameters_change_while_it_flies(ros):
    flight = Flight(ros)
    flight.advance(0.1)
    flight.send((60.0, 0.0, 0.0))
    flight.advance(2.0)
    assert flight.commands.last.linear.x > 3.0
    assert set_parameters(ros, NODE, cruise_speed=1.0, tau_xy=0.05) == ['', '']
    flight.advance(3.0)
    assert flight.commands.last.linear.x == pytest.approx(1.0, abs=0.3)
    (why,) = set_parameters(ros, NODE, max_speed=0.0)
    assert why.startswith('max_speed = 0.0 must be above 0')
    (why,) = set_parameters(ros, NODE, step=0.1)
    assert why.startswith('step is read-only')


@pytest.mark.parametrize(
    ('parameters', 'text'),
    [
        ({'max_speed': -1.0}, 'max_speed = -1.0 must be above 0 m/s'),
        ({'rules': 'best'}, "rules = 'best' must be one of robust, original"),
        ({'time_mode': 'x'}, "time_mode = 'x' must be one of absolute, relative"),
        ({'yaw_policy': 'away'}, "yaw_policy = 'away' must be one of segment, fixed, toward"),
        ({'cruise': 1.0}, "unknown parameter 'cruise'; did you mean 'cruise_speed'?"),
    ],
)
def test_a_wrong_parameter_is_refused_in_one_line(ros, parameters, text):
    with pytest.raises(ParameterError) as caught:
        ros.make(TrajectoryNode, '/uav_1', **parameters)
    assert text in str(caught.value)


def test_a_restarted_node_takes_the_latched_path_again(ros):
    message = path_message([Waypoint((4.0, 0.0, 0.0), NONE)], BEGIN_NS)
    publisher = ros.tester.create_publisher(Path, '/uav_1/path', LATCHED)
    publisher.publish(message)
    flight = Flight(ros)
    flight.take_kept_path()
    flight.advance(1.0)
    ros.remove(flight.node)
    flight.node = ros.make(TrajectoryNode, '/uav_1', use_sim_time=True)
    flight.take_kept_path()
    flight.advance(4.0)
    assert flight.distance(4.0, 0.0, 0.0) < 0.15
