"""Trees of frames with their poses over time, and the positions of bodies in them.

Bodies share a topic as frames of /tf or as rigid bodies of motion capture. Positions in frames of
single vehicles are moved into one map by the transforms.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import (
    NO_STAMP, MessageRows, Numbers
)
from soliton_encirclement_ros.analysis.bag.decoding.topic_decoder import (
    OTHER_VELOCITY, POSITION, VELOCITY, YAW, Entry, ListDecoder, TopicDecoder, body_columns
)
from soliton_encirclement_ros.analysis.bag.position_checks import SHARED_FRAMES
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers
from soliton_encirclement_ros.analysis.bag.topic_map import ODOM, TopicMap
from soliton_encirclement_ros.analysis.bag.topic_names import (
    BASE_FRAMES, FIXED_FRAMES, IN_LIST, OWNERS, body_name, last_part, name_words, split_entry
)
from soliton_encirclement_ros.analysis.bag.topic_roles import (
    FRAMES, LIST, LIST_TYPES, MAX_NAMED, POSE_ARRAY, STATIC, Key, Role
)
from velocity_mobility_ros.core.coordinate_frames import bodies_to_world, multiply, yaws

ATTITUDE = slice(3, 7)

IN_FRAME = '.'
"""Stands between a fixed frame and the frame of a body: ``world.cf1``."""


class FrameTree:
    """Frames and their poses in their parents; a list of poses is a tree of one level."""

    def __init__(self, links: Mapping[Entry, MessageRows], moving: Collection[Entry]) -> None:
        """Build the tree from the poses of frames; some of them are moving, and can be a body."""
        self._parents = parents({entry: len(rows.logged) for entry, rows in links.items()})
        self._rows = {name: links[Entry(name, frame)] for name, frame in self._parents.items()}
        self._moving = {entry.name for entry in moving}

    def body(self, name: str) -> tuple[str, MessageRows] | None:
        """Return a frame as a body: the frame of its positions, and rows of ``BODY``; or None.

        Its name is read as by ``chain``; the times are those of the densest link.
        """
        frames = chain(self._parents, name)
        if not frames:
            return None
        links = [self._rows[frame] for frame in frames]
        clock = max(links, key=lambda rows: len(rows.logged))
        when = _times(clock)
        position, attitude = _compose([
            rows.values if rows is clock else _interpolate_poses(rows, _times(rows), when)
            for rows in links
        ])  # fmt: skip
        position[~clock.values.any(axis=1)] = 0.0  # not tracked, wherever its frame is
        values = body_columns(position, attitude)
        return self._parents[frames[0]], clock._replace(values=values)

    def up_to(self, name: str, last: Collection[str]) -> tuple[str, list[str]]:
        """Return the nearest of some frames, else the root, and the chain from there to a frame.

        The first is empty for no chain.
        """
        frames = chain(self._parents, name)
        starts = [k for k, frame in enumerate(frames) if self._parents[frame] in last]
        frames = frames[starts[-1] :] if starts else frames
        return (self._parents[frames[0]] if frames else ''), frames

    def poses(self, frames: list[str], when: Integers) -> tuple[Numbers, Numbers]:
        """Return poses of the last frame of a chain in its root, at log times (M,) [ns]."""
        rows = [self._rows[frame] for frame in frames]
        return _compose([_interpolate_poses(link, link.logged, when) for link in rows])

    @property
    def names(self) -> list[str]:
        """All frames with a parent, in order."""
        return sorted(self._parents)

    def bodies(self, space: str) -> dict[str, str]:
        """Return the frames that are bodies by their names, by member.

        These are ``base_link`` and the like, and what moves, directly in an uppermost or a fixed
        frame. ``space`` is the namespace of the topic.
        """
        candidates: dict[str, tuple[int, str]] = {}
        for frame, parent in sorted(self._parents.items()):
            is_top = parent not in self._parents or is_fixed(parent)
            if not is_top or frame not in self._moving or is_fixed(frame):
                continue
            name = last_part(frame)
            preference = BASE_FRAMES.index(name) if name in BASE_FRAMES else len(BASE_FRAMES)
            poses = self._rows[frame].values
            if preference < len(BASE_FRAMES) or name in OWNERS or (poses != poses[0]).any():
                member = body_name(frame, space)
                candidate = (preference, frame)
                candidates[member] = min(candidates.get(member, candidate), candidate)
        return {member: frame for member, (_, frame) in candidates.items()}


def parents(sizes: Mapping[Entry, int]) -> dict[str, str]:
    """Return the parent of every frame, of several the one with the most poses."""
    return dict(sorted(sizes, key=lambda entry: (sizes[entry], entry)))


def chain(parents: Mapping[str, str], name: str) -> list[str]:
    """Return the chain of frames that ends with one, without its root; empty for no such chain.

    The name is ``cf1``, from the uppermost frame, or ``world.cf1``, from a given one.
    """
    dots = [k for k, letter in enumerate(name) if letter == IN_FRAME and 0 < k < len(name) - 1]
    for fixed, last in (('', name), *((name[:k], name[k + 1 :]) for k in dots)):
        frames, frame = [], last
        while frame in parents and frame != fixed and frame not in frames:
            frames.append(frame)
            frame = parents[frame]
        if frames and frame not in frames and frame == (fixed or frame):
            return frames[::-1]
    return []


def is_fixed(frame: str) -> bool:
    """Return whether a frame is no body's, by its name."""
    last = last_part(frame)
    return last not in BASE_FRAMES and not name_words(last).isdisjoint(FIXED_FRAMES)


