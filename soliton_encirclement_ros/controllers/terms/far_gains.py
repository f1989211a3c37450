"""Higher gains far from the own place, where time counts and calm does not.

Near its place an agent follows its target through noise and lag, and every change of its command
is effort that gains little. After a failure, its own or that of a neighbour, it is far from it:
then the ring is uneven until it has arrived. So the gain of velocity tracking grows, and the
filter of the acceleration gets faster, in proportion to the distance

    d = sqrt((r - R)^2 + (r shift)^2)

between two distances. Near its place nothing changes. ``loop_gains.gain_sets`` has both sets.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.controllers.terms.encirclement import EncirclementGains
from soliton_encirclement_ros.controllers.terms.lag_inversion import LagInversion
from soliton_encirclement_ros.controllers.terms.velocity_tracking import TrackingGains
from soliton_encirclement_ros.core.ring.polar import Polar


class FarGains(NamedTuple):
    """Gains far from the own place.

    Attributes:
        begin: Distance up to which the gains are those near it [m].
        width: How much farther they are these [m].
        k_v: Gain of velocity tracking [1/s].
        follows: Share of a change that the filter of the acceleration lets through in a period.
    """

    begin: float
    width: float
    k_v: float
    follows: float


def share_of_far(far: FarGains, at: Polar, shift: float, radius: float) -> float:
    """Return how far the gains are those far from the own place: 0 not at all, 1 all of them.

    Args:
        far: The gains.
        at: Position of the agent.
        shift: The turn to its place [rad].
        radius: Radius of the ring [m].
    """
    towards, along = at.r - radius, at.r * shift
    beyond = math.sqrt(towards * towards + along * along) - far.begin
    return min(1.0, max(0.0, beyond / far.width))


def blended(gains: TrackingGains, far: FarGains, share: float) -> TrackingGains:
    """Return the gains between those near the own place, share 0, and those far from it, 1."""
    law, lag = gains.encirclement, gains.lag
    faster = EncirclementGains(
        law.k_r, law.k_s, law.k_v + share * (far.k_v - law.k_v), law.approach, law.spacing,
        law.r_min, law.max_speed,
    )  # fmt: skip
    sooner = LagInversion(
        lag.is_sampled, lag.gain, lag.full_gain, lag.limit, lag.largest, lag.linear,
        lag.follows + share * (far.follows - lag.follows),
    )  # fmt: skip
    return TrackingGains(
        faster, gains.radius, sooner, gains.tau_z, gains.brake_z, gains.k_z, gains.spin_step,
        gains.altitude_offset, gains.altitude_layers, gains.altitude_layer_spacing,
    )  # fmt: skip
