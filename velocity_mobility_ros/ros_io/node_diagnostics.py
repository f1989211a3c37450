"""Diagnostics of a node: faults and refused messages, on ``/diagnostics`` once a second."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType
from rclpy.logging import LoggingSeverity
from rclpy.node import Node

from velocity_mobility_ros.core.user_errors import counted, cut
from velocity_mobility_ros.ros_io.conditions import Condition, ConditionLog, Level, worst_first
from velocity_mobility_ros.ros_io.endpoints import COMMAND
from velocity_mobility_ros.ros_io.graph_faults import NAMES_TIME, LinkWatch, why_silent
from velocity_mobility_ros.ros_io.node_time import NodeTime, ns_to_time
from velocity_mobility_ros.ros_io.process.node_names import duplicate_name

__all__ = ['Condition', 'Level', 'NodeDiagnostics', 'status_name']

SEARCHED = 3
"""Number of updates, one per second, after which it is said why an input has never come: by then
discovery has found who is there."""

DOUBTS = 'doubtful_parameters'
"""Value of a status: how many warnings of parameters it has."""

MAX_KINDS = 64
"""Kinds of refusals that are logged of a topic: some name the sender, and a stranger has many
names."""

MAX_REASON = 500
"""Characters of a reason: those of a message may be as many as it has."""

PERIOD = 1.0
"""Wall time [s] between two statuses, also while simulated time is paused."""


class NodeDiagnostics:
    """Counts refusals, warns once per kind, publishes a status at 1 Hz.

    The name of the status is that of diagnostic_updater: ``uav_1/agent: control``.
    """

    def __init__(
        self,
        node: Node,
        task: str,
        values: Callable[[], Mapping[str, object]] = dict,
        conditions: Callable[[], Iterable[Condition]] = tuple,
        now_ns: Callable[[], int] | None = None,
        hardware_id: str = '',
    ) -> None:
        """Start to publish.

        Args:
            node: The node.
            task: Its task, one word.
            values: Returns further key values for the diagnostics.
            conditions: Returns all present faults.
            now_ns: Time for the stamps [ns]; the node's clock by default.
            hardware_id: The vehicle or member of the node; the node's own name by default.
        """
        self._node = node
        own_name = node.get_fully_qualified_name().strip('/')
        self._name = status_name(own_name, task)
        self._hardware_id = hardware_id.strip('/') or own_name
        self._values = values
        self._conditions = conditions
        self._now_ns = now_ns or (lambda: node.get_clock().now().nanoseconds)
        self._warnings: list[str] = []
        self.refused: Counter[str] = Counter()
        self._logged: defaultdict[str, set[str]] = defaultdict(set)
        self._refusals: dict[str, tuple[int, str]] = {}
        self._log = ConditionLog(node.get_logger())
        self._links = LinkWatch()
        self._unheard: Counter[str] = Counter()
        self._look_at_doubts = getattr(node, 'look_at_doubts', list)
        self._doubts = 0
        self._time = getattr(node, 'node_time', None) or NodeTime(node)
        self._publisher = node.create_publisher(DiagnosticArray, '/diagnostics', COMMAND)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(PERIOD, self.publish, clock=steady)

    def refuse(self, source: str, reason: str, kind: str = '') -> None:
        """Count a refused message; the first of its kind is logged with the reason.

        Args:
            source: Its topic.
            reason: The reason in one line.
            kind: Kind of the reason; each kind is logged once per topic, ``MAX_KINDS`` at most.
        """
        reason, logged = cut(reason, MAX_REASON), self._logged[source]
        self.refused[source] += 1
        self._refusals[source] = self._refusals.get(source, (0, ''))[0] + 1, reason
        if kind not in logged and len(logged) < MAX_KINDS:
            logged.add(kind)
            self._node.get_logger().warning(
                f'{source}: refused: {reason} (further refusals are only counted)'
            )

    def warn(self, message: str) -> None:
        """Log a warning and show it in the next diagnostics."""
        self._node.get_logger().warning(message)
        self._warnings.append(message)

    def conditions(self) -> list[Condition]:
        """Return all present faults, worst first."""
        faults = [self._add_reason(condition) for condition in self._conditions()]
        faults += [*duplicate_name(self._node), *self._time.conditions()]
        doubts = self._look_at_doubts()
        self._doubts = len(doubts)
        faults += [Condition(Level.WARN, line) for line in doubts]
        faults += self._links.conditions()
        for source, (count, reason) in self._refusals.items():
            topic = self._node.resolve_topic_name(source)
            text = f'{counted(count, "message")} refused on {topic}: {reason}'
            faults.append(Condition(Level.WARN, text))
        faults += [Condition(Level.WARN, warning) for warning in dict.fromkeys(self._warnings)]
        return worst_first(faults)

    def _add_reason(self, condition: Condition) -> Condition:
        """Return a condition; with the reason, if an input has not come for a while."""
        topic = condition.unheard
        if not topic:
            return condition
        self._unheard[condition.reason] += 1
        if self._unheard[condition.reason] < SEARCHED:
            return condition
        is_refused = topic in map(self._node.resolve_topic_name, self.refused)
        why = (
            'what arrives is refused' if is_refused
            else why_silent(self._node, topic, NAMES_TIME)
        )  # fmt: skip
        return condition._replace(why=why)

    def publish(self) -> None:
        """Publish one status: the worst level, all reasons, all values."""
        faults = self.conditions()
        self._log.update(faults)
        level = faults[0].level if faults else Level.OK
        status = DiagnosticStatus(name=self._name, hardware_id=self._hardware_id)
        status.level = bytes([level])
        status.message = '; '.join(condition.text for condition in faults) or 'ok'
        values = {
            f'refused_{source.strip("/").replace("/", "_")}': count
            for source, count in self.refused.items()
        }
        values.update(self._values())
        executor = self._node.executor
        if self._doubts:
            values[DOUBTS] = self._doubts
        values['executor'] = 'none' if executor is None else type(executor).__name__
        status.values = [KeyValue(key=key, value=str(value)) for key, value in values.items()]
        message = DiagnosticArray(status=[status])
        message.header.stamp = ns_to_time(self._now_ns())
        self._publisher.publish(message)
        self._debug(status)
        self._warnings.clear()
        self._refusals.clear()

    def _debug(self, status: DiagnosticStatus) -> None:
        """Log the status and all values at level debug."""
        logger = self._node.get_logger()
        if logger.is_enabled_for(LoggingSeverity.DEBUG):
            values = ', '.join(f'{pair.key} {pair.value}' for pair in status.values)
            logger.debug(f'{status.message} ({values})')


def status_name(node: str, task: str) -> str:
    """Return the name of a status; ``node`` is a full name."""
    return f'{node.strip("/")}: {task}'
