"""The velocity model with an acceleration that builds up: as of a vehicle that has to tilt first.

    r   the velocity model: the command within lag, acceleration and speed limits
    dm/dt = (r - m) / T    dv/dt = (m - v) / T    T = acceleration_tau / 2

The velocity v follows r by two equal lags, critically damped, so its acceleration follows that of
the velocity model in the same way and never overshoots it. The lags are solved exactly for a
reference that holds during an update. Velocity and middle are averages of past references, so the
limits of the velocity model hold for them.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from velocity_mobility_ros.core.coordinate_frames import VehicleMotion, next_yaw, rotate_z
from velocity_mobility_ros.core.parameter_declaration import parameter
from velocity_mobility_ros.core.velocity_model import (
    FIXED_VEHICLE, Limits, MobilityParameters, Vector, limit_abs, next_velocity
)
from velocity_mobility_ros.vehicles.vehicle import Command, Vehicle

NAME = 'second_order'
STILL: Vector = (0.0, 0.0, 0.0)
Lags = tuple[float, float]
"""Lag of the acceleration [s], horizontal and vertical; NaN: none."""


@dataclass(frozen=True)
class SecondOrderParameters(MobilityParameters):
    """Those of the velocity model, and the lag of the acceleration."""

    vehicle: str = parameter(NAME, 'type of the vehicle', choices=(NAME,), fixed=FIXED_VEHICLE)
    acceleration_tau_xy: float | None = parameter(
        0.1, 'lag of the horizontal acceleration; none: none', unit='s', above=0.0, runtime=True
    )
    acceleration_tau_z: float | None = parameter(
        0.05, 'lag of the vertical acceleration; none: none', unit='s', above=0.0, runtime=True
    )

    @property
    def lag_xy(self) -> float | None:
        """Both horizontal lags together [s]: by that the velocity is late; None: no lag."""
        return _sum(self.tau_xy, self.acceleration_tau_xy)

    @property
    def lag_z(self) -> float | None:
        """Both vertical lags together [s]; None: no lag."""
        return _sum(self.tau_z, self.acceleration_tau_z)

    @property
    def acceleration_lags(self) -> Lags:
        """The lags of the acceleration; none is NaN."""
        return (
            math.nan if self.acceleration_tau_xy is None else self.acceleration_tau_xy,
            math.nan if self.acceleration_tau_z is None else self.acceleration_tau_z,
        )


def _sum(tau: float | None, acceleration_tau: float | None) -> float | None:
    """Return the sum of two lags [s]; None if there is none."""
    known = [lag for lag in (tau, acceleration_tau) if lag is not None]
    return sum(known) if known else None


class SecondOrderCoefficients(NamedTuple):
    """Limits of the velocity model, lags of the acceleration, and the largest yaw rate [rad/s]."""

    limits: Limits
    acceleration_lags: Lags
    max_yaw_rate: float


class Lagged(NamedTuple):
    """A velocity that follows a reference by two lags: reference, middle and velocity [m/s]."""

    reference: Vector
    middle: Vector
    velocity: Vector


class SecondOrderState(NamedTuple):
    """Position [m, map], velocities [m/s, map], heading [rad] and yaw rate [rad/s]."""

    position: Vector
    lagged: Lagged
    yaw: float
    yaw_rate: float


def coefficients(parameters: SecondOrderParameters) -> SecondOrderCoefficients:
    """Return the coefficients used by ``step``."""
    return SecondOrderCoefficients(
        parameters.limits, parameters.acceleration_lags, parameters.max_yaw_rate
    )


def at_rest(position: Vector, yaw: float, _seed: int) -> SecondOrderState:
    """Return the state of a body at rest at a position [m] with a heading [rad]."""
    return SecondOrderState(position, Lagged(STILL, STILL, STILL), yaw, 0.0)


def followed(lagged: Lagged, reference: Vector, dt: float, lags: Lags) -> Lagged:
    """Return the velocities after a step in which the reference holds.

    Args:
        lagged: The velocities before.
        reference: The next reference [m/s].
        dt: Step [s].
        lags: Those of the acceleration.
    """
    rx, ry, rz = reference
    (mx, my, mz), (vx, vy, vz) = lagged.middle, lagged.velocity
    keep, ramp = weights(dt, lags[0])
    x, y = late(rx, mx, vx, keep, ramp), late(ry, my, vy, keep, ramp)
    keep, ramp = weights(dt, lags[1])
    z = late(rz, mz, vz, keep, ramp)
    return Lagged(reference, (x[0], y[0], z[0]), (x[1], y[1], z[1]))


def weights(dt: float, lag: float) -> tuple[float, float]:
    """Return the weights of what was before in two lags after ``dt`` [s]: kept, and passed on."""
    if math.isnan(lag):
        return 0.0, 0.0
    share = 2.0 * dt / lag
    keep = math.exp(-share)
    return keep, share * keep


def late(
    reference: float, middle: float, velocity: float, keep: float, ramp: float
) -> tuple[float, float]:
    """Return middle and velocity [m/s] of an axis after a step in which the reference holds."""
    ahead = middle - reference
    return reference + ahead * keep, reference + (velocity - reference) * keep + ahead * ramp


def step(
    model: SecondOrderCoefficients, state: SecondOrderState, command: Command, dt: float
) -> SecondOrderState:
    """Advance by ``dt`` [s]: velocities, position with the new velocity, and heading."""
    x, y, z = command.velocity
    if command.in_body:
        x, y = rotate_z(x, y, state.yaw)
    reference = next_velocity(state.lagged.reference, (x, y, z), dt, model.limits)
    lagged = followed(state.lagged, reference, dt, model.acceleration_lags)
    (px, py, pz), (vx, vy, vz) = state.position, lagged.velocity
    position = px + vx * dt, py + vy * dt, pz + vz * dt
    yaw_rate = limit_abs(command.yaw_rate, model.max_yaw_rate)
    return SecondOrderState(position, lagged, next_yaw(state.yaw, yaw_rate, dt), yaw_rate)


def motion(state: SecondOrderState) -> VehicleMotion:
    """Return the motion for the odometry."""
    return VehicleMotion(state.position, state.yaw, state.lagged.velocity, state.yaw_rate)


SECOND_ORDER = Vehicle(SecondOrderParameters, coefficients, at_rest, step, motion)
