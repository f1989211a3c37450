"""The members in a bag and the data of each, whichever of several topics tells its place."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag import topic_roles, tracks
from soliton_encirclement_ros.analysis.bag.decoding import joint_states
from soliton_encirclement_ros.analysis.bag.decoding.joint_states import StateColumns, merged
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import Rows
from soliton_encirclement_ros.analysis.bag.decoding.topic_decoder import (
    ORIGIN,
    UNTRACKED,
    TopicDecoder,
)
from soliton_encirclement_ros.analysis.bag.frame_tree import (
    FrameTree,
    OwnFrame,
    in_one_map,
    listed_bodies,
    moved_line,
    tree_of,
)
from soliton_encirclement_ros.analysis.bag.position_checks import NEAR, farthest
from soliton_encirclement_ros.analysis.bag.topic_map import (
    CMD_VEL,
    ODOM,
    TELEMETRY,
    TRUTH,
    TopicMap,
)
from soliton_encirclement_ros.analysis.bag.topic_names import (
    BASES,
    REFERENCE,
    SENSOR,
    last_part,
    words,
)
from soliton_encirclement_ros.analysis.bag.topic_roles import OTHER, Key, Role, fits
from soliton_encirclement_ros.analysis.bag.tracks import TrackSegment, track
from soliton_encirclement_ros.analysis.recording import Member, Source, Track
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.run.flown_scenario import FlownScenario
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET

OWN = 'odom'
"""Word of the frames that begin where their vehicle does, and drift (REP-105)."""

SELDOM = 4
"""A topic with less than this part of the messages of another is not preferred by its frame."""


class TopicData(NamedTuple):
    """What a topic tells of a member.

    Attributes:
        topic: The topic, with the name of one of its bodies if it tells of several.
        rows: The rows; of a body with the columns of ``BODY``.
        names: Names of their last columns.
        frames: Frames in the headers of its messages.
        children: Frames of bodies that its messages name.
    """

    topic: str
    rows: Rows
    names: tuple[str, ...] = ()
    frames: Collection[str] = ()
    children: Collection[str] = ()


def by_preference(
    decoders: Mapping[Key, TopicDecoder], chosen: Mapping[Key, Role]
) -> list[tuple[Key, Role]]:
    """Return topics with their roles, the best first.

    Of topics with equal ``told`` those in a vehicle's own frame come behind the others, if there
    are others in a frame that vehicles share.
    """
    groups = {key: (role.kind, role.member, role.told) for key, role in chosen.items()
              if role.kind in (ODOM, TRUTH) and key in decoders}  # fmt: skip
    shared: Counter[tuple[str, str, str]] = Counter()
    for key, group in groups.items():
        if _is_shared(decoders[key].frames):
            shared[group] = max(shared[group], decoders[key].taken)

    def order(item: tuple[Key, Role]) -> tuple[object, ...]:
        key, (told, rank) = item[0], item[1].order
        is_own = key in groups and _is_own(decoders[key].frames)
        is_aside = is_own and SELDOM * shared[groups[key]] >= max(1, decoders[key].taken)
        return told, is_aside, rank, key

    return sorted(chosen.items(), key=order)


def why_unused(kind: str, member: str, used: TopicData, other: TopicData) -> str:
    """Return why a topic is not used beside one of the same kind and member that is."""
    apart = farthest(_track(used.rows), _track(other.rows)) if kind in (ODOM, TRUTH) else 0.0
    if apart < NEAR:
        return f'not used, since {used.topic} tells the same of {member}'
    far = f': up to {apart:.1f} m apart' if np.isfinite(apart) else ''
    if _is_own(other.frames) and _is_shared(used.frames):
        return (
            f'not used, since {used.topic} tells of {member} in {_listed(used.frames)}, this one '
            f'in {_listed(other.frames)}, whose origin may be that of {member} alone{far}'
        )
    return (
        f'not used, since {used.topic} comes first by type and name{far}; a map file (--map) '
        'chooses another'
    )


def _is_own(frames: Collection[str]) -> bool:
    return any(OWN in words(last_part(frame)) for frame in frames)


def _is_shared(frames: Collection[str]) -> bool:
    named = all(frame and last_part(frame) not in BASES for frame in frames)
    return bool(frames) and named and not _is_own(frames)


def _listed(frames: Collection[str]) -> str:
    return ', '.join(map(repr, sorted(frames)))


def _track(rows: Rows) -> Track:
    """Return where a body was said to be, at the times of reception."""
    known = np.isfinite(rows.values[:, :3]).all(axis=1) & (rows.values[:, 6] != UNTRACKED)
    return track(TrackSegment(rows.logged[known], rows.values[known]).sorted(), 0)


SWARM = ''
"""Stands for the whole swarm, as the owner of the metrics."""

WHOSE = tuple[str, str]
"""Kind of the data (a role's kind), and its member."""

AGENT = re.compile(r'uav_(\d{1,9})', re.ASCII)
"""Names of agents, also with zeros in front."""

MOVED = 1.0
"""Way from which on a position in such a frame is taken for one in map [m]."""


NOTHING = Rows(np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, 0)))


