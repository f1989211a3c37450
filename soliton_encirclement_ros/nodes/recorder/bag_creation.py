"""Creates the bag of a recorder."""

import os
from pathlib import Path
from typing import Any

from velocity_mobility_ros.core.user_errors import StartupError, shortage, shown

from soliton_encirclement_ros.core.run.run_folder import bag_folders
from soliton_encirclement_ros.nodes.recorder.recorder_parameters import RecorderParameters

MEGABYTE = 1_000_000


def bag_folder(settings: RecorderParameters) -> Path:
    """Return where to record: in a run's folder, beside the bags that are there."""
    if settings.bag:
        return Path(settings.bag).expanduser()
    places = bag_folders(Path(settings.run_folder).expanduser())
    return next(place for place in places if not os.path.lexists(place))


def create_bag(folder: Path, settings: RecorderParameters) -> Any:
    """Return the writer of a new bag.

    Args:
        folder: The bag's folder, which must not exist.
        settings: Where it is, size of its files, and whether to sync to disk.

    Raises:
        StartupError: rosbags is missing, or the bag cannot be created.
        ImportError: There is too little memory to load rosbags.
    """
    if os.path.lexists(folder):
        raise StartupError(
            f'bag = {shown(str(folder))} exists already: name a new folder, or set run_folder '
            'instead, in which a restarted recorder adds a bag to those that are there'
        )
    try:
        from soliton_encirclement_ros.core.bag_writer import BagWriter
    except ModuleNotFoundError:
        raise StartupError('recording needs rosbags: pip install rosbags') from None
    except ImportError as error:  # its internals are not those that were tried
        if shortage(error) is not None:
            raise
        raise StartupError(f'recording needs another version of rosbags: {error}') from None
    try:
        size = int(settings.max_file_size * MEGABYTE)
        return BagWriter(folder, size or None, settings.durable)
    except Exception as error:
        reason = getattr(error, 'strerror', None) or str(error)
        raise StartupError(f'{folder}: cannot create the bag: {reason}') from None
