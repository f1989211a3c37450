"""The contract of an encirclement law: a memory record and one pure function.

    memory, message, decision = step(gains, memory, view)

A law is plain functions over records of numbers (NamedTuples): nodes and the plain loop run them
as they are, the engine compiles them. So they are limited to what compiles: arithmetic,
``math``, loops, tuples, and no state outside of the memory.

Steps of an agent around its law, common to all laws.
"""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.laws.telemetry import Quantity
from soliton_encirclement_ros.core.parameters.control_parameters import (
    PREDICTIVE_PRESET, ControlParameters, PropagationParameters
)
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, SwarmParameters
)
from soliton_encirclement_ros.core.ring.ring_geometry import (
    ALONE, NOBODY, Neighbours, arc_weight, gap_ahead, gap_behind, spacing_error
)
from velocity_mobility_ros.core.parameter_declaration import Parameters
from velocity_mobility_ros.core.step_time import to_ns, to_seconds
from velocity_mobility_ros.core.velocity_model import Vector

Gains = Any
"""A NamedTuple of numbers, one kind per law; so are ``Memory`` and ``Message``."""

Memory = Any
Message = Any
Floats = Any
"""A sequence of floats: an array in the engine, a list in a node."""

Counts = Any


class Setup(NamedTuple):
    """The parameters from which gains are computed; ``limits`` are those of the vehicle."""

    control: ControlParameters = ControlParameters(**PREDICTIVE_PRESET)
    propagation: PropagationParameters = PropagationParameters()
    swarm: SwarmParameters = SwarmParameters()
    limits: CommandLimits = CommandLimits()


class TargetView(NamedTuple):
    """The target's last received state [m, m/s, map].

    ``omega_ref`` [rad/s] is the desired rotation of the ring, ``age`` [s] is the age of the
    state, and ``fresh`` whether it was received within the timeout.
    """

    seq: int
    position: Vector
    velocity: Vector
    omega_ref: float
    age: float
    fresh: bool


class RingView(NamedTuple):
    """All agents that count as present, sorted by (angle, number), including the agent itself.

    Attributes:
        count: How many there are.
        place: Index of the agent itself.
        ids: Their numbers.
        thetas: Their angles around the target [rad], counter-clockwise from east. Its own is
            the one that the others compute, from its own last message.
        rates: Their angular rates [rad/s]; the agent's own is undefined.
        weights: Weight of the arc from each of them to the next, NaN if the target sent none.
        rows: Rows of their states in ``states``.
        states: All states: rows of ``x, y, z, vx, vy, vz`` [m, m/s, map], three columns of the
            engine's own, ``u``, ``u_ss``, and the other fields of the law's message.
    """

    count: int  # type: ignore[assignment]  # hides tuple.count
    place: int
    ids: Counts
    thetas: Floats
    rates: Floats
    weights: Floats
    rows: Counts
    states: Any


class View(NamedTuple):
    """All inputs of an agent at a tick.

    Attributes:
        now: Time [s].
        agent_id: Number k of ``uav_k``.
        position: Its position [m, map].
        velocity: Its velocity [m/s, map].
        command: The command to the vehicle at the tick before [m/s, map].
        loss: Measured share of the neighbours' messages that are lost, 0 to 1.
        target: The last received state of the target.
        ring: The agents that are present.
        pose_age: Age of the position and velocity [s].
    """

    now: float
    agent_id: int
    position: Vector
    velocity: Vector
    command: Vector
    loss: float
    target: TargetView
    ring: RingView
    pose_age: float = 0.0


class Decision(NamedTuple):
    """The output of a law for one agent.

    Attributes:
        velocity: The desired velocity [m/s, map], not yet limited.
        pred: Number of the neighbour clockwise on the ring, -1 for none.
        succ: Number of the neighbour counter-clockwise.
        e_tau: The spacing error that the agent computed, -1 to 1; it is recorded for studies.
    """

    velocity: Vector
    pred: int
    succ: int
    e_tau: float


def agent_state_timeout(setup: Setup) -> float:
    """Return the silence [s] after which a neighbour's state is not used any more."""
    return setup.swarm.agent_state_timeout


class Law(NamedTuple):
    """One encirclement law.

    Attributes:
        rest: The memory of an agent that has just been switched on.
        no_message: The message of an agent before its first step. ``u`` and ``u_ss`` are published
            under these names, all others as fields of a propagation layer.
        gains: Selects what ``step`` reads from the parameters; called again when they change.
        step: ``(gains, memory, view)`` to the next memory, the message and the decision.
        reset: The memory with which an agent goes on after a failure.
        values: What is recorded of a memory: the values of ``telemetry``.
        telemetry: Unit and meaning of these values by name, in order.
        dead_reckoning: Whether the angles of the ring are extrapolated to the present with the
            reported velocities; else they are those of the last received states.
        target_hold: How long [s] the agent continues after the target is lost. Then it resets its
            memory and stops.
        neighbour_hold: The longest silence of a neighbour [s] that is tolerated with packet loss.
        parameters: The record of the law's own parameters, None for a law of this package.
        presets: Defaults of this law for parameters that all laws have, by name.
        relays_target: Whether agents pass on the newest report of the target that they hold, and
            take those of others (``core.states.received_states``).
        neighbour_timeout: The silence of a neighbour [s] after which it counts as gone if no
            messages are lost, at most ``swarm.agent_state_timeout``.
    """

    rest: Memory
    no_message: Message
    gains: Callable[[Setup], Gains]
    step: Callable[[Gains, Memory, View], tuple[Memory, Message, Decision]]
    reset: Callable[[Memory], Memory]
    values: Callable[[Memory], tuple[float, ...]]
    telemetry: Mapping[str, Quantity]
    dead_reckoning: bool
    target_hold: Callable[[Setup], float]
    neighbour_hold: Callable[[Setup], float]
    parameters: type[Parameters] | None = None
    relays_target: bool = False
    neighbour_timeout: Callable[[Setup], float] = agent_state_timeout
    presets: Mapping[str, Any] = MappingProxyType({})

    @property
    def telemetry_names(self) -> tuple[str, ...]:
        """The names of what is recorded."""
        return tuple(self.telemetry)


