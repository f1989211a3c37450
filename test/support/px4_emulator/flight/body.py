"""The flying body: the project's own vehicle on a flat ground, in PX4's frames, on WGS84."""

import math
from typing import NamedTuple

from soliton_encirclement_ros.sim.compilation.compiled_motion import make_body
from support.px4_emulator.estimate import wgs84
from support.px4_emulator.settings import Settings
from velocity_mobility_ros.core.velocity_model import MobilityParameters, Vector
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import QuadrotorParameters
from velocity_mobility_ros.vehicles.vehicle import VEHICLES

TICK = 0.01
"""Step of everything [s]."""

RESPONSE = 0.4
"""Time constant of the horizontal velocity of a body without controllers of its own [s]."""

GRAVITY = 9.81
CONTACT = 0.01
"""Height below which it touches the ground [m]."""

BROKEN = 2.0
"""Speed of impact [m/s] above which a fall counts as a crash."""


class Truth(NamedTuple):
    """The true state: WGS84 [deg, m], NED [m/s], heading from north [rad], (w, x, y, z) FRD."""

    latitude: float
    longitude: float
    altitude: float
    velocity: Vector
    heading: float
    attitude: tuple[float, float, float, float]
    rates: Vector
    height: float


def parameters(settings: Settings) -> MobilityParameters:
    """Return the limits of PX4 as parameters of the vehicle."""
    px4 = settings.parameters
    speeds = {'max_speed_xy': px4.mpc_xy_vel_max, 'update_rate': TICK}
    if settings.vehicle == 'quadrotor':
        return QuadrotorParameters(
            max_speed_z=px4.mpc_z_vel_max_up, max_speed_down=px4.mpc_z_vel_max_dn, ground=0.0,
            **speeds,
        )  # fmt: skip
    return MobilityParameters(
        vehicle=settings.vehicle, max_speed_z=px4.mpc_z_vel_max_up, max_acc_xy=5.0,
        max_acc_z=5.0, tau_xy=RESPONSE, tau_z=0.3, max_yaw_rate=2.0, **speeds,
    )  # fmt: skip


class FlyingBody:
    """A body that stands, flies or falls. Its own frame is ENU, with the ground at height 0."""

    def __init__(self, settings: Settings) -> None:
        self._place = settings.latitude, settings.longitude
        self._ground = settings.altitude
        yaw = 0.5 * math.pi - settings.heading
        self._vehicle = VEHICLES[settings.vehicle]
        self._seed = settings.seed
        self._body = make_body(parameters(settings), (0.0, 0.0, 0.0), yaw, settings.seed)
        self._falling: Vector | None = None
        self.has_crashed = False
        self._read()

    @property
    def on_ground(self) -> bool:
        return self.truth.height <= CONTACT

    def lift(self, height: float) -> None:
        """Be at a height above the ground, still [m]."""
        self._put(height)
        self._read()

    def stand(self) -> None:
        """Stay on the ground where it is, level."""
        if self._falling is not None or any(self.truth.velocity) or any(self.truth.rates):
            self._put(0.0)
            self._read()

    def fly(self, velocity: Vector, yaw_rate: float) -> None:
        """Follow a velocity [m/s, NED] and a yaw rate [rad/s, clockwise] for a tick."""
        if self._falling is not None:
            self._put(self.truth.height)
        north, east, down = velocity
        self._body.command((east, north, -down), -yaw_rate)
        self._body.step()
        self._keep_above_ground()
        self._read()

    def fall(self) -> None:
        """Go on for a tick without thrust."""
        if self.on_ground:
            self.stand()
            return
        x, y, z = self._body.motion.position
        vx, vy, vz = self._falling or self._body.motion.velocity
        vz -= GRAVITY * TICK
        self._falling = vx, vy, vz
        x, y, z = x + vx * TICK, y + vy * TICK, z + vz * TICK
        self._rest((x, y, max(z, 0.0)))
        if z <= 0.0:
            self.has_crashed = self.has_crashed or -vz > BROKEN
            self._falling = None
        self._read()

    def _put(self, height: float) -> None:
        x, y, _ = self._body.motion.position
        self._falling = None
        self._rest((x, y, height))

    def _rest(self, position: Vector) -> None:
        self._body.state = self._vehicle.at_rest(position, self._body.motion.yaw, self._seed)

    def _keep_above_ground(self) -> None:
        """Clamp a body without ground of its own."""
        state = self._body.state if self._vehicle.attitude is None else None
        if state is not None and state.position[2] < 0.0:
            x, y, _ = state.position
            self._body.state = state._replace(position=(x, y, 0.0), velocity=(0.0, 0.0, 0.0))

    def _read(self) -> None:
        """Take the true state over from the body; latitude and longitude are integrated."""
        motion = self._body.motion
        x, y, z = motion.position
        if hasattr(self, 'truth'):
            north, east = y - self._last[1], x - self._last[0]
            self._place = wgs84.moved(*self._place, self._ground + z, north, east)
        self._last = x, y
        vx, vy, vz = self._falling or motion.velocity
        tilt = self._body.attitude
        self.truth = Truth(
            *self._place,
            self._ground + z,
            (vy, vx, -vz),
            heading_of(motion.yaw),
            level(motion.yaw) if tilt is None else px4_attitude(tilt.rotation),
            (0.0, 0.0, -motion.yaw_rate) if tilt is None else frd(tilt.angular),
            z,
        )


def heading_of(yaw: float) -> float:
    """Return the compass heading [rad] of a yaw from east, in [-pi, pi]."""
    return math.remainder(0.5 * math.pi - yaw, 2.0 * math.pi)


def frd(vector: Vector) -> Vector:
    """Return forward, right, down of forward, left, up."""
    return vector[0], -vector[1], -vector[2]


def level(yaw: float) -> tuple[float, float, float, float]:
    """Return the attitude (w, x, y, z) of a level body with a yaw from east."""
    half = 0.5 * heading_of(yaw)
    return math.cos(half), 0.0, 0.0, math.sin(half)


def px4_attitude(
    rotation: tuple[float, float, float, float],
) -> tuple[float, float, float, float]:
    """Return FRD to NED, (w, x, y, z), of FLU to ENU, (x, y, z, w).

    The rotation matrix's entries are read through both swaps of axes: with R' = M R B, M the swap
    of east and north and down for up, B = diag(1, -1, -1), the quaternion below is the one of R'.
    """
    x, y, z, w = rotation
    s = math.sqrt(0.5)
    q = s * (w + z), s * (x + y), s * (x - y), s * (w - z)
    return q if q[0] >= 0.0 else (-q[0], -q[1], -q[2], -q[3])
