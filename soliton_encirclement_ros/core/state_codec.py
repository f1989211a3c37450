"""States as named coordinates, the wire form of everything that members of a swarm say.

A message holds three lists of one length: names such as ``uav_3/x``, positions and velocities. Any
number of members may share it:

    uav_k/x y z       position [m], velocity [m/s], map frame
    uav_k/u u_ss seq  value in position, velocity 0
    uav_k/prop/NAME   field of a propagation layer
    uav_k/lambda      weight of the arc from uav_k to its successor (said by the target)
    target/x y z seq omega_ref, adversary/x y z seq

Received text is not trusted: lists of different lengths, repeated or unknown names and numbers that
are none are refused. One bad member does not spoil the others in the same message.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.states import (
    AdversaryState,
    AgentState,
    State,
    TargetState,
)
from soliton_encirclement_ros.core.topics import ADVERSARY, TARGET, uav, uav_id

AXES = ('x', 'y', 'z')
LARGEST_SEQ = 2**53
"""Beyond this a double no longer holds every whole number."""


class NamedValues(NamedTuple):
    """The three lists of a message."""

    names: list[str]
    positions: list[float]
    velocities: list[float]


class Decoded(NamedTuple):
    """What a message said, and one line for every member that was refused."""

    states: list[State]
    problems: list[str]


def encode(states: Iterable[State]) -> NamedValues:
    """Return the wire form of some states."""
    values = NamedValues([], [], [])
    for state in states:
        _encode_one(state, values)
    return values


def _encode_one(state: State, values: NamedValues) -> None:
    if isinstance(state, AgentState):
        owner = uav(state.agent_id)
        _put_body(owner, state, values)
        _put(f'{owner}/u', state.u, values)
        _put(f'{owner}/u_ss', state.u_ss, values)
        for name, value in state.prop:
            _put(f'{owner}/prop/{name}', value, values)
    elif isinstance(state, TargetState):
        _put_body(TARGET, state, values)
        _put(f'{TARGET}/omega_ref', state.omega_ref, values)
        for agent_id, weight in state.lambdas:
            _put(f'{uav(agent_id)}/lambda', weight, values)
    else:
        _put_body(ADVERSARY, state, values)


def _put_body(owner: str, state: State, values: NamedValues) -> None:
    for axis, name in enumerate(AXES):
        _put(f'{owner}/{name}', state.position[axis], values, state.velocity[axis])
    _put(f'{owner}/seq', float(state.seq), values)


def _put(name: str, value: float, values: NamedValues, rate: float = 0.0) -> None:
    values.names.append(name)
    values.positions.append(value)
    values.velocities.append(rate)


class Decoder:
    """Decodes messages; remembers the layout of the last one, since senders repeat it."""

    def __init__(self) -> None:
        """Start without a layout."""
        self._names: list[str] = []
        self._layout: dict[str, dict[str, int]] = {}

    def decode(
        self, names: Sequence[str], positions: Sequence[float], velocities: Sequence[float]
    ) -> Decoded:
        """Return what a message says.

        Raises:
            MalformedStateError: The message as a whole is no set of states.
        """
        if not len(names) == len(positions) == len(velocities):
            raise MalformedStateError(
                f'{len(names)} names, {len(positions)} positions and {len(velocities)} velocities '
                'differ in number'
            )
        if names != self._names:
            self._layout = _layout(names)
            self._names = list(names)
        lambdas = {owner: fields['lambda'] for owner, fields in self._layout.items()
                   if 'lambda' in fields}
        decoded = Decoded([], [])
        for owner, fields in self._layout.items():
            if len(fields) == 1 and owner in lambdas:
                continue
            try:
                decoded.states.append(_state(owner, fields, lambdas, positions, velocities))
            except MalformedStateError as error:
                decoded.problems.append(str(error))
        return decoded


def _layout(names: Sequence[str]) -> dict[str, dict[str, int]]:
    layout: dict[str, dict[str, int]] = {}
    for i, name in enumerate(names):
        owner, slash, field = name.partition('/')
        if not slash or not _is_known(owner, field):
            raise MalformedStateError(f'unknown name {name[:60]!r}')
        fields = layout.setdefault(owner, {})
        if field in fields:
            raise MalformedStateError(f'repeated name {name[:60]!r}')
        fields[field] = i
    return layout


def _is_known(owner: str, field: str) -> bool:
    if field in ('x', 'y', 'z', 'seq'):
        return owner in (TARGET, ADVERSARY) or uav_id(owner) is not None
    if field == 'omega_ref':
        return owner == TARGET
    known = field in ('u', 'u_ss', 'lambda') or (field.startswith('prop/') and len(field) > 5)
    return known and uav_id(owner) is not None


def _state(
    owner: str,
    fields: dict[str, int],
    lambdas: dict[str, int],
    positions: Sequence[float],
    velocities: Sequence[float],
) -> State:
    for field in ('x', 'y', 'z', 'seq'):
        if field not in fields:
            raise MalformedStateError(f'{owner} lacks {field!r}')
    for field, i in fields.items():
        if not (math.isfinite(positions[i]) and math.isfinite(velocities[i])):
            raise MalformedStateError(
                f'{owner}/{field} = {positions[i]}, {velocities[i]} is not finite'
            )
    x, y, z = (fields[axis] for axis in AXES)
    position = (positions[x], positions[y], positions[z])
    velocity = (velocities[x], velocities[y], velocities[z])
    seq = _seq(owner, positions[fields['seq']])
    if owner == ADVERSARY:
        return AdversaryState(seq, position, velocity)
    if owner == TARGET:
        omega_ref = positions[fields['omega_ref']] if 'omega_ref' in fields else 0.0
        weights = tuple((_uav_id(name), _weight(name, positions[i])) for name, i in lambdas.items())
        return TargetState(seq, position, velocity, weights, omega_ref)
    return AgentState(
        _uav_id(owner),
        seq,
        position,
        velocity,
        positions[fields['u']] if 'u' in fields else 0.0,
        positions[fields['u_ss']] if 'u_ss' in fields else 0.0,
        tuple((name[5:], positions[i]) for name, i in fields.items() if name[:5] == 'prop/'),
    )


def _uav_id(owner: str) -> int:
    agent_id = uav_id(owner)
    if agent_id is None:
        raise MalformedStateError(f'{owner!r} is no agent')
    return agent_id


def _weight(name: str, weight: float) -> float:
    if not (math.isfinite(weight) and weight > 0.0):
        raise MalformedStateError(f'{name}/lambda = {weight} must be above 0')
    return weight


def _seq(owner: str, value: float) -> int:
    if not (0.0 <= value <= LARGEST_SEQ) or value != int(value):
        raise MalformedStateError(f'{owner}/seq = {value} is no sequence number')
    return int(value)
