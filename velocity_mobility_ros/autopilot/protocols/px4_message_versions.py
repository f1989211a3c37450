"""The formats of PX4's messages in each release, and whether those installed here are the same.

What is only read by name where it exists (FailsafeFlags, BatteryStatus) is not here.

PX4 tells the format of a message by a hash, from release 1.15 on.

It is that of a text with one line for each field, its type and its name as in the .msg file.
Constants are left out. After a field that is a message stand the lines of that message.
ROS does not tell ``char`` from ``uint8``; no message of the bridge has a ``char``.

Message by message PX4 is asked for it.

PX4 keeps one question and one answer at a time, and either may be lost: each question is asked
alone, and again until it is answered.
"""

import math
from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from velocity_mobility_ros.core.cdr_readers import MAX_PADDING

RELEASES = ('1.14', '1.15', '1.16', '1.17', '1.18')
"""Releases of px4_msgs that are known, the oldest first."""


class MessageFormat(NamedTuple):
    """A message as it is from a release on.

    Attributes:
        release: The first release that has it so.
        hash: PX4's hash of its fields.
        size: Bytes of a serialized one, the header included.
        version: MESSAGE_VERSION; 0: none.
    """

    release: str
    hash: int
    size: int
    version: int = 0


FORMATS = {
    'OffboardControlMode': (
        MessageFormat('1.14', 1507638707, 18), MessageFormat('1.15', 804464992, 19),
    ),
    'TrajectorySetpoint': (MessageFormat('1.14', 4128550110, 68),),
    'VehicleCommand': (
        MessageFormat('1.14', 675022596, 58), MessageFormat('1.15', 3416593583, 60),
    ),
    'VehicleCommandAck': (
        MessageFormat('1.14', 3641556131, 27), MessageFormat('1.15', 2759281150, 29),
        MessageFormat('1.18', 2759281150, 29, 1),
    ),
    'VehicleOdometry': (MessageFormat('1.14', 988836982, 118),),
    'VehicleLocalPosition': (
        MessageFormat('1.14', 4026122153, 188), MessageFormat('1.15', 736672950, 204),
        MessageFormat('1.16', 1363268343, 220), MessageFormat('1.17', 1363268343, 220, 1),
    ),
    'VehicleStatus': (
        MessageFormat('1.14', 2931760075, 75), MessageFormat('1.15', 2761066062, 86),
        MessageFormat('1.16', 4151966309, 84, 1), MessageFormat('1.18', 1408120441, 87, 4),
    ),
    'TimesyncStatus': (MessageFormat('1.14', 3493470941, 48),),
    'VehicleLandDetected': (MessageFormat('1.14', 1278272063, 24),),
}  # fmt: skip
"""What each message has been since when, as in the branches of px4_msgs."""


def format_of(message: str, release: str) -> MessageFormat:
    """Return a message of ``FORMATS`` as a release has it."""
    return [entry for entry in FORMATS[message] if entry.release <= release][-1]


def matching(
    fields: Mapping[str, Mapping[str, str]], versions: Mapping[str, int]
) -> tuple[str, ...]:
    """Return the releases that installed messages belong to, the oldest first; none: unknown.

    Args:
        fields: Type by name of the fields, as ROS names types, by message.
        versions: MESSAGE_VERSION by message; 0 for those without.
    """
    known = {
        name: (message_hash(name, fields), versions.get(name, 0))
        for name in fields.keys() & FORMATS.keys()
    }
    return tuple(
        release
        for release in RELEASES
        if all(
            (entry.hash, entry.version) == installed
            for name, installed in known.items()
            for entry in [format_of(name, release)]
        )
    )


def releases_of_size(name: str, size: int) -> tuple[str, ...]:
    """Return the releases in which a message has a size, the oldest first.

    Args:
        name: The message.
        size: Bytes of a serialized one.
    """
    return tuple(
        release
        for release in RELEASES
        if name in FORMATS and 0 <= size - format_of(name, release).size <= MAX_PADDING
    )


