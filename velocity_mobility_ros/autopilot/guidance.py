"""Setpoints from intents: hold, take off, track a velocity, brake, stop.

All in the vehicle's local frame (see ``autopilot_reports``); one step per control period. For an
autopilot that takes velocities and yaw rates only, a point is approached with the speed from which
the vehicle stops there (``speed_towards``): in proportion to a small distance, with the square
root of a large one. A heading is approached in proportion to the angle.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.autopilot.autopilot_reports import UNKNOWN, LocalPosition, Resets
from velocity_mobility_ros.autopilot.autopilot_requests import (
    NO_ACCELERATION, PX4, Intent, Setpoint, SetpointKind, Traits
)
from velocity_mobility_ros.autopilot.position_hold import (
    STOPPED, Latched, advance_hold_height, corrected, held_from, moved
)
from velocity_mobility_ros.autopilot.setpoint_limits import (
    GuidanceParameters, Rates, feedforward, followed, near, rates_of, speed_towards, towards,
    within
)
from velocity_mobility_ros.core.coordinate_frames import wrap_pi
from velocity_mobility_ros.core.trajectory.pursuit import yaw_rate
from velocity_mobility_ros.core.twist_smoothing import STILL, Motion
from velocity_mobility_ros.core.velocity_model import Vector

LARGEST = 1e4
"""Largest position [m], velocity [m/s] or acceleration [m/s^2] in the local frame."""


def fault_of(setpoint: Setpoint) -> str:
    """Return the fault of a setpoint, empty without one."""
    if not all(abs(value) < LARGEST for value in setpoint.target):
        return f'{setpoint.kind.value} setpoint {setpoint.target} is not finite or too large'
    ahead = setpoint.acceleration
    if not (all(map(math.isnan, ahead)) or all(abs(value) < LARGEST for value in ahead)):
        return f'acceleration {ahead} is not finite or too large'
    if math.isnan(setpoint.yaw) == math.isnan(setpoint.yaw_rate):
        return f'yaw {setpoint.yaw} and yaw rate {setpoint.yaw_rate}: exactly one must be a number'
    if not math.isnan(setpoint.yaw) and not abs(setpoint.yaw) <= math.pi:
        return f'yaw {setpoint.yaw} is beyond pi'
    if not math.isnan(setpoint.yaw_rate) and not abs(setpoint.yaw_rate) < LARGEST:
        return f'yaw rate {setpoint.yaw_rate} is not finite or too large'
    return ''


RESPONSE = 1.0
"""Time constant of a small distance to the point [s]."""

YAW_GAIN = 1.0
"""Yaw rate by angle to the heading [1/s]."""


def as_velocity(
    settings: GuidanceParameters, setpoint: Setpoint, local: LocalPosition
) -> Setpoint:
    """Return the velocity and the yaw rate that fly a setpoint.

    Args:
        settings: The limits.
        setpoint: A position or a velocity, with a heading or a yaw rate.
        local: Where the vehicle is.
    """
    velocity, rate = setpoint.target, setpoint.yaw_rate
    if setpoint.kind is SetpointKind.POSITION:
        velocity = _velocity_to(settings, setpoint.target, local.position)
    if not math.isnan(setpoint.yaw):
        rate = yaw_rate(setpoint.yaw, local.heading, YAW_GAIN, settings.max_yaw_rate)
    return Setpoint(SetpointKind.VELOCITY, velocity, yaw_rate=rate)


def _velocity_to(settings: GuidanceParameters, point: Vector, position: Vector) -> Vector:
    x, y, z = (a - b for a, b in zip(point, position, strict=True))
    far = math.hypot(x, y)
    speed = min(speed_towards(far, RESPONSE, settings.max_acc_xy), settings.max_speed_xy)
    share = speed / far if far > 0.0 else 0.0
    most = settings.max_speed_up if z > 0.0 else settings.max_speed_down
    climb = min(speed_towards(abs(z), RESPONSE, settings.max_acc_z), most)
    return share * x, share * y, math.copysign(climb, z)


MAX_DT = 0.1
"""Longest time between two setpoints that counts for changes [s]."""

YAW_STILL = 0.02
"""Yaw rate below which a heading is held instead [rad/s]."""

ARRIVED, SLOW, SETTLED = 0.3, 0.2, 1.0
"""A take-off has ended this near [m], below this vertical speed [m/s], for so long [s]."""

ZERO: Vector = (0.0, 0.0, 0.0)

NOTHING = Latched(UNKNOWN, math.nan, ZERO, ZERO)


class GuidanceMemory(NamedTuple):
    """What is remembered between two steps.

    Attributes:
        intent: The last intent.
        since: When it began, monotonic [s].
        now: Time of the last step [s].
        latched: Point, heading and last velocity.
        yaw_rate: The last yaw rate that was sent [rad/s].
        resets: The estimator's counters at the last step; None: no report yet.
        arrived: Since when the height of the take-off is reached [s], infinite: not.
        held_from: From when on the vehicle keeps its place [s], infinite: it does not.
        fault: What was wrong with a setpoint that was not sent; empty if none was.
    """

    intent: Intent = Intent.SILENT
    since: float = 0.0
    now: float = 0.0
    latched: Latched = NOTHING
    yaw_rate: float = 0.0
    resets: Resets | None = None
    arrived: float = math.inf
    held_from: float = math.inf
    fault: str = ''


START = GuidanceMemory()


def step(
    settings: GuidanceParameters,
    memory: GuidanceMemory,
    intent: Intent,
    command: Motion | None,
    local: LocalPosition,
    now: float,
    traits: Traits = PX4,
) -> tuple[GuidanceMemory, Setpoint | None]:
    """Return the next setpoint, none if somebody else flies.

    Args:
        settings: The limits.
        memory: The memory.
        intent: What the state machine wants.
        command: Commanded motion along the axes of the local frame; None: none, as zero.
        local: The last report.
        now: Monotonic time [s].
        traits: What the autopilot takes.
    """
    dt = min(max(now - memory.now, 0.0), MAX_DT)
    memory = _after_jumps(memory, local)._replace(now=now)
    if intent is not memory.intent:
        memory = _begin_intent(memory, intent, local, now)
    if intent is Intent.SILENT:
        return memory, None
    if intent in (Intent.HOLD, Intent.TAKE_OFF):
        memory, setpoint = _point_setpoint(settings, memory, local, now)
    else:
        wanted = STILL if command is None or intent is not Intent.TRACK else _finite(command)
        has_reference = settings.reference_tau_xy is not None and traits.feeds_forward
        memory, setpoint = _velocity_setpoint(settings, memory, wanted, local, dt, has_reference)
    if traits.velocity_only:
        setpoint = as_velocity(settings, setpoint, local)
    fault = fault_of(setpoint)
    return memory._replace(fault=fault or memory.fault), None if fault else setpoint


def _after_jumps(memory: GuidanceMemory, local: LocalPosition) -> GuidanceMemory:
    if memory.resets is not None and memory.resets != local.resets:
        memory = memory._replace(latched=moved(memory.latched, memory.resets, local))
    return memory._replace(resets=local.resets)


def _begin_intent(
    memory: GuidanceMemory, intent: Intent, local: LocalPosition, now: float
) -> GuidanceMemory:
    """Return the memory at the start of an intent: the vehicle's point, heading and velocity."""
    last, yaw_rate = memory.latched, memory.yaw_rate
    velocity, commanded = last.velocity, last.commanded
    if memory.intent not in (Intent.TRACK, Intent.BRAKE):
        velocity, commanded, yaw_rate = local.velocity, local.velocity, 0.0
    if intent is Intent.STOP:
        velocity, commanded, yaw_rate = ZERO, ZERO, 0.0
    latched = Latched(local.position, wrap_pi(local.heading), velocity, commanded)
    return memory._replace(
        intent=intent, since=now, latched=latched, yaw_rate=yaw_rate, arrived=math.inf,
        held_from=math.inf,
    )  # fmt: skip


