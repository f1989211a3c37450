"""PX4 behind MAVROS: the emulated firmware, spoken to as its MAVLink module does.

Each setpoint is a heartbeat of offboard mode; it moves the vehicle in that mode only.
"""

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from support.ardupilot_emulator.estimate import Spot
from support.mavros_emulator.side import (
    ACTIVE, CRITICAL, IN_AIR, ON_GROUND, STANDBY, Heartbeat, Motion, Target
)
from support.px4_emulator.constants import NavState
from support.px4_emulator.direct_drive import offboard_control_mode, trajectory_setpoint
from support.px4_emulator.emulator import Px4Emulator
from support.px4_emulator.settings import Px4Parameters, Settings
from velocity_mobility_ros.core.coordinate_frames import swapped_attitude

MODES = {
    NavState.MANUAL: ('MANUAL', 1, 0), NavState.ALTCTL: ('ALTCTL', 2, 0),
    NavState.POSCTL: ('POSCTL', 3, 0), NavState.AUTO_MISSION: ('AUTO.MISSION', 4, 4),
    NavState.AUTO_LOITER: ('AUTO.LOITER', 4, 3), NavState.AUTO_RTL: ('AUTO.RTL', 4, 5),
    NavState.ACRO: ('ACRO', 5, 0), NavState.OFFBOARD: ('OFFBOARD', 6, 0),
    NavState.STAB: ('STABILIZED', 7, 0), NavState.AUTO_TAKEOFF: ('AUTO.TAKEOFF', 4, 2),
    NavState.AUTO_LAND: ('AUTO.LAND', 4, 6),
}  # fmt: skip
"""Name, main mode and sub mode; DESCEND is shown as landing, TERMINATION as MANUAL."""

NUMBERS = {name: (main, sub) for name, main, sub in MODES.values()}
SHOWN = {NavState.DESCEND: 'AUTO.LAND', NavState.TERMINATION: 'MANUAL'}
MAVROS = 255, 240
"""System and component id of MAVROS."""

FLYABLE = Px4Parameters(com_obl_rc_act=5, com_rcl_except=4)


class Px4Side:
    """A PX4."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.px4 = Px4Emulator(settings or Settings(vehicle='kinematic', parameters=FLYABLE))
        self.battery = 0.9
        self._done: dict[int, Callable[[int], None]] = {}

    @property
    def truth(self) -> Any:
        return self.px4.firmware.body.truth

    @property
    def armed(self) -> bool:
        return self.px4.firmware.commander.armed

    def step(self, dt: float) -> None:
        for sent in self.px4.step(dt):
            message = sent.message
            if sent.topic == 'vehicle_command_ack' and message.target_component == MAVROS[1]:
                done = self._done.pop(message.command, None)
                if done is not None:
                    done(message.result)

    def heartbeat(self) -> Heartbeat:
        commander = self.px4.firmware.commander
        mode = commander.nav_state
        name = SHOWN.get(mode) or MODES.get(mode, ('CMODE(0)', 0, 0))[0]
        status = CRITICAL if commander.failsafe else ACTIVE if commander.armed else STANDBY
        return Heartbeat(commander.armed, name, status)

    def landed(self) -> int:
        return ON_GROUND if self.px4.firmware.flight.land.landed else IN_AIR

    def motion(self) -> Motion | None:
        firmware = self.px4.firmware
        estimate, truth = firmware.estimator.estimate, firmware.body.truth
        if not estimate.xy_valid:
            return None
        (north, east, down), (vn, ve, vd) = estimate.position, estimate.velocity
        w, x, y, z = truth.attitude
        p, q, r = truth.rates
        return Motion((east, north, -down), swapped_attitude((x, y, z, w)), (ve, vn, -vd),
                      (p, -q, -r), estimate.eph)  # fmt: skip

    def origin(self) -> Spot | None:
        reference = self.px4.firmware.estimator.reference
        return Spot(*reference[:3]) if reference.stamp else None

    def passes_prearm(self) -> bool:
        firmware = self.px4.firmware
        return firmware.commander.passes_preflight(firmware.conditions)

    def set_mode(self, name: str) -> bool:
        if name not in NUMBERS:
            return False
        main, sub = NUMBERS[name]
        self._send(176, [1.0, float(main), float(sub)])
        return True

    def command(self, number: int, params: list[float], done: Callable[[int], None]) -> None:
        self._done[number] = done
        self._send(number, params)

    def setpoint(self, target: Target) -> None:
        is_position = math.isfinite(target.position[0])
        beat = offboard_control_mode('position' if is_position else 'velocity')
        self.px4.receive('offboard_control_mode', beat)
        if self.px4.firmware.commander.nav_state != NavState.OFFBOARD:
            return
        east, north, up = target.position
        ve, vn, vu = target.velocity
        ae, an, au = target.acceleration
        yaw = math.remainder(0.5 * math.pi - target.yaw, 2.0 * math.pi)
        self.px4.receive('trajectory_setpoint', trajectory_setpoint(
            (north, east, -up), (vn, ve, -vu), yaw, -target.yaw_rate,
            acceleration=(an, ae, -au)))  # fmt: skip

    def _send(self, number: int, params: list[float]) -> None:
        filled = [*params, *[0.0] * (7 - len(params))]
        fields = {f'param{k}': value for k, value in enumerate(filled, 1)}
        self.px4.receive('vehicle_command', SimpleNamespace(
            timestamp=0, command=number, target_system=self.px4.firmware.system_id,
            target_component=1, source_system=MAVROS[0], source_component=MAVROS[1],
            confirmation=1, from_external=True, **fields))  # fmt: skip
