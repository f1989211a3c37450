"""Writes small logs of autopilots, by the writers of the libraries that read them."""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from pymavlink.dialects.v20 import ardupilotmega
from pyulog import ULog

from soliton_encirclement_ros.analysis.recording import Floats, Member
from velocity_mobility_ros.core.coordinate_frames import ned_to_enu, ned_to_enu_yaw

HOME = (47.3977, 8.5456, 488.0)
"""Origin of the map of the flight [deg, deg, m]."""

RADIUS = 6_371_000.0
UTC = 1_700_000_000.0
"""Date of time 0 of the flight [s]."""

GPS_EPOCH, LEAP, WEEK = 315_964_800, 18, 604_800


class Aircraft(NamedTuple):
    """How the log of a vehicle differs from its flight.

    Attributes:
        boot: Time of the flight at which the autopilot was switched on [s], at most 0.
        start: Its own origin: east, north, up in the map [m].
        has_gps: Whether its log tells the date and the global origin.
        landed: Begin and end of its time in the air [s]; None: the log has no land detector.
        kind: ``vehicle_type`` of PX4: 1 rotary, 2 fixed wing.
    """

    boot: float = -20.0
    start: tuple[float, float, float] = (0.0, 0.0, 0.0)
    has_gps: bool = True
    airborne: tuple[float, float] | None = None
    kind: int = 1

    @property
    def origin(self) -> tuple[float, float, float]:
        """Latitude, longitude [deg], altitude [m] of its own origin, on PX4's sphere."""
        east, north, up = self.start
        latitude = HOME[0] + np.degrees(north / RADIUS)
        longitude = HOME[1] + np.degrees(east / RADIUS / np.cos(np.radians(HOME[0])))
        return latitude, longitude, HOME[2] + up

    def ned(self, member: Member) -> tuple[Floats, Floats]:
        """Return positions from its own origin [m] and velocities [m/s] in NED."""
        return ned_to_enu(member.track.position - self.start), ned_to_enu(member.track.velocity)


USUAL = Aircraft()

Fields = Mapping[str, tuple[str, Any]]
"""Type of ULog and values of each field of a topic."""


def ulog_of(member: Member, aircraft: Aircraft = USUAL) -> dict[str, Fields]:
    """Return the topics that PX4 logs of a flight."""
    position, velocity = aircraft.ned(member)
    time, heading = member.track.time, ned_to_enu_yaw(member.track.yaw)
    flags = {name: ('bool', np.ones(len(time), bool)) for name in (
        'xy_valid', 'z_valid', 'v_xy_valid', 'v_z_valid')}  # fmt: skip
    flags |= {name: ('bool', np.full(len(time), aircraft.has_gps))
              for name in ('xy_global', 'z_global')}  # fmt: skip
    place = dict(zip(('x', 'y', 'z'), position.T, strict=True))
    place |= dict(zip(('vx', 'vy', 'vz'), velocity.T, strict=True))
    origin = {name: ('double' if k < 2 else 'float', np.full(len(time), aircraft.origin[k]))
              for k, name in enumerate(('ref_lat', 'ref_lon', 'ref_alt'))}  # fmt: skip
    topics = {'vehicle_local_position': _stamped(time, aircraft, {
        **{name: ('float', values) for name, values in place.items()},
        'heading': ('float', heading), **flags, **origin,
    })}  # fmt: skip
    edges = np.array([time[0], *(aircraft.airborne or ()), time[-1]])
    up = [bool(aircraft.airborne) and aircraft.airborne[0] <= at < aircraft.airborne[1]
          for at in edges]  # fmt: skip
    armed = [2 if flies or not aircraft.airborne else 1 for flies in up]
    armed[-1] = 1
    topics['vehicle_status'] = _stamped(edges, aircraft, {
        'arming_state': ('uint8_t', armed),
        'nav_state': ('uint8_t', [4, *[14] * (len(edges) - 1)]),
        'failsafe': ('bool', [False] * len(edges)),
        'vehicle_type': ('uint8_t', [aircraft.kind] * len(edges)),
    })  # fmt: skip
    if aircraft.airborne:
        topics['vehicle_land_detected'] = _stamped(
            edges, aircraft, {'landed': ('bool', [not flies for flies in up])}
        )
    if aircraft.has_gps:
        fixes = np.arange(time[0], time[-1], 0.2)
        dates = ((UTC + fixes) * 1e6).astype(np.uint64)
        topics['sensor_gps'] = _stamped(fixes, aircraft, {'time_utc_usec': ('uint64_t', dates)})
    commands = member.commands
    if commands is not None and len(commands.time):
        told = dict(zip(('vx', 'vy', 'vz'), ned_to_enu(commands.velocity).T, strict=True))
        topics['vehicle_local_position_setpoint'] = _stamped(commands.time, aircraft, {
            **{name: ('float', values) for name, values in told.items()},
            'yawspeed': ('float', -commands.yaw_rate),
        })  # fmt: skip
    return topics