def _compose(links: list[Numbers]) -> tuple[Numbers, Numbers]:
    """Return position and attitude of the end of a chain, given the poses of its links."""
    count = len(links[0])
    position, attitude = np.zeros((count, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))
    for values in links:
        position = position + bodies_to_world(attitude, values[:, POSITION])
        attitude = np.stack(multiply(tuple(attitude.T), tuple(values[:, ATTITUDE].T)), axis=1)
    return position, attitude


def _times(rows: MessageRows) -> Integers:
    """Return the times of poses [ns]: their stamps, else log times."""
    return rows.logged if (rows.stamps == NO_STAMP).any() else rows.stamps


def _interpolate_poses(rows: MessageRows, times: Integers, when: Integers) -> Numbers:
    """Return poses at some times [ns]; the first and the last hold before and after."""
    order = np.argsort(times, kind='stable')
    values = rows.values[order].copy()
    flips = (values[1:, ATTITUDE] * values[:-1, ATTITUDE]).sum(axis=1) < 0.0
    values[1:, ATTITUDE] *= np.where(np.cumsum(flips) % 2 == 1, -1.0, 1.0)[:, None]
    since = (times[order] - when[0]) / 1e9
    at = (when - when[0]) / 1e9
    poses = np.column_stack([np.interp(at, since, column) for column in values.T])
    length = np.sqrt((poses[:, ATTITUDE] ** 2).sum(axis=1, keepdims=True))
    poses[:, ATTITUDE] /= np.where(length > 0.0, length, 1.0)
    return poses


class ListedBody(NamedTuple):
    """A body in a topic with several: its quantity, ``odom`` or ``ground_truth``, and its member.

    ``map_entry`` is topic and body as in a map file, ``frame`` that of its positions; the rows
    have the columns of ``topic_decoder.BODY``.
    """

    quantity: str
    member: str
    map_entry: str
    type: str
    frame: str
    rows: MessageRows


def listed_bodies(
    decoders: Mapping[Key, TopicDecoder], chosen: Mapping[Key, Role], naming: TopicMap | None
) -> tuple[list[ListedBody], list[str]]:
    """Return the bodies in a map, else those in the topics of the best type; and the problems."""
    keys = sorted(key for key, role in chosen.items() if role.kind == LIST and key in decoders)
    types = [kind for kind in LIST_TYPES if any(key[1] == kind for key in keys)]
    bodies, problems = [], []
    for kind in types if naming is not None else types[:1]:
        list_decoders = {topic: decoders[topic, kind]
                         for topic, type_name in keys if type_name == kind}  # fmt: skip
        uneven = [topic for topic, decoder in list_decoders.items()
                  if kind == POSE_ARRAY and len(decoder.bodies.lengths - {0}) > 1]  # fmt: skip
        problems += [f'{topic}: its poses have no names, and their number changes: left out'
                     for topic in uneven]  # fmt: skip
        trees = _trees({topic: list_decoders[topic] for topic in list_decoders
                        if topic not in uneven})  # fmt: skip
        entries = [*_default_bodies(kind, trees)] if naming is None else [
            (quantity, member, *split_entry(map_entry)) for member, topics in naming.topics.items()
            for quantity, map_entry in topics.items()
        ]  # fmt: skip
        for quantity, member, topic, entry in entries:
            body = trees[topic].body(entry) if topic in trees else None
            if body is not None:
                map_entry = f'{topic}{IN_LIST}{entry}'
                bodies.append(ListedBody(quantity, member, map_entry, kind, *body))
        if naming is None:
            problems += _guess_lines(kind, trees, bodies)
    return bodies, problems


def body_problem(decoders: Iterable[tuple[str, ListDecoder]], topic: str, entry: str) -> str:
    """Return what is wrong with the body that a map names in a topic; empty if nothing is."""
    sizes: Counter[Entry] = Counter()
    for name, decoder in decoders:
        if name in (topic, f'{topic}{STATIC}'):
            sizes.update(decoder.sizes)
    known = parents(sizes)
    if chain(known, entry):
        return ''
    what = f'holds no {entry!r}' if entry else f'tells of several bodies: write {topic}:NAME'
    others = f'; there are {_first_names(sorted(known))}' if known else ', nor any other'
    return f'{what}{others}'


