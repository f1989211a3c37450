"""PX4's map: azimuthal equidistant on a sphere (not WGS84)."""

import math

RADIUS = 6_371_000.0
"""[m]"""


def to_local(lat: float, lon: float, ref_lat: float, ref_lon: float) -> tuple[float, float]:
    """Return north and east [m] of a place [deg] on the map about a reference [deg]."""
    phi, phi0, dlon = math.radians(lat), math.radians(ref_lat), math.radians(lon - ref_lon)
    sin0, cos0, sin1, cos1 = math.sin(phi0), math.cos(phi0), math.sin(phi), math.cos(phi)
    # Haversine: the arc cosine of the usual form loses half of the digits near the reference.
    h = math.sin(0.5 * (phi - phi0)) ** 2 + cos0 * cos1 * math.sin(0.5 * dlon) ** 2
    c = 2.0 * math.asin(min(1.0, math.sqrt(h)))
    k = RADIUS * (c / math.sin(c) if c > 1e-12 else 1.0)
    cos_dlon = math.cos(dlon)
    return k * (cos0 * sin1 - sin0 * cos1 * cos_dlon), k * cos1 * math.sin(dlon)


def to_global(x: float, y: float, ref_lat: float, ref_lon: float) -> tuple[float, float]:
    """Return latitude and longitude [deg] of a point north and east [m] of a reference."""
    c = math.hypot(x, y) / RADIUS
    if c < 1e-12:
        return ref_lat, ref_lon
    phi0 = math.radians(ref_lat)
    north, east = x / RADIUS, y / RADIUS
    sinc = math.sin(c) / c
    lat = math.asin(math.cos(c) * math.sin(phi0) + north * sinc * math.cos(phi0))
    lon = math.atan2(east * sinc, math.cos(phi0) * math.cos(c) - north * sinc * math.sin(phi0))
    return math.degrees(lat), ref_lon + math.degrees(lon)
