"""Progress display of a batch: number of ended runs, and the time left."""

import time

from rich.console import Console, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table

from soliton_encirclement_ros.cli.processes.batch_runner import BatchRunner
from soliton_encirclement_ros.cli.views.live_display import LiveDisplay
from soliton_encirclement_ros.cli.views.run_progress import duration


class BatchProgress(LiveDisplay):
    """A batch; runs are forked from this process, which therefore has no threads."""

    def __init__(self, console: Console, batch: BatchRunner, runs: int) -> None:
        """Show a batch of ``runs`` runs."""
        super().__init__(console)
        self._batch = batch
        self._runs = runs
        self._began = time.monotonic()

    def line(self) -> str:
        """Return how many have ended, and the time left."""
        share = self._batch.ticks / self._batch.total_ticks
        text = f'{self._batch.finished} of {self._runs} runs  {100.0 * share:.0f} %'
        if share <= 0.0:
            return text
        left = (time.monotonic() - self._began) * (1.0 - share) / share
        return f'{text}  {duration(left)} left'

    def view(self) -> RenderableType:
        """Return a bar with the same text."""
        view = Table.grid(padding=(0, 2))
        total, done = self._batch.total_ticks, self._batch.ticks
        view.add_row(ProgressBar(total=total, completed=done, width=40), self.line())
        return view
