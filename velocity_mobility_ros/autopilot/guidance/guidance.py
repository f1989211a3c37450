"""Setpoints from intents: hold, take off, track a velocity, brake, stop.

All in the vehicle's local frame (``autopilot.reports``); one step per control period.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.autopilot.guidance.drift import STOPPED, corrected, held_from, led
from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters
from velocity_mobility_ros.autopilot.guidance.jumps import Latched, moved
from velocity_mobility_ros.autopilot.guidance.reference import fed_forward, followed
from velocity_mobility_ros.autopilot.guidance.setpoint_check import fault_of
from velocity_mobility_ros.autopilot.guidance.slew import Rates, near, rates_of, towards, within
from velocity_mobility_ros.autopilot.guidance.velocity_only import as_velocity
from velocity_mobility_ros.autopilot.outputs import (
    NO_ACCELERATION,
    Intent,
    Setpoint,
    SetpointKind,
)
from velocity_mobility_ros.autopilot.reports import UNKNOWN, LocalPosition, Resets
from velocity_mobility_ros.autopilot.traits import PX4, Traits
from velocity_mobility_ros.core.frames import wrap_pi
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.smoothing.motion_limit import STILL, Motion

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
        memory = _begun(memory, intent, local, now)
    if intent is Intent.SILENT:
        return memory, None
    if intent in (Intent.HOLD, Intent.TAKE_OFF):
        memory, setpoint = _at_point(settings, memory, local, now)
    else:
        wanted = STILL if command is None or intent is not Intent.TRACK else _usable(command)
        has_reference = settings.reference_tau_xy is not None and traits.feeds_forward
        memory, setpoint = _moving(settings, memory, wanted, local, dt, has_reference)
    if traits.velocity_only:
        setpoint = as_velocity(settings, setpoint, local)
    fault = fault_of(setpoint)
    return memory._replace(fault=fault or memory.fault), None if fault else setpoint


def _after_jumps(memory: GuidanceMemory, local: LocalPosition) -> GuidanceMemory:
    if memory.resets is not None and memory.resets != local.resets:
        memory = memory._replace(latched=moved(memory.latched, memory.resets, local))
    return memory._replace(resets=local.resets)


def _begun(
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


def _at_point(
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


def _moving(
    settings: GuidanceParameters,
    memory: GuidanceMemory,
    wanted: Motion,
    local: LocalPosition,
    dt: float,
    has_reference: bool,
) -> tuple[GuidanceMemory, Setpoint]:
    """Return the setpoint of a velocity: a reference's, with its acceleration, or the command."""
    latched, tracks = memory.latched, memory.intent is Intent.TRACK
    rates, held, now = rates_of(settings, not tracks), math.inf, memory.now
    command = wanted = within(settings, local, wanted)
    if tracks:
        wanted = _asked(settings, latched.commanded, command, local, dt, has_reference)
    last = Motion(latched.commanded, memory.yaw_rate)
    velocity, turn = _next(settings, rates, local, last, wanted, dt)
    if tracks:
        held = held_from(settings, memory.held_from, command.velocity, velocity, local, now)
    point = led(latched.point, velocity[2], local, dt, held <= now)
    wanted = Motion(corrected(settings, latched._replace(point=point), velocity, local, dt), 0.0)
    sent = _next(settings, rates, local, Motion(latched.velocity, 0.0), wanted, dt).velocity
    yaw, rate = _heading(latched.yaw, turn, local)
    acceleration = NO_ACCELERATION
    if has_reference:
        acceleration = fed_forward(settings, latched.commanded, velocity, dt)
    latched = Latched(point, yaw, sent, velocity)
    memory = memory._replace(latched=latched, yaw_rate=turn, held_from=held)
    return memory, Setpoint(SetpointKind.VELOCITY, sent, yaw, rate, acceleration)


def _asked(
    settings: GuidanceParameters,
    last: Vector,
    command: Motion,
    local: LocalPosition,
    dt: float,
    has_reference: bool,
) -> Motion:
    """Return what a command asks for: not far from how the vehicle moves, as a reference does."""
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


def _next(
    settings: GuidanceParameters,
    rates: Rates,
    local: LocalPosition,
    last: Motion,
    wanted: Motion,
    dt: float,
) -> Motion:
    """Return the motion after the last one, within all limits."""
    last = within(settings, local, _usable(last))
    return towards(rates, last, within(settings, local, wanted), dt)


def _usable(motion: Motion) -> Motion:
    """Return a motion; zero instead of one that is not finite."""
    return motion if all(map(math.isfinite, (*motion.velocity, motion.yaw_rate))) else STILL


def has_taken_off(memory: GuidanceMemory) -> bool:
    """Return whether the vehicle has been at the height of the take-off for long enough."""
    return memory.now - memory.arrived >= SETTLED


def has_stopped(local: LocalPosition) -> bool:
    """Return whether the vehicle hardly moves."""
    return math.hypot(*local.velocity) < STOPPED


def strayed(memory: GuidanceMemory, local: LocalPosition) -> float:
    """Return the horizontal distance [m] to the place that the vehicle keeps; 0: it keeps none."""
    keeps = memory.intent is Intent.HOLD or memory.held_from <= memory.now
    point, position = memory.latched.point, local.position
    return math.dist(point[:2], position[:2]) if keeps and local.xy_valid else 0.0
