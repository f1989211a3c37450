"""The members in a recording, and the data of each."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.assembly import track_assembly
from soliton_encirclement_ros.analysis.bag.assembly.track_assembly import TrackSegment
from soliton_encirclement_ros.analysis.bag.decoding import (
    state_columns,
    telemetry_reader,
    vehicle_messages,
)
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Rows
from soliton_encirclement_ros.analysis.bag.decoding.state_columns import StateColumns, merged
from soliton_encirclement_ros.analysis.bag.decoding.topic_decoder import TopicDecoder
from soliton_encirclement_ros.analysis.bag.topics import topic_roles
from soliton_encirclement_ros.analysis.bag.topics.topic_map import CMD_VEL, ODOM, TELEMETRY, TRUTH
from soliton_encirclement_ros.analysis.bag.topics.topic_roles import Key, Role
from soliton_encirclement_ros.analysis.recording import Member
from soliton_encirclement_ros.core.files.name_list import named
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav_id

SWARM = ''
"""Stands for the whole swarm, as the owner of the metrics."""

WHOSE = tuple[str, str]
"""Kind of the data (a role's kind), and its member."""


MOVING_FRAMES = (*vehicle_messages.BODY_FRAMES, 'base_stabilized', 'body', 'fcu')
"""Last parts of names of frames that move with a body."""

MOVED = 1.0
"""Way from which on a position in such a frame is taken for one in map [m]."""


class FrameNames(NamedTuple):
    """Frames that the messages of a topic name: of their headers, and of their children."""

    headers: set[str]
    children: set[str]


class Found(NamedTuple):
    """Rows by kind and member, with the names of their last columns and of their frames."""

    rows: dict[WHOSE, Rows]
    names: dict[WHOSE, tuple[str, ...]]
    topics: dict[WHOSE, str]
    problems: list[str]
    frames: dict[WHOSE, FrameNames]


def found(gatherers: dict[Key, TopicDecoder], chosen: dict[Key, Role]) -> Found:
    """Return the data of relevant topics; of several with the same content the best is used."""
    result = Found({}, {}, {}, [], {})
    for key, role in sorted(chosen.items(), key=lambda item: (item[1].rank, item[0])):
        if key not in gatherers:
            continue
        gatherer, topic = gatherers[key], key[0]
        if gatherer.flaw:
            result.problems.append(f'{topic}: {gatherer.flaw}')
        if role.kind in (ODOM, TRUTH, CMD_VEL, topic_roles.TIME):
            whose = role.kind, role.member
            _take(result, whose, topic, gatherer.rows())
            if result.topics.get(whose) == topic:
                result.names[whose] = gatherer.further_columns
                result.frames[whose] = FrameNames(gatherer.frames, gatherer.children)
        elif role.kind == topic_roles.WORDS:
            decoded = state_columns.decode_states(topic, gatherer.joints.whole())
            result.problems.extend(decoded.problems)
            for owner in list(decoded.states):
                parts = decoded.states.pop(owner)  # whose memory goes with it
                _merge(result, (topic_roles.WORDS, owner), topic, parts, len(state_columns.BODY))
        elif role.kind == TELEMETRY:
            parts, problems = telemetry_reader.telemetry(topic, gatherer.joints.whole())
            result.problems.extend(problems)
            base = len(telemetry_reader.COLUMNS)
            _merge(result, (TELEMETRY, role.member), topic, parts, base)
        else:
            parts = telemetry_reader.figures(gatherer.joints.whole())
            _merge(result, (topic_roles.FIGURES, SWARM), topic, parts, 0)
    result.problems.extend(_frames(gatherers, result))
    result.problems.extend(_moving_frames(result))
    return result


def _frames(gatherers: dict[Key, TopicDecoder], result: Found) -> list[str]:
    """Return a line if bodies use frames of different names; of true motions these alone."""
    kind = TRUTH if any(kind == TRUTH for kind, _ in result.topics) else ODOM
    used = {topic for whose, topic in result.topics.items() if whose[0] == kind}
    frames: dict[str, str] = {}
    for (topic, _), gatherer in sorted(gatherers.items()):
        if topic in used:
            for frame in sorted(gatherer.frames):
                frames.setdefault(frame, topic)
    if len(frames) < 2:
        return []
    names = ', '.join(f'{frame!r} ({topic})' for frame, topic in sorted(frames.items()))
    return [f'bodies are told in different frames, taken for one: {names}']


def _moving_frames(result: Found) -> Iterator[str]:
    """Iterate over a line for each frame of a body in which positions move."""
    topics: dict[str, dict[str, None]] = {}
    for whose, names in result.frames.items():
        for frame in sorted(names.headers) if whose[0] in (ODOM, TRUTH) else ():
            place = result.rows[whose].values[:, :3]
            place = place[np.isfinite(place).all(axis=1)]
            name = vehicle_messages.last_part(frame)
            moves = bool(len(place)) and np.ptp(place, axis=0).max() > MOVED
            if moves and name in MOVING_FRAMES:
                topics.setdefault(name, {})[result.topics[whose]] = None
    for name, found in topics.items():
        yield (
            f'{named([*found])}: positions in {name!r}, the frame of a body, that move: taken for '
            'those in map'
        )


def _take(result: Found, whose: WHOSE, topic: str, rows: Rows | None) -> None:
    if rows is None:
        return
    if whose in result.rows:
        used = result.topics[whose]
        result.problems.append(f'{topic}: not used, since {used} tells the same of {whose[1]}')
        return
    result.rows[whose] = rows
    result.topics[whose] = topic


def _merge(
    result: Found, whose: WHOSE, topic: str, parts: Iterable[StateColumns], base: int
) -> None:
    parts = [part for part in parts if len(part.places)]
    if parts:
        names, rows = merged(parts, base)
        _take(result, whose, topic, rows)
        result.names.setdefault(whose, names)


def members(parts: dict[WHOSE, TrackSegment], start_ns: int) -> dict[str, Member]:
    """Return all members, in order; the parts are consumed."""
    builders = {
        ODOM: ('track', track_assembly.track),
        TRUTH: ('truth', track_assembly.track),
        CMD_VEL: ('commands', track_assembly.commands),
        topic_roles.WORDS: ('states', track_assembly.states),
        TELEMETRY: ('telemetry', track_assembly.telemetry),
    }
    everybody: dict[str, Member] = {}
    for kind, name in list(parts):
        part = parts.pop((kind, name))  # whose memory goes with it
        if kind in builders and len(part.times):
            field, build = builders[kind]
            member = everybody.get(name, Member(name))
            everybody[name] = member._replace(**{field: build(part, start_ns)})
    return {name: everybody[name] for name in sorted(everybody, key=_order)}


def _order(name: str) -> tuple[int, int, list[tuple[int, int, str]]]:
    """Return the sort key: agents by number, other vehicles, target, adversary."""
    last = {TARGET: 2, ADVERSARY: 3}.get(name)
    number = uav_id(name)
    pieces = [
        (0, int(piece), '') if piece.isdecimal() else (1, 0, piece)
        for piece in re.split(r'(\d{1,9})', name)
    ]
    if last is not None:
        return last, 0, pieces
    return (0, number, pieces) if number is not None else (1, 0, pieces)


def first_and_last(parts: Iterable[TrackSegment]) -> tuple[int, int] | None:
    """Return the first and last time [ns] in all data, None if there is none."""
    times = [part.times for part in parts if len(part.times)]
    if not times:
        return None
    return min(int(t[0]) for t in times), max(int(np.max(t)) for t in times)
