"""The contract of an estimator of the target: a memory record and one pure function.

    memory, message, estimate = step(gains, memory, view)

Like a law, an estimator is plain functions over records of numbers (NamedTuples): nodes and the
plain loop run them as they are, the engine compiles them. Every agent runs one. Its message is a
part of the state that the agent broadcasts anyway, and its estimate takes the place of the
target's state for any law.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.parameters import Parameters

from soliton_encirclement_ros.core.estimation.symmetric import Symmetric
from soliton_encirclement_ros.core.laws.law_making import LawParameters, gains_kind, own_values
from soliton_encirclement_ros.core.parameters.sight_parameters import SightParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters

Gains = Any
"""A NamedTuple of numbers, one kind per estimator; so are ``Memory`` and ``Message``."""

Memory = Any
Message = Any


class SightSetup(NamedTuple):
    """The parameters from which gains are computed."""

    sight: SightParameters = SightParameters()
    swarm: SwarmParameters = SwarmParameters()


class Sight(NamedTuple):
    """What the sensor of an agent measures of the target at a tick.

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


NOTHING_SEEN = Sight(False, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), math.nan, 0.0)

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
        sight: What its sensor measures at this tick.
        count: How many messages of other agents have come since the last step.
        others: These messages, one a row, in the order of the senders' numbers.
    """

    now: float
    dt: float
    agent_id: int
    position: Vector
    velocity: Vector
    sight: Sight
    count: int
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
    gains: Callable[[SightSetup], Gains]
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


def common_gains(setup: SightSetup) -> CommonGains:
    """Return the values that every estimator may use."""
    sight = setup.sight
    return CommonGains(
        setup.swarm.encirclement_radius,
        math.radians(sight.bearing_noise_deg),
        math.nan if sight.range_noise is None else sight.range_noise,
        sight.estimate_hold_time,
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

    def gains_of(setup: SightSetup) -> Any:
        return kind(*own_values(parameters, setup.sight).values(), common_gains(setup))

    return Estimator(rest, no_message, gains_of, step, parameters)
