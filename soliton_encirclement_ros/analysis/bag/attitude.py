"""Attitudes and velocities of many samples at once; quaternions are (x, y, z, w)."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def yaws(attitudes: Numbers) -> Numbers:
    """Return headings [rad], (M,), of attitudes, (M, 4): ``core.frames.yaw_from_quaternion``."""
    x, y, z, w = attitudes.T
    return np.arctan2(2.0 * (w * z + x * y), w * w + x * x - y * y - z * z)


def turned(attitudes: Numbers, vectors: Numbers) -> Numbers:
    """Return vectors of the body, (M, 3), in the frame in which its attitude is told.

    ``v + 2 w (q x v) + 2 q x (q x v)`` with the unit quaternion; one of length zero turns nothing.
    """
    length = np.sqrt((attitudes * attitudes).sum(axis=1, keepdims=True))
    unit = attitudes / np.where(length > 0.0, length, 1.0)
    axis, w = unit[:, :3], unit[:, 3:]
    twice = 2.0 * np.cross(axis, vectors)
    return vectors + w * twice + np.cross(axis, twice)


def turned_by_yaw(yaw: Numbers, vectors: Numbers) -> Numbers:
    """Return vectors of levelled bodies, (M, 3), in map, given headings [rad], (M,)."""
    c, s = np.cos(yaw), np.sin(yaw)
    x, y, z = vectors.T
    return np.stack([c * x - s * y, s * x + c * y, z], axis=1)
