"""Shared parts of our law and the published peers: all but the turn along the ring.

All of them extrapolate the target in the same way, feed its velocity and acceleration forward,
invert the vehicle's lag, saturate in the same priority order, hold their height, and have
the same timeouts for target and neighbours. So a comparison shows the difference of the laws.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.controllers.encirclement import DesiredSpeeds, EncirclementGains
from soliton_encirclement_ros.controllers.lag_inversion import (
    AT_REST, NONE_SENT, Acceleration, Commands, Prediction, lag_inversion, own_motion, with_command
)
from soliton_encirclement_ros.controllers.velocity_tracking import (
    LEAST_BRAKING, TrackingGains, TrackingOutcome, rate_limited_spin, relative_state
)
from soliton_encirclement_ros.core.laws.law import (
    Decision, RingView, Setup, View, nearest, nearest_error
)
from soliton_encirclement_ros.core.laws.law_making import SpacingMessage
from soliton_encirclement_ros.core.laws.telemetry import Quantity
from soliton_encirclement_ros.core.parameters.control_parameters import KALMAN, SAMPLED
from soliton_encirclement_ros.core.ring.ring_geometry import Polar, Shift
from soliton_encirclement_ros.core.stability.gain_bound import assumed_lag, tracking_gain
from soliton_encirclement_ros.core.states.states import (
    NO_TRACK, MotionState, TargetTrack, motion_of, updated_track
)
from soliton_encirclement_ros.core.states.target_filter import (
    NO_ESTIMATE, TargetEstimate, TargetModel, estimated_motion, updated_estimate
)
from velocity_mobility_ros.core.coordinate_frames import wrap_pi
from velocity_mobility_ros.core.velocity_model import Vector, finite_or_zero

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


class RingFlightMemory(NamedTuple):
    """Track of the target, the rate-limited turn rate, and values to record.

    ``track`` or ``estimate`` is in use, by the way in which the target is tracked. ``omega`` is
    the turn rate of the ring that is followed, ``rate`` that to the own place [rad/s]; ``shift``
    [rad] is the turn to it, ``acceleration`` [m/s^2, map] that of the last command, ``sent`` are
    the commands before.
    """

    track: TargetTrack
    estimate: TargetEstimate
    omega: float
    rate: float
    shift: float
    wanted: DesiredSpeeds
    target_age: float
    loss: float
    acceleration: Acceleration
    sent: Commands


REST = RingFlightMemory(
    NO_TRACK, NO_ESTIMATE, 0.0, 0.0, 0.0, DesiredSpeeds(0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0),
    0.0, 0.0, AT_REST, NONE_SENT,
)  # fmt: skip


class Tracking(NamedTuple):
    """How an agent follows its target.

    Attributes:
        is_filtered: Whether by the Kalman filter; else by the change of the reported velocity.
        acc_filter: Without it: filter of the acceleration [s].
        model: With it: the model of the target's motion.
        acc_share: With it: share of the acceleration that is fed forward.
        own: How the own motion is predicted.
        max_acc: Horizontal acceleration limit of the vehicle [m/s^2].
    """

    is_filtered: bool
    acc_filter: float
    model: TargetModel
    acc_share: float
    own: Prediction
    max_acc: float


class StateEstimate(NamedTuple):
    """Values that an agent derives from its inputs.

    ``track`` and ``estimate`` are those of the target, ``motion`` is its motion when the next
    command takes effect. ``position`` [m] and ``velocity`` [m/s] are the agent's then, in map;
    ``at`` is the same relative to the target. ``omega`` [rad/s] is the turn rate of the ring that
    it follows, ``sent`` are the commands up to now.
    """

    track: TargetTrack
    estimate: TargetEstimate
    motion: MotionState
    position: Vector
    velocity: Vector
    at: Polar
    omega: float
    sent: Commands


def estimate_state(
    memory: RingFlightMemory, view: View, gains: TrackingGains, tracking: Tracking
) -> StateEstimate:
    """Return the motion of the agent and the target.

    Args:
        memory: The memory of the last tick.
        view: Inputs of the agent.
        gains: Gains of the command.
        tracking: How the target is followed.
    """
    target = view.target
    sent = with_command(memory.sent, view.command)
    position, velocity = own_motion(view, sent, tracking.own)
    track, estimate = memory.track, memory.estimate
    if tracking.is_filtered:
        estimate = updated_estimate(
            estimate, target.seq, target.position, target.velocity, view.now - target.age,
            tracking.model,
        )  # fmt: skip
        motion = filtered_motion(view, estimate, tracking)
    else:
        track = updated_track(
            track, target.seq, target.velocity, view.now - target.age, target.fresh,
            tracking.acc_filter,
        )  # fmt: skip
        motion = motion_of(track, target.position, target.velocity, target.age)
    at = relative_state(position, velocity, motion, gains.encirclement.r_min)
    omega_ref = target.omega_ref if target.fresh else 0.0
    omega = rate_limited_spin(memory.omega, omega_ref, gains.spin_step)
    return StateEstimate(track, estimate, motion, position, velocity, at, omega, sent)


def filtered_motion(view: View, estimate: TargetEstimate, tracking: Tracking) -> MotionState:
    """Return the target's motion when the next command takes effect."""
    target = view.target
    delay = target.age + (tracking.own.delay if tracking.own.is_on else 0.0)
    motion = estimated_motion(estimate, delay, tracking.model.time, tracking.max_acc)
    (x, y, _), (vx, vy, _), (ax, ay) = motion
    z, vz, share = target.position[2], target.velocity[2], tracking.acc_share
    return MotionState((x, y, z + vz * delay), (vx, vy, vz), (share * ax, share * ay))


