"""What the bridges to autopilots did while a bag was recorded, from their ``bridge_state``.

A bridge repeats its state twice a second, on a topic of its own, on one of the swarm, or on both;
each is kept once, with the reason that came with it.
"""

import struct

import numpy as np
from velocity_mobility_ros.core.cdr import CdrCursor, is_plain
from velocity_mobility_ros.ros_io.vehicle_topics import BRIDGE_STATE

from soliton_encirclement_ros.analysis.bag.assembly.clocks import SECOND, Clock
from soliton_encirclement_ros.analysis.bag.decoding.serialized_status import read_status
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import MessageBatch
from soliton_encirclement_ros.analysis.recording import BridgeChange

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
