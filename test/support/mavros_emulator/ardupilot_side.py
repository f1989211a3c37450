"""ArduCopter behind MAVROS: the emulated vehicle, spoken to over MAVLink."""

import math
from collections.abc import Callable
from typing import Any

from support.ardupilot_emulator import guided, wire
from support.ardupilot_emulator.copter import Copter
from support.ardupilot_emulator.estimate import Spot
from support.ardupilot_emulator.modes import Flight
from support.ardupilot_emulator.settings import ArduSettings
from support.mavros_emulator.side import (
    ACCEPTED, ACTIVE, CRITICAL, FAILED, IN_AIR, ON_GROUND, STANDBY, UNSUPPORTED, Heartbeat, Motion,
    Target
)
from support.px4_emulator.flight.body import TICK
from velocity_mobility_ros.autopilot.protocols.ap_dds import NAMES

ARM_DISARM, TAKE_OFF, REQUEST_MESSAGE, ORIGIN_MESSAGE = 400, 22, 512, 49
FORCE = 21196.0
KNOWN = frozenset(NAMES[number] for number in NAMES if number <= 20)
"""Names that MAVROS knows; the newer modes are numbers to it."""


class ArduPilotSide:
    """An ArduCopter."""

    def __init__(self, settings: ArduSettings | None = None) -> None:
        self.copter = Copter(settings or ArduSettings())
        self.battery = 0.9
        self._ticks, self._target = 0, 0.0
        self._is_origin_asked = False

    @property
    def truth(self) -> Any:
        return self.copter.body.truth

    @property
    def armed(self) -> bool:
        return self.copter.armed

    def step(self, dt: float) -> None:
        self._target += dt
        while TICK * self._ticks + 0.5 * TICK < self._target:
            self._ticks += 1
            self.copter.tick()

    def heartbeat(self) -> Heartbeat:
        copter = self.copter
        status = CRITICAL if copter.failsafes else ACTIVE if copter.armed else STANDBY
        return Heartbeat(copter.armed, copter.mode.name, status)

    def landed(self) -> int:
        return IN_AIR if self.copter.flying else ON_GROUND

    def motion(self) -> Motion | None:
        copter = self.copter
        if not copter.has_position:
            return None
        p, q, r = copter.body.truth.rates
        return Motion(
            copter.position, wire.attitude(copter), copter.velocity, (p, -q, -r), eph=0.0
        )

    def origin(self) -> Spot | None:
        """Tell it once for each request: it was set before MAVROS began."""
        if not self._is_origin_asked:
            return None
        self._is_origin_asked = False
        return self.copter.origin

    def passes_prearm(self) -> bool:
        return self.copter.passes_prearm

    def set_mode(self, name: str) -> bool:
        if name not in KNOWN:
            return False
        self.copter.set_mode(next(number for number, one in NAMES.items() if one == name))
        return True

    def command(self, number: int, params: list[float], done: Callable[[int], None]) -> None:
        copter = self.copter
        if number == ARM_DISARM:
            by_force = len(params) > 1 and params[1] == FORCE
            done(_result(copter.arm() if params[0] > 0.5 else copter.disarm(by_force)))
        elif number == TAKE_OFF:
            done(_result(copter.take_off(params[6])))
        elif number == REQUEST_MESSAGE and params[0] == ORIGIN_MESSAGE:
            self._is_origin_asked = True
            done(ACCEPTED)
        else:
            done(UNSUPPORTED)

    def setpoint(self, target: Target) -> None:
        is_place = math.isfinite(target.position[0])
        rate = target.yaw_rate if math.isfinite(target.yaw_rate) else 0.0
        vector = target.position if is_place else target.velocity
        self.copter.command(
            guided.Target('place' if is_place else 'velocity', vector, target.yaw, rate)
        )

    def fail(self, name: str, mode: Flight) -> None:
        """Let a failsafe act."""
        self.copter.fail(name, mode)


def _result(done: bool) -> int:
    return ACCEPTED if done else FAILED
