"""Statuses of nodes, states of bridges and orders of the emergency stop in a bag.

Every node repeats its status once a second; what it repeats word for word is kept once. A bridge
repeats its state twice a second, on a topic of its own, on one of the swarm, or on both; each is
kept once, with the reason that came with it. Every member repeats the orders on ``swarm/stop``
that it knows, so an order counts once, when it was first logged.
"""

import struct
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.cdr import STAMP_SIZE, CdrCursor, is_plain
from velocity_mobility_ros.ros_io.vehicle_topics import BRIDGE_STATE

from soliton_encirclement_ros.analysis.bag.bag_clock import SECOND, Clock
from soliton_encirclement_ros.analysis.bag.decoding.field_layout import (
    LayoutError,
    Types,
    layout_of,
)
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import MessageBatch
from soliton_encirclement_ros.analysis.recording import BridgeChange, StatusReport, StopChange
from soliton_encirclement_ros.core.emergency_stop import StopOrder, order_of, read_word
from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.states.swarm_topics import DIAGNOSTICS, STOP


class SerializedStatus(NamedTuple):
    """What one status says: name, level 0 to 3, message, whose it is, and its values by key."""

    name: str
    level: int
    message: str
    hardware_id: str
    values: Mapping[str, str]


def read_status(cursor: CdrCursor) -> SerializedStatus:
    """Read the status at the cursor.

    Raises:
        struct.error: The bytes are no status.
        UnicodeDecodeError: Neither, or not in UTF-8.
    """
    (level,) = struct.unpack_from('B', cursor.data, cursor.at)
    cursor.at += 1
    name, message, hardware_id = read_text(cursor), read_text(cursor), read_text(cursor)
    values = {}
    for _ in range(read_count(cursor)):
        key = read_text(cursor)
        values[key] = read_text(cursor)
    return SerializedStatus(name, level, message, hardware_id, values)


def read_count(cursor: CdrCursor) -> int:
    """Read the length of a list; a damaged one may be billions.

    Raises:
        struct.error: It is longer than the message.
    """
    count = cursor.length()
    if count > len(cursor.data) - cursor.at:
        raise struct.error(f'a list of {count}')
    return count


def read_text(cursor: CdrCursor) -> str:
    """Read a text.

    Raises:
        struct.error: It is longer than the message.
        UnicodeDecodeError: It is not in UTF-8.
    """
    length = cursor.length()
    start, end = cursor.at, cursor.at + length
    if end > len(cursor.data):
        raise struct.error(f'a text of {length} bytes')
    cursor.at = end
    return cursor.data[start : max(start, end - 1)].decode()


DIAGNOSTIC_ARRAY = 'diagnostic_msgs/msg/DiagnosticArray'

MAX_MESSAGES = 100_000
"""Maximum number of decoded messages."""


def is_stop_topic(topic: str, type_name: str) -> bool:
    """Return whether a topic carries orders of an emergency stop, of any fleet."""
    return type_name == DIAGNOSTIC_ARRAY and topic.endswith(f'/{STOP}')


