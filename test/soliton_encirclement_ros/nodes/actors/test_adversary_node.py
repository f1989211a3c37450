"""The adversary as a real node."""

import math

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from soliton_encirclement_ros.nodes.actors.adversary_node import AdversaryNode
from support.ros.bodies import odometry, said, target, values
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.ros_io.qos import COMMAND, STATE

pytestmark = pytest.mark.ros


class Scene:
    """An adversary node and a target."""

    def __init__(self, ros, **parameters):
        """Start the adversary."""
        self.ros = ros
        ros.make(AdversaryNode, '/adversary', **parameters)
        self.states = ros.listen(JointState, '/swarm/adversary_state', STATE)
        self.commands = ros.listen(Twist, '/adversary/cmd_vel', COMMAND)
        self.odom = ros.voice(Odometry, '/adversary/odom', STATE)
        self.target = ros.voice(JointState, '/swarm/target_state', STATE)
        self.seq = 0

    def until(self, condition, what, place=(40.0, 0.0, 0.0), target_at=(0.0, 0.0, 0.0)):
        """Let time pass until a condition holds."""

        def live():
            self.seq += 1
            now = self.ros.now_ns()
            self.odom.publish(odometry(now, place))
            self.target.publish(said(now, target(self.seq, target_at)))
            self.ros.meanwhile(0.02)
            return condition()

        self.ros.until(live, what)


def test_it_says_where_it_is_and_roams_at_its_speed(ros):
    scene = Scene(ros, adversary_roam_speed_xy=2.5)
    scene.until(lambda: len(scene.states) > 5 and len(scene.commands) > 5, 'its states')
    held = values(scene.states.last)
    assert held.keys() == {f'adversary/{name}' for name in ('x', 'y', 'z', 'seq', 'age')}
    assert 0.0 < held['adversary/age'] < 0.5  # of its odometry
    assert held['adversary/x'] == 40.0
    for command in scene.commands:
        assert math.hypot(command.linear.x, command.linear.y) == pytest.approx(2.5)


def test_it_flees_from_a_target_that_comes_close(ros):
    scene = Scene(ros)
    scene.until(
        lambda: scene.commands and scene.commands.last.linear.x > 3.99, 'the flight',
        place=(10.0, 0.0, 0.0),
    )  # fmt: skip
    scene.until(
        lambda: scene.commands.last.linear.x < -3.99, 'the flight to the other side',
        place=(10.0, 0.0, 0.0), target_at=(20.0, 0.0, 0.0),
    )  # fmt: skip


def test_without_odometry_it_is_silent(ros):
    scene = Scene(ros)
    ros.meanwhile(0.3)
    assert (scene.states, scene.commands) == ([], [])


def test_a_bad_parameter_stops_the_start(ros):
    with pytest.raises(ParameterError, match=r'adversary_roam_bound_xy = -1.0 must be above 0 m'):
        ros.make(AdversaryNode, '/adversary', adversary_roam_bound_xy=-1.0)
