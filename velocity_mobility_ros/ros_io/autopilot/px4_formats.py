"""Asks a PX4 for the formats of its messages, and compares the installed ones with them.

PX4 looks for the last part of the name that it is asked for among its own topics, which have no
version in their names.
"""

import time
from collections.abc import Mapping

from velocity_mobility_ros.autopilot.px4.format_check import Expected, FormatCheck
from velocity_mobility_ros.autopilot.px4.message_format import message_hash
from velocity_mobility_ros.autopilot.px4.topics import (
    MESSAGES_OF_FORMAT,
    REQUEST,
    RESPONSE,
    topic_name,
)
from velocity_mobility_ros.core.fixed_layout import FixedLayout
from velocity_mobility_ros.ros_io.autopilot.px4_types import Px4Types
from velocity_mobility_ros.ros_io.endpoints import make_publisher
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.qos import AUTOPILOT_ANSWERS, AUTOPILOT_STREAM

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
        self._logger, self._is_told = node.get_logger(), False
        is_able = all(name in types.classes for name in MESSAGES_OF_FORMAT.values())
        self._check = FormatCheck({
            topic_name('', direction, topic, 0): Expected(name, message_hash(name, types.fields))
            for (direction, topic), name in messages.items()
            if is_able
        })  # fmt: skip
        if is_able:
            self._open(node, namespace, types)

    @property
    def trouble(self) -> str:
        """That an installed message differs; empty: none is known to."""
        return self._check.trouble

    @property
    def waits(self) -> str:
        """That a vehicle which is heard is not to be flown yet, in words; empty: it may be."""
        return self._check.waits

    @property
    def in_words(self) -> str:
        """How many of the messages were compared."""
        return self._check.in_words

    def step(self) -> None:
        """Take the answers that have arrived, and ask what is to be asked now.

        To be called while the vehicle is heard; time runs as on the wall, since PX4 answers so.
        """
        if self._check.is_done:
            return
        now = time.monotonic()
        for data in self._arrived():
            self._take(data, now)
        topic = self._check.question(now)
        if topic:
            self._ask(topic)
        if self._check.is_given_up and not self._is_told:
            self._is_told = True
            self._logger.info(NO_ANSWER.format(self._check.in_words))

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
        found = self._reader.read(data) if self._reader.fits(data) else None
        if found is None:
            return
        topic = bytes(found.topic_name).partition(b'\0')[0].decode('ascii', 'replace')
        is_known = found.success and found.protocol_version == PROTOCOL
        self._check.answer(topic, found.message_hash if is_known else None, now)
