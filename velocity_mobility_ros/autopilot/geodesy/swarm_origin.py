"""The swarm's frame on Earth: ENU axes at an origin that all vehicles share, by WGS84.

The third coordinate is the height above the origin's, not the distance from its tangent plane:
vehicles that keep one height keep it at any distance (the plane is 0.31 m higher at 2 km).
"""

import functools
import math
from typing import NamedTuple

import pymap3d

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.model import Vector

WGS84 = pymap3d.Ellipsoid.from_name('wgs84')
"""Made once: pymap3d makes one at every call that names none."""


class SwarmOrigin(NamedTuple):
    """Origin of the swarm's frame.

    Attributes:
        latitude: [deg].
        longitude: [deg].
        altitude: Above mean sea level [m].
    """

    latitude: float
    longitude: float
    altitude: float


def check_origin(origin: SwarmOrigin) -> None:
    """Refuse a place that is not on Earth.

    Raises:
        ParameterError: A number is not finite or out of its range.
    """
    for name, value, most in (
        ('origin_latitude', origin.latitude, 90.0),
        ('origin_longitude', origin.longitude, 180.0),
        ('origin_altitude', origin.altitude, 9000.0),
    ):
        if not abs(value) <= most:
            raise ParameterError(f'{name} = {value!r} must be from {-most:g} to {most:g}')


def to_swarm(origin: SwarmOrigin, latitude: float, longitude: float, altitude: float) -> Vector:
    """Return the position [m] of a place in the swarm's frame.

    Args:
        origin: The swarm's origin.
        latitude: Of the place [deg].
        longitude: Of the place [deg].
        altitude: Of the place above mean sea level [m].
    """
    x, y, z = pymap3d.geodetic2ecef(latitude, longitude, altitude, WGS84)
    x0, y0, z0 = _ecef(origin)
    east, north, _ = pymap3d.uvw2enu(x - x0, y - y0, z - z0, origin.latitude, origin.longitude)
    return float(east), float(north), altitude - origin.altitude


@functools.lru_cache(maxsize=8)
def _ecef(origin: SwarmOrigin) -> Vector:
    """Return the place of an origin from the centre of the Earth [m]; it is needed often."""
    x, y, z = pymap3d.geodetic2ecef(*origin, WGS84)
    return float(x), float(y), float(z)


def distance(origin: SwarmOrigin, latitude: float, longitude: float) -> float:
    """Return the horizontal distance [m] of a place from the origin, for checks."""
    east, north, _ = to_swarm(origin, latitude, longitude, origin.altitude)
    return math.hypot(east, north)
