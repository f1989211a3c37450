"""States as named coordinates, the wire form of all states that members of a swarm publish.

A message holds three lists of one length: names such as ``uav_3/x``, positions and velocities. Any
number of members may share it:

    uav_k/x y z       position [m], velocity [m/s], map frame
    uav_k/u u_ss seq  value in position, velocity 0
    uav_k/prop/NAME   field of a propagation layer
    uav_k/silent/uav_j/x y z age   the last state of a silent agent, and its age [s]
    uav_k/ring_member  0: nobody's neighbour on the ring; 1 if not given
    uav_k/age         age of the state [s] at the stamp of the message, 0 if not given
    uav_k/lambda      weight of the arc from uav_k to its successor (published by the target)
    target/x y z seq age omega_ref, adversary/x y z seq age
    odom/age          age [s] of the receiver's own odometry at the stamp, 0 if not given

Received text is not trusted: lists of different lengths, repeated or unknown names and numbers
that are not finite are refused. One invalid member does not affect the others in a message.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.states.bounded_cache import BoundedCache
from soliton_encirclement_ros.core.states.states import (
    AXES, FLAGS, LARGEST_SEQ, AdversaryState, AgentState, SilentBody, State, TargetState,
    implausible, is_sound, validation_error
)
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav, uav_id
from velocity_mobility_ros.core.coordinate_frames import is_plausible
from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE

REQUIRED = (*AXES, 'seq')
SILENT = 'silent'
RING_MEMBER = 'ring_member'
OF_SILENT = (*AXES, 'age')
ODOM, AGE = 'odom', 'age'
ODOM_AGE = f'{ODOM}/{AGE}'
"""Age of the odometry that belongs to a message in lockstep."""


class MemberCoordinates(NamedTuple):
    """Indices of one member's coordinates in a message; -1 where a coordinate is missing.

    ``silent`` are number, x, y, z and age of the silent agents in it. ``plain`` are
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
    word, _, path = field.partition('/')
    owner, _, subfield = path.partition('/')
    return word == SILENT and _is_agent(owner) and subfield in OF_SILENT


def _is_agent(owner: str) -> bool:
    """Return whether a name is that of an agent; they are numbered from 1."""
    return bool(uav_id(owner))


def _member(owner: str, fields: dict[str, int]) -> MemberCoordinates:
    known = ('x', 'y', 'z', 'seq', 'u', 'u_ss', 'omega_ref', 'age', RING_MEMBER)
    simple = (fields.get(field, -1) for field in known)
    prop = tuple((field[5:], i) for field, i in fields.items() if field.startswith('prop/'))
    plain = tuple((field, i) for field, i in fields.items() if field not in REQUIRED)
    silent = [field.split('/')[1] for field in fields if field.startswith(f'{SILENT}/')]
    needed = [*REQUIRED, *(f'{SILENT}/{name}/{key}' for name in silent for key in OF_SILENT)]
    lacks = next((field for field in needed if field not in fields), '')
    names = () if lacks else dict.fromkeys(silent)
    bodies = tuple(_fields_of_silent(name, fields) for name in names)
    return MemberCoordinates._make((owner, _number(owner), *simple, prop, bodies, plain, lacks))


def _fields_of_silent(name: str, fields: dict[str, int]) -> tuple[int, int, int, int, int]:
    x, y, z, age = (fields[f'{SILENT}/{name}/{field}'] for field in OF_SILENT)
    return _number(name), x, y, z, age


def _number(owner: str) -> int:
    agent_id = uav_id(owner)
    return -1 if agent_id is None else agent_id


class NamedValues(NamedTuple):
    """The three lists of a message."""

    names: list[str]
    positions: list[float]
    velocities: list[float]


class Decoded(NamedTuple):
    """The states in a message, and one line for every member that was refused."""

    states: list[State]
    problems: list[str]
    odom_age: float = 0.0
    """Age [s] of the receiver's odometry, if the message says it."""


def encode(states: Iterable[State], odom_age: float = 0.0) -> NamedValues:
    """Return the wire form of some states, and of the age [s] of the receiver's odometry."""
    values = NamedValues([], [], [])
    for state in states:
        _encode_one(state, values)
    if odom_age != 0.0:
        _put(ODOM_AGE, odom_age, values)
    return values


