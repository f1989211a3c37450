"""The true Earth: how latitude and longitude change when a vehicle moves (WGS84)."""

import math

A = 6_378_137.0
E2 = 6.694379990141e-3
"""Semi-major axis [m] and the square of the eccentricity."""


def moved(lat: float, lon: float, alt: float, north: float, east: float) -> tuple[float, float]:
    """Return the place [deg] a short way [m] north and east, by the radii of curvature."""
    phi = math.radians(lat)
    w2 = 1.0 - E2 * math.sin(phi) ** 2
    w = math.sqrt(w2)
    meridian, transverse = A * (1.0 - E2) / (w2 * w), A / w
    return (
        lat + math.degrees(north / (meridian + alt)),
        lon + math.degrees(east / ((transverse + alt) * math.cos(phi))),
    )
