"""Orders of the emergency stop while a bag was recorded, from ``swarm/stop``.

Every member repeats the orders that it knows, so an order counts once, when it was first logged.
"""

from collections.abc import Callable, Iterator

import numpy as np

from soliton_encirclement_ros.analysis.bag.assembly.clocks import SECOND, Clock
from soliton_encirclement_ros.analysis.bag.decoding.field_layout import LayoutError, layout_of
from soliton_encirclement_ros.analysis.bag.decoding.type_definitions import Types
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import MessageBatch
from soliton_encirclement_ros.analysis.recording import StopChange
from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.states.swarm_topics import STOP
from soliton_encirclement_ros.core.stop.stop_order import StopOrder
from soliton_encirclement_ros.core.stop.stop_words import order_of, read_word

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