class Found(NamedTuple):
    """What the topics in use tell, by kind and member.

    Attributes:
        told: That.
        problems: What could not be used.
        sources: All topics of members.
    """

    told: dict[WHOSE, TopicData]
    problems: list[str]
    sources: list[Source]

    def taken(self, whose: WHOSE) -> Rows:
        """Return rows, and forget them: their memory goes with who takes them."""
        rows = self.told[whose].rows
        self.told[whose] = self.told[whose]._replace(rows=NOTHING)
        return rows

    def is_used(self, whose: WHOSE, topic: str) -> bool:
        """Return whether a topic is the one in use."""
        return whose in self.told and self.told[whose].topic == topic

    def is_ours(self, scenario: FlownScenario | None) -> bool:
        """Return whether this is of a swarm of this package: it has a scenario, or says so."""
        return scenario is not None or any(
            kind in (topic_roles.WORDS, TELEMETRY) for kind, _ in self.told
        )


def found(
    gatherers: dict[Key, TopicDecoder], chosen: dict[Key, Role], naming: TopicMap | None = None
) -> Found:
    """Return the data of relevant topics; of several with the same content the best is used.

    Args:
        gatherers: Decoded messages.
        chosen: Roles of all topics.
        naming: The map that has chosen them, if any.
    """
    result = Found({}, [], [])
    roles: dict[WHOSE, str] = {}
    for key, role in by_preference(gatherers, chosen):
        whose, topic = (role.kind, role.member), key[0]
        if role.kind == OTHER and (fits(ODOM, key[1]) or role.told == REFERENCE):
            quantity = ODOM if fits(ODOM, key[1]) else CMD_VEL
            result.sources.append(Source(role.member, quantity, *key, role.told, False))
        if key not in gatherers:
            continue
        gatherer = gatherers[key]
        if gatherer.flaw:
            result.problems.append(f'{topic}: {gatherer.flaw}')
        if role.kind in (ODOM, TRUTH, CMD_VEL, topic_roles.TIME):
            is_rival = role.told == roles.setdefault(whose, role.told)
            if (rows := gatherer.rows()) is not None:
                told = (rows, gatherer.further_columns, gatherer.frames, gatherer.children)
                _take(result, whose, TopicData(topic, *told), is_rival)
        elif role.kind == topic_roles.WORDS:
            states, problems = joint_states.decode_states(topic, gatherer.joints.whole())
            result.problems.extend(problems)
            for owner in list(states):
                parts = states.pop(owner)  # whose memory goes with it
                _merge(result, (topic_roles.WORDS, owner), topic, parts, len(joint_states.STATE))
        elif role.kind == TELEMETRY:
            parts, problems = joint_states.telemetry(topic, gatherer.joints.whole())
            result.problems.extend(problems)
            base = len(joint_states.COLUMNS)
            _merge(result, whose, topic, parts, base)
        elif role.kind == topic_roles.FIGURES:
            parts = joint_states.figures(gatherer.joints.whole())
            _merge(result, (topic_roles.FIGURES, SWARM), topic, parts, 0)
        if role.member and role.kind != OTHER:
            used = result.is_used(whose, topic)
            result.sources.append(Source(role.member, role.kind, *key, role.told, used))
    bodies, problems = listed_bodies(gatherers, chosen, naming)
    result.problems.extend(problems)
    for body in bodies:
        whose = body.quantity, body.member
        _take(result, whose, TopicData(body.told, body.rows, frames={body.frame}))
        used = result.is_used(whose, body.told)
        result.sources.append(
            Source(body.member, body.quantity, body.told, body.type, SENSOR, used)
        )
    result.problems.extend(_moved(result, tree_of(gatherers, chosen)))
    result.problems.extend(_frames(result))
    result.problems.extend(_moving_frames(result))
    result.sources.sort(key=lambda one: (_order(one.member), not one.used))
    return result


