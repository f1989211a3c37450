"""A flight of the engine on ROS topics: what is heard of it, and what it does when asked."""

import itertools
import time

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from nav_msgs.msg import Odometry
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger
from visualization_msgs.msg import MarkerArray

from soliton_encirclement_ros.cli.runs.published_flight import FlightNode
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import AgentState, TargetState
from soliton_encirclement_ros.core.states.swarm_topics import ROOT, Fleet
from soliton_encirclement_ros.nodes.state_messages import StateReader
from soliton_encirclement_ros.sim.chunk import RealTimePace
from soliton_encirclement_ros.sim.engine import Engine
from support.cli import wait_until
from support.engine_flights import keep, whole
from support.ready import NO_HURRY, laws
from support.ros.bodies import said, values
from support.ros.graph import Ros
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

__all__ = ['laws']

pytestmark = [pytest.mark.ros, NO_HURRY]

SMALL = Scenario('small').with_changes({'run': {'num_agents': 3, 'sim_duration': 60.0}}, 'test')


class Flying:
    """A flight, its node, and what the node published."""

    def __init__(self, ros: Ros, scenario=SMALL, external=(), fleet=ROOT):
        """Place all members."""
        self.ros, self.scenario = ros, scenario
        self.node = ros.add(FlightNode(scenario, fleet, external))
        self.engine = self.node.engine = Engine(scenario, gossip=True, external=external)
        self.chunks = keep(self.engine)
        self._keep, self.engine.on_chunk = self.engine.on_chunk, self._take
        self.states = ros.listen(JointState, fleet.full_name('swarm/agent_states'), STATE)
        self._pace = RealTimePace(scenario.swarm.control_period, self._wait)

    def _take(self, chunk):
        self._keep(chunk)
        self.node.take(chunk)

    def _wait(self, seconds):
        self.node.serve(self.ros.executor, seconds)

    def fly(self, ticks=1):
        """Fly some ticks in real time."""
        for _ in range(ticks):
            self._pace.turn(self.engine.advance)

    def until(self, condition, what, ticks=200):
        """Fly until a condition holds."""
        for _ in range(ticks):
            if condition():
                return
            self.fly()
        pytest.fail(f'{ticks} ticks in vain for {what}')


def states_of(node, messages):
    """Return the states in some messages."""
    reader = StateReader('test', node._health)
    return [
        state
        for message in messages
        for state in reader.read(reader.parse(serialized(message)))
    ]


def serialized(message):
    """Return a message as bytes."""
    return serialize_message(message)


def test_states_are_those_of_the_flight_at_the_present_time(ros):
    begun, flying = time.time(), Flying(ros)
    flying.fly(10)
    ros.until(lambda: len(flying.states) >= 10, 'the states of ten ticks')
    flown = whole(flying.chunks)
    told = states_of(flying.node, flying.states)
    assert [state.agent_id for state in told] == [1, 2, 3] * 10
    assert [list(state.position) for state in told[-3:]] == flown.agents[-1, :, :3].tolist()
    stamps = [m.header.stamp.sec + 1e-9 * m.header.stamp.nanosec for m in flying.states]
    assert all(after > before for before, after in itertools.pairwise(stamps))
    assert begun < stamps[0] and stamps[-1] < time.time()


def test_many_agents_are_told_in_messages_of_a_hundred(ros):
    many = SMALL.with_changes(
        {'run': {'num_agents': 230}, 'swarm': {'encirclement_radius': 150.0}}, 'test'
    )
    flying = Flying(ros, many)
    flying.fly()
    ros.until(lambda: len(flying.states) >= 3, 'three messages')
    assert [len(states_of(flying.node, [m])) for m in flying.states] == [100, 100, 30]


def test_target_metrics_and_markers_are_published(ros):
    flying = Flying(ros)
    target = ros.listen(JointState, '/swarm/target_state', STATE)
    metrics = ros.listen(JointState, '/swarm/metrics', STATE)
    markers = ros.listen(MarkerArray, '/swarm/markers', COMMAND)
    flying.until(lambda: target and metrics and markers, 'all topics of the swarm')
    flown = whole(flying.chunks)
    assert isinstance(states_of(flying.node, [target.last])[0], TargetState)
    assert metrics.last.name == [*SAMPLE_NAMES]
    assert list(metrics.last.position)[:6] in flown.metrics.tolist()
    assert {marker.ns for marker in markers.last.markers} >= {'agents', 'target', 'ring'}


