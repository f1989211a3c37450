"""Valid names of scenarios, vehicles and sweeps: they become part of folder names."""

import re
from pathlib import Path
from typing import Any

from velocity_mobility_ros.core.user_errors import shown

from soliton_encirclement_ros.core.errors import ScenarioError

MAX_LENGTH = 100
ALLOWED = re.compile(rf'[^\W_][\w.-]{{0,{MAX_LENGTH - 1}}}')


def name_from(path: Path, default: str) -> str:
    """Return a valid name made from a file name, ``default`` if nothing remains."""
    return re.sub(r'[^\w.-]', '_', path.stem).lstrip('_.-')[:MAX_LENGTH] or default


def checked_name(name: Any, source: str) -> str:
    """Return a valid name unchanged.

    Raises:
        ScenarioError: The name is invalid; the error names ``source``.
    """
    if not isinstance(name, str) or not ALLOWED.fullmatch(name):
        raise ScenarioError(
            f'{source}: name = {shown(name)} must be a text of at most {MAX_LENGTH} letters, '
            'digits and . _ -, beginning with a letter or digit'
        )
    return name
