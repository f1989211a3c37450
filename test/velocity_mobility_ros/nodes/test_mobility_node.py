"""The simulated vehicle as a node: commands, odometry, sensing, parameters, what it tells people.

What has to do with DDS speaks it; all else goes update by update, by a clock of the test.
"""

import itertools
import math
import random

import numpy as np
import pytest
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.exceptions import InvalidParameterValueException
from rclpy.node import Node

from support.ros import malformed
from support.ros.graph import set_parameters
from support.ros.simulated_vehicle import (
    AGILE, BODY, NODE, PERIOD_NS, DrivenVehicle, SimulatedVehicle
)
from support.ros.told import ERROR, WARN, Told
from support.vehicles.integrator import integrator
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import MobilityParameters, next_velocity
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE
from velocity_mobility_ros.ros_io.messages.message_conversion import body_of

__all__ = ['integrator']

pytestmark = pytest.mark.ros

STAMPED = {'enable_stamped_cmd_vel': True}


@pytest.mark.parametrize(
    ('kind', 'parameters', 'frame', 'expected'),
    [
        (Twist, {'cmd_vel_frame': 'base_link'}, '', (0.0, 2.0, 1.0)),
        (Twist, {}, '', (2.0, 0.0, 1.0)),
        (TwistStamped, STAMPED, BODY, (0.0, 2.0, 1.0)),
        (TwistStamped, STAMPED, 'map', (2.0, 0.0, 1.0)),
    ],
)
def test_commands_are_taken_in_their_frame(ros, kind, parameters, frame, expected):
    vehicle = SimulatedVehicle(ros, kind, **parameters, initial_yaw=math.pi / 2, **AGILE)
    assert vehicle.odometry.last.header.frame_id == 'map'
    assert vehicle.odometry.last.child_frame_id == BODY
    vehicle.say((2.0, 0.0, 1.0), frame)
    vehicle.reach(expected)
    assert ros.tester.count_publishers('/uav_1/ground_truth') == 0, 'none of a perfect vehicle'


def test_what_is_no_command_is_refused_and_the_last_one_holds(ros):
    vehicle = DrivenVehicle(ros, **STAMPED, **{**AGILE, 'cmd_vel_timeout': 0.5})
    vehicle.say_in('map', (2.0, 0.0, 0.0))
    vehicle.update(40)
    for frame, x, age_ns in (('odom', 1.0, 0), ('uav_2/base_link', 1.0, 0), ('', 1.0, 0),
                             ('map', math.nan, 0), ('map', -math.inf, 0),
                             ('map', 1.0, 600_000_000), ('map', 1.0, -600_000_000)):  # fmt: skip
        vehicle.say_in(frame, (x, 1.0, 1.0), age_ns)
    vehicle.update(5)
    assert vehicle.refused == 7
    assert vehicle.velocity == pytest.approx((2.0, 0.0, 0.0), abs=1e-2)


@pytest.mark.parametrize('stamped', [False, True])
def test_thousands_of_malformed_commands_leave_it_flying_within_its_limits(ros, stamped):
    vehicle, draw = DrivenVehicle(ros, enable_stamped_cmd_vel=stamped), random.Random(5)
    for _ in range(50):
        stamps = (vehicle.now_ns,) * stamped
        source = malformed.stamped_commands if stamped else malformed.commands
        for message in itertools.islice(source(draw, *stamps), 40):
            vehicle.take(message)
            vehicle.update()
    assert vehicle.refused > 600
    for one in vehicle.odometry:
        position, velocity, yaw = body_of(one)
        assert all(map(math.isfinite, (*position, *velocity, yaw)))
        assert math.hypot(*velocity[:2]) <= 10.0 * (1 + 1e-12)
        assert abs(velocity[2]) <= 5.0
        assert abs(one.angular[2]) <= 1.5


def test_silence_slows_the_body_to_a_stop_within_its_limits(ros):
    vehicle = DrivenVehicle(ros, cmd_vel_timeout=0.3, max_acc_xy=10.0, tau_xy=0.1)
    assert 'no command received yet on /uav_1/cmd_vel' in vehicle.reasons()
    for _ in range(100):
        vehicle.say((4.0, 0.0, 0.0))
        vehicle.update()
    assert vehicle.reasons() == []
    begin = len(vehicle.odometry)
    vehicle.update(200)
    speeds = [body_of(one)[1][0] for one in vehicle.odometry[begin:]]
    assert min(speeds[:29]) > 3.9 > speeds[31]
    assert max(a - b for a, b in itertools.pairwise(speeds)) <= 0.1 * (1 + 1e-9)
    assert speeds[-1] == pytest.approx(0.0, abs=1e-6)
    assert vehicle.reasons() == [
        'no command on /uav_1/cmd_vel for 2.1 s: stopped (cmd_vel_timeout 0.3 s)'
    ]
    vehicle.say((4.0, 0.0, 0.0))
    assert vehicle.reasons() == []


