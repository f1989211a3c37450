"""Records and arrays of the separation filter, its settings, and its codes as numbers."""

import math
from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.core.fences import fence_rings, ring_edges
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, SwarmParameters
)
from velocity_mobility_ros.core.velocity_model import Limits, Vector

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
    """The memory of the filter.

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


NEVER_CLIMBS = 1.0
"""Replaces the vertical acceleration [m/s^2] of a vehicle that has none: it brakes nowhere."""


def filter_settings(
    safety: SafetyParameters, limits: CommandLimits, swarm: SwarmParameters
) -> FilterSettings:
    """Return the numbers of the filter of an agent; others are assumed to have its limits.

    A vehicle that answers late flies on for that time after its failure. It does so because it
    has to tilt, and while it tilts it loses height: heights do not keep such vehicles apart.
    """
    run_on = safety.silent_flight_time
    if run_on is None:
        run_on = swarm.control_period
    return FilterSettings(
        (
            limits.max_speed_xy,
            limits.max_speed_z,
            limits.max_acc_xy,
            limits.max_acc_z or NEVER_CLIMBS,
            math.nan if limits.tau_xy is None else limits.tau_xy,
            math.nan if limits.tau_z is None else limits.tau_z,
        ),
        period=swarm.control_period,
        delay=limits.response_delay,
        distance=safety.separation_distance,
        gamma=min(safety.separation_rate, 1.0 / swarm.control_period),
        clock_error=safety.clock_error,
        noise=safety.position_noise,
        run_on=run_on + limits.response_delay,
        target_radius=safety.target_distance,
        adversary_radius=safety.adversary_distance,
        fence_margin=safety.fence_margin,
        lowest=-math.inf if safety.lowest_height is None else safety.lowest_height,
        highest=math.inf if safety.highest_height is None else safety.highest_height,
        layer=safety.separation_distance if limits.response_delay == 0.0 else math.inf,
    )


def fence_of(safety: SafetyParameters) -> Rows:
    """Return the edges of the fence, (x0, y0, x1, y1) [m, map]; none without a fence."""
    return ring_edges(*fence_rings(safety.fence))


X, Y, Z, VX, VY, VZ, AGE, KIND, ID = range(9)
"""Columns of the other bodies: position [m], velocity [m/s], age [s], kind, id."""

COLUMNS = 9

SPAN = COLUMNS
"""A further column that rows may have: ``nearest_bodies.span_of`` [m], found once for all."""

EMPTY = 0
MUTUAL = 1
GHOST = 2
STRANGER = 3
DOUBTED = 4
TARGET = 5
ADVERSARY = 6
"""Kinds of other bodies.

EMPTY: the row is unused. MUTUAL: an agent that runs this filter, too. GHOST: an agent that fell
silent and has command 0 since (the contract). STRANGER: any other body. DOUBTED: a place that
may be a lie: nobody moves towards it, and nobody is moved by it.
"""

NX, NY, BASE, EXTRA, SOURCE, WHO, KEY, INDEX = range(8)
"""Columns of the scratch rows.

A half-plane ``nx cx + ny cy >= base + extra`` of commands [m/s] with a unit normal, where command
0 reaches ``base``; its reason and the id of its body; key and index of a near body.
"""

NEAREST = 8
"""So many other bodies are looked at; those whose braking paths come nearest."""

FENCE_ROWS = 6
KEEP_OUT_ROWS = 8
SCRATCH_ROWS = 6 * NEAREST + FENCE_ROWS + KEEP_OUT_ROWS
SCRATCH_COLUMNS = 8
