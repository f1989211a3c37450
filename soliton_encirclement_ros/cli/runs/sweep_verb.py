"""``swarm sweep``: many runs from one file, resumable, on all cores or on a Dask cluster."""

import os
from pathlib import Path
from typing import Optional

import typer

from soliton_encirclement_ros.cli.options import (
    JSON, PATH, TEXT, Count, check_folder, check_scheduler, refuse_together
)


def sweep(
    file: str = typer.Argument(
        help='Sweep file, or name of an installed sweep.', show_default=False
    ),
    out: Optional[Path] = typer.Option(
        None, click_type=PATH, help='Output folder of the sweep.', show_default='sweeps/NAME'
    ),
    jobs: Optional[int] = typer.Option(
        None,
        click_type=Count(min=1),
        help='Parallel runs on this machine.',
        show_default='one per core',
    ),
    scheduler: Optional[str] = typer.Option(
        None,
        click_type=TEXT,
        help='Dask scheduler whose workers simulate, such as tcp://host:8786.',
    ),
    pictures: bool = typer.Option(True, '--pictures/--no-pictures', help='Draw pictures.'),
    dry_run: bool = typer.Option(
        False, '--dry-run', help='Only print the number of runs, the folder and the expected time.'
    ),
    json_wanted: bool = JSON,
) -> int:
    """Simulate the missing runs of a sweep, then write its tables and pictures.

    Finished runs are never repeated: the same command resumes an interrupted sweep.

    Exits with 1 if a run failed.
    """
    refuse_together(
        (f'--jobs {jobs}', jobs), (f'--scheduler {scheduler}', scheduler),
        why='the workers of the scheduler set the number of parallel runs; leave out --jobs',
    )  # fmt: skip
    from soliton_encirclement_ros.cli.runs.sweep_output import print_forecast
    from soliton_encirclement_ros.cli.runs.sweep_session import (
        check_memory, fly_sweep, warn_of_points
    )
    from soliton_encirclement_ros.core.run.run_folder import code_version
    from soliton_encirclement_ros.experiments.sweep_file import find_sweep, load_sweep

    planned = load_sweep(find_sweep(file), code_version())
    warn_of_points(planned)
    folder = Path('sweeps', planned.name) if out is None else out
    check_scheduler(scheduler)
    check_folder('--out', folder)
    at_once = None if scheduler else jobs or len(os.sched_getaffinity(0))
    if at_once is not None:
        check_memory(planned, at_once, folder)
    if dry_run:
        return print_forecast(planned, folder, at_once, json_wanted)
    return fly_sweep(planned, folder, at_once, scheduler, pictures, json_wanted)
