"""The monitor and vehicles that are no members of the ring, such as those of a safety_node."""

import math

import pytest
from sensor_msgs.msg import JointState
from soliton_encirclement_ros.core.laws.filter_codes import NONE, RELAXED, SEPARATION
from soliton_encirclement_ros.core.laws.telemetry import lawless_values
from soliton_encirclement_ros.core.run.separation.filter_tally import filtered_share, pushes
from soliton_encirclement_ros.core.states.states import Pose
from soliton_encirclement_ros.nodes.monitor import live_input
from soliton_encirclement_ros.nodes.monitor.monitor_node import MonitorNode
from support.ros.bodies import agent, said, target, values
from support.ros.graph import Ros
from support.ros.told import ERROR, OK, WARN, Told
from velocity_mobility_ros.ros_io.messages import values_to_joint_state
from velocity_mobility_ros.ros_io.qos import STATE

pytestmark = pytest.mark.ros

HEALTH = 'monitor: health'
BESIDE = Pose((20.0, 3.0, 0.0), (0.0, 0.0, 0.0))


class Swarm:
    """Two agents, a target and vehicles beside the ring, in real time."""

    def __init__(self, ros: Ros, num_agents: int = 2) -> None:
        self._ros, self._seq = ros, 0
        self.told = Told(ros)
        self.node = ros.make(MonitorNode, None, num_agents=num_agents, min_alive_share=1.0)
        self.metrics = ros.listen(JointState, '/swarm/metrics', STATE)
        self._agents = ros.voice(JointState, '/swarm/agent_states', STATE)
        self._target = ros.voice(JointState, '/swarm/target_state', STATE)
        self._telemetry = ros.tester.create_publisher(JointState, '/uav_9/telemetry', STATE)

    def speak(self, *beside: int, reason: int = NONE) -> bool:
        """Let everybody say something; ``beside`` are the numbers of vehicles beside the ring."""
        self._seq += 1
        now = self._ros.now_ns()
        for k, bearing in enumerate((0.0, math.pi), 1):
            place = (20.0 * math.cos(bearing), 20.0 * math.sin(bearing), 0.0)
            self._agents.publish(said(now, agent(k, self._seq, place)))
        for k in beside:
            state = agent(k, self._seq, BESIDE.position)._replace(ring_member=False)
            self._agents.publish(said(now, state))
        result = (float(reason), 1.0, 0.5) if reason else (0.0, -1.0, 0.0)
        message = values_to_joint_state(now, *lawless_values(BESIDE, result))
        self._telemetry.publish(message)
        self._target.publish(said(now, target(self._seq)))
        self._ros.meanwhile(0.05)
        return True


def test_they_count_for_distances_and_filters_but_not_as_agents(ros: Ros) -> None:
    swarm = Swarm(ros)
    ros.until(
        lambda: swarm.speak(9, reason=SEPARATION) and swarm.node.observer.telemetry.get(9),
        'telemetry of uav_9',
    )
    for _ in range(5):
        swarm.speak(9, reason=SEPARATION)
    ros.until(lambda: swarm.speak(9) and swarm.told.shows(HEALTH, OK, 'ok'), 'health')
    last = values(swarm.metrics.last)
    assert last['alive'] == 2.0
    assert last['min_separation'] == pytest.approx(3.0)
    tally = swarm.node.observer.filtered
    assert filtered_share(tally) > 0.0
    assert {(one.agent, one.pusher) for one in pushes(tally.pushed)} == {(9, 1)}
    assert not swarm.node.health.refused
    relaxed = 'separation filter relaxed: uav_9'
    ros.until(
        lambda: swarm.speak(9, reason=RELAXED) and swarm.told.shows(HEALTH, WARN, relaxed),
        'its alarm',
    )


def test_one_within_the_number_of_agents_is_not_missed_as_one(ros: Ros) -> None:
    """Numbers up to num_agents are expected on the ring, unless somebody says otherwise."""
    swarm = Swarm(ros, num_agents=3)
    silent = 'silent: uav_3'
    ros.until(lambda: swarm.speak() and swarm.told.shows(HEALTH, ERROR, silent), 'the lack')
    ros.until(lambda: swarm.speak(3) and swarm.told.shows(HEALTH, OK, 'ok'), 'health')


def test_senders_are_not_trusted_with_the_memory(
    ros: Ros, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_input, 'MOST_BESIDE', 1)
    swarm = Swarm(ros)
    ros.until(
        lambda: swarm.speak(9, 10) and swarm.node.health.refused['/swarm/agent_states'], 'refusal'
    )
    assert swarm.node.observer.beside <= {9}
