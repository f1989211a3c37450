"""One node, its surroundings, and the verdict on how it took the flood."""

import contextlib
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from fuzz_parts.cases import Case, case_of, save_swarm
from fuzz_parts.flood import Flood
from fuzz_parts.messages import SOUND, WAYS
from fuzz_parts.process import HOST, MOST_GROWTH, NodeProcess, wait
from geometry_msgs.msg import Twist, Vector3
from rcl_interfaces.msg import Parameter
from rclpy.serialization import serialize_message

from support.autopilot.ros.process import autopilot_environment

RECORDING = 6.0
"""Time for which the node and who is beside it are recorded [s]."""
MOST_BATCH, TURN = 200, 0.01
ROUND = 0.5
"""Time between two looks at what the node has taken [s]."""
MOST_PENDING = 8
"""Requests under way of one service."""
KEYS = b'hlrsa\t0123456789xyz \x1b[A\xff\x00'
"""What is typed at a console; q would end it."""

OF_ROS = ('/rosout', '/parameter_events')


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
