"""Bearings of the target that an agent's camera publishes, taken at a tick.

In real time the newest one since the last tick counts, with its age by its stamp. In lockstep the
world publishes one for every tick, and the tick waits for it.
"""

from collections.abc import Callable

from geometry_msgs.msg import Vector3Stamped
from velocity_mobility_ros.core.step_time import to_seconds
from velocity_mobility_ros.ros_io.endpoints import LOCKSTEP, POLLED_INPUT, make_subscription
from velocity_mobility_ros.ros_io.messages.message_conversion import (
    MalformedMessageError,
    check_stamp,
)
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.polling import PollingNode

from soliton_encirclement_ros.core.estimation.bearing_sensor import UNSEEN
from soliton_encirclement_ros.core.states.swarm_topics import TARGET_BEARING
from soliton_encirclement_ros.members.own_agent import Agent
from soliton_encirclement_ros.nodes.bearing_messages import read_bearing


class PolledBearings:
    """Real time: the newest bearing since the last tick."""

    def __init__(self, node: PollingNode, health: NodeDiagnostics, timeout: float) -> None:
        """Subscribe.

        Args:
            node: The node to subscribe with.
            health: Counts what is refused.
            timeout: Age [s] from which a bearing is not accepted.
        """
        self._take = node.poll(Vector3Stamped, TARGET_BEARING, POLLED_INPUT)
        self._health = health
        self._timeout = timeout
        self._last_ns = 0
        node.node_time.on_step(self._move)

    def _move(self, step_ns: int) -> None:
        """Keep the age of the last bearing after a step of the clock [ns]."""
        self._last_ns += step_ns

    def show(self, agent: Agent, now_ns: int) -> None:
        """Pass the newest bearing until now [ns] to an agent, none if there is no new one."""
        vector, age_ns = UNSEEN, 0
        for data in self._take():
            try:
                stamp_ns, found = read_bearing(data)
                check_stamp(stamp_ns, now_ns, self._timeout, 'target_state_timeout')
            except MalformedMessageError as error:
                self._health.refuse(TARGET_BEARING, str(error), type(error).__name__)
                continue
            if stamp_ns > self._last_ns:
                self._last_ns, vector, age_ns = stamp_ns, found, max(0, now_ns - stamp_ns)
        agent.see(vector, to_seconds(age_ns))


class LockstepBearings:
    """Lockstep: the bearing of the tick."""

    def __init__(
        self, node: PollingNode, health: NodeDiagnostics, arrived: Callable[[], None]
    ) -> None:
        """Subscribe.

        Args:
            node: The node to subscribe with.
            health: Counts what is refused.
            arrived: Called after a bearing has arrived.
        """
        self._health = health
        self._arrived = arrived
        self._stamp_ns, self._vector = -1, UNSEEN
        make_subscription(node, Vector3Stamped, TARGET_BEARING, self._on_data, LOCKSTEP, raw=True)

    def has(self, stamp_ns: int) -> bool:
        """Return whether the bearing of a tick [ns] has arrived."""
        return self._stamp_ns == stamp_ns

    def show(self, agent: Agent, now_ns: int) -> None:
        """Pass the bearing of the tick [ns] to an agent."""
        agent.see(self._vector if self.has(now_ns) else UNSEEN)

    def _on_data(self, data: bytes) -> None:
        try:
            self._stamp_ns, self._vector = read_bearing(data)
        except MalformedMessageError as error:
            self._health.refuse(TARGET_BEARING, str(error), type(error).__name__)
        self._arrived()
