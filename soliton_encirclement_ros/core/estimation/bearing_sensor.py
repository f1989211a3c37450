"""The camera of an agent: noise, rate, field of view and largest range of its bearings.

    d' = (d + sigma (n_1 e_1 + n_2 e_2)) / |...|        range' = |range + sigma_r n_3|

with the true direction d from the camera to the target, two unit vectors across it (e_1 is
horizontal) and independent standard normal numbers: the noise of a position on the image plane.
The camera is fixed to the airframe: the target is seen within half the field of view of the
body's forward axis. Agents do not measure at the same time: the k-th is one control period later
than the one before. Every number depends on the seed and the tick alone.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.estimation.information import dot, moved
from soliton_encirclement_ros.core.parameters.target_parameters import TargetSensingParameters
from soliton_encirclement_ros.core.ring.ring_geometry import length
from velocity_mobility_ros.core.coordinate_frames import Quaternion, rotate
from velocity_mobility_ros.core.random_numbers import hashed, normal_pair
from velocity_mobility_ros.core.velocity_model import Vector

DRAWS = 2
"""Pairs of random numbers of a measurement."""

CLOSEST = 1e-6
"""Distance [m] below which there is no direction to the target."""


class CameraCoefficients(NamedTuple):
    """Numbers of the camera of an agent.

    Attributes:
        noise: Deviation of the bearing [rad].
        range_noise: Deviation of the range [m]; NaN: it is not measured.
        period: Ticks between two measurements.
        phase: Tick of the first, below the period.
        edge: Cosine of half the field of view.
        reach: Largest distance [m]; 0: there is no camera.
    """

    noise: float
    range_noise: float
    period: int
    phase: int
    edge: float
    reach: float


class Bearing(NamedTuple):
    """A measurement: whether there is one, a unit vector in map, the range [m] or NaN."""

    is_there: bool
    direction: Vector
    distance: float


NO_BEARING = Bearing(False, (1.0, 0.0, 0.0), math.nan)

UNSEEN: Vector = (0.0, 0.0, 0.0)
"""The vector of a camera that does not see the target."""


def camera_coefficients(
    sensing: TargetSensingParameters, control_period: float, agent_id: int
) -> CameraCoefficients:
    """Return the numbers of the camera of an agent.

    Args:
        sensing: The parameters.
        control_period: Time between two ticks [s].
        agent_id: Number k of ``uav_k``.
    """
    period = max(1, round(1.0 / (sensing.bearing_rate * control_period)))
    return CameraCoefficients(
        math.radians(sensing.bearing_noise_deg),
        math.nan if sensing.range_noise is None else sensing.range_noise,
        period,
        agent_id % period,
        math.cos(math.radians(sensing.field_of_view_deg / 2.0)),
        0.0 if str(agent_id) in sensing.blind_agents.split() else sensing.sensor_range,
    )


def measured(
    camera: CameraCoefficients,
    seed: int,
    tick: int,
    place: Vector,
    rotation: Quaternion,
    target: Vector,
) -> Vector:
    """Return the measurement of a camera at a tick: a vector towards the target, in map.

    Its length is the measured range [m], 1 if none is measured; zeros: nothing is in sight.

    Args:
        camera: Its parameters.
        seed: Seed of its random numbers, from 0 to 2^53.
        tick: The tick.
        place: Where it is [m, map].
        rotation: Unit quaternion from the body to map.
        target: Where the target is [m, map].
    """
    if tick % camera.period != camera.phase:
        return UNSEEN
    offset = moved(target, place, -1.0)
    distance = math.sqrt(dot(offset, offset))
    if not CLOSEST < distance <= camera.reach:
        return UNSEEN
    d = (offset[0] / distance, offset[1] / distance, offset[2] / distance)
    if camera.edge > -1.0 and dot(rotate(rotation, (1.0, 0.0, 0.0)), d) < camera.edge:
        return UNSEEN
    key, first = hashed(seed, DRAWS), DRAWS * tick
    n1, n2 = normal_pair(key, first)
    noisy = misread(d, camera.noise * n1, camera.noise * n2)
    if math.isnan(camera.range_noise):
        return noisy
    n3, _ = normal_pair(key, first + 1)
    return moved(UNSEEN, noisy, abs(distance + camera.range_noise * n3))


def read(vector: Vector, has_range: bool) -> Bearing:
    """Return a measured vector as a bearing, with its length as range [m] if that is measured."""
    size = math.sqrt(dot(vector, vector))
    if not CLOSEST < size < math.inf:
        return NO_BEARING
    direction = (vector[0] / size, vector[1] / size, vector[2] / size)
    return Bearing(True, direction, size if has_range else math.nan)


def misread(d: Vector, a: float, b: float) -> Vector:
    """Return a unit vector shifted along both axes of the image plane [rad, small], normalised."""
    level = length(d[0], d[1])
    e = (-d[1] / level, d[0] / level, 0.0) if level > CLOSEST else (1.0, 0.0, 0.0)
    f = (d[1] * e[2] - d[2] * e[1], d[2] * e[0] - d[0] * e[2], d[0] * e[1] - d[1] * e[0])
    shifted = moved(moved(d, e, a), f, b)
    size = math.sqrt(dot(shifted, shifted))
    return shifted[0] / size, shifted[1] / size, shifted[2] / size
