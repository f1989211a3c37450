"""Assembles the report of a recording: one HTML file that works offline."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.analysis.findings.finding_records import Findings
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.analysis.report import overview, page_tables
from soliton_encirclement_ros.analysis.report.curves import agent_curves, metric_curves
from soliton_encirclement_ros.analysis.report.markup import escaped
from soliton_encirclement_ros.analysis.report.origin import name_of, origin
from soliton_encirclement_ros.analysis.report.scene import replay
from soliton_encirclement_ros.analysis.report.template import (
    asset,
    carrying,
    filled,
    head,
    joined,
    write_whole,
)

STYLES = ('styles/viewer.css', 'styles/style.css')
REPLAY = (
    'decode', 'viewer/clock', 'viewer/keys', 'viewer/bodies', 'viewer/steps', 'viewer/bounds',
    'viewer/camera', 'viewer/follow', 'viewer/ghosts', 'theme', 'viewer/shapes', 'viewer/replay',
    'viewer/agents', 'viewer/transport', 'scrolling',
)  # fmt: skip
PLOTS = (
    'plots/panels', 'plots/metrics', 'plots/solid', 'plots/multiples', 'sorting', 'plots/print',
    'viewer/moments',
)  # fmt: skip
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
        'head': head(title, ''.join(map(asset, STYLES)), [carried['unpack'], *scripts]),
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
        **viewer_parts('Nobody was recorded, so there is nothing to replay.'),
        'topics': page_tables.topics_table(findings),
        'origin': origin(recording, findings),
        **carried,
    }
    return filled('pages/page.html', parts)


def viewer_parts(empty: str, more: str = '') -> dict[str, str]:
    """Return the parts of a page that are the viewer: the map with its tools, and the time below.

    Args:
        empty: What is said where nobody is to be seen.
        more: Markup of further buttons of the time.
    """
    return {
        'viewer': filled('pages/viewer.html', {'empty': empty}),
        'transport': filled('pages/transport.html', {'more': more}),
    }


def viewer_scripts(plots: Sequence[str]) -> list[str]:
    """Return the scripts of a page with a viewer, in their order.

    Args:
        plots: Those that need the plot library.
    """
    from plotly.offline import get_plotlyjs

    return [joined(REPLAY), get_plotlyjs(), joined(plots)]


def _data(recording: Recording, findings: Findings) -> dict[str, Any]:
    return {
        **replay(recording, findings),
        'metrics': metric_curves(findings),
        'curves': agent_curves(recording, findings),
    }
