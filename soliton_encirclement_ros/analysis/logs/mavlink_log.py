"""Reads the logs that pymavlink knows: ``.bin`` of ArduPilot, tlog of ground stations.

A ``.bin`` is the log of one vehicle; a tlog has what a ground station heard of all its vehicles.
Only the fields in use are kept, so that memory grows with the length of a flight.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import Numbers
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import FIRST_REAL, Integers
from soliton_encirclement_ros.analysis.bag.tracks import offset
from soliton_encirclement_ros.analysis.logs.library_output import LibraryOutput, Progress
from soliton_encirclement_ros.analysis.logs.vehicle_log import (
    ENDS_ARMED, GPS_TIME, IS_DAMAGED, IS_PLANE, LogEntry, LogSeries, UtcOffset, VehicleLog,
    command_columns, median_offset, place_columns, spells
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
        """Take a message."""
        kind = message.get_type()
        if kind in self._fields:
            row = [getattr(message, field, np.nan) for field in self._fields[kind]]
            self._numbers[kind].extend(row)
        else:
            self.rare[kind].append(message)

    def columns(self, kind: str, *names: str) -> Numbers:
        """Return fields of a frequent type, NaN for those that a release lacks, (M, how many)."""
        fields = list(self._fields[kind])
        table = np.array(self._numbers[kind]).reshape(-1, len(fields))
        return table[:, [fields.index(name) for name in names]]

    def times(self, kind: str, name: str, unit: int) -> Integers:
        """Return a field of time [ns], (M,); its unit is in ns."""
        return np.rint(self.columns(kind, name)[:, 0]).astype(np.int64) * unit


DATAFLASH_MAGIC = b'\xa3\x95'

ESTIMATES = ('XKF1', 'NKF1')
"""Messages with the estimate of the EKF, the newest first."""

FREQUENT = {
    **dict.fromkeys(ESTIMATES, ('TimeUS', 'C', 'PN', 'PE', 'PD', 'VN', 'VE', 'VD', 'Yaw')),
    'POS': ('TimeUS', 'Lat', 'Lng', 'Alt'), 'GPS': ('TimeUS', 'GWk', 'GMS'),
    'PSCN': ('TimeUS', 'TVN'), 'PSCE': ('TimeUS', 'TVE'), 'PSCD': ('TimeUS', 'TVD'),
}  # fmt: skip
RARE = ('ORGN', 'MODE', 'ARM', 'EV', 'ERR', 'MSG')

FAILSAFES = {
    5: 'radio failsafe', 6: 'battery failsafe', 8: 'failsafe of the ground station',
    9: 'fence failsafe', 12: 'crash', 16: 'EKF check', 17: 'EKF failsafe', 23: 'terrain failsafe',
    29: 'vibration failsafe',
}  # fmt: skip
"""Subsystems of ERR that are failsafes; code 0 is the end of one."""

WEEK, MOST_WEEKS = 604_800_000, 10_000
"""Length of a week of GPS [ms]; a greater number of one is that of damaged bytes."""

ARMINGS = {10: True, 15: True, 11: False}
LANDED, TOOK_OFF = 18, 28
"""Numbers of EV: armed or disarmed; landed, not landed."""


def read_dataflash(path: Path, name: str, progress: Progress | None = None) -> VehicleLog:
    """Read the log of an ArduPilot, as far as it goes.

    Args:
        path: The file.
        name: Of the vehicle.
        progress: Called now and then.

    Raises:
        ModuleNotFoundError: pymavlink is not installed.
        RunError: It does not begin like one.
        Exception: It is damaged, in the words of the library or of Python.
    """
    from pymavlink import mavutil

    size, output = path.stat().st_size // 1000, LibraryOutput(progress)
    messages, modes = Messages(FREQUENT), []

    def note(percent: int) -> None:
        output.note(size * percent // 100, size)

    with path.open('rb') as file:
        if file.read(2) != DATAFLASH_MAGIC:
            raise RunError(f'{path}: no log of ArduPilot: it does not begin like one')
    with output, _forward_reader()(str(path), True, note) as reader:
        while (message := reader.recv_match(type=[*FREQUENT, *RARE], strict=True)) is not None:
            messages.add(message)
            if message.get_type() == 'MODE':
                modes.append(LogEntry(_since_boot(message), f'mode {reader.flightmode}'))
        is_plane = reader.mav_type == mavutil.mavlink.MAV_TYPE_FIXED_WING
    events = sorted([*modes, *_events(messages)], key=lambda entry: entry.time)
    places = _estimates(messages) or _global_places(messages)
    texts = [message.Message for message in messages.rare['MSG']]
    armings = [entry.text for entry in events if entry.text in ('armed', 'disarmed')]
    problems = [
        *[IS_DAMAGED] * bool(output.text),
        *[IS_PLANE] * (is_plane and any('Plane' in text for text in texts)),
        *[ENDS_ARMED] * (armings[-1:] == ['armed']),
    ]
    return VehicleLog(name, places, _commands(messages), events, _flown(messages, places),
                      _utc(messages), problems)  # fmt: skip


def _forward_reader() -> Any:
    """Return the class of pymavlink's reader that goes on or fails, where it would stay."""
    from pymavlink.DFReader import DFReader_binary

    class ForwardReader(DFReader_binary):
        def _parse_next(self) -> Any:
            begin = self.offset
            message = super()._parse_next()
            if message is not None and self.offset <= begin:
                raise ValueError('a format of its messages is damaged: it has no length')
            return message

    return ForwardReader


