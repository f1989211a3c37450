"""The installed px4_msgs: their classes and release, their formats, from and to bytes.

They hold numbers only, so that each has a size by which the messages of another release are known.
What comes often is read without message objects, what goes out is written without them.

A PX4 is asked for the formats of its messages, and the installed ones are compared with them. It
looks for the last part of the name that it is asked for among its own topics, which have no
version in their names.
"""

import importlib
import time
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from velocity_mobility_ros.autopilot.protocols.px4_message_versions import (
    RELEASES, FormatCheck, InstalledMessage, matching, message_hash, releases_of_size
)
from velocity_mobility_ros.autopilot.protocols.px4_requests import (
    MESSAGES_IN, MESSAGES_OF_FORMAT, MESSAGES_OUT, REQUEST, RESPONSE, Fields, topic_name
)
from velocity_mobility_ros.core.cdr_readers import FixedLayout
from velocity_mobility_ros.core.user_errors import MalformedMessageError, StartupError
from velocity_mobility_ros.ros_io.endpoints import (
    AUTOPILOT_ANSWERS, AUTOPILOT_STREAM, make_publisher
)
from velocity_mobility_ros.ros_io.polling import PollingNode, deserialized

MISSING = (
    'px4_msgs is not installed ({}): build the branch of github.com/PX4/px4_msgs that belongs to '
    'the firmware, such as release/1.17, in a workspace and source it'
)


class Px4Types:
    """Message classes.

    Attributes:
        classes: Class by name of the message; only those that the release has.
        fields: Type by name of their fields, in their order, by name of the message.
        versions: MESSAGE_VERSION by name; 0: the release has none.
        releases: The releases to which they belong, the oldest first; empty: unknown.
    """

    def __init__(self, module: ModuleType) -> None:
        """Look at the messages.

        Args:
            module: ``px4_msgs.msg``.

        Raises:
            StartupError: A needed message is not there.
        """
        names = (
            name
            for topics in (MESSAGES_IN, MESSAGES_OUT, MESSAGES_OF_FORMAT)
            for name in topics.values()
        )
        self.classes: dict[str, type] = {
            name: getattr(module, name) for name in names if hasattr(module, name)
        }
        for name in MESSAGES_IN.values():
            if name not in self.classes:
                raise StartupError(f'px4_msgs has no message {name}; install it anew')
        self.versions = {name: version_of(kind) for name, kind in self.classes.items()}
        self.fields: dict[str, dict[str, str]] = {
            name: kind.get_fields_and_field_types() for name, kind in self.classes.items()
        }
        self.releases = matching(self.fields, self.versions)

    @property
    def description(self) -> str:
        """The releases to which they belong."""
        return ' or '.join(self.releases) or 'of an unknown release'

    @property
    def fault(self) -> str:
        """Fault of messages that belong to no known release; empty without one."""
        if self.releases:
            return ''
        return (
            f'px4_msgs belongs to no known release of PX4 ({RELEASES[0]} to {RELEASES[-1]}): '
            'install the branch of the firmware, or set allow_unknown_px4_msgs'
        )


def version_of(kind: type) -> int:
    """Return the version of a message, which is part of the name of its topic."""
    return int(getattr(kind, 'MESSAGE_VERSION', 0))


def installed_px4_types() -> Px4Types:
    """Return the installed messages.

    Raises:
        StartupError: There are none.
    """
    try:
        module = importlib.import_module('px4_msgs.msg')
    except ImportError as error:
        raise StartupError(MISSING.format(error)) from None
    return Px4Types(module)


OFTEN = ('vehicle_local_position', 'vehicle_odometry', 'battery_status')
"""Topics that are read without message objects: up to 100 messages a second."""


