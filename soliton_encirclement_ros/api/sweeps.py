"""``sweep``: a design of runs, as ``swarm sweep`` flies it, in frames of pandas."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from soliton_encirclement_ros.cli.runs.sweep_output import collect, plots_of, write_tables
from soliton_encirclement_ros.cli.runs.sweep_session import (
    check_memory, fly_missing, warn_of_points
)
from soliton_encirclement_ros.cli.views.terminal_display import wide_console
from soliton_encirclement_ros.core.run.run_folder import code_version
from soliton_encirclement_ros.experiments.run_store import Store
from soliton_encirclement_ros.experiments.sweep_file import Sweep, find_sweep, load_sweep, sweep_of
from velocity_mobility_ros.core.environment.unix_process import interruptible


@dataclass(frozen=True, repr=False)
class SweepResult:
    """The finished runs of a sweep.

    Attributes:
        folder: Its output folder; the frames are there as tables, too.
        runs: A row per run: point, law, parameters that vary, seed, verdict, figures.
        statistics: A row per point and figure: mean and median over the seeds, with intervals.
        paired: A row per pair of laws, point and figure: the difference, seed by seed.
        failed: Why runs have no result, by the name of the run.

    Example:
        >>> result = sweep({'scenario': 'demo', 'seeds': 5,
        ...                 'design': {'grid': {'control.controller': ['predictive', 'soliton']}}})
        >>> result.runs.groupby('controller').E_gap.median()
    """

    folder: Path
    runs: pd.DataFrame
    statistics: pd.DataFrame
    paired: pd.DataFrame
    failed: Mapping[str, str]
    _planned: Sweep = field(repr=False)

    def plot(self) -> list[Path]:
        """Draw the pictures of ``swarm sweep`` into the folder; return their files."""
        with Store(self.folder) as store:
            return [*plots_of(self.folder, store, collect(self._planned, store))]

    def __repr__(self) -> str:
        """Say how many runs there are, and where."""
        left_out = f', {len(self.failed)} failed' if self.failed else ''
        return f'<SweepResult {self.folder}: {len(self.runs)} runs{left_out}>'


def sweep(
    design: str | Path | Mapping[str, Any],
    out: str | Path | None = None,
    *,
    jobs: int | None = None,
) -> SweepResult:
    """Simulate the missing runs of a sweep, and write its tables, as ``swarm sweep`` does.

    Finished runs are never repeated: the same call resumes an interrupted sweep.

    Args:
        design: Sweep file, name of an installed sweep, or the content of such a file.
        out: Output folder; None: ``sweeps/NAME``.
        jobs: Parallel runs; None: one per core.

    Raises:
        ScenarioError: There is no such sweep, or it is invalid.
        RunError: It does not fit into this machine, or cannot go on; finished runs are kept.
        KeyboardInterrupt: It was interrupted; finished runs are kept.

    Example:
        >>> sweep('laws').statistics.query('figure == "E_gap"')[['controller', 'median']]
    """
    if isinstance(design, Mapping):
        text = yaml.safe_dump(_plain(design), sort_keys=False)
        planned = sweep_of(text, Path('sweep'), code_version())
    else:
        planned = load_sweep(find_sweep(str(design)), code_version())
    warn_of_points(planned)
    folder = Path('sweeps', planned.name) if out is None else Path(out)
    at_once = jobs or len(os.sched_getaffinity(0))
    check_memory(planned, at_once, folder)
    with Store(folder) as store:
        with interruptible() as interrupt:
            monitor = fly_missing(
                planned, store, folder, at_once, None, wide_console(True), lambda: interrupt
            )
        found = collect(planned, store)
        write_tables(folder, found)
    failed = {run.label: why for run, why in monitor.failed}
    return SweepResult(
        folder, found.runs.frame, found.statistics, found.paired, failed, planned
    )


def _plain(value: Any) -> Any:
    """Return a design as YAML has it: lists for other sequences, numbers for those of NumPy."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(one) for one in value]
    if isinstance(value, Path):
        return str(value)
    return value.tolist() if hasattr(value, 'tolist') else value
