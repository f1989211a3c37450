"""The target as a real node."""

import math

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from support.ros.bodies import adversary, agent, odometry, said, values
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.ros_io.qos import COMMAND, STATE

pytestmark = pytest.mark.ros

RING = ((20.0, 0.0, 0.0), (0.0, 20.0, 0.0), (-20.0, 0.0, 0.0))


class Scene:
    """A target node among three agents and an adversary."""

    def __init__(self, ros, **parameters):
        """Start the target."""
        self.ros = ros
        ros.make(TargetNode, '/target', **parameters)
        self.states = ros.listen(JointState, '/swarm/target_state', STATE)
        self.commands = ros.listen(Twist, '/target/cmd_vel', COMMAND)
        self.odom = ros.voice(Odometry, '/target/odom', STATE)
        self.agents = ros.voice(JointState, '/swarm/agent_states', STATE)
        self.adversary = ros.voice(JointState, '/swarm/adversary_state', STATE)
        self.seq = 0

    def until(self, condition, what, agents=RING, place=(0.0, 0.0, 0.0)):
        """Let time pass until a condition holds."""

        def live():
            self.seq += 1
            now = self.ros.now_ns()
            self.odom.publish(odometry(now, place))
            self.adversary.publish(said(now, adversary(self.seq, (0.0, 40.0, 0.0))))
            for k, position in enumerate(agents, start=1):
                self.agents.publish(said(now, agent(k, self.seq, position)))
            self.ros.meanwhile(0.02)
            return condition()

        self.ros.until(live, what)


def test_it_says_where_it_is_and_weighs_every_arc(ros):
    scene = Scene(ros)
    weights = {'uav_1/lambda', 'uav_2/lambda', 'uav_3/lambda'}
    scene.until(lambda: scene.states and weights <= set(scene.states.last.name), 'the weights')
    held = values(scene.states.last)
    assert {'target/x', 'target/y', 'target/z', 'target/seq', 'target/omega_ref'} <= set(held)
    assert all(held[name] > 0.0 for name in weights)
    seqs = [values(message)['target/seq'] for message in scene.states]
    assert seqs == list(range(int(seqs[0]), int(seqs[0]) + len(seqs)))


def test_an_agent_that_falls_silent_loses_its_arc(ros):
    scene = Scene(ros)
    scene.until(lambda: scene.states and 'uav_3/lambda' in scene.states.last.name, 'three arcs')
    scene.until(lambda: 'uav_3/lambda' not in scene.states.last.name, 'two arcs', agents=RING[:2])


def test_it_wanders_at_its_speed(ros):
    scene = Scene(ros, target_motion_period=0.1, target_motion_speed_xy=3.0)
    scene.until(lambda: len(scene.commands) > 30, 'commands')
    speeds = [math.hypot(c.linear.x, c.linear.y) for c in scene.commands]
    found = {round(speed, 9) for speed in speeds}
    assert 3.0 in found and found <= {0.0, 3.0}  # it stands until its first period is over
    assert len({(c.linear.x, c.linear.y) for c in scene.commands}) > 3


def test_beyond_its_boundary_it_turns_back(ros):
    scene = Scene(ros, target_motion_period=0.05)
    scene.until(
        lambda: scene.commands and scene.commands.last.linear.x < -4.9, 'the way home',
        place=(30.0, 0.0, 0.0),
    )  # fmt: skip


def test_at_speed_zero_it_stays(ros):
    scene = Scene(ros, target_motion_speed_xy=0.0, target_motion_period=0.05)
    scene.until(lambda: len(scene.commands) > 20, 'commands')
    assert {(c.linear.x, c.linear.y) for c in scene.commands} == {(0.0, 0.0)}


def test_it_asks_a_lopsided_ring_to_turn_towards_the_adversary(ros):
    scene = Scene(ros, target_swarm_spin_enable=True, protection_angle_deg=90.0)
    scene.until(
        lambda: scene.states and values(scene.states.last)['target/omega_ref'] > 0.1, 'a turn',
        agents=((20.0, -5.0, 0.0), (20.0, 0.0, 0.0), (20.0, 5.0, 0.0)),
    )  # fmt: skip
    assert abs(values(scene.states.last)['target/omega_ref']) <= 1.0


def test_a_bad_parameter_stops_the_start(ros):
    with pytest.raises(ParameterError, match=r'target_motion_period = 0.0 must be at least'):
        ros.make(TargetNode, '/target', target_motion_period=0.0)
