"""The agent as a real node: what it says and commands for what it hears."""


import pytest
from geometry_msgs.msg import TwistStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger

from soliton_encirclement_ros.controllers import recorded_names
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from support.ros.bodies import odometry, said, target, values
from support.ros.cockpit import PLACE, Cockpit
from support.ros.graph import Ros
from support.ros.stopping import Operator, is_zero
from velocity_mobility_ros.core.user_errors import MobilityError, ParameterError
from velocity_mobility_ros.ros_io.endpoints import LOCKSTEP
from velocity_mobility_ros.ros_io.node_time import time_to_ns

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]


@pytest.fixture
def cockpit(ros):
    """Return an agent of ``soliton`` in real time, whose command is at the limit far outside."""
    return Cockpit(ros, controller='soliton')


def test_without_odometry_it_neither_commands_nor_speaks(ros, cockpit):
    for _ in range(20):
        cockpit.live(place=None)
    assert cockpit.commands == []
    assert cockpit.own_states() == []


def test_it_flies_towards_the_ring(cockpit):
    cockpit.until(lambda: len(cockpit.commands) > 10, 'commands')
    command = cockpit.commands.last.linear
    assert command.x == -10.0
    assert command.y == pytest.approx(0.0)
    assert command.z == -5.0  # and down to the height of the target


def test_it_says_where_it_is_with_rising_numbers(cockpit):
    cockpit.until(lambda: len(cockpit.own_states()) > 10, 'its states')
    published_values = [values(message) for message in cockpit.own_states()]
    for i, held in enumerate(published_values):
        names = ('x', 'y', 'z', 'u', 'u_ss', 'seq', 'age')
        assert {f'uav_1/{name}' for name in names} == set(held)
        assert 0.0 < held['uav_1/age'] < 0.5  # that of the odometry
        assert held['uav_1/seq'] == published_values[0]['uav_1/seq'] + i
        assert (held['uav_1/x'], held['uav_1/z']) == (30.0, 5.0)
    stamps = [time_to_ns(message.header.stamp) for message in cockpit.own_states()]
    assert stamps == sorted(stamps)
    assert abs(stamps[-1] - cockpit.ros.now_ns()) < 1e9


def test_telemetry_holds_pose_health_and_the_laws_values(cockpit):
    cockpit.until(lambda: cockpit.telemetry, 'telemetry')
    held = values(cockpit.telemetry.last)
    assert list(held)[:6] == ['x', 'y', 'z', 'failed', 'pred', 'succ']
    assert (held['x'], held['z'], held['failed']) == (30.0, 5.0, 0.0)
    assert list(held)[6:] == list(recorded_names('soliton', True))


@pytest.mark.parametrize('shift_ns', [-3_000_000_000, 3_000_000_000])
def test_states_from_another_time_are_refused(cockpit, shift_ns):
    cockpit.until(lambda: len(cockpit.commands) > 2, 'commands', with_target=False)
    cockpit.target.publish(said(cockpit.ros.now_ns() + shift_ns, target(1)))
    cockpit.until(
        lambda: cockpit.node.health.refused['/swarm/target_state'], 'refusal', with_target=False
    )
    assert cockpit.commands.last.linear.x == 0.0


def test_commands_can_be_stamped(ros):
    cockpit = Cockpit(ros, enable_stamped_cmd_vel=True)
    cockpit.until(lambda: cockpit.commands, 'commands')
    message = cockpit.commands.last
    assert message.header.frame_id == 'map'
    assert abs(time_to_ns(message.header.stamp) - ros.now_ns()) < 1e9


def test_it_fails_and_recovers_at_an_operators_word(ros, cockpit):
    cockpit.until(lambda: len(cockpit.own_states()) > 5, 'its states')
    answer = ros.call(Trigger, '/uav_1/fail', Trigger.Request())
    assert (answer.success, answer.message) == (True, 'down until recover is called')
    answer = ros.call(Trigger, '/uav_1/fail', Trigger.Request())
    assert (answer.success, answer.message) == (True, 'already down, until recover is called')
    assert not cockpit.node.may_start_again  # it would be up again
    ros.meanwhile(0.1)
    before = len(cockpit.own_states())
    cockpit.until(lambda: values(cockpit.telemetry.last)['failed'] == 1.0, 'the failure to show')
    cockpit.until(
        lambda: cockpit.commands.last.linear.x == 0.0, 'the command to be zero while it is down'
    )
    assert len(cockpit.own_states()) == before
    answer = ros.call(Trigger, '/uav_1/recover', Trigger.Request())
    assert (answer.success, answer.message) == (True, 'up again')
    cockpit.until(lambda: len(cockpit.own_states()) > before + 5, 'its states again')
    assert cockpit.commands.last.linear.x == -10.0
    answer = ros.call(Trigger, '/uav_1/recover', Trigger.Request())
    assert (answer.success, answer.message) == (True, 'already up')


@pytest.mark.parametrize('namespace', [None, '/drone', '/uav_x'])
def test_without_a_number_it_says_how_to_give_one(ros, namespace):
    with pytest.raises(ParameterError, match='start the node in a namespace such as /uav_1'):
        ros.make(AgentNode, namespace)


