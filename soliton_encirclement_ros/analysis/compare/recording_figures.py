"""The figures of a comparison, from the summary of a run or the findings of a recording."""

import math
from collections.abc import Mapping
from typing import Any

from soliton_encirclement_ros.analysis.findings.finding_records import AGENT_UNITS, Findings
from soliton_encirclement_ros.core.run.sample_statistics import median
from soliton_encirclement_ros.core.run.summary_figures import FIGURES

SETTLING = 'settling time'
"""Figure relative to time 0 of the comparison."""

MEDIAN = ' (median agent)'

UNITS = {
    'duration': 's',
    'agents': '',
    **{figure.name: figure.unit for figure in FIGURES},
    'collisions': '',
    'failures': '',
    'time down': 's',
    f'radial error{MEDIAN}': 'm',
    f'tracking RMS{MEDIAN}': 'm/s',
    f'tracking P95{MEDIAN}': 'm/s',
    f'saturated commands{MEDIAN}': '%',
    f'control effort{MEDIAN}': AGENT_UNITS['effort'],
    f'distance{MEDIAN}': 'm',
    f'mean speed{MEDIAN}': 'm/s',
}
"""Every figure and its unit, in the order of the table; metrics are means of the last fifth."""


def from_summary(summary: Mapping[str, Any]) -> dict[str, float | None]:
    """Return the figures of a run's summary."""
    known = {key: value for key, value in summary.items() if value is not None}
    values = {figure.name: figure.value(known) for figure in FIGURES}
    return {'duration': known.get('duration_s'), 'agents': known.get('agents'), **values}


def from_findings(findings: Findings) -> dict[str, float | None]:
    """Return the figures of a recording; None for those without data."""
    values = from_summary(findings.summary)
    if findings.encircled is None:
        values[SETTLING] = None
    nearest = findings.min_separation
    return {
        **values,
        'duration': findings.duration,
        'agents': len(findings.agents),
        'min separation': None if nearest is None else nearest.distance,
        'collisions': len(findings.collisions),
        'failures': _sum(findings, 'failures'),
        'time down': _sum(findings, 'time_down'),
        f'radial error{MEDIAN}': _median(findings, 'radial_error'),
        f'tracking RMS{MEDIAN}': _median(findings, 'tracking_rms'),
        f'tracking P95{MEDIAN}': _median(findings, 'tracking_p95'),
        f'saturated commands{MEDIAN}': _median(findings, 'saturation', 100.0),
        f'control effort{MEDIAN}': _median(findings, 'effort'),
        f'distance{MEDIAN}': _median(findings, 'distance'),
        f'mean speed{MEDIAN}': _median(findings, 'mean_speed'),
    }


def _known(findings: Findings, name: str) -> list[float]:
    found = [getattr(agent, name) for agent in findings.agents]
    return [value for value in found if value is not None and math.isfinite(value)]


def _sum(findings: Findings, name: str) -> float | None:
    known = _known(findings, name)
    return math.fsum(known) if known else None


def _median(findings: Findings, name: str, factor: float = 1.0) -> float | None:
    middle = median(_known(findings, name))
    return None if middle is None else factor * middle
