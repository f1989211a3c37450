"""Progress display of a fit."""

import time

from rich.console import Console, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table

from soliton_encirclement_ros.cli.views.live_display import LiveDisplay

DISPLAY_DELAY = 2.0
"""Time [s] after which the display starts."""


class FitProgress(LiveDisplay):
    """One fit."""

    def __init__(self, console: Console) -> None:
        """Show a fit."""
        super().__init__(console)
        self._done, self._all = 0, 1
        self._began = time.monotonic()

    def note(self, done: int, parts: int) -> None:
        """Store how many parts of the work are done."""
        self._done, self._all = done, parts
        if time.monotonic() - self._began > DISPLAY_DELAY:
            self.update()

    def line(self) -> str:
        """Return the progress."""
        return f'fitting: {100 * self._done // self._all} %'

    def view(self) -> RenderableType:
        """Return a bar with the same text."""
        view = Table.grid(padding=(0, 2))
        view.add_row(ProgressBar(total=self._all, completed=self._done, width=40), self.line())
        return view
