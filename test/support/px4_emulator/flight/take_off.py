"""The way from arming to flight: spool-up, then a ramp once a setpoint asks for it."""

from enum import IntEnum

from support.px4_emulator.settings import Px4Parameters

LIFT = 0.62
"""Time in the ramp until the thrust carries it [s]: it is seen off the ground
1.7 to 1.9 s after arming."""


class Phase(IntEnum):
    """Phases of a take-off."""

    DISARMED = 1
    SPOOLUP = 2
    READY = 3
    RAMPUP = 4
    FLIGHT = 5


class TakeOff:
    """Phases of a take-off."""

    def __init__(self) -> None:
        self.phase = Phase.DISARMED
        self._time = 0.0

    @property
    def carries(self) -> bool:
        """Whether it is off the ground, or may be."""
        return self.phase == Phase.FLIGHT or (self.phase == Phase.RAMPUP and self._time >= LIFT)

    @property
    def is_lifting(self) -> bool:
        """Whether it is about to leave the ground."""
        return self.phase == Phase.RAMPUP and self.carries

    def rise(self) -> None:
        """Be in the air: there is nothing to wait for, though the ramp goes on."""
        if not self.carries:
            self._enter(Phase.FLIGHT)

    def step(self, dt: float, motors: bool, wants: bool, parameters: Px4Parameters) -> None:
        """Go on: motors on, and whether a fresh setpoint asks to rise."""
        self._time += dt
        if not motors:
            self._enter(Phase.DISARMED)
        elif self.phase == Phase.DISARMED:
            self._enter(Phase.SPOOLUP)
        elif self.phase == Phase.SPOOLUP and self._time >= parameters.com_spoolup_time:
            self._enter(Phase.READY)
        if self.phase == Phase.READY and wants:
            self._enter(Phase.RAMPUP)
        elif self.phase == Phase.RAMPUP and self._time >= parameters.mpc_tko_ramp_t:
            self._enter(Phase.FLIGHT)

    def climb_limit(self, parameters: Px4Parameters) -> float:
        """Return the largest speed of climb [m/s]."""
        if self.phase != Phase.RAMPUP:
            return parameters.mpc_z_vel_max_up
        return parameters.mpc_z_vel_max_up * self._time / parameters.mpc_tko_ramp_t

    def land(self) -> None:
        """Be on the ground again, with the motors on."""
        self._enter(Phase.READY)

    def _enter(self, phase: Phase) -> None:
        self.phase, self._time = phase, 0.0
