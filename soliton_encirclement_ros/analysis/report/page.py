"""The page of a recording: one HTML file that works from a disk, without a network."""

import base64
import hashlib
import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.analysis.findings.records import Findings
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.analysis.report import overview, tables
from soliton_encirclement_ros.analysis.report.curves import agent_curves, metric_curves
from soliton_encirclement_ros.analysis.report.markup import escaped
from soliton_encirclement_ros.analysis.report.origin import origin
from soliton_encirclement_ros.analysis.report.scene import scene
from soliton_encirclement_ros.core.errors import RunError

REPLAY = (
    'decode', 'clock', 'bodies', 'camera', 'theme', 'shapes', 'replay', 'agents', 'transport',
)  # fmt: skip
PLOTS = ('panels', 'metrics', 'multiples')
"""Scripts in their order; the replay is there before the library of the plots is read."""

HOLE = re.compile(r'\{\{(\w+)\}\}')


def write_page(path: Path, recording: Recording, findings: Findings) -> Path:
    """Write ``report.html``, whole or not at all.

    Args:
        path: The file to write.
        recording: What was recorded.
        findings: What ``find`` made of it.

    Raises:
        RunError: The file cannot be written.
    """
    part = path.with_name(f'{path.name}.part')
    try:
        part.write_text(page(recording, findings), encoding='utf-8')
        part.replace(path)
    except OSError as error:
        raise RunError(f'{path}: cannot write the page: {error.strerror}') from None
    return path


def page(recording: Recording, findings: Findings) -> str:
    """Return the page as text."""
    from plotly.offline import get_plotlyjs

    scripts = {'replay': _scripts(REPLAY), 'plotly': get_plotlyjs(), 'plots': _scripts(PLOTS)}
    parts = {
        'title': escaped(findings.path.name or 'recording'),
        'policy': _policy(scripts.values()),
        'style': _asset('style.css'),
        'verdict': overview.verdict(findings),
        'tiles': overview.tiles(findings),
        'notes': overview.notes(recording, findings),
        'metrics': tables.metrics_table(findings),
        'agents': tables.agents_table(findings),
        'closings': tables.closings_table(findings),
        'collisions': tables.collisions_table(findings),
        'topics': tables.topics_table(findings),
        'origin': origin(recording, findings),
        'data': _json(_data(recording, findings)),
        **scripts,
    }
    return HOLE.sub(lambda hole: parts[hole[1]], _asset('page.html'))


def _data(recording: Recording, findings: Findings) -> dict[str, Any]:
    events = [
        [one.event.time, findings.name_of(one.event.agent_id), one.event.failed, one.time_to_close]
        for one in findings.closings
    ]
    return {
        'duration': findings.duration,
        'scene': scene(recording, findings),
        'metrics': metric_curves(findings),
        'curves': agent_curves(recording, findings),
        'events': events,
    }


def _json(content: Any) -> str:
    """Return JSON that may stand inside a script element: no text in it can end that."""
    text = json.dumps(content, allow_nan=False, separators=(',', ':'))
    return text.replace('<', '\\u003c')


def _scripts(names: tuple[str, ...]) -> str:
    """Return scripts one after the other; they share their names, and the page's own scope."""
    return "'use strict';\n" + '\n'.join(_asset(f'{name}.js') for name in names)


def _policy(scripts: Any) -> str:
    """Return what the browser may do: run these very scripts, and fetch nothing."""
    hashes = ' '.join(f"'sha256-{_digest(script)}'" for script in scripts)
    return f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:"


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode('ascii')


def _asset(name: str) -> str:
    folder = resources.files('soliton_encirclement_ros.analysis.report') / 'assets'
    return (folder / name).read_text(encoding='utf-8')
