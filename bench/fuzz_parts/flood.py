"""A flood of messages and requests that nobody should send to a node.

What is sent depends on the seed and its number alone; times of stamps are those of sending.
"""

import math
import random
import struct
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import rclpy
from fuzz_parts.cases import examples
from fuzz_parts.messages import MIX, REQUESTS, class_of, kind_of, make, read, texts_in, write
from fuzz_parts.process import wait
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from rclpy.signals import SignalHandlerOptions

from soliton_encirclement_ros.core.states.swarm_topics import DIAGNOSTICS

MOST_RECORDED, LAST = 30, 5
WINDOW = 4000
"""Messages before a fault that are kept to be sent again."""
ANSWERS = 30.0
"""Time in which each request is answered [s]."""
COMMANDS = ('Twist', 'TwistStamped', 'TrajectorySetpoint')
"""Types whose numbers move a vehicle."""

OWN = b'uav_1/'
"""Begin of the names of the agent's own values. An agent that hears somebody else say them falls
silent, as it should; so they come late."""

MAX_SPEED = 1e3
"""Speed that no vehicle of the package commands [m/s]."""
RCLError = rclpy_implementation.RCLError

Recorded = dict[str, dict[str, Any]]


class Flood:
    """Who sends, and hears what the node says."""

    def __init__(self, name: str, seed: str, folder: Path, domain: int) -> None:
        """Start without publishers."""
        rclpy.init(args=[], domain_id=domain, signal_handler_options=SignalHandlerOptions.NO)
        self.node = Node('flood', start_parameter_services=False, enable_rosout=False)
        self.name, self.seed, self.folder = name, seed, folder
        self.recorded: Recorded = {}
        self.senders: dict[str, tuple[Any, Any, list[bytes]]] = {}
        self.clients: dict[str, tuple[Any, Any, list[bytes]]] = {}
        self.pending: dict[str, list[tuple[float, Any]]] = {}
        self.sent: Counter[str] = Counter()
        self.by_way: Counter[str] = Counter()
        self.heard: Counter[str] = Counter()
        self.asked = self.answered = self.commands = 0
        self.window: deque[tuple[str, int]] = deque(maxlen=WINDOW)
        self.texts: list[bytes] = []
        self.faults: list[str] = []
        self.states: list[str] = []
        self._examples = examples()
        self.is_kind = True
        self._listened: set[str] = set()

    def spin(self, seconds: float = 0.0) -> None:
        """Take what has arrived."""
        rclpy.spin_once(self.node, timeout_sec=seconds)

    def record(self, seconds: float) -> None:
        """Keep some messages of every topic that somebody publishes."""
        subscriptions: dict[str, Any] = {}
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for topic, kinds in self.node.get_topic_names_and_types():
                if topic in subscriptions or topic in self.recorded:
                    continue
                if subscription := self._keep(topic, kinds[0]):
                    subscriptions[topic] = subscription
            self.spin(0.01)
        for subscription in subscriptions.values():
            self.node.destroy_subscription(subscription)
        self.recorded = {topic: one for topic, one in self.recorded.items() if one['data']}

    def _keep(self, topic: str, kind: str) -> Any:
        infos = self.node.get_publishers_info_by_topic(topic)
        if not infos:
            return None
        stored = self.recorded.setdefault(topic, {'type': kind, 'data': []})['data']

        def take(data: bytes) -> None:
            stored.append(bytes(data))
            if len(stored) > MOST_RECORDED:
                del stored[random.randrange(MOST_RECORDED - LAST)]

        profile = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
        if all(i.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL for i in infos):
            profile.durability = DurabilityPolicy.TRANSIENT_LOCAL
        return self.node.create_subscription(class_of(kind), topic, take, profile, raw=True)

    def prepare(self) -> None:
        """Collect texts, and open what is recorded, so that the node finds it."""
        states = self.recorded.get('/swarm/agent_states')
        if states is not None:
            kind = kind_of(class_of(states['type']))
            states['data'] = [one for data in states['data'] for one in of_others(kind, data)]
        for one in self.recorded.values():
            kind = kind_of(class_of(one['type']))
            for data in one['data'][:5]:
                self.texts += [text for text in texts_in(read(kind, data)) if len(text) < 200]
        self.texts = sorted({*self.texts})

    def open_topics(self, topics: Iterable[tuple[str, str]]) -> None:
        """Publish on topics, with the quality of service of who subscribes."""
        for topic, kind in topics:
            if topic in self.senders:
                continue
            infos = self.node.get_subscriptions_info_by_topic(topic)
            latched = any(
                i.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL for i in infos
            )
            profile = QoSProfile(depth=100, durability=(
                DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE
            ))  # fmt: skip
            message = class_of(kind)
            publisher = self.node.create_publisher(message, topic, profile)
            self.senders[topic] = publisher.handle.publish_raw, kind_of(message), self._sound(
                topic, kind
            )

    def _sound(self, topic: str, kind: str) -> list[bytes]:
        """Return sound messages of a topic, or of its type."""
        for end, messages in self._examples.items():
            if topic.endswith(f'/{end}'):
                return messages
        if topic in self.recorded:
            return self.recorded[topic]['data']
        return [data for one in self.recorded.values() if one['type'] == kind
                for data in one['data'][:3]]  # fmt: skip

    def open_services(self, services: Iterable[tuple[str, str]]) -> None:
        """Ask for services."""
        for service, kind in services:
            if service not in self.clients:
                cls = class_of(kind)
                client = self.node.create_client(cls, service)
                self.clients[service] = client, cls.Request, []
                self.pending[service] = []

    def call(self, end: str, **fields: Any) -> Any:
        """Return the answer of a service by the end of its name, None without one in time."""
        client, request, _ = next(
            found for name, found in self.clients.items() if name.endswith(end)
        )
        future = client.call_async(request(**fields))
        wait(future.done, ANSWERS, lambda: self.spin(0.02))
        return future.result() if future.done() else None

    def send(self, topic: str, number: int, shares: Sequence[float] = MIX) -> None:
        """Send message ``number`` on a topic, made in one of the ways by their shares."""
        publish, kind, sound = self.senders[topic]
        seed = f'{self.seed} {topic}'
        way, data = make(seed, number, kind, sound, self.texts, time.time_ns(), shares)
        if self.is_kind and OWN in data and topic.endswith('/agent_states'):
            return
        try:
            publish(data)
        except RCLError:  # longer than any message of a type of numbers only
            self.by_way['not sent'] += 1
            return
        self.sent[topic] += 1
        self.by_way[way] += 1
        self.window.append((topic, number))

    def ask(self, service: str, number: int) -> None:
        """Send request ``number`` to a service."""
        client, request, sound = self.clients[service]
        kind, seed = kind_of(request), f'{self.seed} {service}'
        _, data = make(seed, number, kind, sound, self.texts, time.time_ns(), REQUESTS)
        message = deserialize_message(data, request) if kind.fields else request()
        self.asked += 1
        self.pending[service].append((time.monotonic(), client.call_async(message)))
        self.sent[service] += 1
        self.window.append((service, number))

    def answers(self) -> None:
        """Count the answers; what has none in time is a fault."""
        now = time.monotonic()
        for service, asked in self.pending.items():
            done = [one for one in asked if one[1].done()]
            self.answered += len(done)
            late = [one for one in asked if not one[1].done() and now - one[0] > ANSWERS]
            if late:
                self.faults.append(f'{service}: {len(late)} requests without an answer')
            asked[:] = [one for one in asked if not one[1].done() and now - one[0] <= ANSWERS]

    def listen(self, published: Iterable[tuple[str, str]]) -> None:
        """Watch what the node says, but for what is sent here as well."""
        for topic, kind in published:
            if topic in self._listened or topic in self.senders:
                continue
            self._listened.add(topic)

            def take(data: bytes, topic: str = topic, kind: str = kind) -> None:
                if topic in self.senders:
                    return
                self.heard[topic] += 1
                self.commands += kind.rpartition('/')[2] in COMMANDS
                if topic == DIAGNOSTICS:
                    self.states = [f'{status.name}: {status.message}' for status in
                                   deserialize_message(data, class_of(kind)).status]
                fault = illegal(topic, kind, bytes(data), math.inf if self.asked else MAX_SPEED)
                if fault and len(self.faults) < 20:
                    self.faults.append(fault)

            profile = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
            self.node.create_subscription(class_of(kind), topic, take, profile, raw=True)


