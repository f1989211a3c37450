"""``swarm compare``: finished runs of several controllers, or recordings, side by side.

Recordings are compared by overlaid curves and by figures with their differences.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Optional

import click
import typer
from rich.console import Console

from soliton_encirclement_ros.cli.options import (
    PAGES, PATH, PICTURES, RADIUS, check_ending, warn_of_repeats, without_links
)
from soliton_encirclement_ros.cli.output import print_json
from soliton_encirclement_ros.cli.recordings.recording_input import (
    CODE, MAP, parse_target, read_flight
)
from soliton_encirclement_ros.cli.views.comparison_tables import print_comparison, print_recordings
from soliton_encirclement_ros.cli.views.terminal_display import print_line, wide_console
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import is_there, writing
from soliton_encirclement_ros.core.laws.law_registry import law_labels
from soliton_encirclement_ros.core.run.finished_run import (
    FinishedRun, Series, find_runs, is_run, read_flown, read_samples
)
from soliton_encirclement_ros.core.run.run_folder import BAG
from soliton_encirclement_ros.experiments.law_comparison import LawComparison, as_json, compare

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.comparison_records import RecordingComparison, Side


def compare_runs(
    runs: list[Path] = typer.Argument(
        click_type=PATH,
        help='Run folders, folders that contain run folders, bags, or logs: a file, or a folder '
        'with those of one flight.',
        show_default=False,
    ),
    picture: Optional[Path] = typer.Option(
        None,
        click_type=PATH,
        help='Plot of the metrics over time; one file per scenario.',
    ),
    page: Optional[Path] = typer.Option(
        None,
        click_type=PATH,
        help='HTML file with the curves of all recordings overlaid.',
    ),
    align: Optional[str] = typer.Option(
        None, click_type=click.Choice(['motion', 'start', 'failure', 'date', 'none']),
        help='Event at time 0 of each recording.', show_default='motion',
    ),
    names: Optional[Path] = MAP,
    code: list[str] = CODE,
    target: Optional[str] = typer.Option(
        None, help='Target in bags: a name, or a fixed point X,Y in m.'
    ),
    radius: Optional[float] = typer.Option(
        None, click_type=RADIUS, help='Desired radius in bags, in m.'
    ),
    json_wanted: bool = typer.Option(False, '--json', help='Print everything as JSON.'),
) -> int:
    """Compare controllers over their runs, or recordings with each other."""
    check_ending('--picture', picture, PICTURES)
    check_ending('--page', page, PAGES)
    runs = without_links(runs)
    from soliton_encirclement_ros.analysis.recording_paths import are_one_flight, is_recording

    wanted = (page, align, names, target, radius)
    asked = any(option is not None for option in wanted)
    if asked or any(map(is_recording, runs)) or are_one_flight(runs):
        return _compare_recordings(
            runs, align, names, target, radius, picture, page, json_wanted
        )
    finished = find_runs(runs)
    warn_of_repeats(runs, 'counted once', folders=True)
    comparisons = compare(finished)
    if picture is not None:
        draw(picture, comparisons, finished)
    if json_wanted:
        print_json([as_json(comparison) for comparison in comparisons])
        return 0
    console = wide_console(False)
    for comparison in comparisons:
        print_comparison(comparison, console)
    return 0


def draw(
    picture: Path, comparisons: Sequence[LawComparison], runs: Sequence[FinishedRun]
) -> list[Path]:
    """Draw every comparison; return the files, which bear the scenario's name if they are many.

    Raises:
        RunError: A table cannot be read or a picture not be written.
    """
    from soliton_encirclement_ros.analysis.plots.comparison_plots import curves_of_runs
    from soliton_encirclement_ros.analysis.plots.run_plots import save_picture

    drawn = []
    for comparison in comparisons:
        several = len(comparisons) > 1
        path = picture.with_stem(f'{picture.stem}-{comparison.scenario}') if several else picture
        out = {name for name, _ in comparison.left_out}
        used = [
            run for run in runs
            if run.scenario['name'] == comparison.scenario and run.name not in out
        ]  # fmt: skip
        named = law_labels({run.controller for run in used})
        series: dict[str, list[Series]] = {law: [] for law in comparison.seeds}
        for run in used:
            series[named[run.controller]].append(read_samples(Path(run.name)))
        with writing(path, 'draw'):
            save_picture(curves_of_runs(comparison.scenario, series), path)
        drawn.append(path)
    return drawn


def _compare_recordings(
    paths: Sequence[Path], align: str | None, names: Path | None, target: str | None,
    radius: float | None, picture: Path | None, page: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Compare recordings, at least two in all, with the first of them.

    Raises:
        RunError: A recording cannot be read, or they cannot be compared.
    """
    from soliton_encirclement_ros.analysis.comparison_records import MOTION
    from soliton_encirclement_ros.analysis.recording_comparison import (
        as_json as json_of, compare_sides
    )
    from soliton_encirclement_ros.analysis.recording_paths import expand_paths, names_of

    recording_paths = expand_paths(paths)
    if len(recording_paths) < 2:
        raise RunError('one recording cannot be compared; name two or more')
    warn_of_repeats(recording_paths, 'compared with itself')
    console = wide_console(as_json)
    named = names_of(recording_paths)
    known = _known_radius(named, recording_paths)
    sides, origin = [], None
    for name, path in zip(named, recording_paths, strict=True):
        side, origin = _side(name, path, names, target, radius, known, origin, console)
        sides.append(side)
    comparison = compare_sides(sides, align or MOTION)
    written = _write(comparison, picture, page)
    if as_json:
        print_json(json_of(comparison))
        return 0
    print_recordings(comparison, console)
    for path in written:
        print_line(console, str(path))
    return 0


