"""The bag of a recorder from its first message to its end, also an end by a full disk."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

from soliton_encirclement_ros.nodes.message_types import definition
from soliton_encirclement_ros.nodes.recorder.topic_counters import TopicCounters


class Recording:
    """A bag that counts what it holds; a write error ends it and keeps what is written."""

    def __init__(self, folder: Path, bag: Any, report: Callable[[str], None]) -> None:
        """Begin to write.

        Args:
            folder: The bag's folder, as errors name it.
            bag: Writer of the bag.
            report: Takes every line for the user.
        """
        self._folder = folder
        self._report = report
        self._connections: dict[str, Any] = {}
        self._size = self._messages = 0
        self._bag = bag
        self.tallies: dict[str, TopicCounters] = {}
        self.begun: float | None = None
        self.complete = True

    @property
    def is_open(self) -> bool:
        """Whether messages are still written."""
        return self._bag is not None

    @property
    def progress(self) -> int:
        """A number that grows with every message written, 0 after the end."""
        return self._bag.messages if self._bag else 0

    @property
    def messages(self) -> int:
        """How many messages the bag holds, also after its end."""
        return self._bag.messages if self._bag else self._messages

    @property
    def bytes(self) -> int:
        """Size of the bag [bytes]."""
        return self._bag.bytes if self._bag else self._size

    def learn(self, kind: str) -> bool:
        """Add a type to the bag; return whether its definition is known."""
        return self._bag.learn(kind, definition)

    def add_topic(self, topic: str, kind: str, profile: QoSProfile) -> None:
        """Add a topic to the bag."""
        self.tallies[topic] = TopicCounters(topic, kind)
        self._connections[topic] = self._bag.add_topic(
            topic,
            kind,
            reliable=profile.reliability == ReliabilityPolicy.RELIABLE,
            latched=profile.durability == DurabilityPolicy.TRANSIENT_LOCAL,
            depth=profile.depth,
        )

    def write(self, topic: str, log_ns: int, at_ns: int | None, data: bytes) -> None:
        """Write a message, unless the bag has ended.

        Args:
            topic: Its topic.
            log_ns: Time at which it is logged [ns].
            at_ns: Its stamp [ns], None if it has none.
            data: The serialised message.
        """
        if self._bag is None:
            return
        self.begun = time.monotonic() if self.begun is None else self.begun
        self.tallies[topic].add(log_ns, at_ns, len(data))
        self._try(partial(self._bag.write, self._connections[topic], log_ns, data))

    def keep(self) -> None:
        """Check that the bag is still there."""
        if self._bag is not None:
            self._try(self._bag.keep)

    def _try(self, write: Callable[[], None]) -> None:
        """Write; on an error stop recording, keep what is written, let the run continue."""
        try:
            write()
        except OSError as error:
            self.complete = False
            index = '' if self._end() is None else ', but it has no index'
            self._report(
                f'{self._folder}: {error.strerror}; recording stopped, '
                f'everything before is kept{index}'
            )

    def close(self) -> None:
        """Finish the bag."""
        reason = self._end()
        if reason is not None:
            self.complete = False
            self._report(f'{self._folder}: the bag has no index: {reason}')

    def _end(self) -> str | None:
        """Close the bag, once; return why it has no index, None if it has one."""
        bag, self._bag = self._bag, None
        if bag is None:
            return None
        try:
            bag.close()
        except OSError as error:
            return error.strerror
        finally:
            self._size, self._messages = bag.bytes, bag.messages
            for topic, tally in self.tallies.items():
                tally.taken_back = tally.count - bag.counts[topic]
        return None
