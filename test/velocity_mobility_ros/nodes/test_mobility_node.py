"""The simulated vehicle as a real node: cmd_vel in, odom out, limits and lag in between."""

import itertools
import math
import random
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.exceptions import InvalidParameterValueException
from support.ros import malformed
from support.ros.graph import Heard, Ros, set_parameters
from support.ros.told import Told
from support.vehicles.integrator import integrator
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.model import MobilityParameters, Vector, next_velocity
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.messages import (
    command_to_stamped,
    command_to_twist,
    odometry_to_body,
    time_to_ns,
)
from velocity_mobility_ros.ros_io.qos import COMMAND, STATE

__all__ = ['integrator']

pytestmark = pytest.mark.ros

NODE = '/uav_1/mobility_node'

PERIOD_NS = 10_000_000
BODY = 'uav_1/base_link'


class Vehicle:
    """A mobility node with an ear for its odometry and a voice for commands."""

    def __init__(self, ros: Ros, kind: type = Twist, **parameters: Any) -> None:
        """Start it in the namespace /uav_1."""
        self.ros = ros
        self.node = ros.make(MobilityNode, '/uav_1', **parameters)
        self.odometry: Heard = ros.listen(Odometry, '/uav_1/odom', STATE)
        self.voice = ros.voice(kind, '/uav_1/cmd_vel')
        ros.until(lambda: self.odometry, 'the first odometry')

    def say(self, velocity: Vector = (0.0, 0.0, 0.0), yaw_rate: float = 0.0) -> None:
        """Command by Twist."""
        self.voice.publish(command_to_twist(velocity, yaw_rate))

    def say_in(self, frame: str, velocity: Vector, age_ns: int = 0) -> None:
        """Command by TwistStamped."""
        message = command_to_stamped(velocity, 0.0, self.ros.now_ns() - age_ns)
        message.header.frame_id = frame
        self.voice.publish(message)

    @property
    def velocity(self) -> Vector:
        """The newest velocity [m/s, map]."""
        return odometry_to_body(self.odometry.last)[1]

    @property
    def yaw(self) -> float:
        """The newest heading [rad]."""
        return odometry_to_body(self.odometry.last)[2]

    def reach(self, velocity: Vector, tolerance: float = 0.02) -> None:
        """Wait until a velocity is reached."""
        self.ros.until(
            lambda: math.dist(self.velocity, velocity) < tolerance, f'velocity {velocity}'
        )

    def refused(self) -> str:
        """Wait until the node reports a refusal; return how many."""
        heard = self.ros.listen(DiagnosticArray, '/diagnostics', COMMAND)

        def count() -> str:
            pairs = [pair for m in heard for status in m.status for pair in status.values]
            return next((pair.value for pair in pairs if pair.key == 'refused_cmd_vel'), '')

        return self.ros.until(count, 'a refusal in the diagnostics')


AGILE = {'tau_xy': 0.05, 'tau_z': 0.05, 'max_acc_xy': 50.0, 'max_acc_z': 50.0,
         'cmd_vel_timeout': 0.0}  # fmt: skip
"""A body that reaches any velocity quickly, and keeps it."""


def test_odometry_is_fully_stamped_at_the_update_rate(ros):
    vehicle = Vehicle(ros, initial_x=1.0, initial_y=-2.0, initial_z=3.0)
    ros.until(lambda: len(vehicle.odometry) >= 50, 'fifty odometries')
    for message in vehicle.odometry:
        assert (message.header.frame_id, message.child_frame_id) == ('map', BODY)
    position = vehicle.odometry.last.pose.pose.position
    assert (position.x, position.y, position.z) == (1.0, -2.0, 3.0)
    steps = {b - a for a, b in itertools.pairwise(stamps(vehicle.odometry))}
    assert PERIOD_NS in steps
    assert all(step % PERIOD_NS == 0 for step in steps)
    assert abs(ros.now_ns() - stamps(vehicle.odometry)[-1]) < 2e8


def stamps(heard: Heard) -> list[int]:
    return [time_to_ns(message.header.stamp) for message in heard]


def test_frames_can_be_named(ros):
    vehicle = Vehicle(ros, frame_id='odom', child_frame_id='chassis')
    assert vehicle.odometry.last.header.frame_id == 'odom'
    assert vehicle.odometry.last.child_frame_id == 'chassis'


