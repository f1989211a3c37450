"""Odometry whose twist is in the frame of its pose: members say so, with the parameter to set."""

import math
from typing import Any

import pytest
from nav_msgs.msg import Odometry
from rclpy.node import Node
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from support.ros.bodies import odometry
from support.ros.graph import Ros
from support.ros.told import ERROR, Told
from velocity_mobility_ros.core.coordinate_frames import quaternion_from_yaw
from velocity_mobility_ros.nodes.trajectory_node import TrajectoryNode
from velocity_mobility_ros.ros_io.endpoints import STATE

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

PERIOD = 0.05
SPEED = 1.0
POSE = 'the twist is in the frame of the pose, not of the body, by the displacements: '


class Publisher:
    """Flies a vehicle to the north at 1 m/s, its heading as well; tells its twist in a frame."""

    def __init__(self, ros: Ros, topic: str, of_body: bool, child: str = 'base_link') -> None:
        self.ros, self.of_body, self.child = ros, of_body, child
        self.voice = ros.voice(Odometry, topic, STATE)
        self.way = 0.0

    def fly(self, duration: float, speed: float = SPEED) -> None:
        """Publish for a while."""
        for _ in range(round(duration / PERIOD)):
            self.way += speed * PERIOD
            now, twist = self.ros.now_ns(), (0.0, speed, 0.0)
            told = (speed, 0.0, 0.0) if self.of_body else twist
            message = odometry(now, (0.0, self.way, 5.0), told, self.child)
            z, w = quaternion_from_yaw(math.pi / 2.0)[2:]
            message.pose.pose.orientation.z, message.pose.pose.orientation.w = z, w
            self.voice.publish(message)
            self.ros.meanwhile(PERIOD)


@pytest.mark.parametrize(('kind', 'space', 'node', 'task', 'remedy'), [
    (AgentNode, 'uav_1', 'agent', 'control', "set odom_twist_frame to 'map'"),
    (SafetyNode, 'uav_1', 'safety', 'control', "set odom_twist_frame to 'map'"),
    (TargetNode, 'target', 'target', 'control', "set odom_twist_frame to 'map'"),
    (TrajectoryNode, 'uav_1', 'trajectory_node', 'path',
     'its publisher must turn it into child_frame_id'),
])  # fmt: skip
def test_a_twist_in_the_frame_of_the_pose_is_told_within_two_seconds_and_logged_once(
    ros: Ros, kind: type[Node], space: str, node: str, task: str, remedy: str
) -> None:
    told, status = Told(ros), f'{space}/{node}: {task}'
    ros.make(kind, f'/{space}')
    vehicle = Publisher(ros, f'/{space}/odom', of_body=False)
    vehicle.fly(1.0, speed=0.0)
    assert not told.shows(status, ERROR, POSE)
    vehicle.fly(2.0)
    line = f'/{space}/odom: {POSE}{remedy}'
    assert told.shows(status, ERROR, line)
    vehicle.fly(5.0)
    logger = f'{space}.{node}'
    assert [one for one in told.lines(logger) if POSE in one] == [line]
    vehicle.of_body = True
    vehicle.fly(5.0)
    assert not told.shows(status, ERROR, POSE)
    assert f'twist of /{space}/odom: ok again' in told.lines(logger)


@pytest.mark.parametrize('child', ['base_link', '', 'map'])
def test_with_the_parameter_the_twist_counts_as_it_is(ros: Ros, child: str) -> None:
    told = Told(ros)
    agent = ros.make(AgentNode, '/uav_1', odom_twist_frame='map')
    states = ros.listen(JointState, '/swarm/agent_states', STATE)
    vehicle = Publisher(ros, '/uav_1/odom', of_body=False, child=child)
    vehicle.fly(4.0)
    assert list(states.last.velocity[:3]) == [0.0, SPEED, 0.0]
    assert agent.health.refused['odom'] == 0
    assert not [one for one in told.lines('uav_1.agent') if 'twist' in one]


def test_a_parameter_that_is_wrong_is_told_as_well(ros: Ros) -> None:
    told = Told(ros)
    ros.make(AgentNode, '/uav_1', odom_twist_frame='map')
    Publisher(ros, '/uav_1/odom', of_body=True).fly(3.0)
    assert told.shows(
        'uav_1/agent: control', ERROR, 'in the frame of the body, not of the pose',
        "set odom_twist_frame to 'base_link'",
    )  # fmt: skip


def value(told: Told, key: str) -> Any:
    """Return a value of the last status of the agent."""
    status = told.statuses('uav_1/agent: control')[-1]
    return {one.key: one.value for one in status.values}[key]


@pytest.mark.parametrize(('of_body', 'says'), [(True, 'right'), (False, 'other')])
def test_the_status_has_what_the_gate_reads(ros: Ros, of_body: bool, says: str) -> None:
    told = Told(ros)
    ros.make(AgentNode, '/uav_1')
    vehicle = Publisher(ros, '/uav_1/odom', of_body)
    vehicle.fly(2.0, speed=0.0)
    assert value(told, 'odom_twist') == 'unknown'
    vehicle.fly(4.0)
    assert value(told, 'odom_twist') == says


def test_the_odometry_of_another_vehicle_is_looked_at(ros: Ros) -> None:
    told = Told(ros)
    ros.make(SafetyNode, '/uav_1', odometry_topics='/uav_7/odom')
    Publisher(ros, '/uav_7/odom', of_body=False, child='uav_7/base_link').fly(3.0)
    assert told.shows('uav_1/safety: control', ERROR, f'/uav_7/odom: {POSE}its publisher must')
