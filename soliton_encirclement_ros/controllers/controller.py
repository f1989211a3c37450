"""The contract of a controller: what an agent knows in, a wanted velocity out."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.liveness import AgentCache
from soliton_encirclement_ros.core.parameters import (
    CommandLimits,
    ControlParameters,
    SwarmParameters,
)
from soliton_encirclement_ros.core.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.core.ring import Neighbours
from soliton_encirclement_ros.core.states import Pose, TargetState
from soliton_encirclement_ros.core.telemetry import Quantity


class Setup(NamedTuple):
    """Everything that a controller is made of; ``limits`` is what the vehicle can do."""

    control: ControlParameters = ControlParameters()
    propagation: PropagationParameters = PropagationParameters()
    swarm: SwarmParameters = SwarmParameters()
    limits: CommandLimits = CommandLimits()


class View(NamedTuple):
    """Everything an agent knows at a tick.

    ``now`` is the time [s]; ``target`` is the last state heard, None before the first;
    ``target_alive`` says whether it is fresh and ``target_age`` [s] how old it is;
    ``last_command`` [m/s] is what the vehicle was told.
    """

    now: float
    agent_id: int
    pose: Pose
    agents: AgentCache
    target: TargetState | None
    target_alive: bool
    target_age: float
    last_command: Vector


class Broadcast(NamedTuple):
    """What a controller tells the neighbours."""

    u: float
    u_ss: float
    prop: tuple[tuple[str, float], ...] = ()


class Controller(Protocol):
    """One agent's law with its memory, made from a ``Setup``."""

    telemetry_quantities: Mapping[str, Quantity]
    """What ``telemetry`` returns: unit and meaning by name, in order."""

    telemetry_names: tuple[str, ...]
    """The names alone."""

    @property
    def neighbours(self) -> Neighbours:
        """Whom the law takes for the neighbours since the last step."""

    def retune(self, setup: Setup) -> None:
        """Go on with other gains and limits; memory, law and layer stay."""

    def reset(self) -> None:
        """Take note that the agent is back after a failure."""

    def on_target_state(self, target: TargetState) -> None:
        """Take note of a target state as soon as it is accepted."""

    def step(self, view: View) -> Vector:
        """Advance one control period; return the wanted velocity [m/s, map], not yet limited."""

    def broadcast(self) -> Broadcast:
        """Return what to tell the neighbours after a step."""

    def telemetry(self) -> tuple[float, ...]:
        """Return the internal values worth recording."""
