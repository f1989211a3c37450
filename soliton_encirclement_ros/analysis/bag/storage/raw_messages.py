"""Serialized messages of a bag, many at once: a buffer, and the start of each message."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]

CDR = 'cdr'
"""The only supported serialization."""


class Channel(NamedTuple):
    """A topic as one file of a bag declares it.

    Attributes:
        topic: With its slashes.
        type: As ``nav_msgs/msg/Odometry``.
        definition: Text of the type's definition, empty where the bag has none.
        encoding: ``ros2msg`` or ``ros2idl``: the language of that text.
        serialization: ``cdr``, or something that cannot be read.
        digest: Hash of the type's definition (``RIHS01_...``), empty where the bag has none.
    """

    topic: str
    type: str
    definition: str = ''
    encoding: str = ''
    serialization: str = CDR
    digest: str = ''


class MessageBatch(NamedTuple):
    """Messages of one channel, in the order of the file.

    Attributes:
        channel: Whose messages.
        logged: Reception times of the recorder [ns], (M,).
        buffer: Buffer that contains them.
        starts: Where each begins in the buffer, (M,).
        sizes: Bytes of each, (M,).
    """

    channel: Channel
    logged: Integers
    buffer: Bytes
    starts: Integers
    sizes: Integers


class Storage(Protocol):
    """A file of a bag.

    Attributes:
        problems: What could not be read so far, one line each.
        declared: Names and types of its topics, also of those without messages, once it is read.
    """

    @property
    def problems(self) -> list[str]:
        """Return the lines."""

    @property
    def declared(self) -> set[tuple[str, str]]:
        """Return the topics."""

    def batches(self) -> Iterator[MessageBatch]:
        """Iterate over all complete messages; incomplete ones become problems."""


def rooted(topic: str) -> str:
    """Return a topic's name with the slash in front that some recorders leave out."""
    return topic if topic.startswith('/') else f'/{topic}'
