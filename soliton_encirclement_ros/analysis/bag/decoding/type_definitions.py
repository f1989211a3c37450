"""Definitions of message types: ROS' own from the library, others from the bag."""

from typing import Any

from rosbags.interfaces import Nodetype
from rosbags.interfaces.typing import Typesdict
from rosbags.typesys import Stores, get_types_from_idl, get_types_from_msg, get_typestore

from soliton_encirclement_ros.analysis.bag.decoding.px4_definitions import px4_definition
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Channel


class Types:
    """All known definitions."""

    def __init__(self) -> None:
        """Start with those of ROS; the parts in use are the same from Humble to Kilted."""
        self.known: Typesdict = dict(get_typestore(Stores.LATEST).fielddefs)
        self._tried: set[tuple[str, str]] = set()
        self.problems: dict[str, str] = {}
        self.assumed: dict[str, str] = {}

    def learn(self, channel: Channel, size: int) -> bool:
        """Add the definition of a channel's type from the bag if ROS has none; return if known.

        Args:
            channel: With the definition; without, PX4's types are known by their length.
            size: That of its first message [bytes].
        """
        tried = (channel.type, channel.definition)
        if channel.type in self.known or tried in self._tried:
            return channel.type in self.known
        self._tried.add(tried)
        if not channel.definition:
            release, text = px4_definition(channel.type, size)
            if not release:
                self.problems[channel.type] = _undefined(channel.type)
                return False
            self.assumed[channel.type] = release
            channel = channel._replace(definition=text, encoding='ros2msg')
        try:
            found = self._checked(_parsed(channel))
        except Exception as error:
            reason = ' '.join(str(error).split())[:100]
            self.problems[channel.type] = f'its definition in the bag makes no sense: {reason}'
            return False
        self.known.update(found)
        return channel.type in self.known

    def _checked(self, found: Typesdict) -> Typesdict:
        """Return new definitions, if they are plausible: a damaged one may look valid."""
        new = {name: definition for name, definition in found.items() if name not in self.known}
        for name, (_, fields) in new.items():
            names = [field for field, _ in fields]
            if len(set(names)) < len(names):
                raise ValueError(f'{name} has a field twice')
            for kind in filter(None, (_inner(definition) for _, definition in fields)):
                if kind not in self.known and kind not in new:
                    raise ValueError(f'{name} is made of {kind}, which is not defined')
        return new


def _undefined(kind: str) -> str:
    package = kind.partition('/')[0]
    return ('its definition is not in the bag: convert the bag to mcap where '
            f'{package} is installed (ros2 bag convert)')  # fmt: skip


def _parsed(channel: Channel) -> Typesdict:
    if channel.encoding == 'ros2idl':
        return get_types_from_idl(channel.definition)
    return get_types_from_msg(channel.definition, channel.type)


def _inner(definition: Any) -> str:
    """Return the name of the type that a field is made of, empty for numbers and texts."""
    node, content = definition
    if node in (Nodetype.ARRAY, Nodetype.SEQUENCE):
        node, content = content[0]
    return str(content) if node == Nodetype.NAME else ''
