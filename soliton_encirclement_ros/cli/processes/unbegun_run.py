"""Cleanup of a run that could not begin: no folder, ``latest`` points to the previous run."""

import os
import shutil
from pathlib import Path

from soliton_encirclement_ros.core.run.run_folder import MANIFEST

LATEST = 'latest'


def remove_run_folder(folder: Path) -> None:
    """Remove the folder of a run that has not begun, as far as the system allows it."""
    shutil.rmtree(folder, ignore_errors=True)
    link = folder.parent / LATEST
    try:
        if os.readlink(link) == folder.name:
            _point_back(link)
    except OSError:  # the error that the run could not begin for says more
        return


def _point_back(link: Path) -> None:
    """Set a link to the newest of the remaining runs, if there is one."""
    runs = [path.parent.name for path in link.parent.glob(f'*/{MANIFEST}')]
    left = sorted({*runs} - {LATEST, os.readlink(link)})
    link.unlink()
    if left:
        link.symlink_to(left[-1])
