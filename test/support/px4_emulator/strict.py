"""Strict mode: what PX4 lets pass, or only misbehaves on, is a violation here."""

import math
from collections import deque
from typing import Any, NamedTuple

from support.px4_emulator.commander.heartbeat import Heartbeat
from support.px4_emulator.constants import Cmd, NavState
from support.px4_emulator.flight.setpoints import Setpoint
from support.px4_emulator.settings import StrictLimits

LARGEST = 1e4
STEP_FACTOR, STEP_SLACK = 1.5, 0.05
"""By how much a velocity may change: so much of the acceleration limit, and [m/s] beside."""

STILL = 0.05
"""Speed [m/s] below which a setpoint is one that holds."""

NEAR = 1.0
"""Distance [m] to the present position below which a setpoint is one that holds."""

MODE_COMMANDS = frozenset(
    (
        Cmd.COMPONENT_ARM_DISARM, Cmd.DO_SET_MODE, Cmd.NAV_LAND, Cmd.NAV_TAKEOFF,
        Cmd.NAV_RETURN_TO_LAUNCH, Cmd.SET_NAV_STATE, Cmd.NAV_LOITER_UNLIM,
    )
)  # fmt: skip


class Violation(NamedTuple):
    """What was done wrong, when [s], and the rule's name."""

    time: float
    rule: str
    what: str


class Scene(NamedTuple):
    """The state of the vehicle when a message comes: times [s], NED [m]."""

    now: float
    nav_state: NavState
    nav_state_since: float
    armed: bool
    landed: bool
    position_valid: bool
    position: tuple[float, float, float]
    heartbeat: Heartbeat


