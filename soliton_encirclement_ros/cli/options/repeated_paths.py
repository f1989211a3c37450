"""Paths of a command line that stand for the same run or recording."""

import sys
from collections.abc import Sequence
from pathlib import Path


def without_links(paths: Sequence[Path]) -> list[Path]:
    """Return paths without links to others among them: RUNS/* has ``latest`` as well."""
    real = {path.resolve() for path in paths if not path.is_symlink()}
    return [path for path in paths if not (path.is_symlink() and path.resolve() in real)]


def warn_of_repeats(paths: Sequence[Path], cost: str, folders: bool = False) -> None:
    """Print one warning with the paths that were given before, nothing without any.

    Args:
        paths: Existing files and folders, as the user named them.
        cost: Consequence for them, as text.
        folders: Whether the content of a folder that is given, too, counts as given twice.
    """
    whole = [path.resolve() for path in paths]
    again = [
        str(path) for i, path in enumerate(paths)
        if whole[i] in whole[:i] or (folders and whole[i].parent in whole)
    ]  # fmt: skip
    if again:
        names = ', '.join(dict.fromkeys(again))
        print(f'warning: named more than once, {cost}: {names}', file=sys.stderr)