def _stamped(time: Floats, aircraft: Aircraft, fields: Fields) -> Fields:
    stamps = np.rint((np.asarray(time) - aircraft.boot) * 1e6).astype(np.uint64)
    return {'timestamp': ('uint64_t', stamps), **fields}


def write_ulog(
    path: Path, topics: Mapping[str, Fields], said: Sequence[tuple[float, int, str]] = ()
) -> Path:
    """Write a log; ``said`` has time since the boot [s], level (0 to 7) and text of messages."""
    log = ULog(None)
    for number, (name, fields) in enumerate(topics.items()):
        log._message_formats[name] = SimpleNamespace(
            name=name, fields=[(kind, 0, field) for field, (kind, _) in fields.items()]
        )
        log._data_list.append(SimpleNamespace(
            multi_id=0, msg_id=number, name=name,
            field_data=[SimpleNamespace(field_name=field, type_str=kind)
                        for field, (kind, _) in fields.items()],
            data={field: values for field, (_, values) in fields.items()},
        ))  # fmt: skip
    log._logged_messages = [
        SimpleNamespace(timestamp=round(time * 1e6), log_level=ord(str(level)), message=text)
        for time, level, text in said
    ]
    log.write_ulog(str(path))
    return path


FORMATS = {
    'XKF1': ('QBfffffff', 'TimeUS,C,PN,PE,PD,VN,VE,VD,Yaw'),
    'ORGN': ('QBLLe', 'TimeUS,Type,Lat,Lng,Alt'),
    'GPS': ('QHI', 'TimeUS,GWk,GMS'),
    'PSCN': ('Qf', 'TimeUS,TVN'), 'PSCE': ('Qf', 'TimeUS,TVE'), 'PSCD': ('Qf', 'TimeUS,TVD'),
    'MODE': ('QMBB', 'TimeUS,Mode,ModeNum,Rsn'),
    'EV': ('QB', 'TimeUS,Id'),
    'ERR': ('QBB', 'TimeUS,Subsys,ECode'),
    'MSG': ('QZ', 'TimeUS,Message'),
    'IMU': ('Qf', 'TimeUS,GyrX'),
}  # fmt: skip
"""Types and names of the columns of messages of ArduPilot."""


def dataflash_number(name: str) -> int:
    """Return the number of a type of messages."""
    return 129 + [*FORMATS].index(name)


CODES = {'Q': 'Q', 'B': 'B', 'M': 'B', 'f': 'f', 'L': 'i', 'e': 'i', 'H': 'H', 'I': 'I',
         'Z': '64s'}  # fmt: skip


