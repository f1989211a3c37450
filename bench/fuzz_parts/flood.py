"""One node under a flood of messages and requests that nobody should send.

What is sent depends on the seed and its number alone; times of stamps are those of sending.
"""

import contextlib
import json
import math
import os
import random
import struct
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import rclpy
from fuzz_parts.cases import Case, case_of, examples, save_swarm
from fuzz_parts.messages import (
    MIX, REQUESTS, SOUND, WAYS, class_of, kind_of, make, read, texts_in, write
)
from fuzz_parts.process import HOST, MOST_GROWTH, NodeProcess, wait
from geometry_msgs.msg import Twist, Vector3
from rcl_interfaces.msg import Parameter
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message, serialize_message
from rclpy.signals import SignalHandlerOptions

from soliton_encirclement_ros.core.states.swarm_topics import DIAGNOSTICS
from support.autopilot.ros.process import autopilot_environment

MOST_RECORDED, RECORDING, LAST = 30, 6.0, 5
MOST_BATCH, TURN = 200, 0.01
ROUND = 0.5
"""Time between two looks at what the node has taken [s]."""
WINDOW = 4000
"""Messages before a fault that are kept to be sent again."""
MOST_PENDING, ANSWERS = 8, 30.0
"""Requests under way of one service, and the time in which each is answered [s]."""
COMMANDS = ('Twist', 'TwistStamped', 'TrajectorySetpoint')
"""Types whose numbers move a vehicle."""

OWN = b'uav_1/'
"""Begin of the names of the agent's own values. An agent that hears somebody else say them falls
silent, as it should; so they come late."""

MAX_SPEED = 1e3
"""Speed that no vehicle of the package commands [m/s]."""
KEYS = b'hlrsa\t0123456789xyz \x1b[A\xff\x00'
"""What is typed at a console; q would end it."""

OF_ROS = ('/rosout', '/parameter_events')
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


