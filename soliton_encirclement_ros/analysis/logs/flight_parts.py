"""Joins the recordings of one flight: a clock, an origin, and all vehicles.

Times are those of GPS, or of a recorder's clock; a log without a date is moved so that its vehicle
takes off with the others, else begins to move with them. A recording of a body that another one
has with GPS time is moved so that both tell the same motion. Places count from the global origin
of the first recording that tells one.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.bag_clock import SECOND
from soliton_encirclement_ros.analysis.bag.bag_members import member_order
from soliton_encirclement_ros.analysis.bag.normalizer import NO_ORIGIN
from soliton_encirclement_ros.analysis.bag.position_checks import duplicate_tracks
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import FIRST_REAL
from soliton_encirclement_ros.analysis.bag.topic_map import CMD_VEL, ODOM, TELEMETRY, TRUTH
from soliton_encirclement_ros.analysis.bag.tracks import offset
from soliton_encirclement_ros.analysis.logs.alignment import (
    MOTION, TAKE_OFF, first_events, match_motions
)
from soliton_encirclement_ros.analysis.logs.vehicle_log import UtcOffset
from soliton_encirclement_ros.analysis.recording import (
    PARTS, SIMULATED, Commands, Floats, Member, Recording, Source
)
from soliton_encirclement_ros.analysis.recording_paths import is_log
from soliton_encirclement_ros.core.files import named


class FlightPart(NamedTuple):
    """One of several recordings of a flight, and what its dates come from; None: a recorder."""

    recording: Recording
    utc: UtcOffset | None = None

    @property
    def name(self) -> str:
        """The vehicles of a log, else the name of the bag."""
        path = self.recording.path
        return named([*self.recording.members]) if is_log(path) else path.name

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


def join_parts(parts: Sequence[FlightPart], path: Path) -> Recording:
    """Return one recording of all; the first that has something of a member counts.

    Args:
        parts: At least one.
        path: That of the whole.
    """
    if len(parts) == 1:
        return parts[0].recording._replace(path=path)
    begins, time_notes, time_problems = _begins(parts)
    origin = next((part.recording.origin for part in parts if part.recording.origin), None)
    moved, place_notes, place_problems = _in_one_frame(
        parts, [_later_recording(part.recording, begin - min(begins))
                for part, begin in zip(parts, begins, strict=True)], origin
    )  # fmt: skip
    has_unknown = bool(place_problems)
    members, sources, member_notes = _members(moved)
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
            *time_problems, *place_problems,
            *dict.fromkeys(line for part in moved for line in part.problems),
            *duplicate_tracks(members),
        ),
        scenario=next((part.scenario for part in moved if part.scenario is not None), None),
        **{field: together(field) for field in ('changes', 'stops', 'statuses', 'events')},
        bridges=tuple(sorted(bridges, key=lambda change: change.time)),
        sources=tuple(sources),
        has_unknown_distances=has_unknown or any(part.has_unknown_distances for part in moved),
        doubt=', '.join(dict.fromkeys(filter(None, [
            NO_ORIGIN if has_unknown else '', *(part.doubt for part in moved)
        ]))),
        fixtures=tuple(name for part in moved for name in part.fixtures),
        origin=origin,
        notes=(*time_notes, *place_notes, *member_notes),
    )  # fmt: skip


def _start(parts: Sequence[FlightPart], begins: Sequence[float]) -> int:
    """Return time 0 of the whole [ns], in the clock of the dated ones, else of the first."""
    part, begin = next((pair for pair in zip(parts, begins, strict=True) if pair[0].is_dated),
                       (parts[0], begins[0]))  # fmt: skip
    return part.recording.start_ns - round((begin - min(begins)) * SECOND)


def _begins(parts: Sequence[FlightPart]) -> tuple[list[float], list[str], list[str]]:
    """Return when each recording begins in a common time [s], notes on this, and problems."""
    by_gps = [part for part in parts if part.is_dated and part.utc is not None]
    dated = [part for part in parts if part.is_dated
             and (part.utc is not None or not _shared(part, by_gps))]  # fmt: skip
    references = dated or [parts[0]]
    base = references[0].recording.start_ns
    begins = {id(part): (part.recording.start_ns - base) / SECOND for part in references}
    notes, problems = [], []
    if len(dated) > 1:
        clocks = '; '.join(f'{part.name}: {part.clock}' for part in dated)
        notes.append(f'times are dates: {clocks}')
        problems += _apart(dated, begins)
    events = [
        {what: time + begins[id(part)] for what, time in first_events(part.recording).items()}
        for part in references
    ]
    for part in parts:
        if id(part) not in begins:
            begins[id(part)], note, problem = (
                _by_motion(part, references, begins) or _by_event(part, references, events)
            )
            notes += [note] * bool(note)
            problems += [problem] * bool(problem)
    return [begins[id(part)] for part in parts], notes, problems


def _shared(part: FlightPart, others: Sequence[FlightPart]) -> list[tuple[str, FlightPart]]:
    """Return the bodies that other recordings tell of as well, with those."""
    return [(name, other) for other in others for name, member in part.recording.members.items()
            if member.motion and name in other.recording.members
            and other.recording.members[name].motion]  # fmt: skip


def _by_motion(
    part: FlightPart, references: Sequence[FlightPart], begins: Mapping[int, float]
) -> tuple[float, str, str] | None:
    """Return when a recording begins [s] by the motion of a body that is in another one, too.

    Returns:
        With a note and a problem, one of them empty; None if no body moves.
    """
    for name, other in _shared(part, references):
        motions = (one.recording.members[name].motion for one in (other, part))
        if (match := match_motions(*motions)) is not None:
            line = (f'{part.name}: aligned with {other.name} by the motion of {name} '
                    f'(± {match.spread:.2f} s); then its velocities differ by '
                    f'{match.rms:.2f} m/s (RMS)')  # fmt: skip
            lines = line, ''
            if match.rival is not None:
                lines = '', f'{line}, and hardly more {match.rival:+.1f} s from there'
            return begins[id(other)] + match.lag, *lines
    return None


def _by_event(
    part: FlightPart, references: Sequence[FlightPart], common: Sequence[Mapping[str, float]]
) -> tuple[float, str, str]:
    """Return when a recording without a date begins [s], no note, and what is assumed."""
    own, others = first_events(part.recording), named([one.name for one in references])
    begins = {
        what: min(events[what] for events in common if what in events) - own[what]
        for what in (TAKE_OFF, MOTION) if what in own and any(what in events for events in common)
    }  # fmt: skip
    if not begins:
        return 0.0, '', (f'{part.name}: the log tells no date, and nothing moves: taken to begin '
                         f'with {others}')  # fmt: skip
    what, begin = next(iter(begins.items()))
    sure = f'; by {MOTION} {abs(begins[MOTION] - begin):.2f} s apart' if len(begins) > 1 else ''
    return begin, '', (f'{part.name}: the log tells no date: aligned with {others} by {what}, as '
                       f'if they did that at once{sure}')  # fmt: skip


def _apart(dated: Sequence[FlightPart], begins: Mapping[int, float]) -> Iterator[str]:
    """Iterate over a line if not all recordings with a date have a time in common."""
    last = max(dated, key=lambda part: begins[id(part)])
    first = min(dated, key=lambda part: begins[id(part)] + part.recording.duration)
    gap = begins[id(last)] - begins[id(first)] - first.recording.duration
    if gap > 0.0:
        yield (f'{last.name} begins {gap:.1f} s after {first.name} has ended: not one flight, or '
               'a clock that was not set')  # fmt: skip


def _in_one_frame(
    parts: Sequence[FlightPart], recordings: Sequence[Recording],
    origin: tuple[float, float, float] | None,
) -> tuple[list[Recording], list[str], list[str]]:  # fmt: skip
    """Return recordings with places from one origin, notes on how these are known, and problems.

    Args:
        parts: As they were read.
        recordings: The same in a common time.
        origin: The common one; None if none is known.
    """
    placed: list[Recording] = []
    notes, problems, far = [], [], 0.0
    for part, recording in zip(parts, recordings, strict=True):
        shift = np.zeros(3)
        if recording.origin is not None and origin is not None:
            shift = offset(np.array(origin), np.array(recording.origin))
            far = max(far, float(np.linalg.norm(shift)))
        elif placed and (match := _by_track(recording, placed)) is not None:
            shift, line = match
            notes.append(f'{part.name}: {line}')
        elif placed:
            problems.append(f'{part.name}: no global origin: no distances to others')
        placed.append(_elsewhere(recording, shift))
    if far:
        notes.append(f'places count from one global origin, {far:.1f} m from that of others: as '
                     'exact as their GPS, also in height')  # fmt: skip
    return placed, notes, problems


FAR = 1000.0
"""Flights with origins farther apart are compared each from its own [m]."""


def place_from(
    recording: Recording, origin: tuple[float, float, float] | None
) -> Recording:
    """Return a recording with places from another global origin; unchanged if one is unknown."""
    if origin is None or recording.origin is None:
        return recording
    shift = offset(np.array(origin), np.array(recording.origin))
    is_near = float(np.linalg.norm(shift)) <= FAR
    return _elsewhere(recording, shift)._replace(origin=origin) if is_near else recording


def _by_track(
    recording: Recording, placed: Sequence[Recording]
) -> tuple[Floats, str] | None:
    """Return where the origin of a recording is by a body that is in another one, too [m]."""
    for other in placed:
        for name, member in recording.members.items():
            own, known = member.motion, other.members.get(name, Member(name)).motion
            if own is None or known is None:
                continue
            at = own.time[(own.time >= known.time[0]) & (own.time <= known.time[-1])]
            apart = np.column_stack([
                np.interp(at, known.time, known.position[:, k])
                - np.interp(at, own.time, own.position[:, k]) for k in range(3)
            ])  # fmt: skip
            apart = apart[np.isfinite(apart).all(axis=1)]
            if len(apart):
                shift = np.median(apart, axis=0)
                rms = math.sqrt(float(((apart - shift) ** 2).sum(axis=1).mean()))
                return shift, (f'its origin is where the track of {name} fits that in '
                               f'{other.path.name}, within {rms:.2f} m (RMS)')  # fmt: skip
    return None


def _later_recording(recording: Recording, seconds: float) -> Recording:
    """Return a recording whose times are later [s]."""
    later = {
        field: tuple(_later(item, seconds, 'time', 'end') for item in getattr(recording, field))
        for field in ('changes', 'stops', 'statuses', 'bridges', 'events')
    }
    metrics = recording.metrics
    return _each_series(recording._replace(
        **later,
        topics=tuple(_later(topic, seconds, 'first', 'last', 'gap_at')
                     for topic in recording.topics),
        metrics=None if metrics is None else {**metrics, 'time': metrics['time'] + seconds},
        duration=recording.duration + seconds,
        begin=recording.begin + seconds if recording.begin else 0.0,
    ), lambda series: {'time': series.time + seconds})  # fmt: skip


def _elsewhere(recording: Recording, metres: Floats) -> Recording:
    """Return a recording whose places are moved by a vector (3,) [m]."""
    return _each_series(recording, lambda series: {} if isinstance(series, Commands) else {
        'position': series.position + metres})  # fmt: skip


def _each_series(recording: Recording, change: Callable[[Any], Mapping[str, Any]]) -> Recording:
    """Return a recording with other columns in every series of its members."""
    members = {}
    for name, member in recording.members.items():
        series_of = {part: getattr(member, part) for part in PARTS}
        members[name] = member._replace(**{
            part: series._replace(**change(series))
            for part, series in series_of.items() if series is not None
        })  # fmt: skip
    return recording._replace(members=members)


def _later(record: Any, seconds: float, *fields: str) -> Any:
    values = {field: getattr(record, field, None) for field in fields}
    return record._replace(**{
        field: value + seconds for field, value in values.items() if value is not None
    })  # fmt: skip


SERIES = {ODOM: 'track', TRUTH: 'truth', CMD_VEL: 'commands', TELEMETRY: 'telemetry'}
"""Fields of a member by the quantities that topics tell."""


def _members(
    recordings: Sequence[Recording],
) -> tuple[dict[str, Member], list[Source], list[str]]:
    """Return all members in order, their topics, and a line on those of several recordings."""
    members: dict[str, Member] = {}
    sources: list[Source] = []
    twice: dict[str, None] = {}
    for recording in recordings:
        known = dict(members)
        for name, member in recording.members.items():
            new = {field: getattr(member, field) for field in PARTS
                   if getattr(known.get(name), field, None) is None}  # fmt: skip
            members[name] = members.get(name, member)._replace(**new)
            twice |= {name: None} if name in known else {}
        sources += [
            source._replace(used=source.used and getattr(
                known.get(source.member), SERIES[source.quantity], None) is None)
            for source in recording.sources
        ]  # fmt: skip
    line = f'{named([*twice])}: in several recordings, of which the first one counts'
    ordered = {name: members[name] for name in sorted(members, key=member_order)}
    return ordered, sources, [line] if twice else []