def write_dataflash(path: Path, member: Member, aircraft: Aircraft = USUAL,
                    vehicle: str = 'ArduCopter V4.5.7') -> Path:  # fmt: skip
    """Write the ``.bin`` of a vehicle: no library writes them, each message is packed here."""
    (position, velocity), track = aircraft.ned(member), member.track
    latitude, longitude, altitude = aircraft.origin
    heading = np.degrees(ned_to_enu_yaw(track.yaw))
    end = float(track.time[-1])
    rows = [(0.0, 'MSG', vehicle.encode()), (0.0, 'MODE', 4, 4, 1), (0.0, 'EV', 10)]
    rows += [(1.0, 'EV', 15), (1.0, 'MODE', 4, 4, 1)]  # ready to fly; the mode once more
    rows += [(1.0, 'ERR', 6, 1), (3.0, 'ERR', 6, 0), (end, 'EV', 11)]
    rows += [(time, 'XKF1', 0, *place, *speed, yaw) for time, place, speed, yaw
             in zip(track.time.tolist(), position, velocity, heading, strict=True)]  # fmt: skip
    if aircraft.has_gps:
        rows.append((0.0, 'ORGN', 0, round(1e7 * latitude), round(1e7 * longitude),
                     round(100 * altitude)))  # fmt: skip
        for time in np.arange(0.0, end, 0.2).tolist():
            week, rest = divmod(UTC + time - GPS_EPOCH + LEAP, WEEK)
            rows.append((time, 'GPS', int(week), round(1000 * rest)))
    if member.commands is not None:
        told = ned_to_enu(member.commands.velocity)
        for time, row in zip(member.commands.time.tolist(), told, strict=True):
            rows += [(time, f'PSC{axis}', value) for axis, value in zip('NED', row, strict=True)]
    rows.sort(key=lambda row: row[0])
    with path.open('wb') as file:
        file.write(_format(128, 'FMT', 'BBnNZ', 'Type,Length,Name,Format,Columns'))
        for name, (kinds, columns) in FORMATS.items():
            file.write(_format(dataflash_number(name), name, kinds, columns))
        for time, name, *values in rows:
            layout = '<' + ''.join(CODES[kind] for kind in FORMATS[name][0])
            stamp = round((time - aircraft.boot) * 1e6)
            head = bytes([0xA3, 0x95, dataflash_number(name)])
            file.write(head + struct.pack(layout, stamp, *values))
    return path


def _format(number: int, name: str, kinds: str, columns: str) -> bytes:
    size = 89 if number == 128 else 3 + struct.calcsize('<' + ''.join(CODES[k] for k in kinds))
    texts = name.encode(), kinds.encode(), columns.encode()
    return b'\xa3\x95\x80' + struct.pack('<BB4s16s64s', number, size, *texts)


def write_tlog(path: Path, members: Mapping[int, Member], aircraft: Aircraft = USUAL
               ) -> Path:  # fmt: skip
    """Write what a ground station hears of vehicles by the numbers of their systems."""
    packets = []
    for system, member in members.items():
        link = ardupilotmega.MAVLink(None, srcSystem=system)
        position, velocity = aircraft.ned(member)
        scale = 1e7, 1e7, 1e3
        origin = [round(k * value) for k, value in zip(scale, aircraft.origin, strict=True)]

        def put(time: float, name: str, *values: Any, link: Any = link) -> None:
            message = getattr(ardupilotmega, f'MAVLink_{name}_message')(*values)
            packets.append((time, message.pack(link)))

        put(0.0, 'gps_global_origin', *origin)
        for time in np.arange(0.0, member.track.time[-1], 1.0).tolist():
            put(time, 'heartbeat', 2, 3, 128 | 1, 4, 4, 3)
            if aircraft.has_gps:
                put(time, 'system_time', round((UTC + time) * 1e6), _ms(time, aircraft))
        put(2.0, 'statustext', 2, b'Battery 1 low')
        for time, place, speed in zip(member.track.time.tolist(), position, velocity, strict=True):
            put(time, 'local_position_ned', _ms(time, aircraft), *place, *speed)
    packets.sort(key=lambda packet: packet[0])
    with path.open('wb') as file:
        for time, packet in packets:
            file.write(struct.pack('>Q', round((UTC + 0.3 + time) * 1e6) & ~3) + packet)
    return path


def _ms(time: float, aircraft: Aircraft) -> int:
    return round((time - aircraft.boot) * 1e3)
