"""``swarm compare``: finished runs of several controllers side by side."""

import json
from collections.abc import Sequence
from pathlib import Path

import typer

from soliton_encirclement_ros.cli.comparison_tables import print_comparison, wide_console
from soliton_encirclement_ros.core.comparison import Comparison, as_json, compare
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.finished_run import (
    FinishedRun,
    Series,
    find_runs,
    read_samples,
)


def compare_runs(
    runs: list[Path] = typer.Argument(
        help='Run folders, or folders that contain run folders.', show_default=False
    ),
    picture: Path | None = typer.Option(
        None, help='Draw E_gap, E_r and G_max over time; several scenarios: one file each.'
    ),
    json_wanted: bool = typer.Option(False, '--json', help='Print everything as JSON.'),
) -> int:
    """Compare controllers over the runs they flew, one table per scenario."""
    found = find_runs(runs)
    comparisons = compare(found)
    if picture is not None:
        draw(picture, comparisons, found)
    if json_wanted:
        print(json.dumps([as_json(one) for one in comparisons], indent=2, allow_nan=False))
        return 0
    console = wide_console(False)
    for comparison in comparisons:
        print_comparison(comparison, console)
    return 0


def draw(
    picture: Path, comparisons: Sequence[Comparison], runs: Sequence[FinishedRun]
) -> list[Path]:
    """Draw every comparison; return the files, which bear the scenario's name if they are many.

    Raises:
        RunError: A table cannot be read or a picture not be written.
    """
    from soliton_encirclement_ros.analysis.plots_comparison import draw_comparison

    drawn = []
    for comparison in comparisons:
        several = len(comparisons) > 1
        path = picture.with_stem(f'{picture.stem}-{comparison.scenario}') if several else picture
        out = {name for name, _ in comparison.left_out}
        series: dict[str, list[Series]] = {law: [] for law in comparison.seeds}
        for run in runs:
            if run.scenario['name'] == comparison.scenario and run.name not in out:
                series[run.controller].append(read_samples(Path(run.name)))
        try:
            draw_comparison(path, comparison.scenario, series)
        except (OSError, ValueError) as error:
            reason = getattr(error, 'strerror', None) or str(error)
            raise RunError(f'{path}: cannot draw: {reason}') from None
        drawn.append(path)
    return drawn
