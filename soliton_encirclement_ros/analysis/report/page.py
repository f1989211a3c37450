"""Assembles the report of a recording: one HTML file that works offline.

It begins with the verdict, the main figures and the warnings; a section on the origin of the
recording has the reference values, the manifest and the scenario.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from soliton_encirclement_ros.analysis.findings.finding_records import (
    ESTIMATED, GIVEN, Findings, started
)
from soliton_encirclement_ros.analysis.recording import HEADER, RECEIVED, SIMULATED
from soliton_encirclement_ros.analysis.report import page_tables
from soliton_encirclement_ros.analysis.report.page_markup import (
    UNKNOWN_TEXT, asset, collapsible, compressed_parts, escaped, fill_template, head, join_scripts,
    nothing, number, pairs, unordered_list, write_whole
)
from soliton_encirclement_ros.analysis.report.viewer_data import (
    agent_curves, metric_curves, replay
)
from soliton_encirclement_ros.core.flight_statistics.agent_statistics import CHANGE
from soliton_encirclement_ros.core.flight_statistics.filter_tally import BY_REASON, SHARE
from soliton_encirclement_ros.core.flight_statistics.gap_recovery import STEADY, STEADY_SHARE
from soliton_encirclement_ros.core.flight_statistics.near_misses import RATES, THRESHOLDS
from soliton_encirclement_ros.core.run.run_folder import BAG, MANIFEST
from soliton_encirclement_ros.core.scenario.scenario import SECTIONS
from velocity_mobility_ros.core.parameter_declaration import declarations
from velocity_mobility_ros.core.user_errors import counted

CLOCKS = {
    SIMULATED: 'simulated time',
    HEADER: 'time of the message headers',
    RECEIVED: 'time of reception',
}
FEW_PROBLEMS = 4
"""Further problems are collapsed."""

SETTLED = 'Settled after', 'Settled at'
"""Titles of that tile: of all of a recording, and of a part of it."""

MAX_NAME_LENGTH = 16


def verdict(findings: Findings) -> str:
    """Return the verdict as text, with its reason, what was judged if not all, and notes."""
    known = {True: ('good', 'Encircled'), False: ('bad', 'Not encircled')}
    kind, word = known.get(findings.encircled, ('unknown', 'Not judged'))
    part = findings.recording.judged
    hints = [*[f'Judged: {part}'] * bool(part), *findings.recording.notes]
    return (
        f'<p class="verdict {kind}"><strong>{word}</strong> '
        f'<span>{escaped(findings.why)}</span></p>'
        + ''.join(f'<p class="hint">{escaped(hint)}</p>' for hint in hints)
    )


def tiles(findings: Findings) -> str:
    """Return the tiles with the main figures, those without a value only of a run."""
    has_target = findings.settings.target is not None
    return ''.join(
        f'<div class="tile"><dt>{escaped(title)}</dt>'
        f'<dd>{escaped(value)}{f"<small>{escaped(note)}</small>" if note else ""}</dd></div>'
        for title, value, note in _figures(findings)
        if value != UNKNOWN_TEXT or not findings.is_foreign or (title in SETTLED and has_target)
    )


def _figures(findings: Findings) -> list[tuple[str, str, str]]:
    settings, nearest, flown = findings.settings, findings.min_separation, findings.recording
    failures = any(agent.failures is not None for agent in findings.agents)
    recovered = len([event for event in findings.events if not event.failed])
    origin = {ESTIMATED: 'estimated', GIVEN: 'given'}.get(settings.radius_from, '')
    part = f'from {flown.begin:.1f} s on, ' if flown.begin else ''
    who = ''
    if nearest:
        who = f'{_short(nearest.first)}, {_short(nearest.second)} at {nearest.time:.1f} s'
    return [
        ('Duration', _with_unit(flown.duration - flown.begin, 1, 's'),
         f'{part}{counted(len(findings.agents), "agent")}, {CLOCKS[flown.clock]}'),
        ('Desired radius', _with_unit(settings.radius, 1, 'm'), origin),
        (SETTLED[flown.begin > 0.0], _with_unit(findings.settling_time, 2, 's'),
         _steady(findings.summary)),
        ('Smallest separation', _with_unit(nearest and nearest.distance, 2, 'm'), who),
        ('Collisions', UNKNOWN_TEXT if nearest is None else str(len(findings.collisions)),
         f'nearer than {settings.collision_distance:g} m'),
        _near_misses(findings.summary),
        _filter_row(findings.summary),
        ('Failures', str(len(findings.events) - recovered) if failures else UNKNOWN_TEXT,
         f'{recovered} recovered' if findings.events else '' if failures else 'no telemetry'),
    ]  # fmt: skip


def _near_misses(summary: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the rate at the largest threshold, and the others as a note."""
    rate, *others = [summary.get(key) for key in RATES]
    notes = [
        f'{number(other, 1)} below {distance:g} m'
        for other, distance in zip(others, THRESHOLDS[1:], strict=True) if other is not None
    ]  # fmt: skip
    shown = UNKNOWN_TEXT if rate is None else f'{number(rate, 1)} / min'
    return f'Nearer than {THRESHOLDS[0]:g} m', shown, ', '.join(notes)