class StopOrders:
    """Takes all messages of such topics."""

    def __init__(self, types: Types) -> None:
        """Begin with none."""
        self._types = types
        self._first: dict[tuple[str, StopOrder], tuple[int, str]] = {}
        self._count = 0

    def add(self, batch: MessageBatch) -> None:
        """Take a batch; what is no valid order is left out, as the members do."""
        topic = batch.channel.topic
        for logged, start, size in zip(batch.logged, batch.starts, batch.sizes, strict=True):
            self._count += 1
            if self._count > MAX_MESSAGES:
                return
            data = batch.buffer[start : start + size].tobytes()
            for order in self._orders(data):
                key = topic, order._replace(source='')
                if int(logged) < self._first.get(key, (int(logged) + 1, ''))[0]:
                    self._first[key] = int(logged), order.source

    def changes(
        self, clock: Clock, start_ns: int, wanted: Callable[[str], bool]
    ) -> tuple[StopChange, ...]:
        """Return all orders in order of time.

        Args:
            clock: The clock of the recording.
            start_ns: Its time 0 [ns].
            wanted: Returns whether a topic is of the fleet in question.
        """
        found = []
        for (topic, order), (logged, source) in self._first.items():
            if wanted(topic):
                seen = int(clock.of_logged(np.array([logged], np.int64))[0])
                time = (seen - start_ns) / SECOND
                found.append(StopChange(time, order.scope, order.stop, source))
        return tuple(sorted(found))

    def _orders(self, data: bytes) -> Iterator[StopOrder]:
        try:
            texts = layout_of(self._types.known, DIAGNOSTIC_ARRAY, data).texts
        except (LayoutError, KeyError):
            return
        i = 0
        while (path := f'status[{i}]') and f'{path}.name' in texts:
            i += 1
            try:
                word = read_word(texts[f'{path}.hardware_id'][0], _fields(texts, path))
            except MalformedStateError:
                continue  # members refuse such a word, too
            order = order_of(word)
            if order is not None:
                yield order


def _fields(texts: dict[str, tuple[str, ...]], path: str) -> dict[str, str]:
    """Return keys and values of a status."""
    found, i = {}, 0
    while (pair := f'{path}.values[{i}]') and f'{pair}.key' in texts:
        found[texts[f'{pair}.key'][0]] = texts[f'{pair}.value'][0]
        i += 1
    return found


MAX_STATUSES = 100_000
"""Maximum number of statuses that are kept."""

Status = tuple[str, int, str]
"""Name, level and message."""


def is_diagnostics(topic: str, type_name: str) -> bool:
    """Return whether a topic carries the statuses of nodes."""
    return type_name == DIAGNOSTIC_ARRAY and topic == DIAGNOSTICS


class DiagnosticStatuses:
    """Takes all messages of the topic."""

    def __init__(self) -> None:
        """Begin with none."""
        self._last: dict[str, tuple[int, str]] = {}
        self._found: list[tuple[int, Status]] = []
        self._messages = self._odd = 0
        self._is_full = False

    def add(self, batch: MessageBatch) -> None:
        """Take a batch."""
        for logged, start, size in zip(batch.logged, batch.starts, batch.sizes, strict=True):
            self._messages += 1
            try:
                for status in statuses_in(batch.buffer[start : start + size].tobytes()):
                    self._keep(int(logged), status)
            except (struct.error, UnicodeDecodeError):
                self._odd += 1

    def problems(self) -> list[str]:
        """Return a line for what was left out."""
        found = []
        if self._odd:
            found.append(
                f'{DIAGNOSTICS}: {self._odd} of {self._messages} messages are damaged: left out'
            )
        if self._is_full:
            found.append(f'{DIAGNOSTICS}: only the first {MAX_STATUSES} changes are read')
        return found

    def reports(
        self, clock: Clock, start_ns: int, wanted: Callable[[str], bool]
    ) -> tuple[StatusReport, ...]:
        """Return the statuses in order of time.

        Args:
            clock: The clock of the recording.
            start_ns: Its time 0 [ns].
            wanted: Returns whether a node, by its full name, is of the fleet in question.
        """
        found = sorted(
            ((at, one) for at, one in self._found if wanted(f'/{one[0].partition(": ")[0]}')),
            key=lambda pair: pair[0],
        )
        seen = clock.of_logged(np.array([at for at, _ in found], np.int64))
        times = ((seen - start_ns) / SECOND).tolist()
        return tuple(
            StatusReport(time, *status) for time, (_, status) in zip(times, found, strict=True)
        )

    def _keep(self, logged: int, status: Status) -> None:
        name, *said = status
        if self._last.get(name) == tuple(said):
            return
        if len(self._found) >= MAX_STATUSES:
            self._is_full = True
            return
        self._last[name] = tuple(said)
        self._found.append((logged, status))


