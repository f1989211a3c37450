"""``swarm compare``: finished runs of several controllers, or recordings, side by side."""

from collections.abc import Sequence
from pathlib import Path
from typing import Optional

import typer

from soliton_encirclement_ros.cli.options.option_checks import PAGES, PICTURES, check_ending
from soliton_encirclement_ros.cli.options.option_types import NUMBER, PATH
from soliton_encirclement_ros.cli.options.repeated_paths import warn_of_repeats, without_links
from soliton_encirclement_ros.cli.output import print_json
from soliton_encirclement_ros.cli.views.comparison_tables import print_comparison
from soliton_encirclement_ros.cli.views.terminal_tables import wide_console
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.laws.law_registry import law_labels
from soliton_encirclement_ros.core.run.finished_run import (
    FinishedRun,
    Series,
    find_runs,
    read_samples,
)
from soliton_encirclement_ros.core.run.law_comparison import LawComparison, as_json, compare


def compare_runs(
    runs: list[Path] = typer.Argument(
        click_type=PATH,
        help='Run folders, folders that contain run folders, or bags.',
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
        None,
        help='Event at time 0 of each recording: motion, start, failure or none.',
        show_default='motion',
    ),
    names: Optional[Path] = typer.Option(
        None,
        '--map',
        click_type=PATH,
        help='YAML file that maps topics of bags to members and quantities.',
    ),
    target: Optional[str] = typer.Option(
        None, help='Target in bags: a name, or a fixed point X,Y in m.'
    ),
    radius: Optional[float] = typer.Option(
        None, click_type=NUMBER, help='Desired radius in bags, in m.'
    ),
    json_wanted: bool = typer.Option(False, '--json', help='Print everything as JSON.'),
) -> int:
    """Compare controllers over their runs, or recordings with each other."""
    check_ending('--picture', picture, PICTURES)
    check_ending('--page', page, PAGES)
    runs = without_links(runs)
    from soliton_encirclement_ros.analysis.compare.recording_paths import (
        are_one_flight,
        is_recording,
    )

    wanted = (page, align, names, target, radius)
    asked = any(one is not None for one in wanted)
    if asked or any(map(is_recording, runs)) or are_one_flight(runs):
        from soliton_encirclement_ros.cli.compare_recordings import (
            CompareOptions,
            compare_recordings,
        )

        options = CompareOptions(align, names, target, radius, picture, page, json_wanted)
        return compare_recordings(runs, options)
    return _compare_summaries(runs, picture, json_wanted)


def _compare_summaries(runs: Sequence[Path], picture: Path | None, json_wanted: bool) -> int:
    found = find_runs(runs)
    warn_of_repeats(runs, 'counted once', folders=True)
    comparisons = compare(found)
    if picture is not None:
        draw(picture, comparisons, found)
    if json_wanted:
        print_json([as_json(one) for one in comparisons])
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
    from soliton_encirclement_ros.analysis.plots.comparison_plots import draw_comparison

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
        try:
            draw_comparison(path, comparison.scenario, series)
        except (OSError, ValueError) as error:
            reason = getattr(error, 'strerror', None) or str(error)
            raise RunError(f'{path}: cannot draw: {reason}') from None
        drawn.append(path)
    return drawn