def of_others(kind: Any, data: bytes) -> Iterator[bytes]:
    """Iterate over the states of other agents in a message, one message each."""
    header, names, *lists = read(kind, data)
    for owner in sorted({name.partition(b'/')[0] for name in names}):
        rows = [k for k, name in enumerate(names) if name.startswith(owner + b'/')]
        own = [[numbers[k] for k in rows if k < len(numbers)] for numbers in lists]
        if not OWN.startswith(owner):
            yield write(kind, [header, [names[k] for k in rows], *own])


def illegal(topic: str, kind: str, data: bytes, most: float = MAX_SPEED) -> str:
    """Return why no node may say a message, empty if it may.

    Args:
        topic: Its topic.
        kind: Its type.
        data: The message.
        most: Largest speed [m/s]; requests may have set other limits.
    """
    name = kind.rpartition('/')[2]
    if name in ('Twist', 'TwistStamped'):
        numbers = struct.unpack_from('<6d', data, len(data) - 48)
        if not all(map(math.isfinite, numbers)) or math.hypot(*numbers[:3]) > most:
            return f'{topic}: command {numbers}'
    if name == 'TrajectorySetpoint':
        velocity = deserialize_message(data, class_of(kind)).velocity
        if any(abs(value) > most or math.isinf(value) for value in velocity):
            return f'{topic}: setpoint {velocity}'
    return ''
