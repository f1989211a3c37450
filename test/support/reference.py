"""Reference tables made with the original: where they lie, and its whole flights by their shape.

``e2e/v1_*.json`` are flights of the first version, ``e2e/v3_*.json`` of the third. Tests take all
that are there and go by what a file says of itself, not by its name.
"""

import json
import os
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[2].parent / 'shared' / 'reference'


def reference_folders() -> list[Path]:
    """Return where reference tables may lie, the place to prefer first."""
    named = os.environ.get('SWARM_REFERENCE_DIR')
    return [Path(named), SHARED] if named else [SHARED]


def reference_folder() -> Path | None:
    """Return where the reference tables lie, None where there are none."""
    return next((folder for folder in reference_folders() if folder.is_dir()), None)


def flights(version: str, drawn: bool | None = None) -> list[str]:
    """Return the flights of a version, by their paths in the folder.

    Args:
        version: ``v1`` or ``v3``.
        drawn: Only those in which random numbers matter after the start, or only the others;
            None for all.
    """
    folder = reference_folder()
    if folder is None:
        return []
    paths = sorted(folder.glob(f'e2e/{version}_*.json'))
    return [
        f'e2e/{path.name}'
        for path in paths
        if drawn is None or is_drawn(json.loads(path.read_text(encoding='utf-8'))) == drawn
    ]


def is_drawn(run: dict[str, Any]) -> bool:
    """Say whether target, adversary or failures of a flight follow random numbers."""
    given = run['overrides']
    speeds = given.get('TARGET_MOTION_SPEED_XY', 5.0), given.get('ADVERSARY_ROAM_SPEED_XY', 4.0)
    return any(speeds) or given.get('FAILURE_ENABLE', True)
