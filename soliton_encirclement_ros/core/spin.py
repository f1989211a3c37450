"""The wanted rotation of the whole ring: turn the centre of the swarm towards the adversary.

The laws stand in files of their own (``spin_v1``, ``spin_v3``, ``spin_filtered``); this one holds
what they share.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from soliton_encirclement_ros.core.plane import direction


@dataclass(frozen=True)
class SpinGains:
    """Gains of a spin law.

    ``kp`` [1/s], ``kd`` [-], ``max_abs`` [rad/s], ``rho_min`` is the order parameter below which
    the swarm has no centre to turn, ``base`` [rad/s] is the rate without any gain, ``period`` [s]
    the time between two broadcasts, ``filter_time`` [s] the lag of the filtered law and
    ``max_rate`` [rad/s^2] the fastest change of its rate.
    """

    kp: float
    kd: float
    max_abs: float
    rho_min: float
    base: float
    period: float
    filter_time: float
    max_rate: float


class SpinLaw(Protocol):
    """Turns the centre error into a rotation of the ring; made from its gains."""

    def __init__(self, gains: SpinGains) -> None:
        """Start without memory."""

    def update(self, now: float, err: float, known: bool) -> float:
        """Return omega_ref [rad/s].

        Args:
            now: Time [s].
            err: Centre error [rad], exactly 0 while the swarm has no centre.
            known: Whether the adversary is heard; if not, ``err`` comes from a guess.
        """


def centre_error(
    offsets: Sequence[tuple[float, float]], adversary: tuple[float, float], rho_min: float
) -> float:
    """Return the angle [rad] from the swarm's centre to the adversary, counter-clockwise positive.

    Zero while the agents are spread so evenly that the centre has no direction.

    Args:
        offsets: Every agent's offset from the target [m].
        adversary: The adversary's offset from the target [m].
        rho_min: Smallest order parameter with a meaningful centre.
    """
    sx = sy = 0.0
    for x, y in offsets:
        ux, uy, _ = direction(x, y)
        sx += ux
        sy += uy
    cx, cy, norm = direction(sx, sy)
    if not offsets or norm / len(offsets) < rho_min:
        return 0.0
    ax, ay, _ = direction(*adversary)
    return math.atan2(cx * ay - cy * ax, cx * ax + cy * ay)
