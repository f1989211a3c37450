"""What rclpy gives a node, in simulated time: publishers, subscriptions, timers, clock and log."""

import itertools
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rcl_interfaces.msg import Log
from rclpy.clock import ClockType
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.serialization import deserialize_message, serialize_message
from rclpy.time import Time

from velocity_mobility_ros.ros_io.polling import PollingNode

if TYPE_CHECKING:
    from support.ros.simulated import Graph

BEGIN_NS = 1_700_000_000_000_000_000
"""When the simulated time begins [ns since 1970]."""

CALL_NS = 50_000
"""How long a callback takes [ns]: timers go on beside messages that cause each other, and what
arrives has an age."""


class Wall:
    """The module ``time`` as nodes see it."""

    def __init__(self) -> None:
        """Begin."""
        self.now_ns, self.set_on_ns = BEGIN_NS, 0

    def monotonic(self) -> float:
        """Return the steady time [s]."""
        return self.monotonic_ns() / 1e9

    def monotonic_ns(self) -> int:
        """Return the steady time [ns]."""
        return self.now_ns - BEGIN_NS + 1_000_000_000_000

    def time_ns(self) -> int:
        """Return the time since 1970 [ns], by a clock that may be set."""
        return self.now_ns + self.set_on_ns

    def time(self) -> float:
        """Return the time since 1970 [s]."""
        return self.time_ns() / 1e9

    def sleep(self, seconds: float) -> None:
        """Let time pass in which nothing is called."""
        self.now_ns += round(seconds * 1e9)

    def __getattr__(self, name: str) -> Any:
        """Return the rest of the module."""
        return getattr(time, name)


class Subscription:
    """A subscription: its messages wait in it, or its callback takes them."""

    def __init__(
        self, node: Node, kind: type, topic: str, take: Callable[..., None], qos: QoSProfile,
        raw: bool,
    ) -> None:  # fmt: skip
        """Begin empty."""
        self.node, self.kind, self.topic_name, self.qos_profile = node, kind, topic, qos
        self._take, self._raw, self.connected_ns = take, raw, 0
        self.waiting: deque[tuple[bytes, dict[str, Any]]] = deque(maxlen=max(1, qos.depth) or None)

    @property
    def handle(self) -> 'Subscription':
        """What the node takes waiting messages from."""
        return self

    @property
    def is_polled(self) -> bool:
        """Whether the node asks for its messages."""
        return isinstance(self.node, PollingNode) and self in self.node._polled

    def take_message(self, kind: type, raw: bool) -> tuple[bytes, dict[str, Any]] | None:
        """Return the oldest waiting message with what is known of it, if there is one."""
        del kind, raw
        return self.waiting.popleft() if self.waiting else None

    def call(self, data: bytes) -> None:
        """Call back with a message."""
        self._take(data if self._raw else deserialize_message(data, self.kind))


class Publisher:
    """A publisher."""

    def __init__(
        self, graph: 'Graph', node: Node, kind: type, topic: str, qos: QoSProfile
    ) -> None:
        """Begin without having said anything."""
        self._graph, self.node, self.kind = graph, node, kind
        self.msg_type = kind
        self.topic_name, self.qos_profile = topic, qos
        latched = qos.durability == DurabilityPolicy.TRANSIENT_LOCAL
        self.kept: deque[tuple[bytes, dict[str, Any]]] = deque(maxlen=qos.depth if latched else 0)
        self._numbers = itertools.count(1)
        self._also: list[list[Any]] = []

    def heard_by(self, heard: list[Any]) -> None:
        """Let a list collect what this publisher says from now on."""
        self._also.append(heard)

    @property
    def handle(self) -> 'Publisher':
        """What publishes serialized messages."""
        return self

    def publish(self, message: Any) -> None:
        """Publish a message, serialized or not; ROS may add some bytes that mean nothing."""
        self.publish_raw(message if isinstance(message, bytes) else serialize_message(message))

    def publish_raw(self, data: bytes) -> None:
        """Publish a serialized message, which takes as long as a callback."""
        self._graph.wall.now_ns += CALL_NS
        about = {
            'publisher_gid': {'data': str(id(self)).encode()},
            'received_timestamp': self._graph.wall.now_ns,
            'publication_sequence_number': next(self._numbers),
        }
        self.kept.append((data, about))
        for heard in self._also:
            heard.append(deserialize_message(data, self.kind))
        for line in self._graph.lines_of(self.topic_name, self.kind):
            if line not in self._graph.connecting:
                self._graph.deliver(line, data, about)

    def get_subscription_count(self) -> int:
        """Return how many subscribe."""
        return len(self._graph.lines_of(self.topic_name, self.kind))

    def wait_for_all_acked(self, timeout: Any = None) -> bool:
        """Return at once: everybody has everything."""
        del timeout
        return True


