"""PX4's messages from and to bytes.

They hold numbers only, so that each has a size by which the messages of another release are known.
What comes often is read without message objects, what goes out is written without them.
"""

from typing import Any

from rclpy.serialization import deserialize_message

from velocity_mobility_ros.autopilot.px4.definitions import releases_of_size
from velocity_mobility_ros.autopilot.px4.reading import (
    BATTERY_FIELDS,
    LOCAL_POSITION_FIELDS,
    ODOMETRY_FIELDS,
)
from velocity_mobility_ros.autopilot.px4.topics import MESSAGES_IN, MESSAGES_OUT
from velocity_mobility_ros.autopilot.px4.writing import Fields
from velocity_mobility_ros.core.fixed_layout import FixedLayout
from velocity_mobility_ros.ros_io.autopilot.px4_types import Px4Types
from velocity_mobility_ros.ros_io.messages import MalformedMessageError

OFTEN = {
    'vehicle_local_position': LOCAL_POSITION_FIELDS,
    'vehicle_odometry': ODOMETRY_FIELDS,
    'battery_status': BATTERY_FIELDS,
}
"""Fields that are read, by topic, where there are up to 100 messages a second."""


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
            topic: FixedLayout(types.fields[name], OFTEN.get(topic))
            for topic, name in known.items()
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
            MalformedMessageError: It has not the size of the installed message.
        """
        reader, name = self._readers[topic], MESSAGES_OUT[topic]
        if not reader.fits(data):
            raise MalformedMessageError(self._misfit(name, len(data), reader.size))
        found = reader.read(data) if topic in OFTEN else None
        return deserialize_message(data, self._types.classes[name]) if found is None else found

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
            f'({self._types.in_words}) {expected}: install the branch of px4_msgs that belongs to '
            'its firmware'
        )
