"""Progress display of a sweep, which also stores the finished runs."""

import sys
import time
from collections.abc import Sequence

from rich.console import Console, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.output import print_error
from soliton_encirclement_ros.cli.views.live_display import LiveDisplay
from soliton_encirclement_ros.cli.views.run_progress import duration
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.sweeps import PlannedRun, Store
from soliton_encirclement_ros.sim.sweeps.sweep_monitor import Finished

MAX_LINES = 10
"""Maximum number of failed runs with a line of their own."""


class SweepProgress(LiveDisplay):
    """Monitor of a sweep: stores finished runs, counts, shows."""

    def __init__(
        self, console: Console, store: Store, interrupt: Interrupt, runs: Sequence[PlannedRun],
        kept: int,
    ) -> None:  # fmt: skip
        """Show a sweep.

        Args:
            console: The console.
            store: Store of the finished runs.
            interrupt: The request to stop.
            runs: Runs to simulate.
            kept: Number of runs stored before.
        """
        super().__init__(console)
        self.failed: list[tuple[PlannedRun, str]] = []
        self.flown = 0
        self._store = store
        self._interrupt = interrupt
        self._runs = len(runs)
        self._kept = kept
        self._work = sum(_work(run.scenario) for run in runs)
        self._done = 0
        self._began = time.monotonic()

    def take(self, finished: Finished) -> None:
        """Store finished runs on disk; a failed one is reported in one line."""
        for run, record in finished:
            self._done += _work(run.scenario)
            if record.error:
                self._note_failure(run, record.error)
        sound = [(run, record) for run, record in finished if not record.error]
        if sound:
            self._store.keep(sound)
            self.flown += len(sound)

    def note(self, line: str) -> None:
        """Print one line beside the progress."""
        print(f'note: {line}', file=sys.stderr)

    def turn(self) -> bool:
        """Draw if it is time to; return whether to continue."""
        self.update()
        return not self._interrupt

    def line(self) -> str:
        """Return the number of finished runs, and the time left."""
        total, done = self._kept + self._runs, self._kept + self.flown
        text = f'{done} of {total} runs'
        if self._kept:
            text += f' ({self._kept} kept from before)'
        if self.failed:
            text += f'  {len(self.failed)} failed'
        if not self._done:
            return text
        share = self._done / self._work
        left = (time.monotonic() - self._began) * (1.0 - share) / share
        return f'{text}  {100.0 * share:.0f} %  {duration(left)} left'

    def view(self) -> RenderableType:
        """Return a bar with the same text."""
        view = Table.grid(padding=(0, 2))
        view.add_row(ProgressBar(total=self._work, completed=self._done, width=40), self.line())
        return view

    def _note_failure(self, run: PlannedRun, why: str) -> None:
        self.failed.append((run, why))
        if len(self.failed) <= MAX_LINES:
            print_error(f'run failed: {run.label}: {why}')


def _work(scenario: Scenario) -> int:
    """Return the approximate amount of work of a run."""
    return scenario.ticks * scenario.run.num_agents
