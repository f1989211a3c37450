"""States of members, telemetry of agents and metrics of the monitor, all of them JointStates.

Coordinates are gathered by the names that the messages list. Published states are validated as in
``core.states.state_codec``, many at once.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import (
    Group, MessageRows, Numbers, TopicRows, TopicTimes
)
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers
from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.laws.telemetry import BODY
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from soliton_encirclement_ros.core.states.state_codec import (
    RING_MEMBER, CoordinateLayout, MemberCoordinates, parse_layout
)
from soliton_encirclement_ros.core.states.states import FLAGS, LARGEST_SEQ
from soliton_encirclement_ros.core.states.swarm_topics import TARGET, uav
from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE

Names = tuple[str, ...]


class NamedColumns(NamedTuple):
    """Messages with the same names in the same order.

    Attributes:
        names: What they list.
        places: Where each stands among all messages of the topic, (M,).
        rows: Positions, then the velocities that are not zero: (M, N + K).
        moving: Which velocities these are, (K,); None where the messages list no velocities.
    """

    names: Names
    places: Integers
    rows: MessageRows
    moving: tuple[int, ...] | None

    @property
    def positions(self) -> Numbers:
        """(M, N)."""
        return self.rows.values[:, : len(self.names)]

    @property
    def velocities(self) -> Numbers:
        """(M, N), or (M, 0) where the messages list none."""
        if self.moving is None:
            return np.zeros((len(self.places), 0))
        velocities = np.zeros((len(self.places), len(self.names)))
        velocities[:, list(self.moving)] = self.rows.values[:, len(self.names) :]
        return velocities


class JointStateDecoder:
    """Decodes all messages of a topic; velocities of zero, which most are, take no memory."""

    def __init__(self, times: TopicTimes) -> None:
        """Begin with none of a topic's messages."""
        self._times = times
        self._pending: dict[tuple[Names, tuple[int, ...] | None], TopicRows] = {}
        self.unequal = 0

    def add(self, group: Group, places: Integers) -> None:
        """Take some messages; those whose lists differ in length are counted as ``unequal``."""
        names = group.layout.texts.get('name', ())
        position, velocity = (group.layout.fields[key] for key in ('position', 'velocity'))
        if position.count != len(names) or velocity.count not in (0, len(names)):
            self.unequal += len(group.rows)
        elif names:
            values, rates = (group.take([field]).astype(float) for field in (position, velocity))
            moving = tuple(np.flatnonzero(rates.view(np.int64).any(axis=0)).tolist())
            key = names, moving if velocity.count else None
            rows = self._pending.setdefault(key, TopicRows(self._times))
            rows.add(places, np.column_stack([values, rates[:, list(moving)]]))

    def pop_all(self) -> Iterator[NamedColumns]:
        """Iterate over all messages, and release them."""
        while self._pending:
            (names, moving), rows = self._pending.popitem()
            columns = NamedColumns(names, *rows.pop_all(), moving)
            if len(columns.places):
                yield columns


STATE = ('seq', 'x', 'y', 'z', 'vx', 'vy', 'vz')
"""The first columns of states; optional values follow."""


class StateColumns(NamedTuple):
    """States of one member with the same list of values, in columns behind those of ``BODY``.

    ``places`` are indices of the messages in their topic, (M,).
    """

    values: tuple[str, ...]
    places: NDArray[np.int64]
    rows: MessageRows


def decode_states(
    topic: str, joints: Iterable[NamedColumns]
) -> tuple[dict[str, list[StateColumns]], list[str]]:
    """Return the states on a topic by member, and one line for everything that was refused."""
    states: dict[str, list[StateColumns]] = {}
    problems: list[str] = []
    for joint_columns in joints:
        refused = f'{topic}: {len(joint_columns.rows.logged)} messages refused: '
        try:
            layout = parse_layout(joint_columns.names)
            if joint_columns.velocities.shape[1] == 0:
                raise MalformedStateError('positions without velocities')
        except MalformedStateError as error:
            problems.append(f'{refused}{error}')
            continue
        for member in layout.members:
            if member.lacks:
                problems.append(f'{refused}{member.owner} lacks {member.lacks!r}')
                continue
            columns, wrong = _decode_member(joint_columns, layout, member)
            states.setdefault(member.owner, []).append(columns)
            if wrong:
                problems.append(
                    f'{topic}: {wrong} words of {member.owner} cannot be true: left out'
                )
    return states, problems


def _decode_member(
    columns_in: NamedColumns, layout: CoordinateLayout, member: MemberCoordinates
) -> tuple[StateColumns, int]:
    """Return the states of a member, and how many are left out since they cannot be true."""
    fields = _fields(layout, member)
    columns = [member.seq, member.x, member.y, member.z]
    velocity = columns_in.velocities[:, [member.x, member.y, member.z]]
    others = columns_in.positions[:, list(fields.values())]
    values = np.column_stack([columns_in.positions[:, columns], velocity, others])
    rated = [i for _, i in member.plain]  # whose velocities are unused, but must be numbers
    sound = _sound(values, tuple(fields)) & _plausible_states(columns_in.velocities[:, rated])
    rows = columns_in.rows._replace(values=values)
    rows = rows if sound.all() else rows.select(sound)
    return StateColumns(tuple(fields), columns_in.places[sound], rows), np.count_nonzero(~sound)


