"""Drag of a quadrotor: of its rotors, with the speed, and of its body, with the square of it.

    F = -(K + rho/2 |v| A) R^T v

in the axes of the body, K the linear drag of the rotors as in Faessler, Franchi and Scaramuzza
(2018), A the drag areas: drag coefficient times the area seen along each axis. The coefficient of
a bluff body hardly depends on the speed, see Hoerner, Fluid-Dynamic Drag (1965).
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.frames import Quaternion, inverse, rotate
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.vehicles.quadrotor.airframe_parameters import AirframeParameters


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