def _filter_row(summary: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the share of commands that the filter changed; reasons and changes as a note."""
    share, reasons = summary.get(SHARE), summary.get(BY_REASON) or {}
    notes = [f'{name} {number(100.0 * part, 1)} %' for name, part in reasons.items()]
    if summary.get(CHANGE) is not None:
        notes.append(f'all change by {number(summary[CHANGE], 2)} m/s per tick (RMS)')
    shown = UNKNOWN_TEXT if share is None else f'{number(100.0 * share, 1)} %'
    return 'Commands filtered', shown, ', '.join(notes)


def _steady(summary: Mapping[str, Any]) -> str:
    """Return the errors long after a failure or a return; empty if there is no such sample."""
    averages = summary.get(STEADY) or {}
    if not summary.get(STEADY_SHARE):
        return ''
    return f'steady E gap {number(averages["E_gap"], 3)}, Eᵣ {number(averages["E_r"], 3)}'


def _short(name: str) -> str:
    """Return a name cut to the width of a tile; the end is kept, where long names differ."""
    return name if len(name) <= MAX_NAME_LENGTH else f'…{name[1 - MAX_NAME_LENGTH :]}'


def _with_unit(value: float | None, digits: int, unit: str) -> str:
    text = number(value, digits)
    return text if text == UNKNOWN_TEXT else f'{text} {unit}'


def notes(findings: Findings) -> str:
    """Return the warnings, empty without any."""
    has_target = findings.settings.target is not None
    problems = [*findings.problems]
    if has_target and not findings.is_foreign and findings.recording.scenario is None:
        problems.append('no scenario: the verdict uses the default bounds; the arc to protect is '
                     'unknown')  # fmt: skip
    if not problems:
        return ''
    lines = unordered_list(problems[:FEW_PROBLEMS])
    if len(problems) > FEW_PROBLEMS:
        further = problems[FEW_PROBLEMS:]
        lines += collapsible(f'{len(further)} more', unordered_list(further))
    return f'<aside class="note" id="problems"><h2>Missing or doubtful</h2>{lines}</aside>'


LARGEST_MANIFEST = 1_000_000
NOT_KNOWN = 'not known'


def origin(findings: Findings) -> str:
    """Return the reference values; of a run the manifest and the scenario, too."""
    parts = [_settings(findings)]
    if findings.is_foreign:
        return parts[0]
    manifest = read_manifest(findings.recording.path)
    if isinstance(manifest, dict):
        manifest = {key: value for key, value in manifest.items() if key != 'scenario'}
    if manifest is None:
        parts.append(nothing('No manifest: the recording is not in the folder of a run.'))
    else:
        parts.append(collapsible('Manifest', _as_yaml(manifest)))
    scenario = findings.recording.scenario
    if scenario is None:
        parts.append(nothing('The scenario is unknown.'))
    else:
        parts.append(collapsible('Scenario', _scenario(scenario.as_dict())))
    return ''.join(parts)


def name_of(path: Path) -> str:
    """Return the name of a recording: of a link its target, of a run's bag the run."""
    real = path.resolve()
    is_of_run = real.name == BAG and (real.parent / MANIFEST).is_file()
    return (real.parent if is_of_run else real).name or 'recording'


def read_manifest(path: Path) -> Any:
    """Return the manifest of a recording, None if it has no readable one."""
    folder = path.parent if path.name == BAG else path
    try:
        file = folder / MANIFEST
        if file.stat().st_size > LARGEST_MANIFEST:
            return None
        return json.loads(file.read_text(encoding='utf-8'))
    except (OSError, ValueError, RecursionError):
        return None


def _settings(findings: Findings) -> str:
    settings, flown = findings.settings, findings.recording
    radius, target = f'{settings.radius:g} m ({settings.radius_from})', settings.target or 'none'
    if isinstance(target, tuple):
        target = 'point ({:g}, {:g}, {:g}) m'.format(*target)
    known = {
        'Recording': name_of(flown.path),
        'Start': started(flown) or f'{flown.start_ns / 1e9:.3f} s of its clock',
        'Target': target,
        'Radius': radius if settings.radius == settings.radius else NOT_KNOWN,
        'Agent counts as lost after': f'{settings.timeout:g} s',
        'Speed limit': _limit(settings.max_speed_xy),
        'Speed limit, vertical': _limit(settings.max_speed_z),
        'Collision distance': f'{settings.collision_distance:g} m',
    }
    if findings.is_foreign:
        known = {name: value for name, value in known.items() if value != NOT_KNOWN}
    return pairs(known)


def _limit(value: float | None) -> str:
    return NOT_KNOWN if value is None else f'{value:g} m/s'


def _as_yaml(content: Any) -> str:
    """Return plain data as text, as in a file."""
    lines = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=99).splitlines()
    return '<pre>' + '\n'.join(map(escaped, lines)) + '</pre>'


