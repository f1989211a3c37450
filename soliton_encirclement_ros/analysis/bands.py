"""Median and percentile band of several curves; unknown samples are ignored."""

import numpy as np

from soliton_encirclement_ros.analysis.recording import Floats


def median_and_band(curves: Floats, band: tuple[float, float]) -> tuple[Floats, Floats, Floats]:
    """Return the median and the band edges of several curves, (T,) each.

    Unknown samples are ignored; the result is NaN where all are unknown.

    Args:
        curves: (N, T); NaN where a sample is unknown.
        band: Percentiles at the edges.
    """
    middle, low, high = np.full((3, curves.shape[1]), np.nan)
    known = ~np.isnan(curves).all(axis=0)
    if known.any():
        middle[known] = np.nanmedian(curves[:, known], axis=0)
        low[known], high[known] = np.nanpercentile(curves[:, known], band, axis=0)
    return middle, low, high
