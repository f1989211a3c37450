"""The members in a bag and their data, each from the best of several topics."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag import topic_roles, tracks
from soliton_encirclement_ros.analysis.bag.decoding import joint_states
from soliton_encirclement_ros.analysis.bag.decoding.joint_states import StateColumns, merge_columns
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import MessageRows
from soliton_encirclement_ros.analysis.bag.decoding.topic_decoder import (
    ORIGIN, UNTRACKED, TopicDecoder
)
from soliton_encirclement_ros.analysis.bag.frame_tree import (
    FrameTree, OwnFrame, listed_bodies, move_to_shared_frame, tree_of
)
from soliton_encirclement_ros.analysis.bag.position_checks import NEAR, max_distance
from soliton_encirclement_ros.analysis.bag.topic_map import (
    CMD_VEL, ODOM, TELEMETRY, TRUTH, TopicMap
)
from soliton_encirclement_ros.analysis.bag.topic_names import (
    BASE_FRAMES, REFERENCE, SENSOR, last_part, name_words
)
from soliton_encirclement_ros.analysis.bag.topic_roles import OTHER, Key, Role, fits
from soliton_encirclement_ros.analysis.bag.tracks import TrackSegment, track
from soliton_encirclement_ros.analysis.recording import Member, Source, Track
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.run.flown_scenario import FlownScenario
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET

OWN = 'odom'
"""Word of the frames that begin at the start of their vehicle, and drift (REP-105)."""

SELDOM = 4
"""A topic with less than this part of the messages of another is not preferred by its frame."""


class TopicData(NamedTuple):
    """Data of a member from one topic.

    Attributes:
        topic: The topic, with the name of a body if it has several.
        rows: The rows; of a body with the columns of ``BODY``.
        names: Names of their last columns.
        frames: Frames in the headers of its messages.
        children: Frames of bodies that its messages name.
    """

    topic: str
    rows: MessageRows
    names: tuple[str, ...] = ()
    frames: Collection[str] = ()
    children: Collection[str] = ()


def by_preference(
    decoders: Mapping[Key, TopicDecoder], chosen: Mapping[Key, Role]
) -> list[tuple[Key, Role]]:
    """Return topics with their roles, the best first.

    Of topics with equal ``provenance`` those in a vehicle's own frame come behind the others,
    if there are others in a frame that vehicles share.
    """
    groups = {key: (role.kind, role.member, role.provenance) for key, role in chosen.items()
              if role.kind in (ODOM, TRUTH) and key in decoders}  # fmt: skip
    shared: Counter[tuple[str, str, str]] = Counter()
    for key, group in groups.items():
        if _is_shared(decoders[key].frames):
            shared[group] = max(shared[group], decoders[key].decoded_count)

    def sort_key(item: tuple[Key, Role]) -> tuple[object, ...]:
        key, (provenance, rank) = item[0], item[1].order
        is_own = key in groups and _is_own(decoders[key].frames)
        is_aside = is_own and SELDOM * shared[groups[key]] >= max(1, decoders[key].decoded_count)
        return provenance, is_aside, rank, key

    return sorted(chosen.items(), key=sort_key)


def why_unused(kind: str, member: str, used: TopicData, other: TopicData) -> str:
    """Return why a topic is not used beside one of the same kind and member that is."""
    apart = max_distance(_track(used.rows), _track(other.rows)) if kind in (ODOM, TRUTH) else 0.0
    if apart < NEAR:
        return f'not used, since {used.topic} tells the same of {member}'
    far = f': up to {apart:.1f} m apart' if np.isfinite(apart) else ''
    if _is_own(other.frames) and _is_shared(used.frames):
        return (
            f'not used, since {used.topic} tells of {member} in {_list(used.frames)}, this one '
            f'in {_list(other.frames)}, whose origin may be that of {member} alone{far}'
        )
    return (
        f'not used, since {used.topic} comes first by type and name{far}; a map file (--map) '
        'chooses another'
    )


def _is_own(frames: Collection[str]) -> bool:
    return any(OWN in name_words(last_part(frame)) for frame in frames)


def _is_shared(frames: Collection[str]) -> bool:
    named = all(frame and last_part(frame) not in BASE_FRAMES for frame in frames)
    return bool(frames) and named and not _is_own(frames)


def _list(frames: Collection[str]) -> str:
    return ', '.join(map(repr, sorted(frames)))


def _track(rows: MessageRows) -> Track:
    """Return the reported track of a body, at the times of reception."""
    known = np.isfinite(rows.values[:, :3]).all(axis=1) & (rows.values[:, 6] != UNTRACKED)
    return track(TrackSegment(rows.logged[known], rows.values[known]).sorted(), 0)


SWARM = ''
"""Stands for the whole swarm, as the owner of the metrics."""

DataKey = tuple[str, str]
"""Kind of the data (a role's kind), and its member."""

AGENT = re.compile(r'uav_(\d{1,9})', re.ASCII)
"""Names of agents, also with zeros in front."""

MIN_TRAVEL = 1.0
"""Travel [m] from which on positions in the frame of a body are taken for those in map."""


NO_ROWS = MessageRows(np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, 0)))


