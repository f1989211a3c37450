"""Joins the recordings of one flight: a clock, an origin, and all vehicles.

Times are those of GPS, or of a recorder's clock; a log without a date is moved so that its vehicle
takes off with the others, else begins to move with them. Places count from the global origin of
the first recording that tells one.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.bag_clock import SECOND
from soliton_encirclement_ros.analysis.bag.bag_members import member_order
from soliton_encirclement_ros.analysis.bag.normalizer import NO_ORIGIN
from soliton_encirclement_ros.analysis.bag.position_checks import duplicate_tracks
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import FIRST_REAL
from soliton_encirclement_ros.analysis.bag.tracks import offset
from soliton_encirclement_ros.analysis.comparison_records import start_of_motion
from soliton_encirclement_ros.analysis.logs.vehicle_log import GPS_TIME, UtcOffset
from soliton_encirclement_ros.analysis.recording import (
    PARTS, SIMULATED, Commands, Floats, Member, Recording
)
from soliton_encirclement_ros.core.files import named


class FlightPart(NamedTuple):
    """One of several recordings of a flight, and what its dates come from; None: a recorder."""

    recording: Recording
    utc: UtcOffset | None = None

    @property
    def name(self) -> str:
        """The vehicles of a log, else the name of the bag."""
        recording = self.recording
        return named([*recording.members]) if self.utc is not None else recording.path.name

    @property
    def is_dated(self) -> bool:
        """Whether its times are dates."""
        recording = self.recording
        return recording.clock != SIMULATED and recording.start_ns >= FIRST_REAL

    @property
    def clock(self) -> str:
        """What its dates come from."""
        if self.utc is None:
            return "the recorder's clock"
        return f'{self.utc.source} (± {self.utc.spread:.3f} s)'


RISE = 0.5
"""Height above the ground [m] at which a vehicle has taken off."""

STILL = 0.2
"""Heights before a take-off differ by less [m], for at least a second."""


def take_off_time(time: Floats, height: Floats) -> float | None:
    """Return when a vehicle that stands at first has risen [s], None if it does not stand or rise.

    Args:
        time: Ascending [s], (K,).
        height: [m], (K,).
    """
    known = np.isfinite(height)
    time, height = time[known], height[known]
    if not len(time):
        return None
    ground = float(np.median(height[time <= time[0] + 1.0]))
    up = np.flatnonzero(height > ground + RISE)
    if not len(up) or time[up[0]] - time[0] < 1.0:
        return None
    first = int(up[0])
    stands = np.abs(height[time <= time[0] + 1.0] - ground) < STILL
    share = (ground + RISE - height[first - 1]) / (height[first] - height[first - 1])
    risen = float(time[first - 1] + share * (time[first] - time[first - 1]))
    return risen if stands.all() else None


TAKE_OFF, MOTION = 'take-off', 'begin of motion'


def first_events(recording: Recording) -> dict[str, float]:
    """Return when the first vehicle took off, and when the first one began to move [s]."""
    motions = [member.motion for member in recording.members.values() if member.motion]
    times = {
        TAKE_OFF: [take_off_time(one.time, one.position[:, 2]) for one in motions],
        MOTION: [start_of_motion(one.time, np.linalg.norm(one.velocity, axis=1))
                 for one in motions],
    }  # fmt: skip
    known = {what: [time for time in all_times if time is not None]
             for what, all_times in times.items()}  # fmt: skip
    return {what: min(all_times) for what, all_times in known.items() if all_times}


def join_parts(parts: Sequence[FlightPart], path: Path) -> Recording:
    """Return one recording of all; the first that has something of a member counts.

    Args:
        parts: At least one.
        path: That of the whole.
    """
    if len(parts) == 1:
        return parts[0].recording._replace(path=path)
    begins, time_lines = _begins(parts)
    origin = next((part.recording.origin for part in parts if part.recording.origin), None)
    moved = [
        _moved(part.recording, begin - min(begins), _shift(part.recording, origin))
        for part, begin in zip(parts, begins, strict=True)
    ]
    place_lines, has_unknown = _place_lines(parts)
    members, member_lines = _members(moved, parts)
    first = next((part for part in moved if part.clock == SIMULATED), moved[0])
    of_bags = {change.name for part in moved for change in part.bridges if not change.is_of_log}
    bridges = [change for part in moved for change in part.bridges
               if not (change.is_of_log and change.name in of_bags)]  # fmt: skip

    def together(field: str) -> tuple[Any, ...]:
        records = [record for part in moved for record in getattr(part, field)]
        return tuple(sorted(records, key=lambda record: record.time))

    return first._replace(
        path=path,
        start_ns=_start(parts, begins),
        duration=max(part.duration for part in moved),
        members=members,
        metrics=next((part.metrics for part in moved if part.metrics is not None), None),
        topics=tuple(topic for part in moved for topic in part.topics),
        problems=(
            *time_lines, *place_lines, *member_lines,
            *dict.fromkeys(line for part in moved for line in part.problems),
            *duplicate_tracks(members),
        ),
        scenario=next((part.scenario for part in moved if part.scenario is not None), None),
        **{field: together(field) for field in ('changes', 'stops', 'statuses', 'events')},
        bridges=tuple(sorted(bridges, key=lambda change: change.time)),
        sources=tuple(source for part in moved for source in part.sources),
        has_unknown_distances=has_unknown or any(part.has_unknown_distances for part in moved),
        doubt=', '.join(dict.fromkeys(filter(None, [
            NO_ORIGIN if has_unknown else '', *(part.doubt for part in moved)
        ]))),
        fixtures=tuple(name for part in moved for name in part.fixtures),
        origin=origin,
    )  # fmt: skip


def _start(parts: Sequence[FlightPart], begins: Sequence[float]) -> int:
    """Return time 0 of the whole [ns], in the clock of the dated ones, else of the first."""
    part, begin = next((pair for pair in zip(parts, begins, strict=True) if pair[0].is_dated),
                       (parts[0], begins[0]))  # fmt: skip
    return part.recording.start_ns - round((begin - min(begins)) * SECOND)


def _begins(parts: Sequence[FlightPart]) -> tuple[list[float], list[str]]:
    """Return when each recording begins in a common time [s], and how that is known."""
    dated = [part for part in parts if part.is_dated]
    references = dated or [parts[0]]
    base = references[0].recording.start_ns
    lines, shared = [], {id(part): (part.recording.start_ns - base) / SECOND for part in references}
    if len(dated) > 1:
        clocks = '; '.join(f'{part.name}: {part.clock}' for part in dated)
        lines.append(f'times are dates: {clocks}')
        lines += _apart(dated, shared)
    common = [
        {what: time + shared[id(part)] for what, time in first_events(part.recording).items()}
        for part in references
    ]
    for part in parts:
        if id(part) not in shared:
            shared[id(part)], line = _aligned(part, references, common)
            lines.append(line)
    return [shared[id(part)] for part in parts], lines


def _aligned(
    part: FlightPart, references: Sequence[FlightPart], common: Sequence[Mapping[str, float]]
) -> tuple[float, str]:
    """Return when a recording without a date begins in the common time [s], and a line on it."""
    own, others = first_events(part.recording), named([one.name for one in references])
    begins = {
        what: min(events[what] for events in common if what in events) - own[what]
        for what in (TAKE_OFF, MOTION) if what in own and any(what in events for events in common)
    }  # fmt: skip
    if not begins:
        return 0.0, (f'{part.name}: the log tells no date, and nothing moves: taken to begin with '
                     f'{others}')  # fmt: skip
    what, begin = next(iter(begins.items()))
    sure = f'; by {MOTION} {abs(begins[MOTION] - begin):.2f} s apart' if len(begins) > 1 else ''
    return begin, (f'{part.name}: the log tells no date: aligned with {others} by {what}, as if '
                   f'they did that at once{sure}')  # fmt: skip


def _apart(dated: Sequence[FlightPart], begins: Mapping[int, float]) -> Iterator[str]:
    """Iterate over a line if not all recordings with a date have a time in common."""
    last = max(dated, key=lambda part: begins[id(part)])
    first = min(dated, key=lambda part: begins[id(part)] + part.recording.duration)
    gap = begins[id(last)] - begins[id(first)] - first.recording.duration
    if gap > 0.0:
        yield (f'{last.name} begins {gap:.1f} s after {first.name} has ended: not one flight, or '
               'a clock that was not set')  # fmt: skip


def _shift(recording: Recording, origin: tuple[float, float, float] | None) -> Floats:
    """Return the place of the origin of a recording from a common one [m], 0 if unknown."""
    if origin is None or recording.origin is None:
        return np.zeros(3)
    return offset(np.array(origin), np.array(recording.origin))


def _place_lines(parts: Sequence[FlightPart]) -> tuple[list[str], bool]:
    """Return lines on the places, and whether those of some are not known."""
    lost = [part.name for part in parts if part.recording.origin is None]
    if lost:
        return [f'{named(lost)}: no global origin: no distances to others'], True
    first, *others = [part for part in parts]
    far = max(math.dist(_shift(part.recording, first.recording.origin), (0, 0, 0))
              for part in others)  # fmt: skip
    return [f'places count from the global origin of {first.name}, up to {far:.1f} m from the '
            'others: as exact as their GPS, also in height'], False  # fmt: skip


def _moved(recording: Recording, seconds: float, metres: Floats) -> Recording:
    """Return a recording later by a time [s] and elsewhere by a vector (3,) [m]."""
    later = {
        field: tuple(_later(record, seconds, 'time', 'end') for record in getattr(recording, field))
        for field in ('changes', 'stops', 'statuses', 'bridges', 'events')
    }
    topics = [_later(topic, seconds, 'first', 'last', 'gap_at') for topic in recording.topics]
    metrics = recording.metrics
    return recording._replace(
        **later,
        topics=tuple(topics),
        metrics=None if metrics is None else {**metrics, 'time': metrics['time'] + seconds},
        members={name: _moved_member(member, seconds, metres)
                 for name, member in recording.members.items()},
        duration=recording.duration + seconds,
        begin=recording.begin + seconds if recording.begin else 0.0,
    )  # fmt: skip


def _later(record: Any, seconds: float, *fields: str) -> Any:
    values = {field: getattr(record, field, None) for field in fields}
    return record._replace(**{
        field: value + seconds for field, value in values.items() if value is not None
    })  # fmt: skip


def _moved_member(member: Member, seconds: float, metres: Floats) -> Member:
    series_of = {name: getattr(member, name) for name in PARTS}
    return member._replace(**{
        name: series._replace(
            time=series.time + seconds,
            **({} if isinstance(series, Commands) else {'position': series.position + metres}),
        )
        for name, series in series_of.items() if series is not None
    })  # fmt: skip


def _members(
    moved: Sequence[Recording], parts: Sequence[FlightPart]
) -> tuple[dict[str, Member], list[str]]:
    """Return all members in order, and a line on each that several recordings tell of."""
    members: dict[str, Member] = {}
    lines = []
    for recording, part in zip(moved, parts, strict=True):
        for name, member in recording.members.items():
            known = members.get(name)
            if known is None:
                members[name] = member
                continue
            new = {field: getattr(member, field) for field in PARTS
                   if getattr(known, field) is None}  # fmt: skip
            members[name] = known._replace(**new)
            lines.append(f'{name} is in {part.recording.path.name}, too: used is what the others '
                         'do not tell of it')  # fmt: skip
    return {name: members[name] for name in sorted(members, key=member_order)}, lines