class Fuzzed:
    """One node, its surroundings, and who floods it."""

    def __init__(
        self, name: str, seed: str, folder: Path, domain: int, stock: Path, is_quick: bool = False
    ) -> None:
        """Name what is fuzzed.

        Args:
            name: The node.
            seed: What all messages depend on.
            folder: Where all files land.
            domain: ROS domain.
            stock: File of recorded messages of all nodes.
            is_quick: Whether nothing is recorded: all messages are drawn.
        """
        self.name, self.folder, self.stock, self.is_quick = name, folder, stock, is_quick
        folder.mkdir(parents=True, exist_ok=True)
        self.environment = autopilot_environment(domain)
        self.environment['ROS_LOG_DIR'] = str(folder)
        self.domain, self.flood = domain, Flood(name, seed, folder, domain)
        self.case: Case = case_of(name, folder)

    def record_swarm(self) -> None:
        """Record a swarm in flight, if no run has done so."""
        if self.stock.exists():
            stored = json.loads(self.stock.read_text())
            self.flood.recorded = {
                topic: {**one, 'data': [*map(bytes.fromhex, one['data'])]}
                for topic, one in stored.items()
            }
            return
        plan = self.folder / 'plan.json'
        numbers = save_swarm(plan)
        command = (sys.executable, '-P', str(HOST), str(self.folder / 'swarm.json'), 'node_host')
        with (self.folder / 'swarm.log').open('wb') as log:
            swarm = subprocess.Popen(
                (*command, str(plan), *numbers), env=self.environment, stdout=log, stderr=log
            )
        self.flood.record(3 * RECORDING)
        swarm.terminate()
        swarm.wait()
        self.keep_records()

    def keep_records(self) -> None:
        """Store what was recorded, for the next nodes."""
        stored = {
            topic: {**one, 'data': [data.hex() for data in one['data']]}
            for topic, one in self.flood.recorded.items()
        }
        self.stock.write_text(json.dumps(stored))

    def _is_of_others(self, topic: str) -> bool:
        """Return whether the node does not say it, so that it is said here, for who finds it."""
        may_command = self.name not in ('mobility', 'recorder', 'world')
        return topic not in self.published and not (may_command and topic.endswith('/cmd_vel'))

    def find(self) -> bool:
        """Find what the node has in the graph; return whether it is there."""
        node = self.flood.node
        ours = [
            (own, space) for own, space in node.get_node_names_and_namespaces()
            if own not in ('flood', 'emulator', 'px4_emulator')
        ]  # fmt: skip
        self.subscribed, self.published, self.served = {}, {}, {}
        for own, space in ours:
            for found, look in (
                (self.subscribed, node.get_subscriber_names_and_types_by_node),
                (self.published, node.get_publisher_names_and_types_by_node),
                (self.served, node.get_service_names_and_types_by_node),
            ):
                found.update({topic: kinds[0] for topic, kinds in look(own, space)})
        return bool(ours) and bool(self.subscribed)

    def run(self, count: int, seconds: float, replay: list[Any] | None = None) -> dict[str, Any]:
        """Flood the node until it has taken a number of messages, or for a time."""
        flood = self.flood
        if not self.is_quick:
            self.record_swarm()
        with self.case.around(self.folder, self.domain) as around:
            self.process = NodeProcess(self.case, self.folder, self.environment)
            try:
                if not wait(self.find, 60.0, lambda: flood.spin(0.1)):
                    reasons = '; '.join(self.process.faults())
                    return self._result(0.0, [f'never came up: {reasons}'])
                if not self.is_quick:
                    flood.record(RECORDING)
                    self.keep_records()
                flood.prepare()
                flood.open_topics(
                    (topic, one['type']) for topic, one in flood.recorded.items()
                    if topic in self.subscribed or self._is_of_others(topic)
                )  # fmt: skip
                flood.listen(self.published.items())
                self._warm_up(around)
                start = time.monotonic()
                if replay is None:
                    self._flood(count, seconds)
                else:
                    self._replay(replay)
                took = time.monotonic() - start
                faults = [*flood.faults, *self.process.faults()]
                if self.process.is_alive and not self.process.faults():
                    faults += self._after(around)
                    faults += self.process.end()
            finally:
                if self.process.is_alive:
                    self.process.popen.kill()
        if faults and replay is None:
            self._keep_window()
        return self._result(took, faults)

    def _track(self, around: Any) -> None:
        """Let the vehicle take off and track commands; what its autopilot says stays the truth."""
        flood, clients = self.flood, self.flood.clients
        slow = serialize_message(Twist(linear=Vector3(x=0.5)))
        for topic, (publish, kind, _) in flood.senders.items():
            if topic.endswith('/cmd_vel'):
                flood.senders[topic] = publish, kind, [slow]
        steps = (('/arm_takeoff', lambda: around[1].height > 1.0), ('/engage', lambda: True))
        for service, is_done in steps:
            for _ in range(30):
                answer = flood.call(service)
                if answer is not None and answer.success:
                    break
                self._feed(1.0)
            wait(is_done, 30.0, lambda: self._feed(0.2))
        for name in [name for name in clients if 'parameter' not in name]:
            del flood.pending[name]

    def _warm_up(self, around: Any) -> None:
        """Let the node hear sound messages alone, and note what it says."""
        self.find()
        self.flood.open_services(
            (name, kind) for name, kind in self.served.items()
            if not name.endswith('/get_type_description')
        )  # fmt: skip
        self._learn_parameters()
        self._feed(3.0)
        if self.case.flies:
            self._track(around)
        self.usual = {topic for topic, n in self.flood.heard.items()
                      if n and topic not in OF_ROS and '/in/' not in topic}

    def _feed(self, seconds: float) -> None:
        end, number = time.monotonic() + seconds, 0
        while time.monotonic() < end and self.process.is_alive:
            number += 1
            self._open()
            for topic in self.targets:
                self.flood.send(topic, -number, SOUND)
            for _ in range(5):
                self.flood.spin(0.005)

    def _open(self) -> None:
        """Publish on what the node subscribes to by now."""
        self.find()
        self.flood.open_topics(
            (topic, kind) for topic, kind in self.subscribed.items()
            if topic not in OF_ROS
        )
        self.targets = [
            topic for topic in self.flood.senders if topic in self.subscribed
            and not (self.case.flies and ('/fmu/' in topic or topic.endswith('fly_orders')))
        ]  # fmt: skip

    def _learn_parameters(self) -> None:
        self.parameters: list[Parameter] = []
        if not any(name.endswith('/list_parameters') for name in self.flood.clients):
            return
        names = self.flood.call('/list_parameters').result.names
        values = self.flood.call('/get_parameters', names=names).values
        self.parameters = [
            Parameter(name=name, value=value) for name, value in zip(names, values, strict=True)
        ]
        self.flood.texts += [name.encode() for name in names]
        for name, (_, request, sound) in self.flood.clients.items():
            if '/set_parameters' in name:
                sound += [serialize_message(request(parameters=[one])) for one in self.parameters]
            elif 'parameter' in name:
                field = 'prefixes' if name.endswith('/list_parameters') else 'names'
                sound += [serialize_message(request(**{field: [one.name]}))
                          for one in self.parameters]  # fmt: skip

    def _flood(self, count: int, seconds: float) -> None:
        """Send as fast as the node takes: each topic's share of a turn follows what arrives."""
        flood, process = self.flood, self.process
        batches = dict.fromkeys(self.targets, 4.0)
        end, number, looked, before = time.monotonic() + seconds, 0, 0.0, process.taken()
        self.base, sent_before = Counter(before), Counter(flood.sent)
        rng = random.Random(flood.seed)
        while time.monotonic() < end and process.is_alive:
            for topic in self.targets:
                for _ in range(round(batches[topic])):
                    number += 1
                    flood.send(topic, number)
            flood.is_kind = self.taken() < 0.7 * count
            for service, asked in flood.pending.items():
                if len(asked) < MOST_PENDING and self.taken() > 0.5 * count:
                    number += 1
                    flood.ask(service, number)
            if process.terminal >= 0:
                with contextlib.suppress(BlockingIOError):  # it reads when it has time to
                    os.write(process.terminal, bytes(rng.choices(KEYS, k=2)))
            for _ in range(8):
                flood.spin(0.0)
            flood.spin(TURN)
            flood.answers()
            if time.monotonic() - looked > ROUND:
                looked = time.monotonic()
                process.note_size()
                taken = process.taken()
                self._open()
                for topic in self.targets:
                    arrived = taken.get(topic, 0) - before.get(topic, 0)
                    ratio = arrived / max(1, flood.sent[topic] - sent_before[topic])
                    batch = batches.get(topic, 4.0)
                    wanted = batch * (1.3 if ratio > 0.8 else 0.7)
                    batches[topic] = min(MOST_BATCH, max(1.0, wanted))
                before, sent_before = taken, Counter(flood.sent)
                if self.taken() >= count or len(flood.faults) > 10 or process.faults():
                    return

    def taken(self) -> int:
        """Return how many messages and requests the node has taken since the flood began."""
        now = Counter(self.process.taken())
        now.subtract(self.base)
        return sum(now.values())

    def _replay(self, window: list[Any]) -> None:
        """Send messages again one by one; the first one after which the node is gone is told."""
        self.base = Counter(self.process.taken())
        for k, (name, number) in enumerate(window):
            if name in self.flood.clients:
                self.flood.ask(name, number)
            else:
                self._open() if name not in self.flood.senders else None
                self.flood.send(name, number)
            self.flood.spin(0.02)
            if self.process.faults():
                self.flood.faults.append(f'message {number} on {name}, {k + 1} of {len(window)}')
                return

    def _after(self, around: Any) -> list[str]:
        """Return what is wrong once only sound messages come again."""
        faults = []
        flood = self.flood
        if self.parameters:
            answer = flood.call('/set_parameters_atomically', parameters=self.parameters)
            if answer is None or not answer.result.successful:
                faults.append(f'parameters not set back: {answer and answer.result.reason}')
        released = {'/emergency_stop': {'data': False}, '/recover': {}, '/resume': {}}
        for end, fields in released.items():
            if any(name.endswith(end) for name in flood.clients):
                flood.call(end, **fields)
        flood.heard.clear()
        missing = self.usual
        for _ in range(6):
            self._feed(3.0)
            missing = {topic for topic in self.usual if not flood.heard[topic]}
            if not missing:
                break
        if missing:
            why = '; '.join(flood.states)
            faults.append(f'silent afterwards: {", ".join(sorted(missing))}; it says: {why}')
        if around is not None and around[1].armed is not self.case.flies:
            faults.append(f'the vehicle is {"" if around[1].armed else "not "}armed')
        if (growth := self.process.growth()) > MOST_GROWTH:
            faults.append(f'memory has grown by {growth:.1f} MB')
        return faults

    def _keep_window(self) -> None:
        path = self.folder / 'reproducer.json'
        path.write_text(json.dumps({
            'node': self.name, 'seed': self.flood.seed, 'stock': str(self.stock),
            'window': [*self.flood.window],
        }))  # fmt: skip

    def _result(self, took: float, faults: list[str]) -> dict[str, Any]:
        flood, sizes = self.flood, self.process.sizes
        return {
            'node': self.name, 'seconds': round(took, 1), 'sent': sum(flood.sent.values()),
            'taken': self.taken() if took else 0, 'topics': len(flood.senders),
            'services': len(flood.clients), 'answered': flood.answered,
            'commands': flood.commands,
            'ways': {way: flood.by_way[way] for way in WAYS},
            'memory_mb': [round(size) for size in sizes[:: max(1, len(sizes) // 10)]],
            'growth_mb': round(self.process.growth(), 1), 'faults': faults,
        }  # fmt: skip