def test_with_a_timeout_of_zero_commands_persist(ros):
    vehicle = DrivenVehicle(ros, **AGILE)
    vehicle.say((2.0, 0.0, 0.0))
    vehicle.update(1000)
    assert vehicle.velocity == pytest.approx((2.0, 0.0, 0.0), abs=1e-9)
    assert vehicle.reasons() == []


def test_every_step_is_the_core_law_to_the_last_bit(ros):
    """Also where several updates are due at once; each is told with a stamp of its own."""
    limits, command = MobilityParameters().limits, (30.0, 40.0, -20.0)
    vehicle = DrivenVehicle(ros, cmd_vel_timeout=0.0, initial_x=1.0, initial_z=3.0)
    vehicle.say(command)
    for every in (1, 7, 1, 30):
        vehicle.update(2, every)
    states = [((1.0, 0.0, 3.0), (0.0, 0.0, 0.0), 0.0), *map(body_of, vehicle.odometry)]
    assert len(states) == 1 + 78
    for (p, v, _), (q, w, _) in itertools.pairwise(states):
        assert w == next_velocity(v, command, 0.01, limits)
        assert q == (p[0] + w[0] * 0.01, p[1] + w[1] * 0.01, p[2] + w[2] * 0.01)
    stamps = [one.stamp_ns for one in vehicle.odometry]
    assert {b - a for a, b in itertools.pairwise(stamps)} == {PERIOD_NS}
    assert stamps[-1] == vehicle.now_ns


def test_a_clock_that_jumps_is_told_and_costs_one_update(ros):
    vehicle = DrivenVehicle(ros, **AGILE)
    vehicle.update(3)
    for jump in (100_000, -50_000):
        before = len(vehicle.odometry)
        vehicle.update(1, jump)
        assert len(vehicle.odometry) == before + 1
        assert 'the clock jumped or the node stalled; missed updates are skipped' in (
            vehicle.reasons()
        )


@pytest.mark.parametrize(('name', 'frame'), [('odom', 'uav_1/odom'), ('start', 'uav_1/start')])
def test_odometry_can_begin_at_the_start(ros, name, frame):
    vehicle = DrivenVehicle(
        ros, odom_frame=name, child_frame_id='chassis', initial_x=10.0, initial_y=-4.0,
        initial_yaw=math.pi / 2, **AGILE,
    )  # fmt: skip
    vehicle.update()
    first = vehicle.odometry[0]
    assert (first.frame, first.body) == (frame, 'chassis')
    assert body_of(first) == ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0)
    vehicle.say((0.0, 2.0, 0.0))  # in map, which is ahead
    vehicle.update(100)
    position, velocity, yaw = body_of(vehicle.odometry[-1])
    assert velocity == pytest.approx((2.0, 0.0, 0.0), abs=1e-3) and position[0] > 1.0
    assert (position[1], yaw) == pytest.approx((0.0, 0.0), abs=1e-9)


def test_only_every_nth_update_is_published(ros):
    vehicle = DrivenVehicle(ros, telemetry_decimation=5)
    vehicle.update(20)
    assert [one.stamp_ns - vehicle.now_ns for one in vehicle.odometry] == [
        -15 * PERIOD_NS, -10 * PERIOD_NS, -5 * PERIOD_NS, 0,
    ]  # fmt: skip


def test_noise_is_between_the_odometry_and_the_ground_truth(ros):
    vehicle = DrivenVehicle(ros, position_noise_xy=0.5, velocity_noise_xy=0.2, sensor_seed=4)
    vehicle.update(400)
    assert [one.stamp_ns for one in vehicle.odometry] == [one.stamp_ns for one in vehicle.truth]
    seen, true = (
        np.array([body_of(one)[0] for one in each]) for each in (vehicle.odometry, vehicle.truth)
    )
    off = seen - true
    assert off[:, :2].std(axis=0) == pytest.approx([0.5, 0.5], abs=0.08)
    assert (off[:, 2] == 0.0).all()


def test_a_late_odometry_has_the_time_of_its_measurement(ros):
    """Nothing is told twice, and nothing in a dropout; commands may be late, too."""
    vehicle = DrivenVehicle(
        ros, odom_latency=0.3, odom_period=0.05, command_latency=0.5, cmd_vel_timeout=0.0
    )
    vehicle.say((3.0, 0.0, 0.0))
    vehicle.update(150)
    true = {one.stamp_ns: body_of(one) for one in vehicle.truth}
    moves = [one.stamp_ns for one in vehicle.truth if body_of(one)[1][0] > 0.0]
    assert moves[0] == vehicle.truth[0].stamp_ns + 50 * PERIOD_NS
    late = [one for one in vehicle.odometry if one.stamp_ns in true]
    assert len(late) > 15 and all(body_of(one) == true[one.stamp_ns] for one in late)
    assert vehicle.now_ns - vehicle.odometry[-1].stamp_ns == 30 * PERIOD_NS
    steps = {b.stamp_ns - a.stamp_ns for a, b in itertools.pairwise(late)}
    assert steps == {5 * PERIOD_NS}


