"""With the px4_msgs of a release: what a bridge takes them for. Prints JSON, for a test.

    PYTHONPATH=... python -m support.autopilot.px4_probe

Random messages go through our reading and writing, and through those of ROS.
"""

import json
import math
import random
from typing import Any

from rclpy.serialization import deserialize_message, serialize_message

from velocity_mobility_ros.autopilot.autopilot_requests import Action, Setpoint, SetpointKind
from velocity_mobility_ros.autopilot.protocols import px4_reports
from velocity_mobility_ros.autopilot.protocols.px4_message_versions import message_hash
from velocity_mobility_ros.autopilot.protocols.px4_requests import (
    MESSAGES_IN, MESSAGES_OUT, Address, command_fields, heartbeat_fields, setpoint_fields
)
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.ros_io.autopilot.px4_types import (
    OFTEN, Px4Messages, Px4Types, installed_px4_types
)

ROUNDS = 20
READERS = {
    'vehicle_local_position': px4_reports.local_position,
    'vehicle_odometry': px4_reports.vehicle_odometry,
    'battery_status': px4_reports.battery,
}
WHOLE = {'boolean': (0, 1), 'uint8': (0, 255), 'int8': (-128, 127), 'uint16': (0, 65535)}


def drawn(kind: str, draws: random.Random) -> Any:
    """Return a random value of a type of ROS."""
    head, _, tail = kind.partition('[')
    if tail:
        return [drawn(head, draws) for _ in range(int(tail[:-1]))]
    if head in ('float', 'double'):
        return float(draws.choice((math.nan, math.inf, draws.uniform(-8, 8))))
    found = draws.randint(*WHOLE.get(head, (0, 2**31 - 1)))
    return bool(found) if head == 'boolean' else found


def random_message(kind: type, draws: random.Random) -> Any:
    """Return a message of a class with random values; an odometry has an attitude."""
    fields = kind.get_fields_and_field_types()
    message = kind(**{name: drawn(field, draws) for name, field in fields.items()})
    if 'q' in fields:
        message.q, message.pose_frame, message.velocity_frame = [0.5, -0.5, 0.5, 0.5], 1, 1
        message.position = message.velocity = message.angular_velocity = [1.0, 2.0, 3.0]
    return message


def plain(value: Any) -> Any:
    """Return a report as text, so that NaN equals NaN."""
    return repr(tuple(value)) if isinstance(value, tuple) else repr(value)


def read_as_ros_does(messages: Px4Messages, types: Px4Types, topic: str) -> bool:
    """Return whether random messages of a topic give the same reports both ways."""
    draws, kind = random.Random(topic), types.classes[MESSAGES_OUT[topic]]
    for _ in range(ROUNDS):
        data = bytes(serialize_message(random_message(kind, draws)))
        ours = READERS[topic](messages.read(topic, data), 1.5)
        ros = READERS[topic](deserialize_message(data, kind), 1.5)
        if plain(ours) != plain(ros):
            return False
    return True


def outgoing(types: Px4Types) -> dict[str, list[dict[str, Any]]]:
    """Return fields that a bridge sends, by topic."""
    names = tuple(types.fields['OffboardControlMode'])
    to = Address(2, 1, 191)
    return {
        'offboard_control_mode': [heartbeat_fields(kind, names) for kind in SetpointKind],
        'trajectory_setpoint': [
            setpoint_fields(Setpoint(SetpointKind.VELOCITY, (1.0, -2.0, 0.5), yaw=0.3)),
            setpoint_fields(Setpoint(SetpointKind.POSITION, (1.0, -2.0, 0.5), yaw_rate=0.3)),
        ],
        'vehicle_command': [command_fields(one, to) for one in (Action.LAND, Action.ARM)],
    }


def written_as_ros_does(messages: Px4Messages, types: Px4Types, topic: str) -> bool:
    """Return whether ROS reads in what is sent on a topic what was meant, and sends as much."""
    kind = types.classes[MESSAGES_IN[topic]]
    for fields in outgoing(types)[topic]:
        ours, ros = messages.write(topic, fields), serialize_message(kind(**fields))
        if len(ours) != len(ros):
            return False
        if repr(deserialize_message(ours, kind)) != repr(deserialize_message(ros, kind)):
            return False
    return True


def misfit(messages: Px4Messages, size: int) -> str:
    """Return what is said of a status of another size."""
    try:
        messages.read('vehicle_status', bytes(size))
    except MalformedMessageError as error:
        return str(error)
    return ''


def main() -> None:
    """Print all of it."""
    types = installed_px4_types()
    messages = Px4Messages(types)
    topics = [topic for topic in OFTEN if MESSAGES_OUT[topic] in types.classes]
    print(json.dumps({
        'releases': types.releases, 'fault': types.fault, 'versions': types.versions,
        'read': {topic: read_as_ros_does(messages, types, topic) for topic in topics},
        'written': {topic: written_as_ros_does(messages, types, topic) for topic in MESSAGES_IN},
        'misfit': misfit(messages, 40),
        'hashes': {name: message_hash(name, types.fields) for name in types.classes},
    }))  # fmt: skip


if __name__ == '__main__':
    main()