def _encode_one(state: State, values: NamedValues) -> None:
    if isinstance(state, AgentState):
        _put_agent(state, values)
    elif isinstance(state, TargetState):
        _put_body(TARGET, state, values)
        _put(f'{TARGET}/omega_ref', state.omega_ref, values)
        for agent_id, weight in state.lambdas:
            _put(f'{uav(agent_id)}/lambda', weight, values)
    else:
        _put_body(ADVERSARY, state, values)


def _put_agent(state: AgentState, values: NamedValues) -> None:
    """Append the state of an agent; its names are kept, since every agent repeats its own."""
    fields = tuple([name for name, _ in state.prop])
    numbers = [*state.position, float(state.seq)]
    if state.age != 0.0:
        numbers.append(state.age)
    numbers += (state.u, state.u_ss)
    numbers += [value for _, value in state.prop]
    if not state.ring_member:
        numbers.append(0.0)
    names, positions, velocities = values
    names += _agent_names(state.agent_id, fields, state.age != 0.0, state.ring_member)
    positions += numbers
    velocities += state.velocity
    velocities += [0.0] * (len(numbers) - len(AXES))
    for body in state.silent:
        _put_silent(f'{uav(state.agent_id)}/{SILENT}/{uav(body.agent_id)}', body, values)


@lru_cache(1024)
def _agent_names(
    agent_id: int, fields: tuple[str, ...], has_age: bool, ring_member: bool
) -> tuple[str, ...]:
    """Return the names of an agent's numbers in their order on the wire."""
    names = [*AXES, 'seq', *(('age',) if has_age else ()), 'u', 'u_ss']
    names += [f'prop/{field}' for field in fields]
    names += [] if ring_member else [RING_MEMBER]
    return tuple([f'{uav(agent_id)}/{name}' for name in names])


def _put_body(owner: str, state: State, values: NamedValues) -> None:
    for axis, name in enumerate(AXES):
        _put(f'{owner}/{name}', state.position[axis], values, state.velocity[axis])
    _put(f'{owner}/seq', float(state.seq), values)
    if state.age != 0.0:
        _put(f'{owner}/age', state.age, values)


def _put_silent(name: str, body: SilentBody, values: NamedValues) -> None:
    for axis, coordinate in enumerate(AXES):
        _put(f'{name}/{coordinate}', body.position[axis], values, body.velocity[axis])
    _put(f'{name}/age', body.age, values)


def _put(name: str, value: float, values: NamedValues, rate: float = 0.0) -> None:
    values.names.append(name)
    values.positions.append(value)
    values.velocities.append(rate)


MAX_LAYOUTS = 256
"""Maximum number of cached layouts; senders repeat theirs, an attacker may not fill the memory."""

NUMBER_BYTES = 24
"""Bytes of a message for each name, besides the name: two numbers, and its length."""


class StateDecoder:
    """Decodes messages; caches their layouts, since senders repeat them."""

    def __init__(self) -> None:
        """Start without a layout."""
        self._layouts: BoundedCache[tuple[str, ...], CoordinateLayout] = BoundedCache(MAX_LAYOUTS)

    def decode(
        self, names: Sequence[str], positions: Sequence[float], velocities: Sequence[float]
    ) -> Decoded:
        """Return the states in a message.

        Args:
            names: Names of the numbers.
            positions: Numbers, in the order of the names.
            velocities: Their rates.

        Raises:
            MalformedStateError: The message as a whole is not a set of states.
        """
        if not len(names) == len(positions) == len(velocities):
            raise MalformedStateError(
                f'{len(names)} names, {len(positions)} positions and {len(velocities)} velocities '
                'differ in number'
            )
        layout = self._layout(tuple(names))
        is_plain = are_small(positions) and are_small(velocities)
        states: list[State] = []
        problems: list[str] = []
        for member in layout.members:
            state = plain_agent(member, positions, velocities) if is_plain else None
            if state is not None:
                states.append(state)
                continue
            try:
                states.append(_state(member, layout.weights, positions, velocities))
            except MalformedStateError as error:
                problems.append(str(error))
        return Decoded(states, problems, _odom_age(layout.odom_age, positions, velocities))

    def _layout(self, names: tuple[str, ...]) -> CoordinateLayout:
        layout = self._layouts.find(names)
        if layout is None:
            size = sum(map(len, names)) + NUMBER_BYTES * len(names)
            layout = self._layouts.keep(names, parse_layout(names), size)
        return layout