def statuses_in(data: bytes) -> Iterator[Status]:
    """Iterate over the statuses of a serialized ``DiagnosticArray``.

    Raises:
        struct.error: The bytes are no such message.
        UnicodeDecodeError: Neither, or not in UTF-8.
    """
    if not is_plain(data):
        raise struct.error('not announced as CDR')
    cursor = CdrCursor(data)
    cursor.at += STAMP_SIZE
    read_text(cursor)
    for _ in range(read_count(cursor)):
        status = read_status(cursor)
        yield status.name, status.level, status.message


DIAGNOSTIC_STATUS = 'diagnostic_msgs/msg/DiagnosticStatus'

MAX_CHANGES = 20_000
"""Maximum number of changes that are kept."""

TOPICS = (f'/{BRIDGE_STATE}', '/swarm/bridge_states')
"""How the names of such topics end: that of one vehicle, and that of the swarm."""

Seen = tuple[int, BridgeChange]
"""Log time [ns], and what was said then."""


def is_bridge_state(topic: str, type_name: str) -> bool:
    """Return whether a topic carries states of bridges."""
    return type_name == DIAGNOSTIC_STATUS and topic.endswith(TOPICS)


class BridgeStates:
    """Takes all messages of such topics."""

    def __init__(self) -> None:
        """Begin with none."""
        self._last: dict[tuple[str, str], BridgeChange] = {}
        self._found: list[Seen] = []
        self._messages = self._odd = 0
        self._is_full = False

    def add(self, batch: MessageBatch) -> None:
        """Take a batch."""
        for logged, start, size in zip(batch.logged, batch.starts, batch.sizes, strict=True):
            self._messages += 1
            try:
                data = batch.buffer[start : start + size].tobytes()
                self._keep(int(logged), batch.channel.topic, state_in(data))
            except (struct.error, UnicodeDecodeError):
                self._odd += 1

    def problems(self) -> list[str]:
        """Return a line for what was left out."""
        found = []
        if self._odd:
            found.append(
                f'{BRIDGE_STATE}: {self._odd} of {self._messages} messages are damaged or without '
                'a state: left out'
            )
        if self._is_full:
            found.append(f'{BRIDGE_STATE}: only the first {MAX_CHANGES} changes are read')
        return found

    def changes(self, clock: Clock, start_ns: int) -> tuple[BridgeChange, ...]:
        """Return the states in order of time.

        Args:
            clock: The clock of the recording.
            start_ns: Its time 0 [ns].
        """
        found = sorted(self._found, key=lambda one: one[0])
        seen = clock.of_logged(np.array([logged for logged, _ in found], np.int64))
        times = ((seen - start_ns) / SECOND).tolist()
        last: dict[str, BridgeChange] = {}
        changes = []
        for time, (_, one) in zip(times, found, strict=True):
            if _is_new(one, last.get(one.name)):
                changes.append(one._replace(time=time))
            last[one.name] = one
        return tuple(changes)

    def _keep(self, logged: int, topic: str, change: BridgeChange) -> None:
        if not _is_new(change, self._last.get((topic, change.name))):
            return
        if len(self._found) >= MAX_CHANGES:
            self._is_full = True
            return
        self._last[topic, change.name] = change
        self._found.append((logged, change))


def _is_new(change: BridgeChange, before: BridgeChange | None) -> bool:
    """Return whether a bridge says something else than before."""
    new = change.state, change.stands
    return before is None or new != (before.state, before.stands)


def state_in(data: bytes) -> BridgeChange:
    """Return what a serialized message of a bridge says, at time 0.

    Raises:
        struct.error: The bytes are no such message.
        UnicodeDecodeError: Neither, or not in UTF-8.
    """
    if not is_plain(data):
        raise struct.error('not announced as CDR')
    status = read_status(CdrCursor(data))
    said = status.values
    if 'state' not in said:
        raise struct.error('no state')
    stands = said.get('landed') == 'true' or said.get('armed') == 'false'
    return BridgeChange(0.0, status.hardware_id.strip('/'), said['state'], status.message, stands)
