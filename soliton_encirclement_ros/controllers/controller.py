"""The contract of a controller: what an agent knows in, a wanted velocity out."""

from typing import NamedTuple, Protocol

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.liveness import AgentCache
from soliton_encirclement_ros.core.states import Pose, TargetState


class View(NamedTuple):
    """Everything an agent knows at a tick.

    ``now`` is the time [s]; ``target`` is the last state heard, None before the first;
    ``target_alive`` says whether it is fresh; ``last_command`` [m/s] is what the vehicle was told.
    """

    now: float
    agent_id: int
    pose: Pose
    agents: AgentCache
    target: TargetState | None
    target_alive: bool
    last_command: Vector


class Broadcast(NamedTuple):
    """What a controller tells the neighbours."""

    u: float
    u_ss: float
    prop: tuple[tuple[str, float], ...] = ()


class Controller(Protocol):
    """One agent's law with its memory."""

    telemetry_names: tuple[str, ...]
    """Columns of ``telemetry``."""

    def on_target_state(self, target: TargetState) -> None:
        """Take note of a target state as soon as it is accepted."""

    def step(self, view: View) -> Vector:
        """Advance one control period; return the wanted velocity [m/s, map], not yet limited."""

    def broadcast(self) -> Broadcast:
        """Return what to tell the neighbours after a step."""

    def telemetry(self) -> tuple[float, ...]:
        """Return the internal values worth recording."""
