"""Messages of AP_DDS, with the attributes of the ROS messages."""

from types import SimpleNamespace

from support.ardupilot_emulator.copter import Copter
from support.ardupilot_emulator.estimate import Spot, enu, spot_of, stored
from velocity_mobility_ros.core.coordinate_frames import Quaternion, swapped_attitude

EPOCH = 1_790_000_000
"""Unix time [s] at time 0 of the emulator's clock."""


def header(now: float, frame: str = 'base_link') -> SimpleNamespace:
    """Return a header."""
    sec = int(now)
    stamp = SimpleNamespace(sec=EPOCH + sec, nanosec=int(1e9 * (now - sec)))
    return SimpleNamespace(stamp=stamp, frame_id=frame)


def vector(x: float, y: float, z: float) -> SimpleNamespace:
    """Return a Vector3 or a Point."""
    return SimpleNamespace(x=x, y=y, z=z)


def attitude(copter: Copter) -> Quaternion:
    """Return the attitude FLU to ENU (x, y, z, w)."""
    w, x, y, z = copter.body.truth.attitude
    return swapped_attitude((x, y, z, w))


def quaternion(copter: Copter) -> SimpleNamespace:
    """Return the attitude as a message."""
    x, y, z, w = attitude(copter)
    return SimpleNamespace(x=x, y=y, z=z, w=w)


def pose(copter: Copter, now: float, origin: Spot) -> SimpleNamespace:
    """Return a PoseStamped about a place."""
    at = vector(*enu(origin, spot_of(copter.body.truth)))
    return SimpleNamespace(
        header=header(now), pose=SimpleNamespace(position=at, orientation=quaternion(copter))
    )


def geopose(copter: Copter, now: float) -> SimpleNamespace:
    """Return a GeoPoseStamped; without a position its fields stay 0."""
    at = geopoint(spot_of(copter.body.truth), now).position
    if not copter.has_position:
        at = SimpleNamespace(latitude=0.0, longitude=0.0, altitude=0.0)
    return SimpleNamespace(
        header=header(now), pose=SimpleNamespace(position=at, orientation=quaternion(copter))
    )


def geopoint(spot: Spot, now: float) -> SimpleNamespace:
    """Return a GeoPointStamped."""
    at = SimpleNamespace(
        latitude=stored(spot.latitude), longitude=stored(spot.longitude),
        altitude=round(spot.altitude, 2),
    )  # fmt: skip
    return SimpleNamespace(header=header(now), position=at)


def twist(copter: Copter, now: float) -> SimpleNamespace:
    """Return a TwistStamped: linear along ENU axes, angular along those of the body."""
    p, q, r = copter.body.truth.rates
    return SimpleNamespace(
        header=header(now),
        twist=SimpleNamespace(linear=vector(*copter.velocity), angular=vector(p, -q, -r)),
    )


def fix(copter: Copter, now: float, deviation: float) -> SimpleNamespace:
    """Return a NavSatFix."""
    at = geopoint(spot_of(copter.body.truth), now).position
    variance = deviation * deviation
    return SimpleNamespace(
        header=header(now, '0'), status=SimpleNamespace(status=0 if copter.has_position else -1),
        latitude=at.latitude, longitude=at.longitude, altitude=at.altitude,
        position_covariance=[variance, 0.0, 0.0, 0.0, variance, 0.0, 0.0, 0.0, 4.0 * variance],
        position_covariance_type=2,
    )  # fmt: skip
