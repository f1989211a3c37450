"""The flight of a member in a recorded run."""

from collections.abc import Iterator
from pathlib import Path

from velocity_mobility_ros.core.spreadsheet import SAVE_AS
from velocity_mobility_ros.core.trajectory.path_files import PathError

ODOM = 'odom'
NANOSECONDS = 1e-9


def recorded_rows(run: Path, member: str) -> list[list[float]]:
    """Return the poses of a member, one a row: x, y, z [m] and time since the first one [s].

    Args:
        run: A run's folder, or a rosbag2 folder.
        member: Name of the member; its odometry is on ``member/odom``.

    Raises:
        PathError: It is no recorded run, cannot be read, or has no odometry of the member.
    """
    folder = run / 'bag' if (run / 'bag').is_dir() else run
    if not (folder / 'metadata.yaml').is_file():
        hint = f'; {SAVE_AS}' if run.is_file() else ''
        raise PathError(
            f'{run}: no path file (.csv, .yaml) and no recorded run with a bag; name one of '
            f'them{hint}'
        )
    rows = sorted(_rows(folder, f'/{member}/{ODOM}'), key=lambda row: row[3])
    if not rows:
        raise PathError(f'{run}: no odometry of {member} in this bag; name another member after #')
    began = rows[0][3]
    return [[*row[:3], row[3] - began] for row in _without_repeats(rows)]


def _rows(folder: Path, topic: str) -> Iterator[list[float]]:
    """Iterate over positions and stamps."""
    from rosbags.highlevel import AnyReader, AnyReaderError
    from rosbags.rosbag2 import ReaderError
    from rosbags.typesys import Stores, get_typestore

    try:
        with AnyReader([folder], default_typestore=get_typestore(Stores.LATEST)) as reader:
            used = [one for one in reader.connections if one.topic.endswith(topic)]
            for connection, _, raw in reader.messages(used):
                message = reader.deserialize(raw, connection.msgtype)
                place, stamp = message.pose.pose.position, message.header.stamp
                yield [place.x, place.y, place.z, stamp.sec + NANOSECONDS * stamp.nanosec]
    except (AnyReaderError, ReaderError, OSError, ValueError) as error:
        reason = ' '.join(str(error).split())
        raise PathError(f'{folder}: cannot be read: {reason}; is the bag complete?') from None


def _without_repeats(rows: list[list[float]]) -> list[list[float]]:
    """Return rows with increasing times; of several at a time the first one."""
    kept = rows[:1]
    for row in rows[1:]:
        if row[3] > kept[-1][3]:
            kept.append(row)
    return kept
