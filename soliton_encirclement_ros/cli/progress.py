"""What a person sees during a run: time, speed, the five metrics, who is down."""

import time

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from soliton_encirclement_ros.core.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.observer import Observer
from soliton_encirclement_ros.core.scenario import Scenario

PLAIN_PERIOD = 5.0
"""Wall time [s] between two lines where the output is no terminal."""

REFRESH_PERIOD = 0.2


class Progress:
    """A live view on a terminal, a line now and then elsewhere, nothing when quiet."""

    def __init__(self, console: Console, scenario: Scenario, observer: Observer) -> None:
        """Show a run of ``scenario`` as ``observer`` sees it."""
        self._console = console
        self._scenario = scenario
        self._observer = observer
        self._shown = time.monotonic()
        self._first: tuple[float, float] | None = None
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> 'Progress':
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
        if self._first is None and self._observer.last is not None:
            self._first = (self._observer.last.time, now)
        period = REFRESH_PERIOD if self._console.is_terminal else PLAIN_PERIOD
        if now - self._shown < period:
            return
        self._shown = now
        if self._console.is_terminal:
            self._live.update(self._view(), refresh=True)
        else:
            self._console.print(self._line(), highlight=False, soft_wrap=True)

    def factor(self) -> float:
        """Return simulated seconds per second since the first sample."""
        last = self._observer.last
        if last is None or self._first is None:
            return 0.0
        elapsed = time.monotonic() - self._first[1]
        return (last.time - self._first[0]) / elapsed if elapsed > 0.0 else 0.0

    def _line(self) -> str:
        last = self._observer.last
        if last is None:
            return 'waiting for the nodes to find each other'
        numbers = '  '.join(
            f'{name} {value:.3f}'
            for name, value in zip(METRIC_NAMES, last.metrics, strict=True)
        )
        total = self._scenario.run.sim_duration
        return (
            f'{last.time:6.1f} / {total:g} s  x{self.factor():.1f}  {numbers}  '
            f'down: {self._down()}'
        )

    def _down(self) -> str:
        return ', '.join(f'uav_{k}' for k in self._observer.down) or 'nobody'

    def _view(self) -> Group:
        last = self._observer.last
        now = last.time if last else 0.0
        total = self._scenario.run.sim_duration
        head = Table.grid(padding=(0, 2))
        head.add_row(
            Text(self._scenario.name, style='bold'),
            ProgressBar(total=total, completed=now, width=40),
            f'{now:6.1f} / {total:g} s',
            f'x{self.factor():.1f} real time' if last else 'waiting for the nodes',
        )
        body = Table.grid(padding=(0, 3))
        if last is not None:
            body.add_row(*[Text(name, style='dim') for name in METRIC_NAMES], Text('down', 'dim'))
            values = [f'{value:.3f}' for value in last.metrics]
            style = 'red' if self._observer.down else 'green'
            body.add_row(*values, Text(self._down(), style=style))
        return Group(head, body)
