"""PX4's answers to who asks which format a message has: a hash over its fields, from 1.15 on."""

from rclpy.node import Node

from support.interfaces.px4_fields import all_definitions
from support.px4_emulator.emulator import Px4Emulator
from support.px4_emulator.ros.conversion import message_class
from support.px4_emulator.ros.profiles import IN, OUT
from support.px4_emulator.wire.releases import namespace

START, PRIME, LIMIT = 0x811C9DC5, 0x1000193, 1 << 32
"""Of the hash."""

PROTOCOL, NAME_SIZE = 1, 50
"""The version of the questions that it answers, and the bytes of a topic's name in them."""


def fnv1a(data: bytes) -> int:
    """Return the 32 bit FNV-1a hash."""
    number = START
    for byte in data:
        number = (number ^ byte) * PRIME % LIMIT
    return number


def fields_hash(release: str, message: str, is_changed: bool = False) -> int | None:
    """Return the hash of a message's fields, None if the release has it not.

    Args:
        release: Of PX4.
        message: Its name.
        is_changed: Whether somebody has exchanged its last two fields.
    """
    definition = all_definitions(release).get(message)
    if definition is None:
        return None
    lines = [f'{kind} {name}\n' for name, kind in definition.fields.items()]
    if is_changed:
        lines[-2:] = reversed(lines[-2:])
    return fnv1a(''.join(lines).encode())


def message_of(topic: str) -> str:
    """Return what PX4 takes for the message of a topic: a suffix of its version is not cut off."""
    _, slash, name = topic.rpartition('/')
    return name.title().replace('_', '') if slash else ''


class Formats:
    """Answers on DDS for one vehicle."""

    def __init__(self, node: Node, vehicle: Px4Emulator) -> None:
        self._node, self._settings = node, vehicle.settings
        self._request = message_class('message_format_request')
        if self._request is None:
            return
        self._response = message_class('message_format_response')
        head = f'{namespace(vehicle.settings.instance)}/fmu'
        self._ends = (
            node.create_subscription(
                self._request, f'{head}/in/message_format_request', self._answer, IN
            ),
            node.create_publisher(self._response, f'{head}/out/message_format_response', OUT),
        )

    def turn(self) -> None:
        """Answer the last one who has asked meanwhile: PX4 keeps one question."""
        last = None
        if self._request is not None:
            while (taken := self._ends[0].handle.take_message(self._request, False)) is not None:
                last = taken[0]
        if last is not None and self._settings.tells_formats:
            self._answer(last)

    def close(self) -> None:
        """Leave the graph."""
        if self._request is not None:
            self._node.destroy_subscription(self._ends[0])
            self._node.destroy_publisher(self._ends[1])
            self._request = None

    def _answer(self, request: object) -> None:
        is_understood = request.protocol_version == PROTOCOL
        found = self._hash(bytes(request.topic_name)) if is_understood else None
        response = self._response(
            protocol_version=PROTOCOL, success=found is not None, message_hash=found or 0,
            topic_name=request.topic_name if is_understood else [0] * NAME_SIZE,
        )  # fmt: skip
        self._ends[1].publish(response)

    def _hash(self, topic: bytes) -> int | None:
        name, end, _ = topic.partition(b'\0')
        message = message_of(name.decode()) if end else ''
        is_changed = message == self._settings.changed_message
        return fields_hash(self._settings.release, message, is_changed)
