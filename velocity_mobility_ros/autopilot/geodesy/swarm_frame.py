"""Where the local frame of one vehicle lies in the frame of the swarm, and both ways between them.

An estimator puts its origin where it began, so each vehicle has one of its own, and may move it
in flight. Nothing is converted while the place of the local frame is not known.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.autopilot.geodesy.frame_parameters import (
    GNSS,
    STATIC,
    TAKEOFF_RELATIVE,
    FrameParameters,
)
from velocity_mobility_ros.autopilot.geodesy.projection import unproject
from velocity_mobility_ros.autopilot.geodesy.swarm_origin import distance, to_swarm
from velocity_mobility_ros.autopilot.reports import COUNTS, LocalPosition, Reference
from velocity_mobility_ros.core.frames import rotate_z, wrap_pi
from velocity_mobility_ros.core.model import Vector


class SwarmFrame(NamedTuple):
    """What is known of a vehicle's local frame.

    Attributes:
        reference: Place of its origin on Earth; None: not known.
        ground: Height of the ground in the local frame [m]; NaN: not known.
        armed_us: The autopilot's time of the arming for which it holds [us]; 0: none yet.
        forgotten: Why a height that was kept is not used; empty: it is, or has not been looked at.
        z: Height of the vehicle in the local frame [m].
        z_jumps: Counter of the estimator's jumps of that height.
        epoch: How often the frame has changed.
        place_trouble: Why the place of its origin is refused; empty if it is not.
        trouble: Why positions cannot be converted; empty if they can.
    """

    reference: Reference | None = None
    ground: float = math.nan
    armed_us: int = 0
    forgotten: str = ''
    z: float = math.nan
    z_jumps: int = 0
    epoch: int = 0
    place_trouble: str = 'the place of the local origin is not known: no GNSS position yet'
    trouble: str = 'no local position has arrived yet'


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
    frame, told = _with_ground(frame, local, stands), local.reference
    # Without GNSS the estimator does not tell its origin any more, which stays where it is.
    if settings.origin_mode == GNSS and told is not None and told != frame.reference:
        frame = frame._replace(
            reference=told, epoch=frame.epoch + 1, place_trouble=_place_trouble(settings, told)
        )
    return frame._replace(trouble=trouble_of(settings, frame))


def _with_ground(frame: SwarmFrame, local: LocalPosition, stands: bool) -> SwarmFrame:
    """Return the frame with the height of the ground: measured, or moved by a jump."""
    ground, z, jumps = frame.ground, local.position[2], local.resets.z
    if stands and local.z_valid and math.isfinite(z):
        ground = z
    elif jumps != frame.z_jumps:
        is_last_known = (jumps - frame.z_jumps) % COUNTS == 1
        ground += local.resets.delta_z if is_last_known else z - frame.z
    return frame._replace(ground=ground, z=z, z_jumps=jumps)


def trouble_of(settings: FrameParameters, frame: SwarmFrame) -> str:
    """Return why positions cannot be converted; empty if they can."""
    if settings.z_offset_mode == TAKEOFF_RELATIVE and math.isnan(frame.ground):
        why = f', and {frame.forgotten}' if frame.forgotten else ''
        return (
            'the height of the ground is not known: the vehicle has not stood since the start'
            f'{why}; let it land, or set z_offset_mode to amsl'
        )
    return frame.place_trouble if settings.origin_mode == GNSS else ''


def _place_trouble(settings: FrameParameters, place: Reference) -> str:
    if not all(map(math.isfinite, place[1:])):
        return f'the place of the local origin is not finite: {place[1:]}'
    far = distance(settings.origin, place.latitude, place.longitude)
    if far <= settings.max_origin_distance:
        return ''
    origin = settings.origin
    return (
        f'the vehicle is {far / 1000.0:.1f} km from the origin of the swarm '
        f'({place.latitude:.5f}, {place.longitude:.5f}; {origin.latitude:.5f}, '
        f'{origin.longitude:.5f}), at most {settings.max_origin_distance / 1000.0:g} km; '
        'check origin_latitude and origin_longitude'
    )


def position_in_swarm(settings: FrameParameters, frame: SwarmFrame, position: Vector) -> Vector:
    """Return a position of the local frame in the swarm's [m]; ``frame.trouble`` must be empty."""
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
