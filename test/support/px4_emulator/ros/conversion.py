"""The emulator's messages, which have the fields of all releases, as those of px4_msgs."""

import importlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

KINDS: dict[str, Callable[[Any], Any]] = {
    'boolean': bool,
    'float': float,
    'double': float,
}
"""Python type by ROS type; all others are integers, or arrays of numbers."""


def message_class(topic: str) -> type | None:
    """Return the class of a topic's messages, None if px4_msgs has it not."""
    return getattr(importlib.import_module('px4_msgs.msg'), topic.title().replace('_', ''), None)


class Converter:
    """Makes messages of a class; what the emulator does not know stays 0."""

    def __init__(self, kind: type) -> None:
        self._kind = kind
        self._fields: list[tuple[str, Callable[[Any], Any]]] | None = None

    def __call__(self, message: SimpleNamespace) -> Any:
        """Return a message."""
        if self._fields is None:
            self._fields = [
                (name, list if '[' in kind else KINDS.get(kind, int))
                for name, kind in self._kind.get_fields_and_field_types().items()
                if hasattr(message, name)
            ]
        made = self._kind()
        for name, convert in self._fields:
            setattr(made, name, convert(getattr(message, name)))
        return made
