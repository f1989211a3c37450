"""Display that is updated on a terminal, prints a line at times elsewhere, or stays quiet."""

import time
from abc import ABC, abstractmethod
from typing import TypeVar

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.control import Control
from rich.live import Live
from rich.segment import ControlType, Segment

PLAIN_PERIOD = 5.0
"""Wall time [s] between two lines if the output is not a terminal."""

REFRESH_PERIOD, SLOWEST_PERIOD = 0.2, 1.0
"""Wall time [s] between two drawings: at first, and at most where drawing takes long."""

MOST_DRAWING = 0.03
"""Share of the wall time that goes into drawing, since what is shown waits meanwhile."""


def can_draw(console: Console) -> bool:
    """Return whether a display is drawn on a console, and not printed line by line."""
    return console.is_terminal and not console.is_dumb_terminal and not console.quiet


View = TypeVar('View', bound='LiveDisplay')


class LiveDisplay(ABC):
    """Draws the content of a subclass. Nothing here starts a thread."""

    def __init__(self, console: Console, takes_screen: bool = False) -> None:
        """Show on a console.

        Args:
            console: The console.
            takes_screen: Whether a terminal shows nothing else until the end, and then all that it
                showed before; who takes it holds back what is said meanwhile.
        """
        self._console = console
        self._shown = time.monotonic()
        self._took = 0.0
        self._drawn: _Drawn | None = None
        self._takes_screen = takes_screen
        self._live = Live(
            console=console, auto_refresh=False, transient=True, screen=takes_screen,
            redirect_stdout=not takes_screen, redirect_stderr=not takes_screen,
        )  # fmt: skip

    def __enter__(self: View) -> View:
        """Begin to draw."""
        if can_draw(self._console):
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Leave the terminal as it was."""
        self._undo_wrapping()
        self._live.stop()

    def update(self) -> None:
        """Draw if it is time to."""
        now = time.monotonic()
        draws = can_draw(self._console)
        slowed = min(self._took / MOST_DRAWING, SLOWEST_PERIOD)
        period = max(REFRESH_PERIOD, slowed) if draws else PLAIN_PERIOD
        if now - self._shown < period:
            return
        self._shown = now
        if draws:
            self._undo_wrapping()
            shown = self.view()
            if not self._takes_screen:
                shown = self._drawn = _Drawn(shown)
            self._live.update(shown, refresh=True)
            self._took = time.monotonic() - now
        else:
            self._console.print(self.line(), highlight=False, soft_wrap=True)

    def tell(self, line: str) -> None:
        """Print a line that stays, above the display."""
        self._undo_wrapping()
        self._console.print(line, highlight=False, soft_wrap=True, markup=False)

    def _undo_wrapping(self) -> None:
        """Erase the lines that a terminal which became narrower has made of the last drawing.

        Most terminals wrap what is on them then. A whole screen is not wrapped.
        """
        if self._drawn is None:
            return
        width = self._console.width
        more = sum((one - 1) // width for one in self._drawn.widths if one > width)
        if more:
            up = (ControlType.ERASE_IN_LINE, 2), (ControlType.CURSOR_UP, 1)
            self._console.control(Control(ControlType.CARRIAGE_RETURN, *(up * more)))

    @abstractmethod
    def view(self) -> RenderableType:
        """Return the display for a terminal."""

    @abstractmethod
    def line(self) -> str:
        """Return the line for everything else."""


class _Drawn:
    """A display, and the widths of its lines once it is drawn."""

    def __init__(self, shown: RenderableType) -> None:
        self._shown = shown
        self.widths: list[int] = []

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = console.render_lines(self._shown, options, pad=False)
        self.widths = [Segment.get_line_length(line) for line in lines[: options.size.height]]
        for line in lines:
            yield from line
            yield Segment.line()
