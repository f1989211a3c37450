"""Where the vehicle believes to be: its origin, its home, and the truth."""

import math
from typing import NamedTuple

import numpy as np

from support.px4_emulator.estimate import wgs84
from support.px4_emulator.flight.body import Truth


class Spot(NamedTuple):
    """A place on Earth: latitude and longitude [deg], altitude [m]."""

    latitude: float
    longitude: float
    altitude: float


def spot_of(truth: Truth) -> Spot:
    """Return the true place."""
    return Spot(truth.latitude, truth.longitude, truth.altitude)


def shifted(spot: Spot, east: float, north: float) -> Spot:
    """Return a place some metres away."""
    return Spot(*wgs84.moved(*spot, north, east), spot.altitude)


def enu(origin: Spot, spot: Spot) -> tuple[float, float, float]:
    """Return east, north, up [m] of a near place; inverse of ``wgs84.moved``."""
    north, east = wgs84.moved(*origin, 1.0, 1.0)
    return (
        (spot.longitude - origin.longitude) / (east - origin.longitude),
        (spot.latitude - origin.latitude) / (north - origin.latitude),
        spot.altitude - origin.altitude,
    )


def stored(degrees: float) -> float:
    """Return a latitude or longitude [deg] as AP_DDS tells it.

    It is stored in whole 1e-7 deg; the firmware's constants are 32-bit numbers, so that the
    product has 24 bits. Seen on ArduCopter 4.7-dev.
    """
    return float(np.float32(round(degrees * 1e7)) * np.float32(1e-7))


def yaw_enu(truth: Truth) -> float:
    """Return the heading from east, counter-clockwise [rad]."""
    return math.remainder(0.5 * math.pi - truth.heading, 2.0 * math.pi)
