"""A published law that gives a turn rate along the ring and a speed towards it.

    r' = k_radius (R - r)            theta' = k_turn turn(ring)

Each law is its ``turn``; this file flies it like ``soliton`` (``ring_flight``). In front of
the lag inversion the only difference to ``soliton`` is that large errors are closed in proportion
as well, as published, not by the square root that assumes braking.
"""

from collections.abc import Callable
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
from soliton_encirclement_ros.controllers.terms.encirclement import proportional_speeds
from soliton_encirclement_ros.controllers.terms.velocity_tracking import TrackingGains, flown
from soliton_encirclement_ros.core.laws.law import Decision, Law, RingView, Setup, View
from soliton_encirclement_ros.core.laws.law_making import LawParameters, own_values
from soliton_encirclement_ros.core.ring.spacing_correction import IN_PLACE, Shift


class PeerGains(NamedTuple):
    """Gains of the command, and how the target is followed."""

    pursuit: TrackingGains
    tracking: Tracking


def proportional_law(
    turn: Callable[[RingView, float], Shift], parameters: type[LawParameters]
) -> Law:
    """Return the law of a turn along the ring.

    Args:
        turn: ``(ring, rate)`` to the turn [rad] that ``k_turn`` multiplies, counter-clockwise
            positive, as measured from the agent's own last message, and its rate [rad/s]. ``rate``
            [rad/s] is the agent's own angular rate. There are at least two agents on the ring.
        parameters: The law's own parameters; among them ``k_turn`` and ``k_radius`` [1/s].
    """

    def step(gains: PeerGains, memory: Memory, view: View) -> tuple[Memory, Message, Decision]:
        """Advance by one control period."""
        pursuit = gains.pursuit
        sight = look(memory, view, pursuit, gains.tracking)
        at, motion = sight.at, sight.motion
        shift = IN_PLACE
        if view.ring.count > 1:
            shift = from_here(turn(view.ring, at.rate), view.ring, at)
        base = (motion.velocity[0], motion.velocity[1])
        wanted = proportional_speeds(
            at, shift, sight.omega, base, pursuit.radius, pursuit.encirclement
        )
        done = flown(
            view.agent_id, sight.position, sight.velocity, motion, at, shift, sight.omega,
            wanted, memory.acceleration, pursuit,
        )  # fmt: skip
        return remembered(view, sight, shift, done), message_of(done), decided(view, done)

    def gains_of(setup: Setup) -> PeerGains:
        """Return the gains: those of ``soliton`` with the law's own for ring and turn."""
        own, pursuit = own_values(parameters, setup.control), pursuit_gains(setup)
        law = pursuit.encirclement._replace(k_r=own['k_radius'], k_s=own['k_turn'])
        return PeerGains(pursuit._replace(encirclement=law), tracking_of(setup))

    return Law(
        REST, Message(0.0, 0.0), gains_of, step, reset, values, TELEMETRY,
        dead_reckoning=True, target_hold=target_hold, neighbour_hold=neighbour_hold,
        parameters=parameters,
    )  # fmt: skip


def beside(ring: RingView) -> tuple[int, int]:
    """Return the places of the agents clockwise and counter-clockwise of the agent itself."""
    return (ring.place - 1) % ring.count, (ring.place + 1) % ring.count
