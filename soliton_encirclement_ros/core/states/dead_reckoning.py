"""Motion of a body by dead reckoning; the acceleration is horizontal."""

from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector


class Motion(NamedTuple):
    """Position [m] and velocity [m/s] in map, horizontal acceleration [m/s^2]."""

    position: Vector
    velocity: Vector
    acceleration: tuple[float, float]


def moved(motion: Motion, dt: float) -> Motion:
    """Return the motion a time [s] later at constant acceleration."""
    (x, y, z), (vx, vy, vz), (ax, ay) = motion
    half = 0.5 * dt * dt
    position = (x + vx * dt + ax * half, y + vy * dt + ay * half, z + vz * dt)
    return Motion(position, (vx + ax * dt, vy + ay * dt, vz), motion.acceleration)