@pytest.mark.parametrize(
    ('namespace', 'given', 'text'),
    [
        ('/fleet/uav_0', {}, "namespace '/fleet/uav_0' names agent 0, but agents are numbered"),
        ('/fleet/uav_1', {'agent_id': 7}, "agent_id = 7 and namespace '/fleet/uav_1' differ"),
        ('/uav_1', {'k_r': -1.0}, '/uav_1/agent: k_r = -1.0 must be above 0 1/s'),
        ('/uav_1', {'k_rr': 1.0}, "/uav_1/agent: unknown parameter 'k_rr'; did you mean 'k_r'?"),
        ('/uav_1', {'failure_schedule': 'soon'}, "failure.failure_schedule: 'soon' must be BEGIN"),
        ('/uav_1', {'failure_schedule': '1..2: 0'}, 'failure.failure_schedule'),
    ],
)
def test_what_makes_no_sense_stops_the_start(ros, namespace, given, text):
    with pytest.raises(MobilityError) as caught:
        ros.make(AgentNode, namespace, **given)
    assert str(caught.value).startswith(text)


def test_the_number_can_be_a_parameter(ros):
    assert ros.make(AgentNode, '/drone', agent_id=7).actor.agent_id == 7
    assert ros.make(AgentNode, '/uav_1', agent_id=1).actor.agent_id == 1


class Tick:
    """The world's side of lockstep for one agent."""

    def __init__(self, ros: Ros, **parameters: object) -> None:
        """Start uav_1 in lockstep."""
        self.ros = ros
        self.node = ros.make(AgentNode, '/uav_1', lockstep=True, **parameters)
        self.commands = ros.listen(TwistStamped, '/uav_1/cmd_vel', LOCKSTEP)
        self.states = ros.listen(JointState, '/swarm/agent_states', LOCKSTEP)
        self.odom = ros.voice(Odometry, '/uav_1/odom', LOCKSTEP)
        self.received = ros.voice(JointState, '/uav_1/received_states', LOCKSTEP)

    def at(self, stamp_ns: int, *parts: str) -> None:
        """Publish the inputs of a tick."""
        for part in parts or ('received_states', 'odom'):
            if part == 'odom':
                self.odom.publish(odometry(stamp_ns, PLACE))
            else:
                self.received.publish(said(stamp_ns, target(stamp_ns + 1)))

    def answered(self) -> list[int]:
        """Return the stamps of the commands."""
        return [time_to_ns(message.header.stamp) for message in self.commands]


def test_in_lockstep_the_handshake_is_answered_and_nothing_moves(ros):
    tick = Tick(ros)
    tick.at(0)
    ros.until(lambda: tick.commands and tick.states, 'the answer')
    assert (tick.commands.last.twist.linear.x, tick.answered()) == (0.0, [0])
    assert (list(tick.states.last.name), tick.states.last.header.frame_id) == ([], 'uav_1')


def test_in_lockstep_it_waits_for_the_run_s_recorder_and_for_no_other(ros):
    """Somebody else may listen to everything as well."""
    tick = Tick(ros, recorders=1)
    topics = {'/uav_1/cmd_vel': TwistStamped, '/swarm/agent_states': JointState,
              '/uav_1/telemetry': JointState}  # fmt: skip
    for name in ('viewer', 'recorder'):
        node = ros.add(Node(name))
        for topic, kind in topics.items():
            node.create_subscription(kind, topic, lambda message: None, LOCKSTEP)
        for _ in range(10):
            tick.at(0)
            ros.meanwhile(0.1)
        assert bool(tick.answered()) == (name == 'recorder')


@pytest.mark.parametrize('order', [('odom', 'received_states'), ('received_states', 'odom')])
def test_in_lockstep_it_answers_each_tick_once_in_any_order_of_arrival(ros, order):
    tick = Tick(ros, controller='soliton')
    for stamp in (50_000_000, 100_000_000):
        tick.at(stamp, *order)
        tick.at(stamp, *order)
        ros.until(lambda stamp=stamp: stamp in tick.answered(), 'the answer')
    ros.meanwhile(0.2)
    assert tick.answered() == [50_000_000, 100_000_000]
    assert [time_to_ns(m.header.stamp) for m in tick.states] == [50_000_000, 100_000_000]
    assert tick.commands.last.twist.linear.x == -10.0


def test_in_lockstep_half_a_tick_is_no_tick(ros):
    tick = Tick(ros)
    tick.at(50_000_000, 'odom')
    tick.at(100_000_000, 'received_states')
    ros.meanwhile(0.3)
    assert tick.answered() == []


def test_in_lockstep_the_past_is_not_answered(ros):
    tick = Tick(ros)
    tick.at(100_000_000)
    ros.until(lambda: tick.answered() == [100_000_000], 'the answer')
    tick.at(50_000_000)
    ros.meanwhile(0.2)
    assert tick.answered() == [100_000_000]


def test_in_lockstep_a_stop_counts_also_while_no_tick_comes(ros):
    tick = Tick(ros)
    tick.at(50_000_000)
    ros.until(tick.answered, 'the answer')
    assert not tick.node.may_start_again
    Operator(ros).order(True)
    ros.meanwhile(4.5)
    assert len(tick.commands) >= 3
    assert all(map(is_zero, tick.commands[1:]))