@pytest.mark.parametrize(('name', 'frame'), [('odom', 'uav_1/odom'), ('start', 'uav_1/start')])
def test_odometry_can_begin_at_the_start(ros, name, frame):
    vehicle = Vehicle(
        ros, odom_frame=name, initial_x=10.0, initial_y=-4.0, initial_yaw=math.pi / 2, **AGILE
    )
    assert vehicle.odometry[0].header.frame_id == frame
    assert odometry_to_body(vehicle.odometry[0]) == ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0)
    vehicle.say((0.0, 2.0, 0.0))  # in map, which is ahead
    vehicle.reach((2.0, 0.0, 0.0))
    position, _, yaw = odometry_to_body(vehicle.odometry.last)
    assert position[0] > 0.0
    assert (position[1], yaw) == pytest.approx((0.0, 0.0), abs=1e-9)


@pytest.mark.parametrize('command', [(3.0, -1.0, 0.5), (30.0, 40.0, -20.0)])
def test_every_step_is_the_core_law_to_the_last_bit(ros, command):
    limits = MobilityParameters()
    vehicle = Vehicle(ros, cmd_vel_timeout=0.0)
    start = len(vehicle.odometry)
    vehicle.say(command)
    ros.until(lambda: len(vehicle.odometry) >= start + 60, 'sixty updates')
    states = [odometry_to_body(message) for message in vehicle.odometry]
    times, moved, wanted = stamps(vehicle.odometry), 0, (0.0, 0.0, 0.0)
    for i, ((p, v, _), (q, w, _)) in enumerate(itertools.pairwise(states)):
        if times[i + 1] - times[i] != PERIOD_NS:
            continue
        if w != next_velocity(v, wanted, 0.01, limits.limits):
            assert wanted != command
            wanted = command
        assert w == next_velocity(v, wanted, 0.01, limits.limits)
        assert q == (p[0] + w[0] * 0.01, p[1] + w[1] * 0.01, p[2] + w[2] * 0.01)
        moved += wanted == command
    assert moved > 40


def test_speed_and_acceleration_stay_within_the_limits(ros):
    vehicle = Vehicle(
        ros, max_speed_xy=2.0, max_speed_z=0.5, max_acc_xy=8.0, max_acc_z=4.0, tau_xy=0.1,
        tau_z=0.1, cmd_vel_timeout=0.0,
    )  # fmt: skip
    vehicle.say((100.0, 100.0, -100.0))
    vehicle.reach((2.0 / math.sqrt(2.0), 2.0 / math.sqrt(2.0), -0.5), 1e-9)
    vehicle.say((-100.0, 0.0, 100.0))
    vehicle.reach((-2.0, 0.0, 0.5), 1e-3)
    velocities = [odometry_to_body(message)[1] for message in vehicle.odometry]
    for (t0, v), (t1, w) in itertools.pairwise(
        zip(stamps(vehicle.odometry), velocities, strict=True)
    ):
        dt = (t1 - t0) / 1e9
        assert math.hypot(*w[:2]) <= 2.0 * (1 + 1e-12)
        assert abs(w[2]) <= 0.5
        assert math.hypot(w[0] - v[0], w[1] - v[1]) <= 8.0 * dt * (1 + 1e-9)
        assert abs(w[2] - v[2]) <= 4.0 * dt * (1 + 1e-9)


def test_the_lag_is_first_order(ros):
    vehicle = Vehicle(ros, tau_xy=0.5, max_acc_xy=100.0, cmd_vel_timeout=0.0)
    vehicle.say((4.0, 0.0, 0.0))
    ros.until(lambda: vehicle.velocity[0] > 3.9, 'the velocity')
    speeds = [odometry_to_body(message)[1][0] for message in vehicle.odometry]
    first = next(i for i, speed in enumerate(speeds) if speed > 0.0)
    times = stamps(vehicle.odometry)
    tau_over = times[first - 1] + 500_000_000
    after_tau = next(s for s, t in zip(speeds, times, strict=False) if t >= tau_over)
    assert after_tau == pytest.approx(4.0 * (1.0 - math.exp(-1.0)), rel=0.02)


@pytest.mark.parametrize(
    ('frame', 'expected'), [('map', (2.0, 0.0, 1.0)), ('base_link', (0.0, 2.0, 1.0))]
)
def test_a_twist_is_taken_in_the_frame_of_the_parameter(ros, frame, expected):
    vehicle = Vehicle(ros, cmd_vel_frame=frame, initial_yaw=math.pi / 2, **AGILE)
    vehicle.say((2.0, 0.0, 1.0))
    vehicle.reach(expected)


