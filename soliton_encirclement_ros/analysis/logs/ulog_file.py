"""Reads ULog, the log of PX4, with pyulog.

Only the topics in use are kept, so that memory grows with the length of a flight and not with the
size of its log. Names of topics and fields have changed with the releases of PX4.
"""

import io
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import Numbers
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import FIRST_REAL, Integers
from soliton_encirclement_ros.analysis.logs.library_output import LibraryOutput, Progress
from soliton_encirclement_ros.analysis.logs.vehicle_log import (
    ENDS_ARMED, GPS_TIME, IS_DAMAGED, IS_PLANE, LogEntry, LogSeries, UtcOffset, VehicleLog,
    command_columns, median_offset, place_columns, spells
)
from velocity_mobility_ros.autopilot.protocols.px4_reports import ARMED, name_of
from velocity_mobility_ros.core.user_errors import counted

Data = Mapping[str, Any]
"""Fields of a topic over time, (M,) each."""

PLACE, STATUS, LAND, BATTERY = (
    'vehicle_local_position', 'vehicle_status', 'vehicle_land_detected', 'battery_status',
)  # fmt: skip
GPS = ('sensor_gps', 'vehicle_gps_position')
COMMANDS = {
    'vehicle_local_position_setpoint': ('vx', 'vy', 'vz'),
    'trajectory_setpoint': ('velocity[0]', 'velocity[1]', 'velocity[2]'),
}
"""Topics with the velocity that the velocity loop is told, and its fields, the best first."""

TOPICS = [PLACE, STATUS, LAND, BATTERY, *GPS, *COMMANDS]

FIXED_WING = 2
"""``vehicle_type`` of ``vehicle_status``."""

BATTERY_WARNINGS = {1: 'battery low', 2: 'battery critical', 3: 'battery emergency'}

WARNING = ord('4')
"""Level of a message of a log up to which it is a warning or worse."""

MICROSECOND = 1_000
"""In ns."""


