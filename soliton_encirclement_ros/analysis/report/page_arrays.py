"""Arrays on their way into a page: decimated for the screen, rounded to float32, as base64."""

import base64

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soliton_encirclement_ros.analysis.recording import Floats

MAX_GAP = 1.0
"""Time [s] without a sample after which a line is broken, if samples come more often."""

SLOW_SAMPLES = 5.0
"""Where samples are rare, the line breaks after this many of their usual steps."""


def packed(values: ArrayLike, kind: str = '<f4') -> str:
    """Return numbers as base64: float32, or another type of numpy by its little-endian name."""
    with np.errstate(over='ignore'):
        return base64.b64encode(np.asarray(values).astype(kind).tobytes()).decode('ascii')


def longest_gap(time: Floats) -> float:
    """Return the time [s] between two samples above which there is a hole."""
    usual = float(np.median(np.diff(time))) if len(time) > 1 else 0.0
    return max(MAX_GAP, SLOW_SAMPLES * usual)


def with_holes(time: Floats, value: Floats) -> tuple[Floats, Floats]:
    """Return a curve with a NaN in every hole, so that no line is drawn across it."""
    holes = np.flatnonzero(np.diff(time) > longest_gap(time)) + 1
    middle = 0.5 * (time[holes] + time[holes - 1])
    return np.insert(time, holes, middle), np.insert(value, holes, np.nan)


def decimated(time: Floats, value: Floats, most: int) -> tuple[Floats, Floats]:
    """Return at most about ``most`` points of a curve; every peak and every hole stays.

    Args:
        time: (K,) ascending.
        value: (K,), NaN in holes.
        most: Points wanted at most.
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
    time, value = decimated(*with_holes(time, value), most)
    return {'t': packed(time), 'y': packed(value)}


def on_grid(grid: Floats, time: Floats, values: Floats) -> Floats:
    """Return values between samples by a straight line; NaN outside and in holes.

    Args:
        grid: (G,) times asked for [s].
        time: (K,) ascending.
        values: (K,) or (K, N).
    """
    values = np.asarray(values, float)
    if not len(time):
        return np.full((len(grid), *values.shape[1:]), np.nan)
    after = np.clip(np.searchsorted(time, grid), 0, len(time) - 1)
    before = np.maximum(after - 1, 0)
    step = time[after] - time[before]
    share = np.where(step > 0.0, (grid - time[before]) / np.where(step > 0.0, step, 1.0), 1.0)
    limit = longest_gap(time)
    missing = (step > limit) & (share < 1.0)
    missing |= (grid < time[0] - limit) | (grid > time[-1] + limit)
    share = np.clip(share, 0.0, 1.0).reshape(-1, *[1] * (values.ndim - 1))
    found = values[before] + share * (values[after] - values[before])
    found[missing] = np.nan
    return found


def held(grid: Floats, time: Floats, values: ArrayLike, missing: float) -> Floats:
    """Return the last value said before every time of a grid, ``missing`` before the first."""
    values = np.asarray(values, float)
    place = np.searchsorted(time, grid, side='right') - 1
    if not len(time):
        return np.full(len(grid), missing)
    return np.where(place >= 0, values[np.maximum(place, 0)], missing)