def _scenario(values: Mapping[str, Any]) -> str:
    """Return what is not the default, and all values, as in a scenario file."""
    changed = {}
    for section, record in SECTIONS.items():
        declared, own = declarations(record), values.get(section, {})
        if differing := {key: value for key, value in own.items()
                     if key not in declared or value != declared[key].default}:  # fmt: skip
            changed[section] = differing
    return f'<h4>Not the default</h4>{_as_yaml(changed)}<h4>Everything</h4>{_as_yaml(values)}'


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


def write_page(path: Path, findings: Findings) -> Path:
    """Write ``report.html`` atomically; return the file.

    Raises:
        RunError: The file cannot be written.
    """
    return write_whole(path, page(findings))


def page(findings: Findings) -> str:
    """Return the page as text."""
    scripts = viewer_scripts(PLOTS)
    curves = {'metrics': metric_curves(findings), 'curves': agent_curves(findings)}
    carried = compressed_parts({**replay(findings), **curves}, scripts)
    title = escaped(name_of(findings.recording.path))
    parts = {
        'head': head(title, ''.join(map(asset, STYLES)), [carried['unpack'], *scripts]),
        'title': title,
        'verdict': verdict(findings),
        'tiles': tiles(findings),
        'notes': notes(findings),
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
        'origin': origin(findings),
        **carried,
    }
    return fill_template('pages/page.html', parts)


def viewer_parts(empty: str, more: str = '') -> dict[str, str]:
    """Return the parts of a page that are the viewer: the map with its tools, and the time below.

    ``empty`` is said where nobody is to be seen; ``more`` is markup of further buttons.
    """
    return {
        'viewer': fill_template('pages/viewer.html', {'empty': empty}),
        'transport': fill_template('pages/transport.html', {'more': more}),
    }


def viewer_scripts(plots: Sequence[str]) -> list[str]:
    """Return the scripts of a page with a viewer, in order; ``plots`` need the plot library."""
    from plotly.offline import get_plotlyjs

    return [join_scripts(REPLAY), get_plotlyjs(), join_scripts(plots)]


