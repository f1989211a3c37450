"""Shared parts of ``soliton`` and the published peers: all but the turn along the ring.

All of them extrapolate the target in the same way, feed its velocity and acceleration forward,
invert the vehicle's lag, saturate in the same priority order, hold their height, and have
the same timeouts for target and neighbours. So a comparison shows the difference of the laws.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.frames import wrap_pi

from soliton_encirclement_ros.controllers.terms.encirclement import (
    EncirclementGains,
    Wanted,
)
from soliton_encirclement_ros.controllers.terms.lag_inversion import (
    AT_REST,
    Acceleration,
    lag_inversion,
)
from soliton_encirclement_ros.controllers.terms.velocity_tracking import (
    LEAST_BRAKING,
    Outcome,
    TrackingGains,
    rate_limited_spin,
    relative_state,
)
from soliton_encirclement_ros.core.laws.finite import finite_or_zero
from soliton_encirclement_ros.core.laws.law import Decision, RingView, Setup, View
from soliton_encirclement_ros.core.laws.ring_messages import nearest, nearest_error
from soliton_encirclement_ros.core.laws.telemetry import Quantity
from soliton_encirclement_ros.core.parameters.control_parameters import SAMPLED
from soliton_encirclement_ros.core.ring.polar import Polar
from soliton_encirclement_ros.core.ring.spacing_correction import Shift
from soliton_encirclement_ros.core.states.dead_reckoning import Motion
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


class Memory(NamedTuple):
    """Track of the target, the rate-limited turn rate, and values to record.

    ``omega`` is the turn rate of the ring that is followed, ``rate`` that to the own place
    [rad/s]; ``shift`` [rad] is the turn to it, ``acceleration`` [m/s^2, map] that of the last
    command.
    """

    track: TargetTrack
    omega: float
    rate: float
    shift: float
    wanted: Wanted
    target_age: float
    loss: float
    acceleration: Acceleration


class Message(NamedTuple):
    """The turn rate [rad/s] towards the agent's place; nothing else."""

    u: float
    u_ss: float


REST = Memory(
    NO_TRACK, 0.0, 0.0, 0.0, Wanted(0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0), 0.0, 0.0,
    AT_REST,
)  # fmt: skip


class Sight(NamedTuple):
    """Values that an agent derives from its inputs.

    ``track`` and ``motion`` are those of the target, ``at`` is the agent relative to it, and
    ``omega`` [rad/s] the turn rate of the ring that it follows.
    """

    track: TargetTrack
    motion: Motion
    at: Polar
    omega: float


def look(memory: Memory, view: View, gains: TrackingGains, acc_filter: float) -> Sight:
    """Return the present motion of the agent and the target.

    Args:
        memory: The memory of the last tick.
        view: Inputs of the agent.
        gains: Gains of the command.
        acc_filter: Filter of the target's acceleration [s].
    """
    target = view.target
    track = updated_track(
        memory.track, target.seq, target.velocity, view.now - target.age, target.fresh,
        acc_filter,
    )  # fmt: skip
    motion = motion_of(track, target.position, target.velocity, target.age)
    at = relative_state(view.position, view.velocity, motion, gains.encirclement.r_min)
    omega_ref = target.omega_ref if target.fresh else 0.0
    return Sight(track, motion, at, rate_limited_spin(memory.omega, omega_ref, gains.spin_step))


def from_here(shift: Shift, ring: RingView, at: Polar) -> Shift:
    """Return the turn of an agent from its present position.

    The order is the one that all agents compute from the same messages; the turn itself is from
    the present position.

    Args:
        shift: The turn, measured from the agent's own last message.
        ring: The ring.
        at: Position of the agent.
    """
    theta = math.atan2(at.ey, at.ex)
    return Shift(shift.angle - wrap_pi(theta - ring.thetas[ring.place]), shift.rate)


def remembered(view: View, track: TargetTrack, shift: Shift, done: Outcome) -> Memory:
    """Return the memory after a step."""
    return Memory(
        track, done.omega, done.rate, shift.angle, done.wanted, view.target.age, view.loss,
        done.acceleration,
    )  # fmt: skip


def message_of(done: Outcome) -> Message:
    """Return the message after a step."""
    return Message(finite_or_zero(done.rate), 0.0)


def decided(view: View, done: Outcome) -> Decision:
    """Return the decision after a step; the neighbours are those just beside the agent."""
    near = nearest(view.ring)
    return Decision(done.velocity, near.pred, near.succ, nearest_error(view.ring))


def reset(memory: Memory) -> Memory:
    """Reset the memory: the state before a failure is not valid after it."""
    return REST


def values(memory: Memory) -> tuple[float, ...]:
    """Return the turn rate u, the shift, wanted speeds, shares, age and loss."""
    w = memory.wanted
    return (
        memory.rate, memory.shift, w.radial, w.spacing, w.spin,
        w.radial_share, w.spacing_share, w.spin_share, memory.target_age, memory.loss,
    )  # fmt: skip


def pursuit_gains(setup: Setup) -> TrackingGains:
    """Return the gains of a command."""
    control, limits, period = setup.control, setup.limits, setup.swarm.control_period
    spacing = control.approach_share if control.spacing_share is None else control.spacing_share
    law = EncirclementGains(
        control.k_r,
        control.k_s,
        control.k_v,
        max(control.approach_share * limits.max_acc_xy, LEAST_BRAKING),
        max(spacing * limits.max_acc_xy, LEAST_BRAKING),
        control.r_min,
        limits.max_speed_xy,
    )
    sampled = control.lag_inversion == SAMPLED
    return TrackingGains(
        law,
        setup.swarm.encirclement_radius,
        lag_inversion(
            sampled, limits.tau_xy, limits.max_acc_xy, period, control.acc_filter_share
        ),
        max(limits.tau_z or 0.0, period),
        max(control.approach_share * limits.max_acc_z, LEAST_BRAKING),
        control.k_z,
        control.spin_acc * period,
        control.altitude_offset,
        control.altitude_layers,
        control.altitude_layer_spacing,
    )


def target_hold(setup: Setup) -> float:
    """Return the age of the target's state [s] beyond which it is lost."""
    return setup.swarm.target_state_timeout + setup.control.target_hold_time


def neighbour_hold(setup: Setup) -> float:
    """Return the longest silence of a neighbour [s] that is tolerated."""
    return setup.control.neighbour_hold_time
