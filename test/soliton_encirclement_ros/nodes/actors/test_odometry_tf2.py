"""Odometry in frames that real tf2 knows; skipped where tf2_ros is not installed (not on PyPI)."""

import math

import pytest

pytest.importorskip('tf2_ros', reason='tf2_ros is not on PyPI: it comes with a ROS 2 installation')

from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import Odometry
from rclpy.time import Time
from sensor_msgs.msg import JointState
from tf2_ros import Buffer, StaticTransformBroadcaster, TransformBroadcaster, TransformListener
from transforms3d.euler import euler2quat

from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.ros.bodies import odometry, odometry_to_body
from support.ros.swarm import Swarm, scenario
from velocity_mobility_ros.core.coordinate_frames import Transform
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.endpoints import STATE
from velocity_mobility_ros.ros_io.node_time import ns_to_time, time_to_ns

pytestmark = pytest.mark.ros

SPEED, TURN = 3.0, 0.2
"""How fast the moving frame drifts [m/s], [rad/s]."""


def stamped(stamp_ns, yaw, x):
    """Return the transform of a pitched and yawed frame."""
    message = TransformStamped(child_frame_id='uav_1/odom')
    message.header.frame_id, message.header.stamp = 'map', ns_to_time(stamp_ns)
    message.transform.translation.x, message.transform.translation.z = x, 1.5
    turn = message.transform.rotation
    turn.w, turn.x, turn.y, turn.z = map(float, euler2quat(0.0, 0.3, yaw))
    return message


def as_transform(message):
    """Return a message's transform."""
    shift, turn = message.transform.translation, message.transform.rotation
    return Transform((shift.x, shift.y, shift.z), (turn.x, turn.y, turn.z, turn.w))


class Drone:
    """An agent whose odometry comes in uav_1/odom."""

    def __init__(self, ros, **parameters):
        self.ros = ros
        self.node = ros.make(AgentNode, '/uav_1', **parameters)
        self.states = ros.listen(JointState, '/swarm/agent_states', STATE)
        self.odom = ros.voice(Odometry, '/uav_1/odom', STATE)
        self.told = {}

    def publish(self):
        message = odometry(self.ros.now_ns(), (30.0, 4.0, 5.0), (2.0, 1.0, 0.5))
        message.header.frame_id = 'uav_1/odom'
        self.odom.publish(message)
        self.ros.meanwhile(0.02)
        return message

    def until_refused(self, text):
        """Wait until odometry is refused for a reason."""

        def is_refused():
            self.publish()
            return any(text in condition.reason for condition in self.node.health.conditions())

        self.ros.until(is_refused, text)


def test_a_static_transform_places_the_frame(ros):
    drone, transform = Drone(ros), stamped(0, 0.8, 100.0)
    broadcaster = StaticTransformBroadcaster(ros.tester)
    broadcaster.sendTransform(transform)
    ros.until(lambda: (drone.publish(), drone.states)[1], 'its state')
    position, velocity, _ = odometry_to_body(drone.publish(), as_transform(transform))
    assert list(drone.states.last.position[:3]) == pytest.approx(list(position))
    assert list(drone.states.last.velocity[:3]) == pytest.approx(list(velocity))
    assert drone.states.last.header.frame_id == 'map'


def test_a_frame_that_drifts_counts_as_it_lay_at_the_stamp(ros):
    drone, broadcaster, begun = Drone(ros, odom_timeout=2.0), TransformBroadcaster(ros.tester), []

    def at(stamp_ns):
        seconds = (stamp_ns - begun[0]) / 1e9
        return stamped(stamp_ns, TURN * seconds, SPEED * seconds)

    def live():
        now = ros.now_ns()
        begun or begun.append(now)
        broadcaster.sendTransform(at(now + 50_000_000))
        told = drone.publish()
        position, _, _ = odometry_to_body(told, as_transform(at(time_to_ns(told.header.stamp))))
        drone.told[time_to_ns(told.header.stamp)] = position
        return len(drone.states) > 30

    ros.until(live, 'states')
    for state in drone.states[5:]:
        nearest = min(math.dist(state.position[:3], told) for told in drone.told.values())
        assert nearest < 1e-3  # tf2 interpolates between samples 20 ms apart


@pytest.fixture
def buffer(ros):
    """Return what a tool with tf2 knows of the frames."""
    found = Buffer()
    found.listener = TransformListener(found, ros.tester)
    return found


def place(ros, buffer, child, parent='map'):
    """Return where a frame lies, once tf2 knows."""
    ros.until(lambda: buffer.can_transform(parent, child, Time()), f'{parent} -> {child}')
    shift = buffer.lookup_transform(parent, child, Time()).transform.translation
    return shift.x, shift.y, shift.z


@pytest.mark.parametrize('odom_frame', ['', 'odom'])
def test_a_vehicle_with_a_frame_of_its_own_flies_with_an_agent_that_knows_tf(
    ros, buffer, odom_frame
):
    start = {'initial_x': 30.0, 'initial_y': 4.0, 'initial_z': 5.0, 'initial_yaw': 0.6}
    ros.make(MobilityNode, '/uav_1', odom_frame=odom_frame, **start)
    ros.make(AgentNode, '/uav_1')
    states = ros.listen(JointState, '/swarm/agent_states', STATE)
    ros.until(lambda: states, 'its state')
    assert list(states[0].position[:3]) == pytest.approx([30.0, 4.0, 5.0], abs=0.2)
    assert place(ros, buffer, 'uav_1/base_link') == pytest.approx((30.0, 4.0, 5.0), abs=0.2)
    assert buffer.can_transform('uav_1/odom', 'uav_1/base_link', Time()) == bool(odom_frame)


def test_a_world_by_the_clock_says_where_its_bodies_are(ros, buffer):
    ros.make(WorldNode, None, lockstep=False, num_agents=2, odom_frame='odom')
    assert place(ros, buffer, 'adversary/base_link') == pytest.approx((40.0, 40.0, 0.0), abs=1e-9)
    assert place(ros, buffer, 'target/base_link') == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)


def test_a_world_in_lockstep_says_where_its_bodies_are(ros, buffer):
    swarm = Swarm(ros, scenario(run={'sim_duration': 60.0}), PlanOptions(True, record=False))
    ros.until(lambda: swarm['world'].world.tick > 20, 'some ticks')
    place(ros, buffer, 'uav_4/base_link')
    known = buffer.all_frames_as_string()
    assert all(f'{name}/base_link' in known for name in swarm['world'].world.members)


def test_a_transform_that_has_stopped_is_refused_with_its_age(ros):
    drone, broadcaster = Drone(ros), TransformBroadcaster(ros.tester)

    def live():
        broadcaster.sendTransform(stamped(ros.now_ns(), 0.0, 0.0))
        return (drone.publish(), drone.states)[1]

    ros.until(live, 'its state')
    drone.until_refused('s old, limit 0.5 s')
    count, refused = len(drone.states), drone.node.health.refused['odom']
    ros.until(
        lambda: (drone.publish(), drone.node.health.refused['odom'] > refused + 5)[1], 'refusals'
    )
    assert len(drone.states) == count
