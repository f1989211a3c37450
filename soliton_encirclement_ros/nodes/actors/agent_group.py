"""Agents of one process: in real time they tick together, received once, sent as one message.

Timer, subscriptions to states, and the publisher of the agents' states are those of the first
agent's node. A message of a group is like those of single agents, only with more states. In
lockstep only the message is one.

There each agent has its own inputs and answers the world by itself; the last answer of a tick
sends the message. An agent without a state says so in a message of its own.
"""

import time
from collections.abc import Callable

from rclpy.clock import Clock, ClockType
from rclpy.publisher import Publisher
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.run.world import TickBarrier
from soliton_encirclement_ros.core.states.states import AgentState, State
from soliton_encirclement_ros.members.own_rules import Code, OwnVehicle, plain_code
from soliton_encirclement_ros.nodes.actors.actor_input import TimerInput, control_watch
from soliton_encirclement_ros.nodes.actors.state_source import StateSource
from soliton_encirclement_ros.nodes.state_messages import StateWriter
from velocity_mobility_ros.ros_io.endpoints import LOCKSTEP, STATE, make_publisher
from velocity_mobility_ros.ros_io.node_time import LEAST_LEAP_NS, LoadWatch, NodeTime
from velocity_mobility_ros.ros_io.polling import PollingNode

PATIENCE = 0.2
"""Wall time [s] after which the states of a tick are sent without those that are missing: the
world must not take all of the process for lost if one of its agents hangs."""


class LockstepGroup:
    """Sends the states of its agents."""

    def __init__(self) -> None:
        """Begin without an agent."""
        self._names: list[str] = []
        self._gate = TickBarrier(())
        self._publisher: Publisher | None = None
        self._writer = StateWriter()
        self._states: list[AgentState] = []
        self._opened = 0.0

    def join(self, node: PollingNode, name: str, topic: str) -> Publisher:
        """Add an agent, and return the publisher of all states: one of the first agent's node.

        Args:
            node: The agent's node.
            name: The agent, such as ``uav_1``.
            topic: Topic of the states.
        """
        self._names.append(name)
        self._gate = TickBarrier(self._names)
        if self._publisher is None:
            self._publisher = make_publisher(node, JointState, topic, LOCKSTEP)
            steady = Clock(clock_type=ClockType.STEADY_TIME)
            node.create_timer(PATIENCE / 2.0, self._watch, clock=steady)
        return self._publisher

    def answer(self, stamp_ns: int, name: str, state: AgentState | None) -> None:
        """Take the answer of an agent to a tick; the last one sends all.

        Args:
            stamp_ns: Stamp of the tick [ns].
            name: The agent.
            state: Its state; None: it has none.
        """
        if stamp_ns != self._gate.tick:
            self._send()
            self._gate.open(stamp_ns)
            self._opened = time.monotonic()
        self._gate.arrive(name, stamp_ns)
        if state is None:
            self._publisher.publish(self._writer.silence(stamp_ns, name))
        else:
            self._states.append(state)
        if self._gate.complete:
            self._send()

    def _send(self) -> None:
        states, self._states = sorted(self._states), []
        for message in self._writer.batches(self._gate.tick, states):
            self._publisher.publish(message)

    def _watch(self) -> None:
        """Send what is there if an agent has not answered for too long; do not wait for it."""
        if self._states and time.monotonic() - self._opened > PATIENCE:
            self._gate.give_up()
            self._send()


class AgentGroup:
    """Agents with the same fleet, control period and clock.

    Attributes:
        find_code: Returns what runs the tick of an agent.
        lockstep: The same agents in lockstep.
    """

    def __init__(self, find_code: Callable[[OwnVehicle], Code] = plain_code) -> None:
        """Begin without an agent."""
        self.find_code = find_code
        self.lockstep = LockstepGroup()
        self._inputs: list[TimerInput] = []
        self._source: StateSource | None = None
        self._publisher: Publisher | None = None
        self._writer = StateWriter()
        self._outgoing: list[State] = []
        self._origin_ns: int | None = None
        self._load: LoadWatch | None = None

    def origin_ns(self, now_ns: int) -> int:
        """Return when the time of the agents begins [ns]: the same for all, so that they agree."""
        if self._origin_ns is None:
            self._origin_ns = now_ns
        return self._origin_ns

    def load(self, control_period: float, time: NodeTime) -> LoadWatch:
        """Return the watch of the ticks of all."""
        if self._load is None:
            self._load = control_watch(control_period, time)
        return self._load

    def publisher(self, node: PollingNode, topic: str) -> Publisher:
        """Return the publisher of all states."""
        if self._publisher is None:
            self._publisher = make_publisher(node, JointState, topic, STATE)
        return self._publisher

    def join(self, node: PollingNode, member: TimerInput, topics: list[str]) -> None:
        """Let an agent tick with the others; the first one's node provides timer and topics.

        Args:
            node: The agent's node.
            member: Its input.
            topics: Topics of the states that all of the group receive.
        """
        self._inputs.append(member)
        if self._source is None:
            self._source = member.source_of(topics)
            node.create_timer(member.control_period, self._on_timer)

    def send(self, state: State) -> None:
        """Publish a state with those of the others, at the end of the tick."""
        self._outgoing.append(state)

    def _on_timer(self) -> None:
        times = [each.now_ns() for each in self._inputs]  # each notices a step of the clock
        now_ns = max(times)
        if now_ns - min(times) >= LEAST_LEAP_NS:
            return  # simulated time has jumped, and not all have heard of it yet
        self._load.tick()
        states, gap = self._source.take(now_ns), self._source.longest_gap
        publishing = [each.tick(now_ns, states, gap) for each in self._inputs]
        for publish in publishing:
            publish()
        outgoing, self._outgoing = self._outgoing, []
        for message in self._writer.batches(now_ns, outgoing):
            self._publisher.publish(message)
