"""States of others, taken from their topics at a tick in real time."""

from collections.abc import Iterable, Sequence

from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.step_time import to_ns, to_seconds
from velocity_mobility_ros.ros_io.endpoints import POLLED_INPUT
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, NodeDiagnostics
from velocity_mobility_ros.ros_io.polling import PollingNode

from soliton_encirclement_ros.core.states.states import State
from soliton_encirclement_ros.nodes.actors.late_senders import LateSenders, SenderClocks
from soliton_encirclement_ros.nodes.raw_stamp import leading_stamp_ns
from soliton_encirclement_ros.nodes.state_messages import StateReader


class StateSource:
    """Subscriptions to states."""

    def __init__(
        self, node: PollingNode, health: NodeDiagnostics, topics: Iterable[str], tolerance: float
    ) -> None:
        """Subscribe.

        Args:
            node: The node to subscribe with.
            health: Counts what is refused.
            topics: Topics of the states.
            tolerance: Largest distance of a stamp from the present [s].
        """
        self._tolerance_ns = to_ns(tolerance)
        self._senders, self._clocks = LateSenders(), SenderClocks()
        self._now = 0.0
        self._topics = [
            (StateReader(topic, health, self._see), node.poll(JointState, topic, POLLED_INPUT))
            for topic in topics
        ]
        node.node_time.on_step(self._on_step)

    def _on_step(self, step_ns: int) -> None:
        """Leave out what waits, whose stamps are of before a step of the clock [ns]."""
        for _, take in self._topics:
            take()
        self._senders.move(to_seconds(step_ns))
        self._clocks.forget()

    def clock_conditions(self, limit: float, latest: float) -> list[Condition]:
        """Return whose clocks differ: see ``SenderClocks.conditions``."""
        return self._clocks.conditions(limit, latest)

    @property
    def longest_gap(self) -> float:
        """Longest time [s] between two messages of a sender in the last seconds."""
        return self._senders.longest_gap

    def take(self, now_ns: int) -> tuple[State, ...]:
        """Return the states that have arrived until now [ns], with their age."""
        found: list[State] = []
        self._now = to_seconds(now_ns)
        for reader, take in self._topics:
            for data in take():
                states = reader.take(data, now_ns, self._tolerance_ns)
                self._see(states, now_ns - (leading_stamp_ns(data) or now_ns))
                found += states
        self._senders.receive(self._now, found)
        return tuple(found)

    def _see(self, states: Sequence[State], elapsed_ns: int) -> None:
        """Compare the clock of a sender, by the age of its message [ns], refused or not."""
        if states:
            self._clocks.see(self._now, states[0], to_seconds(elapsed_ns))
