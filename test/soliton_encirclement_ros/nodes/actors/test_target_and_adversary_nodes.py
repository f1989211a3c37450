"""Target and adversary as real nodes: what they hear reaches them, and what they say comes out."""

import math

import pytest
from geometry_msgs.msg import Point, Pose, PoseStamped, Twist
from nav_msgs.msg import Odometry
from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger

from soliton_encirclement_ros.members import own_target
from soliton_encirclement_ros.nodes.actors.adversary_node import AdversaryNode
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from support.ros.bodies import adversary, agent, odometry, said, target, values
from support.ros.graph import Ros, set_parameters
from support.ros.told import ERROR, Told
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

RING = ((20.0, 0.0, 0.0), (0.0, 20.0, 0.0), (-20.0, 0.0, 0.0))
ORIGIN = (0.0, 0.0, 0.0)


class Scene:
    """One of the two nodes, and everybody else."""

    def __init__(self, ros: Ros, kind: type[Node], **parameters: object) -> None:
        """Start it."""
        self.ros, self.seq = ros, 0
        name = 'target' if kind is TargetNode else 'adversary'
        other = 'adversary' if kind is TargetNode else 'target'
        self.node = ros.make(kind, f'/{name}', **parameters)
        self.states = ros.listen(JointState, f'/swarm/{name}_state', STATE)
        self.commands = ros.listen(Twist, f'/{name}/cmd_vel', COMMAND)
        self.odom = ros.voice(Odometry, f'/{name}/odom', STATE)
        self.agents = ros.tester.create_publisher(JointState, '/swarm/agent_states', STATE)
        self.other = ros.voice(JointState, f'/swarm/{other}_state', STATE)
        self.say_other = adversary if kind is TargetNode else target

    def until(
        self, condition: object, what: str, place: Vector | None = ORIGIN,
        other_at: Vector = ORIGIN, agents: tuple[Vector, ...] = RING,
    ) -> None:  # fmt: skip
        """Let time pass until a condition holds."""

        def live() -> object:
            self.seq += 1
            now = self.ros.now_ns()
            if place is not None:
                self.odom.publish(odometry(now, place))
            self.other.publish(said(now, self.say_other(self.seq, other_at)))
            for k, position in enumerate(agents, start=1):
                self.agents.publish(said(now, agent(k, self.seq, position)))
            self.ros.meanwhile(0.02)
            return condition()

        self.ros.until(live, what)

    def fly(self, **around: object) -> Vector:
        """Let time pass until the next command; return it."""
        count = len(self.commands)
        self.until(lambda: len(self.commands) > count, 'a command', **around)
        linear = self.commands.last.linear
        return linear.x, linear.y, linear.z


def test_a_target_says_where_it_is_and_weighs_the_arc_of_everybody_it_hears(ros: Ros) -> None:
    scene = Scene(ros, TargetNode)
    weights = lambda: {name for name in values(scene.states.last) if 'lambda' in name}  # noqa: E731
    three = {f'uav_{k}/lambda' for k in (1, 2, 3)}
    scene.until(lambda: scene.states and weights() == three, 'three arcs')
    held = values(scene.states.last)
    assert {'target/x', 'target/y', 'target/z', 'target/seq', 'target/omega_ref'} <= set(held)
    assert all(held[name] > 0.0 for name in three)
    scene.until(lambda: weights() == three - {'uav_3/lambda'}, 'two arcs', agents=RING[:2])
    seqs = [values(message)['target/seq'] for message in scene.states]
    assert seqs == list(range(int(seqs[0]), int(seqs[0]) + len(seqs)))


def test_a_target_says_that_it_has_no_room_for_more_agents(ros: Ros, monkeypatch) -> None:
    monkeypatch.setattr(own_target, 'MAX_MEMBERS', 2)
    scene, told = Scene(ros, TargetNode), Told(ros)
    text = 'new ones are not heard, and have no place in the ring'
    scene.until(lambda: told.shows('target/target: control', ERROR, text), 'the fault')
    assert {name for name in values(scene.states.last) if name.endswith('lambda')} == {
        'uav_1/lambda', 'uav_2/lambda'
    }


def test_a_target_moves_as_its_parameters_say(ros: Ros) -> None:
    scene = Scene(ros, TargetNode, target_motion_period=0.1, target_motion_speed_xy=3.0)
    speeds = {round(math.hypot(*scene.fly()), 9) for _ in range(30)}
    assert speeds == {3.0}


