"""Agents of one process that tick together: one message for all, each flies as it would alone."""

from itertools import pairwise

import pytest
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger

from soliton_encirclement_ros.nodes.actors.agent_group import AgentGroup
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from support.ros.bodies import agent, odometry, said, target, values
from support.ros.graph import Ros
from velocity_mobility_ros.ros_io.endpoints import STATE
from velocity_mobility_ros.ros_io.node_time import LoadWatch, time_to_ns

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

TICK = 0.05
"""Control period [s]."""

PLACES = {1: (20.0, 0.0, 0.0), 2: (0.0, 20.0, 0.0), 3: (-20.0, 0.0, 0.0)}


class Flock:
    """Three agents in a group, their odometry, a target, and who listens."""

    def __init__(self, ros: Ros, **parameters: object) -> None:
        """Start the agents."""
        self.ros = ros
        group = AgentGroup()
        self.nodes = {
            k: ros.make(
                lambda group=group, **options: AgentNode(group, **options), f'/uav_{k}',
                **parameters,
            )
            for k in PLACES
        }  # fmt: skip
        self.states = ros.listen(JointState, '/swarm/agent_states', STATE)
        self.telemetry = ros.listen(JointState, '/uav_2/telemetry', STATE)
        self.target = ros.voice(JointState, '/swarm/target_state', STATE)
        self.odom = {k: ros.voice(Odometry, f'/uav_{k}/odom', STATE) for k in PLACES}
        self.seq = 0

    def live(self) -> None:
        """Let the world go on around them for a moment."""
        self.seq += 1
        now_ns = self.ros.now_ns()
        for k, voice in self.odom.items():
            voice.publish(odometry(now_ns, PLACES[k]))
        self.target.publish(said(now_ns, target(self.seq)))
        self.ros.meanwhile(0.02)

    def until(self, condition, what: str) -> None:
        """Live until a condition holds."""
        self.ros.until(lambda: (self.live(), condition())[1], what)

    def members(self) -> set[int]:
        """Return the agents of the last message."""
        return {int(name[4:-4]) for name in self.states.last.name if name.endswith('/seq')}

    def neighbours(self, k: int) -> list[int]:
        """Return whom an agent hears."""
        node = self.nodes[k]
        return node.actor.neighbours(node.time(self.ros.now_ns()))


@pytest.fixture
def flock(ros):
    """Return three agents that tick together."""
    return Flock(ros)


def test_one_message_holds_all_of_them(flock):
    flock.until(lambda: flock.states and flock.members() == {1, 2, 3}, 'a message of all')
    held = values(flock.states.last)
    for k, (x, y, _) in PLACES.items():
        assert (held[f'uav_{k}/x'], held[f'uav_{k}/y']) == (x, y)
    flock.until(lambda: sorted(flock.neighbours(2)) == [1, 3], 'that they hear each other')
    assert flock.ros.tester.count_publishers('/swarm/agent_states') == 1
    assert flock.ros.tester.count_subscribers('/swarm/target_state') == 1


def test_a_single_agent_mixes_with_them(flock):
    """It sends a message of its own; all of the group hear it, and it counts as a neighbour."""
    voice, heard = flock.ros.voice(JointState, '/swarm/agent_states', STATE, 2), set()

    def all_hear_it() -> bool:
        voice.publish(said(flock.ros.now_ns(), agent(9, flock.seq + 1, (0.0, -20.0, 0.0))))
        heard.update(k for k in PLACES if 9 in flock.neighbours(k))
        return heard == set(PLACES)

    flock.until(all_hear_it, 'that all hear uav_9')


def test_one_that_is_down_is_missing_and_comes_back(flock):
    flock.until(lambda: flock.states and flock.members() == {1, 2, 3}, 'a message of all')
    answer = flock.ros.call(Trigger, '/uav_2/fail', Trigger.Request())
    assert answer.success
    flock.until(lambda: flock.members() == {1, 3}, 'a message without it')
    flock.until(lambda: flock.neighbours(1) == [3], 'that it counts as gone')
    flock.ros.call(Trigger, '/uav_2/recover', Trigger.Request())
    flock.until(lambda: flock.members() == {1, 2, 3}, 'a message of all again')
    flock.until(lambda: sorted(flock.neighbours(1)) == [2, 3], 'that it is heard again')


def test_telemetry_at_a_rate_of_its_own(ros):
    flock = Flock(ros, telemetry_period=0.5)
    flock.until(lambda: len(flock.telemetry) >= 4, 'telemetry')
    stamps = [m.header.stamp.sec + m.header.stamp.nanosec * 1e-9 for m in flock.telemetry]
    gaps = [after - before for before, after in pairwise(stamps[1:])]  # after the first
    assert min(gaps) > 0.5 - TICK
    flock.until(lambda: len(flock.states) > 4 * len(flock.telemetry), 'states at every tick')


def test_telemetry_goes_on_when_the_clock_is_set_back(ros):
    output = Flock(ros, telemetry_period=0.5).nodes[1]._telemetry
    assert output.is_due(10**12)
    assert not output.is_due(10**12 + 10**6)
    assert output.is_due(10**12 - 10**9)
    assert not output.is_due(10**12 - 10**9 + 10**6)


def test_on_a_machine_that_is_too_slow_telemetry_is_reduced_and_timeouts_follow(ros, monkeypatch):
    """The load is pretended: half of the ticks missed, periods of 0.2 s."""
    monkeypatch.setattr(LoadWatch, 'missed', lambda watch: 0.5)
    monkeypatch.setattr(LoadWatch, 'last_period', lambda watch: 0.2)
    flock = Flock(ros)
    node = flock.nodes[2]
    flock.until(lambda: node.is_shedding, 'that it sheds')
    assert node.actor.rows.rules.swarm.agent_timeout == pytest.approx(0.6)
    before = len(flock.telemetry)
    flock.until(lambda: len(flock.telemetry) >= before + 3, 'telemetry')
    stamps = [time_to_ns(message.header.stamp) for message in flock.telemetry[before:]]
    assert all(after - first > (0.5 - TICK) * 1e9 for first, after in pairwise(stamps[1:]))
    monkeypatch.undo()
    flock.until(lambda: not node.is_shedding, 'that all is as before')
    flock.until(lambda: node.actor.rows.rules.swarm.agent_timeout == 0.25, 'the timeout as set')


def test_all_vehicles_get_their_commands_before_anything_else_is_published(ros, monkeypatch):
    flock, log = Flock(ros, telemetry_period=0.0), []
    for node in flock.nodes.values():
        monkeypatch.setattr(node, '_publish_command', lambda data: log.append('command'))
        monkeypatch.setattr(node._telemetry, 'publish', lambda *_: log.append('telemetry'))
    flock.until(lambda: flock.states and flock.members() == {1, 2, 3}, 'that all fly')
    log.clear()
    flock.until(lambda: len(log) >= 12, 'some ticks')
    assert log[:12] == [*['command'] * 3, *['telemetry'] * 3] * 2


def test_a_law_that_fails_for_one_of_them_stops_only_that_one(ros):
    flock = Flock(ros)
    flock.until(lambda: flock.states and flock.members() == {1, 2, 3}, 'a message of all')
    rows = flock.nodes[2].actor.rows

    def fail(*arguments: object) -> None:
        raise ValueError('not any more')

    rows.use(rows.own._replace(law=rows.own.law._replace(step=fail)))
    flock.until(lambda: flock.members() == {1, 3}, 'a message without it')
    assert flock.nodes[2].failures.failed
    flock.until(lambda: flock.neighbours(1) == [3], 'that the others fly on')
