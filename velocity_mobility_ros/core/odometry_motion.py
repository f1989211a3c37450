"""Whether the odometries on a topic can be of one body that is measured anew every time."""

import math
from collections import deque

from velocity_mobility_ros.core.model import Vector

LEAST_JUMP = 1.0
"""Smallest jump of a position [m] that noise does not make."""

FASTER = 5.0
"""A jump is that many times farther than a body comes in the meantime."""

SLOWEST = 1.0
"""Speed [m/s] that a body may have in any case."""

BACK = 0.2
"""Distance to the message before the last one, as a share of the jump that it undoes."""

ENOUGH, LASTING_NS = 3, 3_000_000_000
"""So many jumps there and back within this time [ns] are those of two bodies."""

MOVING = 0.1
"""A body that measures this speed [m/s] changes its position from message to message."""


class OdometryMotion:
    """Compares every odometry with the two before it."""

    def __init__(self, patience_ns: int) -> None:
        """Begin without any.

        Args:
            patience_ns: For how long [ns] a driver may repeat what it has measured.
        """
        self._patience_ns = patience_ns
        self._last: tuple[int, Vector, Vector] | None = None
        self._before: Vector | None = None
        self._same_since_ns = 0
        self._jumps: deque[int] = deque(maxlen=ENOUGH)

    def flaw(self, stamp_ns: int, position: Vector, velocity: Vector) -> str | None:
        """Take an odometry; return None if it is news, '' if it repeats the last, else its flaw.

        Args:
            stamp_ns: When it was valid [ns].
            position: In a fixed frame [m].
            velocity: In any frame [m/s].
        """
        last, before = self._last, self._before
        speed = math.hypot(*velocity)
        if last is not None and last[1:] == (position, velocity) and speed > MOVING:
            return self._repeated(stamp_ns, speed)
        self._last, self._same_since_ns = (stamp_ns, position, velocity), stamp_ns
        self._before = None if last is None else last[1]
        if last is None or before is None:
            return None
        jump, passed = math.dist(position, last[1]), 1e-9 * abs(stamp_ns - last[0])
        possible = FASTER * passed * max(SLOWEST, speed)
        if jump > max(LEAST_JUMP, possible) and math.dist(position, before) < BACK * jump:
            self._jumps.append(stamp_ns)
        if len(self._jumps) < ENOUGH or abs(stamp_ns - self._jumps[0]) > LASTING_NS:
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
