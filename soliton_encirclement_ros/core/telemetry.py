"""What an agent publishes about itself at every tick, and its row in the run's table."""

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from velocity_mobility_ros.core.frames import is_plausible
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.ring import NOBODY, Neighbours
from soliton_encirclement_ros.core.states import Pose

BODY = ('x', 'y', 'z', 'failed', 'pred', 'succ')


class Source(Protocol):
    """Anything with neighbours and internal values; every controller is one."""

    telemetry_names: tuple[str, ...]

    @property
    def neighbours(self) -> Neighbours:
        """Whom it takes for the neighbours."""

    def telemetry(self) -> tuple[float, ...]:
        """Return the values."""


class TelemetryRow(NamedTuple):
    """One agent at one tick; ``values`` are the controller's, in the order of its names.

    ``pred`` and ``succ`` are its neighbours on the ring, -1 for nobody.
    """

    agent_id: int
    time: float
    position: Vector
    velocity: Vector
    failed: bool
    values: tuple[float, ...]
    pred: float = NOBODY
    succ: float = NOBODY

    @property
    def speed(self) -> float:
        """The norm of the velocity [m/s]."""
        vx, vy, vz = self.velocity
        return math.sqrt(vx * vx + vy * vy + vz * vz)

    @property
    def is_plausible(self) -> bool:
        """Whether position and velocity can be true and every other value is a number."""
        place = all(map(is_plausible, (*self.position, *self.velocity)))
        return place and all(map(math.isfinite, (self.pred, self.succ, *self.values)))


def telemetry_values(
    pose: Pose, failed: bool, source: Source
) -> tuple[list[str], list[float], list[float]]:
    """Return names, positions and velocities of the telemetry message."""
    values = source.telemetry()
    names = [*BODY, *source.telemetry_names]
    pred, succ, _, _ = source.neighbours
    positions = [*pose.position, float(failed), float(pred), float(succ), *values]
    velocities = [*pose.velocity, *[0.0] * (3 + len(values))]
    return names, positions, velocities


def telemetry_row(
    agent_id: int, time: float, positions: Sequence[float], velocities: Sequence[float]
) -> TelemetryRow:
    """Return the row of a telemetry message that lists the names in the order above."""
    return TelemetryRow(
        agent_id,
        time,
        (positions[0], positions[1], positions[2]),
        (velocities[0], velocities[1], velocities[2]),
        positions[3] != 0.0,
        tuple(positions[6:]),
        positions[4],
        positions[5],
    )
