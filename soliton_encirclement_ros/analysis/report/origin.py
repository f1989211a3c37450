"""Section on the origin of a recording: reference values, manifest and scenario."""

import json
from pathlib import Path
from typing import Any

from velocity_mobility_ros.core.parameters import declarations

from soliton_encirclement_ros.analysis.findings.finding_records import Findings
from soliton_encirclement_ros.analysis.findings.findings_json import started
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.analysis.report.markup import (
    NOTHING,
    escaped,
    folded,
    nothing,
    pairs,
)
from soliton_encirclement_ros.core.run.run_folder import BAG, MANIFEST
from soliton_encirclement_ros.core.scenario.scenario import Scenario

LARGEST_MANIFEST = 1_000_000
"""Size limit of a shown manifest [bytes]."""

NOT_KNOWN = 'not known'


def origin(recording: Recording, findings: Findings) -> str:
    """Return the reference values; of a run the manifest and the scenario, too."""
    parts = [_settings(findings)]
    if findings.is_foreign:
        return parts[0]
    manifest = read_manifest(recording.path)
    if manifest is None:
        parts.append(nothing('No manifest: the recording is not in the folder of a run.'))
    else:
        parts.append(folded('Manifest', _plain(manifest)))
    if recording.scenario is None:
        parts.append(nothing('The scenario is unknown.'))
    else:
        parts.append(folded('Scenario', _scenario(recording.scenario)))
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
    settings = findings.settings
    radius = f'{settings.radius:g} m ({settings.radius_from})'
    known = {
        'Recording': name_of(findings.path),
        'Start': started(findings) or f'{findings.start_ns / 1e9:.3f} s of its clock',
        'Target': 'none' if settings.target is None else _place(settings.target),
        'Radius': radius if settings.radius == settings.radius else NOT_KNOWN,
        'Agent counts as lost after': f'{settings.timeout:g} s',
        'Speed limit': _limit(settings.max_speed_xy),
        'Speed limit, vertical': _limit(settings.max_speed_z),
        'Collision distance': f'{settings.collision_distance:g} m',
    }
    if findings.is_foreign:
        known = {name: value for name, value in known.items() if value != NOT_KNOWN}
    return pairs(known)


def _place(target: str | tuple[float, float, float]) -> str:
    if isinstance(target, str):
        return target
    return 'point ({:g}, {:g}, {:g}) m'.format(*target)


def _limit(value: float | None) -> str:
    return NOT_KNOWN if value is None else f'{value:g} m/s'


def _plain(manifest: Any) -> str:
    """Return the manifest without the scenario, which is listed separately."""
    if not isinstance(manifest, dict):
        return f'<pre>{escaped(manifest)}</pre>'
    shown = {}
    for key, value in manifest.items():
        if key == 'scenario':
            continue
        if isinstance(value, dict):
            shown |= {f'{key}.{inner}': content for inner, content in value.items()}
        elif isinstance(value, list):
            shown[key] = ' '.join(map(str, value))
        else:
            shown[key] = value
    return pairs({key: _text(value) for key, value in shown.items()})


def _text(value: object) -> str:
    """Return a value as in the file, a dash for none."""
    if isinstance(value, bool):
        return str(value).lower()
    return NOTHING if value is None or value == '' else str(value)


def _scenario(scenario: Scenario) -> str:
    """Return all values by section with their units; changed values are bold."""
    usual, found = Scenario().as_dict(), ''
    for section, values in scenario.as_dict().items():
        if not isinstance(values, dict):
            continue
        declared = declarations(type(getattr(scenario, section)))
        items = ''.join(
            f'<div{"" if value == usual[section].get(key) else " class=changed"}'
            f' title="{escaped(declared[key].meaning)}">'
            f'<dt>{escaped(key)}</dt>'
            f'<dd>{escaped(_with_unit(value, declared[key].unit))}</dd></div>'
            for key, value in values.items()
        )
        found += f'<section><h4>{escaped(section)}</h4><dl class="pairs">{items}</dl></section>'
    return f'<p class="hint">Bold: not the default.</p><div class="sections">{found}</div>'


def _with_unit(value: object, unit: str) -> str:
    text = _text(value)
    return f'{text} {unit}' if unit and text != NOTHING else text
