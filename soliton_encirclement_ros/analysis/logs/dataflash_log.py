"""Logs of ArduPilot, ``.bin``: read by pymavlink, piece by piece."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.logs.library_output import LibraryOutput, Progress
from soliton_encirclement_ros.analysis.logs.mavlink_log import (
    MICROSECOND, MILLISECOND, UNKNOWN, Messages, from_globe
)
from soliton_encirclement_ros.analysis.logs.vehicle_log import (
    ENDS_ARMED, GPS_TIME, IS_DAMAGED, IS_PLANE, LogEntry, LogSeries, UtcOffset, VehicleLog,
    command_columns, median_offset, place_columns, spells
)
from soliton_encirclement_ros.core.errors import RunError

DATAFLASH_MAGIC = b'\xa3\x95'

PIECE = 1 << 22
"""A ``.bin`` is read in pieces of this size [bytes]: an index takes as much memory as its file."""

FMT, FMT_SIZE, LONGEST = 128, 89, 255
"""Number and size [bytes] of messages with the formats of others; size of any at most."""

ESTIMATES = ('XKF1', 'NKF1')
"""Messages with the estimate of the EKF, the newest first."""

FREQUENT = {
    **dict.fromkeys(ESTIMATES, ('TimeUS', 'C', 'PN', 'PE', 'PD', 'VN', 'VE', 'VD', 'Yaw')),
    'POS': ('TimeUS', 'Lat', 'Lng', 'Alt'), 'GPS': ('TimeUS', 'GWk', 'GMS'),
    'PSCN': ('TimeUS', 'TVN'), 'PSCE': ('TimeUS', 'TVE'), 'PSCD': ('TimeUS', 'TVD'),
}  # fmt: skip
RARE = ('ORGN', 'MODE', 'ARM', 'EV', 'ERR', 'MSG')

IS_OLD = 'its messages have no TimeUS, the time since the boot, as before ArduPilot 3.3: not read'

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
    from pymavlink.mavutil import mavlink

    messages, modes, wanted = Messages(FREQUENT), [], [*FREQUENT, *RARE]
    with path.open('rb') as file:
        if file.read(2) != DATAFLASH_MAGIC:
            raise RunError(f'{path}: no log of ArduPilot: it does not begin like one')
    with LibraryOutput(progress) as output:
        for reader in _pieces(path, output.note):
            if any(one.name in wanted and 'TimeUS' not in one.columns
                   for one in reader.formats.values()):  # fmt: skip
                raise RunError(f'{path}: {IS_OLD}')
            while (message := reader.recv_match(type=wanted, strict=True)) is not None:
                message._parent = None  # which has the index
                messages.add(message)
                mode = f'mode {reader.flightmode}'
                if message.get_type() == 'MODE' and mode != (modes[-1].text if modes else ''):
                    modes.append(LogEntry(_since_boot(message), mode))
            is_plane = reader.mav_type == mavlink.MAV_TYPE_FIXED_WING
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


def _pieces(path: Path, progress: Progress) -> Iterator[Any]:
    """Iterate over readers of a log's pieces; each begins with the formats of those before it."""
    from pymavlink.DFReader import DFReader_binary
    from pymavlink.mavutil import mavlink

    class PieceReader(DFReader_binary):
        def init_clock(self) -> None:
            """Look for no date, for which a log without GPS would be read once more."""

    unknown = vehicle = mavlink.MAV_TYPE_FIXED_WING
    formats = rest = b''
    with path.open('rb') as file, TemporaryDirectory() as folder:
        piece = Path(folder, 'piece.bin')
        while block := file.read(PIECE):
            data = formats + rest + block
            piece.write_bytes(data)
            with PieceReader(str(piece), True) as reader:
                if reader.mav_type == unknown:
                    reader.mav_type = vehicle
                yield reader
            formats = b''.join(data[at : at + FMT_SIZE] for at in reader.offsets[FMT]
                               if at + FMT_SIZE <= len(data))  # fmt: skip
            last, end = max(((places[-1], places[-1] + reader.formats[kind].len)
                             for kind, places in enumerate(reader.offsets) if places),
                            default=(0, 0))  # fmt: skip
            rest = data[last if end > len(data) else end :][-LONGEST:]
            vehicle = reader.mav_type
            vars(reader).clear()  # which hold each other, and the index
            progress(file.tell() // 1000, path.stat().st_size // 1000)


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
    rare, is_armed = messages.rare, None
    for message in sorted([*rare['ARM'], *rare['EV'], *rare['MSG']], key=_since_boot):
        kind, time = message.get_type(), _since_boot(message)
        if kind == 'MSG':
            if is_armed and (text := ' '.join(message.Message.split())):
                yield LogEntry(time, text)
        elif kind == 'EV' and message.Id in (LANDED, TOOK_OFF):
            yield LogEntry(time, 'landed' if message.Id == LANDED else 'took off')
        elif kind == 'ARM' or (message.Id in ARMINGS and not rare['ARM']):
            new = bool(message.ArmState) if kind == 'ARM' else ARMINGS[message.Id]
            if new != is_armed:
                yield LogEntry(time, 'armed' if new else 'disarmed')
            is_armed = new
    for number, what in FAILSAFES.items():
        errors = [message for message in rare['ERR'] if message.Subsys == number]
        active = [message.ECode != 0 for message in errors]
        for begin, end in spells([*map(_since_boot, errors)], active, -1):
            yield LogEntry(begin, what, None if end < 0 else end)