def _odom_age(at: int, positions: Sequence[float], velocities: Sequence[float]) -> float:
    """Return the age of the receiver's odometry [s] at an index; 0 without one."""
    if at < 0:
        return 0.0
    age = positions[at]
    if not (is_plausible(age) and is_plausible(velocities[at])):
        raise MalformedStateError(implausible(ODOM_AGE, age, velocities[at]))
    if age < 0.0:
        raise MalformedStateError(f'{ODOM_AGE} = {age} s must be at least 0')
    return age


def are_small(numbers: Sequence[float]) -> bool:
    """Return whether all numbers are surely plausible, with one look at all of them."""
    return sum(map(abs, numbers)) <= LARGEST_COORDINATE


def plain_agent(
    member: MemberCoordinates, positions: Sequence[float], velocities: Sequence[float],
    since_stamp: float = 0.0,
) -> State | None:  # fmt: skip
    """Return the state of an agent with plausible numbers; None: it needs a closer look.

    Args:
        member: Where its numbers stand.
        positions: Numbers.
        velocities: Their rates.
        since_stamp: Time since the stamp of the message [s], by which the state is older.
    """
    if member.agent_id < 0 or member.lacks or member.silent or member.ring_member >= 0:
        return None
    if member.age >= 0 and positions[member.age] < 0.0:
        return None
    try:
        return _unchecked(member, (), positions, velocities, since_stamp)
    except MalformedStateError:
        return None


def _state(
    member: MemberCoordinates, weights: tuple[tuple[int, int], ...], positions: Sequence[float],
    velocities: Sequence[float],
) -> State:  # fmt: skip
    if member.lacks:
        raise MalformedStateError(f'{member.owner} lacks {member.lacks!r}')
    for field, i in member.plain:
        if not is_plausible(velocities[i]):
            name = f'{member.owner}/{field}'
            raise MalformedStateError(implausible(name, positions[i], velocities[i]))
    state = _unchecked(member, weights, positions, velocities)
    if not is_sound(state):
        raise MalformedStateError(validation_error(state))
    return state


def _unchecked(
    member: MemberCoordinates, weights: tuple[tuple[int, int], ...], positions: Sequence[float],
    velocities: Sequence[float], since_stamp: float = 0.0,
) -> State:  # fmt: skip
    owner, agent_id, x, y, z, seq, u, u_ss, omega, age, ring_member, prop, silent, _, _ = member
    position = (positions[x], positions[y], positions[z])
    velocity = (velocities[x], velocities[y], velocities[z])
    count = _count(owner, positions[seq])
    old = since_stamp + (positions[age] if age >= 0 else 0.0)
    if agent_id >= 0:
        return AgentState(
            agent_id, count, position, velocity,
            positions[u] if u >= 0 else 0.0, positions[u_ss] if u_ss >= 0 else 0.0,
            tuple([(name, positions[i]) for name, i in prop]) if prop else (),
            old,
            tuple(_silent(indices, positions, velocities) for indices in silent) if silent else (),
            ring_member < 0 or _flag(f'{owner}/{RING_MEMBER}', positions[ring_member]),
        )  # fmt: skip
    if owner == ADVERSARY:
        return AdversaryState(count, position, velocity, old)
    lambdas = tuple((number, positions[i]) for number, i in weights)
    omega_ref = positions[omega] if omega >= 0 else 0.0
    return TargetState(count, position, velocity, lambdas, omega_ref, old)


def _silent(
    indices: tuple[int, int, int, int, int], positions: Sequence[float],
    velocities: Sequence[float],
) -> SilentBody:  # fmt: skip
    agent_id, x, y, z, age = indices
    position = positions[x], positions[y], positions[z]
    velocity = velocities[x], velocities[y], velocities[z]
    return SilentBody(agent_id, position, velocity, positions[age])


def _flag(name: str, value: float) -> bool:
    if value not in FLAGS:
        raise MalformedStateError(f'{name} = {value} must be 0 or 1')
    return value == 1.0


def _count(owner: str, value: float) -> int:
    if not 0.0 <= value <= LARGEST_SEQ or value != int(value):
        raise MalformedStateError(f'{owner}/seq = {value} is no sequence number')
    return int(value)
