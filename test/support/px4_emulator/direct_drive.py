"""A bridge for tests of the emulator itself: it sends what a script says and keeps what comes."""

import math
from types import SimpleNamespace
from typing import Any

from support.px4_emulator.constants import Cmd, NavState
from support.px4_emulator.emulator import Px4Emulator, Sent
from support.px4_emulator.flight.setpoints import NOTHING
from support.px4_emulator.settings import Px4Parameters, Settings
from velocity_mobility_ros.core.velocity_model import Vector

BRIDGE = 255, 191
"""Ids of the sender."""

PERIOD = 0.02
HEARTBEAT_EVERY = 2
"""Period of the setpoints [s], and heartbeats so many periods apart."""


def offboard_control_mode(
    flag: str | None = 'velocity', timestamp: int = 0, **others: bool
) -> SimpleNamespace:
    """Return a heartbeat with a flag."""
    names = (
        'position', 'velocity', 'acceleration', 'attitude', 'body_rate', 'thrust_and_torque',
        'direct_actuator',
    )  # fmt: skip
    flags = {name: name == flag for name in names} | others
    return SimpleNamespace(timestamp=timestamp, **flags)


def trajectory_setpoint(
    position: Vector = NOTHING, velocity: Vector = NOTHING, yaw: float = math.nan,
    yawspeed: float = math.nan, timestamp: int = 0, acceleration: Vector = NOTHING,
) -> SimpleNamespace:  # fmt: skip
    """Return a setpoint in NED."""
    return SimpleNamespace(
        timestamp=timestamp, position=list(position), velocity=list(velocity),
        acceleration=list(acceleration), jerk=list(NOTHING), yaw=yaw, yawspeed=yawspeed,
    )  # fmt: skip


def vehicle_command(command: int, system: int = 1, **changes: Any) -> SimpleNamespace:
    """Return a command to a vehicle."""
    params = {f'param{k}': 0.0 for k in range(1, 8)}
    fields = params | {
        'timestamp': 0,
        'command': int(command),
        'target_system': system,
        'target_component': 1,
        'source_system': BRIDGE[0],
        'source_component': BRIDGE[1],
        'confirmation': 0,
        'from_external': True,
    }
    return SimpleNamespace(**(fields | changes))


class Drive:
    """A script's hands on an emulator.

    ``flag`` None: no heartbeat; ``setpoint`` None: no setpoint.
    """

    def __init__(self, emulator: Px4Emulator) -> None:
        self.emulator = emulator
        self.flag: str | None = None
        self.setpoint: SimpleNamespace | None = None
        self.last: dict[str, SimpleNamespace] = {}
        self.log: list[Sent] = []
        self._count = 0

    @property
    def truth(self) -> Any:
        return self.emulator.firmware.body.truth

    @property
    def nav_state(self) -> NavState:
        return self.emulator.firmware.commander.nav_state

    @property
    def armed(self) -> bool:
        return self.emulator.firmware.commander.armed

    def run(self, seconds: float) -> list[Sent]:
        """Go on for some time and return what arrived."""
        found = []
        for _ in range(round(seconds / PERIOD)):
            self._count += 1
            if self.flag is not None and self._count % HEARTBEAT_EVERY == 0:
                self.emulator.receive('offboard_control_mode', offboard_control_mode(self.flag))
            if self.setpoint is not None:
                self.emulator.receive('trajectory_setpoint', self.setpoint)
            found += self.emulator.step(PERIOD)
        for sent in found:
            self.last[sent.topic] = sent.message
        self.log += found
        return found

    def until(self, condition: Any, most: float = 60.0) -> float:
        """Go on until a condition holds and return the time it took [s]."""
        start = self.emulator.now
        while not condition():
            assert self.emulator.now - start < most, f'not within {most} s'
            self.run(PERIOD)
        return self.emulator.now - start

    def fly(self, velocity: Vector, yawspeed: float = 0.0) -> None:
        """Stream a velocity [m/s, NED]."""
        self.flag = 'velocity'
        self.setpoint = trajectory_setpoint(velocity=velocity, yawspeed=yawspeed)

    def go(self, position: Vector, yaw: float = math.nan) -> None:
        """Stream a position [m, NED]."""
        self.flag, self.setpoint = 'position', trajectory_setpoint(position=position, yaw=yaw)

    def silent(self) -> None:
        """Send nothing."""
        self.flag = self.setpoint = None

    def command(self, command: int, **changes: Any) -> int | None:
        """Send a command; return its result, None if none came in 0.3 s."""
        target = self.emulator.firmware.system_id
        self.emulator.receive('vehicle_command', vehicle_command(command, target, **changes))
        for _, message, _ in [one for one in self.run(0.3) if is_ack(one, command)]:
            return message.result
        return None

    def offboard(self) -> int | None:
        return self.command(Cmd.DO_SET_MODE, param1=1.0, param2=6.0)

    def arm(self, **changes: Any) -> int | None:
        return self.command(Cmd.COMPONENT_ARM_DISARM, param1=1.0, **changes)

    def disarm(self, **changes: Any) -> int | None:
        return self.command(Cmd.COMPONENT_ARM_DISARM, param1=0.0, **changes)

    def mode(self, main: float, sub: float = 0.0) -> int | None:
        return self.command(Cmd.DO_SET_MODE, param1=1.0, param2=main, param3=sub)

    def take_off(self, height: float = 3.0) -> None:
        """Engage, arm and climb to a height [m]."""
        x, y, z = self.emulator.firmware.estimator.estimate.position
        self.go((x, y, z - height))
        self.run(1.2)
        assert (self.offboard(), self.arm()) == (0, 0)
        self.until(lambda: abs(self.truth.height - height) < 0.1, 20.0)
        self.run(1.0)


def is_ack(sent: Sent, command: int) -> bool:
    """Return whether a message answers a command of this bridge."""
    if sent.topic != 'vehicle_command_ack' or sent.message.command != command:
        return False
    return (sent.message.target_system, sent.message.target_component) == BRIDGE


def drive(
    seconds: float = 0.0, parameters: dict[str, Any] | None = None, **settings: Any
) -> Drive:
    """Return hands on a cheap vehicle after some seconds in which nothing is sent."""
    changed = Px4Parameters(**(parameters or {}))
    chosen = {'vehicle': 'kinematic', 'parameters': changed} | settings
    found = Drive(Px4Emulator(Settings(**chosen)))
    found.run(seconds)
    return found


def flying(height: float = 3.0, **settings: Any) -> Drive:
    """Return hands on a vehicle that holds in OFFBOARD at a height [m]."""
    found = drive(**settings)
    found.take_off(height)
    return found
