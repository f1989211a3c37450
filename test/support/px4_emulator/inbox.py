"""What reaches PX4: heartbeats, setpoints, commands."""

from collections.abc import Callable
from typing import Any

from support.px4_emulator.commander import commands, heartbeat
from support.px4_emulator.firmware import Firmware
from support.px4_emulator.flight import setpoints


class Inbox:
    """Takes messages into PX4, and lets strict mode judge them when they are sent."""

    def __init__(self, firmware: Firmware) -> None:
        self._firmware = firmware
        self._takers: dict[str, Callable[[Any], None]] = {
            'offboard_control_mode': self._take_heartbeat,
            'trajectory_setpoint': self._take_setpoint,
            'vehicle_command': self._take_command,
        }

    def judge(self, topic: str, message: Any, sent: float) -> None:
        """Let strict mode judge a message that was said at a time [s]."""
        f = self._firmware
        if topic == 'vehicle_command':
            f.strict.command(message, f.system_id, f.scene, sent)
            return
        stamp = self._stamp(message)
        if topic == 'trajectory_setpoint':
            f.strict.setpoint(setpoints.read(message, stamp), f.scene)
        else:
            age = 1e-6 * (f.boot - stamp)
            f.strict.heartbeat(heartbeat.read(message, stamp), age, f.scene)

    def take(self, topic: str, message: Any) -> None:
        """Take a message of one of the topics into PX4."""
        self._takers[topic](message)

    def _take_command(self, message: Any) -> None:
        """Take a command; one for others gets no answer."""
        f = self._firmware
        if message.target_system not in (0, f.system_id) or message.target_component > 1:
            return
        before = f.memory()
        result = commands.answered(f.commander, message, f.conditions, f.boot)
        f.notice(before, is_commanded=True)
        if result is not None:
            f.answers.add(f.now, message, result)

    def _take_heartbeat(self, message: Any) -> None:
        self._firmware.heartbeat = heartbeat.read(message, self._stamp(message))

    def _take_setpoint(self, message: Any) -> None:
        self._firmware.flight.topic.receive(setpoints.read(message, self._stamp(message)))

    def _stamp(self, message: Any) -> int:
        return self._firmware.clock.into(int(message.timestamp), self._firmware.now)
