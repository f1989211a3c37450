"""Finds the logs of autopilots among paths, and reads each as recordings."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from soliton_encirclement_ros.analysis.logs.dataflash_log import read_dataflash
from soliton_encirclement_ros.analysis.logs.flight_parts import FlightPart, join_parts
from soliton_encirclement_ros.analysis.logs.library_output import Progress
from soliton_encirclement_ros.analysis.logs.mavlink_log import read_tlog
from soliton_encirclement_ros.analysis.logs.ulog_file import read_ulog
from soliton_encirclement_ros.analysis.logs.vehicle_log import VehicleLog, recording_of
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.analysis.recording_paths import LOCKED, is_bag, is_log, logs_in
from soliton_encirclement_ros.core.errors import RunError, SwarmError
from soliton_encirclement_ros.core.files import is_folder, is_there, refuse_endless
from soliton_encirclement_ros.core.run.finished_run import is_run

ULOG_MAGIC, LOCKED_MAGIC = b'ULog\x01\x12\x35', b'ULogEnc'


def expand_flight(paths: Sequence[Path]) -> list[Path]:
    """Return the files of a flight: a folder of logs is replaced by its logs, in order of names.

    Raises:
        RunError: A path cannot be accessed.
    """
    files = []
    for path in paths:
        is_plain = is_folder(path) and not is_run(path) and not is_bag(path)
        files += (logs_in(path) if is_plain else []) or [path]
    return files


def vehicle_names(paths: Sequence[Path]) -> dict[Path, str]:
    """Return names of the vehicles of logs: of the files, with their folders if ambiguous."""
    count = Counter(path.stem for path in paths)
    names = {
        path: path.stem if count[path.stem] == 1 else f'{path.resolve().parent.name}_{path.stem}'
        for path in paths
    }
    return {path: re.sub(r'\W+', '_', name) for path, name in names.items()}


def read_flight(
    paths: Sequence[Path],
    read_bag: Callable[[Path], Recording],
    read_vehicles: Callable[[Path, str], list[FlightPart]] | None = None,
) -> Recording:
    """Read all recordings of one flight.

    Args:
        paths: Bags, runs' folders, logs of autopilots, folders of logs; at least one.
        read_bag: Reads a bag, or the bag of a run.
        read_vehicles: Reads a log, given the name of its vehicle; None for ``read_log``.

    Raises:
        RunError: One of them cannot be read.
    """
    files, parts = expand_flight(paths), []
    vehicles = vehicle_names([file for file in files if is_log(file)])
    for file in files:
        if file in vehicles:
            parts += (read_vehicles or read_log)(file, vehicles[file])
        else:
            parts.append(FlightPart(read_bag(file)))
    return join_parts(parts, paths[0])


def read_log(path: Path, name: str, progress: Progress | None = None) -> list[FlightPart]:
    """Read a log; one of a ground station may be of several vehicles.

    Args:
        path: The file.
        name: Of its vehicle.
        progress: Called now and then with how much is read, and of how much.

    Raises:
        ModuleNotFoundError: The library that reads it is not installed.
        RunError: It cannot be read, or tells no place.
    """
    if not is_there(path):
        raise RunError(f'{path}: no such file')
    refuse_endless(path)
    try:
        with np.errstate(invalid='ignore', over='ignore'):
            return [FlightPart(recording_of(path, log), log.utc)
                    for log in _vehicle_logs(path, name, progress)]  # fmt: skip
    except (SwarmError, ImportError):
        raise
    except OSError as error:
        raise RunError(f'{path}: cannot read: {error.strerror or error}') from None
    except Exception as error:  # of damaged bytes, in the words of a library or of Python
        reason = ' '.join(str(error).split()) or type(error).__name__
        raise RunError(f'{path}: no log that can be read: {reason}') from None


def _vehicle_logs(path: Path, name: str, progress: Progress | None) -> Iterator[VehicleLog]:
    suffix = path.suffix.lower()
    with path.open('rb') as file:
        magic = file.read(len(ULOG_MAGIC))
    if not magic:
        raise RunError(f'{path}: is empty')
    if suffix in LOCKED or magic == LOCKED_MAGIC:
        raise RunError(f'{path}: is encrypted: decrypt it first, with the private key and '
                       'Tools/decrypt_ulog.py of PX4')  # fmt: skip
    if suffix == '.tlog':
        yield from read_tlog(path, name, progress)
    elif suffix == '.bin' and magic != ULOG_MAGIC:
        yield read_dataflash(path, name, progress)
    else:
        yield read_ulog(path, name, progress)
