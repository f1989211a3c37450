"""The chain from received commands to the smoothed command of one vehicle.

    watchdog    no command for the timeout: the target is zero, reached within the limits
    clip        speed and yaw rate of the target
    deadband    a target that is too small is zero
    limiter     motion_limit; optionally from what the vehicle really does
    stop        emergency stop: zero at once, latched; whatever was commanded before is forgotten

The deadband comes before the limiter: the output passes through small values on its way, within
the limits, and never sticks there.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.limits import limit_abs, limit_velocity
from velocity_mobility_ros.core.smoothing.limiter_clock import elapsed
from velocity_mobility_ros.core.smoothing.motion_limit import (
    STILL,
    LimitedMotion,
    Motion,
    MotionLimits,
    at_start,
    blended,
    change_factor,
)
from velocity_mobility_ros.core.smoothing.motion_limit import step as limited
from velocity_mobility_ros.core.timeouts import is_overdue


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

    Before the first command the output follows the measured motion, so that it starts from there.

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
    limiter = state.limiter
    if state.is_stopped or not state.is_started:
        still = STILL if state.is_stopped or not is_measured else measured
        clock = elapsed(limiter.clock, now_ns, rules.max_dt).clock
        limiter = LimitedMotion(still, clock, 1.0, limiter.rejected)
    else:
        if is_measured:
            limiter = _replaced(limiter, near(limiter.motion, measured, rules), limiter.factor)
        target = usable(rules, state.wanted) if has_command else STILL
        limiter = limited(rules.limits, rules.max_dt, limiter, target, now_ns)
    timeouts = state.timeouts + 1 if is_silent else state.timeouts
    return ChainState(
        limiter, state.wanted, command_ns, has_command, state.is_started, state.is_stopped,
        timeouts,
    )  # fmt: skip


def usable(rules: ChainRules, wanted: Motion) -> Motion:
    """Return a command within the speed limits; zero within the deadband."""
    x, y, z = limit_velocity(
        wanted.velocity[0], wanted.velocity[1], wanted.velocity[2], rules.max_speed_xy,
        rules.max_speed_z,
    )  # fmt: skip
    if math.sqrt(x * x + y * y + z * z) < rules.deadband_speed:
        x, y, z = 0.0, 0.0, 0.0
    yaw_rate = limit_abs(wanted.yaw_rate, rules.max_yaw_rate)
    if abs(yaw_rate) < rules.deadband_yaw_rate:
        yaw_rate = 0.0
    return Motion((x, y, z), yaw_rate)


def near(output: Motion, measured: Motion, rules: ChainRules) -> Motion:
    """Return the output, moved towards the measured motion until it is near enough."""
    return blended(measured, output, change_factor(rules.max_error, measured, output, 1.0))


def _replaced(limiter: LimitedMotion, motion: Motion, factor: float) -> LimitedMotion:
    return LimitedMotion(motion, limiter.clock, factor, limiter.rejected)
