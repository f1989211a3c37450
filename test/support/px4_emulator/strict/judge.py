"""The judge of what a bridge sends, when it sends it: losses on the link are not its fault."""

from collections import deque
from collections.abc import Iterable
from typing import Any

from support.px4_emulator.commander.heartbeat import Heartbeat
from support.px4_emulator.constants import NavState
from support.px4_emulator.flight.setpoints import Setpoint
from support.px4_emulator.settings import StrictLimits
from support.px4_emulator.strict import command_rules, setpoint_rules
from support.px4_emulator.strict.records import Scene, Violation

ANSWER_TIME = 0.45
"""For so long a command without an answer is open [s]."""


class Strict:
    """Violations so far, and what must be remembered to see them.

    Attributes:
        violations: What was done wrong.
        is_overridden: A pilot took the vehicle.
        is_resumed: OFFBOARD came back by itself.
        is_disarmed: It was disarmed by something that surprises.
    """

    def __init__(self, limits: StrictLimits) -> None:
        self.violations: list[Violation] = []
        self._limits = limits
        self._heartbeat_at: float | None = None
        self._is_gap_noted = False
        self._setpoint: tuple[float, Setpoint] | None = None
        self._interval = 0.0
        self._commands: deque[float] = deque()
        self._open: tuple[float, int] | None = None
        self.operator_word()

    def operator_word(self) -> None:
        """The operator asks the bridge to fly: what it must not do by itself is right now.

        So is OFFBOARD that comes back then, until it is lost again.
        """
        self.is_overridden = self.is_resumed = self.is_disarmed = False
        self._is_wanted = True

    def resumed(self) -> None:
        """OFFBOARD came back by itself."""
        self.is_resumed = not self._is_wanted

    def heartbeat(self, heartbeat: Heartbeat, age: float, scene: Scene) -> None:
        """Judge an OffboardControlMode with its age by its stamp [s]."""
        if len(heartbeat.flags) != 1:
            names = ', '.join(sorted(heartbeat.flags)) or 'none'
            self._note(scene, [('heartbeat_flags', f'flags set: {names}; one is wanted')])
        if age > self._limits.stamp_age:
            self._note(scene, [('stale_stamp', f'heartbeat stamped {age:.3f} s ago')])
        self._heartbeat_at, self._is_gap_noted = scene.now, False

    def silence(self, scene: Scene) -> None:
        """Judge the time since the last heartbeat; once per gap."""
        gap = self._gap(scene)
        if gap and scene.armed and scene.nav_state == NavState.OFFBOARD and not self._is_gap_noted:
            self._is_gap_noted = True
            self._note(scene, [('heartbeat_gap', f'none for {gap:.3f} s in OFFBOARD')])

    def left(self, scene: Scene, has_heartbeat: bool) -> None:
        """OFFBOARD was lost; for want of heartbeats: did the node leave in flight?"""
        self._is_wanted = False
        if not has_heartbeat and self._gap(scene):
            self._note(scene, [('left_in_offboard', 'no heartbeat while OFFBOARD was the mode')])

    def setpoint(self, setpoint: Setpoint, scene: Scene) -> None:
        """Judge a TrajectorySetpoint."""
        limits, before = self._limits, self._setpoint
        self._setpoint = scene.now, setpoint
        self._note(scene, setpoint_rules.content(setpoint, scene))
        self._note(scene, setpoint_rules.time(setpoint, scene, limits.grace, self.is_resumed))
        if before is not None:
            self._note(scene, setpoint_rules.step(before, setpoint, scene, limits, self._interval))
            self._interval = scene.now - before[0]

    def command(self, message: Any, system_id: int, scene: Scene, sent: float) -> None:
        """Judge a VehicleCommand, also one for others, by the time at which it was said [s]."""
        self._note(scene, command_rules.address(message, system_id))
        memory = self.is_overridden, self.is_resumed, self.is_disarmed
        self._note(scene, command_rules.intent(message, *memory))
        self._note(scene, self._timing(int(message.command), sent))
        self._open = sent, int(message.command)

    def answered(self) -> None:
        """The answer to a command went out."""
        self._open = None

    def _timing(self, command: int, now: float) -> command_rules.Broken:
        self._commands.append(now)
        while self._commands[0] <= now - 1.0:
            self._commands.popleft()
        if len(self._commands) > self._limits.commands:
            yield 'command_rate', f'{len(self._commands)} commands in a second'
        if self._open is not None and now - self._open[0] < ANSWER_TIME:
            yield 'overlap', f'{command} while {self._open[1]} has no answer'

    def _gap(self, scene: Scene) -> float:
        """Return the time since the last heartbeat if it is too long, else 0."""
        gap = 0.0 if self._heartbeat_at is None else scene.now - self._heartbeat_at
        return gap if gap > self._limits.heartbeat_gap else 0.0

    def _note(self, scene: Scene, broken: Iterable[tuple[str, str]]) -> None:
        self.violations += [Violation(scene.now, rule, what) for rule, what in broken]
