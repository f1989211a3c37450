"""A program that describes the px4_msgs it finds: fields, sizes on the wire, constants."""

import json

import px4_msgs
import px4_msgs.msg
from rclpy.serialization import serialize_message

CDR_HEADER = 4
"""Bytes before a message's first field."""


def described(kind: type) -> dict[str, object]:
    """Return what a class of messages is like."""
    constants = {
        name: getattr(kind, name)
        for name in dir(kind)
        if name.isupper() and isinstance(getattr(kind, name), int)
    }
    return {
        'fields': kind.get_fields_and_field_types(),
        'size': len(serialize_message(kind())) - CDR_HEADER,
        'constants': constants,
    }


if __name__ == '__main__':
    kinds = {name: kind for name, kind in vars(px4_msgs.msg).items() if isinstance(kind, type)}
    print(json.dumps({name: described(kind) for name, kind in kinds.items()}))
