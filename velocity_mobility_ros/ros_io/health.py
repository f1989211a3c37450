"""A node's health: what it refused, and a line for ``/diagnostics`` once a second."""

from collections import Counter
from collections.abc import Callable, Mapping

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.node import Node

from velocity_mobility_ros.ros_io.messages import ns_to_time
from velocity_mobility_ros.ros_io.qos import COMMAND

PERIOD = 1.0


class Health:
    """Counts refusals, warns once per kind, publishes diagnostics at 1 Hz."""

    def __init__(
        self,
        node: Node,
        facts: Callable[[], Mapping[str, object]] = dict,
        now_ns: Callable[[], int] | None = None,
        concern: Callable[[], str] = str,
    ) -> None:
        """Begin to publish.

        Args:
            node: The node whose health this is.
            facts: Returns further key values for the diagnostics.
            now_ns: Time for the stamps [ns]; the node's clock by default.
            concern: Returns what is wrong at present, empty if nothing is.
        """
        self._node = node
        self._facts = facts
        self._concern = concern
        self._now_ns = now_ns or (lambda: node.get_clock().now().nanoseconds)
        self._warnings: list[str] = []
        self.refused: Counter[str] = Counter()
        self._publisher = node.create_publisher(DiagnosticArray, '/diagnostics', COMMAND)
        self._timer = node.create_timer(PERIOD, self.publish)

    def refuse(self, source: str, reason: str) -> None:
        """Count something that was dropped; the first of its source is logged with the reason."""
        self.refused[source] += 1
        if self.refused[source] == 1:
            self._node.get_logger().warning(
                f'{source}: refused: {reason} (further ones are only counted)'
            )

    def warn(self, message: str) -> None:
        """Log a warning and show it in the next diagnostics."""
        self._node.get_logger().warning(message)
        self._warnings.append(message)

    def publish(self) -> None:
        """Publish one status."""
        name = self._node.get_fully_qualified_name().lstrip('/')
        status = DiagnosticStatus(name=name, hardware_id=name.partition('/')[0])
        trouble = self._warnings[-1] if self._warnings else self._concern()
        status.level = DiagnosticStatus.WARN if trouble else DiagnosticStatus.OK
        status.message = trouble or 'ok'
        values = {f'refused {source}': count for source, count in self.refused.items()}
        values.update(self._facts())
        status.values = [KeyValue(key=key, value=str(value)) for key, value in values.items()]
        message = DiagnosticArray(status=[status])
        message.header.stamp = ns_to_time(self._now_ns())
        self._publisher.publish(message)
        self._warnings.clear()
