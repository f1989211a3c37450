"""Input of the monitor in real time: messages are evaluated as they arrive."""

from collections.abc import Sequence

from rclpy.node import Node
from velocity_mobility_ros.core.time import to_ns, to_seconds
from velocity_mobility_ros.ros_io.qos import STATE_INPUT
from velocity_mobility_ros.ros_io.stamp_age import StampError, check_stamp

from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.states.states import AgentState, State
from soliton_encirclement_ros.core.states.swarm_topics import (
    uav,
)
from soliton_encirclement_ros.nodes.monitor.monitor_input import MonitorInput, Watcher
from soliton_encirclement_ros.nodes.state_messages import StateMessage, StateReader

STAMP_LIMIT = 'stamp_tolerance'


class LiveInput(MonitorInput):
    """Real time: messages are evaluated as they arrive; time starts with the first message."""

    def __init__(
        self,
        node: Node,
        watcher: Watcher,
        agent_ids: Sequence[int],
        names: tuple[str, ...],
        tolerance: float,
    ) -> None:
        """Connect; refuse stamps farther than ``tolerance`` [s] from the present."""
        super().__init__(node, watcher, agent_ids, names, STATE_INPUT)
        self._agent_ids = agent_ids
        self._tolerance = tolerance
        self._origin_ns: int | None = None

    def time(self, stamp_ns: int) -> float:
        """Return the time [s] since the first message; earlier stamps count as 0."""
        if self._origin_ns is None:
            self._origin_ns = stamp_ns
        return max(0.0, to_seconds(stamp_ns - self._origin_ns))

    def on_states(self, topic: str, reader: StateReader, found: StateMessage) -> None:
        """Evaluate states at once."""
        now_ns = self.node.get_clock().now().nanoseconds
        fresh = reader.read_fresh(found, now_ns, to_ns(self._tolerance))
        states = [state for state in fresh if self._is_watched(topic, state)]
        for state in states:
            if isinstance(state, AgentState):
                self.watcher.sequences.see(state)
        if states:
            self.watcher.see(now_ns, [], states)

    def is_present(self, topic: str, stamp_ns: int) -> bool:
        """Refuse telemetry whose stamp is far from the present, as states are."""
        try:
            check_stamp(
                stamp_ns, self.node.get_clock().now().nanoseconds, self._tolerance, STAMP_LIMIT
            )
        except StampError as error:
            self.watcher.health.refuse(topic, str(error), 'stamp')
            return False
        return True

    def on_row(self, topic: str, stamp_ns: int, row: TelemetryRow) -> None:
        """Evaluate telemetry at once."""
        del topic
        self.watcher.see(stamp_ns, [row], [])

    def finish(self) -> None:
        """Do nothing: all messages are evaluated already."""

    def _is_watched(self, topic: str, state: State) -> bool:
        """Return whether a state counts; agents beyond ``num_agents`` do not."""
        if not isinstance(state, AgentState) or state.agent_id in self._agent_ids:
            return True
        most = len(self._agent_ids)
        reason = f'{uav(state.agent_id)} must be at most num_agents = {most}'
        self.watcher.health.refuse(topic, f'{reason}; raise it if the agent takes part')
        return False
