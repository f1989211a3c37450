"""Progress display while a long bag is read and evaluated."""

import time
from pathlib import Path

from rich.console import Console, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table

from soliton_encirclement_ros.cli.views.live_display import LiveDisplay
from soliton_encirclement_ros.cli.views.run_progress import duration


class WorkProgress(LiveDisplay):
    """One piece of work on one bag."""

    def __init__(self, console: Console, work: str, unit: str) -> None:
        """Show a piece of work.

        Args:
            console: The console.
            work: Description of the work, for example ``reading BAG``.
            unit: The counted unit, for example ``messages``.
        """
        super().__init__(console)
        self._work, self._unit = work, unit
        self._done = self._all = 0
        self._began = time.monotonic()

    def note(self, done: int, everything: int) -> None:
        """Store how much is done, of how much (0: unknown)."""
        self._done, self._all = done, everything
        self.update()

    def line(self) -> str:
        """Return how much is done, and the time left."""
        text = f'{self._work}: {self._done} {self._unit}'
        if not 0 < self._done <= self._all:
            return text
        left = (time.monotonic() - self._began) * (self._all - self._done) / self._done
        return f'{text} of {self._all}  {duration(left)} left'

    def view(self) -> RenderableType:
        """Return a bar with the same text."""
        view = Table.grid(padding=(0, 2))
        total = self._all if self._done <= self._all else 0
        view.add_row(ProgressBar(total=total or None, completed=self._done, width=40), self.line())
        return view


class ReadingProgress(WorkProgress):
    """The reading of one bag."""

    def __init__(self, console: Console, path: Path) -> None:
        """Show the reading of a bag."""
        super().__init__(console, f'reading {path}', 'messages')
