"""``swarm report``: evaluates a recording as figures, a page, plots and tables."""

import functools
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Optional

import click
import typer
from velocity_mobility_ros.core.interrupt import on_stop_signals

from soliton_encirclement_ros.cli.bag_reading import FLEET, check_new, read_bag, write_map
from soliton_encirclement_ros.cli.options.option_checks import check_radius
from soliton_encirclement_ros.cli.options.option_types import NUMBER, PATH, WHOLE
from soliton_encirclement_ros.cli.output import print_json
from soliton_encirclement_ros.cli.report_place import chosen_target, chosen_window, report_folder
from soliton_encirclement_ros.cli.streams.streaming import STREAMS, check_stream, write_stream
from soliton_encirclement_ros.cli.views.report_progress import WorkProgress
from soliton_encirclement_ros.cli.views.report_tables import print_findings
from soliton_encirclement_ros.cli.views.run_report import if_installed
from soliton_encirclement_ros.cli.views.terminal_tables import wide_console
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files.path_kind import why_not_written
from soliton_encirclement_ros.core.run.run_folder import write_json
from soliton_encirclement_ros.core.states.swarm_topics import TARGET, uav

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.findings import Findings
    from soliton_encirclement_ros.analysis.recording import Recording

PAGE = 'report.html'
FIGURES = 'findings.json'
VIDEO = 'flight.gif'


def report(
    path: Path = typer.Argument(
        click_type=PATH,
        help="A run's folder, a bag's folder, or an .mcap or .db3 file.",
        show_default=False,
    ),
    names: Optional[Path] = typer.Option(
        None,
        '--map',
        click_type=PATH,
        help='YAML file that maps topics to members and quantities.',
    ),
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
        None, help='Also write tables: csv or parquet; give it twice for both.'
    ),
    target: Optional[str] = typer.Option(
        None, help='Target: a name in the bag, or a fixed point X,Y in m.'
    ),
    radius: Optional[float] = typer.Option(
        None,
        click_type=NUMBER,
        help='Desired radius in m.',
        show_default='that of the scenario, else an estimate',
    ),
    window: Optional[str] = typer.Option(
        None,
        '--between',
        help='Evaluate only A..B in s, for example without take-off and landing.',
        show_default='all; with states of bridges the longest flight',
    ),
    flight: Optional[int] = typer.Option(
        None,
        click_type=WHOLE,
        help='Number of the simulated flight in the bag.',
        show_default='the last',
    ),
    namespace: Optional[str] = FLEET,
    page: bool = typer.Option(True, '--page/--no-page', help=f'Write {PAGE}.'),
    pictures: bool = typer.Option(True, '--pictures/--no-pictures', help='Draw pictures.'),
    video: bool = typer.Option(False, '--video', help=f'Write {VIDEO}, a picture that moves.'),
    stream: Optional[str] = typer.Option(
        None,
        click_type=click.Choice(list(STREAMS)),
        help=f'Write a file for another viewer: {", ".join(STREAMS.values())}.',
    ),
    json_wanted: bool = typer.Option(False, '--json', help='Print JSON, no progress.'),
) -> int:
    """Report on a recording of a flight or a simulation; needs no ROS."""
    from soliton_encirclement_ros.analysis.findings import as_json, default_settings, find
    from soliton_encirclement_ros.analysis.flown_part import flown_part
    from soliton_encirclement_ros.analysis.window import between

    # Ctrl-C must restore the cursor of the terminal and remove half a table.
    on_stop_signals(signal.default_int_handler)
    forms = list(dict.fromkeys(table or []))
    check_tables(forms)
    check_stream(stream, is_live=False)
    if map_out is not None:
        check_new(map_out)
    limits = chosen_window(window)
    console = wide_console(json_wanted)
    recording = read_bag(path, names, console, flight, namespace)
    maps = [] if map_out is None else [write_map(map_out, recording, names)]
    recording = flown_part(recording) if limits is None else between(recording, *limits)
    surrounded = chosen_target(target, recording)
    check_radius(radius)
    settings = default_settings(recording, surrounded, radius)
    with WorkProgress(console, 'computing the figures', 'samples') as progress:
        findings = find(recording, settings, progress.note)
    folder = report_folder(path, out)
    written = [_write_figures(folder, as_json(findings))]
    with console.status('writing the report'):
        written += _write_tables(folder, forms, recording, findings)
        if pictures:
            written += if_installed('pictures', lambda: _draw(folder, recording, findings))
        if page:
            written += if_installed('page', lambda: [_write_page(folder, recording, findings)])
    if video:
        with WorkProgress(console, 'drawing the video', 'pictures') as progress:
            draw = functools.partial(_draw_video, folder, recording, findings, progress.note)
            written += if_installed('video', lambda: [draw()])
    if stream is not None:
        with console.status(f'writing {STREAMS[stream]}'):
            written.append(write_stream(stream, folder, recording, findings))
    print_findings(findings, folder, written, console)
    for one in maps:
        console.print(f'map: {one}', highlight=False, soft_wrap=True, markup=False)
    if json_wanted:
        files = [str(one) for one in (*written, *maps)]
        print_json({**as_json(findings), 'files': files})
    return 0


def check_tables(forms: Sequence[str]) -> None:
    """Refuse an unknown format of tables, before anything is read.

    Raises:
        RunError: There is no such format.
    """
    if not forms:
        return
    from soliton_encirclement_ros.analysis.tables import FORMATS

    for form in forms:
        if form not in FORMATS:
            raise RunError(f'--table {form[:40]!r} must be one of {", ".join(FORMATS)}')


def _write_figures(folder: Path, content: object) -> Path:
    path = folder / FIGURES
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_json(path, content)
    except OSError as error:
        reason = why_not_written(error)
        raise RunError(f'{path}: cannot write: {reason}; name another folder with --out') from None
    return path


def _write_tables(
    folder: Path, forms: Sequence[str], recording: 'Recording', findings: 'Findings'
) -> list[Path]:
    """Write all tables in some formats; each file counts once, columns.json is for all."""
    if not forms:
        return []
    from soliton_encirclement_ros.analysis.tables import write_tables

    written: dict[Path, None] = {}
    for form in forms:
        written |= dict.fromkeys(write_tables(folder, form, recording, findings))
    return list(written)


def _draw(folder: Path, recording: 'Recording', findings: 'Findings') -> Iterator[Path]:
    """Draw the plots of a run, without a target the paths alone; and heights that differ."""
    from soliton_encirclement_ros.analysis.plots.path_plots import draw_paths
    from soliton_encirclement_ros.analysis.plots.run_plots import draw_run

    settings = findings.settings
    labels = {uav(agent.agent_id): agent.name for agent in findings.agents}
    if isinstance(settings.target, str):
        labels[TARGET] = settings.target
    try:
        if settings.target is not None:
            yield from draw_run(folder, settings.scenario, findings.observer, labels)
        yield from draw_paths(folder, recording, findings)
    except OSError as error:
        raise RunError(f'{folder}: cannot draw: {error.strerror or error}') from None


def _draw_video(
    folder: Path, recording: 'Recording', findings: 'Findings', note: Callable[[int, int], None]
) -> Path:
    from soliton_encirclement_ros.analysis.plots.video import draw_video

    return draw_video(folder / VIDEO, recording, findings, note)


def _write_page(folder: Path, recording: 'Recording', findings: 'Findings') -> Path:
    from soliton_encirclement_ros.analysis.report import write_page

    return write_page(folder / PAGE, recording, findings)
