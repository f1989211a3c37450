"""Several topics that tell the place of one member: which is used, and why the others are not."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.assembly.duplicate_tracks import NEAR, farthest
from soliton_encirclement_ros.analysis.bag.assembly.track_assembly import TrackSegment, track
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Rows
from soliton_encirclement_ros.analysis.bag.decoding.topic_decoder import TopicDecoder
from soliton_encirclement_ros.analysis.bag.decoding.vehicle_messages import UNTRACKED, last_part
from soliton_encirclement_ros.analysis.bag.topics.conventions import BASES, words
from soliton_encirclement_ros.analysis.bag.topics.topic_map import ODOM, TRUTH
from soliton_encirclement_ros.analysis.bag.topics.topic_roles import Key, Role
from soliton_encirclement_ros.analysis.recording import Track

OWN = 'odom'
"""Word of the frames that begin where their vehicle does, and drift (REP-105)."""

SELDOM = 4
"""A topic with less than this part of the messages of another is not preferred by its frame."""


class ToldPlaces(NamedTuple):
    """What a topic tells of a member: its rows, with the columns of ``BODY``, and its frames."""

    topic: str
    rows: Rows
    frames: Collection[str]


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


def why_unused(kind: str, member: str, used: ToldPlaces, other: ToldPlaces) -> str:
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
