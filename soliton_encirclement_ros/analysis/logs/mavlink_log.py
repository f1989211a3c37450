"""Logs of ground stations, ``.tlog``: what one heard of all its vehicles, read by pymavlink.

Only the fields in use are kept (``Messages``), so that memory grows with the length of a flight.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import Numbers
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import FIRST_REAL, Integers
from soliton_encirclement_ros.analysis.bag.tracks import offset
from soliton_encirclement_ros.analysis.logs.library_output import LibraryOutput, Progress
from soliton_encirclement_ros.analysis.logs.vehicle_log import (
    GPS_TIME, IS_DAMAGED, IS_PLANE, LogEntry, LogSeries, VehicleLog, command_columns,
    median_offset, place_columns, spells
)
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.swarm_topics import uav
from velocity_mobility_ros.core.coordinate_frames import ned_to_enu

UNKNOWN = np.full(3, np.nan)
MICROSECOND, MILLISECOND, SECOND = 1_000, 1_000_000, 1_000_000_000
"""In ns."""


class Messages:
    """Messages by type: numbers of the frequent ones, and the others as they are.

    Attributes:
        rare: Messages of the other types, in order.
    """

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        """Begin with none.

        Args:
            fields: Numbers to keep of a frequent type, by type.
        """
        self._fields = fields
        self._numbers: dict[str, array[float]] = {kind: array('d') for kind in fields}
        self.rare: defaultdict[str, list[Any]] = defaultdict(list)

    def add(self, message: Any) -> None:
        """Take a message; one with a text in the place of a number is passed over."""
        kind = message.get_type()
        if kind in self._fields:
            row = [getattr(message, field, np.nan) for field in self._fields[kind]]
            with suppress(TypeError):  # a damaged format makes a text of a number
                self._numbers[kind].extend(array('d', row))
        else:
            self.rare[kind].append(message)

    def columns(self, kind: str, *names: str) -> Numbers:
        """Return fields of a frequent type, NaN for those that a release lacks, (M, how many)."""
        fields = list(self._fields[kind])
        table = np.frombuffer(self._numbers[kind]).reshape(-1, len(fields))
        return table[:, [fields.index(name) for name in names]]

    def times(self, kind: str, name: str, unit: int) -> Integers:
        """Return a field of time [ns], (M,); its unit is in ns."""
        return np.rint(self.columns(kind, name)[:, 0]).astype(np.int64) * unit


def from_globe(fixes: Numbers) -> tuple[Numbers, Numbers]:
    """Return positions in NED [m] from the first of some fixes, and that fix as origin.

    Args:
        fixes: Latitude, longitude [deg], altitude [m], (M, 3).
    """
    return ned_to_enu(np.array([offset(fixes[0], fix) for fix in fixes])), fixes[0]


HEARD = {
    'LOCAL_POSITION_NED': ('time_boot_ms', '_timestamp', 'x', 'y', 'z', 'vx', 'vy', 'vz'),
    'GLOBAL_POSITION_INT':
        ('time_boot_ms', '_timestamp', 'lat', 'lon', 'alt', 'vx', 'vy', 'vz', 'hdg'),
    'ATTITUDE': ('time_boot_ms', 'yaw'),
    'POSITION_TARGET_LOCAL_NED': ('time_boot_ms', 'type_mask', 'vx', 'vy', 'vz', 'yaw_rate'),
    'SYSTEM_TIME': ('time_boot_ms', 'time_unix_usec'),
}  # fmt: skip
HEARD_RARELY = ('GPS_GLOBAL_ORIGIN', 'HEARTBEAT', 'EXTENDED_SYS_STATE', 'STATUSTEXT')
LOCAL, GLOBAL, TARGET = 'LOCAL_POSITION_NED', 'GLOBAL_POSITION_INT', 'POSITION_TARGET_LOCAL_NED'

DEGREES = np.array([1e-7, 1e-7, 1e-3])
"""Units of a place on Earth in MAVLink [deg, deg, m]."""

NO_VELOCITY = 0b111000
"""Bits of ``type_mask`` of a setpoint without a velocity."""

AIRBORNE = (2, 3, 4)
"""MAV_LANDED_STATE of a vehicle that is in the air, takes off or lands."""

WARNING, ARMED = 4, 128
"""Severity up to which a text is a warning; flag of ``base_mode``."""


def read_tlog(path: Path, name: str, progress: Progress | None = None) -> Iterator[VehicleLog]:
    """Read what a ground station heard, as far as it goes; iterate over the logs of vehicles.

    Args:
        path: The file.
        name: Of the vehicle, if there is one only; else each has the number of its system.
        progress: Called now and then.

    Raises:
        ModuleNotFoundError: pymavlink is not installed.
        RunError: It tells of no vehicle.
        Exception: It is damaged, in the words of the library or of Python.
    """
    from pymavlink import mavutil

    size = path.stat().st_size // 1000
    systems: defaultdict[int, Messages] = defaultdict(lambda: Messages(HEARD))
    with LibraryOutput(progress) as output:
        link, count = mavutil.mavlogfile(str(path)), 0
        while (message := link.recv_match(type=[*HEARD, *HEARD_RARELY])) is not None:
            systems[message.get_srcSystem()].add(message)
            count += 1
            if count % 1000 == 0:
                output.note(link.f.tell() // 1000, size)
        link.close()
    damage = [IS_DAMAGED] * (link.mav.total_receive_errors > 0)
    heard = {number: messages for number, messages in sorted(systems.items())
             if any(len(messages.columns(kind, 'vx')) for kind in (LOCAL, GLOBAL))}  # fmt: skip
    if not heard:
        raise RunError(f'{path}: no vehicle tells its place in it, or it is no log of MAVLink')
    systems.clear()
    alone = len(heard) == 1
    for number in [*heard]:
        log = _vehicle(name if alone else uav(number), heard.pop(number))
        yield log._replace(problems=[*damage, *log.problems])


def _vehicle(name: str, messages: Messages) -> VehicleLog:
    """Return the log of one vehicle that a ground station heard."""
    kind = LOCAL if len(messages.columns(LOCAL, 'x')) else GLOBAL
    received = np.rint(1e6 * messages.columns(kind, '_timestamp')[:, 0]).astype(np.int64)
    lag = median_offset(received * MICROSECOND, messages.times(kind, 'time_boot_ms', MILLISECOND),
                        'the clock of the ground station')  # fmt: skip
    assert lag is not None
    dates = messages.times('SYSTEM_TIME', 'time_unix_usec', MICROSECOND)
    boots, known = messages.times('SYSTEM_TIME', 'time_boot_ms', MILLISECOND), dates > FIRST_REAL
    utc = median_offset(dates[known], boots[known], GPS_TIME) or lag

    def since_boot(message: Any) -> int:
        return round(1e6 * message._timestamp) * MICROSECOND - lag.offset_ns

    events = sorted(_texts(messages, since_boot), key=lambda entry: entry.time)
    places = _heard_places(messages)
    states = [one for one in messages.rare['EXTENDED_SYS_STATE'] if one.landed_state]
    is_up = [one.landed_state in AIRBORNE for one in states]
    flown = spells([*map(since_boot, states)], is_up, int(places.times[-1]))
    problems = [IS_PLANE] * any(message.type == 1 for message in messages.rare['HEARTBEAT'])
    return VehicleLog(name, places, _heard_commands(messages), events, flown, utc, problems)


def _heard_places(messages: Messages) -> LogSeries:
    """Return the local positions, or the global ones where only they tell a place on Earth."""
    position = messages.columns(LOCAL, 'x', 'y', 'z')
    fixes = messages.columns(GLOBAL, 'lat', 'lon', 'alt') * DEGREES
    origins = [np.array([one.latitude, one.longitude, one.altitude]) * DEGREES
               for one in messages.rare['GPS_GLOBAL_ORIGIN']]  # fmt: skip
    if len(fixes) and not (len(position) and origins):
        position, origin = from_globe(fixes)
        velocity = messages.columns(GLOBAL, 'vx', 'vy', 'vz') / 100.0
        yaw = np.radians(messages.columns(GLOBAL, 'hdg')[:, 0] / 100.0)
        values = place_columns(position, velocity, yaw, origin)
        return LogSeries(GLOBAL, messages.times(GLOBAL, 'time_boot_ms', MILLISECOND), values)
    times, yaw = messages.times(LOCAL, 'time_boot_ms', MILLISECOND), np.full(len(position), np.nan)
    if len(turned := messages.columns('ATTITUDE', 'yaw')[:, 0]):
        at = messages.times('ATTITUDE', 'time_boot_ms', MILLISECOND)
        yaw = np.interp(times, at, np.unwrap(turned))
    velocity = messages.columns(LOCAL, 'vx', 'vy', 'vz')
    return LogSeries(LOCAL, times, place_columns(position, velocity, yaw, (*origins, UNKNOWN)[0]))


def _heard_commands(messages: Messages) -> LogSeries | None:
    masks = messages.columns(TARGET, 'type_mask')[:, 0].astype(int)
    known = (masks & NO_VELOCITY) == 0
    if not known.any():
        return None
    velocity = messages.columns(TARGET, 'vx', 'vy', 'vz')[known]
    values = command_columns(velocity, messages.columns(TARGET, 'yaw_rate')[known, 0])
    return LogSeries(TARGET, messages.times(TARGET, 'time_boot_ms', MILLISECOND)[known], values)


def _texts(messages: Messages, since_boot: Callable[[Any], int]) -> Iterator[LogEntry]:
    from pymavlink import mavutil

    mode, was_armed = '', None
    for message in messages.rare['HEARTBEAT']:
        if message.autopilot == mavutil.mavlink.MAV_AUTOPILOT_INVALID:
            continue
        time, new = since_boot(message), mavutil.mode_string_v10(message)
        if new != mode:
            yield LogEntry(time, f'mode {new}')
        is_armed = bool(message.base_mode & ARMED)
        if was_armed is not None and is_armed != was_armed:
            yield LogEntry(time, 'armed' if is_armed else 'disarmed')
        mode, was_armed = new, is_armed
    for message in messages.rare['STATUSTEXT']:
        if message.severity <= WARNING and (text := ' '.join(message.text.split())):
            yield LogEntry(since_boot(message), text)
