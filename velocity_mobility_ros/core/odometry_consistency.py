"""Whether odometry is consistent: of one body, and with its twist along the axes it is read in.

The odometries on a topic can be of one body that is measured anew every time, or of several that
take turns, which jump to and fro.

nav_msgs wants the velocity along the axes of the body; many publishers give it along those of the
pose. Over a stretch of flight the positions move by d, the velocity as it is read integrates to
r, read along the other axes to o. Where r and o are apart, d is near one of them:

    the other axes   NEARER |d - o| < |d - r|
    as it is read    NEARER |d - r| < |d - o|

All of it horizontally: the two readings of a level body differ there alone, and heights often
come from another sensor. At yaw 0 they are the same, so that nothing is said.

A stretch lasts until the readings are ``APART``, but farther than noise moves the positions:
``SCATTER`` times the RMS of what one step of them differs from the velocity. A jump makes that
large, and so does a gap in which the velocity changed: their stretches end undecided.
"""

import enum
import math
from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from velocity_mobility_ros.core.velocity_model import Vector

Numbers = NDArray[np.float64]

APART = 0.6
"""Path by which the readings differ in a stretch [m]: 0.4 s at 1 m/s across the heading. An error
of the positions that looks like other axes must be three quarters of it, in one direction."""

SCATTER = 3.0
"""Factor over the RMS of the positions' steps off the velocity."""

NEARER = 3.0
"""Factor by which the displacement is nearer to one reading than to the other."""

SHORTEST, LONGEST = 0.2, 2.0
"""Times of a stretch [s]."""

ERROR = 0.5
"""Largest error of an estimated velocity that was seen in flight [m/s]: readings that are nearer
to each other say nothing of the axes, and a displacement by less is explained by it."""

ENOUGH, SURE = 3, 10
"""Stretches in favour of other axes, less those against, from which on they are reported; and how
many against them count at most: an estimate may go wrong for a while."""

LASTING = 5
"""Stretches in a row that no reading explains, from which on that is reported."""

RELATIVE_TOLERANCE = 0.3
"""Allowed difference of a displacement from the velocity, as a share of the way by the latter."""

ABSOLUTE_TOLERANCE = 0.2
"""Additional allowed difference in the median of many seconds [m], for noise."""


class TwistReading(enum.Enum):
    """What the displacements say of the axes in which a twist is read."""

    UNKNOWN = 'unknown'
    """Nothing yet: it has not moved, or the two readings do not differ."""
    RIGHT = 'right'
    OTHER = 'other'
    NEITHER = 'neither'


def votes(moved: Numbers, read: Numbers, other: Numbers) -> NDArray[np.int64]:
    """Return votes of segments: 1 for the other axes, -1 for those in use, 0: neither, (K,).

    Args:
        moved: Displacements [m], (K, 2) or more.
        read: Integrals of the velocity as it is read [m], the same shape.
        other: The same along the other axes.
    """
    to_read, to_other, apart = (
        np.hypot(vector[:, 0], vector[:, 1])
        for vector in (moved - read, moved - other, other - read)
    )
    is_known = apart >= 0.5 * APART
    is_other, is_read = NEARER * to_other < to_read, NEARER * to_read < to_other
    return np.where(is_known, is_other.astype(np.int64) - is_read.astype(np.int64), 0)


def differs(way: float, difference: float, tolerance: float = ABSOLUTE_TOLERANCE) -> bool:
    """Return whether a displacement is not that of a velocity.

    Args:
        way: Integral of the velocity [m].
        difference: That of the displacement from it [m].
        tolerance: Difference that is allowed without any way [m].
    """
    return difference > RELATIVE_TOLERANCE * way + tolerance


class _Sample(NamedTuple):
    time: float
    position: Vector
    read: Vector
    other: Vector