def test_other_publishers_of_its_topics_are_named(ros):
    """And that it has no command; both by DDS."""
    told, name = Told(ros), 'uav_1/mobility_node: motion'
    ros.make(MobilityNode, '/uav_1')
    text = 'no command received yet on /uav_1/cmd_vel'
    ros.until(lambda: told.shows(name, WARN, text), 'the status')
    assert told.statuses(name)[-1].hardware_id == 'uav_1'
    ros.add(Node('driver')).create_publisher(Odometry, '/uav_1/odom', STATE)
    text = '2 publishers on /uav_1/odom: /driver, /uav_1/mobility_node'
    ros.until(lambda: told.shows(name, ERROR, text), 'the status')
    for other in ('agent', 'teleop'):
        ros.add(Node(other)).create_publisher(Twist, '/uav_1/cmd_vel', COMMAND)
    ros.until(lambda: told.shows(name, ERROR, text, 'on /uav_1/cmd_vel: /agent, /teleop'), 'both')


def test_a_limit_can_be_changed_while_it_flies(ros):
    vehicle = SimulatedVehicle(ros, **AGILE)
    vehicle.say((9.0, 0.0, 0.0))
    vehicle.reach((9.0, 0.0, 0.0))
    assert set_parameters(ros, NODE, max_speed_xy=3) == ['']
    vehicle.reach((3.0, 0.0, 0.0), 1e-9)
    (why,) = set_parameters(ros, NODE, max_speed_xy=-1.0)
    assert why == 'max_speed_xy = -1.0 must be at least 0 m/s'
    (why,) = set_parameters(ros, NODE, update_rate=0.5)
    assert why.startswith('update_rate is read-only (')
    assert vehicle.node._mobility.max_speed_xy == 3.0


def test_another_vehicle_is_one_parameter(ros, integrator):
    vehicle = DrivenVehicle(ros, vehicle=integrator, followed_share=0.5, cmd_vel_timeout=0.0)
    vehicle.say((4.0, -2.0, 1.0))
    vehicle.update(3)
    assert vehicle.velocity == pytest.approx((2.0, -1.0, 0.5))
    assert set_parameters(ros, NODE, followed_share=1.0) == ['']
    vehicle.update(3)
    assert vehicle.velocity == pytest.approx((4.0, -2.0, 1.0))


@pytest.mark.parametrize(
    ('frames', 'words'),
    [({}, 'map'), ({'odom_frame': 'odom'}, 'uav_1/odom'), ({'frame_id': 'world'}, 'world')],
)
def test_its_first_line_says_in_which_frame_the_odometry_is(ros, frames, words):
    node = DrivenVehicle(ros, **frames).node
    assert node._start_line().endswith(f'odometry on /uav_1/odom in {words}')


@pytest.mark.parametrize(
    ('parameters', 'text'),
    [
        ({'tau_xy': 0.0}, '/uav_1/mobility_node: tau_xy = 0.0 must be above 0 s'),
        ({'update_rate': 1e-12}, 'update_rate'),
        ({'cmd_vel_frame': 'odom'}, "cmd_vel_frame = 'odom' must be one of map, base_link"),
        ({'initial_x': 1e300}, 'initial_x = 1e+300 must be at least -1e+09 and at most 1e+09 m'),
        ({'frame_id': ''}, "frame_id = '' must name a frame, such as map"),
        ({'odom_frame': 'a\nb'}, "odom_frame = 'a\\nb' must not contain blanks"),
        ({'child_frame_id': '\t'}, "child_frame_id = '\\t' must not contain blanks"),
        ({'odom_frame': 'base_link'}, '/uav_1/mobility_node: odom_frame and child_frame_id both'),
        ({'frame_id': 'uav_1/odom', 'odom_frame': 'odom'}, 'frame_id and odom_frame both name'),
        ({'max_speed': 3.0}, "unknown parameter 'max_speed'; did you mean 'max_speed_"),
        ({'vehicle': 'rocket'}, "vehicle = 'rocket' must be one of kinematic"),
        ({'vehicle': 'tracked', 'sim_dt': 0.003}, 'sim_dt = 0.003 s must be update_rate = 0.01'),
    ],
)
def test_a_bad_parameter_stops_the_start(ros, parameters, text):
    with pytest.raises((ParameterError, InvalidParameterValueException)) as caught:
        ros.make(MobilityNode, '/uav_1', **parameters)
    assert text in str(caught.value)
