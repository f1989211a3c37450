"""Positions of each member's coordinates in a message, determined from the names alone.

The names are those of ``state_codec``. Received names are not trusted: unknown and repeated ones
are refused.
"""

from collections.abc import Sequence
from typing import NamedTuple

from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.states.state_validation import AXES
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav_id

REQUIRED = (*AXES, 'seq')
SILENT = 'silent'
RING_MEMBER = 'ring_member'
OF_SILENT = (*AXES, 'age')
ODOM, AGE = 'odom', 'age'
ODOM_AGE = f'{ODOM}/{AGE}'
"""Age of the odometry that belongs to a message in lockstep."""


class MemberCoordinates(NamedTuple):
    """Indices of one member's coordinates in a message; -1 where a coordinate is missing.

    ``silent`` are number, x, y, z and age of the silent agents that it tells of. ``plain`` are
    those without a rate: their velocity is not used, but must be a number. ``lacks`` names the
    first that is required and missing.
    """

    owner: str
    agent_id: int
    x: int
    y: int
    z: int
    seq: int
    u: int
    u_ss: int
    omega_ref: int
    age: int
    ring_member: int
    prop: tuple[tuple[str, int], ...]
    silent: tuple[tuple[int, int, int, int, int], ...]
    plain: tuple[tuple[str, int], ...]
    lacks: str


class CoordinateLayout(NamedTuple):
    """The members in a message, and the indices of the arc weights and of ``ODOM_AGE``, or -1."""

    members: tuple[MemberCoordinates, ...]
    weights: tuple[tuple[int, int], ...]
    odom_age: int = -1


def parse_layout(names: Sequence[str]) -> CoordinateLayout:
    """Return the layout that a list of names describes.

    Raises:
        MalformedStateError: A name is unknown or repeated.
    """
    owners: dict[str, dict[str, int]] = {}
    for i, name in enumerate(names):
        owner, slash, field = name.partition('/')
        if not slash or not _is_known(owner, field):
            raise MalformedStateError(f'unknown name {name[:60]!r}')
        fields = owners.setdefault(owner, {})
        if field in fields:
            raise MalformedStateError(f'repeated name {name[:60]!r}')
        fields[field] = i
    odom_age = owners.pop(ODOM, {}).get(AGE, -1)
    weights = tuple(
        (_number(owner), fields.pop('lambda')) for owner, fields in owners.items()
        if 'lambda' in fields
    )  # fmt: skip
    members = tuple(_member(owner, fields) for owner, fields in owners.items() if fields)
    return CoordinateLayout(members, weights, odom_age)


def _is_known(owner: str, field: str) -> bool:
    if owner == ODOM:
        return field == AGE
    if field in REQUIRED or field == 'age':
        return owner in (TARGET, ADVERSARY) or _is_agent(owner)
    if field == 'omega_ref':
        return owner == TARGET
    known = field in ('u', 'u_ss', RING_MEMBER, 'lambda') or (
        field.startswith('prop/') and len(field) > 5
    )
    return (known or _is_of_silent(field)) and _is_agent(owner)


def _is_of_silent(field: str) -> bool:
    """Return whether a field is one of a silent agent: ``silent/uav_3/x``."""
    word, _, rest = field.partition('/')
    who, _, what = rest.partition('/')
    return word == SILENT and _is_agent(who) and what in OF_SILENT


def _is_agent(owner: str) -> bool:
    """Return whether a name is that of an agent; they are numbered from 1."""
    return bool(uav_id(owner))


def _member(owner: str, fields: dict[str, int]) -> MemberCoordinates:
    known = ('x', 'y', 'z', 'seq', 'u', 'u_ss', 'omega_ref', 'age', RING_MEMBER)
    simple = (fields.get(field, -1) for field in known)
    prop = tuple((field[5:], i) for field, i in fields.items() if field.startswith('prop/'))
    plain = tuple((field, i) for field, i in fields.items() if field not in REQUIRED)
    silent = [field.split('/')[1] for field in fields if field.startswith(f'{SILENT}/')]
    needed = [*REQUIRED, *(f'{SILENT}/{who}/{one}' for who in silent for one in OF_SILENT)]
    lacks = next((field for field in needed if field not in fields), '')
    told = () if lacks else tuple(_silent(who, fields) for who in dict.fromkeys(silent))
    return MemberCoordinates(owner, _number(owner), *simple, prop, told, plain, lacks)


def _silent(who: str, fields: dict[str, int]) -> tuple[int, int, int, int, int]:
    x, y, z, age = (fields[f'{SILENT}/{who}/{one}'] for one in OF_SILENT)
    return _number(who), x, y, z, age


def _number(owner: str) -> int:
    agent_id = uav_id(owner)
    return -1 if agent_id is None else agent_id
