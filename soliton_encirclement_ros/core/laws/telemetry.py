"""Telemetry of an agent at every tick, and its row in the run's table."""

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.laws import filter_codes
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from soliton_encirclement_ros.core.states.states import Pose
from soliton_encirclement_ros.core.states.swarm_topics import LARGEST_ID
from velocity_mobility_ros.core.coordinate_frames import is_plausible
from velocity_mobility_ros.core.velocity_model import Vector


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

ESTIMATE_QUANTITIES = {
    'estimate_x': Quantity('m', 'estimated position of the target, east'),
    'estimate_y': Quantity('m', 'the same, north'),
    'estimate_z': Quantity('m', 'the same, up'),
    'estimate_vx': Quantity('m/s', 'estimated velocity of the target, east'),
    'estimate_vy': Quantity('m/s', 'the same, north'),
    'estimate_vz': Quantity('m/s', 'the same, up'),
    'estimate_age': Quantity('s', 'age of the youngest measurement in it, -1: no estimate'),
    'estimate_var_xx': Quantity('m^2', 'covariance of the position; all 0: not known'),
    'estimate_var_xy': Quantity('m^2', 'the same'),
    'estimate_var_xz': Quantity('m^2', 'the same'),
    'estimate_var_yy': Quantity('m^2', 'the same'),
    'estimate_var_yz': Quantity('m^2', 'the same'),
    'estimate_var_zz': Quantity('m^2', 'the same'),
}
"""The values of a message after those of the law, where agents estimate the target."""

ESTIMATE_NAMES = tuple(ESTIMATE_QUANTITIES)

FILTER_QUANTITIES = {
    'filter_reason': Quantity('', 'why the separation filter changed the command, 0: it did not'),
    'filter_pusher': Quantity(
        '', 'agent that caused it; 0: target, -1: nobody, -2: adversary, -3: another vehicle'
    ),
    'filter_change': Quantity('m/s', 'size of the change of the command'),
}
"""The last values of a telemetry message, where commands are filtered (``filter_codes``)."""

FILTER_NAMES = tuple(FILTER_QUANTITIES)

UNCHANGED = (0.0, float(filter_codes.NOBODY), 0.0)
"""The values of ``FILTER_NAMES`` of a command that was not changed."""

Number = TypeVar('Number', float, NDArray[np.float64])


class TelemetrySource(Protocol):
    """Anything with neighbours and internal values; every controller is one."""

    telemetry_names: tuple[str, ...]

    @property
    def pair(self) -> tuple[int, int]:
        """Predecessor and successor on the ring, -1 for none."""

    def telemetry(self) -> tuple[float, ...]:
        """Return the values."""


class TelemetryRow(NamedTuple):
    """One agent at one tick; ``values`` are those of the law, then those of the filter.

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
    pose: Pose, failed: bool, source: TelemetrySource, filtered: Sequence[float] = (),
    estimated: Sequence[float] = (),
) -> tuple[list[str], list[float], list[float]]:
    """Return names, positions and velocities of the telemetry message.

    Args:
        pose: Where the agent is.
        failed: Whether it is down.
        source: Its law.
        filtered: The values of ``FILTER_NAMES``; none without a filter.
        estimated: Those of ``ESTIMATE_NAMES``; none without an estimator.
    """
    pred, succ = source.pair
    status = (float(failed), float(pred), float(succ))
    more = (*ESTIMATE_NAMES[: len(estimated)], *FILTER_NAMES[: len(filtered)])
    values = (*source.telemetry(), *estimated, *filtered)
    return telemetry_lists(pose, status, (*source.telemetry_names, *more), values)


def lawless_values(
    pose: Pose, filtered: Sequence[float]
) -> tuple[list[str], list[float], list[float]]:
    """Return the message of a vehicle without a law, which is up and has no neighbours.

    Args:
        pose: Where it is.
        filtered: The values of ``FILTER_NAMES``; none without a filter.
    """
    status = (0.0, float(NOBODY), float(NOBODY))
    return telemetry_lists(pose, status, FILTER_NAMES[: len(filtered)], filtered)


def telemetry_lists(
    pose: Pose, status: Sequence[float], names: Sequence[str], values: Sequence[float]
) -> tuple[list[str], list[float], list[float]]:
    """Return names, positions and velocities of the telemetry message.

    Args:
        pose: Where the agent is.
        status: ``failed``, ``pred`` and ``succ``.
        names: Names of the controller's values and those of the filter.
        values: These values.
    """
    positions = [*pose.position, *status, *values]
    velocities = [*pose.velocity, *[0.0] * (len(status) + len(values))]
    return [*BODY, *names], positions, velocities


def estimate_in(values: Sequence[float], is_filtered: bool) -> Sequence[float]:
    """Return the values of ``ESTIMATE_NAMES`` in those of an agent that estimates the target."""
    end = len(values) - (len(FILTER_NAMES) if is_filtered else 0)
    return values[end - len(ESTIMATE_NAMES) : end]


def filtered_as(
    values: Sequence[float], names: Sequence[str], wanted: Sequence[str]
) -> list[float] | None:
    """Return values with those of the filter added or left out; None if other names differ.

    An agent without a filter changes no command; a vehicle without a law has 0 for its values.

    Args:
        values: Values in the order of the names.
        names: Their names.
        wanted: Names to return the values of.
    """
    if tuple(names) in (BODY, (*BODY, *FILTER_NAMES)):
        known = dict(zip((*BODY, *FILTER_NAMES), (*values, *UNCHANGED), strict=False))
        return [known.get(name, 0.0) for name in wanted]
    if tuple(names) == tuple(wanted):
        return [*values]
    if tuple(names) == (*wanted, *FILTER_NAMES):
        return [*values[: len(wanted)]]
    if (*names, *FILTER_NAMES) == tuple(wanted):
        return [*values, *UNCHANGED]
    return None


def is_filter_result(reason: float, pusher: float) -> bool:
    """Return whether received numbers are a code of a reason and an id."""
    known = reason in range(len(filter_codes.REASONS))
    return known and pusher.is_integer() and filter_codes.LEAST_ID <= pusher <= LARGEST_ID


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
