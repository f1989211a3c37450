"""The desired rotation of the whole ring: turn the centre of the swarm towards the adversary.

The laws are in files of their own (``soliton_v1_spin``, ``two_channel_spin``,
``rate_limited_spin``); this one holds their shared parts.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.ring.plane import direction
from soliton_encirclement_ros.core.states.message_acceptance import Sighting, is_fresh

EAST = (1.0, 0.0)
"""Assumed direction of the adversary before it is first received."""

Memory = Any
"""A NamedTuple of floats, one kind per law; NaN for values not known yet."""


class SpinGains(NamedTuple):
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


class SpinLaw(NamedTuple):
    """Turns the centre error into a rotation of the ring.

    Attributes:
        rest: The memory before the first error.
        step: ``(memory, now [s], err [rad], known, gains)`` to the next memory and omega_ref
            [rad/s]. ``err`` is exactly 0 while the swarm has no centre; ``known`` is whether the
            adversary is received: if not, ``err`` comes from an assumed direction.
    """

    rest: Callable[[SpinGains], Memory]
    step: Callable[[Memory, float, float, bool, SpinGains], tuple[Memory, float]]


def adversary_offset(x: float, y: float, ax: float, ay: float) -> tuple[float, float]:
    """Return the offset [m] of the adversary from a place, ``EAST`` before it is first received.

    Args:
        x: The place, east [m].
        y: The same, north [m].
        ax: Last received position of the adversary, east [m]; NaN: none yet.
        ay: The same, north [m].
    """
    return EAST if math.isnan(ax) else (ax - x, ay - y)


class SpinView(NamedTuple):
    """What a spin law goes by: the centre error [rad], and whether the adversary is received."""

    err: float
    known: bool


def spin_view(
    xs: Sequence[float], ys: Sequence[float], x: float, y: float, adversary: Sighting,
    now: float, timeout: float, rho_min: float,
) -> SpinView:  # fmt: skip
    """Return what a spin law goes by.

    Args:
        xs: Every agent's offset from the target to the east [m].
        ys: The same to the north [m].
        x: Where the target is, east [m].
        y: The same, north [m].
        adversary: What is known of the adversary; NaN for where it is: never received.
        now: Time [s].
        timeout: How long its message counts [s].
        rho_min: Smallest order parameter with a meaningful centre.
    """
    ax, ay = adversary_offset(x, y, adversary.x, adversary.y)
    err = centre_error(xs, ys, ax, ay, rho_min)
    return SpinView(err, is_fresh(adversary.received, now, timeout))


def centre_error(
    xs: Sequence[float],
    ys: Sequence[float],
    adversary_x: float,
    adversary_y: float,
    rho_min: float,
) -> float:
    """Return the angle [rad] from the swarm's centre to the adversary, counter-clockwise positive.

    Zero while the agents are spread so evenly that the centre has no direction.

    Args:
        xs: Every agent's offset from the target to the east [m].
        ys: The same to the north [m].
        adversary_x: The adversary's offset from the target to the east [m].
        adversary_y: The same to the north [m].
        rho_min: Smallest order parameter with a meaningful centre.
    """
    count = len(xs)
    sx = sy = 0.0
    for i in range(count):
        ux, uy, _ = direction(xs[i], ys[i])
        sx += ux
        sy += uy
    cx, cy, norm = direction(sx, sy)
    if count == 0 or norm / count < rho_min:
        return 0.0
    ax, ay, _ = direction(adversary_x, adversary_y)
    return math.atan2(cx * ay - cy * ax, cx * ax + cy * ay)
