"""What an agent publishes about itself at every tick, and its row in the run's table."""

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from velocity_mobility_ros.core.frames import is_plausible
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.ring.ring_neighbours import NOBODY
from soliton_encirclement_ros.core.states.states import Pose


class Quantity(NamedTuple):
    """Unit (empty if dimensionless) and meaning of a value of a message."""

    unit: str
    meaning: str


BODY_QUANTITIES = {
    'x': Quantity('m', 'east'),
    'y': Quantity('m', 'north'),
    'z': Quantity('m', 'up'),
    'failed': Quantity('', '1 while the agent is down, else 0'),
    'pred': Quantity('', 'number of the predecessor on the ring, -1: nobody'),
    'succ': Quantity('', 'number of the successor on the ring, -1: nobody'),
}
"""The first values of every telemetry message; x, y and z have velocities [m/s]."""

BODY = tuple(BODY_QUANTITIES)

Number = TypeVar('Number', float, NDArray[np.float64])


class TelemetrySource(Protocol):
    """Anything with neighbours and internal values; every controller is one."""

    telemetry_names: tuple[str, ...]

    @property
    def neighbours(self) -> tuple[int, int]:
        """Predecessor and successor on the ring, -1 for none."""

    def telemetry(self) -> tuple[float, ...]:
        """Return the values."""


class TelemetryRow(NamedTuple):
    """One agent at one tick; ``values`` are the controller's, in the order of its names.

    ``pred`` and ``succ`` are its neighbours on the ring, -1 for none.
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
        return math.sqrt(speed_squared(*self.velocity))

    @property
    def is_plausible(self) -> bool:
        """Whether position and velocity are plausible and every other value is a number."""
        place = all(map(is_plausible, (*self.position, *self.velocity)))
        return place and all(map(math.isfinite, (self.pred, self.succ, *self.values)))


def speed_squared(vx: Number, vy: Number, vz: Number) -> Number:
    """Return v^2 [m2/s2] of a velocity [m/s], or of as many as there are in three arrays."""
    return vx * vx + vy * vy + vz * vz


def telemetry_values(
    pose: Pose, failed: bool, source: TelemetrySource
) -> tuple[list[str], list[float], list[float]]:
    """Return names, positions and velocities of the telemetry message."""
    pred, succ = source.neighbours
    standing = (float(failed), float(pred), float(succ))
    return telemetry_lists(pose, standing, source.telemetry_names, source.telemetry())


def telemetry_lists(
    pose: Pose, standing: Sequence[float], names: Sequence[str], values: Sequence[float]
) -> tuple[list[str], list[float], list[float]]:
    """Return names, positions and velocities of the telemetry message.

    Args:
        pose: Where the agent is.
        standing: ``failed``, ``pred`` and ``succ``.
        names: Names of the controller's values.
        values: The controller's values.
    """
    positions = [*pose.position, *standing, *values]
    velocities = [*pose.velocity, *[0.0] * (len(standing) + len(values))]
    return [*BODY, *names], positions, velocities


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
