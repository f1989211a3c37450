"""The contract of an estimator of the target: a memory record and one pure function.

    memory, message, estimate = step(gains, memory, view)

Like a law, an estimator is plain functions over records of numbers (NamedTuples): nodes and the
plain loop run them as they are, the engine compiles them. Every agent runs one. Its message is a
part of the state that the agent broadcasts anyway, and its estimate takes the place of the
target's state for any law.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import LawError
from soliton_encirclement_ros.core.estimation.bearing_sensor import Bearing
from soliton_encirclement_ros.core.estimation.information import Symmetric, moved
from soliton_encirclement_ros.core.laws.law_fault import BOUND, checked_step, wrong_message
from soliton_encirclement_ros.core.laws.law_making import LawParameters, gains_kind, own_values
from soliton_encirclement_ros.core.laws.law_registry import try_estimator
from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.parameters.target_parameters import TargetSensingParameters
from soliton_encirclement_ros.core.states.received_states import NEVER, is_fresh
from velocity_mobility_ros.core.coordinate_frames import is_plausible, is_plausible_vector
from velocity_mobility_ros.core.parameter_declaration import Parameters
from velocity_mobility_ros.core.plugins import Plugin
from velocity_mobility_ros.core.user_errors import shown
from velocity_mobility_ros.core.velocity_model import Vector

Gains = Any
"""A NamedTuple of numbers, one kind per estimator; so are ``Memory`` and ``Message``."""

Memory = Any
Message = Any


class EstimatorSetup(NamedTuple):
    """The parameters from which gains are computed."""

    target_sensing: TargetSensingParameters = TargetSensingParameters()
    swarm: SwarmParameters = SwarmParameters()


class TargetMeasurement(NamedTuple):
    """The measurement of an agent's camera at a tick.

    Attributes:
        is_there: Whether there is a measurement; if not, the rest has no meaning.
        origin: Where the sensor was then, by the agent's own odometry [m, map].
        direction: Unit vector towards the target, in map.
        distance: Measured range [m], NaN without one.
        age: Age of the measurement [s].
    """

    is_there: bool
    origin: Vector
    direction: Vector
    distance: float
    age: float


NOTHING_SEEN = TargetMeasurement(False, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), math.nan, 0.0)

AGE, FIELDS = 6, 7
"""Columns of ``EstimatorView.others``: position and velocity of the sender [m, m/s, map], age of
its message [s], and from ``FIELDS`` on the fields of the estimator's message, in order."""


class EstimatorView(NamedTuple):
    """All inputs of an estimator at a tick.

    Attributes:
        now: Time [s].
        dt: Time since the step before [s], the control period.
        agent_id: Number k of ``uav_k``.
        position: The agent's own position [m, map].
        velocity: Its velocity [m/s, map].
        measurement: Measurement of its camera at this tick.
        count: How many messages of other agents have come since the last step.
        others: These messages, one a row, in the order of the senders' numbers.
    """

    now: float
    dt: float
    agent_id: int
    position: Vector
    velocity: Vector
    measurement: TargetMeasurement
    count: int  # type: ignore[assignment]  # hides tuple.count
    others: Any


class Estimate(NamedTuple):
    """Where the target is now.

    Attributes:
        position: Position [m, map].
        velocity: Velocity [m/s, map].
        age: Age of the youngest measurement in it, the agent's own or another's [s]; infinite:
            there is no estimate.
        covariance: Of the position [m^2]; NaN: not known.
    """

    position: Vector
    velocity: Vector
    age: float
    covariance: Symmetric


UNKNOWN = Symmetric(math.nan, math.nan, math.nan, math.nan, math.nan, math.nan)
NO_ESTIMATE = Estimate((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), math.inf, UNKNOWN)


class Estimator(NamedTuple):
    """One estimator.

    Attributes:
        rest: The memory of an agent that has just been switched on, or is back after a failure.
        no_message: The message of an agent before its first step. Fields that are not received
            count as 0, so a message of zeros must say nothing.
        gains: Selects what ``step`` reads from the parameters.
        step: ``(gains, memory, view)`` to the next memory, the message and the estimate.
        parameters: The record of its own parameters.
    """

    rest: Memory
    no_message: Message
    gains: Callable[[EstimatorSetup], Gains]
    step: Callable[[Gains, Memory, EstimatorView], tuple[Memory, Message, Estimate]]
    parameters: type[Parameters]


class CommonGains(NamedTuple):
    """Values that every estimator may use.

    Attributes:
        radius: Radius of the ring [m].
        bearing_noise: Deviation of a bearing [rad].
        range_noise: Deviation of a range [m]; NaN: none is measured.
        hold: Age of the youngest measurement [s] beyond which an estimate is dropped.
    """

    radius: float
    bearing_noise: float
    range_noise: float
    hold: float


def common_gains(setup: EstimatorSetup) -> CommonGains:
    """Return the values that every estimator may use."""
    sensing = setup.target_sensing
    return CommonGains(
        setup.swarm.encirclement_radius,
        math.radians(sensing.bearing_noise_deg),
        math.nan if sensing.range_noise is None else sensing.range_noise,
        sensing.estimate_hold_time,
    )


