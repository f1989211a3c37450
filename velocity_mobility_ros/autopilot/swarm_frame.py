"""One frame for a whole swarm, and where the local frame of one vehicle lies in it.

An estimator puts its origin where it began, so each vehicle has one of its own, and may move it
in flight. Nothing is converted while the place of the local frame is not known.

The swarm's frame on Earth has ENU axes at an origin that all vehicles share, by WGS84.
The third coordinate is the height above the origin's, not the distance from its tangent plane:
vehicles that keep one height keep it at any distance (the plane is 0.31 m higher at 2 km).

The local frame of PX4 is its own map between latitude, longitude and a plane.

Azimuthal equidistant projection of a sphere about a reference, as in PX4's ``MapProjection``. It
is not the plane of WGS84: 500 m from the reference they differ by up to 2.8 m.

    forward:  c = angle between reference and place,  k = c / sin c
              north = R k (cos p0 sin p - sin p0 cos p cos dl),  east = R k cos p sin dl
    inverse:  c = |(north, east)| / R
              p = asin(cos c sin p0 + north / R  sin c / c  cos p0)
              l = l0 + atan2(east / R  sin c, c cos p0 cos c - north / R  sin p0 sin c)

with latitude p and longitude l. Source: Snyder, Map Projections (USGS 1395), chapter 25.
"""

import functools
import math
from dataclasses import dataclass
from typing import NamedTuple

import pymap3d

from velocity_mobility_ros.autopilot.autopilot_reports import COUNTS, LocalPosition, Reference
from velocity_mobility_ros.core.coordinate_frames import rotate_z, wrap_pi
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import Vector

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


GNSS, STATIC, MOCAP = 'gnss', 'static', 'mocap'
AMSL, TAKEOFF_RELATIVE = 'amsl', 'takeoff_relative'


