"""Law ``soliton``: dead reckoning, spacing over several neighbours, saturation by priority.

All values are relative to the present, extrapolated position of the target; docs/law.md has the
law, its stability and its bounds. It integrates no error, so there is no windup; the only state on
the way to the command, the rate-limited turn rate, is set back to what saturation left of it.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.controllers.ring_flight import (
    REST,
    TELEMETRY,
    Memory,
    Message,
    Tracking,
    decided,
    from_here,
    look,
    message_of,
    neighbour_hold,
    pursuit_gains,
    remembered,
    reset,
    target_hold,
    tracking_of,
    values,
)
from soliton_encirclement_ros.controllers.velocity_tracking import (
    TrackingGains,
    softened,
    velocity_tracking,
)
from soliton_encirclement_ros.core.laws.law import Decision, Law, RingView, Setup, View
from soliton_encirclement_ros.core.ring.ring_geometry import (
    IN_PLACE,
    Polar,
    Shift,
    spacing_correction,
)


class SolitonLawGains(NamedTuple):
    """The gains of a command, how the target is followed, the hops, and ``gain_age``."""

    pursuit: TrackingGains
    tracking: Tracking
    hops: int
    gain_age: float


def step(gains: SolitonLawGains, memory: Memory, view: View) -> tuple[Memory, Message, Decision]:
    """Advance by one control period."""
    pursuit = softened(gains.pursuit, view.target.age / gains.gain_age)
    sight = look(memory, view, pursuit, gains.tracking)
    shift = turn_to_place(view.ring, sight.at, gains.hops)
    done = velocity_tracking(
        view.agent_id, sight.position, sight.velocity, sight.motion, sight.at, shift,
        sight.omega, memory.acceleration, pursuit,
    )  # fmt: skip
    return remembered(view, sight, shift, done), message_of(done), decided(view, done)


def turn_to_place(ring: RingView, at: Polar, hops: int) -> Shift:
    """Return the turn of an agent to its place on the ring."""
    count, place = ring.count, ring.place
    if count < 2:
        return IN_PLACE
    there = spacing_correction(
        ring.thetas[:count], ring.rates[:count], ring.weights[:count], place, at.rate, hops
    )
    return from_here(there, ring, at)


def gains_of(setup: Setup) -> SolitonLawGains:
    """Return the gains of the law."""
    return SolitonLawGains(
        pursuit_gains(setup), tracking_of(setup), setup.control.ring_hops, math.inf
    )


SOLITON = Law(
    REST, Message(0.0, 0.0), gains_of, step, reset, values, TELEMETRY,
    dead_reckoning=True, target_hold=target_hold, neighbour_hold=neighbour_hold,
)  # fmt: skip
