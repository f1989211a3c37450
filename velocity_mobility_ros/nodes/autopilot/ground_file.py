"""The file that tells a bridge which is started in flight where the ground is.

It is written when the vehicle is armed, anew when the frame of its heights jumps, and removed when
the vehicle is disarmed. A thread of its own does that: a slow disk must not hold back a heartbeat.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from rclpy.impl.rcutils_logger import RcutilsLogger

from velocity_mobility_ros.autopilot.autopilot_reports import VehicleStatus
from velocity_mobility_ros.autopilot.ground_memory import (
    NO_STORED_GROUND, GroundMemory, StoredGround, of_text, to_text
)

FOLDER = 'velocity_mobility_ros'
"""In the folder of ROS in the user's home."""


def ground_path(namespace: str, kind: str) -> Path:
    """Return the path of the file: in ``$ROS_HOME``, else in ``~/.ros``.

    Args:
        namespace: That of the bridge.
        kind: Name of the autopilot.
    """
    home = os.environ.get('ROS_HOME') or os.path.expanduser('~/.ros')
    name = namespace.rstrip('/').replace('/', '_')
    return Path(home, FOLDER, f'ground{name}_{kind}.json').absolute()


class GroundFile:
    """The file of one vehicle.

    Attributes:
        kept: What it held at the start, or why nothing of it can be used.
    """

    def __init__(self, path: Path, logger: RcutilsLogger) -> None:
        """Read it.

        Args:
            path: The file; it need not exist, and it may be that it cannot be written.
            logger: Of the node.
        """
        self._path, self._logger = path, logger
        self._thread, self._has_failed = ThreadPoolExecutor(1, 'ground_file'), False
        self.stored = self._read()
        self._last: StoredGround | None = self.stored

    def follow(self, status: VehicleStatus | None, memory: GroundMemory | None) -> None:
        """Update the file with the memory; nothing happens if it holds it already.

        Args:
            status: The status of the autopilot; None: none yet.
            memory: What is to be kept; None: nothing at present.
        """
        if status is None or (status.is_armed and memory is None):
            return
        if memory != self._last:
            self._last = memory
            self._thread.submit(self._write, memory)

    def close(self) -> None:
        """Wait until all is written."""
        self._thread.shutdown()

    def _read(self) -> StoredGround:
        try:
            return of_text(self._path.read_text(encoding='utf-8'))
        except (FileNotFoundError, NotADirectoryError):
            return NO_STORED_GROUND
        except (OSError, ValueError) as error:
            self._has_failed = isinstance(error, OSError)
            why = error.strerror if isinstance(error, OSError) else error
            reason = f'the kept height in {self._path} cannot be read: {why}'
            self._logger.warning(f'{reason}; it is not used')
            return reason

    def _write(self, memory: GroundMemory | None) -> None:
        """Replace or remove the file; a disk that cannot be written is reported once."""
        try:
            if memory is None:
                self._path.unlink(missing_ok=True)
            else:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                replace(self._path, to_text(memory))
        except OSError as error:
            if not self._has_failed:
                self._has_failed = True
                self._logger.warning(
                    f'the height of the ground cannot be kept in {self._path}: {error.strerror}; '
                    'a bridge that is started in flight will not know it'
                )


def replace(path: Path, text: str) -> None:
    """Replace a file by a text: at any time it holds the old or the new one, a power cut included.

    Raises:
        OSError: It cannot be written; it is as before.
    """
    part = path.with_suffix('.part')
    try:
        with part.open('w', encoding='utf-8') as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        with suppress(OSError):  # the first error counts
            part.unlink()
        raise
