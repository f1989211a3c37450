"""Our law: dead reckoning, places between several neighbours, saturation by rank.

Everything is relative to where the target is now, not where it was; docs/law.md has the law, its
stability and its bounds. Nothing in it integrates an error, so nothing winds up; the one state on
the way to the command, the followed turn rate, is set back to what saturation left of it.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.frames import wrap_pi

from soliton_encirclement_ros.controllers.terms.encirclement import (
    EncirclementGains,
    Wanted,
)
from soliton_encirclement_ros.controllers.terms.velocity_tracking import (
    LEAST_BRAKING,
    TrackingGains,
    rate_limited_spin,
    relative_state,
    velocity_tracking,
)
from soliton_encirclement_ros.core.laws.finite import finite_or_zero
from soliton_encirclement_ros.core.laws.law import Decision, Law, RingView, Setup, View
from soliton_encirclement_ros.core.laws.ring_messages import nearest, nearest_error
from soliton_encirclement_ros.core.laws.telemetry import Quantity
from soliton_encirclement_ros.core.ring.polar import Polar
from soliton_encirclement_ros.core.ring.spacing_correction import (
    IN_PLACE,
    Shift,
    spacing_correction,
)
from soliton_encirclement_ros.core.states.target_track import (
    NO_TRACK,
    TargetTrack,
    motion_of,
    updated_track,
)

TELEMETRY = {
    'u': Quantity('rad/s', 'turn rate with which the agent goes to its place'),
    'shift': Quantity('rad', 'turn to its place between the neighbours'),
    'w_radial': Quantity('m/s', 'wanted radial speed, outwards'),
    'w_spacing': Quantity('m/s', 'wanted speed along the ring to its place'),
    'w_spin': Quantity('m/s', 'wanted speed along the ring for the spin of the whole ring'),
    'share_radial': Quantity('', 'share of w_radial that the speed limit leaves, 0 to 1'),
    'share_spacing': Quantity('', 'share of w_spacing that the speed limit leaves, 0 to 1'),
    'share_spin': Quantity('', 'share of w_spin that the speed limit leaves, 0 to 1'),
    'target_age': Quantity('s', 'age of the target state in use'),
    'loss': Quantity('', "measured share of the neighbours' messages that are lost, 0 to 1"),
}


class SolitonLawGains(NamedTuple):
    """The gains of a command, the filter [s] of the target's acceleration, the hops."""

    pursuit: TrackingGains
    acc_filter: float
    hops: int


class Memory(NamedTuple):
    """What is known of the target's motion, the followed turn rate, and values to record.

    ``omega`` is the turn rate of the ring that is followed, ``rate`` that to the own place
    [rad/s]; ``shift`` [rad] is the turn to it.
    """

    track: TargetTrack
    omega: float
    rate: float
    shift: float
    wanted: Wanted
    target_age: float
    loss: float


class Message(NamedTuple):
    """The turn rate [rad/s] with which the agent goes to its place; nothing else."""

    u: float
    u_ss: float


REST = Memory(NO_TRACK, 0.0, 0.0, 0.0, Wanted(0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0), 0.0, 0.0)


def step(gains: SolitonLawGains, memory: Memory, view: View) -> tuple[Memory, Message, Decision]:
    """Advance by one control period."""
    target = view.target
    track = updated_track(
        memory.track, target.seq, target.velocity, view.now - target.age, target.fresh,
        gains.acc_filter,
    )  # fmt: skip
    motion = motion_of(track, target.position, target.velocity, target.age)
    at = relative_state(view.position, view.velocity, motion, gains.pursuit.encirclement.r_min)
    shift = turn_to_place(view.ring, at, gains.hops)
    omega_ref = target.omega_ref if target.fresh else 0.0
    omega = rate_limited_spin(memory.omega, omega_ref, gains.pursuit.spin_step)
    done = velocity_tracking(
        view.agent_id, view.position, view.velocity, motion, at, shift, omega, gains.pursuit
    )
    after = Memory(track, done.omega, done.rate, shift.angle, done.wanted, target.age, view.loss)
    near = nearest(view.ring)
    decision = Decision(done.velocity, near.pred, near.succ, nearest_error(view.ring))
    return after, Message(finite_or_zero(done.rate), 0.0), decision


def turn_to_place(ring: RingView, at: Polar, hops: int) -> Shift:
    """Return the turn of an agent to its place on the ring.

    The order is that which all see alike, from the words of all; the turn itself counts from where
    the agent is.
    """
    count, place = ring.count, ring.place
    if count < 2:
        return IN_PLACE
    there = spacing_correction(
        ring.thetas[:count], ring.rates[:count], ring.weights[:count], place, at.rate, hops
    )
    theta = math.atan2(at.ey, at.ex)
    return Shift(there.angle - wrap_pi(theta - ring.thetas[place]), there.rate)


def reset(memory: Memory) -> Memory:
    """Forget everything: what was known before a failure is worth nothing after it."""
    return REST


def values(memory: Memory) -> tuple[float, ...]:
    """Return the turn rate u, the shift, wanted speeds, shares, age and loss."""
    w = memory.wanted
    return (
        memory.rate, memory.shift, w.radial, w.spacing, w.spin,
        w.radial_share, w.spacing_share, w.spin_share, memory.target_age, memory.loss,
    )  # fmt: skip


def gains_of(setup: Setup) -> SolitonLawGains:
    """Return the gains of the law."""
    control = setup.control
    return SolitonLawGains(pursuit_gains(setup), control.target_acc_filter, control.ring_hops)


def pursuit_gains(setup: Setup) -> TrackingGains:
    """Return what a command is made with."""
    control, limits, period = setup.control, setup.limits, setup.swarm.control_period
    law = EncirclementGains(
        control.k_r,
        control.k_s,
        control.k_v,
        max(control.approach_share * limits.max_acc_xy, LEAST_BRAKING),
        control.r_min,
        limits.max_speed_xy,
    )
    # A vehicle without lag follows within a tick; a command cannot ask for anything sooner.
    return TrackingGains(
        law,
        setup.swarm.encirclement_radius,
        max(limits.tau_xy or 0.0, period),
        max(limits.tau_z or 0.0, period),
        max(control.approach_share * limits.max_acc_z, LEAST_BRAKING),
        control.k_z,
        control.spin_acc * period,
        control.altitude_offset,
        control.altitude_layers,
        control.altitude_layer_spacing,
    )


def target_hold(setup: Setup) -> float:
    """Return the age of the target's words [s] beyond which it is lost."""
    return setup.swarm.target_state_timeout + setup.control.target_hold_time


def neighbour_hold(setup: Setup) -> float:
    """Return the longest silence of a neighbour [s] that is excused."""
    return setup.control.neighbour_hold_time


SOLITON = Law(
    REST, Message(0.0, 0.0), gains_of, step, reset, values, TELEMETRY,
    dead_reckoning=True, target_hold=target_hold, neighbour_hold=neighbour_hold,
)  # fmt: skip