def _point_setpoint(
    settings: GuidanceParameters, memory: GuidanceMemory, local: LocalPosition, now: float
) -> tuple[GuidanceMemory, Setpoint]:
    """Return the setpoint of a point: the latched one, or the one that rises from it."""
    (x, y, z), arrived = memory.latched.point, math.inf
    if memory.intent is Intent.TAKE_OFF:
        top = z + settings.takeoff_height
        if abs(top - local.position[2]) < ARRIVED and abs(local.velocity[2]) < SLOW:
            arrived = min(memory.arrived, now)
        z = min(top, z + settings.takeoff_speed * (now - memory.since))
    setpoint = Setpoint(SetpointKind.POSITION, (x, y, z), yaw=memory.latched.yaw)
    return memory._replace(arrived=arrived), setpoint


def _velocity_setpoint(
    settings: GuidanceParameters,
    memory: GuidanceMemory,
    wanted: Motion,
    local: LocalPosition,
    dt: float,
    has_reference: bool,
) -> tuple[GuidanceMemory, Setpoint]:
    """Return the setpoint of a velocity: a reference's, with its acceleration, or the command."""
    latched, tracks = memory.latched, memory.intent is Intent.TRACK
    rates, held_since, now = rates_of(settings, not tracks), math.inf, memory.now
    command = wanted = within(settings, local, wanted)
    if tracks:
        wanted = _limited_request(settings, latched.commanded, command, local, dt, has_reference)
    last = Motion(latched.commanded, memory.yaw_rate)
    velocity, turn = _next_motion(settings, rates, local, last, wanted, dt)
    if tracks:
        held_since = held_from(settings, memory.held_from, command.velocity, velocity, local, now)
    point = advance_hold_height(latched.point, velocity[2], local, dt, held_since <= now)
    wanted = Motion(corrected(settings, latched._replace(point=point), velocity, local, dt), 0.0)
    sent = _next_motion(settings, rates, local, Motion(latched.velocity, 0.0), wanted, dt).velocity
    yaw, rate = _heading(latched.yaw, turn, local)
    acceleration = NO_ACCELERATION
    if has_reference:
        acceleration = feedforward(settings, latched.commanded, velocity, dt)
    latched = Latched(point, yaw, sent, velocity)
    memory = memory._replace(latched=latched, yaw_rate=turn, held_from=held_since)
    return memory, Setpoint(SetpointKind.VELOCITY, sent, yaw, rate, acceleration)


