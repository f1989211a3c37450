"""For tests of nodes apart from the middleware: topics, services, timers and time by hand.

The nodes are the real ones, in one process. What they publish reaches all subscribers at once and
in the order in which it was said, and time passes only where the test lets it pass: "nothing
happens for a second" means that all timers of a second have been called. So no result depends on
how busy the machine is. What belongs to the middleware is not here: discovery, loss, quality of
service (except that latched messages reach whoever comes later).

``SimulatedRos`` has the interface of ``support.ros.graph.Ros``.
"""

import gc
import importlib
import pkgutil
from collections import deque
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import rclpy
from rclpy.clock import ClockType
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.signals import SignalHandlerOptions

from support.ros.graph import PATIENCE, Ros
from support.ros.simulated_ends import CALL_NS, Clock, Logger, Publisher, Subscription, Timer, Wall
from support.ros_domain import domain_of_its_own

FOUND_NS = 100_000_000
"""How long a subscriber of latched messages needs to find their publishers [ns]."""

TURN = 20
"""Callbacks between two looks at a condition, at most: some publish something at each look."""

TIMED = ('soliton_encirclement_ros.nodes', 'soliton_encirclement_ros.core',
         'velocity_mobility_ros.nodes', 'velocity_mobility_ros.ros_io')  # fmt: skip
"""Packages whose wall time is the simulated one."""


@cache
def timed_modules() -> list[ModuleType]:
    """Return all modules that ask for the time, also those that a node imports when needed."""
    names = ['support.ros.stopping']
    for package in TIMED:
        folders = find_spec(package).submodule_search_locations
        for found in pkgutil.walk_packages(folders, f'{package}.'):
            path = Path(found.module_finder.path, f'{found.name.rpartition(".")[2]}.py')
            if path.exists() and '\nimport time\n' in path.read_text(encoding='utf-8'):
                names.append(found.name)
    return [importlib.import_module(name) for name in names]


