"""The top of the page: the answer, the figures that matter, what is missing and what is odd."""

from typing import Any

from soliton_encirclement_ros.analysis.findings.records import ESTIMATED, GIVEN, Findings
from soliton_encirclement_ros.analysis.recording import HEADER, RECEIVED, SIMULATED, Recording
from soliton_encirclement_ros.analysis.report.markup import (
    NOTHING,
    escaped,
    folded,
    number,
)
from soliton_encirclement_ros.analysis.report.tables import unmeasured
from soliton_encirclement_ros.core.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.topics import ADVERSARY

CLOCKS = {
    SIMULATED: 'simulated time',
    HEADER: 'time of the message headers',
    RECEIVED: 'time of reception',
}
FEW_PROBLEMS = 4
"""More than these are folded away."""


def verdict(findings: Findings) -> str:
    """Return the verdict in words, with its reason."""
    known = {True: ('good', 'Encircled'), False: ('bad', 'Not encircled')}
    kind, word = known.get(findings.encircled, ('unknown', 'Not judged'))
    return (
        f'<p class="verdict {kind}"><strong>{word}</strong> '
        f'<span>{escaped(findings.why)}</span></p>'
    )


def tiles(findings: Findings) -> str:
    """Return the figures to see first."""
    return ''.join(
        f'<div class="tile"><dt>{escaped(title)}</dt>'
        f'<dd>{escaped(value)}<small>{escaped(note)}</small></dd></div>'
        for title, value, note in _figures(findings)
    )


def _figures(findings: Findings) -> list[tuple[str, str, str]]:
    settings, nearest = findings.settings, findings.min_separation
    failures = [agent.failures for agent in findings.agents if agent.failures is not None]
    recoveries = sum(agent.recoveries or 0 for agent in findings.agents)
    origin = {ESTIMATED: 'estimated', GIVEN: 'given'}.get(settings.radius_from, '')
    who = f'{nearest.first}, {nearest.second} at {nearest.time:.1f} s' if nearest else ''
    return [
        ('Duration', _with_unit(findings.duration, 1, 's'), CLOCKS[findings.clock]),
        ('Agents', str(len(findings.agents)), ''),
        ('Radius wanted', _with_unit(settings.radius, 1, 'm'), origin),
        ('Settled after', _with_unit(findings.settling_time, 2, 's'), ''),
        ('Smallest separation', _with_unit(nearest and nearest.distance, 2, 'm'), who),
        ('Collisions', str(len(findings.collisions)),
         f'nearer than {settings.collision_distance:g} m'),
        ('Failures', str(sum(failures)) if failures else NOTHING,
         f'{recoveries} recovered' if failures else 'no telemetry'),
    ]  # fmt: skip


def _with_unit(value: float | None, digits: int, unit: str) -> str:
    text = number(value, digits)
    return text if text == NOTHING else f'{text} {unit}'


def notes(recording: Recording, findings: Findings) -> str:
    """Return what is missing, and what is odd about the recording."""
    found = ''
    lacks = missing(recording, findings)
    if lacks:
        found += f'<aside class="note" id="missing"><h2>Missing</h2>{_lines(lacks)}</aside>'
    problems = findings.problems
    if problems:
        count = f'{len(problems)} problem{"s" if len(problems) > 1 else ""} with the recording'
        lines = _lines(problems[:FEW_PROBLEMS])
        if len(problems) > FEW_PROBLEMS:
            rest = problems[FEW_PROBLEMS:]
            lines += folded(f'{len(rest)} more', _lines(rest))
        found += f'<aside class="note odd" id="problems"><h2>{count}</h2>{lines}</aside>'
    return found


def _lines(texts: Any) -> str:
    return '<ul>' + ''.join(f'<li>{escaped(text)}</li>' for text in texts) + '</ul>'


def missing(recording: Recording, findings: Findings) -> list[str]:
    """Return one sentence for everything that the page would show and cannot."""
    members, agents = recording.members, [recording.members[a.name] for a in findings.agents]
    sentences = {
        'No agents, so there is nothing to replay.': not agents,
        'No target: no ring, no radius error, and no metrics of the ring.':
            findings.settings.target is None,
        'No wanted radius is known; tell it with --radius.':
            findings.settings.radius != findings.settings.radius,
        'No telemetry of the agents: failures and neighbours are not known.':
            bool(agents) and not any(member.telemetry for member in agents),
        'No commands: what the vehicles were told is not known.':
            bool(agents) and not any(member.commands for member in agents),
        'No adversary.': ADVERSARY not in members and _expects_adversary(recording),
        'No scenario: the bounds of the verdict are the defaults.': recording.scenario is None,
    }  # fmt: skip
    found = [sentence for sentence, is_so in sentences.items() if is_so]
    unknown = unmeasured(findings)
    if unknown and findings.settings.target is not None:
        what = 'any metric' if len(unknown) == len(METRIC_NAMES) else ', '.join(unknown)
        found.append(f'Nowhere enough at the same time to compute {what}.')
    return found


def _expects_adversary(recording: Recording) -> bool:
    scenario = recording.scenario
    return scenario is not None and scenario.adversary.adversary_enable
