"""The default law: dead reckoning, spacing over several neighbours, saturation in priority order.

All values are relative to the present, extrapolated position of the target; docs/law.md has the
law, its stability and its bounds. It integrates no error, so there is no windup; the only state on
the way to the command, the rate-limited turn rate, is set back to what saturation left of it.
"""

from typing import NamedTuple

from soliton_encirclement_ros.controllers.ring_flight import (
    REST,
    TELEMETRY,
    Memory,
    Message,
    decided,
    from_here,
    look,
    message_of,
    neighbour_hold,
    pursuit_gains,
    remembered,
    reset,
    target_hold,
    values,
)
from soliton_encirclement_ros.controllers.terms.velocity_tracking import (
    TrackingGains,
    velocity_tracking,
)
from soliton_encirclement_ros.core.laws.law import Decision, Law, RingView, Setup, View
from soliton_encirclement_ros.core.ring.polar import Polar
from soliton_encirclement_ros.core.ring.spacing_correction import (
    IN_PLACE,
    Shift,
    spacing_correction,
)


class SolitonLawGains(NamedTuple):
    """The gains of a command, the filter [s] of the target's acceleration, the hops."""

    pursuit: TrackingGains
    acc_filter: float
    hops: int


def step(gains: SolitonLawGains, memory: Memory, view: View) -> tuple[Memory, Message, Decision]:
    """Advance by one control period."""
    sight = look(memory, view, gains.pursuit, gains.acc_filter)
    shift = turn_to_place(view.ring, sight.at, gains.hops)
    done = velocity_tracking(
        view.agent_id, view.position, view.velocity, sight.motion, sight.at, shift, sight.omega,
        memory.acceleration, gains.pursuit,
    )  # fmt: skip
    return remembered(view, sight.track, shift, done), message_of(done), decided(view, done)


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
    control = setup.control
    return SolitonLawGains(pursuit_gains(setup), control.target_acc_filter, control.ring_hops)


SOLITON = Law(
    REST, Message(0.0, 0.0), gains_of, step, reset, values, TELEMETRY,
    dead_reckoning=True, target_hold=target_hold, neighbour_hold=neighbour_hold,
)  # fmt: skip