def test_a_target_goes_where_it_is_sent_stays_there_and_goes_on_by_itself(ros: Ros) -> None:
    scene = Scene(ros, TargetNode, target_motion='constant', target_motion_speed_xy=2.0)
    goals = ros.voice(PoseStamped, '/target/goal_pose')

    def send(x: float, y: float, frame: str = 'map') -> None:
        message = PoseStamped(pose=Pose(position=Point(x=x, y=y)))
        message.header.frame_id = frame
        goals.publish(message)

    def flies(*velocity: float) -> None:
        scene.until(lambda: scene.fly() == pytest.approx(velocity, abs=1e-6), 'its command')

    send(0.0, 30.0)
    flies(0.0, 2.0, 0.0)
    send(0.0, 1.0)
    flies(0.0, 0.5, 0.0)
    for refused, x, frame in ((1, math.nan, 'map'), (2, 5.0, 'uav_1/odom')):
        send(x, 0.0, frame)
        health = scene.node.health.refused
        scene.until(lambda: health['/target/goal_pose'] == refused, 'the refusal')  # noqa: B023
    flies(0.0, 0.5, 0.0)
    assert ros.call(Trigger, '/target/resume', Trigger.Request()).message == 'moves itself again'
    flies(2.0, 0.0, 0.0)


def test_a_target_asks_a_lopsided_ring_to_turn_towards_the_adversary(ros: Ros) -> None:
    scene = Scene(ros, TargetNode, target_swarm_spin_enable=True, protection_angle_deg=90.0)
    scene.until(
        lambda: scene.states and values(scene.states.last)['target/omega_ref'] > 0.1, 'a turn',
        agents=((20.0, -5.0, 0.0), (20.0, 0.0, 0.0), (20.0, 5.0, 0.0)), other_at=(0.0, 40.0, 0.0),
    )  # fmt: skip


def test_an_adversary_says_where_it_is_roams_and_flees_from_a_target_that_comes_close(
    ros: Ros,
) -> None:
    scene = Scene(ros, AdversaryNode, adversary_roam_speed_xy=2.5)
    far = (40.0, 0.0, 0.0)
    assert {round(math.hypot(*scene.fly(place=far)), 9) for _ in range(5)} == {2.5}
    held = values(scene.states.last)
    assert held.keys() == {f'adversary/{name}' for name in ('x', 'y', 'z', 'seq', 'age')}
    assert held['adversary/x'] == 40.0
    assert 0.0 < held['adversary/age'] < 0.5  # of its odometry
    scene.until(lambda: scene.fly(place=(10.0, 0.0, 0.0))[0] > 2.49, 'the flight')
    assert scene.fly(place=(10.0, 0.0, 0.0), other_at=(20.0, 0.0, 0.0))[0] < -2.49


def test_both_change_their_ways_in_flight(ros: Ros) -> None:
    """Speed from the next choice on, the turn rate at once."""
    scene = Scene(ros, TargetNode, target_motion_period=0.1, target_motion_speed_xy=2.0)
    assert math.hypot(*scene.fly()) == pytest.approx(2.0)
    changes = {'target_motion_speed_xy': 0.5, 'target_swarm_omega_ref': 0.3}
    assert set_parameters(ros, '/target/target', True, **changes) == ['']
    scene.until(lambda: math.hypot(*scene.fly()) == pytest.approx(0.5), 'the other speed')
    assert values(scene.states.last)['target/omega_ref'] == 0.3
    (why,) = set_parameters(ros, '/target/target', target_motion_period=3.0)
    assert 'the period is counted from the start' in why
    other = Scene(ros, AdversaryNode)
    assert math.hypot(*other.fly(place=(40.0, 40.0, 0.0))) == pytest.approx(4.0)
    assert set_parameters(ros, '/adversary/adversary', adversary_roam_speed_xy=1.0) == ['']
    assert math.hypot(*other.fly(place=(40.0, 40.0, 0.0))) == pytest.approx(1.0)


@pytest.mark.parametrize('kind', [TargetNode, AdversaryNode])
def test_without_odometry_it_is_silent(ros: Ros, kind: type[Node]) -> None:
    scene = Scene(ros, kind)
    end = ros.now_ns() + 2 * 10**9
    scene.until(lambda: ros.now_ns() > end, 'two seconds', place=None)
    assert (scene.states, scene.commands) == ([], [])


@pytest.mark.parametrize(
    ('kind', 'given', 'text'),
    [
        (TargetNode, {'target_motion_period': 0.0}, 'target_motion_period = 0.0 must be at least'),
        (AdversaryNode, {'adversary_roam_bound_xy': -1.0}, 'bound_xy = -1.0 must be above 0 m'),
        (AdversaryNode, {'adversary_enable': False}, 'adversary_enable = false must be true in'),
    ],
)
def test_a_bad_parameter_stops_the_start(
    ros: Ros, kind: type[Node], given: dict[str, object], text: str
) -> None:
    with pytest.raises(ParameterError, match=text):
        ros.make(kind, '/somebody', **given)
