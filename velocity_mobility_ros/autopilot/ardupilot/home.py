"""Positions about HOME in a frame that stays when HOME is moved.

``pose/filtered`` counts from HOME, which ArduPilot moves to the vehicle when that is armed. The
latitude and longitude of ``geopose/filtered`` do not jump then, but they are computed as 32-bit
numbers: a step is 0.4 m in latitude and up to 0.85 m in longitude. So the position comes from the
pose, and the other one tells only where the frame lies.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.autopilot.ardupilot.reading import Place
from velocity_mobility_ros.autopilot.geodesy.projection import project, unproject
from velocity_mobility_ros.autopilot.reports import Reference
from velocity_mobility_ros.core.model import Vector

JUMP = 0.1
"""Largest distance between a position and the expected one of a vehicle that stands [m]."""

MAX_GAP = 1.0
"""Time between two positions after which nothing is expected [s]."""

FAR, FAR_ON_GROUND, FAR_TIME = 3.0, 1.0, 1.0
"""So far from the place on Earth [m], in the air and on the ground, for so long [s]: the frame is
laid anew. It happens where HOME is set late, or moved in flight."""


class HomeFrame(NamedTuple):
    """The frame.

    Attributes:
        offset: Where HOME is in it [m].
        position: The last position about HOME [m]; None: none yet.
        received: When that arrived [s].
        reference: Where its origin is on Earth; None: not known.
        far_since: Since when it contradicts the place on Earth [s]; infinite: it does not.
    """

    offset: Vector = (0.0, 0.0, 0.0)
    position: Vector | None = None
    received: float = 0.0
    reference: Reference | None = None
    far_since: float = math.inf

    @property
    def local(self) -> Vector | None:
        """The position in it [m]."""
        return None if self.position is None else _sum(self.offset, self.position)


def moved(
    frame: HomeFrame, position: Vector, velocity: Vector, stands: bool, received: float
) -> HomeFrame:
    """Return the frame after a position.

    Args:
        frame: The frame before.
        position: About HOME [m].
        velocity: Of the vehicle [m/s].
        stands: Whether the vehicle stands: then a jump is one of HOME.
        received: Monotonic time of its arrival [s].
    """
    last, dt, offset = frame.position, received - frame.received, frame.offset
    if last is not None and stands and dt <= MAX_GAP:
        expected = _sum(last, _times(dt, velocity))
        jump = _sum(position, _times(-1.0, expected))
        if math.hypot(*jump) > JUMP:
            offset = _sum(offset, _times(-1.0, jump))
    return frame._replace(offset=offset, position=position, received=received)


def placed(frame: HomeFrame, place: Place, stands: bool) -> HomeFrame:
    """Return the frame after a place on Earth: laid there, or compared with it.

    Args:
        frame: The frame before.
        place: The place.
        stands: Whether the vehicle stands.
    """
    local = frame.local
    if local is None:
        return frame
    if frame.reference is None or place.received - frame.far_since > FAR_TIME:
        stamp = 0 if frame.reference is None else frame.reference.stamp + 1
        return frame._replace(reference=_origin(place, local, stamp), far_since=math.inf)
    _, latitude, longitude, _ = frame.reference
    north, east = project((latitude, longitude), place.latitude, place.longitude)
    limit = FAR_ON_GROUND if stands else FAR
    is_far = math.hypot(east - local[0], north - local[1]) > limit
    since = min(frame.far_since, place.received) if is_far else math.inf
    return frame._replace(far_since=since)


def _origin(place: Place, local: Vector, stamp: int) -> Reference:
    """Return the origin of a frame in which a place has a position."""
    latitude, longitude = unproject((place.latitude, place.longitude), -local[1], -local[0])
    return Reference(stamp, latitude, longitude, place.altitude - local[2])


def _sum(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _times(factor: float, vector: Vector) -> Vector:
    return factor * vector[0], factor * vector[1], factor * vector[2]
