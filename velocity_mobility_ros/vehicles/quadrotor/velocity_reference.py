"""Reference of the velocity loop: how the velocity should follow its command."""

import math

from velocity_mobility_ros.core.model import Vector, change_xy, change_z
from velocity_mobility_ros.vehicles.quadrotor.velocity_means import VelocityMeans


def followed(
    means: VelocityMeans, reference: Vector, target: Vector, dt: float
) -> tuple[Vector, Vector, Vector]:
    """Return what the velocity should be now [m/s], the reference after ``dt`` [s], its change.

    The reference follows the commanded velocity as the velocity model does, by its lag and within
    the largest acceleration; without a lag it is the command. Its change is in [m/s^2].
    """
    x, y, z = reference
    dx = dy = dz = 0.0
    if math.isnan(means.reference_tau_xy):
        x, y = target[0], target[1]
    else:
        dx, dy = change_xy(target[0] - x, target[1] - y, dt, means.acc_xy, means.reference_tau_xy)
    if math.isnan(means.reference_tau_z):
        z = target[2]
    else:
        most = means.acc_up if target[2] > z else means.acc_down
        dz = change_z(target[2] - z, dt, most, means.reference_tau_z)
    return (x, y, z), (x + dx, y + dy, z + dz), (dx / dt, dy / dt, dz / dt)
