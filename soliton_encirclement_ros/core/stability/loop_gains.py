"""What the laws with a bound on their gains ask of their vehicles, read from their parameters."""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.parameters.control_parameters import (
    PREDICTIVE,
    SAMPLED,
    SOLITON,
    ControlParameters,
)

LARGEST_FILTER_SHARE = 0.25
"""Largest time constant of the filter of ``predictive``, as a share of the lag."""


class GainNames(NamedTuple):
    """Names of the parameters of a law: its three gains, and its neighbours per side."""

    radius: str
    spacing: str
    velocity: str
    hops: str


NAMES = {
    SOLITON: GainNames('k_r', 'k_s', 'k_v', 'ring_hops'),
    PREDICTIVE: GainNames('k_radius', 'k_spacing', 'k_velocity', 'hops'),
}
"""The laws that the linear model describes."""


class LoopGains(NamedTuple):
    """The numbers of a law that its loops depend on.

    Attributes:
        names: Names of the gains.
        radius: Gain towards the ring k_r [1/s].
        spacing: Gain towards the place on it k_s [1/s].
        velocity: Gain of velocity tracking k_v [1/s], of fast vehicles the least one.
        hops: Neighbours per side.
        is_sampled: Whether the inversion of the lag is exact for a command held for a period.
        filter_share: Time constant of the filter of the acceleration, share of the lag.
        longest_filter: Its longest time constant [s].
        predicts: Whether agents predict their own motion.
        velocity_share: What k_v of fast vehicles is made from, see ``tracking_gain``.
    """

    names: GainNames
    radius: float
    spacing: float
    velocity: float
    hops: int
    is_sampled: bool
    filter_share: float
    longest_filter: float
    predicts: bool
    velocity_share: float = 0.0


def loop_gains(control: ControlParameters) -> LoopGains | None:
    """Return the numbers of the law of a control section; None: it is none of ``NAMES``.

    Args:
        control: The record that belongs to its controller (``record_of``).
    """
    names = NAMES.get(control.controller)
    if names is None:
        return None
    values = (getattr(control, name) for name in names)
    if control.controller == PREDICTIVE:
        return LoopGains(  # type: ignore
            names, *values, True, LARGEST_FILTER_SHARE, control.acc_filter, True,
            control.velocity_share,
        )  # fmt: skip
    sampled = control.lag_inversion == SAMPLED
    return LoopGains(
        names, *values, sampled, control.acc_filter_share, math.inf, control.own_prediction
    )
