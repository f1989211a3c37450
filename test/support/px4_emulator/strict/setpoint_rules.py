"""Rules on what a setpoint says. Each broken one is a name and what was seen."""

import math
from collections.abc import Iterator

from support.px4_emulator.flight.setpoints import Setpoint
from support.px4_emulator.settings import StrictLimits
from support.px4_emulator.strict.records import Scene

LARGEST = 1e4

STEP_FACTOR, STEP_SLACK = 1.5, 0.05
"""By how much a velocity may change: so much of the acceleration limit, and [m/s] beside."""

SHORTEST_STEP, LONGEST_STEP = 0.02, 0.5
"""Times between two setpoints [s] for which the change is judged."""

USUAL, MOST_LATE = 0.03, 0.1
"""A setpoint that comes later after the one before is late by the rest; the next one, which may
come right after it, has so much more time, at most [s]."""

STILL = 0.05
"""Speed [m/s] below which a setpoint is one that holds."""

NEAR = 1.0
"""Distance [m] to the present position below which a setpoint is one that holds."""

Broken = Iterator[tuple[str, str]]


def content(setpoint: Setpoint, scene: Scene) -> Broken:
    """Judge the numbers."""
    parts = setpoint.position, setpoint.velocity, setpoint.acceleration
    numbers = [*(v for part in parts for v in part), setpoint.yaw, setpoint.yawspeed]
    if any(math.isinf(value) for value in numbers):
        yield 'infinite', f'infinite number in {setpoint}'
    elif any(abs(value) >= LARGEST for value in numbers):
        yield 'out_of_range', f'number of {LARGEST:g} or more in {setpoint}'
    if any(math.isnan(x) != math.isnan(y) for x, y, _ in parts):
        yield 'unpaired_xy', f'x or y alone in {setpoint}'
    if abs(setpoint.yaw) > math.pi + 1e-6:
        yield 'yaw_range', f'yaw {setpoint.yaw} is not in [-pi, pi]'
    if 'velocity' in scene.heartbeat.flags and setpoint.position == (0.0, 0.0, 0.0):
        yield 'zero_position', 'position is 0 where it should be NaN'


def time(setpoint: Setpoint, scene: Scene, grace: float, is_resumed: bool) -> Broken:
    """Judge whether it is the time for this setpoint."""
    is_new = scene.now - scene.nav_state_since <= grace
    if scene.armed and scene.nav_state.name != 'OFFBOARD':
        if not is_new:
            yield 'setpoint_outside_offboard', f'in mode {scene.nav_state.name}'
        return
    if scene.armed and scene.landed and moves_across(setpoint, scene):
        yield 'xy_on_ground', f'{setpoint} asks for motion across the ground'
    if scene.armed and is_resumed and not is_new and moves(setpoint, scene):
        yield 'moved_after_resume', f'{setpoint} without the operator'


def step(
    before: tuple[float, Setpoint],
    setpoint: Setpoint,
    scene: Scene,
    limits: StrictLimits,
    interval: float = 0.0,
) -> Broken:
    """Judge the change of velocity since the last setpoint and its time [s].

    Args:
        before: That one.
        setpoint: The setpoint.
        scene: The state of the vehicle.
        limits: What is allowed.
        interval: Time between the two setpoints before [s].
    """
    dt = scene.now - before[0]
    dx, dy, dz = (a - b for a, b in zip(setpoint.velocity, before[1].velocity, strict=True))
    stops = not scene.position_valid and setpoint.velocity == (0.0, 0.0, 0.0)
    if not scene.armed or stops or dt > LONGEST_STEP:
        return
    late = min(max(0.0, interval - USUAL), MOST_LATE)
    factor = STEP_FACTOR * (max(dt, SHORTEST_STEP) + late)
    most_xy, most_z = factor * limits.acc_xy + STEP_SLACK, factor * limits.acc_z + STEP_SLACK
    if math.hypot(dx, dy) > most_xy or abs(dz) > most_z:
        yield 'velocity_step', f'({dx:.2f}, {dy:.2f}, {dz:.2f}) m/s in {dt:.3f} s'


def moves_across(setpoint: Setpoint, scene: Scene) -> bool:
    """Return whether a setpoint asks for horizontal motion; NaN asks for none."""
    (vx, vy, _), (x, y, _) = setpoint.velocity, setpoint.position
    away = math.hypot(x - scene.position[0], y - scene.position[1])
    return math.hypot(vx, vy) > STILL or away > NEAR


def moves(setpoint: Setpoint, scene: Scene) -> bool:
    """Return whether a setpoint asks for motion."""
    away = abs(setpoint.position[2] - scene.position[2])
    return moves_across(setpoint, scene) or abs(setpoint.velocity[2]) > STILL or away > NEAR