MSG_NAMES = {'float': 'float32', 'double': 'float64', 'boolean': 'bool'}
"""Type in a .msg file by its name in ROS, where they differ."""

OFFSET_BASIS, PRIME, LIMIT = 0x811C9DC5, 0x01000193, 1 << 32
"""Of the FNV-1a hash with 32 bits."""


def message_hash(message: str, fields: Mapping[str, Mapping[str, str]]) -> int:
    """Return the hash of a message.

    Args:
        message: Its name, such as ``VehicleStatus``.
        fields: Type by name of the fields, as ROS names types, by message; with those of
            messages inside.

    Raises:
        KeyError: The fields of a message are missing.
    """
    return fnv1a(''.join(_lines(message, fields)).encode())


def fnv1a(data: bytes) -> int:
    """Return the FNV-1a hash with 32 bits."""
    number = OFFSET_BASIS
    for byte in data:
        number = (number ^ byte) * PRIME % LIMIT
    return number


def _lines(message: str, fields: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for name, kind in fields[message].items():
        package, _, bare = kind.rpartition('/')
        base, bracket, length = bare.partition('[')
        yield f'{MSG_NAMES.get(base, base)}{bracket}{length} {name}\n'
        if package:
            yield from _lines(base, fields)


AGAIN = 0.2
"""Time after which a question without an answer is followed by the next one [s]."""

PATIENCE = 2.0
"""Time without any answer after which the vehicle may fly unchecked [s]."""

SELDOM = 1.0
"""Time between two questions from then on [s]."""


class InstalledMessage(NamedTuple):
    """An installed message, and the hash of its fields."""

    message: str
    hash: int


class FormatCheck:
    """Asks for the formats of all messages.

    Attributes:
        fault: The first message that differs; empty: none. It stays.
        compared: How many messages are known to be the same.
        is_given_up: Whether nothing was answered for too long; late answers count all the same.
    """

    def __init__(self, expected: Mapping[str, InstalledMessage]) -> None:
        """Start with all questions open.

        Args:
            expected: What is installed by topic, as PX4 names it: ``/fmu/out/vehicle_status``,
                with neither namespace nor version.
        """
        self.fault, self.compared, self.is_given_up = '', 0, False
        self._expected, self._open = expected, deque(expected)
        self._asked, self._heard = -math.inf, math.inf

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to ask."""
        return not self._open or bool(self.fault)

    @property
    def waits(self) -> str:
        """Why the answer of a vehicle is still waited for; empty if it is not."""
        if self.is_done or self.is_given_up or math.isinf(self._heard):
            return ''
        return 'PX4 is asked for the formats of its messages'

    @property
    def description(self) -> str:
        """How many of the messages were compared."""
        return f'{self.compared} of {len(self._expected)}'

    def question(self, now: float) -> str:
        """Return the topic to ask for now; empty: none.

        Args:
            now: Monotonic time since the vehicle is heard [s].
        """
        if self.is_done:
            return ''
        self._heard = min(self._heard, now)
        self.is_given_up = self.is_given_up or now - self._heard >= PATIENCE
        if now - self._asked < (SELDOM if self.is_given_up else AGAIN):
            return ''
        self._asked = now
        self._open.rotate(-1)
        return self._open[-1]

    def answer(self, topic: str, hash_value: int | None, now: float) -> None:
        """Take an answer, also to a question of another node.

        Args:
            topic: The topic in the question.
            hash_value: The hash; None: PX4 knows no such topic, or another protocol.
            now: Monotonic time [s].
        """
        if topic not in self._open:
            return
        self._open.remove(topic)
        self._asked, self._heard = -math.inf, now
        expected = self._expected[topic]
        if hash_value == expected.hash:
            self.compared += 1
        elif hash_value is not None:
            self.fault = self.fault or difference(expected.message)


def difference(message: str) -> str:
    """Return the fault of a message that differs, with the remedy."""
    return (
        f'px4_msgs/{message} differs from that of the firmware: build the branch of px4_msgs that '
        'belongs to the firmware, or for a firmware of your own px4_msgs from its msg folder'
    )