def test_topics_of_members_are_published_where_somebody_listens(ros):
    flying = Flying(ros)
    flying.fly(5)
    sources = flying.node._messages.sources
    wanted = {sources[index].topic for index in flying.node._outputs.wanted()}
    assert wanted == {'swarm/target_state', 'swarm/adversary_state', 'swarm/metrics'}
    odometry = ros.listen(Odometry, '/uav_2/odom', STATE)
    telemetry = ros.listen(JointState, '/uav_3/telemetry', STATE)
    flying.until(lambda: odometry and telemetry, 'odometry and telemetry')
    last = odometry.last
    assert (last.header.frame_id, last.child_frame_id) == ('map', 'uav_2/base_link')
    place = last.pose.pose.position
    assert [place.x, place.y, place.z] in whole(flying.chunks).agents[:, 1, :3].tolist()
    assert values(telemetry.last)['failed'] == 0.0
    assert ros.tester.count_publishers('/uav_2/odom') == 1


def test_nothing_commands_a_vehicle(ros):
    """A real one that listens to cmd_vel may not fly by a simulation."""
    flying = Flying(ros, fleet=Fleet('/alpha'))
    flying.until(lambda: flying.states and flying.node._outputs.waiting == 0, 'all topics')
    names = [name for name, _ in flying.node.get_topic_names_and_types()]
    assert {'/alpha/swarm/metrics', '/alpha/uav_1/odom'} <= {*names}
    assert not [name for name in names if 'cmd_vel' in name or name == '/clock']
    services = [name for name, _ in flying.node.get_service_names_and_types()]
    assert '/alpha/uav_3/fail' in services
    assert flying.node.get_fully_qualified_name() == '/alpha/engine'


def test_agents_fail_and_recover_on_request(ros):
    flying = Flying(ros)
    flying.until(lambda: flying.node._outputs.waiting == 0, 'all services')
    answer = ask(flying, '/uav_2/fail')
    assert (answer.success, answer.message) == (True, 'down until recover is called')
    answer = ask(flying, '/uav_2/fail')
    assert (answer.success, answer.message) == (True, 'already down, until recover is called')
    flying.until(lambda: heard_last(flying) == {1, 3}, 'states of the others alone')
    assert flying.node._facts()['agents_down'] == 1
    answer = ask(flying, '/uav_2/recover')
    assert (answer.success, answer.message) == (True, 'up again')
    flying.until(lambda: heard_last(flying) == {1, 2, 3}, 'a state of uav_2')
    answer = ask(flying, '/uav_1/recover')
    assert (answer.success, answer.message) == (True, 'already up')


def heard_last(flying):
    """Return the agents of the newest states."""
    return {state.agent_id for state in states_of(flying.node, flying.states[-1:])}


def ask(flying, service):
    """Call a service while the flight goes on."""
    client = flying.ros.tester.create_client(Trigger, service)
    flying.until(client.service_is_ready, service)
    future = client.call_async(Trigger.Request())
    flying.until(future.done, f'the answer of {service}')
    return future.result()


def test_members_that_fly_elsewhere_are_heard_and_not_told(ros):
    flying = Flying(ros, external=('uav_2', 'target'))
    agents = ros.voice(JointState, '/swarm/agent_states', STATE, readers=2)
    target = ros.voice(JointState, '/swarm/target_state', STATE)
    velocity = (1.0, 0.0, 0.0)
    for k in range(60):
        x = 0.05 * k
        agents.publish(said(ros.now_ns(), AgentState(2, k, (x, 20.0, 0.0), velocity)))
        target.publish(said(ros.now_ns(), TargetState(k, (x, 0.0, 0.0), velocity)))
        flying.fly()

    def are_there():
        k, still = next(further), (0.0, 0.0, 0.0)
        agents.publish(said(ros.now_ns(), AgentState(2, k, (3.0, 20.0, 0.0), still)))
        target.publish(said(ros.now_ns(), TargetState(k, (3.0, 0.0, 0.0), still)))
        last = flying.chunks[-1]
        return last.agents[-1, 1, 0] == last.target[-1, 0] == 3.0

    further = itertools.count(60)
    flying.until(are_there, 'both where they came to rest')
    flown = whole(flying.chunks)
    assert flown.alive[-1] == 3
    assert flown.metrics[-1, 4] < 0.5 * flown.metrics[0, 4]  # the others make room for uav_2
    own = [message for message in flying.states if 'uav_1/x' in message.name]
    assert own
    assert not [message for message in own if 'uav_2/x' in message.name]
    flying.until(lambda: flying.node._outputs.waiting == 0, 'all topics')
    names = [name for name, _ in flying.node.get_topic_names_and_types()]
    assert '/uav_1/odom' in names
    assert not [name for name in names if name.startswith(('/uav_2/', '/target/'))]
    assert ros.tester.count_publishers('/swarm/target_state') == 1