X, Y, Z, VX, VY, VZ = range(6)
"""Columns of ``RingView.states``: position [m] and velocity [m/s] in map."""

COMMON_FIELDS = ('u', 'u_ss')
"""Names of what every message begins with."""

U, U_SS, FIELDS = 9, 10, 11
"""The law's message: u, its curvature, and from ``FIELDS`` on all others."""


def message_value(ring: RingView, place: int, column: int) -> float:
    """Return a value of the last message of another agent.

    Args:
        ring: The ring.
        place: Its index on the ring.
        column: Column of its message.
    """
    return ring.states[ring.rows[place]][column]


def find(ring: RingView, agent_id: int) -> int:
    """Return the index of an agent on the ring, -1 if it is absent; near ones come first."""
    place, count = ring.place, ring.count
    if agent_id == NOBODY:
        return NOBODY
    for away in range(count // 2 + 1):
        ahead, behind = wrapped(place + away, count), wrapped(place - away, count)
        if ring.ids[ahead] == agent_id:
            return ahead
        if ring.ids[behind] == agent_id:
            return behind
    return NOBODY


def wrapped(place: int, count: int) -> int:
    """Return an index that is at most one turn outside of the ring as one inside."""
    if place >= count:
        return place - count
    return place + count if place < 0 else place


def nearest(ring: RingView) -> Neighbours:
    """Return the agents just before and behind, and the arcs to them, in the order of the ring."""
    count, place = ring.count, ring.place
    if count < 2:
        return ALONE
    thetas = ring.thetas[:count]
    return Neighbours(
        ring.ids[place - 1 if place > 0 else count - 1],
        ring.ids[(place + 1) % count],
        gap_behind(thetas, place, 1),
        gap_ahead(thetas, place, 1),
    )


def nearest_error(ring: RingView) -> float:
    """Return the agent's spacing error between the nearest two, 0 for an agent alone."""
    count, place = ring.count, ring.place
    if count < 2:
        return 0.0
    near = nearest(ring)
    before = ring.weights[place - 1 if place > 0 else count - 1]
    return spacing_error(
        near.gap_pred, near.gap_succ, arc_weight(before), arc_weight(ring.weights[place])
    )


def offset(view: View) -> tuple[float, float]:
    """Return the horizontal offset [m] from the target's last reported position."""
    target = view.target.position
    return view.position[0] - target[0], view.position[1] - target[1]


def bearing_of(view: View) -> float:
    """Return the agent's own angle [rad] around the target's last reported position."""
    dx, dy = offset(view)
    return math.atan2(dy, dx)


GIVE_UP, WAIT, FLY = range(3)
"""Decision of a tick: reset the memory and stop, stop, or follow the law."""


def next_action(has_received: bool, target_age: float, target_hold: float) -> int:
    """Return the decision of a tick from the age of the target's state.

    Args:
        has_received: Whether it has received the target.
        target_age: Age of its data of the target [s]; infinite: it has none.
        target_hold: How long it goes on after the target is lost [s]. Afterwards what it knew is
            worth nothing.
    """
    if target_age > target_hold:
        return GIVE_UP
    return FLY if has_received else WAIT


def relays_target(law: Law, control: ControlParameters) -> bool:
    """Return whether agents pass on reports of a target that broadcasts its state.

    Args:
        law: Their law.
        control: Its parameters.
    """
    return law.relays_target and control.target_relay


class SentPose(NamedTuple):
    """The pose in an agent's last message.

    Attributes:
        valid: Whether it has sent any.
        at: When [s].
        position: Where it was [m, map].
        velocity: How it moved [m/s, map].
    """

    valid: bool
    at: float
    position: Vector
    velocity: Vector




class OldPose(NamedTuple):
    """A position [m, map] and velocity [m/s, map] of some time ago [s]."""

    position: Vector
    velocity: Vector
    age: float


def as_others_see(sent: SentPose, now: float, position: Vector, velocity: Vector) -> OldPose:
    """Return the pose by which others place an agent: its last message, else its present pose.

    All agents then sort the same numbers, so they agree on the order, down to equal angles.

    Args:
        sent: The pose in its last message.
        now: Time [s].
        position: Where it is [m, map].
        velocity: How it moves [m/s, map].
    """
    if not sent.valid:
        return OldPose(position, velocity, 0.0)
    return OldPose(sent.position, sent.velocity, to_seconds(to_ns(now - sent.at)))
