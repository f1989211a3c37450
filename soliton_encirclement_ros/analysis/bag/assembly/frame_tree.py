"""A tree of frames, each with its poses in its parent over time."""

from collections.abc import Collection, Iterator, Mapping

import numpy as np
from velocity_mobility_ros.core.frames import bodies_to_world, multiply

from soliton_encirclement_ros.analysis.bag.decoding.header_stamps import NO_STAMP
from soliton_encirclement_ros.analysis.bag.decoding.listed_poses import Entry
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Numbers, Rows
from soliton_encirclement_ros.analysis.bag.decoding.vehicle_messages import placed
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers
from soliton_encirclement_ros.analysis.bag.topics.conventions import (
    BASES,
    FIXED,
    OWNERS,
    words,
)
from soliton_encirclement_ros.analysis.bag.topics.namespaces import body_name

POSITION, ATTITUDE = slice(0, 3), slice(3, 7)

IN_FRAME = '.'
"""Stands between a fixed frame and the frame of a body: ``world.cf1``."""


class FrameTree:
    """Frames and their poses in their parents; a list of poses is a tree of one level."""

    def __init__(self, links: Mapping[Entry, Rows], moving: Collection[Entry]) -> None:
        """Build the tree.

        Args:
            links: Poses of frames, with the columns of ``listed_poses.POSE``.
            moving: Those that can be a body.
        """
        self._parents = parents({entry: len(rows.logged) for entry, rows in links.items()})
        self._rows = {name: links[Entry(name, frame)] for name, frame in self._parents.items()}
        self._moving = {entry.name for entry in moving}

    def body(self, name: str) -> tuple[str, Rows] | None:
        """Return a frame as a body: the frame of its positions, and rows of ``BODY``.

        Args:
            name: As in ``chain``.

        Returns:
            None if there is no such chain of frames.
        """
        frames = chain(self._parents, name)
        rows = [self._rows[frame] for frame in frames]
        return (self._parents[frames[0]], _joined(rows)) if frames else None

    def up_to(self, name: str, last: Collection[str]) -> list[str]:
        """Return the frames that lead to one from the nearest of some, or from the uppermost."""
        frames = chain(self._parents, name)
        starts = [k for k, frame in enumerate(frames) if self._parents[frame] in last]
        return frames[starts[-1] :] if starts else frames

    def root(self, frames: list[str]) -> str:
        """Return the frame in which a chain begins, empty for no chain."""
        return self._parents[frames[0]] if frames else ''

    def poses(self, frames: list[str], when: Integers) -> tuple[Numbers, Numbers]:
        """Return positions and attitudes of the last frame of a chain in its root.

        Args:
            frames: The chain.
            when: Log times [ns], (M,).
        """
        rows = [self._rows[frame] for frame in frames]
        return _along([_interpolated(one, one.logged, when) for one in rows])

    @property
    def names(self) -> list[str]:
        """All frames with a parent, in order."""
        return sorted(self._parents)

    def bodies(self, space: str) -> dict[str, str]:
        """Return the frames that are bodies by their names, by member.

        These are ``base_link`` and the like, and what moves, directly in an uppermost or a fixed
        frame.

        Args:
            space: Namespace of the topic.
        """
        found: dict[str, tuple[int, str]] = {}
        for frame, parent in sorted(self._parents.items()):
            is_top = parent not in self._parents or is_fixed(parent)
            if not is_top or frame not in self._moving or is_fixed(frame):
                continue
            last = frame.rpartition('/')[2]
            base = BASES.index(last) if last in BASES else len(BASES)
            if base < len(BASES) or last in OWNERS or _moves(self._rows[frame]):
                member = body_name(frame, space)
                found[member] = min(found.get(member, (base, frame)), (base, frame))
        return {member: frame for member, (_, frame) in found.items()}


def parents(sizes: Mapping[Entry, int]) -> dict[str, str]:
    """Return the parent of every frame, of several the one with the most poses."""
    return dict(sorted(sizes, key=lambda entry: (sizes[entry], entry)))


def chain(parents: Mapping[str, str], name: str) -> list[str]:
    """Return the frames that lead to one, without the one they begin in; empty for no such chain.

    Args:
        parents: Parent of every frame.
        name: ``cf1``, from the uppermost frame, or ``world.cf1``, from a given one.
    """
    for fixed, last in _readings(name):
        frames, frame = [], last
        while frame in parents and frame != fixed and frame not in frames:
            frames.append(frame)
            frame = parents[frame]
        if frames and frame not in frames and frame == (fixed or frame):
            return frames[::-1]
    return []


def _readings(name: str) -> Iterator[tuple[str, str]]:
    """Iterate over the ways to read a name: fixed frame, or nothing, and frame."""
    yield '', name
    for k, letter in enumerate(name):
        if letter == IN_FRAME and 0 < k < len(name) - 1:
            yield name[:k], name[k + 1 :]


def _moves(rows: Rows) -> bool:
    return bool((rows.values != rows.values[0]).any())


def is_fixed(frame: str) -> bool:
    """Return whether a frame is no body's, by its name."""
    last = frame.rpartition('/')[2]
    return last not in BASES and not words(last).isdisjoint(FIXED)


def _joined(links: list[Rows]) -> Rows:
    """Return the last frame in the first, at the times of the link with the most poses."""
    clock = max(links, key=lambda rows: len(rows.logged))
    when = _times(clock)
    poses = [rows.values if rows is clock else _interpolated(rows, _times(rows), when)
             for rows in links]  # fmt: skip
    position, attitude = _along(poses)
    position[~clock.values.any(axis=1)] = 0.0  # not tracked, wherever its frame is
    return clock._replace(values=placed(position, attitude))


def _along(links: list[Numbers]) -> tuple[Numbers, Numbers]:
    """Return position and attitude at the end of a chain, given the poses of its links."""
    count = len(links[0])
    position, attitude = np.zeros((count, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))
    for values in links:
        position = position + bodies_to_world(attitude, values[:, POSITION])
        attitude = np.stack(multiply(tuple(attitude.T), tuple(values[:, ATTITUDE].T)), axis=1)
    return position, attitude


def _times(rows: Rows) -> Integers:
    """Return the times of poses [ns]: their stamps, or when they were logged."""
    return rows.logged if (rows.stamps == NO_STAMP).any() else rows.stamps


def _interpolated(rows: Rows, times: Integers, when: Integers) -> Numbers:
    """Return poses at some times [ns]; the first and the last hold before and after."""
    order = np.argsort(times, kind='stable')
    values = rows.values[order].copy()
    ahead = (values[1:, ATTITUDE] * values[:-1, ATTITUDE]).sum(axis=1) < 0.0
    values[1:, ATTITUDE] *= np.where(np.cumsum(ahead) % 2 == 1, -1.0, 1.0)[:, None]
    since = (times[order] - when[0]) / 1e9
    at = (when - when[0]) / 1e9
    found = np.column_stack([np.interp(at, since, column) for column in values.T])
    length = np.sqrt((found[:, ATTITUDE] ** 2).sum(axis=1, keepdims=True))
    found[:, ATTITUDE] /= np.where(length > 0.0, length, 1.0)
    return found
