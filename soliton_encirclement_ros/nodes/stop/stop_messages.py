"""Messages of the emergency stop: a DiagnosticArray whose every status is one item.

Orders are ERROR (stop) and OK (release), heartbeats WARN, so that tools colour them.
"""

from collections.abc import Sequence

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.serialization import deserialize_message
from velocity_mobility_ros.ros_io.node_time import ns_to_time

from soliton_encirclement_ros.core.emergency_stop import (
    TO_RELEASE,
    TO_STOP,
    StopWord,
    fields_of,
    read_word,
)
from soliton_encirclement_ros.core.errors import MalformedStateError

NAME = 'emergency stop'
"""Name of every status."""

LEVELS = {TO_STOP: DiagnosticStatus.ERROR, TO_RELEASE: DiagnosticStatus.OK}


def stop_message(words: Sequence[StopWord], now_ns: int) -> DiagnosticArray:
    """Return a message with some items, sent at a time [ns since 1970]."""
    message = DiagnosticArray(status=[_status(word) for word in words])
    message.header.stamp = ns_to_time(now_ns)
    return message


def _status(word: StopWord) -> DiagnosticStatus:
    scope = word.scope or 'everybody'
    return DiagnosticStatus(
        level=LEVELS.get(word.kind, DiagnosticStatus.WARN),
        name=NAME,
        message=f'{word.kind} {scope}' if word.kind in LEVELS else word.kind,
        hardware_id=word.source,
        values=[KeyValue(key=key, value=value) for key, value in fields_of(word).items()],
    )


def read_words(data: bytes) -> tuple[list[StopWord], list[str]]:
    """Return the valid items of a serialized message, and why others are refused."""
    try:
        message = deserialize_message(data, DiagnosticArray)
    except Exception as error:  # the middleware has no class for it
        return [], [f'not a DiagnosticArray ({type(error).__name__})']
    words, reasons = [], []
    for status in message.status:
        try:
            if status.name != NAME:
                raise MalformedStateError(f'name = {status.name[:40]!r} must be {NAME!r}')
            fields = {pair.key: pair.value for pair in status.values}
            words.append(read_word(status.hardware_id, fields))
        except MalformedStateError as error:
            reasons.append(str(error))
    return words, reasons