class Strict:
    """Judge of what a bridge sends."""

    def __init__(self, limits: StrictLimits) -> None:
        self.violations: list[Violation] = []
        self._limits = limits
        self._seen_heartbeat: float | None = None
        self._velocity: tuple[float, tuple[float, float, float]] | None = None
        self._commands: deque[float] = deque()
        self._open: int | None = None
        self.is_overridden = self.is_resumed = self.is_disarmed_unexpectedly = False

    def operator_word(self) -> None:
        """The operator asks the bridge to fly: what it must not do by itself is right now."""
        self.is_overridden = self.is_resumed = self.is_disarmed_unexpectedly = False

    def note(self, scene: Scene, rule: str, what: str) -> None:
        self.violations.append(Violation(scene.now, rule, what))

    def heartbeat(self, message: Any, heartbeat: Heartbeat, age: float, scene: Scene) -> None:
        """Judge an OffboardControlMode with its age by its stamp [s]."""
        if len(heartbeat.flags) != 1:
            names = ', '.join(sorted(heartbeat.flags)) or 'none'
            self.note(scene, 'heartbeat_flags', f'flags set: {names}; one is wanted')
        if age > self._limits.stamp_age:
            self.note(scene, 'stale_stamp', f'heartbeat stamped {age:.3f} s ago')
        self._seen_heartbeat = scene.now

    def silence(self, scene: Scene) -> None:
        """Judge the time since the last heartbeat; once per gap."""
        if self._seen_heartbeat is None or not scene.armed:
            return
        gap = scene.now - self._seen_heartbeat
        if gap > self._limits.heartbeat_gap and scene.nav_state == NavState.OFFBOARD:
            self.note(scene, 'heartbeat_gap', f'none for {gap:.3f} s in OFFBOARD')
            self._seen_heartbeat = None

    def left(self, scene: Scene) -> None:
        """OFFBOARD was lost for want of heartbeats: the node left in flight."""
        self.note(scene, 'left_in_offboard', 'no heartbeat while OFFBOARD was the mode')

    def setpoint(self, setpoint: Setpoint, scene: Scene) -> None:
        """Judge a TrajectorySetpoint."""
        self._judge_content(setpoint, scene)
        self._judge_time(setpoint, scene)
        self._judge_step(setpoint, scene)

    def _judge_content(self, setpoint: Setpoint, scene: Scene) -> None:
        parts = setpoint.position, setpoint.velocity, setpoint.acceleration
        numbers = [*(v for part in parts for v in part), setpoint.yaw, setpoint.yawspeed]
        if any(math.isinf(value) for value in numbers):
            self.note(scene, 'infinite', f'infinite number in {setpoint}')
        elif any(abs(value) >= LARGEST for value in numbers):
            self.note(scene, 'out_of_range', f'number of {LARGEST:g} or more in {setpoint}')
        if any(math.isfinite(x) != math.isfinite(y) for x, y, _ in parts):
            self.note(scene, 'unpaired_xy', f'x or y alone in {setpoint}')
        if abs(setpoint.yaw) > math.pi + 1e-6:
            self.note(scene, 'yaw_range', f'yaw {setpoint.yaw} is not in [-pi, pi]')
        if 'velocity' in scene.heartbeat.flags and setpoint.position == (0.0, 0.0, 0.0):
            self.note(scene, 'zero_position', 'position is 0 where it should be NaN')

    def _judge_time(self, setpoint: Setpoint, scene: Scene) -> None:
        mode_age = scene.now - scene.nav_state_since
        if scene.armed and scene.nav_state != NavState.OFFBOARD:
            if mode_age > self._limits.grace:
                self.note(scene, 'setpoint_outside_offboard', f'in mode {scene.nav_state.name}')
            return
        if scene.armed and scene.landed and moves_across(setpoint, scene):
            self.note(scene, 'xy_on_ground', f'{setpoint} asks for motion across the ground')
        if self.is_resumed and mode_age > self._limits.grace and moves(setpoint, scene):
            self.note(scene, 'moved_after_resume', f'{setpoint} without the operator')

    def _judge_step(self, setpoint: Setpoint, scene: Scene) -> None:
        velocity = setpoint.velocity
        before, self._velocity = self._velocity, None
        if not all(math.isfinite(value) for value in velocity):
            return
        self._velocity = scene.now, velocity
        if before is None or not scene.armed or scene.now - before[0] > 0.5:
            return
        dt = max(scene.now - before[0], 0.02)
        dx, dy, dz = (a - b for a, b in zip(velocity, before[1], strict=True))
        stops = not scene.position_valid and velocity == (0.0, 0.0, 0.0)
        most_xy = STEP_FACTOR * self._limits.acc_xy * dt + STEP_SLACK
        most_z = STEP_FACTOR * self._limits.acc_z * dt + STEP_SLACK
        if not stops and (math.hypot(dx, dy) > most_xy or abs(dz) > most_z):
            self.note(scene, 'velocity_step', f'({dx:.2f}, {dy:.2f}, {dz:.2f}) in {dt:.3f} s')

    def command(self, message: Any, system_id: int, scene: Scene) -> None:
        """Judge a VehicleCommand, also one for others."""
        target = int(message.target_system), int(message.target_component)
        if target[0] not in (0, system_id) or target[1] not in (0, 1):
            self.note(scene, 'wrong_target', f'target {target}, this is ({system_id}, 1)')
        if not message.from_external:
            self.note(scene, 'from_external', 'from_external is false')
        if not message.source_component:
            self.note(scene, 'source_component', 'source_component is 0')
        self._judge_rate(message, scene)
        if message.command in MODE_COMMANDS:
            self._judge_intent(message, scene)

    def _judge_rate(self, message: Any, scene: Scene) -> None:
        self._commands.append(scene.now)
        while self._commands[0] <= scene.now - 1.0:
            self._commands.popleft()
        if len(self._commands) > self._limits.commands:
            self.note(scene, 'command_rate', f'{len(self._commands)} commands in a second')
        if self._open is not None:
            self.note(scene, 'overlap', f'{message.command} while {self._open} has no answer')

    def _judge_intent(self, message: Any, scene: Scene) -> None:
        arms = message.command == Cmd.COMPONENT_ARM_DISARM and message.param1 == 1.0
        if self.is_overridden:
            self.note(scene, 'command_after_override', f'{message.command} after a pilot')
        if arms and self.is_disarmed_unexpectedly:
            self.note(scene, 'rearm', 'arms after it was disarmed by somebody else')
        if self.is_resumed and is_offboard(message):
            self.note(scene, 'reengaged', 'OFFBOARD asked for after it came back by itself')

    def opened(self, command: int) -> None:
        """A command waits for its answer."""
        self._open = command

    def answered(self) -> None:
        """The answer went out."""
        self._open = None


def moves_across(setpoint: Setpoint, scene: Scene) -> bool:
    """Return whether a setpoint asks for horizontal motion; NaN asks for none."""
    (vx, vy, _), (x, y, _) = setpoint.velocity, setpoint.position
    away = math.hypot(x - scene.position[0], y - scene.position[1])
    return math.hypot(vx, vy) > STILL or away > NEAR


def moves(setpoint: Setpoint, scene: Scene) -> bool:
    """Return whether a setpoint asks for motion."""
    away = abs(setpoint.position[2] - scene.position[2])
    return moves_across(setpoint, scene) or abs(setpoint.velocity[2]) > STILL or away > NEAR


def is_offboard(message: Any) -> bool:
    """Return whether a command asks for OFFBOARD."""
    by_mode = message.command == Cmd.DO_SET_MODE and message.param2 == 6.0
    return by_mode or (message.command == Cmd.SET_NAV_STATE and message.param1 == 14.0)
