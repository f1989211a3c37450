"""States that the members of a swarm publish, and their validation.

Positions [m] and velocities [m/s] are in map. The same states are refused with and without ROS.
"""

from collections.abc import Iterator
from typing import NamedTuple

from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from velocity_mobility_ros.core.coordinate_frames import is_plausible
from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE
from velocity_mobility_ros.core.velocity_model import Vector


class SilentBody(NamedTuple):
    """The last state of an agent that has fallen silent [m, m/s, map], and its age [s]."""

    agent_id: int
    position: Vector
    velocity: Vector
    age: float


class AgentState(NamedTuple):
    """One agent's broadcast. ``u`` is its soliton state, ``u_ss`` the curvature of u.

    A vehicle that is no ``ring_member`` is kept clear of, but is nobody's neighbour.
    """

    agent_id: int
    seq: int
    position: Vector
    velocity: Vector
    u: float = 0.0
    u_ss: float = 0.0
    prop: tuple[tuple[str, float], ...] = ()
    age: float = 0.0
    silent: tuple[SilentBody, ...] = ()
    ring_member: bool = True


class TargetState(NamedTuple):
    """The target's broadcast.

    ``lambdas`` weighs the arc from each agent to its successor, ``omega_ref`` [rad/s] is the
    desired rotation of the whole ring, counter-clockwise positive.
    """

    seq: int
    position: Vector
    velocity: Vector
    lambdas: tuple[tuple[int, float], ...] = ()
    omega_ref: float = 0.0
    age: float = 0.0


class AdversaryState(NamedTuple):
    """The adversary's broadcast."""

    seq: int
    position: Vector
    velocity: Vector
    age: float = 0.0


class Pose(NamedTuple):
    """A body's own measured position [m] and velocity [m/s] in map."""

    position: Vector
    velocity: Vector


State = AgentState | TargetState | AdversaryState


def older(state: State, elapsed: float) -> State:
    """Return a state after some more time [s]."""
    if not elapsed:
        return state
    if isinstance(state, AgentState):  # written out: four times as fast, for most of all states
        agent_id, seq, position, velocity, u, u_ss, prop, age, silent, ring_member = state
        return AgentState(
            agent_id, seq, position, velocity, u, u_ss, prop, elapsed + age, silent, ring_member
        )  # fmt: skip
    return state._replace(age=elapsed + state.age)


def sender_of(state: State) -> str:
    """Return the name of the member that a state belongs to."""
    if isinstance(state, AgentState):
        return uav(state.agent_id)
    return ADVERSARY if isinstance(state, AdversaryState) else TARGET


AXES = ('x', 'y', 'z')
FLAGS = (0.0, 1.0)
"""Values for no and yes."""

LARGEST_SEQ = 2**53
"""Beyond this a double no longer represents every integer."""


def is_sound_seq(seq: float) -> bool:
    """Return whether a number can be the sequence number of a message."""
    return 0 <= seq <= LARGEST_SEQ


def is_sound_weight(weight: float) -> bool:
    """Say whether a number can be the weight of an arc."""
    return 0.0 < weight <= LARGEST_COORDINATE


def is_sound(state: State) -> bool:
    """Return whether every number of a state is plausible."""
    if not _has_sound_body(state):
        return False
    if isinstance(state, AgentState):
        known = is_plausible(state.u) and is_plausible(state.u_ss)
        known = known and (not state.silent or all(map(_is_sound_silent, state.silent)))
        return known and (not state.prop or all(is_plausible(value) for _, value in state.prop))
    if isinstance(state, AdversaryState):
        return True
    weights = all(is_sound_weight(weight) for _, weight in state.lambdas)
    return weights and is_plausible(state.omega_ref)


def _has_sound_body(state: State) -> bool:
    """Check the fields that all states have; written out because every state passes here."""
    (x, y, z), (vx, vy, vz) = state.position, state.velocity
    far = LARGEST_COORDINATE
    return (
        -far <= x <= far
        and -far <= y <= far
        and -far <= z <= far
        and -far <= vx <= far
        and -far <= vy <= far
        and -far <= vz <= far
        and 0.0 <= state.age <= far
        and is_sound_seq(state.seq)
    )


def _is_sound_silent(body: SilentBody) -> bool:
    numbers = (*body.position, *body.velocity, body.age)
    return all(map(is_plausible, numbers)) and body.age >= 0.0 and body.agent_id >= 1


def validation_error(state: State) -> str:
    """Return the fault of an invalid state, empty if the state is valid."""
    owner = sender_of(state)
    for field, value, rate in _fields(state):
        if not (is_plausible(value) and is_plausible(rate)):
            return implausible(f'{owner}/{field}', value, rate)
    if state.age < 0.0:
        return f'{owner}/age = {state.age} s must be at least 0'
    for agent_id, weight in getattr(state, 'lambdas', ()):
        if not is_sound_weight(weight):
            bound = f'above 0 and at most {LARGEST_COORDINATE:g}'
            return f'{uav(agent_id)}/lambda = {weight} must be {bound}'
    for body in getattr(state, 'silent', ()):
        if body.agent_id < 1:
            return f'{owner}/silent/{uav(body.agent_id)}: agents are numbered from 1'
        if body.age < 0.0:
            name = f'{owner}/silent/{uav(body.agent_id)}'
            return f'{name}/age = {body.age} s must be at least 0'
    if not is_sound_seq(state.seq):
        return f'{owner}/seq = {state.seq} is no sequence number'
    return ''


def implausible(name: str, value: float, rate: float) -> str:
    """Return the line for a coordinate whose value or rate is not plausible."""
    return f'{name} = {value}, {rate} must be finite and at most {LARGEST_COORDINATE:g}'


def _fields(state: State) -> Iterator[tuple[str, float, float]]:
    yield from zip(AXES, state.position, state.velocity, strict=True)
    for name in ('u', 'u_ss', 'omega_ref', 'age'):
        yield name, getattr(state, name, 0.0), 0.0
    for name, value in getattr(state, 'prop', ()):
        yield f'prop/{name}', value, 0.0
    for body in getattr(state, 'silent', ()):
        name = f'silent/{uav(body.agent_id)}'
        for axis, place, speed in zip(AXES, body.position, body.velocity, strict=True):
            yield f'{name}/{axis}', place, speed
        yield f'{name}/age', body.age, 0.0


class MotionState(NamedTuple):
    """Position [m] and velocity [m/s] in map, horizontal acceleration [m/s^2]."""

    position: Vector
    velocity: Vector
    acceleration: tuple[float, float]


def moved(motion: MotionState, dt: float) -> MotionState:
    """Return the motion a time [s] later at constant acceleration."""
    (x, y, z), (vx, vy, vz), (ax, ay) = motion
    half = 0.5 * dt * dt
    position = (x + vx * dt + ax * half, y + vy * dt + ay * half, z + vz * dt)
    return MotionState(position, (vx + ax * dt, vy + ay * dt, vz), motion.acceleration)