class Graph:
    """Who publishes, subscribes, serves and waits; put in place of the methods of rclpy."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        """Take the place of the middleware for all nodes that are made from now on."""
        self.wall = Wall()
        self.lines: list[Subscription] = []
        self.connecting: list[Subscription] = []
        self.publishers: list[Publisher] = []
        self.timers: list[Timer] = []
        self.services: list[tuple[Node, str, type, Callable[..., Any]]] = []
        self.calls: deque[tuple[Subscription, bytes]] = deque()
        self.nodes: list[Node] = []
        self._loggers: dict[int, Logger] = {}
        self._real_logger, self._real_destroy = Node.get_logger, Node.destroy_node
        for name in (
            'create_publisher', 'create_subscription', 'create_timer', 'create_service',
            'destroy_publisher', 'destroy_subscription', 'destroy_timer', 'destroy_node',
            'get_clock', 'get_logger', 'count_publishers', 'count_subscribers', 'count_services',
            'get_publishers_info_by_topic', 'get_subscriptions_info_by_topic',
            'get_node_names_and_namespaces', 'get_topic_names_and_types',
            'get_publisher_names_and_types_by_node', 'get_subscriber_names_and_types_by_node',
        ):  # fmt: skip
            own = getattr(self, f'_{name}')
            patch.setattr(Node, name, lambda node, *a, _own=own, **k: _own(node, *a, **k))
        for module in timed_modules():
            patch.setattr(module, 'time', self.wall)

    def lines_of(self, topic: str, kind: type | None = None) -> list[Subscription]:
        """Return who subscribes to a topic, with a type if one is named."""
        found = [line for line in self.lines if line.topic_name == topic]
        return [line for line in found if kind in (None, line.kind)]

    def deliver(self, line: Subscription, data: bytes, about: dict[str, Any]) -> None:
        """Let a message wait for its reader, or call it back later."""
        if line.is_polled:
            line.waiting.append((data, about))
        else:
            self.calls.append((line, data))

    def _create_publisher(
        self, node: Node, kind: type, topic: str, qos_profile: QoSProfile | int, **_: Any
    ) -> Publisher:
        name, qos = node.resolve_topic_name(topic), _profile(qos_profile)
        self.publishers.append(Publisher(self, node, kind, name, qos))
        return self.publishers[-1]

    def _create_subscription(
        self, node: Node, kind: type, topic: str, take: Callable[..., None],
        qos_profile: QoSProfile | int, *, raw: bool = False, **_: Any,
    ) -> Subscription:  # fmt: skip
        qos = _profile(qos_profile)
        line = Subscription(node, kind, node.resolve_topic_name(topic), take, qos, raw)
        self.lines.append(line)
        if qos.durability == DurabilityPolicy.TRANSIENT_LOCAL:
            line.connected_ns = self.wall.now_ns + FOUND_NS
            self.connecting.append(line)
        return line

    def connect(self) -> None:
        """Give latched messages to subscribers that have found their publishers by now."""
        for line in [one for one in self.connecting if one.connected_ns <= self.wall.now_ns]:
            self.connecting.remove(line)
            for publisher in self.publishers:
                if (publisher.topic_name, publisher.kind) == (line.topic_name, line.kind):
                    for data, about in publisher.kept:
                        self.deliver(line, data, about)

    def _create_timer(
        self, node: Node, period: float, take: Callable[[], None], callback_group: Any = None,
        clock: Any = None, **_: Any,
    ) -> Timer:  # fmt: skip
        del callback_group
        is_steady = clock is not None and clock.clock_type == ClockType.STEADY_TIME
        own = None if is_steady else Clock(node, self.wall)
        self.timers.append(Timer(node, period, take, self.wall, own))
        return self.timers[-1]

    def _create_service(
        self, node: Node, kind: type, name: str, answer: Callable[..., Any], **_: Any
    ) -> SimpleNamespace:
        full = node.resolve_service_name(name)
        self.services.append((node, full, kind, answer))
        return SimpleNamespace(srv_name=full)

    def _destroy_publisher(self, node: Node, publisher: Publisher) -> bool:
        self.publishers = [one for one in self.publishers if one is not publisher]
        return True

    def _destroy_subscription(self, node: Node, subscription: Subscription) -> bool:
        self.lines = [one for one in self.lines if one is not subscription]
        self.connecting = [one for one in self.connecting if one is not subscription]
        return True

    def _destroy_timer(self, node: Node, timer: Timer) -> bool:
        self.timers = [one for one in self.timers if one is not timer]
        return True

    def _destroy_node(self, node: Node) -> None:
        self.lines = [one for one in self.lines if one.node is not node]
        self.connecting = [one for one in self.connecting if one.node is not node]
        self.publishers = [one for one in self.publishers if one.node is not node]
        self.timers = [one for one in self.timers if one.node is not node]
        self.services = [one for one in self.services if one[0] is not node]
        self.calls = deque(one for one in self.calls if one[0].node is not node)
        self._real_destroy(node)

    def _get_clock(self, node: Node) -> Clock:
        return Clock(node, self.wall)

    def _get_logger(self, node: Node) -> Logger:
        if id(node) not in self._loggers:
            self._loggers[id(node)] = Logger(self, self._real_logger(node))
        return self._loggers[id(node)]

    def _count_publishers(self, node: Node, topic: str) -> int:
        return len(self._get_publishers_info_by_topic(node, topic))

    def _count_subscribers(self, node: Node, topic: str) -> int:
        return len(self._get_subscriptions_info_by_topic(node, topic))

    def _count_services(self, node: Node, name: str) -> int:
        full = node.resolve_service_name(name, only_expand=True)
        return sum(one[1] == full for one in self.services)

    def _get_publishers_info_by_topic(self, node: Node, topic: str) -> list[SimpleNamespace]:
        full = node.resolve_topic_name(topic, only_expand=True)
        return [_about(publisher) for publisher in self.publishers if publisher.topic_name == full]

    def _get_subscriptions_info_by_topic(self, node: Node, topic: str) -> list[SimpleNamespace]:
        full = node.resolve_topic_name(topic, only_expand=True)
        return [_about(line) for line in self.lines_of(full)]

    def _get_node_names_and_namespaces(self, node: Node) -> list[tuple[str, str]]:
        return [(one.get_name(), one.get_namespace()) for one in self.nodes]

    def _get_topic_names_and_types(self, node: Node) -> list[tuple[str, list[str]]]:
        return _types([*self.publishers, *self.lines])

    def _get_publisher_names_and_types_by_node(
        self, node: Node, name: str, namespace: str
    ) -> list[tuple[str, list[str]]]:
        return _types([one for one in self.publishers if _name(one.node) == (name, namespace)])

    def _get_subscriber_names_and_types_by_node(
        self, node: Node, name: str, namespace: str
    ) -> list[tuple[str, list[str]]]:
        return _types([one for one in self.lines if _name(one.node) == (name, namespace)])


def _profile(qos: QoSProfile | int) -> QoSProfile:
    return QoSProfile(depth=qos) if isinstance(qos, int) else qos


def _name(node: Node) -> tuple[str, str]:
    return node.get_name(), node.get_namespace()


def _type(kind: type) -> str:
    package, folder, *_ = kind.__module__.split('.')
    return f'{package}/{folder}/{kind.__name__}'


def _about(end: Subscription | Publisher) -> SimpleNamespace:
    name, namespace = _name(end.node)
    return SimpleNamespace(
        node_name=name, node_namespace=namespace, topic_type=_type(end.kind),
        qos_profile=end.qos_profile,
    )  # fmt: skip


def _types(ends: list[Any]) -> list[tuple[str, list[str]]]:
    found: dict[str, set[str]] = {}
    for end in ends:
        found.setdefault(end.topic_name, set()).add(_type(end.kind))
    return [(topic, sorted(kinds)) for topic, kinds in found.items()]


class SimulatedRos(Ros):
    """Nodes under test and a node of the tester in simulated time."""

    def __init__(self, domain: int, patch: pytest.MonkeyPatch) -> None:
        """Begin."""
        self.domain = domain
        self.graph = Graph(patch)
        rclpy.init(args=[], domain_id=domain, signal_handler_options=SignalHandlerOptions.NO)
        self.nodes = self.graph.nodes
        self.refused = False
        self.tester = self.add(Node('tester'))

    def add(self, node: Node) -> Any:
        """Spin a node from now on."""
        self.nodes.append(node)
        return node

    def remove(self, node: Node) -> None:
        """Take a node down."""
        self._destroy(node)

    def spin(self, timeout: float = 0.02) -> None:
        """Call the next callback, or let time pass until there is one, no longer than so [s]."""
        graph = self.graph
        waits = [(timer.left_ns(), timer) for timer in graph.timers if timer.is_on]
        left_ns, timer = min(waits, key=lambda one: one[0], default=(1, None))
        if left_ns <= 0:
            timer.ring()
        elif graph.calls:
            line, data = graph.calls.popleft()
            graph.wall.now_ns += CALL_NS
            line.call(data)
        else:
            by_wall = [left_ns for left_ns, timer in waits if not timer.is_simulated]
            graph.wall.now_ns += max(1, min([round(timeout * 1e9), *by_wall]))
        graph.connect()

    def stall(self, seconds: float) -> None:
        """Let time pass in which nobody gets any processor time."""
        self.graph.wall.sleep(seconds)

    def set_clock(self, step: float) -> None:
        """Set the clock of the computer on by a time [s], or back."""
        self.graph.wall.set_on_ns += round(step * 1e9)

    def until(self, condition: Callable[[], Any], what: str, timeout: float = PATIENCE) -> Any:
        """Let time pass until a condition holds; return its value, or fail."""
        deadline_ns = self.graph.wall.now_ns + round(timeout * 1e9)
        while not (value := condition()):
            if self.graph.wall.now_ns > deadline_ns:
                pytest.fail(f'waited {timeout:g} simulated seconds in vain for {what}')
            for _ in range(TURN):
                self.spin()
                if not self.graph.calls:
                    break
        return value

    def meanwhile(self, duration: float, each: Callable[[], None] = lambda: None) -> None:
        """Let time pass, and call everything that is due in it."""
        end_ns = self.graph.wall.now_ns + round(duration * 1e9)
        while (left_ns := end_ns - self.graph.wall.now_ns) > 0:
            self.spin(min(0.005, left_ns / 1e9))
            each()

    def call(self, kind: type, service: str, request: Any) -> Any:
        """Call a service, of all nodes that have it; return the answer of the first."""
        found = [one for one in self.graph.services if one[1] == service]
        assert found, f'nobody has the service {service}'
        answers = [answer(request, kind.Response()) for *_, answer in found]
        return answers[0]

    def now_ns(self) -> int:
        """Return the time [ns]."""
        return self.graph.wall.time_ns()

    def close(self) -> None:
        """Take everything down."""
        for node in list(self.nodes):
            self._destroy(node)
        rclpy.try_shutdown()
        if self.refused:
            gc.collect()  # as in ``Ros``


def simulated_ros() -> Iterator[SimulatedRos]:
    """Yield a fresh context; rclpy is as before at the end.

    Its nodes are in a domain that no process of a test is in: some of them has their names.
    """
    with domain_of_its_own() as domain, pytest.MonkeyPatch.context() as patch:
        up = SimulatedRos(domain, patch)
        yield up
        up.close()
