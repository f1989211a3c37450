"""Top of the report: verdict, main figures and warnings."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.analysis.findings.finding_records import ESTIMATED, GIVEN, Findings
from soliton_encirclement_ros.analysis.recording import HEADER, RECEIVED, SIMULATED, Recording
from soliton_encirclement_ros.analysis.report.markup import NOTHING, escaped, folded, number
from soliton_encirclement_ros.core.run.figures.command_effort import CHANGE
from soliton_encirclement_ros.core.run.figures.steady_means import STEADY, STEADY_SHARE
from soliton_encirclement_ros.core.run.separation.filter_tally import BY_REASON, SHARE
from soliton_encirclement_ros.core.run.separation.near_misses import RATES, THRESHOLDS

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
"""Upper limit of characters of a name in a tile."""


def verdict(findings: Findings) -> str:
    """Return the verdict as text, with its reason, and what was judged if that is not all."""
    known = {True: ('good', 'Encircled'), False: ('bad', 'Not encircled')}
    kind, word = known.get(findings.encircled, ('unknown', 'Not judged'))
    judged = f'<p class="hint">Judged: {escaped(findings.judged)}</p>' if findings.judged else ''
    return (
        f'<p class="verdict {kind}"><strong>{word}</strong> '
        f'<span>{escaped(findings.why)}</span></p>{judged}'
    )


def tiles(findings: Findings) -> str:
    """Return the tiles with the main figures, those without a value only of a run."""
    has_target = findings.settings.target is not None
    return ''.join(
        f'<div class="tile"><dt>{escaped(title)}</dt>'
        f'<dd>{escaped(value)}{f"<small>{escaped(note)}</small>" if note else ""}</dd></div>'
        for title, value, note in _figures(findings)
        if value != NOTHING or not findings.is_foreign or (title in SETTLED and has_target)
    )


def _figures(findings: Findings) -> list[tuple[str, str, str]]:
    settings, nearest = findings.settings, findings.min_separation
    failures = any(agent.failures is not None for agent in findings.agents)
    recovered = len([event for event in findings.events if not event.failed])
    origin = {ESTIMATED: 'estimated', GIVEN: 'given'}.get(settings.radius_from, '')
    part = f'from {findings.begin:.1f} s on, ' if findings.begin else ''
    who = ''
    if nearest:
        who = f'{_short(nearest.first)}, {_short(nearest.second)} at {nearest.time:.1f} s'
    return [
        ('Duration', _with_unit(findings.duration - findings.begin, 1, 's'),
         f'{part}{counted(len(findings.agents), "agent")}, {CLOCKS[findings.clock]}'),
        ('Desired radius', _with_unit(settings.radius, 1, 'm'), origin),
        (SETTLED[findings.begin > 0.0], _with_unit(findings.settling_time, 2, 's'),
         _steady(findings.summary)),
        ('Smallest separation', _with_unit(nearest and nearest.distance, 2, 'm'), who),
        ('Collisions', NOTHING if nearest is None else str(len(findings.collisions)),
         f'nearer than {settings.collision_distance:g} m'),
        _near_misses(findings.summary),
        _filtered(findings.summary),
        ('Failures', str(len(findings.events) - recovered) if failures else NOTHING,
         f'{recovered} recovered' if findings.events else '' if failures else 'no telemetry'),
    ]  # fmt: skip


def _near_misses(summary: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the rate at the largest threshold, and the others as a note."""
    rate, *others = [summary.get(key) for key in RATES]
    notes = [
        f'{number(other, 1)} below {distance:g} m'
        for other, distance in zip(others, THRESHOLDS[1:], strict=True) if other is not None
    ]  # fmt: skip
    shown = NOTHING if rate is None else f'{number(rate, 1)} / min'
    return f'Nearer than {THRESHOLDS[0]:g} m', shown, ', '.join(notes)


def _filtered(summary: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the share of commands that the filter changed; reasons and changes as a note."""
    share, reasons = summary.get(SHARE), summary.get(BY_REASON) or {}
    notes = [f'{name} {number(100.0 * part, 1)} %' for name, part in reasons.items()]
    if summary.get(CHANGE) is not None:
        notes.append(f'all change by {number(summary[CHANGE], 2)} m/s per tick (RMS)')
    shown = NOTHING if share is None else f'{number(100.0 * share, 1)} %'
    return 'Commands filtered', shown, ', '.join(notes)


def _steady(summary: Mapping[str, Any]) -> str:
    """Return the errors long after a failure or a return; empty if there is no such sample."""
    means = summary.get(STEADY) or {}
    if not summary.get(STEADY_SHARE):
        return ''
    return f'steady E gap {number(means["E_gap"], 3)}, Eᵣ {number(means["E_r"], 3)}'


def _short(name: str) -> str:
    """Return a name cut to the width of a tile; the end is kept, where long names differ."""
    return name if len(name) <= MAX_NAME_LENGTH else f'…{name[1 - MAX_NAME_LENGTH :]}'


def _with_unit(value: float | None, digits: int, unit: str) -> str:
    text = number(value, digits)
    return text if text == NOTHING else f'{text} {unit}'


def notes(recording: Recording, findings: Findings) -> str:
    """Return the warnings, empty without any."""
    has_target = findings.settings.target is not None
    without = _without_scenario(recording) if has_target and not findings.is_foreign else ()
    found = [*findings.problems, *without]
    if not found:
        return ''
    lines = _lines(found[:FEW_PROBLEMS])
    if len(found) > FEW_PROBLEMS:
        rest = found[FEW_PROBLEMS:]
        lines += folded(f'{len(rest)} more', _lines(rest))
    return f'<aside class="note" id="problems"><h2>Missing or doubtful</h2>{lines}</aside>'


def _lines(texts: Sequence[str]) -> str:
    return '<ul>' + ''.join(f'<li>{escaped(text)}</li>' for text in texts) + '</ul>'


def _without_scenario(recording: Recording) -> Iterator[str]:
    if recording.scenario is None:
        yield 'no scenario: the verdict uses the default bounds; the arc to protect is unknown'