class BagData(NamedTuple):
    """Data of the topics in use, a line for each that could not be used, and all of members."""

    topics: dict[DataKey, TopicData]
    problems: list[str]
    sources: list[Source]

    def pop_rows(self, key: DataKey) -> MessageRows:
        """Return rows and drop the reference, so that the caller can free their memory."""
        rows = self.topics[key].rows
        self.topics[key] = self.topics[key]._replace(rows=NO_ROWS)
        return rows

    def is_used(self, key: DataKey, topic: str) -> bool:
        """Return whether a topic is the one in use."""
        return key in self.topics and self.topics[key].topic == topic

    def is_ours(self, scenario: FlownScenario | None) -> bool:
        """Return whether a swarm of this package was recorded, by its scenario or topics."""
        return scenario is not None or any(
            kind in (topic_roles.STATES, TELEMETRY) for kind, _ in self.topics
        )


def collect_data(
    decoders: dict[Key, TopicDecoder], chosen: dict[Key, Role], naming: TopicMap | None = None
) -> BagData:
    """Return the data of relevant topics; of several with the same content the best is used."""
    result = BagData({}, [], [])
    roles: dict[DataKey, str] = {}
    for key, role in by_preference(decoders, chosen):
        data_key, topic = (role.kind, role.member), key[0]
        if role.kind == OTHER and (fits(ODOM, key[1]) or role.provenance == REFERENCE):
            quantity = ODOM if fits(ODOM, key[1]) else CMD_VEL
            result.sources.append(Source(role.member, quantity, *key, role.provenance, False))
        if key not in decoders:
            continue
        decoder = decoders[key]
        if decoder.decode_error:
            result.problems.append(f'{topic}: {decoder.decode_error}')
        if role.kind in (ODOM, TRUTH, CMD_VEL, topic_roles.TIME):
            is_rival = role.provenance == roles.setdefault(data_key, role.provenance)
            if (rows := decoder.rows()) is not None:
                data = (rows, decoder.further_columns, decoder.frames, decoder.children)
                _take(result, data_key, TopicData(topic, *data), is_rival)
        elif role.kind == topic_roles.STATES:
            states, problems = joint_states.decode_states(topic, decoder.joints.pop_all())
            result.problems.extend(problems)
            for owner in list(states):
                columns = states.pop(owner)  # whose memory goes with it
                state_key = topic_roles.STATES, owner
                _merge(result, state_key, topic, columns, len(joint_states.STATE))
        elif role.kind == TELEMETRY:
            columns, problems = joint_states.telemetry(topic, decoder.joints.pop_all())
            result.problems.extend(problems)
            base = len(joint_states.COLUMNS)
            _merge(result, data_key, topic, columns, base)
        elif role.kind == topic_roles.FIGURES:
            columns = joint_states.figures(decoder.joints.pop_all())
            _merge(result, (topic_roles.FIGURES, SWARM), topic, columns, 0)
        if role.member and role.kind != OTHER:
            used = result.is_used(data_key, topic)
            result.sources.append(Source(role.member, role.kind, *key, role.provenance, used))
    bodies, problems = listed_bodies(decoders, chosen, naming)
    result.problems.extend(problems)
    for body in bodies:
        data_key = body.quantity, body.member
        _take(result, data_key, TopicData(body.map_entry, body.rows, frames={body.frame}))
        used = result.is_used(data_key, body.map_entry)
        result.sources.append(
            Source(body.member, body.quantity, body.map_entry, body.type, SENSOR, used)
        )
    result.problems.extend(_move_to_shared_frame(result, tree_of(decoders, chosen)))
    result.problems.extend(_frame_problems(result))
    result.problems.extend(_moving_frame_problems(result))
    result.sources.sort(key=lambda source: (member_order(source.member), not source.used))
    return result


