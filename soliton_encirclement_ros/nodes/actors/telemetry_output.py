"""The telemetry of a member: its internal values, at every tick or less often."""

import math
from dataclasses import dataclass

from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.step_time import to_ns
from velocity_mobility_ros.ros_io.endpoints import LOCKSTEP, STATE, make_publisher, raw_publishing
from velocity_mobility_ros.ros_io.messages.serialized_messages import CoordinateWriter
from velocity_mobility_ros.ros_io.ros_parameters import declare

from soliton_encirclement_ros.core.laws.layer import finite_or_zero
from soliton_encirclement_ros.core.parameters.run_parameters import IN_REAL_TIME
from soliton_encirclement_ros.core.states.swarm_topics import TELEMETRY
from soliton_encirclement_ros.nodes.actors.actor_node import ActorNode
from soliton_encirclement_ros.nodes.actors.telemetry_ticks import TelemetryTicks

SHED_PERIOD = 0.5
"""Mean time [s] between two messages of telemetry on a machine that is too slow."""

Lists = tuple[list[str], list[float], list[float]]
"""Names, positions and velocities of a message."""


@dataclass(frozen=True)
class TelemetryParameters(Parameters):
    """How often telemetry is published."""

    publish_telemetry: bool = parameter(True, 'publish internal values')
    telemetry_period: float = parameter(
        0.05, 'real time: mean time between two messages of telemetry; 0: every tick', unit='s',
        minimum=0.0, maximum=60.0, runtime=True, **IN_REAL_TIME,
    )  # fmt: skip


class TelemetryOutput:
    """Publishes on ``telemetry``.

    Attributes:
        publisher: Its publisher.
        publish: Publishes a serialized message.
    """

    def __init__(self, node: ActorNode, number: int = 0) -> None:
        """Declare the parameters; call it before ``start`` of the node.

        Args:
            node: The node.
            number: Number of the agent: those with different ones publish at different ticks.
        """
        self._node = node
        self._settings = declare(node, TelemetryParameters)
        node.follow(self._settings, self._change)
        profile = LOCKSTEP if node.member.lockstep else STATE
        self.publisher = make_publisher(node, JointState, TELEMETRY, profile)
        self.publish = raw_publishing(self.publisher)
        self._writer = CoordinateWriter()
        self._ticks = TelemetryTicks(to_ns(node.swarm.control_period), number)
        node.node_time.on_step(self._ticks.move)

    def _change(self, settings: TelemetryParameters) -> None:
        self._settings = settings

    def is_due(self, now_ns: int) -> bool:
        """Return whether to publish at a tick [ns], and count on it; in lockstep at every one."""
        if not self._settings.publish_telemetry:
            return False
        if self._node.member.lockstep:
            return True
        period = self._settings.telemetry_period
        if self._node.is_shedding:
            period = max(period, SHED_PERIOD)
        return self._ticks.is_due(now_ns, to_ns(period))

    def serialized(self, now_ns: int, lists: Lists) -> bytes:
        """Return the message with values of a time [ns]; those that are not finite as 0."""
        names, positions, velocities = lists
        finite = [finite_or_zero(value) for value in positions]
        if finite != positions:
            broken = [name for name, value in zip(names, positions, strict=True)
                      if not math.isfinite(value)]  # fmt: skip
            reason = f'{", ".join(broken)} of the law not finite, published as 0: check its gains'
            self._node.health.refuse(self.publisher.topic_name, reason)
        return self._writer.write(now_ns, names, finite, velocities)
