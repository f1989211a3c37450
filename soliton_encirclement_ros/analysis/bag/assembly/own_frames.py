"""Positions that vehicles tell in frames of their own: moved into one map by the transforms."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.frames import bodies_to_world, yaws

from soliton_encirclement_ros.analysis.bag.assembly.frame_tree import FrameTree, is_fixed
from soliton_encirclement_ros.analysis.bag.assembly.position_checks import SHARED
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Rows
from soliton_encirclement_ros.analysis.bag.decoding.topic_decoder import TopicDecoder
from soliton_encirclement_ros.analysis.bag.topics.topic_roles import FRAMES, LIST, Key, Role

PLACE, VELOCITY, YAW, OTHER_VELOCITY = slice(0, 3), slice(3, 6), 6, slice(7, 10)


class OwnFrame(NamedTuple):
    """What tells of a member in one frame: kind and member, that frame, and its rows."""

    whose: tuple[str, str]
    frame: str
    rows: Rows


def is_own(frame: str) -> bool:
    """Return whether a fixed frame may be that of one vehicle alone, by its name."""
    return is_fixed(frame) and frame not in SHARED


def tree_of(gatherers: Mapping[Key, TopicDecoder], chosen: Mapping[Key, Role]) -> FrameTree:
    """Return the frames of all topics with transforms that tell of no body themselves."""
    links = {}
    for key, gatherer in sorted(gatherers.items(), reverse=True):  # what moves counts at last
        is_list = key in chosen and chosen[key].kind == LIST
        if key[1] == FRAMES and gatherer.bodies is not None and not is_list:
            links |= gatherer.bodies.whole()
    return FrameTree(links, ())


def in_one_map(bodies: list[OwnFrame], tree: FrameTree) -> Iterator[OwnFrame]:
    """Iterate over those that transforms move into a frame that they share with others.

    A frame that several members name is not moved: it may be another one for each of them.

    Args:
        bodies: All bodies that are told in one frame each.
        tree: The frames.
    """
    users: dict[str, set[str]] = {}
    for body in bodies:
        users.setdefault(body.frame, set()).add(body.whose[1])
    if len(users) < 2:
        return
    alone = [body for body in bodies if is_own(body.frame) and len(users[body.frame]) == 1]
    chains = {body.frame: tree.up_to(body.frame, SHARED) for body in alone}
    roots: dict[str, set[str]] = {}
    for body in alone:
        roots.setdefault(tree.root(chains[body.frame]), set()).add(body.whose[1])
    for body in alone:
        root = tree.root(chains[body.frame])
        if root and (root in SHARED or len(roots[root]) > 1):
            yield body._replace(frame=root, rows=_moved(body.rows, tree, chains[body.frame]))


def moved_line(topic: str, root: str) -> str:
    """Return the line on a topic whose positions were moved."""
    return f'{topic}: in a frame of its own: moved into {root!r} by the transforms in the bag'


def _moved(rows: Rows, tree: FrameTree, chain: list[str]) -> Rows:
    position, attitude = tree.poses(chain, rows.logged)
    values = rows.values.copy()
    values[:, PLACE] = position + bodies_to_world(attitude, values[:, PLACE])
    for columns in (VELOCITY, OTHER_VELOCITY)[: 2 if values.shape[1] > YAW + 1 else 1]:
        values[:, columns] = bodies_to_world(attitude, values[:, columns])
    seen = np.isfinite(values[:, YAW])
    values[seen, YAW] = np.angle(np.exp(1j * (values[seen, YAW] + yaws(attitude)[seen])))
    return rows._replace(values=values)
