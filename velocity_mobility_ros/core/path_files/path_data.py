"""Vertices read from a file or a recording, and what is refused in them."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from velocity_mobility_ros.core.errors import MobilityError
from velocity_mobility_ros.core.polyline.errors import PolylineError
from velocity_mobility_ros.core.polyline.path import Polyline, polyline

MAX_VERTICES = 100_000
"""Most vertices of a path."""


class PathError(MobilityError):
    """A path cannot be read; the message is one line that names file and place."""


class PathData(NamedTuple):
    """Vertices as written.

    Attributes:
        rows: One vertex a row: x, y, z [m] and time [s], NaN for none.
        closed: Whether the first vertex follows the last one.
        relative: Whether times count from the timed vertex before.
    """

    rows: NDArray[np.float64]
    closed: bool = False
    relative: bool = False

    def polyline(self, start: float = 0.0, entity: str = '') -> Polyline:
        """Return the polyline; times count from a start [s].

        Args:
            start: Time at which the flight begins.
            entity: What follows it, for the error.

        Raises:
            PolylineError: The vertices are no polyline.
        """
        rows = self.rows.copy()
        if self.relative:
            return polyline(rows, start, self.closed, entity)
        rows[:, 3] += start
        return polyline(rows, math.nan, self.closed, entity)


def checked(data: PathData, source: str) -> PathData:
    """Return vertices that a polyline can be made of.

    Args:
        data: The vertices.
        source: Where they are from, named first in errors.

    Raises:
        PathError: They are fewer than 2 or too many, not finite, go back in time, or two in a row
            are at one place without being a wait.
    """
    count = len(data.rows)
    if count < 2:
        raise PathError(f'{source}: {count} points, must be at least 2')
    if count > MAX_VERTICES:
        raise PathError(f'{source}: {count} points, must be at most {MAX_VERTICES}; take fewer')
    try:
        data.polyline()
    except PolylineError as error:
        place = '' if error.vertex is None else f'point {error.vertex + 1}: '
        raise PathError(f'{source}: {place}{error.detail}') from None
    _check_places(data.rows, source)
    return data


def _check_places(rows: NDArray[np.float64], source: str) -> None:
    """Refuse two points at one place, if the body does not wait there for a time."""
    untimed = np.isnan(rows[:, 3])
    for i in np.flatnonzero((rows[1:, :3] == rows[:-1, :3]).all(axis=1)) + 1:
        if untimed[i] or (untimed[i - 1] and i > 1):
            raise PathError(
                f'{source}: point {i + 1} is at the place of point {i}; remove one, or give both '
                'a time to wait there'
            )
