"""What the log of one vehicle holds, and its recording.

Every format ends in the same columns, so that the checks of bags hold for logs as well.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag import bag_members
from soliton_encirclement_ros.analysis.bag.bag_accumulator import TopicStatistics
from soliton_encirclement_ros.analysis.bag.bag_clock import SECOND, Clock
from soliton_encirclement_ros.analysis.bag.bag_members import BagData, TopicData
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import (
    NO_STAMP, MessageRows, Numbers
)
from soliton_encirclement_ros.analysis.bag.decoding.topic_decoder import IN_MAP, ORIGIN
from soliton_encirclement_ros.analysis.bag.normalizer import Normalizer
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers
from soliton_encirclement_ros.analysis.bag.topic_map import CMD_VEL, ODOM
from soliton_encirclement_ros.analysis.bag.topic_names import COMMAND, ESTIMATE
from soliton_encirclement_ros.analysis.bag.velocity_checks import velocity_inconsistencies
from soliton_encirclement_ros.analysis.recording import (
    HEADER, BridgeChange, LogEvent, Recording, Source
)
from soliton_encirclement_ros.analysis.resampling import silences
from soliton_encirclement_ros.core.errors import RunError
from velocity_mobility_ros.autopilot.engage.engage_records import State
from velocity_mobility_ros.core.coordinate_frames import ned_to_enu, ned_to_enu_yaw

GPS_TIME = 'GPS time'

IS_DAMAGED = 'it is damaged: what can be read of it is used'
ENDS_ARMED = 'it ends while the vehicle is armed: cut off, as by a loss of power'
IS_PLANE = 'it is of a plane, which cannot stand still: the ring is judged all the same'
"""Problems that logs of all formats may have."""


PAUSE = 'it logs only while it is armed, or its card was too slow'
"""Why nothing is in a log for a while."""

LONGEST = 1e6
"""A log is shorter than this [s]; other times are those of damaged bytes."""


class LogSeries(NamedTuple):
    """Messages of one kind.

    Attributes:
        topic: Their name in the log.
        times: Since the boot of the autopilot [ns], (M,).
        values: As a bag's decoder makes them of the topic, (M, C).
    """

    topic: str
    times: Integers
    values: Numbers

    def with_place(self) -> 'LogSeries':
        """Return those whose position is known, at times that a flight can have."""
        known = np.isfinite(self.values[:, :3]).all(axis=1)
        if known.any():
            known &= np.abs(self.times / SECOND - np.median(self.times[known] / SECOND)) < LONGEST
        return self._replace(times=self.times[known], values=self.values[known])


class LogEntry(NamedTuple):
    """An event at a time [ns] since the boot: its text, and when it ended, None for no end."""

    time: int
    text: str
    end: int | None = None


class UtcOffset(NamedTuple):
    """What makes a date of a time since the boot.

    Attributes:
        offset_ns: To be added [ns].
        spread: Half the range in which 9 of 10 of its samples lie [s].
        source: Whose clock it is: ``GPS time``.
    """

    offset_ns: int
    spread: float
    source: str


class VehicleLog(NamedTuple):
    """What is used of the log of a vehicle.

    Attributes:
        name: Of the vehicle.
        places: Its positions, ``BODY`` and ``ORIGIN`` in the columns; None without any.
        commands: Velocities that its controller is told, ``COMMAND`` and frame; None without any.
        events: Modes, failsafes, warnings, in order of time.
        flown: Begin and end of each flight, from take-off to landing [ns]; empty if unknown.
        utc: The date of time 0; None if the log tells none.
        problems: One line per item that is unusable or doubtful.
    """

    name: str
    places: LogSeries | None
    commands: LogSeries | None = None
    events: Sequence[LogEntry] = ()
    flown: Sequence[tuple[int, int]] = ()
    utc: UtcOffset | None = None
    problems: Sequence[str] = ()


def place_columns(position: Numbers, velocity: Numbers, heading: Numbers, origin: Numbers
                  ) -> Numbers:  # fmt: skip
    """Return the columns of a body, of positions [m] and velocities [m/s] in NED.

    Args:
        position: North, east, down of the origin, (M, 3).
        velocity: North, east, down, (M, 3).
        heading: From north, clockwise [rad], (M,).
        origin: Latitude, longitude [deg], altitude [m], (M, 3) or (3,); NaN if unknown.
    """
    origin = np.broadcast_to(origin, (len(position), 3))
    yaw = ned_to_enu_yaw(np.asarray(heading, float))
    return np.column_stack([ned_to_enu(position), ned_to_enu(velocity), yaw, origin])


def command_columns(velocity: Numbers, turn: Numbers) -> Numbers:
    """Return the columns of commands, of velocities in NED [m/s] and turn rates [rad/s]."""
    return np.column_stack([ned_to_enu(velocity), -turn, np.full(len(turn), IN_MAP)])


def median_offset(dates: Iterable[int], times: Iterable[int], source: str) -> UtcOffset | None:
    """Return what lies between dates and times since the boot [ns]; None without any."""
    offsets = np.array(list(dates), np.int64) - np.array(list(times), np.int64)
    if not len(offsets):
        return None
    low, middle, high = np.percentile(offsets, (5, 50, 95), method='nearest').tolist()
    return UtcOffset(middle, (high - low) / 2.0 / SECOND, source)


def spells(times: Sequence[int], states: Sequence[bool], end: int) -> list[tuple[int, int]]:
    """Return begin and end of the spells of a state [ns]; one that goes on ends at ``end``."""
    result: list[tuple[int, int]] = []
    begin = None
    for time, state in zip(times, states, strict=True):
        if state and begin is None:
            begin = time
        elif not state and begin is not None:
            result.append((begin, time))
            begin = None
    return result if begin is None else [*result, (begin, end)]


def recording_of(path: Path, log: VehicleLog) -> Recording:
    """Return the recording in a log, alone.

    Args:
        path: The file.
        log: Its content.

    Raises:
        RunError: It tells no place of the vehicle.
    """
    log = log._replace(places=log.places and log.places.with_place())
    if log.places is None or not len(log.places.times):
        reason = 'its messages do not tell it' if log.places is None else (
            'its estimator had none')  # fmt: skip
        reasons = '; '.join([reason, *log.problems])
        raise RunError(f'{path}: no position of the vehicle is in the log: {reasons}')
    offset = 0 if log.utc is None else log.utc.offset_ns
    none = np.zeros(0, np.int64)
    data, clock, statistics = BagData({}, [], []), Clock(HEADER, none, none), []
    for kind, role, series in (
        (ODOM, ESTIMATE, log.places), (CMD_VEL, COMMAND, log.commands),
    ):  # fmt: skip
        if series is None or not len(series.times):
            continue
        topic, times = f'/{log.name}/{series.topic}', series.times + offset
        rows = MessageRows(times, np.full_like(times, NO_STAMP), series.values)
        data.topics[kind, log.name] = TopicData(topic, rows, ORIGIN if kind == ODOM else ())
        data.sources.append(Source(log.name, kind, topic, series.topic, role, True))
        statistics.append(_statistics(topic, series.topic, rows))
    spans = [stats.span() for stats in statistics]
    start_ns, end_ns = min(begin for begin, _ in spans), max(end for _, end in spans)
    normalizer = Normalizer(data, clock, start_ns, {}, None)
    members = bag_members.members(normalizer.run(), start_ns)

    def seconds(time: int) -> float:
        """Return a time since time 0, at which the first position is known."""
        return max(0, time + offset - start_ns) / SECOND

    return Recording(
        path=path,
        start_ns=start_ns,
        clock=HEADER,
        duration=(end_ns - start_ns) / SECOND,
        members=members,
        metrics=None,
        topics=tuple(stats.topic(clock, start_ns) for stats in statistics),
        problems=(
            *(f'{path.name}: {line}' for line in log.problems), *data.problems,
            *silences(members.values(), PAUSE), *velocity_inconsistencies(members.values()),
        ),
        sources=tuple(data.sources),
        events=tuple(
            LogEvent(seconds(entry.time), None if entry.end is None else seconds(entry.end),
                     log.name, entry.text)
            for entry in log.events
        ),
        origin=normalizer.origin,
        bridges=tuple(_flights(log, seconds)),
    )  # fmt: skip


def _statistics(topic: str, type_name: str, rows: MessageRows) -> TopicStatistics:
    stats = TopicStatistics(topic, type_name)
    stats.add(np.arange(len(rows.logged)), rows.logged, rows.stamps)
    stats.end()
    return stats


def _flights(log: VehicleLog, seconds: Callable[[int], float]) -> Iterator[BridgeChange]:
    """Iterate over take-offs and landings, as a bridge to the autopilot would report them."""
    first, last = log.places.times[[0, -1]].tolist() if log.places is not None else (0, 0)
    for begin, end in log.flown:
        if end <= first or begin >= last:
            continue
        yield BridgeChange(seconds(begin), log.name, State.TRACK.name, 'took off', False, True)
        yield BridgeChange(seconds(end), log.name, State.HOLD.name, 'landed', True, True)
