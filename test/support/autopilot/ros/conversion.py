"""The emulators' messages, which are plain namespaces, as ROS messages."""

from types import SimpleNamespace
from typing import Any


def fill(message: Any, values: SimpleNamespace) -> Any:
    """Return a ROS message with the values of a namespace; what that lacks stays as it is."""
    for name, value in vars(values).items():
        if not hasattr(message, name):
            continue
        old = getattr(message, name)
        if isinstance(value, SimpleNamespace):
            fill(old, value)
        elif isinstance(value, (list, tuple)):
            setattr(message, name, [*value])
        else:
            setattr(message, name, type(old)(value))
    return message
