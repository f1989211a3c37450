"""The simulated radio of a real-time run: what is lost, late and refused, over real DDS."""

import math
from collections import defaultdict
from statistics import median
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.core.states.states import AgentState
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.ros.bodies import said
from support.ros.graph import Heard, Ros
from support.ros.swarm import Swarm, scenario
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

ORIGIN = (0.0, 0.0, 0.0)


class Ears:
    """What some agents of a real-time swarm hear, on the way into their brains."""

    def __init__(self, swarm: Swarm, names: tuple[str, ...]) -> None:
        """Listen in."""
        self.seqs: dict[tuple[str, Any], list[int]] = defaultdict(list)
        self.ages: list[float] = []
        for name in names:
            self._listen(name, swarm[name].actor)

    def _listen(self, name: str, actor: Any) -> None:
        receive = actor.receive

        def listen(now: float, states: list[Any]) -> None:
            for state in states:
                who = getattr(state, 'agent_id', type(state).__name__)
                self.seqs[name, who].append(state.seq)
                self.ages.append(state.age)
            receive(now, states)

        actor.receive = listen

    @property
    def share(self) -> float:
        """How much of what was said on all links was heard, by the sequence numbers."""
        heard = sum(len(seqs) for seqs in self.seqs.values())
        said = sum(max(seqs) - min(seqs) + 1 for seqs in self.seqs.values())
        return heard / said


def real_time(ros: Ros, **radio: Any) -> Swarm:
    """Start four agents in real time with a radio, nobody fails."""
    flight = scenario(run={'sim_duration': 600.0}, failure={'failure_enable': False}, radio=radio)
    return Swarm(ros, flight, PlanOptions(lockstep=False))


def test_agents_hear_with_the_loss_and_the_delay_of_the_radio(ros):
    swarm = real_time(ros, communication_failure_rate=0.3, communication_delay=0.1)
    ears = Ears(swarm, ('uav_1', 'uav_2', 'uav_3'))
    ros.until(lambda: len(ears.seqs) == 3 * 5, 'all links')
    ros.meanwhile(5.0)
    assert ears.share == pytest.approx(0.7, abs=0.06)
    assert min(ears.ages) >= 0.1
    # What is due waits for the next tick of the world, and then for that of the agent.
    assert median(ears.ages) < 0.1 + 2 * 0.05 + 0.02
    assert swarm['monitor_node'].observer.last.alive == 4


def test_numbers_that_are_none_are_refused_and_counted(ros):
    diagnostics = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    swarm = real_time(ros, byzantine='0..: 2 nan')
    ears = Ears(swarm, ('uav_1',))
    said = ros.listen(JointState, '/swarm/agent_states', STATE)
    agent = 'uav_1/agent: control'
    ros.until(lambda: refusals(diagnostics, agent) > 5, 'refusals in the diagnostics')
    heard = {3, 4, 'TargetState', 'AdversaryState'}
    ros.until(lambda: {who for _, who in ears.seqs} >= heard, 'all who tell the truth')
    assert {who for _, who in ears.seqs} == heard
    assert not any(math.isnan(x) for message in said for x in message.position)
    assert swarm['monitor_node'].observer.last.alive == 4


def refusals(heard: Heard, node: str) -> int:
    """Return how many messages a node says it has refused from its radio."""
    counts = [
        int(pair.value)
        for message in heard for status in message.status if status.name == node
        for pair in status.values if pair.key == 'refused_received_states'
    ]  # fmt: skip
    return max(counts, default=0)


class Scene:
    """A world in real time with a radio, the tester's voice and the ears of both agents."""

    def __init__(self, ros: Ros, **radio: Any) -> None:
        """Start the world."""
        self.ros = ros
        self.heard = {
            k: ros.listen(JointState, f'/uav_{k}/received_states', STATE) for k in (1, 2)
        }
        parameters = {'lockstep': False, 'medium': True, 'num_agents': 2, **radio}
        self.world = ros.make(WorldNode, None, **parameters)
        self.voice = ros.voice(JointState, '/swarm/agent_states')

    def say(self, agent_id: int, seq: int, age_s: float = 0.0) -> None:
        """Say something in an agent's name."""
        state = AgentState(agent_id, seq, ORIGIN, ORIGIN)
        self.voice.publish(said(self.ros.now_ns() - round(age_s * 1e9), state))

    def seqs(self, listener: int) -> list[float]:
        """Return the sequence numbers that an agent heard."""
        return [
            value
            for message in self.heard[listener]
            for name, value in zip(message.name, message.position, strict=True)
            if name.endswith('/seq')
        ]


@pytest.mark.parametrize(
    ('radio', 'heard'), [({}, [7.0]), ({'communication_transmission_range': 1.0}, [])]
)
def test_words_of_members_reach_the_others_within_reach_and_not_the_speaker(ros, radio, heard):
    scene = Scene(ros, **radio)
    scene.say(9, 1)  # a stranger
    scene.say(1, 7)
    ros.meanwhile(1.0)
    assert (scene.seqs(1), scene.seqs(2)) == ([], heard)


def test_the_delay_counts_from_the_stamp(ros):
    scene = Scene(ros, communication_delay=0.3)
    scene.say(1, 7, age_s=0.2)
    ros.meanwhile(0.05)
    assert scene.seqs(2) == []
    ros.meanwhile(0.1)
    assert scene.seqs(2) == [7.0]


def test_a_partition_is_in_force_from_the_start_and_heals(ros):
    """Its time begins when all are there, or after the patience with the start."""
    scene = Scene(ros, partitions='0..1: 1 | 2', startup_timeout=2.0)
    for seq in range(1, 28):
        scene.say(1, seq)
        ros.meanwhile(0.1)
    assert scene.seqs(2) == []
    ros.meanwhile(0.5)
    scene.say(1, 99)
    ros.meanwhile(0.1)
    assert scene.seqs(2) == [99.0]


@pytest.mark.parametrize('age_s', [5.0, -5.0])
def test_stamps_far_from_the_present_are_refused(ros, age_s):
    scene = Scene(ros)
    scene.say(1, 7, age_s)
    refused = scene.world.drive.health.refused
    ros.until(lambda: refused['/swarm/agent_states'] == 1, 'the refusal')
    assert scene.seqs(2) == []


def test_a_swarm_with_an_ideal_radio_talks_directly(ros):
    swarm = real_time(ros)
    ears = Ears(swarm, ('uav_1',))
    ros.until(lambda: len(ears.seqs) >= 4, 'everybody')
    assert swarm['uav_1'].member.medium is False
    assert not swarm['world'].mode.medium
