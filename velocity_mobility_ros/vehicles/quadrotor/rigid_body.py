"""The body of a quadrotor under four rotors, drag, wind and gravity.

    m dv/dt = R e_z F - m g e_z + R D
    I dw/dt = M - w x (I w) - w x (h e_z)

with the attitude R, the thrust F, the drag D in the air, the torque M of the rotors and their
angular momentum h: the equations of Newton and Euler, as in Mahony, Kumar and Corke, Multirotor
Aerial Vehicles (2012). Semi-implicit Euler: velocities first, then the pose with the new ones. Map
is ENU, the body's axes are forward, left and up.

The drag is that of the rotors, with the speed, and that of the body, with the square of it.

    F = -(K + rho/2 |v| A) R^T v

in the axes of the body, K the linear drag of the rotors as in Faessler, Franchi and Scaramuzza
(2018), A the drag areas: drag coefficient times the area seen along each axis. The coefficient of
a bluff body hardly depends on the speed, see Hoerner, Fluid-Dynamic Drag (1965).

Attitudes are unit quaternions (x, y, z, w), body to map. Heading, roll and pitch are the Z-Y-X
angles (REP-103). See Diebel, Representing Attitude (2006).
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.coordinate_frames import (
    Quaternion, inverse, multiply, rotate, unit
)
from velocity_mobility_ros.core.velocity_model import Vector, clip
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import (
    AirframeParameters, airframe
)
from velocity_mobility_ros.vehicles.quadrotor.rotors import Four

SERIES_ANGLE_2 = 0.01
"""Square of the half angle [rad^2] below which the series is exact to rounding."""


def heading(attitude: Quaternion) -> float:
    """Return the heading [rad] of an attitude."""
    x, y, z, w = attitude
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def roll_pitch(attitude: Quaternion) -> tuple[float, float]:
    """Return roll and pitch [rad] of an attitude."""
    x, y, z, w = attitude
    roll = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    return roll, math.asin(clip(2.0 * (w * y - z * x), -1.0, 1.0))


def heading_rate(attitude: Quaternion, rates: Vector) -> float:
    """Return the rate of change of the heading [rad/s]; nose up or down the body's yaw rate.

    ``(wy sin(roll) + wz cos(roll)) / cos(pitch)``, without the angles.
    """
    x, y, z, w = attitude
    across = 2.0 * (w * x + y * z)
    along = 1.0 - 2.0 * (x * x + y * y)
    sine = 2.0 * (w * y - z * x)
    square = 1.0 - sine * sine
    if square <= 0.0:
        return rates[2]
    return (across * rates[1] + along * rates[2]) / square


def level(yaw: float) -> Quaternion:
    """Return the attitude of a level body with a heading [rad]."""
    return 0.0, 0.0, math.sin(yaw / 2.0), math.cos(yaw / 2.0)


def turned(attitude: Quaternion, rates: Vector, dt: float) -> Quaternion:
    """Return the attitude after turning at constant body rates [rad/s] for ``dt`` [s].

    The quaternion exponential ``q exp(w dt / 2)``. At the small angles of one step the series of
    sine and cosine is as exact as the functions and needs neither them nor a root.
    """
    half = 0.5 * dt
    hx, hy, hz = rates[0] * half, rates[1] * half, rates[2] * half
    square = hx * hx + hy * hy + hz * hz
    if square < SERIES_ANGLE_2:
        sinc = 1.0 - square / 6.0 * (
            1.0 - square / 20.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0))
        )
        cosine = 1.0 - square / 2.0 * (
            1.0 - square / 12.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0))
        )
    else:
        angle = math.sqrt(square)
        sinc = math.sin(angle) / angle
        cosine = math.cos(angle)
    return unit(multiply(attitude, (hx * sinc, hy * sinc, hz * sinc, cosine)))


def tilted(zx: float, zy: float, zz: float, yaw: float) -> Quaternion:
    """Return the attitude with an up axis and with a left axis across a heading.

    Args:
        zx: Unit vector of the up axis in map; ``zz`` > 0.
        zy: Its second component.
        zz: Its third component.
        yaw: Heading [rad] to which the left axis is perpendicular: ``Rz(yaw) Rx Ry``, as in
            Mellinger and Kumar, Minimum snap trajectory generation (ICRA 2011).
    """
    c, s = math.cos(yaw), math.sin(yaw)
    ahead, left = c * zx + s * zy, c * zy - s * zx
    upright = math.sqrt(left * left + zz * zz)
    sx, cx = half_angle(-left / upright, zz / upright)
    sy, cy = half_angle(ahead, upright)
    return multiply(level(yaw), (sx * cy, cx * sy, sx * sy, cx * cy))


def half_angle(sine: float, cosine: float) -> tuple[float, float]:
    """Return sine and cosine of half an angle, which is between -pi and pi."""
    half = math.sqrt(0.5 * (1.0 + cosine))
    return 0.5 * sine / half, half


class Drag(NamedTuple):
    """Drag along the body's axes: forward, left, up.

    Attributes:
        linear: The diagonal of K [N s/m].
        square: Half the density of the air times the drag areas [N s^2/m^2].
        fastest: Speed above which the drag of the body grows in proportion only [m/s].
    """

    linear: Vector
    square: Vector
    fastest: float


def drag_of(parameters: AirframeParameters, share: float = 1.0, fastest: float = math.inf) -> Drag:
    """Return a share of the drag of an airframe, by the square up to a speed [m/s]."""
    half = 0.5 * share * parameters.air_density
    return Drag(
        (share * parameters.drag_x, share * parameters.drag_y, share * parameters.drag_z),
        (
            half * parameters.drag_area_x,
            half * parameters.drag_area_y,
            half * parameters.drag_area_z,
        ),
        fastest,
    )


def drag_force(drag: Drag, attitude: Quaternion, velocity: Vector) -> Vector:
    """Return the drag [N, body].

    Args:
        drag: Drag along the body's axes.
        attitude: Attitude, body to map.
        velocity: Velocity of the body in the air [m/s, map].
    """
    x, y, z = rotate(inverse(attitude), velocity)
    speed = min(math.sqrt(x * x + y * y + z * z), drag.fastest)
    return (
        -(drag.linear[0] + drag.square[0] * speed) * x,
        -(drag.linear[1] + drag.square[1] * speed) * y,
        -(drag.linear[2] + drag.square[2] * speed) * z,
    )


SLIDING_TIME = 0.1
"""Time constant of a body that slides on the ground [s]."""

STILL: Vector = (0.0, 0.0, 0.0)


class BodyCoefficients(NamedTuple):
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


class RigidBodyState(NamedTuple):
    """Position [m, map], velocity [m/s, map], attitude (body to map), body rates [rad/s]."""

    position: Vector
    velocity: Vector
    attitude: Quaternion
    rates: Vector


def body_coefficients(
    parameters: AirframeParameters, ground: float | None, dt: float
) -> BodyCoefficients:
    """Return the body of an airframe.

    Args:
        parameters: The airframe.
        ground: Height of the ground [m], None for none.
        dt: Step [s].
    """
    inertia = parameters.inertia_xx, parameters.inertia_yy, parameters.inertia_zz
    return BodyCoefficients(
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


def torque(model: BodyCoefficients, thrusts: Four, torques: Four) -> Vector:
    """Return the torque [N m, body] of four rotors, from their thrusts [N] and torques [N m]."""
    left = (thrusts[1] + thrusts[2]) - (thrusts[0] + thrusts[3])
    front = (thrusts[0] + thrusts[2]) - (thrusts[1] + thrusts[3])
    return model.rotor_y * left, -model.rotor_x * front, total(torques)


def gyroscopic(inertia: Vector, rates: Vector) -> Vector:
    """Return ``w x (I w)`` [N m] of body rates [rad/s]."""
    x, y, z = rates
    ix, iy, iz = inertia
    return (iz - iy) * y * z, (ix - iz) * z * x, (iy - ix) * x * y


def acceleration(model: BodyCoefficients, body: RigidBodyState, thrust: float, wind: Vector) -> Vector:
    """Return the acceleration [m/s^2, map].

    Args:
        model: The body.
        body: Its state.
        thrust: Thrust along its up axis [N].
        wind: Velocity of the air [m/s, map].
    """
    vx, vy, vz = body.velocity
    air = vx - wind[0], vy - wind[1], vz - wind[2]
    dx, dy, dz = drag_force(model.drag, body.attitude, air)
    fx, fy, fz = rotate(body.attitude, (dx, dy, thrust + dz))
    return fx * model.per_mass, fy * model.per_mass, (fz - model.weight) * model.per_mass


def angular_acceleration(
    model: BodyCoefficients, rates: Vector, torque: Vector, momentum: float
) -> Vector:
    """Return the angular acceleration [rad/s^2, body].

    Args:
        model: The body.
        rates: Body rates [rad/s].
        torque: Torque [N m, body].
        momentum: Angular momentum of the rotors about the up axis [N m s].
    """
    gx, gy, gz = gyroscopic(model.inertia, rates)
    px, py, pz = model.per_inertia
    return (
        (torque[0] - momentum * rates[1] - gx) * px,
        (torque[1] + momentum * rates[0] - gy) * py,
        (torque[2] - gz) * pz,
    )


def moved(body: RigidBodyState, linear: Vector, angular: Vector, dt: float) -> RigidBodyState:
    """Return the body after ``dt`` [s] under accelerations [m/s^2, map] and [rad/s^2, body]."""
    vx, vy, vz = body.velocity
    vx, vy, vz = vx + linear[0] * dt, vy + linear[1] * dt, vz + linear[2] * dt
    x, y, z = body.position
    wx, wy, wz = body.rates
    rates = wx + angular[0] * dt, wy + angular[1] * dt, wz + angular[2] * dt
    return RigidBodyState(
        (x + vx * dt, y + vy * dt, z + vz * dt),
        (vx, vy, vz),
        turned(body.attitude, rates, dt),
        rates,
    )


def landed(model: BodyCoefficients, body: RigidBodyState) -> RigidBodyState:
    """Return the body on the ground where it would be below: level, not turning, sliding."""
    x, y, z = body.position
    vx, vy, vz = body.velocity
    if not (z < model.ground and vz < 0.0):
        return body
    return RigidBodyState(
        (x, y, model.ground),
        (vx * model.sliding, vy * model.sliding, 0.0),
        level(heading(body.attitude)),
        STILL,
    )