class CountedFile(io.FileIO):
    """A file that tells how much of it is read."""

    def __init__(self, path: Path, progress: Progress) -> None:
        """Open a file for reading.

        Args:
            path: The file.
            progress: Called at every block.
        """
        super().__init__(path)
        self._progress, self._size = progress, path.stat().st_size

    def readinto(self, buffer: Any) -> int | None:
        """Read a block."""
        count = super().readinto(buffer)
        self._progress(self.tell() // 1000, self._size // 1000)
        return count


BLOCK = 1 << 20

MOST_SEEKS = 100_000
"""The library goes back for every byte that makes no sense, at the end of a file for ever."""


class PatientReader(io.BufferedReader):
    """A file that ends the search for sense in damaged bytes after a while."""

    _seeks = 0

    def seek(self, target: int, whence: int = 0, /) -> int:
        """Go to a place.

        Raises:
            struct.error: That was done too often; the library takes it for the end of the file.
        """
        self._seeks += 1
        if self._seeks > MOST_SEEKS:
            raise struct.error('too much of it is damaged')
        return super().seek(target, whence)


def read_ulog(path: Path, name: str, progress: Progress | None = None) -> VehicleLog:
    """Read the log of a PX4, as far as it goes.

    Args:
        path: The file.
        name: Of the vehicle.
        progress: Called now and then.

    Raises:
        ModuleNotFoundError: pyulog is not installed.
        Exception: It is no ULog, in the words of the library or of Python.
    """
    from pyulog import ULog

    with LibraryOutput(progress) as output, CountedFile(path, output.note) as file:
        log = ULog(PatientReader(file, BLOCK), TOPICS)
    topics = {data.name: _in_order(data.data) for data in log.data_list
              if data.multi_id == 0 and 'timestamp' in data.data}  # fmt: skip
    return VehicleLog(
        name,
        _places(topics),
        _commands(topics),
        sorted(_events(log, topics), key=lambda entry: entry.time),
        [*_flown(topics)],
        _utc(topics),
        [*_problems(log, topics)],
    )


def _in_order(data: Data) -> Data:
    """Return a topic without stamps that go back or are far ahead, as of damaged bytes."""
    stamps = data['timestamp'].astype(np.int64)
    typical = np.median(stamps) if len(stamps) else 0
    is_sound = (stamps > 0) & (np.abs(stamps - typical) < 1e12)
    return {field: values[is_sound] for field, values in data.items()}


def _times(data: Data) -> Integers:
    return data['timestamp'].astype(np.int64) * MICROSECOND


def _column(data: Data, *fields: str) -> Numbers:
    """Return fields as columns, NaN for those that this release does not have, (M, how many)."""
    missing = np.full(len(data['timestamp']), np.nan)
    return np.column_stack([np.asarray(data.get(name, missing), float) for name in fields])


def _places(topics: Mapping[str, Data]) -> LogSeries | None:
    data = topics.get(PLACE)
    if data is None:
        return None
    position, velocity = _column(data, 'x', 'y', 'z'), _column(data, 'vx', 'vy', 'vz')
    always = np.ones(len(position))
    for values, names in ((position, ('xy_valid', 'z_valid')),
                          (velocity, ('v_xy_valid', 'v_z_valid'))):  # fmt: skip
        values[~np.all([data.get(name, always) != 0 for name in names], axis=0)] = np.nan
    origin = _column(data, 'ref_lat', 'ref_lon', 'ref_alt')
    is_global = [data.get(name, always) != 0 for name in ('xy_global', 'z_global')]
    origin[~np.all(is_global, axis=0)] = np.nan
    heading = data['heading'] if 'heading' in data else _column(data, 'yaw')[:, 0]
    return LogSeries(PLACE, _times(data), place_columns(position, velocity, heading, origin))


def _commands(topics: Mapping[str, Data]) -> LogSeries | None:
    for topic, fields in COMMANDS.items():
        if topic not in topics:
            continue
        velocity = _column(topics[topic], *fields)
        known = np.isfinite(velocity).all(axis=1)
        if known.any():
            turn = _column(topics[topic], 'yawspeed')[known, 0]
            values = command_columns(velocity[known], turn)
            return LogSeries(topic, _times(topics[topic])[known], values)
    return None


def _utc(topics: Mapping[str, Data]) -> UtcOffset | None:
    for data in (topics[name] for name in GPS if name in topics):
        dates = data.get('time_utc_usec', np.zeros(0)).astype(np.int64) * MICROSECOND
        known = dates > FIRST_REAL
        if known.any():
            return median_offset(dates[known], _times(data)[known], GPS_TIME)
    return None


def _flown(topics: Mapping[str, Data]) -> Iterator[tuple[int, int]]:
    data = topics.get(LAND)
    if data is not None and 'landed' in data and PLACE in topics:
        end = int(_times(topics[PLACE])[-1]) if len(topics[PLACE]['timestamp']) else 0
        times, is_landed = _times(data).tolist(), data['landed'].astype(bool).tolist()
        yield from spells(times, [not landed for landed in is_landed], end)


def _changes(data: Data, field: str) -> Iterator[tuple[int, int]]:
    """Iterate over the times [ns] and values of a field at the begin and where it changes."""
    if field in data and len(data[field]):
        values = data[field].astype(np.int64)
        first = np.flatnonzero(np.diff(values, prepend=values[0] - 1))
        yield from zip(_times(data)[first].tolist(), values[first].tolist(), strict=True)


def _events(log: Any, topics: Mapping[str, Data]) -> Iterator[LogEntry]:
    status, land = topics.get(STATUS, {}), topics.get(LAND, {})
    for time, mode in [*_changes(status, 'nav_state')]:
        yield LogEntry(time, f'mode {name_of(mode)}')
    for time, state in [*_changes(status, 'arming_state')][1:]:
        yield LogEntry(time, 'armed' if state == ARMED else 'disarmed')
    for time, landed in [*_changes(land, 'landed')][1:]:
        yield LogEntry(time, 'landed' if landed else 'took off')
    if 'failsafe' in status:
        times = _times(status).tolist()
        for begin, end in spells(times, status['failsafe'].astype(bool).tolist(), -1):
            yield LogEntry(begin, 'failsafe', None if end < 0 else end)
    for time, level in _changes(topics.get(BATTERY, {}), 'warning'):
        if level in BATTERY_WARNINGS:
            yield LogEntry(time, BATTERY_WARNINGS[level])
    for message in log.logged_messages:
        if message.log_level <= WARNING and (text := ' '.join(message.message.split())):
            yield LogEntry(message.timestamp * MICROSECOND, text)


def _problems(log: Any, topics: Mapping[str, Data]) -> Iterator[str]:
    if log.file_corruption:
        yield IS_DAMAGED
    if log.dropouts:
        longest = max(dropout.duration for dropout in log.dropouts) / 1000.0
        yield (f'{counted(len(log.dropouts), "gap")} of up to {longest:.2f} s, since its card was '
               'too slow')  # fmt: skip
    states = topics.get(STATUS, {}).get('arming_state', np.zeros(0))
    if len(states) and states[-1] == ARMED:
        yield ENDS_ARMED
    kinds = topics.get(STATUS, {}).get('vehicle_type', np.zeros(0))
    if (kinds == FIXED_WING).any():
        yield IS_PLANE
