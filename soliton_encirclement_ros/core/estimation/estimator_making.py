"""An estimator from what its author writes: a step, and the memory at rest."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from velocity_mobility_ros.core.parameters import Parameters, declarations

from soliton_encirclement_ros.core.estimation.estimator import (
    Estimate,
    Estimator,
    Memory,
    Message,
    SightSetup,
)
from soliton_encirclement_ros.core.laws.law_making import LawParameters, own_values


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
    """Return an estimator.

    Args:
        step: ``(gains, memory, view)`` to the next memory, the message and the estimate. ``gains``
            has every number of the parameters by its name, and ``common``.
        rest: The memory of an agent that has just been switched on.
        no_message: The message before the first step; zeros must say nothing.
        parameters: The record of the estimator's own parameters.
    """
    known = declarations(parameters)
    kind = NamedTuple('Gains', [*((name, float) for name in known), ('common', CommonGains)])

    def gains_of(setup: SightSetup) -> Any:
        return kind(*own_values(parameters, setup.sight).values(), common_gains(setup))

    return Estimator(rest, no_message, gains_of, step, parameters)
