"""What the bridges to autopilots did while a bag was recorded, from their ``bridge_state``.

A bridge repeats its state twice a second; each is kept once, with the reason that came with it.
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

Seen = tuple[int, str, str, str]
"""Log time [ns], namespace of the bridge, state and reason."""


def is_bridge_state(topic: str, type_name: str) -> bool:
    """Return whether a topic carries the state of a bridge."""
    return type_name == DIAGNOSTIC_STATUS and topic.endswith(f'/{BRIDGE_STATE}')


class BridgeStates:
    """Takes all messages of such topics."""

    def __init__(self) -> None:
        """Begin with none."""
        self._last: dict[str, str] = {}
        self._found: list[Seen] = []
        self._messages = self._odd = 0
        self._is_full = False

    def add(self, batch: MessageBatch) -> None:
        """Take a batch."""
        who = batch.channel.topic.removesuffix(BRIDGE_STATE).strip('/')
        for logged, start, size in zip(batch.logged, batch.starts, batch.sizes, strict=True):
            self._messages += 1
            try:
                data = batch.buffer[start : start + size].tobytes()
                self._keep(int(logged), who, *state_in(data))
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
        seen = clock.of_logged(np.array([one[0] for one in found], np.int64))
        times = ((seen - start_ns) / SECOND).tolist()
        return tuple(
            BridgeChange(time, *one[1:]) for time, one in zip(times, found, strict=True)
        )

    def _keep(self, logged: int, who: str, state: str, reason: str) -> None:
        if self._last.get(who) == state:
            return
        if len(self._found) >= MAX_CHANGES:
            self._is_full = True
            return
        self._last[who] = state
        self._found.append((logged, who, state, reason))


def state_in(data: bytes) -> tuple[str, str]:
    """Return the state and the reason in a serialized message of a bridge.

    Raises:
        struct.error: The bytes are no such message.
        UnicodeDecodeError: Neither, or not in UTF-8.
    """
    if not is_plain(data):
        raise struct.error('not announced as CDR')
    status = read_status(CdrCursor(data))
    if 'state' not in status.values:
        raise struct.error('no state')
    return status.values['state'], status.message
