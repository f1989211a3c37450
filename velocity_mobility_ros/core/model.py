"""The velocity mobility model: a body that follows velocity commands within its limits.

    a* = (c - v) / tau          desired acceleration, first-order lag
    a  = a* within max_acc      the xy part by its norm, the z part by its size
    v' = v + a dt               then within max_speed
    p' = p + v' dt              Euler with the new velocity

Without a lag (tau is None, NaN inside the laws) the desired change is the difference ``c - v``,
limited only by ``max_acc * dt``. Source: dynamic velocity mobility of GrADyS-SIM NG.
"""

import math
from dataclasses import dataclass

from velocity_mobility_ros.core.limits import limit_abs, limit_velocity, limit_xy
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.core.sensing_parameters import SensingParameters

Vector = tuple[float, float, float]
Limits = tuple[float, float, float, float, float, float]

VEHICLE_NAMES = (
    'kinematic',
    'second_order',
    'quadrotor',
    'tracked',
)
"""The vehicle types of this package; the first is the default."""

FIXED_VEHICLE = 'each vehicle type has its own kind of state'
"""Why the type of a vehicle does not change while a node runs."""


@dataclass(frozen=True)
class BodyParameters(Parameters):
    """Limits and lag of a body."""

    vehicle: str = parameter(
        VEHICLE_NAMES[0], 'type of the vehicle', choices=VEHICLE_NAMES,
        fixed=FIXED_VEHICLE,
    )  # fmt: skip
    update_rate: float = parameter(
        0.01, 'time between two updates of the model', unit='s', minimum=1e-4, maximum=10.0
    )
    max_speed_xy: float = parameter(
        10.0, 'largest horizontal speed (norm)', unit='m/s', minimum=0.0, runtime=True
    )
    max_speed_z: float = parameter(
        5.0, 'largest vertical speed', unit='m/s', minimum=0.0, runtime=True
    )
    max_acc_xy: float = parameter(
        4.0, 'largest horizontal acceleration (norm)', unit='m/s^2', minimum=0.0, runtime=True
    )
    max_acc_z: float = parameter(
        5.0, 'largest vertical acceleration', unit='m/s^2', minimum=0.0, runtime=True
    )
    tau_xy: float | None = parameter(
        1.0, 'horizontal lag; none: acceleration limit only', unit='s', above=0.0, runtime=True
    )
    tau_z: float | None = parameter(
        1.2, 'vertical lag; none: acceleration limit only', unit='s', above=0.0, runtime=True
    )
    max_yaw_rate: float = parameter(
        1.5, 'largest yaw rate', unit='rad/s', minimum=0.0, runtime=True
    )
    telemetry_decimation: int = parameter(
        1, 'updates per odometry message', minimum=1, maximum=1_000_000, runtime=True
    )

    @property
    def lag_xy(self) -> float | None:
        """By how much the horizontal velocity is late [s], for those who plan; None: no lag."""
        return self.tau_xy

    @property
    def lag_z(self) -> float | None:
        """The same of the vertical velocity [s]."""
        return self.tau_z

    @property
    def response_delay(self) -> float:
        """Time [s] for which the vehicle goes on as before after a command, besides its lag."""
        return 0.0

    @property
    def limits(self) -> Limits:
        """The limits as six numbers for the laws; no lag is NaN."""
        return (
            self.max_speed_xy,
            self.max_speed_z,
            self.max_acc_xy,
            self.max_acc_z,
            math.nan if self.tau_xy is None else self.tau_xy,
            math.nan if self.tau_z is None else self.tau_z,
        )


@dataclass(frozen=True)
class MobilityParameters(SensingParameters, BodyParameters):
    """A simulated vehicle: its body, and what it knows of itself and how late it is commanded.

    A vehicle type with more parameters extends this record.
    """


def change_xy(dx: float, dy: float, dt: float, max_acc: float, tau: float) -> tuple[float, float]:
    """Return the horizontal velocity change [m/s] of one step towards a difference ``c - v``."""
    if math.isnan(tau):
        return limit_xy(dx, dy, max_acc * dt)
    ax, ay = limit_xy(dx / tau, dy / tau, max_acc)
    return ax * dt, ay * dt


def change_z(dz: float, dt: float, max_acc: float, tau: float) -> float:
    """Return the vertical velocity change [m/s] of one step towards a difference ``c - v``."""
    if math.isnan(tau):
        return limit_abs(dz, max_acc * dt)
    return limit_abs(dz / tau, max_acc) * dt


def next_velocity(v: Vector, c: Vector, dt: float, limits: Limits) -> Vector:
    """Return the velocity after one step.

    Args:
        v: Velocity [m/s].
        c: Commanded velocity [m/s].
        dt: Step [s], > 0.
        limits: ``MobilityParameters.limits``.
    """
    max_speed_xy, max_speed_z, max_acc_xy, max_acc_z, tau_xy, tau_z = limits
    dx, dy = change_xy(c[0] - v[0], c[1] - v[1], dt, max_acc_xy, tau_xy)
    dz = change_z(c[2] - v[2], dt, max_acc_z, tau_z)
    return limit_velocity(v[0] + dx, v[1] + dy, v[2] + dz, max_speed_xy, max_speed_z)


def step(p: Vector, v: Vector, c: Vector, dt: float, limits: Limits) -> tuple[Vector, Vector]:
    """Move one body by one step.

    Args:
        p: Position [m].
        v: Velocity [m/s], same frame.
        c: Commanded velocity [m/s], same frame.
        dt: Step [s], > 0.
        limits: ``MobilityParameters.limits``.

    Returns:
        New position and new velocity.
    """
    v = next_velocity(v, c, dt, limits)
    return (p[0] + v[0] * dt, p[1] + v[1] * dt, p[2] + v[2] * dt), v
