"""Records of the filter, and the kinds of its arrays."""

import math
from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.model import Limits, Vector

Rows = Sequence[Sequence[float]]
"""Rows of numbers: a 2-D float array, in plain Python also lists of lists, which are faster."""

Scratch = MutableSequence[MutableSequence[float]]
"""Rows that the filter overwrites: SCRATCH_ROWS x SCRATCH_COLUMNS."""

STILL: Vector = (0.0, 0.0, 0.0)


class Detour(NamedTuple):
    """How an agent gets out of a symmetric standstill, and past silent bodies.

    Attributes:
        bias: Turn to the right as soon as a barrier acts [rad].
        rate: Growth of the turn while there is no progress [rad/s].
        most: Largest turn of an agent that moves [rad].
        progress: Share of the wanted speed, along the wanted direction, that counts as progress.
        slide: If sliding along the barriers leaves less than this share of the wanted speed, along
            the wanted direction, silent bodies are passed on a tangent.
        clearance: Addition to the distance at which a silent body is passed [m].
        keep: The side on which bodies are passed changes if the other one needs so much less
            turn [rad].
        ahead: A silent body is in the way if the wish reaches its ball this time [s] after the
            own stopping point.
    """

    bias: float = 0.0
    rate: float = 1.0
    most: float = 1.8
    progress: float = 0.1
    slide: float = 0.4
    clearance: float = 0.3
    ahead: float = 2.0
    keep: float = 0.3


class FilterSettings(NamedTuple):
    """Numbers of the filter that do not change from tick to tick.

    Attributes:
        limits: ``MobilityParameters.limits``; the other agents are assumed to have the same.
        period: Control period [s].
        delay: Time from the state until the command takes effect [s].
        update: Step of the prediction over that delay [s].
        distance: Least distance D of two vehicles [m].
        gamma: Rate at which a distance may shrink towards D [1/s]; at most 1 / period.
        clock_error: Largest difference of two clocks [s], added to ages.
        noise: Largest error of a difference of two stopping points by measurement [m].
        run_on: Longest time from the last message to the failure of a silent agent [s].
        ghost_margin: Addition to the radius of a silent agent [m].
        target_radius: Distance to keep from the target [m]; 0: none.
        adversary_radius: Distance to keep from adversaries [m]; 0: none.
        fence_margin: Distance to keep from the fence [m].
        lowest: Lowest height [m].
        highest: Highest height [m].
        layer: Vertical distance at which two vehicles ignore each other horizontally [m].
        detour: How to get out of a standstill.
    """

    limits: Limits
    period: float = 0.05
    delay: float = 0.0
    update: float = 0.01
    distance: float = 2.0
    gamma: float = 4.0
    clock_error: float = 0.0
    noise: float = 0.0
    run_on: float = 0.1
    ghost_margin: float = 0.1
    target_radius: float = 0.0
    adversary_radius: float = 0.0
    fence_margin: float = 0.5
    lowest: float = -math.inf
    highest: float = math.inf
    layer: float = 2.0
    detour: Detour = Detour()


class OwnState(NamedTuple):
    """Position [m] and velocity [m/s] of the own vehicle, both in map."""

    position: Vector
    velocity: Vector


class FilterMemory(NamedTuple):
    """What the filter remembers.

    Attributes:
        turn: Turn to the right by which a standstill is left [rad].
        side: Side on which silent bodies are passed: 1 left, -1 right, 0 none.
    """

    turn: float
    side: float


class Filtered(NamedTuple):
    """Result of the filter.

    Attributes:
        command: Velocity to command [m/s, map].
        reason: Why it differs from the wanted one; ``codes.REASONS``.
        pusher: Id of the other body that changed it most; NOBODY if none did.
        memory: Memory for the next call.
    """

    command: Vector
    reason: int
    pusher: int
    memory: FilterMemory


START = FilterMemory(0.0, 0.0)