def _known_radius(names: Sequence[str], paths: Sequence[Path]) -> tuple[str, float] | None:
    """Return a run and its radius [m] for recordings without a known radius.

    A flight is compared with a simulation of it, so both are measured by the same radius. None if
    there is no run, or runs have different ones.
    """
    known = []
    for name, path in zip(names, paths, strict=True):
        if is_run(path):
            scenario = read_flown(path)
            # A run of another version may lack it; then the radius is estimated, and so reported.
            with suppress(KeyError, TypeError, ValueError):
                known.append((name, float(scenario['swarm']['encirclement_radius'])))
    return known[0] if len({radius for _, radius in known}) == 1 else None


def _side(
    name: str, path: Path, names: Path | None, target: str | None, radius: float | None,
    known: tuple[str, float] | None, origin: tuple[float, float, float] | None, console: Console,
) -> 'tuple[Side, tuple[float, float, float] | None]':  # fmt: skip
    """Return a recording with places from a global origin, and this, or its own without one."""
    from soliton_encirclement_ros.analysis.comparison_records import (
        side_from_recording, side_from_tables
    )
    from soliton_encirclement_ros.analysis.findings import default_settings, find
    from soliton_encirclement_ros.analysis.logs.flight_parts import place_from

    if is_run(path) and not is_there(path / BAG):
        return side_from_tables(name, path), origin
    recording, note = place_from(read_flight([path], names, console), origin), ()
    if radius is None and recording.scenario is None and known is not None:
        radius, note = known[1], (f'radius unknown: {known[1]:g} m, that of {known[0]}',)
    settings = default_settings(recording, parse_target(target, recording), radius)
    with console.status(f'computing the figures of {name}'):
        side = side_from_recording(name, find(recording, settings))
    problems = (problem.removeprefix(f'{name}: ') for problem in side.problems)
    side = side._replace(problems=(*note, *recording.notes, *problems))
    return side, origin or recording.origin


def _write(
    comparison: 'RecordingComparison', picture: Path | None, page: Path | None
) -> list[Path]:
    """Draw and write the requested files; return them."""
    written = []
    if picture is not None:
        from soliton_encirclement_ros.analysis.plots.comparison_plots import draw_recordings

        with writing(picture, 'draw'):
            draw_recordings(picture, comparison)
        written.append(picture)
    if page is not None:
        from soliton_encirclement_ros.analysis.report.comparison_page import comparison_page
        from soliton_encirclement_ros.analysis.report.page_markup import write_whole

        written.append(write_whole(page, comparison_page(comparison)))
    return written