def _limited_request(
    settings: GuidanceParameters,
    last: Vector,
    command: Motion,
    local: LocalPosition,
    dt: float,
    has_reference: bool,
) -> Motion:
    """Return the requested motion: near the measured one, as a reference follows it."""
    velocity = command.velocity
    if has_reference:
        velocity = followed(settings, last, velocity, dt)
    return command._replace(velocity=near(settings, local, velocity))


def _heading(yaw: float, turn: float, local: LocalPosition) -> tuple[float, float]:
    """Return the heading that is held [rad] and the rate of a turn [rad/s]; one of both is NaN."""
    if abs(turn) > YAW_STILL:
        yaw = math.nan
    elif math.isnan(yaw):
        yaw = wrap_pi(local.heading)
    return yaw, turn if math.isnan(yaw) else math.nan


def _next_motion(
    settings: GuidanceParameters,
    rates: Rates,
    local: LocalPosition,
    last: Motion,
    wanted: Motion,
    dt: float,
) -> Motion:
    """Return the motion after the last one, within all limits."""
    last = within(settings, local, _finite(last))
    return towards(rates, last, within(settings, local, wanted), dt)


def _finite(motion: Motion) -> Motion:
    """Return a motion; zero instead of one that is not finite."""
    return motion if all(map(math.isfinite, (*motion.velocity, motion.yaw_rate))) else STILL


def has_taken_off(memory: GuidanceMemory) -> bool:
    """Return whether the vehicle has been at the height of the take-off for long enough."""
    return memory.now - memory.arrived >= SETTLED


def has_stopped(local: LocalPosition) -> bool:
    """Return whether the vehicle hardly moves."""
    return math.hypot(*local.velocity) < STOPPED


def hold_deviation(memory: GuidanceMemory, local: LocalPosition) -> float:
    """Return the horizontal distance [m] to the place that the vehicle keeps; 0: it keeps none."""
    holds = memory.intent is Intent.HOLD or memory.held_from <= memory.now
    point, position = memory.latched.point, local.position
    return math.dist(point[:2], position[:2]) if holds and local.xy_valid else 0.0
