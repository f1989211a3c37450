"""What scenarios, vehicles and sweeps may be called: a name becomes part of a folder's name."""

import re
from pathlib import Path
from typing import Any

from velocity_mobility_ros.core.shown import shown

from soliton_encirclement_ros.core.errors import ScenarioError

LONGEST = 100
ALLOWED = re.compile(rf'[^\W_][\w.-]{{0,{LONGEST - 1}}}')


def name_from(path: Path, default: str) -> str:
    """Return an allowed name made from a file's, ``default`` where nothing of that is left."""
    return re.sub(r'[^\w.-]', '_', path.stem).lstrip('_.-')[:LONGEST] or default


def checked_name(name: Any, source: str) -> str:
    """Return a name as it is given.

    Raises:
        ScenarioError: It is not allowed; ``source`` is named.
    """
    if not isinstance(name, str) or not ALLOWED.fullmatch(name):
        raise ScenarioError(
            f'{source}: name = {shown(name)} must be a text of at most {LONGEST} letters, digits '
            'and . _ -, beginning with a letter or digit'
        )
    return name