def _first_names(names: Sequence[str]) -> str:
    return ', '.join(names[:MAX_NAMED]) + (', ...' if len(names) > MAX_NAMED else '')


def _trees(decoders: Mapping[str, TopicDecoder]) -> dict[str, FrameTree]:
    """Return the frames by topic; to those of /tf belong those of /tf_static."""
    links = {topic: one.bodies.pop_all() for topic, one in decoders.items() if one.bodies}
    still = {topic: links.pop(topic) for topic in [*links] if topic.endswith(STATIC)}
    return {topic: FrameTree({**still.get(f'{topic}{STATIC}', {}), **own}, own)
            for topic, own in links.items()}  # fmt: skip


def _default_bodies(
    kind: str, trees: Mapping[str, FrameTree]
) -> Iterator[tuple[str, str, str, str]]:
    """Iterate over the bodies by name or place: quantity, member, topic, and entry in that."""
    if kind == POSE_ARRAY and len(trees) > 1:
        return
    for topic, tree in trees.items():
        if kind == FRAMES:
            bodies = tree.bodies(topic.rpartition('/')[0])
        elif kind == POSE_ARRAY:
            bodies = {f'pose_{place}': place for place in tree.names}
        else:
            bodies = {body_name(name): name for name in tree.names}
        yield from ((ODOM, member, topic, entry) for member, entry in bodies.items())


def _guess_lines(
    kind: str, trees: Mapping[str, FrameTree], bodies: Sequence[ListedBody]
) -> Iterator[str]:
    """Iterate over a line on frames that were taken for bodies although no name says so."""
    if kind not in (FRAMES, POSE_ARRAY) or not trees:
        return
    topics = ', '.join(trees)
    names = [name for tree in trees.values() for name in tree.names]
    if not names:
        yield f'{topics}: its bodies have no names: none is used'
        return
    if not bodies:
        yield (
            f'{topics}: which of its bodies are vehicles is not known; a map file (--map) can '
            f'name them as {next(iter(trees))}{IN_LIST}NAME; there are {_first_names(names)}'
        )
        return
    listed = _first_names([body.member for body in bodies])
    origin = 'places in the list' if kind == POSE_ARRAY else f'frames in {bodies[0].frame!r}'
    yield (
        f'{topics}: {listed} are taken for bodies, by their {origin}; a map file (--map) can name '
        f'others, as {bodies[0].map_entry}'
    )


class OwnFrame(NamedTuple):
    """Data of a member in one frame: kind and member, the frame, and the rows."""

    whose: tuple[str, str]
    frame: str
    rows: MessageRows


def is_own(frame: str) -> bool:
    """Return whether a fixed frame may be that of one vehicle alone, by its name."""
    return is_fixed(frame) and frame not in SHARED_FRAMES


def tree_of(decoders: Mapping[Key, TopicDecoder], chosen: Mapping[Key, Role]) -> FrameTree:
    """Return the frames of all topics with transforms that are no bodies themselves."""
    links = {}
    for key, decoder in sorted(decoders.items(), reverse=True):  # what moves counts at last
        is_list = key in chosen and chosen[key].kind == LIST
        if key[1] == FRAMES and decoder.bodies is not None and not is_list:
            links |= decoder.bodies.pop_all()
    return FrameTree(links, ())


def move_to_shared_frame(bodies: list[OwnFrame], tree: FrameTree) -> Iterator[OwnFrame]:
    """Iterate over the bodies that transforms move into a frame shared with others.

    A frame that several members name is not moved: it may be another one for each of them.
    """
    users: dict[str, set[str]] = {}
    for body in bodies:
        users.setdefault(body.frame, set()).add(body.whose[1])
    if len(users) < 2:
        return
    alone = [body for body in bodies if is_own(body.frame) and len(users[body.frame]) == 1]
    chains = {body.frame: tree.up_to(body.frame, SHARED_FRAMES) for body in alone}
    roots: dict[str, set[str]] = {}
    for body in alone:
        roots.setdefault(chains[body.frame][0], set()).add(body.whose[1])
    for body in alone:
        root, frames = chains[body.frame]
        if root and (root in SHARED_FRAMES or len(roots[root]) > 1):
            yield body._replace(frame=root, rows=_move_rows(body.rows, tree, frames))


def _move_rows(rows: MessageRows, tree: FrameTree, chain: list[str]) -> MessageRows:
    position, attitude = tree.poses(chain, rows.logged)
    values = rows.values.copy()
    values[:, POSITION] = position + bodies_to_world(attitude, values[:, POSITION])
    for columns in (VELOCITY, OTHER_VELOCITY)[: 2 if values.shape[1] > YAW + 1 else 1]:
        values[:, columns] = bodies_to_world(attitude, values[:, columns])
    has_heading = np.isfinite(values[:, YAW])
    yaw = values[has_heading, YAW] + yaws(attitude)[has_heading]
    values[has_heading, YAW] = np.angle(np.exp(1j * yaw))
    return rows._replace(values=values)
