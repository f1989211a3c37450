"""Definitions of message types: ROS' own from the library, others from the bag."""

from rosbags.interfaces.typing import Typesdict
from rosbags.typesys import Stores, get_types_from_idl, get_types_from_msg, get_typestore

from soliton_encirclement_ros.analysis.bag.raw import Channel


class Types:
    """All definitions that are known so far."""

    def __init__(self) -> None:
        """Begin with those of ROS; what is used of them is the same from Humble to Kilted."""
        self.known: Typesdict = dict(get_typestore(Stores.LATEST).fielddefs)
        self._tried: set[tuple[str, str]] = set()
        self.problems: dict[str, str] = {}

    def learn(self, channel: Channel) -> bool:
        """Take the definition of a channel's type from the bag if ROS has none; say if known."""
        tried = (channel.type, channel.definition)
        if channel.type in self.known or tried in self._tried:
            return channel.type in self.known
        self._tried.add(tried)
        if not channel.definition:
            self.problems[channel.type] = 'its definition is not in the bag'
            return False
        parse = get_types_from_idl if channel.encoding == 'ros2idl' else get_types_from_msg
        try:
            if parse is get_types_from_msg:
                found = get_types_from_msg(channel.definition, channel.type)
            else:
                found = get_types_from_idl(channel.definition)
        except Exception as error:
            reason = ' '.join(str(error).split())[:100]
            self.problems[channel.type] = f'its definition in the bag cannot be read: {reason}'
            return False
        for name, definition in found.items():
            self.known.setdefault(name, definition)
        return channel.type in self.known
