"""Agents of one process in lockstep: one message has the states of all at a tick.

Each has its own inputs and answers the world by itself; the last answer of a tick sends the
message. An agent without a state says so in a message of its own.
"""

import time

from rclpy.clock import Clock, ClockType
from rclpy.publisher import Publisher
from sensor_msgs.msg import JointState
from velocity_mobility_ros.ros_io.endpoints import LOCKSTEP, make_publisher
from velocity_mobility_ros.ros_io.polling import PollingNode

from soliton_encirclement_ros.core.run.world import TickBarrier
from soliton_encirclement_ros.core.states.states import AgentState
from soliton_encirclement_ros.nodes.state_messages import StateWriter

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
