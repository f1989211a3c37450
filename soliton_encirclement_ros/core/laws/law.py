"""The contract of an encirclement law: a memory record and one pure function.

    memory, message, decision = step(gains, memory, view)

A law is plain functions over records of numbers (NamedTuples): nodes and the plain loop run them
as they are, the engine compiles them. So they are limited to what compiles: arithmetic,
``math``, loops, tuples, and no state outside of the memory.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.parameters import Parameters

from soliton_encirclement_ros.core.laws.telemetry import Quantity
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits,
    SwarmParameters,
)

Gains = Any
"""A NamedTuple of numbers, one kind per law; so are ``Memory`` and ``Message``."""

Memory = Any
Message = Any
Floats = Any
"""A sequence of floats: an array in the engine, a list in a node."""

Counts = Any


class Setup(NamedTuple):
    """The parameters from which gains are computed; ``limits`` are those of the vehicle."""

    control: ControlParameters = ControlParameters()
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

    count: int
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
        relays_target: Whether agents pass on the newest report of the target that they hold, and
            take those of others (``core.states.target_relay``).
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

    @property
    def telemetry_names(self) -> tuple[str, ...]:
        """The names of what is recorded."""
        return tuple(self.telemetry)