@pytest.mark.parametrize(
    ('frame', 'expected'),
    [('map', (2.0, 0.0, 1.0)), ('base_link', (0.0, 2.0, 1.0)), (BODY, (0.0, 2.0, 1.0))],
)
def test_a_stamped_twist_is_taken_in_the_frame_of_its_header(ros, frame, expected):
    vehicle = Vehicle(
        ros, TwistStamped, enable_stamped_cmd_vel=True, initial_yaw=math.pi / 2, **AGILE
    )
    vehicle.say_in(frame, (2.0, 0.0, 1.0))
    vehicle.reach(expected)


@pytest.mark.parametrize('frame', ['', 'odom', 'uav_2/base_link'])
def test_a_stamped_twist_in_an_unknown_frame_is_refused(ros, frame):
    vehicle = Vehicle(ros, TwistStamped, enable_stamped_cmd_vel=True, **AGILE)
    vehicle.say_in(frame, (2.0, 0.0, 0.0))
    assert vehicle.refused() == '1'
    assert vehicle.velocity == (0.0, 0.0, 0.0)


@pytest.mark.parametrize('age_ns', [600_000_000, -600_000_000, 10**18])
def test_a_stamped_twist_from_another_time_is_refused(ros, age_ns):
    parameters = {**AGILE, 'cmd_vel_timeout': 0.3}
    vehicle = Vehicle(ros, TwistStamped, enable_stamped_cmd_vel=True, **parameters)
    vehicle.say_in('map', (2.0, 0.0, 0.0), age_ns)
    assert vehicle.refused() == '1'
    assert vehicle.velocity == (0.0, 0.0, 0.0)


def test_the_twist_of_the_odometry_is_in_the_child_frame(ros):
    vehicle = Vehicle(ros, initial_yaw=math.pi / 2, **AGILE)
    vehicle.say((3.0, 0.0, 0.0))
    vehicle.reach((3.0, 0.0, 0.0))
    linear = vehicle.odometry.last.twist.twist.linear
    assert (linear.x, linear.y) == pytest.approx((0.0, -3.0), abs=0.05)
    q = vehicle.odometry.last.pose.pose.orientation
    half = math.sqrt(0.5)
    assert (q.x, q.y, q.z, q.w) == pytest.approx((0.0, 0.0, half, half))


@pytest.mark.parametrize(('wanted', 'expected'), [(0.5, 0.5), (9.0, 0.8), (-9.0, -0.8)])
def test_the_body_turns_within_its_yaw_rate_limit(ros, wanted, expected):
    vehicle = Vehicle(ros, max_yaw_rate=0.8, cmd_vel_timeout=0.0)
    vehicle.say((0.0, 0.0, 0.0), wanted)
    ros.until(lambda: vehicle.odometry.last.twist.twist.angular.z == expected, 'the yaw rate')
    begin = len(vehicle.odometry) - 1
    ros.until(lambda: len(vehicle.odometry) > begin + 40, 'some turning')
    first, last = vehicle.odometry[begin], vehicle.odometry.last
    elapsed = (time_to_ns(last.header.stamp) - time_to_ns(first.header.stamp)) / 1e9
    turned = odometry_to_body(last)[2] - odometry_to_body(first)[2]
    assert turned == pytest.approx(expected * elapsed, rel=1e-6)


def test_silence_slows_the_body_to_a_stop_within_its_limits(ros):
    vehicle = Vehicle(ros, cmd_vel_timeout=0.3, max_acc_xy=10.0, tau_xy=0.1)
    ros.until(lambda: (vehicle.say((4.0, 0.0, 0.0)), vehicle.velocity[0] > 3.9)[1], 'the speed')
    silent_since = ros.now_ns()
    vehicle.reach((0.0, 0.0, 0.0), 0.01)
    moving = [
        (time_to_ns(message.header.stamp), odometry_to_body(message)[1][0])
        for message in vehicle.odometry
    ]
    slowing = [(t, speed) for t, speed in moving if t > silent_since]
    still_fast = [t for t, speed in slowing if speed > 3.8]
    assert still_fast[-1] - silent_since == pytest.approx(0.3e9, abs=0.1e9)
    for (t0, v), (t1, w) in itertools.pairwise(slowing):
        assert v - w <= 10.0 * (t1 - t0) / 1e9 * (1 + 1e-9)
    assert sum(0.5 < speed < 3.5 for _, speed in slowing) > 15


