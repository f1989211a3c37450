"""Setpoints of PX4's own modes, roughly."""

import math

from support.px4_emulator.constants import MANUAL_MODES, NavState
from support.px4_emulator.flight.setpoints import NOTHING, Setpoint
from support.px4_emulator.settings import Px4Parameters
from velocity_mobility_ros.core.velocity_model import Vector

STICKLESS_SINK = 0.62
"""How fast a manual mode without sticks sinks [m/s]: from 3.0 to 0.8 m in 4 s."""

CRAWL_HEIGHT = 1.0
"""Height below which it lands slowly [m]."""

BRAKING_TIME = 0.8
"""Where it will stand when it stops now: so far ahead [s]."""

REACHED = 1.0
"""Distance at which a place is reached [m]."""

HANDS_OFF = MANUAL_MODES - {NavState.POSCTL, NavState.ALTCTL}


class InternalModes:
    """The flight tasks: a setpoint for each mode but OFFBOARD."""

    def __init__(self, parameters: Px4Parameters) -> None:
        self._parameters = parameters
        self._mode = NavState.OFFBOARD
        self._hold: Vector = (0.0, 0.0, 0.0)
        self._goal_z = 0.0
        self._is_home = False

    def shift(self, xy: tuple[float, float], z: float) -> None:
        """Follow a jump of the estimate."""
        x, y, down = self._hold
        self._hold = x + xy[0], y + xy[1], down + z
        self._goal_z += z

    def setpoint(
        self, mode: NavState, position: Vector, velocity: Vector, home: Vector, has_pilot: bool
    ) -> Setpoint | None:
        """Return the setpoint of a mode; None in OFFBOARD.

        Args:
            mode: Mode.
            position: Estimated position [m, NED].
            velocity: Estimated velocity [m/s, NED].
            home: Place and height of home [m, NED].
            has_pilot: Whether somebody holds the sticks.
        """
        if mode != self._mode:
            self._enter(mode, position, velocity, home)
        if mode == NavState.OFFBOARD:
            return None
        if mode in MANUAL_MODES:
            return self._manual(mode, has_pilot)
        if mode == NavState.AUTO_LAND:
            return self._land(home[2] - position[2])
        if mode in (NavState.DESCEND, NavState.TERMINATION):
            return Setpoint(velocity=(*NOTHING[:2], self._parameters.mpc_land_speed),
                            acceleration=(0.0, 0.0, math.nan))  # fmt: skip
        if mode == NavState.AUTO_RTL:
            return self._return(position, home)
        if mode == NavState.AUTO_TAKEOFF:
            return Setpoint(position=(self._hold[0], self._hold[1], self._goal_z))
        return Setpoint(position=self._hold)

    def has_taken_off(self, position: Vector) -> bool:
        """Return whether the mode AUTO_TAKEOFF is at its end."""
        return abs(position[2] - self._goal_z) < 0.2

    def _enter(self, mode: NavState, position: Vector, velocity: Vector, home: Vector) -> None:
        self._mode = mode
        self._hold = tuple(p + BRAKING_TIME * v for p, v in zip(position, velocity, strict=True))  # type: ignore[assignment]
        self._is_home = False
        if mode == NavState.AUTO_TAKEOFF:
            self._goal_z = home[2] - self._parameters.mis_takeoff_alt
        else:
            self._goal_z = min(position[2], home[2] - self._parameters.rtl_return_alt)

    def _manual(self, mode: NavState, has_pilot: bool) -> Setpoint:
        """Hold still with a pilot who does nothing; without one the throttle stick is down."""
        if has_pilot and mode not in HANDS_OFF:
            return Setpoint(position=self._hold)
        if mode == NavState.POSCTL:
            return Setpoint(velocity=(0.0, 0.0, STICKLESS_SINK))
        down = (math.nan, math.nan, STICKLESS_SINK)
        return Setpoint(velocity=down, acceleration=(0.0, 0.0, math.nan))

    def _land(self, height: float) -> Setpoint:
        slow = height < CRAWL_HEIGHT
        speed = self._parameters.mpc_land_crwl if slow else self._parameters.mpc_land_speed
        return Setpoint((*self._hold[:2], math.nan), (math.nan, math.nan, speed))

    def _return(self, position: Vector, home: Vector) -> Setpoint:
        """Climb, go home, land."""
        away = math.hypot(position[0] - home[0], position[1] - home[1])
        if away < REACHED and position[2] < self._goal_z + REACHED:
            self._is_home = True
        if self._is_home:
            self._hold = home
            return self._land(home[2] - position[2])
        if position[2] > self._goal_z + REACHED:
            return Setpoint((*self._hold[:2], self._goal_z))
        return Setpoint((*home[:2], self._goal_z))