@dataclass(frozen=True)
class FrameParameters(Parameters):
    """How the local frame of a vehicle lies in the frame of the swarm."""

    origin_mode: str = parameter(
        GNSS, 'how vehicles know where they are among each other: by GNSS about one origin, by '
        'fixed starting places, or by a motion capture whose frame is that of the swarm',
        choices=(GNSS, STATIC, MOCAP),
    )  # fmt: skip
    origin_latitude: float = parameter(
        0.0, 'latitude of the origin of the swarm', unit='deg', minimum=-90.0, maximum=90.0,
        only_with={'origin_mode': GNSS},
    )  # fmt: skip
    origin_longitude: float = parameter(
        0.0, 'its longitude', unit='deg', minimum=-180.0, maximum=180.0,
        only_with={'origin_mode': GNSS},
    )  # fmt: skip
    origin_altitude: float = parameter(
        0.0, 'its altitude above mean sea level', unit='m', minimum=-9000.0, maximum=9000.0,
        only_with={'origin_mode': GNSS},
    )  # fmt: skip
    max_origin_distance: float = parameter(
        10_000.0, 'distance from it beyond which a vehicle is refused', unit='m', above=0.0,
        only_with={'origin_mode': GNSS},
    )  # fmt: skip
    z_offset_mode: str = parameter(
        TAKEOFF_RELATIVE, 'heights: from the ground on which the vehicle stood, or by the '
        'altitude that its receiver reports, which differs by metres from vehicle to vehicle',
        choices=(TAKEOFF_RELATIVE, AMSL),
    )  # fmt: skip
    pad_height: float = parameter(
        0.0, 'height of that ground in the frame of the swarm', unit='m',
        only_with={'z_offset_mode': TAKEOFF_RELATIVE},
    )  # fmt: skip
    spawn_east: float = parameter(
        0.0, 'where the local frame of the vehicle has its origin', unit='m',
        only_with={'origin_mode': STATIC},
    )  # fmt: skip
    spawn_north: float = parameter(0.0, 'the same', unit='m', only_with={'origin_mode': STATIC})
    spawn_yaw: float = parameter(
        0.0, 'by how much it is turned counter-clockwise', unit='rad',
        only_with={'origin_mode': STATIC},
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse a swarm by GNSS without an origin."""
        super().__post_init__()
        if self.origin_mode == GNSS and (self.origin_latitude, self.origin_longitude) == (0, 0):
            raise ParameterError(
                'origin_latitude and origin_longitude are not set; origin_mode = gnss needs the '
                'same origin for all vehicles, such as the place of the landing field'
            )

    @property
    def origin(self) -> SwarmOrigin:
        """The origin."""
        return SwarmOrigin(self.origin_latitude, self.origin_longitude, self.origin_altitude)


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


class SwarmFrame(NamedTuple):
    """State of a vehicle's local frame.

    Attributes:
        reference: Place of its origin on Earth; None: not known.
        ground: Height of the ground in the local frame [m]; NaN: not known.
        armed_us: The autopilot's time of the arming for which it holds [us]; 0: none yet.
        forgotten: Why a height that was kept is not used; empty: it is, or has not been looked at.
        z: Height of the vehicle in the local frame [m].
        z_jumps: Counter of the estimator's jumps of that height.
        epoch: How often the frame has changed.
        place_fault: Why the place of its origin is refused; empty if it is not.
        fault: Why positions cannot be converted; empty if they can.
    """

    reference: Reference | None = None
    ground: float = math.nan
    armed_us: int = 0
    forgotten: str = ''
    z: float = math.nan
    z_jumps: int = 0
    epoch: int = 0
    place_fault: str = 'the place of the local origin is not known: no GNSS position yet'
    fault: str = 'no local position has arrived yet'


def updated(
    settings: FrameParameters, frame: SwarmFrame, local: LocalPosition, stands: bool
) -> SwarmFrame:
    """Return the frame after a report of the local position.

    Args:
        settings: How frames lie.
        frame: What was known.
        local: The report.
        stands: Whether the vehicle stands on the ground, disarmed: then its height is that of
            the ground.
    """
    frame, place = _with_ground(frame, local, stands), local.reference
    # Without GNSS the estimator does not tell its origin any more, which stays where it is.
    if settings.origin_mode == GNSS and place is not None and place != frame.reference:
        frame = frame._replace(
            reference=place, epoch=frame.epoch + 1, place_fault=_place_fault(settings, place)
        )
    return frame._replace(fault=conversion_fault(settings, frame))


def _with_ground(frame: SwarmFrame, local: LocalPosition, stands: bool) -> SwarmFrame:
    """Return the frame with the height of the ground: measured, or moved by a jump."""
    ground, z, jumps = frame.ground, local.position[2], local.resets.z
    if stands and local.z_valid and math.isfinite(z):
        ground = z
    elif jumps != frame.z_jumps:
        is_last_known = (jumps - frame.z_jumps) % COUNTS == 1
        ground += local.resets.delta_z if is_last_known else z - frame.z
    return frame._replace(ground=ground, z=z, z_jumps=jumps)


def conversion_fault(settings: FrameParameters, frame: SwarmFrame) -> str:
    """Return why positions cannot be converted; empty if they can."""
    if settings.z_offset_mode == TAKEOFF_RELATIVE and math.isnan(frame.ground):
        why = f', and {frame.forgotten}' if frame.forgotten else ''
        return (
            'the height of the ground is not known: the vehicle has not stood since the start'
            f'{why}; let it land, or set z_offset_mode to amsl'
        )
    return frame.place_fault if settings.origin_mode == GNSS else ''


def _place_fault(settings: FrameParameters, place: Reference) -> str:
    if not all(map(math.isfinite, place[1:])):
        return f'the place of the local origin is not finite: {place[1:]}'
    origin = settings.origin
    far = math.hypot(*to_swarm(origin, place.latitude, place.longitude, origin.altitude)[:2])
    if far <= settings.max_origin_distance:
        return ''
    return (
        f'the vehicle is {far / 1000.0:.1f} km from the origin of the swarm '
        f'({place.latitude:.5f}, {place.longitude:.5f}; {origin.latitude:.5f}, '
        f'{origin.longitude:.5f}), at most {settings.max_origin_distance / 1000.0:g} km; '
        'check origin_latitude and origin_longitude'
    )


def position_in_swarm(settings: FrameParameters, frame: SwarmFrame, position: Vector) -> Vector:
    """Return a position of the local frame in the swarm's [m]; ``frame.fault`` must be empty."""
    x, y, z = position
    if settings.origin_mode == GNSS and frame.reference is not None:
        _, latitude, longitude, altitude = frame.reference
        place = unproject((latitude, longitude), y, x)
        x, y, high = to_swarm(settings.origin, *place, altitude + z)
    else:
        x, y = rotate_z(x, y, turn_of(settings))
        x, y, high = x + spawn_of(settings)[0], y + spawn_of(settings)[1], z
    return x, y, _height(settings, frame, z, high)


def _height(settings: FrameParameters, frame: SwarmFrame, z: float, high: float) -> float:
    """Return the height in the swarm's frame [m]; ``high``: the same by altitude."""
    if settings.z_offset_mode != TAKEOFF_RELATIVE:
        return high
    return z - frame.ground + settings.pad_height


def velocity_in_local(settings: FrameParameters, velocity: Vector) -> Vector:
    """Return a velocity of the swarm's frame in the local one [m/s]."""
    return *rotate_z(velocity[0], velocity[1], -turn_of(settings)), velocity[2]


def heading_in_swarm(settings: FrameParameters, heading: float) -> float:
    """Return a heading of the local frame in the swarm's [rad]."""
    return wrap_pi(heading + turn_of(settings))


def turn_of(settings: FrameParameters) -> float:
    """Return by how much the local frame is turned [rad]."""
    return settings.spawn_yaw if settings.origin_mode == STATIC else 0.0


def spawn_of(settings: FrameParameters) -> tuple[float, float]:
    """Return where the local frame has its origin without GNSS [m]."""
    return (
        (settings.spawn_east, settings.spawn_north) if settings.origin_mode == STATIC else (0, 0)
    )
