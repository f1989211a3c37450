"""Reads serialized messages of one type by layouts that are learnt from the messages themselves.

A message with a new layout is deserialized by ROS, which also refuses what is malformed. All
further ones like it are compared with the layout and read without message objects.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from rclpy.serialization import deserialize_message

from velocity_mobility_ros.core.cdr import BILLION, first_nanosec, is_plain
from velocity_mobility_ros.core.message_layout import MessageLayout, Shape
from velocity_mobility_ros.ros_io.messages import MalformedMessageError

MAX_LAYOUTS = 1024
"""Layouts kept at most; senders repeat theirs, and a stranger must not fill the memory."""

MAX_SHAPES = 8
"""Shapes kept of messages of one length, at most: a message is compared with each of them."""

Texts = TypeVar('Texts')


def deserialized(data: bytes, kind: type) -> Any:
    """Return a message of a class.

    Raises:
        MalformedMessageError: It is no message of this class.
    """
    try:
        return deserialize_message(data, kind)
    except Exception as error:
        raise MalformedMessageError(f'{len(data)} bytes are no {kind.__name__}') from error


class Known(NamedTuple, Generic[Texts]):
    """A layout, and what its messages have in common."""

    layout: MessageLayout
    texts: Texts


_SameShape = dict[tuple[bytes, ...], Known[Any]]
"""Layouts that differ only in their texts, by these."""


class SerializedReader(Generic[Texts]):
    """Reads messages of one type."""

    def __init__(
        self, kind: type, fields: Sequence[int], texts_of: Callable[[Any], Texts]
    ) -> None:
        """Begin without a layout.

        Args:
            kind: Class of the messages.
            fields: What follows their stamp, as ``MessageLayout`` has it.
            texts_of: Returns what messages of one layout have in common.
        """
        self._kind = kind
        self._fields = fields
        self._texts_of = texts_of
        self._known: dict[int, dict[Shape, _SameShape]] = {}
        self._count = 0

    def find(self, data: bytes) -> Known[Texts] | None:
        """Return the known layout of a message with a sound stamp, if there is one."""
        shapes = self._known.get(len(data))
        if shapes is None or first_nanosec(data) >= BILLION:
            return None
        for shape, by_texts in shapes.items():
            texts = tuple([data[start:end] for start, end in shape.constant])
            known = by_texts.get(texts)
            if known is not None:
                return known
            known = by_texts.get(shape.texts(shape.cleaned(data)))
            if known is not None:
                self._keep(data, texts, known)  # a sender's padding is mostly always the same
                return known
        return None

    def learn(self, data: bytes) -> Any:
        """Deserialize a message without a known layout, and keep its layout.

        Raises:
            MalformedMessageError: It is no message of this type, or its stamp is no time.
        """
        message = deserialized(data, self._kind)
        nanosec = message.header.stamp.nanosec
        if nanosec >= BILLION:
            raise MalformedMessageError(
                f'header.stamp.nanosec = {nanosec} must be below {BILLION}: the sender has to '
                'carry whole seconds into sec'
            )
        if is_plain(data):
            layout = MessageLayout(data, self._fields)
            self._keep(data, layout.texts, Known(layout, self._texts_of(message)))
        return message

    def _keep(self, data: bytes, texts: tuple[bytes, ...], known: Known[Texts]) -> None:
        if self._count >= MAX_LAYOUTS:
            self._known.clear()
            self._count = 0
        shapes = self._known.setdefault(len(data), {})
        if len(shapes) >= MAX_SHAPES and known.layout.shape not in shapes:
            self._count -= sum(map(len, shapes.values()))
            shapes.clear()
        shapes.setdefault(known.layout.shape, {})[texts] = known
        self._count += 1
