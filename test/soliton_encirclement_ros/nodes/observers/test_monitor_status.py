"""What the monitor tells: the health of the swarm, faults, vehicles beside the ring."""

import math

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.flight_statistics.filter_tally import filtered_share, pushes
from soliton_encirclement_ros.core.laws.filter_codes import NONE, RELAXED, SEPARATION
from soliton_encirclement_ros.core.laws.telemetry import lawless_values
from soliton_encirclement_ros.core.states.states import Pose
from soliton_encirclement_ros.nodes.observers import monitor_input
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from support.ros.bodies import agent, said, target, values
from support.ros.graph import Ros
from support.ros.sent_messages import values_to_joint_state
from support.ros.told import ERROR, OK, STALE, WARN, Told
from velocity_mobility_ros.ros_io.conditions import UNHEARD
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

HEALTH, METRICS = 'monitor: health', 'monitor: metrics'
ALL = (0.0, 2.0, 4.0)
BESIDE = Pose((20.0, 3.0, 0.0), (0.0, 0.0, 0.0))


class Swarm:
    """A monitor, and the tester as agents, a target and vehicles beside the ring."""

    def __init__(self, ros: Ros, num_agents: int = 3, **parameters: object) -> None:
        """Begin in silence."""
        self.ros, self.told, self.seq = ros, Told(ros), 0
        self.node = ros.make(
            MonitorNode, None, num_agents=num_agents, **{'world': False, **parameters}
        )
        self.metrics = ros.listen(JointState, '/swarm/metrics', STATE)
        self._agents = ros.voice(JointState, '/swarm/agent_states', STATE)
        self._target = ros.voice(JointState, '/swarm/target_state', STATE)
        self._telemetry = ros.tester.create_publisher(JointState, '/uav_9/telemetry', STATE)

    def speak(self, *bearings: float, beside: tuple[int, ...] = (), reason: int = NONE) -> None:
        """Let agents at these bearings [rad] on a ring of 20 m say something, and the target."""
        self.seq += 1
        now = self.ros.now_ns()
        for k, bearing in enumerate(bearings, 1):
            place = (20.0 * math.cos(bearing), 20.0 * math.sin(bearing), 0.0)
            self._agents.publish(said(now, agent(k, self.seq, place)))
        for k in beside:
            state = agent(k, self.seq, BESIDE.position)._replace(ring_member=False)
            self._agents.publish(said(now, state))
        if beside:
            result = (float(reason), 1.0, 0.5) if reason else (0.0, -1.0, 0.0)
            message = values_to_joint_state(now, *lawless_values(BESIDE, result))
            self._telemetry.publish(message)
        self._target.publish(said(now, target(self.seq)))
        self.ros.meanwhile(0.05)

    def until(self, level: bytes, text: str, *bearings: float, name: str = HEALTH,
              **more: object) -> None:  # fmt: skip
        """Speak until a status has a level and a text."""
        self.ros.until(
            lambda: (self.speak(*bearings, **more), self.told.shows(name, level, text))[1], text
        )

    def value(self, name: str, key: str) -> str:
        """Return a value of the last status of a name."""
        return {pair.key: pair.value for pair in self.told.statuses(name)[-1].values}[key]


def test_the_health_follows_what_happens_and_names_all_that_were_heard(ros: Ros) -> None:
    swarm = Swarm(ros)
    told, text = swarm.told, 'no state of the target received'
    ros.until(lambda: told.shows(HEALTH, ERROR, f'{text} yet'), 'the beginning')
    assert told.shows(METRICS, STALE, f'no metrics yet: {text} on /swarm/target_state')
    assert swarm.node.health_reasons == ()
    swarm.until(OK, 'ok', *ALL)
    assert (swarm.value(HEALTH, 'state'), swarm.value(HEALTH, 'reasons')) == ('OK', '0')
    swarm.until(OK, 'ok', *ALL, name=METRICS)
    swarm.until(WARN, 'silent: uav_3', 0.0, 2.0)
    swarm.until(ERROR, '1 of 3 agents received', 0.0)
    assert swarm.node.health_reasons[0] == '1 of 3 agents received'
    swarm.until(WARN, 'two agents nearer than 1 m', 0.0, 0.01, 4.0)
    ros.until(lambda: told.shows(HEALTH, ERROR, 'target lost: last received '), 'the loss')
    assert swarm.value(METRICS, 'members') == 'uav_1,uav_2,uav_3,target'


def test_a_member_that_has_stopped_itself_is_named(ros: Ros) -> None:
    """No order is on its way, so its own word counts; that of its limiter does not undo it."""
    swarm, voice = Swarm(ros), ros.voice(DiagnosticArray, '/diagnostics', COMMAND)
    for stopped, level, text in (('true', WARN, 'stopped: uav_2'), ('false', OK, 'ok')):
        statuses = [
            DiagnosticStatus(name=f'uav_2/{node}', hardware_id='uav_2', values=[
                KeyValue(key='emergency_stop', value=value)
            ])
            for node, value in (('agent: control', stopped), ('twist_limiter: smoothing', 'false'))
        ]  # fmt: skip
        voice.publish(DiagnosticArray(status=statuses))
        since = ros.now_ns()
        swarm.until(level, text, *ALL)
        assert ros.now_ns() - since < 4e9  # it is not only forgotten


