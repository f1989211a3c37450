"""The telemetry of a member: its internal values, at every tick or less often.

Less often means at the ticks nearest to its own period. Members of one process take different
ones, so that none of its ticks is much longer than others.
"""

import math
from dataclasses import dataclass

from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.parameters.run_parameters import IN_REAL_TIME
from soliton_encirclement_ros.core.states.swarm_topics import TELEMETRY
from soliton_encirclement_ros.nodes.actors.actor_node import ActorNode
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.step_time import to_ns
from velocity_mobility_ros.core.velocity_model import finite_or_zero
from velocity_mobility_ros.ros_io.endpoints import LOCKSTEP, STATE, make_publisher, raw_publishing
from velocity_mobility_ros.ros_io.messages.serialized_messages import CoordinateWriter
from velocity_mobility_ros.ros_io.ros_parameters import declare

GOLDEN_RATIO = 0.618
"""Its multiples, without their whole parts, are spread evenly, however many there are."""


class TelemetryTicks:
    """The ticks of one member."""

    def __init__(self, control_period_ns: int, number: int) -> None:
        """Begin with the first tick.

        Args:
            control_period_ns: Time between two ticks [ns].
            number: Number of the member.
        """
        self._half_tick_ns = control_period_ns // 2
        self._phase = number * GOLDEN_RATIO % 1.0
        self._due_ns = self._period_ns = 0

    def is_due(self, now_ns: int, period_ns: int) -> bool:
        """Return whether a tick [ns] is the nearest to the time at which the next is due.

        Args:
            now_ns: The tick.
            period_ns: Mean time between two messages [ns].
        """
        late_ns = now_ns + self._half_tick_ns - self._due_ns
        is_back = late_ns < -period_ns  # simulated time went back
        if late_ns < 0 and not is_back:
            return False
        is_behind = late_ns > period_ns  # at the first tick, or after a pause
        if is_back or is_behind or period_ns != self._period_ns:
            self._due_ns = now_ns - round(self._phase * period_ns)
        self._due_ns += period_ns
        self._period_ns = period_ns
        return True

    def move(self, step_ns: int) -> None:
        """Keep the times of messages after a step of the clock [ns]."""
        self._due_ns += step_ns


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
        self._publish = raw_publishing(self.publisher)
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

    def publish(self, now_ns: int, lists: Lists) -> None:
        """Publish values of a time [ns]; those that are not finite as 0."""
        names, positions, velocities = lists
        finite = [finite_or_zero(value) for value in positions]
        if finite != positions:
            broken = [name for name, value in zip(names, positions, strict=True)
                      if not math.isfinite(value)]  # fmt: skip
            reason = f'{", ".join(broken)} of the law not finite, published as 0: check its gains'
            self._node.health.refuse(self.publisher.topic_name, reason)
        self._publish(self._writer.write(now_ns, names, finite, velocities))
