"""Assembles the report of a recording: one HTML file that works offline."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.analysis.findings.alarm import grouped_alarms
from soliton_encirclement_ros.analysis.findings.finding_records import Findings
from soliton_encirclement_ros.analysis.findings.parameter_updates import grouped_updates
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.analysis.report import overview, page_tables
from soliton_encirclement_ros.analysis.report.curves import agent_curves, metric_curves
from soliton_encirclement_ros.analysis.report.markup import escaped
from soliton_encirclement_ros.analysis.report.origin import name_of, origin
from soliton_encirclement_ros.analysis.report.page_tables import MAX_EVENTS
from soliton_encirclement_ros.analysis.report.scene import scene
from soliton_encirclement_ros.analysis.report.template import (
    asset,
    carrying,
    filled,
    head,
    joined,
    write_whole,
)

REPLAY = (
    'decode', 'clock', 'bodies', 'camera', 'theme', 'shapes', 'replay', 'agents', 'transport',
)  # fmt: skip
PLOTS = ('panels', 'metrics', 'solid', 'multiples', 'sorting', 'print')
"""Scripts in their order; the replay starts before the plot library is loaded."""


def write_page(path: Path, recording: Recording, findings: Findings) -> Path:
    """Write ``report.html`` atomically.

    Args:
        path: The file to write.
        recording: The recording.
        findings: Its findings.

    Raises:
        RunError: The file cannot be written.
    """
    return write_whole(path, page(recording, findings))


def page(recording: Recording, findings: Findings) -> str:
    """Return the page as text."""
    scripts = viewer_scripts(PLOTS)
    carried = carrying(_data(recording, findings), scripts)
    title = escaped(name_of(findings.path))
    parts = {
        'head': head(title, asset('style.css'), [carried['unpack'], *scripts]),
        'title': title,
        'verdict': overview.verdict(findings),
        'tiles': overview.tiles(findings),
        'notes': overview.notes(recording, findings),
        'metrics': page_tables.metrics_table(findings),
        'agents': page_tables.agents_table(findings),
        'measurements': page_tables.measurements(findings),
        'closings': page_tables.closings_table(findings),
        'changes': page_tables.parameters_section(findings),
        'collisions': page_tables.collisions_table(findings),
        'safety': page_tables.safety_section(findings),
        'sources': page_tables.sources_table(findings),
        'topics': page_tables.topics_table(findings),
        'origin': origin(recording, findings),
        **carried,
    }
    return filled('page.html', parts)


def viewer_scripts(plots: Sequence[str]) -> list[str]:
    """Return the scripts of a page with a viewer, in their order.

    Args:
        plots: Those that need the plot library.
    """
    from plotly.offline import get_plotlyjs

    return [joined(REPLAY), get_plotlyjs(), joined(plots)]


def _data(recording: Recording, findings: Findings) -> dict[str, Any]:
    events = [
        [one.event.time, findings.name_of(one.event.agent_id), one.event.failed, one.time_to_close]
        for one in findings.closings
    ]
    return {
        'begin': findings.begin,
        'end': findings.duration,
        'scene': scene(recording, findings),
        'metrics': metric_curves(findings),
        'curves': agent_curves(recording, findings),
        'events': events,
        'changes': _marks(findings),
    }


def _marks(findings: Findings) -> list[list[Any]]:
    """Return what is marked below the curves besides failures: time [s] and text."""
    changed = grouped_updates(findings.changes)[:MAX_EVENTS]
    return sorted([
        *([one.time, f'{one.text} ({one.where})'] for one in changed),
        *([one.time, f'{one.who}: {one.what}'] for one in grouped_alarms(findings.alarms)),
    ])  # fmt: skip
