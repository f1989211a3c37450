"""``swarm report``: evaluates a recording as figures, a page, plots and tables.

On a terminal the findings are tables.
"""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

import click
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from soliton_encirclement_ros.cli.options import JSON, PATH, RADIUS
from soliton_encirclement_ros.cli.output import print_json
from soliton_encirclement_ros.cli.recordings.recording_input import (
    CODE, FLEET, FLIGHT, MAP, RECORDINGS, parse_target, parse_window, read_flight, report_folder,
    write_map
)
from soliton_encirclement_ros.cli.streams.streaming import STREAMS, check_stream, write_stream
from soliton_encirclement_ros.cli.views.run_report import (
    WorkProgress, effort_text, failure_text, if_installed, metric_table, settled_text
)
from soliton_encirclement_ros.cli.views.terminal_display import (
    UNKNOWN, plain, print_line, print_table, wide_console
)
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import writing
from soliton_encirclement_ros.core.flight_statistics.filter_tally import fault_text, filter_text
from soliton_encirclement_ros.core.flight_statistics.near_misses import near_miss_text
from soliton_encirclement_ros.core.run.run_folder import write_json
from soliton_encirclement_ros.core.states.swarm_topics import TARGET, uav
from velocity_mobility_ros.core.environment.unix_process import on_stop_signals
from velocity_mobility_ros.core.user_errors import counted

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.findings import AgentFindings, Findings
    from soliton_encirclement_ros.analysis.recording import Source, Topic


MAX_ROWS = 40
"""Maximum number of shown agents, topics and problems; the JSON file has them all."""

AGENT_COLUMNS = (
    ('ring error\n[m]', lambda agent: plain(agent.radial_error, '.2f')),
    ('tracking RMS\n[m/s]', lambda agent: plain(agent.tracking_rms, '.3f')),
    ('P95\n[m/s]', lambda agent: plain(agent.tracking_p95, '.3f')),
    ('saturated\n[%]', lambda agent: plain(agent.saturation and 100.0 * agent.saturation, '.1f')),
    ('effort\n[m/s^2]', lambda agent: plain(agent.effort, '.2f')),
    ('flown\n[m]', lambda agent: plain(agent.distance, '.0f')),
    ('failures\n', lambda agent: plain(agent.failures, 'd')),
    ('down\n[s]', lambda agent: plain(agent.time_down, '.1f')),
    ('switches\n', lambda agent: plain(agent.switches, 'd')),
    ('nearest\n[m]', lambda agent: plain(agent.separation, '.2f')),
)
TOPIC_COLUMNS = (
    ('messages\n', lambda topic: plain(topic.count, 'd')),
    ('rate\n[Hz]', lambda topic: plain(topic.rate, '.2f')),
    ('longest gap\n[s]', lambda topic: plain(topic.longest_gap, '.3f')),
    ('at\n[s]', lambda topic: plain(topic.gap_at, '.2f')),
    ('latency\n[ms]', lambda topic: plain(1e3 * topic.latency_median, '.2f')),
    ('P95\n[ms]', lambda topic: plain(1e3 * topic.latency_p95, '.2f')),
)


def print_findings(
    findings: 'Findings', folder: Path, written: Sequence[Path], console: Console
) -> None:
    """Print the findings, the problems, and the written files."""
    if any(value is not None for value in findings.averages.values()):
        print_table(metric_table(findings.summary, findings.summary['scenario']), console)
    if findings.agents:
        print_table(_value_table('agent', AGENT_COLUMNS, findings.agents[:MAX_ROWS]), console)
    topics, sources = findings.recording.topics, findings.recording.sources
    if topics:
        print_table(_value_table('topic', TOPIC_COLUMNS, topics[:MAX_ROWS]), console)
    if not all(source.used for source in sources):
        print_table(_source_table(sources[:MAX_ROWS]), console)
    for line in lines(findings):
        print_line(console, line)
    problems = [f'problem: {problem}' for problem in findings.problems]
    for line in first(problems, 'problems'):
        print_line(console, line, 'yellow')
    verdicts = {True: ('ENCIRCLED', 'bold green'), False: ('NOT ENCIRCLED', 'bold red')}
    word, style = verdicts.get(findings.encircled, ('NO VERDICT', 'bold yellow'))
    print_line(console, f'{word}: {findings.why}', style)
    print_line(console, f'written: {", ".join(str(path.relative_to(folder)) for path in written)}')
    print_line(console, f'report folder: {folder}')


