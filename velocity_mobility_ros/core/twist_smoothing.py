"""Smoothing of velocity commands: the motion limiter, and the chain of one vehicle around it.

The limiter scales the whole change of a motion by one factor:

    alpha = |u - u'| / dt,  beta = |w - w'| / dt        accelerations of the request
    k     = min(1, max_acc / alpha, max_yaw_acc / beta)
    (u, w) <- k (u, w) + (1 - k) (u', w')

``u`` is the velocity in three dimensions, ``w`` the yaw rate, a prime marks the last output. The
velocity moves along the straight line to the request, and translation and rotation arrive
together. Source: motion limiter of the Triangula robot, there in the plane.

The chain leads from received commands to the smoothed command:

    watchdog    no command for the timeout: the target is zero, reached within the limits
    clip        speed and yaw rate of the target
    deadband    a target that is too small is zero
    limiter     as above; optionally from what the vehicle really does
    stop        emergency stop: zero at once, latched; whatever was commanded before is forgotten

The deadband comes before the limiter: the output passes through small values on its way, within
the limits, and never sticks there.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.step_time import LimiterClock, elapsed, is_overdue
from velocity_mobility_ros.core.velocity_model import Vector, limit_abs, limit_velocity


class Motion(NamedTuple):
    """Velocity [m/s] and yaw rate [rad/s], counter-clockwise."""

    velocity: Vector
    yaw_rate: float


STILL = Motion((0.0, 0.0, 0.0), 0.0)


class MotionLimits(NamedTuple):
    """Largest acceleration [m/s^2, norm] and yaw acceleration [rad/s^2]; both >= 0."""

    max_acc: float
    max_yaw_acc: float


class LimitedMotion(NamedTuple):
    """State of the limiter.

    Attributes:
        motion: The last output.
        clock: Its time.
        factor: Share ``k`` of the last requested change that was made, from 0 to 1.
        rejected: Number of requests that were not finite.
    """

    motion: Motion
    clock: LimiterClock
    factor: float
    rejected: int


def at_start(motion: Motion, now_ns: int) -> LimitedMotion:
    """Return the state of a limiter that starts from a motion: rest, or as measured."""
    return LimitedMotion(motion, LimiterClock(now_ns, 0), 1.0, 0)


def motion_step(
    limits: MotionLimits, max_dt: float, state: LimitedMotion, wanted: Motion, now_ns: int
) -> LimitedMotion:
    """Move the output towards a request.

    A request that is not finite is rejected: the output holds.

    Args:
        limits: The largest accelerations.
        max_dt: Longest time that counts [s], > 0.
        state: State of the limiter.
        wanted: The request.
        now_ns: Time [ns].
    """
    clock, dt = elapsed(state.clock, now_ns, max_dt)
    if not is_finite_change(state.motion, wanted):
        return LimitedMotion(state.motion, clock, 0.0, state.rejected + 1)
    k = change_factor(limits, state.motion, wanted, dt) if dt > 0.0 else 0.0
    return LimitedMotion(blended(state.motion, wanted, k), clock, k, state.rejected)


def change_factor(limits: MotionLimits, previous: Motion, wanted: Motion, dt: float) -> float:
    """Return the share ``k`` of a change that the limits allow in ``dt`` [s], > 0."""
    dx = wanted.velocity[0] - previous.velocity[0]
    dy = wanted.velocity[1] - previous.velocity[1]
    dz = wanted.velocity[2] - previous.velocity[2]
    acc = math.sqrt(dx * dx + dy * dy + dz * dz) / dt
    yaw_acc = abs(wanted.yaw_rate - previous.yaw_rate) / dt
    k = 1.0
    if acc > limits.max_acc:
        k = limits.max_acc / acc
    if yaw_acc > limits.max_yaw_acc:
        k = min(k, limits.max_yaw_acc / yaw_acc)
    return k


def blended(previous: Motion, wanted: Motion, k: float) -> Motion:
    """Return ``k wanted + (1 - k) previous``; exactly ``wanted`` for k = 1."""
    share = 1.0 - k
    return Motion(
        (
            k * wanted.velocity[0] + share * previous.velocity[0],
            k * wanted.velocity[1] + share * previous.velocity[1],
            k * wanted.velocity[2] + share * previous.velocity[2],
        ),
        k * wanted.yaw_rate + share * previous.yaw_rate,
    )


def is_finite_change(previous: Motion, wanted: Motion) -> bool:
    """Return whether all differences between two motions are finite numbers."""
    return (
        math.isfinite(wanted.velocity[0] - previous.velocity[0])
        and math.isfinite(wanted.velocity[1] - previous.velocity[1])
        and math.isfinite(wanted.velocity[2] - previous.velocity[2])
        and math.isfinite(wanted.yaw_rate - previous.yaw_rate)
    )


class ChainRules(NamedTuple):
    """Parameters of the chain.

    Attributes:
        max_speed_xy: Largest horizontal speed of a target [m/s].
        max_speed_z: Largest vertical speed [m/s].
        max_yaw_rate: Largest yaw rate [rad/s].
        deadband_speed: Speed below which a target stands still [m/s, norm].
        deadband_yaw_rate: Yaw rate below which it does not turn [rad/s].
        limits: Accelerations of the output.
        max_dt: Longest time that counts between two updates [s].
        timeout: Age at which a command ends [s]; 0: never.
        max_error: Largest differences from output to measured motion [m/s, rad/s], in the place of
            accelerations; infinite: no feedback.
    """

    max_speed_xy: float
    max_speed_z: float
    max_yaw_rate: float
    deadband_speed: float
    deadband_yaw_rate: float
    limits: MotionLimits
    max_dt: float
    timeout: float
    max_error: MotionLimits


class ChainState(NamedTuple):
    """State of the chain.

    Attributes:
        limiter: The limiter; its motion is the smoothed command.
        wanted: The last accepted command.
        command_ns: Its time [ns].
        has_command: Whether it holds: neither too old nor forgotten.
        is_started: Whether there is an output: a command or an emergency stop has come.
        is_stopped: Whether the emergency stop is on.
        timeouts: Number of commands that became too old.
    """

    limiter: LimitedMotion
    wanted: Motion
    command_ns: int
    has_command: bool
    is_started: bool
    is_stopped: bool
    timeouts: int


def at_rest(now_ns: int) -> ChainState:
    """Return the state before the first command."""
    return ChainState(at_start(STILL, now_ns), STILL, now_ns, False, False, False, 0)


def accept(state: ChainState, wanted: Motion, now_ns: int) -> ChainState:
    """Return the state after a command; in an emergency stop it is forgotten."""
    if state.is_stopped:
        return state
    return ChainState(state.limiter, wanted, now_ns, True, True, False, state.timeouts)


def stop(state: ChainState) -> ChainState:
    """Return the state after an emergency stop: no motion at once, until ``release``."""
    limiter = _replaced(state.limiter, STILL, 1.0)
    return ChainState(limiter, STILL, state.command_ns, False, True, True, state.timeouts)


def release(state: ChainState) -> ChainState:
    """Return the state after the end of an emergency stop: at rest, without a command."""
    return ChainState(
        state.limiter, STILL, state.command_ns, False, state.is_started, False, state.timeouts
    )


def step(
    rules: ChainRules, state: ChainState, measured: Motion, is_measured: bool, now_ns: int
) -> ChainState:
    """Make one update of the output.

    Before the first command the output follows the measured motion, so that it starts from there;
    however fast the vehicle says it is, the output stays within the speed limits.

    Args:
        rules: Parameters.
        state: State.
        measured: Motion of the vehicle, in the frame of the commands.
        is_measured: Whether it is known.
        now_ns: Time [ns].
    """
    # After a clock that went back, a command counts as received now: it would not end otherwise.
    command_ns = min(state.command_ns, now_ns)
    is_silent = state.has_command and is_overdue(command_ns, now_ns, rules.timeout)
    has_command = state.has_command and not is_silent
    limiter, measured = state.limiter, within(rules, measured)
    if state.is_stopped or not state.is_started:
        still = STILL if state.is_stopped or not is_measured else measured
        clock = elapsed(limiter.clock, now_ns, rules.max_dt).clock
        limiter = LimitedMotion(still, clock, 1.0, limiter.rejected)
    else:
        if is_measured:
            limiter = _replaced(limiter, near(limiter.motion, measured, rules), limiter.factor)
        target = usable(rules, state.wanted) if has_command else STILL
        limiter = motion_step(rules.limits, rules.max_dt, limiter, target, now_ns)
    timeouts = state.timeouts + 1 if is_silent else state.timeouts
    return ChainState(
        limiter, state.wanted, command_ns, has_command, state.is_started, state.is_stopped,
        timeouts,
    )  # fmt: skip


def within(rules: ChainRules, motion: Motion) -> Motion:
    """Return a motion within the speed limits."""
    x, y, z = limit_velocity(
        motion.velocity[0], motion.velocity[1], motion.velocity[2], rules.max_speed_xy,
        rules.max_speed_z,
    )  # fmt: skip
    return Motion((x, y, z), limit_abs(motion.yaw_rate, rules.max_yaw_rate))


def usable(rules: ChainRules, wanted: Motion) -> Motion:
    """Return a command within the speed limits; zero within the deadband."""
    (x, y, z), yaw_rate = within(rules, wanted)
    if math.sqrt(x * x + y * y + z * z) < rules.deadband_speed:
        x, y, z = 0.0, 0.0, 0.0
    if abs(yaw_rate) < rules.deadband_yaw_rate:
        yaw_rate = 0.0
    return Motion((x, y, z), yaw_rate)


def near(output: Motion, measured: Motion, rules: ChainRules) -> Motion:
    """Return the output, moved towards the measured motion until it is near enough."""
    return blended(measured, output, change_factor(rules.max_error, measured, output, 1.0))


def _replaced(limiter: LimitedMotion, motion: Motion, factor: float) -> LimitedMotion:
    return LimitedMotion(motion, limiter.clock, factor, limiter.rejected)
