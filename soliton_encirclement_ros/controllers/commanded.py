"""A law whose agents fly velocities from outside, a step at a time, or go on by themselves.

It is another law with a buffer in its memory: a command that, if it is on, takes the place of what
the law wants, and what the agent observes, by the same messages. Everything else is that law's:
what is sent to others, neighbours, reception, separation filter, limits.

``…controllers.commanded:predictive`` is that of ``predictive``; any law that comes along has one.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.laws.law import (
    VX, VY, VZ, Decision, Law, View, X, Y, Z, find as find_agent, nearest
)
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from velocity_mobility_ros.core.velocity_model import Vector

NOWHERE: Vector = (0.0, 0.0, 0.0)


class CommandedVelocity(NamedTuple):
    """What an agent flies: the velocity [m/s, map] if it is on, else what its law wants."""

    is_on: float
    vx: float
    vy: float
    vz: float


class Observation(NamedTuple):
    """What an agent knows at a tick, as its law does: late, lossy and noisy as the scenario is.

    Places and velocities of others are relative to the agent [m, m/s, map]; those of neighbours
    are of their last messages, 0 without a neighbour.

    Attributes:
        is_known: 1 if it has heard the target, else 0, and then all others are of before.
        target: Place of the target.
        target_velocity: Its velocity.
        velocity: The agent's own velocity.
        ahead: Place of the neighbour counter-clockwise on the ring.
        ahead_velocity: Its velocity.
        behind: Place of the neighbour clockwise.
        behind_velocity: Its velocity.
        gap_ahead: Angle to the neighbour ahead around the target [rad].
        gap_behind: Angle to the one behind [rad].
    """

    is_known: float
    target: Vector
    target_velocity: Vector
    velocity: Vector
    ahead: Vector
    ahead_velocity: Vector
    behind: Vector
    behind_velocity: Vector
    gap_ahead: float
    gap_behind: float


class Buffer(NamedTuple):
    """Memory of an agent: a command from outside, what it observes, the memory of its law."""

    command: CommandedVelocity
    observation: Observation
    law: Any


NO_COMMAND = CommandedVelocity(0.0, 0.0, 0.0, 0.0)
NOTHING_KNOWN = Observation(
    0.0, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, 0.0, 0.0
)

COMMAND_SIZE = len(NO_COMMAND)
OBSERVED = slice(COMMAND_SIZE, COMMAND_SIZE + 1 + 7 * 3 + 2)
"""Columns of a memory's row: ``CommandedVelocity`` comes first, then ``Observation``."""


def between(there: Vector, here: Vector) -> Vector:
    """Return a vector from one place to another."""
    return there[0] - here[0], there[1] - here[1], there[2] - here[2]


def neighbour(view: View, agent_id: int) -> tuple[Vector, Vector]:
    """Return place and velocity of another agent relative to the agent, 0 if it is absent."""
    place = find_agent(view.ring, agent_id)
    if place == NOBODY:
        return NOWHERE, NOWHERE
    row = view.ring.states[view.ring.rows[place]]
    return (
        between((row[X], row[Y], row[Z]), view.position),
        between((row[VX], row[VY], row[VZ]), view.velocity),
    )


def observed(view: View) -> Observation:
    """Return what an agent knows."""
    near, target = nearest(view.ring), view.target
    ahead, ahead_velocity = neighbour(view, near.succ)
    behind, behind_velocity = neighbour(view, near.pred)
    return Observation(
        1.0,
        between(target.position, view.position),
        between(target.velocity, view.velocity),
        view.velocity,
        ahead,
        ahead_velocity,
        behind,
        behind_velocity,
        near.gap_succ,
        near.gap_pred,
    )


@functools.cache
def commanded(name: str) -> Law:
    """Return the law of a name that takes commands from outside."""
    law = CONTROLLERS[name].law_with('baseline')
    step: Callable[..., Any] = law.step
    reset, values = law.reset, law.values

    def step_or_obey(gains: Any, memory: Buffer, view: View) -> tuple[Buffer, Any, Decision]:
        """Advance the law; its place is taken by a command that is on."""
        after, message, decision = step(gains, memory.law, view)
        command, wanted = memory.command, decision.velocity
        if command.is_on != 0.0:
            wanted = (command.vx, command.vy, command.vz)
        found = Decision(wanted, decision.pred, decision.succ, decision.e_tau)
        return Buffer(command, observed(view), after), message, found

    def reset_law(memory: Buffer) -> Buffer:
        """Reset the law alone: what is commanded stays."""
        return Buffer(memory.command, memory.observation, reset(memory.law))

    def values_of_law(memory: Buffer) -> tuple[float, ...]:
        """Return what is recorded of the law."""
        return values(memory.law)

    return law._replace(
        rest=Buffer(NO_COMMAND, NOTHING_KNOWN, law.rest),
        step=step_or_obey,
        reset=reset_law,
        values=values_of_law,
    )


def __getattr__(name: str) -> Law:
    """Return the law that takes commands in place of one that comes along."""
    if name not in CONTROLLERS:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return commanded(name)