@pytest.mark.nightly
def test_a_stall_of_the_flight_misplaces_nobody(ros):
    """Afterwards the flight is behind the clock, and what members say is of the present."""
    flying = Flying(ros, external=('uav_2',))
    voice = ros.voice(JointState, '/swarm/agent_states', STATE, readers=2)
    velocity, begun, errors = (4.0, 0.0, 0.0), time.monotonic(), []
    for k in range(40):
        if k == 20:
            time.sleep(1.5)
        x = 4.0 * (time.monotonic() - begun)
        voice.publish(said(ros.now_ns(), AgentState(2, k, (x, 30.0, 0.0), velocity)))
        ros.meanwhile(0.005)
        flying.fly()
        if 2 < k < 20 or k >= 26:  # the first state after the stall may come a tick or two later
            here = 4.0 * (time.monotonic() - begun)
            errors.append(abs(flying.chunks[-1].agents[-1, 1, 0] - here))
    assert max(errors) < 3.0  # the stall was six metres; a busy machine stalls by itself


def test_members_that_are_not_heard_are_named(ros):
    flying = Flying(ros, external=('uav_2', 'target'))
    flying.fly(3)
    assert reasons_of(flying) == {
        'no state of uav_2 received yet on /swarm/agent_states',
        'no state of target received yet on /swarm/target_state',
    }
    voice = ros.voice(JointState, '/swarm/agent_states', STATE, readers=2)
    numbers = itertools.count(1)

    def is_heard():
        state = AgentState(2, next(numbers), (20.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        voice.publish(said(ros.now_ns(), state))
        return len(reasons_of(flying)) == 1

    flying.until(is_heard, 'uav_2')
    flying.until(lambda: len(reasons_of(flying)) == 2, 'the silence of uav_2')
    assert any(reason.startswith('uav_2 lost: last received ') for reason in reasons_of(flying))


def reasons_of(flying):
    """Return the reasons of all present faults but late ticks."""
    found = {condition.reason for condition in flying.node._conditions()}
    return {reason for reason in found if 'period of the engine' not in reason}


def test_malformed_states_of_others_are_refused_and_reported(ros):
    flying = Flying(ros, external=('uav_2',))
    voice = ros.voice(JointState, '/swarm/agent_states', STATE, readers=2)
    flying.fly(3)
    bad = said(ros.now_ns(), AgentState(2, 1, (float('nan'), 0.0, 0.0), (0.0, 0.0, 0.0)))
    old = said(ros.now_ns() - 10**10, AgentState(2, 1, (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
    for message in (bad, old):
        voice.publish(message)
    flying.until(lambda: sum(flying.node._health.refused.values()) >= 2, 'two refusals')
    assert whole(flying.chunks).agents[-1, 1, 6] == 1.0


def test_requests_are_answered_where_every_tick_is_late(ros):
    flying = Flying(ros)
    flying.until(lambda: flying.node._outputs.waiting == 0, 'all services')
    client = ros.tester.create_client(Trigger, '/uav_1/fail')
    flying.until(client.service_is_ready, 'the service')
    future = client.call_async(Trigger.Request())
    wait_until(lambda: (flying.node.serve(ros.executor, 0.0), future.done())[1], 'the answer')


def test_diagnostics_say_what_is_down_and_what_is_late(ros):
    heard = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    flying = Flying(ros)
    flying.engine.fail(1)
    flying.until(lambda: facts_of(heard).get('agents_down') == '1', 'the one that is down')
    for _ in range(25):  # twice the period, for longer than the second that is watched
        time.sleep(0.1)
        flying.fly()
    reasons = [condition.reason for condition in flying.node._health.conditions()]
    assert any('period of the engine' in reason for reason in reasons)


def facts_of(heard):
    """Return the values of the last status of the flight; none before the first."""
    found = [s for message in heard for s in message.status if s.name == 'engine: simulation']
    return {pair.key: pair.value for pair in found[-1].values} if found else {}
