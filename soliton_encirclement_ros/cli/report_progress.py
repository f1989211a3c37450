"""What a person sees while a long bag is read."""

import time
from pathlib import Path

from rich.console import Console, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table

from soliton_encirclement_ros.cli.live_view import LiveView
from soliton_encirclement_ros.cli.progress import duration


class ReadingProgress(LiveView):
    """One bag."""

    def __init__(self, console: Console, path: Path) -> None:
        """Show the reading of a bag."""
        super().__init__(console)
        self._path = path
        self._done = self._all = 0
        self._began = time.monotonic()

    def note(self, done: int, messages: int) -> None:
        """Take note of how many messages were read, of how many (0: unknown)."""
        self._done, self._all = done, messages
        self.update()

    def line(self) -> str:
        """Return how many messages were read, and the time left."""
        words = f'reading {self._path}: {self._done} messages'
        if not 0 < self._done <= self._all:
            return words
        left = (time.monotonic() - self._began) * (self._all - self._done) / self._done
        return f'{words} of {self._all}  {duration(left)} left'

    def view(self) -> RenderableType:
        """Return a bar with the same words."""
        view = Table.grid(padding=(0, 2))
        total = self._all if self._done <= self._all else 0
        view.add_row(ProgressBar(total=total or None, completed=self._done, width=40), self.line())
        return view
