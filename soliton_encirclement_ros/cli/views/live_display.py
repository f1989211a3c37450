"""Display that is updated on a terminal, prints a line at times elsewhere, or stays quiet."""

import time
from abc import ABC, abstractmethod
from typing import TypeVar

from rich.console import Console, RenderableType
from rich.live import Live

PLAIN_PERIOD = 5.0
"""Wall time [s] between two lines if the output is not a terminal."""

REFRESH_PERIOD = 0.2

View = TypeVar('View', bound='LiveDisplay')


class LiveDisplay(ABC):
    """Draws the content of a subclass. Nothing here starts a thread."""

    def __init__(self, console: Console) -> None:
        """Show on a console."""
        self._console = console
        self._shown = time.monotonic()
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self: View) -> View:
        """Begin to draw."""
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Leave the terminal as it was."""
        self._live.stop()

    def update(self) -> None:
        """Draw if it is time to."""
        now = time.monotonic()
        period = REFRESH_PERIOD if self._console.is_terminal else PLAIN_PERIOD
        if now - self._shown < period:
            return
        self._shown = now
        if self._console.is_terminal:
            self._live.update(self.view(), refresh=True)
        else:
            self._console.print(self.line(), highlight=False, soft_wrap=True)

    def tell(self, line: str) -> None:
        """Print a line that stays, above the display."""
        self._console.print(line, highlight=False, soft_wrap=True, markup=False)

    @abstractmethod
    def view(self) -> RenderableType:
        """Return the display for a terminal."""

    @abstractmethod
    def line(self) -> str:
        """Return the line for everything else."""
