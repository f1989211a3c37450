"""Validation of states; the same states are refused with and without ROS."""

from collections.abc import Iterator

from velocity_mobility_ros.core.frames import LARGEST_COORDINATE, is_plausible

from soliton_encirclement_ros.core.states.sender import sender_of
from soliton_encirclement_ros.core.states.states import (
    AdversaryState,
    AgentState,
    SilentBody,
    State,
)
from soliton_encirclement_ros.core.states.swarm_topics import uav

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
    """Check what all states have; written out because every state passes here."""
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