def shift_from_pose(shift: Shift, ring: RingView, at: Polar) -> Shift:
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


def next_memory(
    view: View, state: StateEstimate, shift: Shift, done: TrackingOutcome
) -> RingFlightMemory:
    """Return the memory after a step."""
    return RingFlightMemory(
        state.track, state.estimate, done.omega, done.rate, shift.angle, done.wanted,
        view.target.age, view.loss, done.acceleration, state.sent,
    )  # fmt: skip


def message_of(done: TrackingOutcome) -> SpacingMessage:
    """Return the message after a step: the turn rate [rad/s] towards the agent's place."""
    return SpacingMessage(finite_or_zero(done.rate), 0.0)


def decision(view: View, done: TrackingOutcome) -> Decision:
    """Return the decision after a step; the neighbours are those just beside the agent."""
    near = nearest(view.ring)
    return Decision(done.velocity, near.pred, near.succ, nearest_error(view.ring))


def reset(memory: RingFlightMemory) -> RingFlightMemory:
    """Reset the memory: the state before a failure is not valid after it."""
    return REST


def values(memory: RingFlightMemory) -> tuple[float, ...]:
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
        tracking_gain(control.k_v, control.velocity_share, limits.tau_xy, period),
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
            sampled, limits.tau_xy, limits.max_acc_xy, period, control.acc_filter_share,
            math.inf if control.acc_filter is None else control.acc_filter, control.acc_limit,
        ),
        max(limits.tau_z or 0.0, period),
        max(control.altitude_share * limits.max_acc_z, LEAST_BRAKING),
        control.k_z,
        control.spin_acc * period,
        control.altitude_offset,
        control.altitude_layers,
        control.altitude_layer_spacing,
    )


def tracking_of(setup: Setup) -> Tracking:
    """Return how the target is followed."""
    control, limits, period = setup.control, setup.limits, setup.swarm.control_period
    # The model takes one step per period, and the lag with which such a step is exact.
    lag = math.nan if limits.tau_xy is None else assumed_lag(True, limits.tau_xy, period)
    speeds = limits.max_speed_xy, limits.max_speed_z
    vehicle = (*speeds, limits.max_acc_xy, limits.max_acc_z, lag, math.nan)
    return Tracking(
        control.target_filter == KALMAN,
        control.target_acc_filter,
        TargetModel(control.target_acc_deviation, control.target_acc_time, period),
        control.target_acc_share,
        Prediction(control.own_prediction, limits.response_delay, period, vehicle),
        limits.max_acc_xy,
    )