def lines(findings: 'Findings') -> list[str]:
    """Return the main findings, one line each."""
    from soliton_encirclement_ros.analysis.findings.alarms import grouped_updates
    from soliton_encirclement_ros.analysis.findings.finding_records import grouped_alarms

    summary, closest = findings.summary, findings.min_separation
    judged = findings.recording.judged
    facts = [f'judged: {judged}'] if judged else []
    facts.append(_flight_text(findings))
    facts += [f'note: {note}' for note in findings.recording.notes]
    if closest is not None:
        facts.append(
            f'smallest separation {closest.distance:.2f} m: {closest.first} and '
            f'{closest.second} at {closest.time:.2f} s; collisions '
            f'(below {findings.settings.collision_distance:g} m): {len(findings.collisions)}'
        )
    if closest is not None and (misses := near_miss_text(summary)):
        facts.append(misses)
    texts = effort_text(summary), filter_text(summary), fault_text(summary)
    facts += [text for text in texts if text]
    facts += first([
        f'at {change.time:.2f} s {change.text} in {change.where}'
        for change in grouped_updates(findings.recording.changes)
    ], 'parameter changes')  # fmt: skip
    facts += first([
        f'at {alarm.time:.2f} s {alarm.who}: {alarm.what}'
        + ('' if alarm.end is None else f' until {alarm.end:.2f} s')
        for alarm in grouped_alarms(findings.alarms)
    ], 'alarms')  # fmt: skip
    if findings.live is not None:
        largest = max(findings.live.largest.values())
        facts.append(
            f'largest difference to the metrics published in flight: {largest:.1e} '
            f'in {findings.live.samples} samples'
        )
    return facts


def _flight_text(findings: 'Findings') -> str:
    """Return duration, clock, number of agents, radius, settling and failures as one line."""
    from soliton_encirclement_ros.analysis.findings.finding_records import started

    settings, recording = findings.settings, findings.recording
    start_text = started(recording)
    clock = f'{recording.clock} clock' + (f' from {start_text}' if start_text else '')
    length = f'{recording.duration - recording.begin:.1f} s'
    if recording.begin:
        length += f' from {recording.begin:.1f} s on'
    text = f'{length} ({clock}), {counted(len(findings.agents), "agent")}'
    if settings.target is not None:
        text += f', radius {plain(settings.radius, ".2f")} m ({settings.radius_from})'
        text += f'; {settled_text(findings.summary, recording.begin)}'
    failures = failure_text(findings.summary)
    return f'{text}; {failures}' if failures else text


def first(lines: Sequence[str], what: str) -> list[str]:
    """Return at most ``MAX_ROWS`` lines, and how many more of a kind there are."""
    more = len(lines) - MAX_ROWS
    return [*lines[:MAX_ROWS], *([f'and {more} more {what}'] if more > 0 else [])]


def _value_table(
    what: str,
    columns: Sequence[tuple[str, Callable[[Any], str]]],
    rows: Sequence['AgentFindings | Topic'],
) -> Table:
    """Return a table of agents or topics, without the columns that have no values."""
    table = Table(f'\n{what}', title=f'{what}s')
    cells = {head: [cell(item) for item in rows] for head, cell in columns}
    known = {head: column for head, column in cells.items() if set(column) != {UNKNOWN}}
    for head in known:
        table.add_column(escape(head), justify='right')
    for item, *row in zip(rows, *known.values(), strict=True):
        table.add_row(escape(item.name), *row)
    return table


def _source_table(sources: Sequence['Source']) -> Table:
    """Return the topics of each vehicle's quantities, and which of them are used."""
    heads = ('vehicle', 'quantity', 'topic', 'by its name', 'used')
    table = Table(*heads, title='topics of vehicles')
    for source in sources:
        used = 'yes' if source.used else 'no'
        cells = (source.member, source.quantity, source.topic, source.role, used)
        table.add_row(*map(escape, cells))
    return table


TABLES = click.Choice(['csv', 'parquet'])
TRACKS = click.Choice(['kml', 'gpx'])
PAGE = 'report.html'
FIGURES = 'findings.json'
VIDEO = 'flight.gif'


