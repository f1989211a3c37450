"""The contract of an encirclement law: a record that it remembers, and one pure function.

    memory, message, decision = step(gains, memory, view)

A law is plain functions over records of numbers (NamedTuples): nodes and the plain loop run them
as they stand, the engine compiles them. So they hold to what compiles as well: arithmetic,
``math``, loops, tuples, and no state outside of the memory.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.parameters import Parameters

from soliton_encirclement_ros.core.laws.telemetry import Quantity
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits,
    ControlParameters,
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
    """Everything that gains are made of; ``limits`` is what the vehicle can do."""

    control: ControlParameters = ControlParameters()
    propagation: PropagationParameters = PropagationParameters()
    swarm: SwarmParameters = SwarmParameters()
    limits: CommandLimits = CommandLimits()


class TargetView(NamedTuple):
    """The target's last words [m, m/s, map].

    ``omega_ref`` [rad/s] is the wanted rotation of the ring, ``age`` [s] says how old the words
    are, and ``fresh`` whether they came within the timeout.
    """

    seq: int
    position: Vector
    velocity: Vector
    omega_ref: float
    age: float
    fresh: bool


class RingView(NamedTuple):
    """All agents that count as present, in the order of (angle, number), oneself among them.

    Attributes:
        count: How many there are.
        place: Which of them one is oneself.
        ids: Their numbers.
        thetas: Their angles round the target [rad], counter-clockwise from east. The own one is
            that which the others see, from the own last words.
        rates: Their angular rates [rad/s]; the own one means nothing.
        weights: Weight of the arc from each of them to the next, NaN where the target told none.
        rows: Where their words lie.
        words: All words: rows of ``x, y, z, vx, vy, vz`` [m, m/s, map], three columns of the
            engine's own, ``u``, ``u_ss``, and the other fields of the law's message.
    """

    count: int
    place: int
    ids: Counts
    thetas: Floats
    rates: Floats
    weights: Floats
    rows: Counts
    words: Any


class View(NamedTuple):
    """Everything an agent knows at a tick.

    Attributes:
        now: Time [s].
        agent_id: Number k of ``uav_k``.
        position: Where it is [m, map].
        velocity: How it moves [m/s, map].
        command: What the vehicle was told at the tick before [m/s, map].
        loss: Measured share of the neighbours' messages that are lost, 0 to 1.
        target: What it heard of the target.
        ring: Who is there.
    """

    now: float
    agent_id: int
    position: Vector
    velocity: Vector
    command: Vector
    loss: float
    target: TargetView
    ring: RingView


class Decision(NamedTuple):
    """What an agent wants.

    Attributes:
        velocity: The wanted velocity [m/s, map], not yet limited.
        pred: Number of the neighbour clockwise on the ring, -1 for nobody.
        succ: Number of the neighbour counter-clockwise.
        e_tau: The spacing error as it sees it, -1 to 1; it is recorded for studies.
    """

    velocity: Vector
    pred: int
    succ: int
    e_tau: float


class Law(NamedTuple):
    """One encirclement law.

    Attributes:
        rest: The memory of an agent that has just been switched on.
        silence: What an agent says before its first step. The fields ``u`` and ``u_ss`` travel
            under these names, all others as fields of a propagation layer.
        gains: Picks what ``step`` reads from the parameters; called again when they change.
        step: ``(gains, memory, view)`` to the next memory, the message and the decision.
        reset: The memory with which an agent goes on after a failure.
        values: What is recorded of a memory: the values of ``telemetry``.
        telemetry: Unit and meaning of these values by name, in order.
        dead_reckoning: Whether the angles of the ring are those at which everybody is now, by the
            velocities that they told; else those of their last words.
        target_hold: How long [s] the agent goes on after the target is lost. Then it forgets
            everything and stops.
        neighbour_hold: The longest silence of a neighbour [s] that a lossy radio excuses.
        parameters: The record of parameters of its own, None for a law that comes along.
    """

    rest: Memory
    silence: Message
    gains: Callable[[Setup], Gains]
    step: Callable[[Gains, Memory, View], tuple[Memory, Message, Decision]]
    reset: Callable[[Memory], Memory]
    values: Callable[[Memory], tuple[float, ...]]
    telemetry: Mapping[str, Quantity]
    dead_reckoning: bool
    target_hold: Callable[[Setup], float]
    neighbour_hold: Callable[[Setup], float]
    parameters: type[Parameters] | None = None

    @property
    def telemetry_names(self) -> tuple[str, ...]:
        """The names of what is recorded."""
        return tuple(self.telemetry)