def make_estimator(
    step: Callable[..., tuple[Memory, Message, Estimate]],
    rest: Memory,
    no_message: Message,
    parameters: type[Parameters] = LawParameters,
) -> Estimator:
    """Return an estimator of what its author writes.

    Args:
        step: ``(gains, memory, view)`` to the next memory, the message and the estimate. ``gains``
            has every number of the parameters by its name, and ``common``.
        rest: The memory of an agent that has just been switched on.
        no_message: The message before the first step; zeros must say nothing.
        parameters: The record of the estimator's own parameters.
    """
    kind = gains_kind(parameters, CommonGains)

    def gains_of(setup: EstimatorSetup) -> Any:
        return kind(*own_values(parameters, setup.target_sensing).values(), common_gains(setup))

    return Estimator(rest, no_message, gains_of, step, parameters)


YOUNGER = 1e-6
"""Difference of times [s] from which a measurement is younger; ages have rounding errors."""


class EstimatorProgress(NamedTuple):
    """The estimates of an agent that were stored.

    Attributes:
        stepped: Time of the last step [s].
        measured: Time of the youngest measurement in the estimate that the law uses [s].
        seq: How many estimates the law got.
    """

    stepped: float
    measured: float
    seq: int


AT_START = EstimatorProgress(NEVER, NEVER, 0)


def locate_measurement(
    bearing: Bearing, age: float, place: Vector, rate: Vector, pose_age: float
) -> TargetMeasurement:
    """Return a measurement with where it was made.

    Args:
        bearing: The measurement.
        age: Its age [s].
        place: The agent's measured position [m, map].
        rate: Its measured velocity [m/s, map].
        pose_age: The age of both [s].
    """
    origin = moved(place, rate, pose_age - age)
    return TargetMeasurement(bearing.is_there, origin, bearing.direction, bearing.distance, age)


def is_usable(estimate: Estimate) -> bool:
    """Return whether there is an estimate with plausible numbers."""
    return is_plausible(estimate.age) and is_possible(estimate)


def is_possible(estimate: Estimate) -> bool:
    """Return whether an estimate has plausible numbers; the age of none is infinite."""
    place, rate = is_plausible_vector(estimate.position), is_plausible_vector(estimate.velocity)
    return place and rate and estimate.age >= 0.0


def is_message_sound(row: Sequence[float]) -> bool:
    """Return whether receivers accept the numbers of an estimator's message."""
    for k in range(len(row)):  # noqa: SIM110  (no generators in compiled code)
        if not is_plausible(row[k]):
            return False
    return True


def is_newer(progress: EstimatorProgress, estimate: Estimate, now: float, timeout: float) -> bool:
    """Return whether a usable estimate has a younger measurement than the one that the law uses.

    Args:
        progress: The estimate in use.
        estimate: The estimate.
        now: Time [s].
        timeout: Age of a state of the target [s] at which it counts as lost.
    """
    measured = now - estimate.age
    return is_fresh(measured, now, timeout) and measured > progress.measured + YOUNGER


ESTIMATE_SIZE = 13


def write_estimate(row: list[float], estimate: Estimate) -> None:
    """Write an estimate as the values of ``telemetry.ESTIMATE_NAMES``."""
    c = estimate.covariance
    for k in range(3):
        row[k], row[3 + k] = estimate.position[k], estimate.velocity[k]
    row[6] = estimate.age
    known = math.isfinite(c.xx + c.xy + c.xz + c.yy + c.yz + c.zz)
    if known:
        row[7], row[8], row[9], row[10], row[11], row[12] = c
    else:
        for k in range(7, ESTIMATE_SIZE):
            row[k] = 0.0


def write_nothing(row: list[float]) -> None:
    """Write that there is no estimate."""
    for k in range(ESTIMATE_SIZE):
        row[k] = 0.0
    row[6] = -1.0


EXAMPLE = EstimatorView(
    10.0, 0.05, 1, (20.0, 0.0, 0.0), (0.0, 0.0, 0.0),
    TargetMeasurement(True, (20.0, 0.0, 0.0), (-1.0, 0.0, 0.0), 20.0, 0.02), 0, [],
)  # fmt: skip
"""Inputs of a trial call of an estimator: an agent beside the target, without messages."""

ESTIMATORS = Plugin(
    Estimator, LawError, 'soliton_encirclement_ros.estimators',
    lambda plugin, name: try_estimator(plugin, name, EstimatorSetup(), EXAMPLE, NO_ESTIMATE),
)  # fmt: skip
"""Entry points: ``name = package.module:ESTIMATOR``."""


def checked_estimator(name: str) -> Estimator:
    """Return the estimator of a name; its step raises ``WrongResultError`` on wrong results.

    Numbers that are not finite are wrong of a user's; one that comes along begins anew.
    """
    estimator = ESTIMATORS.load(name)
    sent = packing(estimator.no_message)

    def fault_in(memory: Memory, message: Message, estimate: Estimate) -> str:
        """Return which result is not finite."""
        fault = '' if is_possible(estimate) else f'estimates {shown(estimate)}; {BOUND}'
        return fault or wrong_message(message, sent)

    results = {'memory': estimator.rest, 'message': estimator.no_message, 'estimate': NO_ESTIMATE}
    faults = fault_in if ESTIMATORS.is_foreign(name) else None
    return estimator._replace(step=checked_step(estimator.step, results, faults))
