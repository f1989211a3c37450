"""The bag of a recorder from its first message to its end, also an end by a full disk.

The log time of a message is the time of its arrival, or in simulated time that of its stamp; what
arrives before the simulated clock is known waits. If the clock of the computer is set, log times
go on as if it were not: a bag has one even time. Of every topic the number, size and times of its
messages are counted.
"""

import math
import os
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

from soliton_encirclement_ros.core.run.run_folder import bag_folders
from soliton_encirclement_ros.nodes.observers.recorder_parameters import RecorderParameters
from soliton_encirclement_ros.nodes.observers.topic_discovery import definition
from velocity_mobility_ros.core.user_errors import StartupError, shown


class TopicCounters:
    """Counts the messages of one topic."""

    def __init__(self, name: str, kind: str) -> None:
        """Start at nothing; ``kind`` is the type."""
        self.name, self.kind = name, kind
        self.count = 0
        self.taken_back = 0
        self.bytes = 0
        self.first_ns = 0
        self.last_ns = 0
        self.newest_ns = 0
        self.at_newest = 0

    def add(self, log_ns: int, stamp_ns: int | None, size: int) -> None:
        """Count a message.

        Args:
            log_ns: Time at which it is logged [ns].
            stamp_ns: Its own stamp [ns], None without one.
            size: Its length [bytes].
        """
        if self.count == 0:
            self.first_ns = log_ns
        self.last_ns = log_ns
        self.count += 1
        self.bytes += size
        if stamp_ns is not None and stamp_ns >= self.newest_ns:
            self.at_newest = self.at_newest + 1 if stamp_ns == self.newest_ns else 1
            self.newest_ns = stamp_ns

    @property
    def kept(self) -> int:
        """Number of messages in the bag; a full disk removes the last ones again."""
        return self.count - self.taken_back

    @property
    def rate(self) -> float:
        """Messages per second between the first and the last, NaN if undefined."""
        span = (self.last_ns - self.first_ns) / 1e9
        return (self.count - 1) / span if self.count > 1 and span > 0.0 else math.nan


class BagRecording:
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


MEGABYTE = 1_000_000


def bag_folder(settings: RecorderParameters) -> Path:
    """Return where to record: in a run's folder, beside the bags that are there."""
    if settings.bag:
        return Path(settings.bag).expanduser()
    places = bag_folders(Path(settings.run_folder).expanduser())
    return next(place for place in places if not os.path.lexists(place))


def create_bag(folder: Path, settings: RecorderParameters) -> Any:
    """Return the writer of a new bag.

    Args:
        folder: The bag's folder, which must not exist.
        settings: Where it is, size of its files, and whether to sync to disk.

    Raises:
        StartupError: rosbags is missing, or the bag cannot be created.
    """
    if os.path.lexists(folder):
        raise StartupError(
            f'bag = {shown(str(folder))} exists already: name a new folder, or set run_folder '
            'instead, in which a restarted recorder adds a bag to those that are there'
        )
    try:
        from soliton_encirclement_ros.core.bag_writer import BagWriter
    except ModuleNotFoundError:
        raise StartupError('recording needs rosbags: pip install rosbags') from None
    except ImportError as error:  # its internals are not those that were tried
        raise StartupError(f'recording needs another version of rosbags: {error}') from None
    try:
        size = int(settings.max_file_size * MEGABYTE)
        return BagWriter(folder, size or None, settings.durable)
    except Exception as error:
        reason = getattr(error, 'strerror', None) or str(error)
        raise StartupError(f'{folder}: cannot create the bag: {reason}') from None


LARGEST_SKEW_NS = 600_000_000_000
"""Distance [ns] from the simulated clock beyond which a stamp is ignored."""


class LogClock:
    """The clock of a bag."""

    def __init__(self, simulated: bool, join: bool) -> None:
        """Begin at 0 of simulated time.

        Args:
            simulated: Whether messages are logged in simulated time.
            join: Whether a simulation may be running already: time is unknown until ``/clock``,
                and may start again. Otherwise it only moves forward, and not by leaps.
        """
        self._simulated, self._join = simulated, join
        self._set_ns, self._is_being_set = 0, False
        self.now_simulated_ns = 0
        self.known = not join

    def receive(self, stamp_ns: int) -> int:
        """Store a time of ``/clock`` [ns]; return by how much time went back [ns]."""
        ahead_ns = stamp_ns - self.now_simulated_ns
        leaps = not self._join and not 0 <= ahead_ns <= LARGEST_SKEW_NS
        if stamp_ns < 0 or leaps:
            return 0
        back_ns = max(0, -ahead_ns) if self.known else 0
        self.now_simulated_ns, self.known = stamp_ns, True
        return back_ns

    def look(self, now_ns: Callable[[], int]) -> None:
        """Notice by ``now_ns`` whether the computer's clock was set, before messages are logged.

        Those that arrived between two looks around a step are logged at the present.
        """
        self._is_being_set = False
        now_ns()

    def move(self, step_ns: int) -> None:
        """Let log times go on evenly after a step of the computer's clock [ns]."""
        self._set_ns += step_ns
        self._is_being_set = True

    def now_ns(self) -> int:
        """Return the present time [ns]."""
        return self.now_simulated_ns if self._simulated else time.time_ns()

    def log_time_ns(self, stamp_ns: int | None, received_ns: int | None = None) -> int:
        """Return the log time of a message [ns]; with an implausible stamp it is the present.

        Args:
            stamp_ns: Its own stamp [ns], None without one.
            received_ns: When it was received [ns]; None: just now.
        """
        if not self._simulated:
            is_known = received_ns is not None and not self._is_being_set
            return (received_ns if is_known else self.now_ns()) - self._set_ns
        if stamp_ns is None or stamp_ns < 0:
            return self.now_ns()
        believable = abs(stamp_ns - self.now_simulated_ns) <= LARGEST_SKEW_NS
        return stamp_ns if believable else self.now_simulated_ns


LARGEST = 64_000_000
"""Maximum bytes; beyond, the oldest are dropped, but never latched messages."""


class Early(NamedTuple):
    """A message with its stamp [ns], None without one."""

    topic: str
    stamp_ns: int | None
    data: bytes


class PreclockBuffer:
    """A bounded store."""

    def __init__(self) -> None:
        """Begin empty."""
        self._latched: list[Early] = []
        self._others: deque[Early] = deque()
        self._bytes = 0
        self.left_out = 0

    def add(self, message: Early, latched: bool) -> None:
        """Store a message; ``latched`` ones are published once and are kept in any case."""
        if latched:
            self._latched.append(message)
            return
        self._others.append(message)
        self._bytes += len(message.data)
        while self._bytes > LARGEST:
            self._bytes -= len(self._others.popleft().data)
            self.left_out += 1

    def take(self) -> list[Early]:
        """Return all stored messages, latched ones first, and clear the buffer."""
        messages = [*self._latched, *self._others]
        self._latched, self._others, self._bytes = [], deque(), 0
        return messages