@pytest.mark.parametrize(
    ('hardware_id', 'level', 'values', 'text'),
    [
        ('uav_2', ERROR, {}, 'error at uav_2: it is broken'),
        ('uav_2', ERROR, {'emergency_stop': 'true'}, 'stopped: uav_2'),
        ('target', WARN, {'doubtful_parameters': '2'}, 'doubtful parameters: target'),
    ],
)
def test_what_members_report_about_themselves_counts(
    ros: Ros, hardware_id: str, level: bytes, values: dict[str, str], text: str
) -> None:
    """Until their next status; other statuses of the domain, and of other fleets, do not."""
    swarm, voice = Swarm(ros), ros.voice(DiagnosticArray, '/diagnostics', COMMAND)
    pairs = [KeyValue(key=key, value=value) for key, value in values.items()]

    def tell(who: str, level: bytes, pairs: list[KeyValue]) -> None:
        status = DiagnosticStatus(name=f'{who}/x: y', hardware_id=who, values=pairs)
        status.level, status.message = level, 'it is broken'
        voice.publish(DiagnosticArray(status=[status]))

    tell('other/uav_1', ERROR, [])
    tell('camera', ERROR, [])
    swarm.until(OK, 'ok', *ALL)
    tell(hardware_id, level, pairs)
    swarm.until(WARN, text, *ALL)
    tell(hardware_id, OK, [])
    swarm.until(OK, 'ok', *ALL)


@pytest.mark.parametrize(('world', 'updates'), [(False, UNHEARD), (True, UNHEARD + 3)])
def test_it_is_logged_when_the_members_of_a_world_had_time_to_start(
    ros: Ros, world: bool, updates: int
) -> None:
    swarm = Swarm(ros, world=world, startup_timeout=2.5)
    ros.meanwhile(updates - 0.5)
    assert not swarm.told.logged('monitor', 'no metrics yet')
    ros.meanwhile(1.0)
    assert swarm.told.logged('monitor', 'no metrics yet')


def test_two_agents_with_one_number_are_an_error_and_one_that_starts_again_is_not(
    ros: Ros,
) -> None:
    swarm = Swarm(ros)
    swarm.until(OK, 'ok', *ALL, name=METRICS)
    swarm.seq = 0
    before = len(swarm.told.statuses(METRICS))
    while len(swarm.told.statuses(METRICS)) < before + 3:
        swarm.speak(*ALL)
    assert {status.message for status in swarm.told.statuses(METRICS)[before:]} == {'ok'}
    text, other = 'more than one agent publishes as uav_1: give each its own agent_id', 10**6

    def both() -> bool:
        swarm.speak(*ALL)
        swarm._agents.publish(said(ros.now_ns(), agent(1, other + swarm.seq, BESIDE.position)))
        return swarm.told.shows(METRICS, ERROR, text)

    ros.until(both, text)
    assert swarm.told.logged('monitor', text)


def test_vehicles_beside_the_ring_count_for_distances_and_filters_but_not_as_agents(
    ros: Ros,
) -> None:
    swarm = Swarm(ros, 2, min_alive_share=1.0)
    ring = (0.0, math.pi)
    for _ in range(6):
        swarm.speak(*ring, beside=(9,), reason=SEPARATION)
    swarm.until(OK, 'ok', *ring, beside=(9,))
    last = values(swarm.metrics.last)
    assert last['alive'] == 2.0
    assert last['min_separation'] == pytest.approx(3.0)
    tally = swarm.node.observer.filtered
    assert filtered_share(tally) > 0.0
    assert {(one['agent'], one['pusher']) for one in pushes(tally.pushed)} == {('uav_9', 'uav_1')}
    assert not swarm.node.health.refused
    swarm.until(WARN, 'separation filter relaxed: uav_9', *ring, beside=(9,), reason=RELAXED)


def test_one_within_the_number_of_agents_is_not_missed_as_one(ros: Ros) -> None:
    """Numbers up to num_agents are expected on the ring, unless somebody says otherwise."""
    swarm = Swarm(ros, min_alive_share=1.0)
    swarm.until(ERROR, 'silent: uav_3', 0.0, 2.0)
    swarm.until(OK, 'ok', 0.0, 2.0, beside=(3,))


def test_senders_beside_the_ring_are_not_trusted_with_the_memory(
    ros: Ros, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(monitor_input, 'MOST_BESIDE', 1)
    swarm = Swarm(ros, 2)
    swarm.speak(0.0, 2.0, beside=(9, 10))
    assert swarm.node.health.refused['/swarm/agent_states'] == 1
    assert swarm.node.observer.beside == {9}
