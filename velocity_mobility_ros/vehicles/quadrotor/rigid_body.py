"""The body of a quadrotor under four rotors, drag, wind and gravity.

    m dv/dt = R e_z F - m g e_z + R D
    I dw/dt = M - w x (I w) - w x (h e_z)

with the attitude R, the thrust F, the drag D in the air (``drag.py``), the torque M of the rotors
and their angular momentum h: the equations of Newton and Euler, as in Mahony, Kumar and Corke,
Multirotor Aerial Vehicles (2012). Semi-implicit Euler: velocities
first, then the pose with the new ones. Map is ENU, the body's axes are forward, left and up.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.frames import Quaternion, rotate
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.vehicles.quadrotor.airframe import airframe
from velocity_mobility_ros.vehicles.quadrotor.airframe_parameters import AirframeParameters
from velocity_mobility_ros.vehicles.quadrotor.attitude import heading, level, turned
from velocity_mobility_ros.vehicles.quadrotor.drag import Drag, drag_force, drag_of
from velocity_mobility_ros.vehicles.quadrotor.rotors import Four

SLIDING_TIME = 0.1
"""Time constant of a body that slides on the ground [s]."""

STILL: Vector = (0.0, 0.0, 0.0)


class BodyMeans(NamedTuple):
    """A rigid body.

    Attributes:
        per_mass: One by its mass [1/kg].
        weight: Its weight [N].
        drag: Its drag in the air.
        inertia: Moments of inertia about its axes [kg m^2].
        per_inertia: One by these [1/(kg m^2)].
        rotor_x: Distance of the rotors forward or backward [m].
        rotor_y: Distance of the rotors left or right [m].
        ground: Height of the ground [m]; NaN: none.
        sliding: Share of its speed that is left after a step on the ground.
    """

    per_mass: float
    weight: float
    drag: Drag
    inertia: Vector
    per_inertia: Vector
    rotor_x: float
    rotor_y: float
    ground: float
    sliding: float


class BodyState(NamedTuple):
    """Position [m, map], velocity [m/s, map], attitude (body to map), body rates [rad/s]."""

    position: Vector
    velocity: Vector
    attitude: Quaternion
    rates: Vector


def body_means(parameters: AirframeParameters, ground: float | None, dt: float) -> BodyMeans:
    """Return the body of an airframe.

    Args:
        parameters: The airframe.
        ground: Height of the ground [m], None for none.
        dt: Step [s].
    """
    inertia = parameters.inertia_xx, parameters.inertia_yy, parameters.inertia_zz
    return BodyMeans(
        per_mass=1.0 / parameters.mass,
        weight=airframe(parameters).weight,
        drag=drag_of(parameters),
        inertia=inertia,
        per_inertia=(1.0 / inertia[0], 1.0 / inertia[1], 1.0 / inertia[2]),
        rotor_x=parameters.rotor_x,
        rotor_y=parameters.rotor_y,
        ground=math.nan if ground is None else ground,
        sliding=math.exp(-dt / SLIDING_TIME),
    )


def total(four: Four) -> float:
    """Return the sum for four rotors; of equal numbers it is exact."""
    return (four[0] + four[1]) + (four[2] + four[3])


def torque(means: BodyMeans, thrusts: Four, torques: Four) -> Vector:
    """Return the torque [N m, body] of four rotors, from their thrusts [N] and torques [N m]."""
    left = (thrusts[1] + thrusts[2]) - (thrusts[0] + thrusts[3])
    front = (thrusts[0] + thrusts[2]) - (thrusts[1] + thrusts[3])
    return means.rotor_y * left, -means.rotor_x * front, total(torques)


def gyroscopic(inertia: Vector, rates: Vector) -> Vector:
    """Return ``w x (I w)`` [N m] of body rates [rad/s]."""
    x, y, z = rates
    ix, iy, iz = inertia
    return (iz - iy) * y * z, (ix - iz) * z * x, (iy - ix) * x * y


def acceleration(means: BodyMeans, body: BodyState, thrust: float, wind: Vector) -> Vector:
    """Return the acceleration [m/s^2, map].

    Args:
        means: The body.
        body: Its state.
        thrust: Thrust along its up axis [N].
        wind: Velocity of the air [m/s, map].
    """
    vx, vy, vz = body.velocity
    air = vx - wind[0], vy - wind[1], vz - wind[2]
    dx, dy, dz = drag_force(means.drag, body.attitude, air)
    fx, fy, fz = rotate(body.attitude, (dx, dy, thrust + dz))
    return fx * means.per_mass, fy * means.per_mass, (fz - means.weight) * means.per_mass


def angular_acceleration(
    means: BodyMeans, rates: Vector, torque: Vector, momentum: float
) -> Vector:
    """Return the angular acceleration [rad/s^2, body].

    Args:
        means: The body.
        rates: Body rates [rad/s].
        torque: Torque [N m, body].
        momentum: Angular momentum of the rotors about the up axis [N m s].
    """
    gx, gy, gz = gyroscopic(means.inertia, rates)
    px, py, pz = means.per_inertia
    return (
        (torque[0] - momentum * rates[1] - gx) * px,
        (torque[1] + momentum * rates[0] - gy) * py,
        (torque[2] - gz) * pz,
    )


def moved(body: BodyState, linear: Vector, angular: Vector, dt: float) -> BodyState:
    """Return the body after ``dt`` [s] under accelerations [m/s^2, map] and [rad/s^2, body]."""
    vx, vy, vz = body.velocity
    vx, vy, vz = vx + linear[0] * dt, vy + linear[1] * dt, vz + linear[2] * dt
    x, y, z = body.position
    wx, wy, wz = body.rates
    rates = wx + angular[0] * dt, wy + angular[1] * dt, wz + angular[2] * dt
    return BodyState(
        (x + vx * dt, y + vy * dt, z + vz * dt),
        (vx, vy, vz),
        turned(body.attitude, rates, dt),
        rates,
    )


def landed(means: BodyMeans, body: BodyState) -> BodyState:
    """Return the body on the ground where it would be below: level, not turning, sliding."""
    x, y, z = body.position
    vx, vy, vz = body.velocity
    if not (z < means.ground and vz < 0.0):
        return body
    return BodyState(
        (x, y, means.ground),
        (vx * means.sliding, vy * means.sliding, 0.0),
        level(heading(body.attitude)),
        STILL,
    )
