"""Definitions of message types: those of rosbags, and others that are registered."""

from collections.abc import Callable
from typing import Any

from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

Find = Callable[[str], str | None]
"""Returns the text of a type's .msg file, None if there is none."""


def known_types() -> Typestore:
    """Return the types that rosbags includes."""
    return get_typestore(Stores.LATEST)


def learn(types: Typestore, message_type: str, find: Find) -> bool:
    """Register the definition of a type and of its nested types.

    Args:
        types: The type store.
        message_type: The type.
        find: Source of definitions.

    Returns:
        Whether the type is known now; False if a definition is missing or invalid.
    """
    try:
        return _learn(types, message_type, find)
    except Exception:  # the parser raises many types for invalid text
        return False


def _learn(types: Typestore, message_type: str, find: Find) -> bool:
    text = find(message_type)
    if text is None:
        return False
    found = get_types_from_msg(text, message_type)
    for nested in _parts(found):
        if nested not in types.types and nested not in found and not _learn(types, nested, find):
            return False
    types.register({name: fields for name, fields in found.items() if name not in types.types})
    return True


def _parts(definitions: dict[str, Any]) -> list[str]:
    """Return the names of all nested types of some definitions."""
    found, waiting = [], [kind for _, fields in definitions.values() for _, kind in fields]
    while waiting:
        node, content = waiting.pop()
        if node.name == 'NAME':
            found.append(content)
        elif node.name != 'BASE':
            waiting.append(content[0])
    return found