def test_with_a_timeout_of_zero_commands_persist(ros):
    vehicle = Vehicle(ros, **AGILE)
    vehicle.say((2.0, 0.0, 0.0))
    vehicle.reach((2.0, 0.0, 0.0), 1e-3)
    ros.meanwhile(1.2)
    assert vehicle.velocity[0] == pytest.approx(2.0, abs=1e-3)


def test_only_every_nth_update_is_published(ros):
    vehicle = Vehicle(ros, telemetry_decimation=5)
    ros.until(lambda: len(vehicle.odometry) >= 10, 'ten odometries')
    steps = {b - a for a, b in itertools.pairwise(stamps(vehicle.odometry))}
    assert steps == {5 * PERIOD_NS}
    assert set_parameters(ros, NODE, telemetry_decimation=2) == ['']
    vehicle.odometry.clear()
    ros.until(lambda: len(vehicle.odometry) >= 10, 'ten more')
    assert 2 * PERIOD_NS in {b - a for a, b in itertools.pairwise(stamps(vehicle.odometry)[1:])}


def test_a_limit_can_be_changed_while_it_flies(ros):
    vehicle = Vehicle(ros, **AGILE)
    vehicle.say((9.0, 0.0, 0.0))
    vehicle.reach((9.0, 0.0, 0.0))
    assert set_parameters(ros, NODE, max_speed_xy=3) == ['']
    vehicle.reach((3.0, 0.0, 0.0), 1e-9)
    (why,) = set_parameters(ros, NODE, max_speed_xy=-1.0)
    assert why == 'max_speed_xy = -1.0 must be at least 0 m/s'
    (why,) = set_parameters(ros, NODE, update_rate=0.5)
    assert why.startswith('update_rate is read-only (')
    vehicle.ros.meanwhile(0.1)
    assert vehicle.velocity[0] == pytest.approx(3.0)


def test_its_clock_does_not_change_in_flight(ros):
    Vehicle(ros)
    (why,) = set_parameters(ros, NODE, use_sim_time=True)
    assert 'use_sim_time = False cannot change while the node runs' in why


@pytest.mark.parametrize(
    ('frames', 'words'),
    [
        ({}, 'odometry on /uav_1/odom in map'),
        ({'odom_frame': 'odom'}, 'odometry on /uav_1/odom in uav_1/odom'),
        ({'frame_id': 'world'}, 'odometry on /uav_1/odom in world'),
    ],
)
def test_its_first_line_says_in_which_frame_the_odometry_is(ros, frames, words):
    told = Told(ros)
    ros.make(MobilityNode, '/uav_1', **frames)
    ros.until(lambda: [one for one in told.lines('uav_1.mobility_node') if one.endswith(words)],
              words)  # fmt: skip


@pytest.mark.parametrize(
    ('parameters', 'text'),
    [
        ({'tau_xy': 0.0}, '/uav_1/mobility_node: tau_xy = 0.0 must be above 0 s'),
        ({'max_acc_xy': -4.0}, 'max_acc_xy = -4.0 must be at least 0 m/s^2'),
        ({'update_rate': 0.0}, 'update_rate'),
        ({'update_rate': 1e-12}, 'update_rate'),
        ({'cmd_vel_timeout': -1.0}, 'cmd_vel_timeout = -1.0 must be at least 0 s'),
        ({'cmd_vel_frame': 'odom'}, "cmd_vel_frame = 'odom' must be one of map, base_link"),
        ({'initial_x': math.nan}, 'initial_x = nan must be'),
        ({'initial_x': 1e300}, 'initial_x = 1e+300 must be at least -1e+09 and at most 1e+09 m'),
        ({'frame_id': ''}, "frame_id = '' must name a frame, such as map"),
        ({'frame_id': 'a map'}, "frame_id = 'a map' must not contain blanks"),
        ({'odom_frame': 'a\nb'}, "odom_frame = 'a\\nb' must not contain blanks"),
        ({'child_frame_id': '\t'}, "child_frame_id = '\\t' must not contain blanks"),
        (
            {'odom_frame': 'base_link'},
            '/uav_1/mobility_node: odom_frame and child_frame_id both '
            "name the frame 'uav_1/base_link'; use two different names",
        ),
        ({'child_frame_id': 'map'}, "frame_id and child_frame_id both name the frame 'map'"),
        ({'frame_id': 'uav_1/odom', 'odom_frame': 'odom'}, 'frame_id and odom_frame both name'),
        ({'max_speed': 3.0}, "unknown parameter 'max_speed'; did you mean 'max_speed_"),
    ],
)
def test_a_bad_parameter_stops_the_start(ros, parameters, text):
    with pytest.raises((ParameterError, InvalidParameterValueException)) as caught:
        ros.make(MobilityNode, '/uav_1', **parameters)
    assert text in str(caught.value)