def report(
    paths: list[Path] = RECORDINGS,
    names: Optional[Path] = MAP,
    map_out: Optional[Path] = typer.Option(
        None,
        '--write-map',
        click_type=PATH,
        help='Write such a file with the topics in use, to be edited.',
        show_default=False,
    ),
    out: Optional[Path] = typer.Option(
        None,
        click_type=PATH,
        help='Output folder.',
        show_default="the run's folder, else BAG-report",
    ),
    table: Optional[list[str]] = typer.Option(
        None,
        click_type=TABLES,
        help='Also write tables; give it twice for both.',
    ),
    export: Optional[list[str]] = typer.Option(
        None,
        click_type=TRACKS,
        help='Also write the tracks on the globe; give it twice for both.',
    ),
    target: Optional[str] = typer.Option(
        None, help='Target: a name in the bag, or a fixed point X,Y in m.'
    ),
    radius: Optional[float] = typer.Option(
        None,
        click_type=RADIUS,
        help='Desired radius in m.',
        show_default='that of the scenario, else an estimate',
    ),
    window: Optional[str] = typer.Option(
        None,
        '--between',
        help='Evaluate only A..B in s, for example without take-off and landing.',
        show_default='all; with states of bridges the longest flight',
    ),
    flight: Optional[int] = FLIGHT,
    namespace: Optional[str] = FLEET,
    code: list[str] = CODE,
    page: bool = typer.Option(True, '--page/--no-page', help=f'Write {PAGE}.'),
    pictures: bool = typer.Option(True, '--pictures/--no-pictures', help='Draw pictures.'),
    video: bool = typer.Option(False, '--video', help=f'Write {VIDEO}, a picture that moves.'),
    stream: Optional[str] = typer.Option(
        None,
        click_type=click.Choice(list(STREAMS)),
        help=f'Write a file for another viewer: {", ".join(STREAMS.values())}.',
    ),
    json_wanted: bool = JSON,
) -> int:
    """Report on a recording of a flight or a simulation; needs no ROS."""
    from soliton_encirclement_ros.analysis.findings import as_json, default_settings, find
    from soliton_encirclement_ros.analysis.flight_window import between, longest_flight
    from soliton_encirclement_ros.analysis.track_export import check_origin, write_tracks

    # Ctrl-C must restore the cursor of the terminal and remove half a table.
    on_stop_signals(signal.default_int_handler)
    forms = list(dict.fromkeys(table or []))
    if forms:
        from soliton_encirclement_ros.analysis.table_files import check_format

        for form in forms:
            check_format(form, '--table')
    check_stream(stream, is_live=False)
    if map_out is not None and os.path.exists(map_out):  # a user may have edited it
        raise RunError(f'--write-map {map_out}: is there already; name another file')
    limits = parse_window(window)
    console = wide_console(json_wanted)
    recording = read_flight(paths, names, console, flight, namespace)
    for form in export or []:
        check_origin(recording, form)
    maps = [] if map_out is None else [write_map(map_out, recording, names)]
    recording = longest_flight(recording) if limits is None else between(recording, *limits)
    surrounded = parse_target(target, recording)
    settings = default_settings(recording, surrounded, radius)
    with WorkProgress(console, 'computing the figures', 'samples') as progress:
        findings = find(recording, settings, progress.note)
    folder = report_folder(paths[0], out)
    written = [folder / FIGURES]
    with writing(written[0], advice='; name another folder with --out'):
        folder.mkdir(parents=True, exist_ok=True)
        write_json(written[0], as_json(findings))
    with console.status('writing the report'):
        written += _write_tables(folder, forms, findings)
        for form in dict.fromkeys(export or []):
            written.append(write_tracks(folder / f'flight.{form}', form, findings.recording))
        if pictures:
            written += if_installed('pictures', lambda: _draw(folder, findings))
        if page:
            written += if_installed('page', lambda: [_write_page(folder, findings)])
    if video:
        with WorkProgress(console, 'drawing the video', 'pictures') as progress:
            written += if_installed('video', lambda: [_draw_video(folder, findings, progress)])
    if stream is not None:
        with console.status(f'writing {STREAMS[stream]}'):
            written.append(write_stream(stream, folder, findings))
    print_findings(findings, folder, written, console)
    for map_path in maps:
        print_line(console, f'map: {map_path}')
    if json_wanted:
        files = [str(file) for file in (*written, *maps)]
        print_json({**as_json(findings), 'files': files})
    return 0


def _write_tables(folder: Path, forms: Sequence[str], findings: 'Findings') -> list[Path]:
    """Write all tables in some formats; each file counts once, columns.json is for all."""
    if not forms:
        return []
    from soliton_encirclement_ros.analysis.recording_tables import write_tables

    written: dict[Path, None] = {}
    for form in forms:
        written |= dict.fromkeys(write_tables(folder, form, findings))
    return list(written)


def _draw(folder: Path, findings: 'Findings') -> Iterator[Path]:
    """Draw the plots of a run, without a target the paths alone."""
    from soliton_encirclement_ros.analysis.plots.run_plots import draw_run

    settings = findings.settings
    labels = {uav(agent.agent_id): agent.name for agent in findings.agents}
    if isinstance(settings.target, str):
        labels[TARGET] = settings.target
    with writing(folder, 'draw'):
        if findings.observer.trails:
            yield from draw_run(folder, settings.scenario, findings.observer, labels)


def _draw_video(folder: Path, findings: 'Findings', progress: WorkProgress) -> Path:
    from soliton_encirclement_ros.analysis.plots.video import draw_video

    return draw_video(folder / VIDEO, findings, progress.note)


def _write_page(folder: Path, findings: 'Findings') -> Path:
    from soliton_encirclement_ros.analysis.report import write_page

    return write_page(folder / PAGE, findings)