class Timer:
    """A timer; as in ROS it calls once after a stall, and then keeps its beat."""

    def __init__(
        self, node: Node, period: float, take: Callable[[], None], wall: 'Wall',
        clock: 'Clock | None',
    ) -> None:  # fmt: skip
        """Begin; without a clock of the node the steady time counts."""
        self.node, self.callback, self._wall, self._clock = node, take, wall, clock
        self.timer_period_ns = round(period * 1e9)
        self.is_on = True
        self.reset()

    @property
    def is_simulated(self) -> bool:
        """Whether the time of ``/clock`` counts."""
        return self._clock is not None and self._clock.ros_time_is_active

    def _now_ns(self) -> int:
        return self._wall.now_ns if self._clock is None else self._clock.now().nanoseconds

    def reset(self) -> None:
        """Begin a period now."""
        self.is_on = True
        self.due_ns = self._now_ns() + self.timer_period_ns

    def cancel(self) -> None:
        """Call no more."""
        self.is_on = False

    def left_ns(self) -> int:
        """Return the time until the next call [ns]."""
        now_ns = self._now_ns()
        if self.is_simulated:
            self.due_ns = min(self.due_ns, now_ns + self.timer_period_ns)  # the time went back
        return self.due_ns - now_ns

    def ring(self) -> None:
        """Call."""
        self.due_ns += self.timer_period_ns
        behind = self._now_ns() - self.due_ns
        if behind > 0:
            period = max(1, self.timer_period_ns)
            self.due_ns += period * -(-behind // period)
        self.callback()


class Logger:
    """The logger of a node, whose lines also go to ``/rosout``."""

    def __init__(self, graph: 'Graph', real: Any) -> None:
        """Wrap the real one."""
        self._graph, self._real, self._once = graph, real, set()

    def debug(self, text: str, **how: Any) -> None:
        """Log."""
        if self._real.is_enabled_for(Log.DEBUG) and self._tells(Log.DEBUG, text, **how):
            self._real.debug(text)

    def info(self, text: str, **how: Any) -> None:
        """Log."""
        if self._tells(Log.INFO, text, **how):
            self._real.info(text)

    def warning(self, text: str, **how: Any) -> None:
        """Log."""
        if self._tells(Log.WARN, text, **how):
            self._real.warning(text)

    def error(self, text: str, **how: Any) -> None:
        """Log."""
        if self._tells(Log.ERROR, text, **how):
            self._real.error(text)

    def __getattr__(self, name: str) -> Any:
        """Return the rest of the real one."""
        return getattr(self._real, name)

    def _tells(self, level: int, text: str, once: bool = False) -> bool:
        if once and text in self._once:
            return False
        self._once.add(text)
        data = serialize_message(Log(name=self._real.name, msg=text, level=level))
        for line in self._graph.lines_of('/rosout'):
            self._graph.deliver(line, data, {'received_timestamp': self._graph.wall.now_ns})
        return True


class Clock:
    """The clock of a node: simulated by ``/clock`` if it is told so, else that of the test."""

    def __init__(self, node: Node, wall: Wall) -> None:
        """Wrap the real one."""
        self._real, self._wall = node._clock, wall

    def now(self) -> Time:
        """Return the present."""
        if self._real.ros_time_is_active:
            return self._real.now()
        return Time(nanoseconds=self._wall.time_ns(), clock_type=ClockType.ROS_TIME)

    def __getattr__(self, name: str) -> Any:
        """Return the rest of the real one."""
        return getattr(self._real, name)
