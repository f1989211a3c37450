"""Folder of a report, its target, and the evaluated part of the recording."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

from velocity_mobility_ros.core.shown import shown

from soliton_encirclement_ros.cli.options.option_types import to_number
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.finished_run import is_run
from soliton_encirclement_ros.core.run.run_folder import BAG

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.recording import Recording

ENDS = ('.zstd', '.zst', '.mcap', '.db3')
"""File endings that are removed from the name of a report's folder."""

FARTHEST = 1e9
"""Positions [m] beyond this are refused."""


def report_folder(path: Path, out: Path | None) -> Path:
    """Return the folder for the report of a recording.

    Args:
        path: The recording.
        out: Folder given by the user; None: a run's own folder, else beside the bag.
    """
    if out is not None:
        return out
    for folder in (path, *path.parents[:2]):
        if is_run(folder) and path in (folder, folder / BAG, *(folder / BAG).glob('*')):
            return folder
    named = path if path.name not in ('', '..') else path.resolve()
    name = named.name
    for end in ENDS:
        name = name.removesuffix(end)
    return named.with_name(f'{name}-report')


def chosen_target(
    text: str | None, recording: 'Recording'
) -> str | tuple[float, float, float] | None:
    """Return the target of the agents: a member's name, a point at height 0 [m], or None.

    Args:
        text: The user's text; the name of a member takes precedence.
        recording: Recording with its members.

    Raises:
        RunError: A coordinate is not a number.
    """
    if text is None or text in recording.members or ',' not in text:
        return text
    try:
        x, y = map(to_number, text.split(','))
    except ValueError:
        x = y = math.nan
    if not (abs(x) < FARTHEST and abs(y) < FARTHEST):
        raise RunError(f'--target {shown(text, 60)} must be a name in the bag, or X,Y in m')
    return x, y, 0.0


def chosen_window(text: str | None) -> tuple[float, float] | None:
    """Return begin and end of the evaluated part [s], None for all of the recording.

    Args:
        text: The user's text, ``A..B``.

    Raises:
        RunError: It is invalid, or the end does not come after the beginning.
    """
    if text is None:
        return None
    begin, _, end = text.partition('..')
    try:
        found = to_number(begin), to_number(end)
    except ValueError:
        found = math.nan, math.nan
    if not 0.0 <= found[0] < found[1] < math.inf:
        raise RunError(
            f'--between {shown(text, 60)} must be A..B in s from the beginning of the recording '
            'on, A at least 0 and before B: 12.5..80'
        )
    return found