@pytest.mark.parametrize('value', [math.nan, math.inf, -math.inf])
def test_a_command_that_is_no_number_is_refused_and_the_last_one_holds(ros, value):
    vehicle = Vehicle(ros, **AGILE)
    vehicle.say((2.0, 0.0, 0.0))
    vehicle.reach((2.0, 0.0, 0.0))
    vehicle.say((value, 1.0, 1.0))
    vehicle.say((1.0, 1.0, 1.0), value)
    assert vehicle.refused() in ('1', '2')
    vehicle.reach((2.0, 0.0, 0.0), 1e-6)


@pytest.mark.parametrize('stamped', [False, True])
def test_five_thousand_malformed_commands_leave_it_flying_within_its_limits(ros, stamped):
    kind = TwistStamped if stamped else Twist
    vehicle = Vehicle(ros, kind, enable_stamped_cmd_vel=stamped)
    draw = random.Random(5)
    for i in range(5000):
        if i % 100 == 0:
            messages = (
                malformed.stamped_commands(draw, ros.now_ns())
                if stamped
                else malformed.commands(draw)
            )
        vehicle.voice.publish(next(messages))
        ros.spin(0.0)
        ros.spin(0.0)
    assert int(vehicle.refused()) > 1500
    for message in vehicle.odometry:
        position, velocity, yaw = odometry_to_body(message)
        assert all(map(math.isfinite, (*position, *velocity, yaw)))
        assert math.hypot(*velocity[:2]) <= 10.0 * (1 + 1e-12)
        assert abs(velocity[2]) <= 5.0
        assert abs(message.twist.twist.angular.z) <= 1.5
    before = len(vehicle.odometry)
    ros.until(lambda: len(vehicle.odometry) > before + 20, 'further odometry')


def test_another_vehicle_is_one_parameter(ros, integrator):
    vehicle = Vehicle(ros, vehicle=integrator, followed_share=0.5, cmd_vel_timeout=0.0)
    vehicle.say((4.0, -2.0, 1.0))
    vehicle.reach((2.0, -1.0, 0.5), tolerance=1e-12)
    set_parameters(ros, NODE, followed_share=1.0)
    vehicle.reach((4.0, -2.0, 1.0), tolerance=1e-12)


def test_a_vehicle_of_second_order_takes_other_lags_in_flight(ros: Ros) -> None:
    """It follows a command; a lag that no vehicle has is refused."""
    vehicle = Vehicle(ros, vehicle='second_order', **AGILE)
    ros.until(vehicle.voice.get_subscription_count, 'the vehicle')
    vehicle.say((4.0, -2.0, 1.0))
    vehicle.reach((4.0, -2.0, 1.0))
    assert set_parameters(ros, NODE, acceleration_tau_xy=0.3) == ['']
    (why,) = set_parameters(ros, NODE, acceleration_tau_xy=0.0)
    assert 'acceleration_tau_xy = 0.0 must be above 0 s' in why


def test_an_unknown_vehicle_is_refused_with_those_there_are(ros):
    with pytest.raises(ParameterError, match="vehicle = 'rocket' must be one of kinematic"):
        ros.make(MobilityNode, '/uav_1', vehicle='rocket')


def test_a_tracked_vehicle_turns_and_drives_on_the_ground(ros: Ros) -> None:
    """A command in the map frame to the left: it points there in the end, at its height."""
    vehicle = Vehicle(ros, vehicle='tracked', initial_z=0.5, cmd_vel_timeout=0.0)
    ros.until(vehicle.voice.get_subscription_count, 'the vehicle')
    vehicle.say((0.0, 1.0, 2.0))
    vehicle.reach((0.0, 1.0, 0.0))
    assert vehicle.yaw == pytest.approx(math.pi / 2.0, abs=0.05)
    assert vehicle.odometry.last.pose.pose.position.z == 0.5


def test_a_tracked_vehicle_that_cannot_be_is_refused(ros: Ros) -> None:
    """In the line of its record."""
    with pytest.raises(ParameterError, match=r'sim_dt = 0.003 s must be update_rate = 0.01 s'):
        ros.make(MobilityNode, '/uav_1', vehicle='tracked', sim_dt=0.003)