class Px4Messages:
    """Messages of the installed px4_msgs."""

    def __init__(self, types: Px4Types) -> None:
        """Find the places of all fields.

        Args:
            types: The installed messages.
        """
        self._types = types
        known = {topic: name for topic, name in MESSAGES_OUT.items() if name in types.classes}
        self._readers = {
            topic: FixedLayout(types.fields[name]) for topic, name in known.items()
        }
        self._writers = {
            topic: FixedLayout(types.fields[name]) for topic, name in MESSAGES_IN.items()
        }

    def read(self, topic: str, data: bytes) -> Any:
        """Return a message from PX4: an object with the fields that are used.

        Args:
            topic: Its topic, without namespace and suffix.
            data: The message.

        Raises:
            MalformedMessageError: It has not the size of the installed message, or is damaged.
        """
        reader, name = self._readers[topic], MESSAGES_OUT[topic]
        if not reader.fits(data):
            raise MalformedMessageError(self._misfit(name, len(data), reader.size))
        message = reader.read(data) if topic in OFTEN else None
        return deserialized(data, self._types.classes[name]) if message is None else message

    def write(self, topic: str, fields: Fields) -> bytes:
        """Return a message to PX4.

        Args:
            topic: Its topic, without namespace.
            fields: Its fields.
        """
        return self._writers[topic].write(fields)

    def _misfit(self, name: str, size: int, expected: int) -> str:
        sent = ' or '.join(releases_of_size(name, size))
        guess = f', as in release {sent}' if sent else ''
        return (
            f'a {name} of the vehicle has {size} bytes{guess}, that of the installed px4_msgs '
            f'({self._types.description}) {expected}: install the branch of px4_msgs that belongs '
            'to its firmware'
        )


PROTOCOL = 1
"""The version of the questions and answers that is spoken here."""

NAME_SIZE = 50
"""Bytes of a topic's name in them; zeros follow the name."""

NO_ANSWER = (
    'PX4 does not tell the formats of its messages ({} compared): px4_msgs is checked by names of '
    'topics, sizes and first values only'
)


class Px4Formats:
    """The formats of one vehicle's messages.

    Without the messages for it, as in release 1.14, nothing is asked.

    Attributes:
        check: What was asked, and what the answers say.
    """

    def __init__(
        self,
        node: PollingNode,
        namespace: str,
        types: Px4Types,
        messages: Mapping[tuple[str, str], str],
    ) -> None:
        """Open the topics, if they are installed.

        Args:
            node: The node.
            namespace: PX4's own.
            types: The installed messages.
            messages: Message by direction (``in`` or ``out``) and topic.
        """
        self._logger, self._is_logged = node.get_logger(), False
        is_able = all(name in types.classes for name in MESSAGES_OF_FORMAT.values())
        self.check = FormatCheck({
            topic_name('', direction, topic, 0):
                InstalledMessage(name, message_hash(name, types.fields))
            for (direction, topic), name in messages.items() if is_able
        })  # fmt: skip
        if is_able:
            self._open(node, namespace, types)

    def step(self) -> None:
        """Read the answers, and send the next question if it is due.

        To be called while the vehicle is heard; time runs as on the wall, since PX4 answers so.
        """
        if self.check.is_done:
            return
        now = time.monotonic()
        for data in self._arrived():
            self._take(data, now)
        topic = self.check.question(now)
        if topic:
            self._ask(topic)
        if self.check.is_given_up and not self._is_logged:
            self._is_logged = True
            self._logger.info(NO_ANSWER.format(self.check.description))

    def _open(self, node: PollingNode, namespace: str, types: Px4Types) -> None:
        question, answer = MESSAGES_OF_FORMAT[REQUEST], MESSAGES_OF_FORMAT[RESPONSE]
        self._writer = FixedLayout(types.fields[question])
        self._reader = FixedLayout(types.fields[answer])
        self._sender = make_publisher(
            node, types.classes[question], topic_name(namespace, 'in', REQUEST, 0),
            AUTOPILOT_STREAM,
        )  # fmt: skip
        self._arrived = node.poll(
            types.classes[answer], topic_name(namespace, 'out', RESPONSE, 0), AUTOPILOT_ANSWERS
        )

    def _ask(self, topic: str) -> None:
        self._sender.publish(self._writer.write({
            'timestamp': 0, 'protocol_version': PROTOCOL,
            'topic_name': topic.encode().ljust(NAME_SIZE, b'\0'),
        }))  # fmt: skip

    def _take(self, data: bytes, now: float) -> None:
        response = self._reader.read(data) if self._reader.fits(data) else None
        if response is None:
            return
        topic = bytes(response.topic_name).partition(b'\0')[0].decode('ascii', 'replace')
        is_known = response.success and response.protocol_version == PROTOCOL
        self.check.answer(topic, response.message_hash if is_known else None, now)
