"""Findings as terminal tables."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.cli.views.metric_table import effort_text, metric_table
from soliton_encirclement_ros.cli.views.run_report import failure_text, settled_text
from soliton_encirclement_ros.cli.views.terminal_tables import UNKNOWN, plain, print_table
from soliton_encirclement_ros.core.run.separation.filter_text import fault_text, filter_text
from soliton_encirclement_ros.core.run.separation.near_miss_text import near_miss_text

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.findings import AgentFindings, Findings
    from soliton_encirclement_ros.analysis.recording import Source, Topic

MAX_ROWS = 40
"""Maximum number of shown agents, topics and problems; the JSON file has them all."""

AGENT_COLUMNS = (
    ('ring error\n[m]', lambda one: plain(one.radial_error, '.2f')),
    ('tracking RMS\n[m/s]', lambda one: plain(one.tracking_rms, '.3f')),
    ('P95\n[m/s]', lambda one: plain(one.tracking_p95, '.3f')),
    ('saturated\n[%]', lambda one: plain(_percent(one.saturation), '.1f')),
    ('effort\n[m/s^2]', lambda one: plain(one.effort, '.2f')),
    ('flown\n[m]', lambda one: plain(one.distance, '.0f')),
    ('failures\n', lambda one: plain(one.failures, 'd')),
    ('down\n[s]', lambda one: plain(one.time_down, '.1f')),
    ('switches\n', lambda one: plain(one.switches, 'd')),
    ('nearest\n[m]', lambda one: plain(one.separation, '.2f')),
)
TOPIC_COLUMNS = (
    ('messages\n', lambda one: plain(one.count, 'd')),
    ('rate\n[Hz]', lambda one: plain(one.rate, '.2f')),
    ('longest gap\n[s]', lambda one: plain(one.longest_gap, '.3f')),
    ('at\n[s]', lambda one: plain(one.gap_at, '.2f')),
    ('latency\n[ms]', lambda one: plain(1e3 * one.latency_median, '.2f')),
    ('P95\n[ms]', lambda one: plain(1e3 * one.latency_p95, '.2f')),
)


def print_findings(
    findings: 'Findings', folder: Path, written: Sequence[Path], console: Console
) -> None:
    """Print the findings, the problems, and the written files."""
    if any(value is not None for value in findings.means.values()):
        print_table(metric_table(findings.summary, findings.summary['scenario']), console)
    if findings.agents:
        print_table(_rows('agent', AGENT_COLUMNS, findings.agents[:MAX_ROWS]), console)
    if findings.topics:
        print_table(_rows('topic', TOPIC_COLUMNS, findings.topics[:MAX_ROWS]), console)
    if not all(source.used for source in findings.sources):
        print_table(_source_table(findings.sources[:MAX_ROWS]), console)
    for line in lines(findings):
        console.print(line, highlight=False, soft_wrap=True, markup=False)
    for line in shown(findings.problems):
        console.print(line, style='yellow', highlight=False, soft_wrap=True, markup=False)
    _print_verdict(findings, console)
    _print_files(folder, written, console)


def lines(findings: 'Findings') -> list[str]:
    """Return the main findings, one line each."""
    summary, closest = findings.summary, findings.min_separation
    found = [f'judged: {findings.judged}'] if findings.judged else []
    found.append(_flown(findings))
    if closest is not None:
        found.append(
            f'smallest separation {closest.distance:.2f} m: {closest.first} and '
            f'{closest.second} at {closest.time:.2f} s; collisions '
            f'(below {findings.settings.collision_distance:g} m): {len(findings.collisions)}'
        )
    if closest is not None and (misses := near_miss_text(summary)):
        found.append(misses)
    texts = effort_text(summary), filter_text(summary), fault_text(summary)
    found += [text for text in texts if text]
    found += _changed(findings) + _alarms(findings)
    if findings.live is not None:
        largest = max(findings.live.largest.values())
        found.append(
            f'largest difference to the metrics published in flight: {largest:.1e} '
            f'in {findings.live.samples} samples'
        )
    return found


def _flown(findings: 'Findings') -> str:
    """Return how long and when it was, of how many agents, and how the ring was held."""
    from soliton_encirclement_ros.analysis.findings.findings_json import started

    settings, begun = findings.settings, started(findings)
    clock = f'{findings.clock} clock' + (f' from {begun}' if begun else '')
    length = f'{findings.duration - findings.begin:.1f} s'
    if findings.begin:
        length += f' from {findings.begin:.1f} s on'
    found = f'{length} ({clock}), {counted(len(findings.agents), "agent")}'
    if settings.target is not None:
        found += f', radius {plain(settings.radius, ".2f")} m ({settings.radius_from})'
        found += f'; {settled_text(findings.summary, findings.begin)}'
    failures = failure_text(findings.summary)
    return f'{found}; {failures}' if failures else found


def _changed(findings: 'Findings') -> list[str]:
    """Return a line for every parameter that changed in flight, at most ``MAX_ROWS``."""
    from soliton_encirclement_ros.analysis.findings.parameter_updates import grouped_updates

    changed = grouped_updates(findings.changes)
    found = [f'at {one.time:.2f} s {one.text} in {one.where}' for one in changed[:MAX_ROWS]]
    more = len(changed) - len(found)
    return [*found, f'and {more} more parameter changes'] if more else found


def _alarms(findings: 'Findings') -> list[str]:
    """Return a line for every alarm, at most ``MAX_ROWS``."""
    from soliton_encirclement_ros.analysis.findings.alarm import grouped_alarms

    found, alarms = [], grouped_alarms(findings.alarms)
    for one in alarms[:MAX_ROWS]:
        until = '' if one.end is None else f' until {one.end:.2f} s'
        found.append(f'at {one.time:.2f} s {one.who}: {one.what}{until}')
    more = len(alarms) - len(found)
    return [*found, f'and {more} more alarms'] if more else found


def shown(problems: Sequence[str]) -> list[str]:
    """Return problems as lines, at most ``MAX_ROWS``."""
    found = [f'problem: {problem}' for problem in problems[:MAX_ROWS]]
    more = len(problems) - len(found)
    return [*found, f'and {more} more problems'] if more else found


def _print_verdict(findings: 'Findings', console: Console) -> None:
    verdicts = {True: ('ENCIRCLED', 'bold green'), False: ('NOT ENCIRCLED', 'bold red')}
    word, style = verdicts.get(findings.encircled, ('NO VERDICT', 'bold yellow'))
    console.print(f'{word}: {findings.why}', style=style, highlight=False, soft_wrap=True)


def _print_files(folder: Path, written: Sequence[Path], console: Console) -> None:
    names = ', '.join(str(path.relative_to(folder)) for path in written)
    for line in (f'written: {names}', f'report folder: {folder}'):
        console.print(line, highlight=False, soft_wrap=True, markup=False)


def _rows(
    what: str,
    columns: Sequence[tuple[str, Callable[[Any], str]]],
    rows: Sequence['AgentFindings | Topic'],
) -> Table:
    """Return a table of agents or topics, with those of the given columns that have values."""
    table = Table(f'\n{what}', title=f'{what}s')
    cells = {head: [cell(one) for one in rows] for head, cell in columns}
    known = {head: column for head, column in cells.items() if set(column) != {UNKNOWN}}
    for head in known:
        table.add_column(escape(head), justify='right')
    for one, *row in zip(rows, *known.values(), strict=True):
        table.add_row(escape(one.name), *row)
    return table


def _source_table(sources: Sequence['Source']) -> Table:
    """Return which topics tell of which vehicle, where there was a choice."""
    heads = ('vehicle', 'quantity', 'topic', 'by its name', 'used')
    table = Table(*heads, title='topics of vehicles')
    for one in sources:
        used = 'yes' if one.used else 'no'
        cells = (one.member, one.quantity, one.topic, one.role, used)
        table.add_row(*map(escape, cells))
    return table


def _percent(share: float | None) -> float | None:
    return None if share is None else 100.0 * share
