"""Topics and services of one emulated autopilot on DDS; no executor spins.

What has arrived is taken at the loop's own period, with the time at which DDS received it.
"""

import contextlib
import time
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

from support.autopilot.ros.conversion import fill

BEST_EFFORT = QoSProfile(depth=5, reliability=ReliabilityPolicy.BEST_EFFORT)
LATCHED = QoSProfile(
    depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL
)
IN = QoSProfile(depth=100, reliability=ReliabilityPolicy.BEST_EFFORT)


class Interface(NamedTuple):
    """What an autopilot has on DDS.

    Attributes:
        messages: Class by topic, from it.
        latched: Topics that late subscribers get too.
        services: Class by service.
        command: Topic and class of what it takes.
    """

    messages: Mapping[str, type]
    latched: frozenset[str]
    services: Mapping[str, type]
    command: tuple[str, type]


def ignore(*_: Any) -> None:
    """Stand where rclpy wants a callback."""


class Endpoints:
    """What one vehicle has on DDS, below a prefix."""

    def __init__(self, node: Node, prefix: str, interface: Interface, emulator: Any) -> None:
        self._emulator = emulator
        self._senders = {
            topic: node.create_publisher(
                kind, f'{prefix}/{topic}',
                LATCHED if topic in interface.latched else BEST_EFFORT,
            )
            for topic, kind in interface.messages.items()
        }  # fmt: skip
        topic, kind = interface.command
        self._commands = node.create_subscription(kind, f'{prefix}/{topic}', ignore, IN)
        self._services = {
            name: node.create_service(kind, f'{prefix}/{name}', ignore)
            for name, kind in interface.services.items()
        }
        self._reached = 0

    def turn(self, now: int, epoch: int) -> None:
        """Go on to a time: monotonic [ns] from the start; ``epoch``: Unix time of it [ns]."""
        for received, message in self._arrived():
            self._advance(min(received - epoch, now))
            self._emulator.receive(message)
        self._serve()
        self._advance(now)

    def _arrived(self) -> list[tuple[int, Any]]:
        found = []
        kind = self._commands.msg_type
        while (taken := self._commands.handle.take_message(kind, False)) is not None:
            found.append((taken[1]['received_timestamp'] or time.time_ns(), taken[0]))
        return found

    def _serve(self) -> None:
        for name, service in self._services.items():
            while True:
                request, header = service.handle.service_take_request(service.srv_type.Request)
                if request is None:
                    break
                self._emulator.call(name, request, self._answering(service, header))

    def _answering(self, service: Any, header: Any) -> Callable[[SimpleNamespace], None]:
        def done(response: SimpleNamespace) -> None:
            with contextlib.suppress(Exception):  # the client may have gone
                service.send_response(fill(service.srv_type.Response(), response), header)

        return done

    def _advance(self, until: int) -> None:
        if until <= self._reached:
            return
        sent = self._emulator.step(1e-9 * (until - self._reached))
        self._reached = until
        for topic, message, _ in sent:
            publisher = self._senders.get(topic)
            if publisher is not None:
                publisher.publish(fill(publisher.msg_type(), message))
