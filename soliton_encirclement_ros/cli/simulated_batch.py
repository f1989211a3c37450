"""Several simulations of one call, run in parallel and compared."""

from collections.abc import Sequence
from typing import Any

from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.output import print_error, print_json
from soliton_encirclement_ros.cli.processes.batch_runner import BatchRunner, Job, Result
from soliton_encirclement_ros.cli.views.batch_progress import BatchProgress
from soliton_encirclement_ros.cli.views.comparison_tables import print_comparison
from soliton_encirclement_ros.cli.views.terminal_tables import wide_console
from soliton_encirclement_ros.core.run.finished_run import FinishedRun, read_run
from soliton_encirclement_ros.core.run.law_comparison import LawComparison, as_json, compare
from soliton_encirclement_ros.core.run.run_outcome import FAILED, INTERRUPTED


def fly_many(jobs: Sequence[Job], at_once: int, json_wanted: bool, forecast: str) -> int:
    """Run jobs in processes, compare the results, and return the exit code.

    Args:
        jobs: The runs.
        at_once: How many at the same time.
        json_wanted: Whether to print JSON, and nothing else.
        forecast: What they will take, in a line.
    """
    if any(job.recording.pictures for job in jobs):
        import soliton_encirclement_ros.analysis.plots.run_plots  # noqa: F401 - for all forked processes
    interrupt, console = Interrupt(), wide_console(json_wanted)
    console.print(forecast, highlight=False, soft_wrap=True)
    batch = BatchRunner(jobs, at_once, interrupt)
    with BatchProgress(console, batch, len(jobs)) as progress:
        results = batch.fly(progress.update)
    for error in [error for result in results for error in result.errors]:
        print_error(error)
    comparisons = _compare(results)
    for comparison in comparisons:
        print_comparison(comparison, console)
    flown = [result for result in results if is_whole(result)]
    console.print(f'{len(flown)} of {len(jobs)} runs complete', highlight=False)
    if json_wanted:
        print_json(_plain(results, comparisons))
    if interrupt:
        return INTERRUPTED
    return 0 if len(flown) == len(jobs) else FAILED


def is_whole(result: Result) -> bool:
    """Return whether a run is complete and all of it on disk."""
    return bool(result.summary) and not (result.errors or result.summary['interrupted'])


def _compare(results: Sequence[Result]) -> list[LawComparison]:
    """Compare the complete runs; without any, return nothing."""
    runs: list[FinishedRun] = [
        read_run(result.folder)
        for result in results
        if result.folder is not None and is_whole(result)
    ]
    return compare(runs) if runs else []


def _plain(results: Sequence[Result], comparisons: Sequence[LawComparison]) -> dict[str, Any]:
    runs = [
        {**result.summary, 'run_folder': str(result.folder), 'errors': result.errors}
        for result in results
    ]
    return {'runs': runs, 'comparisons': [as_json(one) for one in comparisons]}
