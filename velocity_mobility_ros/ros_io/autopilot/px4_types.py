"""The installed px4_msgs: their classes, and the release of PX4 to which they belong."""

import importlib
from types import ModuleType

from velocity_mobility_ros.autopilot.px4.definitions import RELEASES, matching
from velocity_mobility_ros.autopilot.px4.topics import (
    MESSAGES_IN,
    MESSAGES_OF_FORMAT,
    MESSAGES_OUT,
)
from velocity_mobility_ros.core.errors import StartupError

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
        self.versions = {name: version_of(one) for name, one in self.classes.items()}
        self.fields: dict[str, dict[str, str]] = {
            name: one.get_fields_and_field_types() for name, one in self.classes.items()
        }
        self.releases = matching(
            {name: tuple(found) for name, found in self.fields.items()}, self.versions
        )

    @property
    def in_words(self) -> str:
        """The releases to which they belong."""
        return ' or '.join(self.releases) or 'of an unknown release'

    @property
    def trouble(self) -> str:
        """That the messages belong to no known release; empty if they do."""
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
