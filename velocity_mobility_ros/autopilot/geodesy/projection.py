"""PX4's map between latitude, longitude and its local plane.

Azimuthal equidistant projection of a sphere about a reference, as in PX4's ``MapProjection``. It
is not the plane of WGS84: 500 m from the reference they differ by up to 2.8 m.

    forward:  c = angle between reference and place,  k = c / sin c
              north = R k (cos p0 sin p - sin p0 cos p cos dl),  east = R k cos p sin dl
    inverse:  c = |(north, east)| / R
              p = asin(cos c sin p0 + north / R  sin c / c  cos p0)
              l = l0 + atan2(east / R  sin c, c cos p0 cos c - north / R  sin p0 sin c)

with latitude p and longitude l. Source: Snyder, Map Projections (USGS 1395), chapter 25.
"""

import math

from velocity_mobility_ros.core.frames import wrap_pi

RADIUS = 6_371_000.0
"""Radius of PX4's sphere [m]."""


def project(
    reference: tuple[float, float], latitude: float, longitude: float
) -> tuple[float, float]:
    """Return north and east [m] of a place.

    Args:
        reference: Latitude and longitude of the reference [deg].
        latitude: Of the place [deg].
        longitude: Of the place [deg].
    """
    p0, p = math.radians(reference[0]), math.radians(latitude)
    dl = math.radians(longitude - reference[1])
    north = math.cos(p0) * math.sin(p) - math.sin(p0) * math.cos(p) * math.cos(dl)
    east = math.cos(p) * math.sin(dl)
    along = math.sin(p0) * math.sin(p) + math.cos(p0) * math.cos(p) * math.cos(dl)
    sine = math.sqrt(north * north + east * east)
    scale = RADIUS * (math.atan2(sine, along) / sine if sine > 0.0 else 1.0)
    return scale * north, scale * east


def unproject(reference: tuple[float, float], north: float, east: float) -> tuple[float, float]:
    """Return latitude and longitude [deg] of a place, the inverse of ``project``.

    Args:
        reference: Latitude and longitude of the reference [deg].
        north: Of the place [m].
        east: Of the place [m].
    """
    p0, x, y = math.radians(reference[0]), north / RADIUS, east / RADIUS
    c = math.sqrt(x * x + y * y)
    shape = math.sin(c) / c if c > 0.0 else 1.0
    sine = math.cos(c) * math.sin(p0) + x * shape * math.cos(p0)
    across = y * shape
    along = math.cos(p0) * math.cos(c) - x * math.sin(p0) * shape
    latitude = math.atan2(sine, math.sqrt(across * across + along * along))
    longitude = math.radians(reference[1]) + math.atan2(across, along)
    return math.degrees(latitude), math.degrees(wrap_pi(longitude))