class TwistWatch:
    """Compares the odometry of one vehicle with itself, message by message.

    Attributes:
        reading: What it says so far.
    """

    _begin: _Sample
    _steps: int
    _rx: float
    _ry: float
    _ox: float
    _oy: float
    _off: float
    _apart: float

    def __init__(self) -> None:
        """Start without samples."""
        self.reading = TwistReading.UNKNOWN
        self._score = self._unexplained = 0
        self._last: _Sample | None = None

    def add(self, time: float, position: Vector, read: Vector, other: Vector) -> None:
        """Take a message.

        Args:
            time: Its stamp [s].
            position: Position [m] in the frame of the pose.
            read: Velocity [m/s] in that frame, as the twist is read.
            other: The same as if the twist were along the other axes.
        """
        now, last = _Sample(time, position, read, other), self._last
        self._last = now
        if last is None or time <= last.time:
            self._restart(now)
            return
        half = 0.5 * (time - last.time)
        rx, ry = half * (last.read[0] + read[0]), half * (last.read[1] + read[1])
        ox, oy = half * (last.other[0] + other[0]), half * (last.other[1] + other[1])
        dx, dy = position[0] - last.position[0] - rx, position[1] - last.position[1] - ry
        self._steps += 1
        self._off += dx * dx + dy * dy
        self._apart += math.hypot(ox - rx, oy - ry)
        self._rx, self._ry = self._rx + rx, self._ry + ry
        self._ox, self._oy = self._ox + ox, self._oy + oy
        lasted = time - self._begin.time
        if lasted < SHORTEST:
            return
        scatter = math.sqrt(self._off / self._steps)
        is_apart = self._apart >= max(APART, SCATTER * scatter)
        if is_apart or lasted >= LONGEST:
            self._judge(now, lasted, scatter, is_apart and self._apart >= ERROR * lasted)
            self._restart(now)

    def _restart(self, now: _Sample) -> None:
        self._begin = now
        self._rx = self._ry = self._ox = self._oy = self._off = self._apart = 0.0
        self._steps = 0

    def _judge(self, now: _Sample, lasted: float, scatter: float, is_apart: bool) -> None:
        (x, y, _), (x0, y0, _) = now.position, self._begin.position
        dx, dy = x - x0, y - y0
        vectors = (dx, dy), (self._rx, self._ry), (self._ox, self._oy)
        vote = int(votes(*(np.array([vector]) for vector in vectors))[0]) if is_apart else 0
        distance = math.hypot(self._rx, self._ry)
        off = math.hypot(dx - self._rx, dy - self._ry)
        explained = bool(vote) or not differs(distance, off, ERROR * lasted + 2.0 * scatter)
        self._score = min(ENOUGH, max(-SURE, self._score + vote))
        self._unexplained = 0 if explained else self._unexplained + 1
        if self._score == ENOUGH or (self.reading is TwistReading.OTHER and self._score > 0):
            self.reading = TwistReading.OTHER
        elif self._unexplained >= LASTING:
            self.reading = TwistReading.NEITHER
        elif explained and (self.reading is not TwistReading.UNKNOWN or vote < 0):
            self.reading = TwistReading.RIGHT


LEAST_JUMP = 1.0
"""Smallest jump of a position [m] that noise does not make."""

FASTER = 5.0
"""A jump is that many times farther than a body comes in the meantime."""

SLOWEST = 1.0
"""Speed [m/s] that a body may have in any case."""

BACK = 0.2
"""Distance to the message before the last one, as a share of the jump that it undoes."""

JUMPS, LASTING_NS = 3, 3_000_000_000
"""So many jumps there and back within this time [ns] are those of two bodies."""

MOVING = 0.1
"""A body that measures this speed [m/s] changes its position from message to message."""


class OdometryMotion:
    """Compares every odometry with the two before it."""

    def __init__(self, patience_ns: int) -> None:
        """Begin without odometry.

        Args:
            patience_ns: For how long [ns] a driver may repeat what it has measured.
        """
        self._patience_ns = patience_ns
        self._last: tuple[int, Vector, Vector] | None = None
        self._before: Vector | None = None
        self._same_since_ns = 0
        self._jumps: deque[int] = deque(maxlen=JUMPS)

    def flaw(self, stamp_ns: int, position: Vector, velocity: Vector) -> str | None:
        """Take an odometry; return None if it is news, '' if it repeats the last, else its flaw.

        Args:
            stamp_ns: When it was valid [ns].
            position: In a fixed frame [m].
            velocity: In any frame [m/s].
        """
        last, second_last = self._last, self._before
        speed = math.hypot(*velocity)
        if last is not None and last[1:] == (position, velocity) and speed > MOVING:
            return self._repeated(stamp_ns, speed)
        self._last, self._same_since_ns = (stamp_ns, position, velocity), stamp_ns
        self._before = None if last is None else last[1]
        if last is None or second_last is None:
            return None
        jump, passed = math.dist(position, last[1]), 1e-9 * abs(stamp_ns - last[0])
        possible = FASTER * passed * max(SLOWEST, speed)
        if jump > max(LEAST_JUMP, possible) and math.dist(position, second_last) < BACK * jump:
            self._jumps.append(stamp_ns)
        if len(self._jumps) < JUMPS or abs(stamp_ns - self._jumps[0]) > LASTING_NS:
            return None
        return f'positions jump by {jump:.1f} m there and back: of two vehicles on one topic?'

    def _repeated(self, stamp_ns: int, speed: float) -> str:
        since_ns = stamp_ns - self._same_since_ns
        if since_ns <= self._patience_ns:
            return ''
        return (
            f'position and velocity are the same to the bit for {1e-9 * since_ns:.2f} s, '
            f'at {speed:.1f} m/s: is the estimator stuck?'
        )