def _since_boot(message: Any) -> int:
    """Return the time of a message since the boot [ns]."""
    return int(message.TimeUS) * MICROSECOND


def _estimates(messages: Messages) -> LogSeries | None:
    """Return the estimate of the first core."""
    for kind in ESTIMATES:
        is_first = ~(messages.columns(kind, 'C')[:, 0] > 0.0)  # NaN: there is only one
        if not is_first.any():
            continue
        known = [message for message in messages.rare['ORGN'] if message.Lat]
        of_ekf = [message for message in known if getattr(message, 'Type', 0) == 0] or known
        origin = next(((one.Lat, one.Lng, one.Alt) for one in of_ekf), UNKNOWN)
        values = place_columns(
            messages.columns(kind, 'PN', 'PE', 'PD'), messages.columns(kind, 'VN', 'VE', 'VD'),
            np.radians(messages.columns(kind, 'Yaw')[:, 0]), np.array(origin),
        )  # fmt: skip
        times = messages.times(kind, 'TimeUS', MICROSECOND)
        return LogSeries(kind, times[is_first], values[is_first])
    return None


def from_globe(fixes: Numbers) -> tuple[Numbers, Numbers]:
    """Return positions in NED [m] from the first of some fixes, and that fix as origin.

    Args:
        fixes: Latitude, longitude [deg], altitude [m], (M, 3).
    """
    return ned_to_enu(np.array([offset(fixes[0], fix) for fix in fixes])), fixes[0]


def _global_places(messages: Messages) -> LogSeries | None:
    fixes = messages.columns('POS', 'Lat', 'Lng', 'Alt')
    known = fixes[:, 0] != 0.0
    if not known.any():
        return None
    position, origin = from_globe(fixes[known])
    unknown = np.full_like(position, np.nan)
    times = messages.times('POS', 'TimeUS', MICROSECOND)[known]
    return LogSeries('POS', times, place_columns(position, unknown, unknown[:, 0], origin))


def _commands(messages: Messages) -> LogSeries | None:
    """Return the velocities that the position controller is told; each axis has its messages."""
    axes = [(messages.times(kind, 'TimeUS', MICROSECOND), messages.columns(kind, field)[:, 0])
            for kind, field in (('PSCN', 'TVN'), ('PSCE', 'TVE'), ('PSCD', 'TVD'))]  # fmt: skip
    times = axes[0][0]
    if not all(len(known) and np.isfinite(values).any() for known, values in axes):
        return None
    velocity = np.column_stack([np.interp(times, *axis) for axis in axes])
    return LogSeries('PSCN', times, command_columns(velocity, np.full(len(times), np.nan)))


def _utc(messages: Messages) -> UtcOffset | None:
    from pymavlink.DFReader import DFReaderClock

    fixes = messages.columns('GPS', 'GWk', 'GMS')
    known = ((fixes > (0.0, -1.0)) & (fixes < (MOST_WEEKS, WEEK))).all(axis=1)
    to_date = DFReaderClock()._gpsTimeToTime
    dates = [round(1e3 * to_date(*fix)) * MILLISECOND for fix in fixes[known]]
    return median_offset(dates, messages.times('GPS', 'TimeUS', MICROSECOND)[known], GPS_TIME)


def _flown(messages: Messages, places: LogSeries | None) -> list[tuple[int, int]]:
    known = [event for event in messages.rare['EV'] if event.Id in (LANDED, TOOK_OFF)]
    if places is None or not known:
        return []
    is_up = [event.Id == TOOK_OFF for event in known]
    return spells([*map(_since_boot, known)], is_up, int(places.times[-1]))


def _events(messages: Messages) -> Iterator[LogEntry]:
    rare, is_armed = messages.rare, False
    for message in sorted([*rare['ARM'], *rare['EV'], *rare['MSG']], key=_since_boot):
        kind, time = message.get_type(), _since_boot(message)
        if kind == 'MSG':
            if is_armed and (text := ' '.join(message.Message.split())):
                yield LogEntry(time, text)
        elif kind == 'EV' and message.Id in (LANDED, TOOK_OFF):
            yield LogEntry(time, 'landed' if message.Id == LANDED else 'took off')
        elif kind == 'ARM' or (message.Id in ARMINGS and not rare['ARM']):
            is_armed = bool(message.ArmState) if kind == 'ARM' else ARMINGS[message.Id]
            yield LogEntry(time, 'armed' if is_armed else 'disarmed')
    for number, what in FAILSAFES.items():
        errors = [message for message in rare['ERR'] if message.Subsys == number]
        active = [message.ECode != 0 for message in errors]
        for begin, end in spells([*map(_since_boot, errors)], active, -1):
            yield LogEntry(begin, what, None if end < 0 else end)


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


def read_tlog(path: Path, name: str, progress: Progress | None = None) -> list[VehicleLog]:
    """Read what a ground station heard, as far as it goes; return a log for each vehicle.

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
    heard = {number: messages for number, messages in sorted(systems.items())
             if any(len(messages.columns(kind, 'vx')) for kind in (LOCAL, GLOBAL))}  # fmt: skip
    if not heard:
        raise RunError(f'{path}: no vehicle tells its place in it, or it is no log of MAVLink')
    return [_vehicle(name if len(heard) == 1 else uav(number), messages)
            for number, messages in heard.items()]  # fmt: skip


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
