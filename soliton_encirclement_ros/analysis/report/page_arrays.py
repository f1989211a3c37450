"""Encodes arrays for a page: decimated for the screen, rounded to float32, as base64."""

import base64

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.resampling import with_gaps


def packed(values: ArrayLike, kind: str = '<f4') -> str:
    """Return numbers as base64 of float32, or of another little-endian numpy type."""
    with np.errstate(over='ignore'):
        return base64.b64encode(np.asarray(values).astype(kind).tobytes()).decode('ascii')


def decimated(time: Floats, value: Floats, most: int) -> tuple[Floats, Floats]:
    """Return at most about ``most`` points of a curve; all peaks and gaps are kept.

    Args:
        time: (K,) ascending.
        value: (K,), NaN in gaps.
        most: Upper limit of points.
    """
    count = len(time)
    if count <= most:
        return time, value
    size = -(-count // (most // 2))
    padded = np.pad(value, (0, -count % size), mode='edge').reshape(-1, size)
    hole = np.isnan(padded)
    keep = np.concatenate(
        (
            [0, count - 1],
            _positions(np.where(hole, np.inf, padded).argmin(axis=1), size),
            _positions(np.where(hole, -np.inf, padded).argmax(axis=1), size),
            _positions(hole.argmax(axis=1), size)[hole.any(axis=1)],
        )
    )
    keep = np.unique(np.minimum(keep, count - 1))
    return time[keep], value[keep]


def _positions(found: NDArray[np.intp], size: int) -> NDArray[np.intp]:
    return found + size * np.arange(len(found))


def curve(time: Floats, value: Floats, most: int) -> dict[str, str]:
    """Return a curve for the page: ``t`` [s] and ``y``."""
    time, value = np.asarray(time, float), np.asarray(value, float)
    value = np.where(np.isfinite(value), value, np.nan)
    time, value = decimated(*with_gaps(time, value), most)
    return {'t': packed(time), 'y': packed(value)}