def _moved(result: Found, tree: FrameTree) -> list[str]:
    """Move bodies in frames of their own into one that they share; return a line for each."""
    bodies = [
        OwnFrame._make((whose, *told.frames, told.rows)) for whose, told in result.told.items()
        if whose[0] in (ODOM, TRUTH) and len(told.frames) == 1 and told.names != ORIGIN
    ]  # fmt: skip
    lines = []
    for whose, root, rows in in_one_map(bodies, tree):
        result.told[whose] = result.told[whose]._replace(rows=rows, frames={root})
        lines.append(moved_line(result.told[whose].topic, root))
    return lines


def _frames(result: Found) -> list[str]:
    """Return a line if bodies use frames of different names; of a true motion that alone."""
    frames: dict[str, str] = {}
    for (kind, member), told in sorted(result.told.items(), key=lambda item: item[0]):
        if kind == TRUTH or (kind == ODOM and (TRUTH, member) not in result.told):
            for frame in sorted(told.frames):
                frames.setdefault(frame, told.topic)
    if len(frames) < 2:
        return []
    names = ', '.join(f'{frame!r} ({topic})' for frame, topic in sorted(frames.items()))
    return [f'bodies are told in different frames, taken for one: {names}']


def _moving_frames(result: Found) -> Iterator[str]:
    """Iterate over a line for each frame of a body in which positions move."""
    topics: dict[str, dict[str, None]] = {}
    for whose, told in result.told.items():
        for frame in sorted(told.frames) if whose[0] in (ODOM, TRUTH) else ():
            place = told.rows.values[:, :3]
            place = place[np.isfinite(place).all(axis=1)]
            name = last_part(frame)
            moves = bool(len(place)) and np.ptp(place, axis=0).max() > MOVED
            if moves and name in BASES:
                topics.setdefault(name, {})[told.topic] = None
    for name, found in topics.items():
        yield (
            f'{named([*found])}: positions in {name!r}, the frame of a body, that move: taken for '
            'those in map'
        )


def _take(result: Found, whose: WHOSE, told: TopicData, is_rival: bool = True) -> None:
    used = result.told.setdefault(whose, told)
    if used is not told and is_rival:
        result.problems.append(f'{told.topic}: {why_unused(*whose, used, told)}')


def _merge(
    result: Found, whose: WHOSE, topic: str, parts: Iterable[StateColumns], base: int
) -> None:
    parts = [part for part in parts if len(part.places)]
    if parts:
        names, rows = merged(parts, base)
        _take(result, whose, TopicData(topic, rows, names))


def members(parts: dict[WHOSE, TrackSegment], start_ns: int) -> dict[str, Member]:
    """Return all members, in order; the parts are consumed."""
    builders = {
        ODOM: ('track', tracks.track),
        TRUTH: ('truth', tracks.track),
        CMD_VEL: ('commands', tracks.commands),
        topic_roles.WORDS: ('states', tracks.states),
        TELEMETRY: ('telemetry', tracks.telemetry),
    }
    everybody: dict[str, Member] = {}
    for kind, name in list(parts):
        part = parts.pop((kind, name))  # whose memory goes with it
        if kind in builders and len(part.times):
            field, build = builders[kind]
            member = everybody.get(name, Member(name))
            everybody[name] = member._replace(**{field: build(part, start_ns)})
    return {name: everybody[name] for name in sorted(everybody, key=_order)}


def _order(name: str) -> tuple[int, list[tuple[int, int, str]]]:
    """Return the sort key: agents by number, other vehicles, target, adversary."""
    last = {TARGET: 2, ADVERSARY: 3}.get(name)
    number = AGENT.fullmatch(name)
    pieces = [
        (0, int(piece), '') if piece.isdecimal() else (1, 0, piece)
        for piece in re.split(r'(\d{1,9})', name)
    ]
    if last is not None:
        return last, 0, pieces
    return (0, int(number[1]), pieces) if number else (1, 0, pieces)


def first_and_last(parts: Iterable[TrackSegment]) -> tuple[int, int] | None:
    """Return the first and last time [ns] in all data, None if there is none."""
    times = [part.times for part in parts if len(part.times)]
    if not times:
        return None
    return min(int(t[0]) for t in times), max(int(np.max(t)) for t in times)
