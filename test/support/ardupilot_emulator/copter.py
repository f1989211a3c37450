"""ArduCopter without its link: modes, arming, take-off, GUIDED, landing, HOME.

Facts of its sources that a bridge can stumble over: a velocity does not lift it off; a velocity
during a take-off ends the take-off, and on the ground nothing rises; a take-off in the air or
below is refused; HOME moves to where it is armed; after a landing it stays in its mode.
"""

import math

from support.ardupilot_emulator import guided
from support.ardupilot_emulator.estimate import Spot, enu, shifted, spot_of, yaw_enu
from support.ardupilot_emulator.guided import Target
from support.ardupilot_emulator.modes import NEED_POSITION, NO_ARMING, Flight
from support.ardupilot_emulator.settings import ArduSettings
from support.px4_emulator.flight.body import TICK, FlyingBody
from support.px4_emulator.settings import Px4Parameters, Settings
from velocity_mobility_ros.core.velocity_model import Vector

LANDED_TIME = 1.0
"""Time on the ground, pressed down, until it counts as landed [s]."""

REACHED = 1.0
FAILSAFES = {'radio': 21, 'battery': 22, 'gcs': 23, 'ekf': 24}
STILL: Vector = (0.0, 0.0, 0.0)


class Copter:
    """The vehicle.

    Attributes:
        mode: Its mode.
        armed: Whether its motors may turn.
        flying: Whether it has left the ground.
        failsafes: Names of the failsafes that act.
        has_position: Whether its estimator knows where it is.
        home: HOME.
        origin: Origin of its estimator.
        refusals: Why it refused, for tests; nobody is told over DDS.
    """

    def __init__(self, settings: ArduSettings, now: float = 0.0) -> None:
        self.settings, self.now = settings, now
        self.body = FlyingBody(_body_settings(settings))
        self.mode, self.armed, self.flying = Flight.STABILIZE, False, False
        self.failsafes: set[str] = set()
        self.has_position, self._is_armable = True, settings.passes_prearm
        self._aided_at = now + settings.aided_after
        self.origin = spot_of(self.body.truth)
        self.home: Spot = shifted(self.origin, *settings.home_offset)
        self.refusals: list[str] = []
        self._target: Target = guided.stay(STILL, STILL, now)
        self._armed_at, self._pressed = -math.inf, 0.0
        self._is_home = False

    @property
    def position(self) -> Vector:
        """East, north, up of the estimator's origin [m]."""
        return enu(self.origin, spot_of(self.body.truth))

    @property
    def velocity(self) -> Vector:
        """East, north, up [m/s]."""
        north, east, down = self.body.truth.velocity
        return east, north, -down

    @property
    def passes_prearm(self) -> bool:
        """Whether it would arm in its mode."""
        is_aided = self.now >= self._aided_at or self.mode not in NEED_POSITION
        return self._is_armable and is_aided

    @passes_prearm.setter
    def passes_prearm(self, value: bool) -> None:
        self._is_armable = value

    def set_mode(self, number: int) -> bool:
        """Change the mode; return whether it did."""
        if number not in list(Flight):
            return self._refuse(f'no mode {number}')
        mode = Flight(number)
        if mode in NEED_POSITION and not self.has_position:
            return self._refuse(f'{mode.name} needs a position')
        if mode != self.mode:
            self._enter(mode)
        return True

    def arm(self) -> bool:
        """Arm; return whether it is armed."""
        if self.armed:
            return True
        if not self.passes_prearm:
            return self._refuse('checks before arming fail')
        if self.mode in NO_ARMING:
            return self._refuse(f'{self.mode.name} does not arm')
        self.armed, self._armed_at = True, self.now
        self.home = spot_of(self.body.truth)
        return True

    def disarm(self, by_force: bool = False) -> bool:
        """Disarm; return whether it did."""
        if self.flying and not by_force:
            return self._refuse('flies')
        self.armed, self._pressed = False, 0.0
        return True

    def take_off(self, height: float) -> bool:
        """Take off to a height above HOME [m]; return whether it does."""
        if not self.armed or self.mode != Flight.GUIDED:
            return self._refuse('takes off armed and in GUIDED only')
        if self.flying:
            return self._refuse('flies already')
        top = self.home.altitude + height - self.origin.altitude
        if top <= self.position[2]:
            return self._refuse('cannot take off downwards')
        x, y, _ = self.position
        self._target = Target('take-off', (x, y, top), since=self.now)
        return True

    def command(self, target: Target) -> bool:
        """Take a target of GUIDED; return whether it is one."""
        if self.mode != Flight.GUIDED or not self.armed:
            return False
        self._target = target._replace(since=self.now)
        return True

    def fail(self, name: str, mode: Flight | None = None) -> None:
        """Let a failsafe act, by a mode of its own."""
        assert name in FAILSAFES
        self.failsafes.add(name)
        if mode is not None:
            self._enter(mode)

    def tick(self) -> None:
        """Advance by ``TICK``."""
        self.now += TICK
        if not self.armed:
            self.body.fall()
            self.flying = not self.body.on_ground
            return
        velocity, yaw_rate = self._flown()
        if not self.flying and not self._lifts():
            self.body.stand()
            self._disarm_unused()
            return
        self.flying = True
        east, north, up = velocity
        self.body.fly((north, east, -up), -yaw_rate)
        self._watch_ground(up)

    def _enter(self, mode: Flight) -> None:
        self.mode, self._is_home = mode, False
        self._target = guided.stay(self.position, self.velocity, self.now)
        if mode == Flight.GUIDED:
            self._target = Target('velocity', STILL, since=self.now)

    def _lifts(self) -> bool:
        spooled = self.now - self._armed_at >= self.settings.spool_time
        return spooled and self.mode == Flight.GUIDED and self._target.kind == 'take-off'

    def _flown(self) -> tuple[Vector, float]:
        """Return the velocity [m/s, ENU] and the yaw rate [rad/s] of the mode."""
        s, target = self.settings, self._target
        speeds = s.wpnav_speed, s.wpnav_speed_up, s.wpnav_speed_dn
        if self.mode == Flight.RTL:
            target = self._way_home()
        elif self.mode == Flight.GUIDED:
            target = guided.timed_out(target, self.now, s.guid_timeout)
        velocity = guided.velocity_of(target, self.position, speeds)
        if self.mode == Flight.LAND or self._is_home:
            slow = s.land_speed if self.position[2] < 10.0 else s.wpnav_speed_dn
            velocity = velocity[0], velocity[1], -slow
        return velocity, guided.yaw_rate_of(target, yaw_enu(self.body.truth))

    def _way_home(self) -> Target:
        """Climb, go home, land."""
        x, y, _ = enu(self.origin, self.home)
        at = self.position
        top = max(at[2] - REACHED, self.home.altitude + self.settings.rtl_alt
                  - self.origin.altitude)  # fmt: skip
        near = math.hypot(x - at[0], y - at[1]) < REACHED
        self._is_home = self._is_home or (near and at[2] > top - REACHED)
        if at[2] < top - REACHED and not near and not self._is_home:
            return Target('place', (at[0], at[1], top))
        return Target('place', (x, y, top))

    def _watch_ground(self, up: float) -> None:
        """Notice a landing: pressed on the ground for a while; LAND and RTL disarm then."""
        presses = self.body.on_ground and up < -0.1
        self._pressed = self._pressed + TICK if presses else 0.0
        if self._pressed < LANDED_TIME:
            return
        self.flying, self._pressed = False, 0.0
        self._target = Target('velocity', STILL, since=self.now)
        if self.mode in (Flight.LAND, Flight.RTL):
            self.armed = False
        self._armed_at = self.now

    def _disarm_unused(self) -> None:
        if self.now - self._armed_at > self.settings.disarm_delay:
            self.armed = False

    def _refuse(self, why: str) -> bool:
        self.refusals.append(why)
        return False


def _body_settings(settings: ArduSettings) -> Settings:
    """Return the settings of the body, which is that of the other emulator."""
    speeds = Px4Parameters(
        mpc_xy_vel_max=settings.wpnav_speed, mpc_z_vel_max_up=settings.wpnav_speed_up,
        mpc_z_vel_max_dn=settings.wpnav_speed_dn,
    )  # fmt: skip
    return Settings(
        seed=settings.seed, latitude=settings.latitude, longitude=settings.longitude,
        altitude=settings.altitude, heading=settings.heading, vehicle=settings.vehicle,
        parameters=speeds,
    )  # fmt: skip
