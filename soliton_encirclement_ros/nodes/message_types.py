"""Message types by name: the Python class, and the installed definition."""

import importlib
import os
import sys
from pathlib import Path


def message_class(kind: str) -> type | None:
    """Return the class of a type, such as ``nav_msgs/msg/Odometry``; None if not installed."""
    package, _, name = kind.partition('/msg/')
    try:
        return getattr(importlib.import_module(f'{package}.msg'), name, None)
    except ImportError:
        return None


def definition(kind: str) -> str | None:
    """Return the text of a type's .msg file, None where none is installed."""
    package, _, name = kind.partition('/msg/')
    prefixes = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    for prefix in [*filter(None, prefixes), sys.prefix]:
        path = Path(prefix, 'share', package, 'msg', f'{name}.msg')
        try:
            return path.read_text(encoding='utf-8')
        except (OSError, ValueError):
            continue  # not here, or no text: the next prefix
    return None