def _fields(layout: CoordinateLayout, member: MemberCoordinates) -> dict[str, int]:
    """Return the index of every other value, by name."""
    named = {
        'u': member.u, 'u_ss': member.u_ss, 'omega_ref': member.omega_ref, 'age': member.age,
        RING_MEMBER: member.ring_member,
    }  # fmt: skip
    indices = {name: i for name, i in named.items() if i >= 0}
    indices |= {f'prop/{name}': i for name, i in member.prop}
    if member.owner == TARGET:
        indices |= {f'{uav(k)}/lambda': i for k, i in layout.weights}
    return indices


def _sound(values: Numbers, names: tuple[str, ...]) -> NDArray[np.bool_]:
    """Return which states are plausible: ``core.states.states.is_sound``."""
    seq = values[:, 0]
    sound = (seq >= 0.0) & (seq <= LARGEST_SEQ) & (seq == np.floor(seq))
    sound &= _plausible_states(values[:, 1:])
    for i, name in enumerate(names, len(STATE)):
        if name == 'age':
            sound &= values[:, i] >= 0.0
        elif name == RING_MEMBER:
            sound &= np.isin(values[:, i], FLAGS)
        elif name.endswith('/lambda'):
            sound &= values[:, i] > 0.0
    return sound


def _plausible_states(values: Numbers) -> NDArray[np.bool_]:
    return (np.abs(values) <= LARGEST_COORDINATE).all(axis=1)


def merge_columns(
    columns: Iterable[StateColumns], base: int = len(STATE)
) -> tuple[tuple[str, ...], MessageRows]:
    """Return messages of one member in order, NaN for values that some lack.

    ``base`` is the number of columns that all have.
    """
    columns = list(columns)
    names = tuple(dict.fromkeys(name for column_set in columns for name in column_set.values))
    aligned = []
    if len(columns) == 1:
        return names, columns[0].rows
    for column_set in columns:
        values = np.full((len(column_set.places), base + len(names)), np.nan)
        at = [*range(base), *(base + names.index(name) for name in column_set.values)]
        values[:, at] = column_set.rows.values
        aligned.append(column_set.rows._replace(values=values))
    rows = MessageRows(*(np.concatenate(column) for column in zip(*aligned, strict=True)))
    places = np.concatenate([column_set.places for column_set in columns])
    return names, rows.select(np.argsort(places, kind='stable'))


def by_name(names: Iterable[str], values: Numbers) -> Mapping[str, Numbers]:
    """Return columns by name."""
    return {name: np.ascontiguousarray(values[:, i]) for i, name in enumerate(names)}


PLACE = 3
"""The first names are a position; their velocities count as well."""

COLUMNS = (*BODY[:PLACE], 'vx', 'vy', 'vz', *BODY[PLACE:])
"""The first columns of telemetry; values of the law follow."""


def telemetry(topic: str, joints: Iterable[NamedColumns]) -> tuple[list[StateColumns], list[str]]:
    """Return an agent's telemetry, and a line for everything refused."""
    result, problems = [], []
    for joint_columns in joints:
        count = len(joint_columns.places)
        if joint_columns.names[: len(BODY)] != BODY or not joint_columns.velocities.shape[1]:
            names = ', '.join(joint_columns.names[: len(BODY)])[:80]
            problems.append(f'{topic}: {count} messages list {names}: no telemetry, left out')
            continue
        place, inner = joint_columns.positions[:, :PLACE], joint_columns.positions[:, PLACE:]
        values = np.column_stack([place, joint_columns.velocities[:, :PLACE], inner])
        is_valid = _plausible(values)
        if not is_valid.all():
            wrong = np.count_nonzero(~is_valid)
            problems.append(f'{topic}: {wrong} messages cannot be true: left out')
        rows = joint_columns.rows._replace(values=values).select(is_valid)
        names, places = joint_columns.names[len(BODY) :], joint_columns.places[is_valid]
        result.append(StateColumns(names, places, rows))
    return result, problems


def figures(joints: Iterable[NamedColumns]) -> list[StateColumns]:
    """Return the metrics of a monitor."""
    return [StateColumns(p.names, p.places, p.rows._replace(values=p.positions)) for p in joints]


def _plausible(values: Numbers) -> NDArray[np.bool_]:
    """Return which rows are plausible: ``telemetry.TelemetryRow.is_plausible``, integers."""
    body = (np.abs(values[:, : 2 * PLACE]) <= LARGEST_COORDINATE).all(axis=1)
    failed, ring = values[:, 2 * PLACE], values[:, 2 * PLACE + 1 : len(COLUMNS)]
    numbered = ((ring >= NOBODY) & (ring == np.floor(ring))).all(axis=1)
    flagged = (failed == 0.0) | (failed == 1.0)
    return body & flagged & numbered & np.isfinite(values).all(axis=1)
