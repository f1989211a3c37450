"""A comparison as plain data for ``json``: no NaN, no infinity."""

import math
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.compare.comparison_records import RecordingComparison
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.core.ring.metrics import SAMPLE_TEXTS

MAX_SAMPLES = 1000
"""Upper limit of samples per curve; longer curves are decimated."""


def as_json(comparison: RecordingComparison) -> dict[str, Any]:
    """Return a comparison as plain data; null: unknown, ``never``: infinite."""
    stride = -(-len(comparison.time) // MAX_SAMPLES)
    return {
        'align': comparison.align,
        'recordings': [
            {
                'name': side.name,
                'path': str(side.path),
                'clock': side.clock,
                'duration_s': _plain(side.duration),
                'agents': side.agents,
                'time_zero_s': _plain(zero),
                'problems': list(side.problems),
            }
            for side, zero in zip(comparison.sides, comparison.zeros, strict=True)
        ],
        'differing': list(comparison.differing),
        'notes': list(comparison.notes),
        'figures': [
            {
                'name': row.name,
                'unit': row.unit,
                'values': [_plain(value) for value in row.values],
                'differences': [_plain(value) for value in row.differences],
                'ratios': [_plain(value) for value in row.ratios],
            }
            for row in comparison.rows
        ],
        'deviations': [
            {key: _plain(value) for key, value in one._asdict().items()}
            for one in comparison.deviations
        ],
        'curves': {
            'time_s': _column(comparison.time[::stride]),
            **{
                name: {
                    'unit': SAMPLE_TEXTS[name].unit,
                    'values': [None if one is None else _column(one[::stride]) for one in found],
                }
                for name, found in comparison.curves.items()
            },
        },
    }


def _plain(value: Any) -> Any:
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return 'never' if value == math.inf else None


def _column(values: Floats) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in np.round(values, 9).tolist()]
