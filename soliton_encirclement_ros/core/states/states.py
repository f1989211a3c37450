"""States that the members of a swarm publish. Positions [m] and velocities [m/s] are in map.

A sender sets ``age`` to 0; the medium, or the node that reads the stamp, sets the age [s] of the
state at reception.
"""

from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector


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