def _move_to_shared_frame(result: BagData, tree: FrameTree) -> list[str]:
    """Move bodies in frames of their own into one that they share; return a line for each."""
    bodies = [
        OwnFrame._make((key, *data.frames, data.rows)) for key, data in result.topics.items()
        if key[0] in (ODOM, TRUTH) and len(data.frames) == 1 and data.names != ORIGIN
    ]  # fmt: skip
    lines = []
    for key, root, rows in move_to_shared_frame(bodies, tree):
        result.topics[key] = result.topics[key]._replace(rows=rows, frames={root})
        lines.append(f'{result.topics[key].topic}: in a frame of its own: moved into {root!r} by '
                     'the transforms in the bag')  # fmt: skip
    return lines


def _frame_problems(result: BagData) -> list[str]:
    """Return a line if bodies use frames of different names; a truth replaces its odometry."""
    frames: dict[str, str] = {}
    for (kind, member), data in sorted(result.topics.items(), key=lambda item: item[0]):
        if kind == TRUTH or (kind == ODOM and (TRUTH, member) not in result.topics):
            for frame in sorted(data.frames):
                frames.setdefault(frame, data.topic)
    if len(frames) < 2:
        return []
    names = ', '.join(f'{frame!r} ({topic})' for frame, topic in sorted(frames.items()))
    return [f'bodies are told in different frames, taken for one: {names}']


def _moving_frame_problems(result: BagData) -> Iterator[str]:
    """Iterate over a line for each frame of a body in which positions move."""
    topics: dict[str, dict[str, None]] = {}
    for key, data in result.topics.items():
        for frame in sorted(data.frames) if key[0] in (ODOM, TRUTH) else ():
            place = data.rows.values[:, :3]
            place = place[np.isfinite(place).all(axis=1)]
            name = last_part(frame)
            moves = bool(len(place)) and np.ptp(place, axis=0).max() > MIN_TRAVEL
            if moves and name in BASE_FRAMES:
                topics.setdefault(name, {})[data.topic] = None
    for name, users in topics.items():
        yield (
            f'{named([*users])}: positions in {name!r}, the frame of a body, that move: taken '
            'for those in map'
        )


def _take(result: BagData, key: DataKey, data: TopicData, is_rival: bool = True) -> None:
    used = result.topics.setdefault(key, data)
    if used is not data and is_rival:
        result.problems.append(f'{data.topic}: {why_unused(*key, used, data)}')


def _merge(
    result: BagData, key: DataKey, topic: str, columns: Iterable[StateColumns], base: int
) -> None:
    columns = [column_set for column_set in columns if len(column_set.places)]
    if columns:
        names, rows = merge_columns(columns, base)
        _take(result, key, TopicData(topic, rows, names))


def members(segments: dict[DataKey, TrackSegment], start_ns: int) -> dict[str, Member]:
    """Return all members, in order; the parts are consumed."""
    builders = {
        ODOM: ('track', tracks.track),
        TRUTH: ('truth', tracks.track),
        CMD_VEL: ('commands', tracks.commands),
        topic_roles.STATES: ('states', tracks.states),
        TELEMETRY: ('telemetry', tracks.telemetry),
    }
    result: dict[str, Member] = {}
    for kind, name in list(segments):
        segment = segments.pop((kind, name))  # whose memory goes with it
        if kind in builders and len(segment.times):
            field, build = builders[kind]
            member = result.get(name, Member(name))
            result[name] = member._replace(**{field: build(segment, start_ns)})
    return {name: result[name] for name in sorted(result, key=member_order)}


def member_order(name: str) -> tuple[int, list[tuple[int, int, str]]]:
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
