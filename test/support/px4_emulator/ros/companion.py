"""A process that flies an emulated vehicle by hand, for tests of the emulator itself.

``python -m support.px4_emulator.ros.companion NAMESPACE SYSTEM`` streams a climb, calls OFFBOARD
and arms, and ends when its input does. Its last line tells what it has seen, in JSON.
"""

import importlib
import importlib.util
import json
import sys
import threading
from collections import Counter
from functools import partial
from typing import Any

import rclpy
from rclpy.client import Client
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from support.px4_emulator.constants import Cmd
from support.px4_emulator.direct_drive import (
    BRIDGE,
    offboard_control_mode,
    trajectory_setpoint,
    vehicle_command,
)
from support.px4_emulator.ros.conversion import Converter, message_class

LISTEN = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
CLIMB = 0.0, 0.0, -1.0
PERIOD, EVERY = 0.02, 25
"""Period of the stream [s]; the graph is looked at, and a command sent, so many periods apart."""

ASKED = b'fmu/out/vehicle_status'.ljust(50, b'\0')
"""Of which topic the format is asked."""

SEEN = 'writers', 'heard', 'acks', 'replies', 'formats'

COMMANDS = (
    (Cmd.DO_SET_MODE, {'param1': 1.0, 'param2': 6.0}),
    (Cmd.COMPONENT_ARM_DISARM, {'param1': 1.0}),
)


class Companion(Node):
    """Streams and listens."""

    def __init__(self, namespace: str, system: int) -> None:
        super().__init__('companion', enable_rosout=False)
        self._in = f'{namespace}/fmu/in/'
        self._out = f'{namespace}/fmu/out/'
        self._system, self._ticks = system, 0
        self.heard: Counter[str] = Counter()
        self.writers: dict[str, list[str]] = {}
        self.acks: list[tuple[int, int]] = []
        self.replies: list[tuple[int, int]] = []
        self.formats: dict[bool, int] = {}
        self._questions: list[tuple[Any, Any]] = []
        self._ask_format()
        self._client = self._make_client(f'{namespace}/fmu/vehicle_command')
        self._publishers_by_topic = {
            topic: self.create_publisher(message_class(topic), self._in + topic, LISTEN)
            for topic in ('offboard_control_mode', 'trajectory_setpoint', 'vehicle_command')
        }
        self.create_timer(PERIOD, self._tick)

    def _make_client(self, name: str) -> Client | None:
        """Return a client of PX4's service; older releases have none."""
        if importlib.util.find_spec('px4_msgs.srv') is None:
            return None
        kind = importlib.import_module('px4_msgs.srv').VehicleCommand
        return self.create_client(kind, name)

    def _ask_format(self) -> None:
        """Ask which format a message has; older releases do not know the question."""
        kind = message_class('message_format_request')
        if kind is not None:
            ask = self.create_publisher(kind, f'{self._in}message_format_request', LISTEN)
            self._questions.append((ask, kind(protocol_version=1, topic_name=list(ASKED))))

    def _tick(self) -> None:
        self._ticks += 1
        if self._ticks % EVERY == 0:
            self._look_around()
            for publisher, question in self._questions:
                publisher.publish(question)
            turn = self._ticks // EVERY
            if turn >= 4 and turn % 2:
                command, params = COMMANDS[turn // 2 % 2]
                self._command(vehicle_command(command, self._system, **params))
        self._send('offboard_control_mode', offboard_control_mode('velocity'))
        self._send('trajectory_setpoint', trajectory_setpoint(velocity=CLIMB))

    def _command(self, message: Any) -> None:
        """Command: to arm by the service where there is one, else by the topic."""
        if self._client is None or message.command != Cmd.COMPONENT_ARM_DISARM:
            self._send('vehicle_command', message)
            return
        made = Converter(message_class('vehicle_command'))(message)
        called = self._client.call_async(self._client.srv_type.Request(request=made))
        called.add_done_callback(lambda future: self._note(future.result().reply, self.replies))

    def _note(self, ack: Any, into: list[tuple[int, int]]) -> None:
        into.append((ack.command, ack.result))

    def _send(self, topic: str, message: Any) -> None:
        publisher = self._publishers_by_topic[topic]
        publisher.publish(Converter(publisher.msg_type)(message))

    def _look_around(self) -> None:
        """Listen to topics that are new."""
        for name, types in self.get_topic_names_and_types():
            if name.startswith(self._out) and name not in self.writers:
                (writer, *_) = self.get_publishers_info_by_topic(name)
                profile = writer.qos_profile
                self.writers[name] = [types[0], profile.reliability.name, profile.durability.name]
                topic = types[0].rpartition('/')[2]
                kind = getattr(sys.modules['px4_msgs.msg'], topic)
                self.create_subscription(kind, name, partial(self._hear, name), LISTEN)

    def _hear(self, name: str, message: Any) -> None:
        self.heard[name] += 1
        if 'ack' in name and (message.target_system, message.target_component) == BRIDGE:
            self._note(message, self.acks)
        if name.endswith('message_format_response'):
            self.formats[message.success] = message.message_hash


def main() -> None:
    """Fly until the input ends."""
    rclpy.init(args=[])
    node = Companion(sys.argv[1], int(sys.argv[2]))
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    while not ended.is_set():
        rclpy.spin_once(node, timeout_sec=0.1)
    seen = {name: getattr(node, name) for name in SEEN}
    print(json.dumps(seen | {'services': dict(node.get_service_names_and_types())}))
    rclpy.try_shutdown()


if __name__ == '__main__':
    main()
