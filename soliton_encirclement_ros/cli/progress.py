"""What a person sees during a run: time, speed, the five metrics, who is down."""

import math
import time

from rich.console import Console, Group
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from soliton_encirclement_ros.cli.live_view import LiveView
from soliton_encirclement_ros.core.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.scenario import Scenario
from soliton_encirclement_ros.core.witness import Witness

MOST_NAMES = 8
"""So many of those that are down are named."""


class Progress(LiveView):
    """One run."""

    def __init__(self, console: Console, scenario: Scenario, witness: Witness) -> None:
        """Show a run of ``scenario`` as ``witness`` sees it."""
        super().__init__(console)
        self._scenario = scenario
        self._witness = witness
        self._first: tuple[float, float] | None = None

    def update(self) -> None:
        """Draw if it is time to; note when the first sample came."""
        if self._first is None and self._witness.last is not None:
            self._first = (self._witness.last.time, time.monotonic())
        super().update()

    def factor(self) -> float:
        """Return simulated seconds per second since the first sample."""
        last = self._witness.last
        if last is None or self._first is None:
            return 0.0
        elapsed = time.monotonic() - self._first[1]
        return (last.time - self._first[0]) / elapsed if elapsed > 0.0 else 0.0

    def _left(self) -> str:
        """Return the wall time that the rest of the run will take, in words."""
        last, factor = self._witness.last, self.factor()
        if last is None or factor <= 0.0:
            return ''
        return f'{duration((self._scenario.run.sim_duration - last.time) / factor)} left'

    def line(self) -> str:
        """Return time, speed, metrics and who is down."""
        last = self._witness.last
        if last is None:
            return 'waiting for the nodes to find each other'
        numbers = '  '.join(
            f'{name} {value:.3f}'
            for name, value in zip(METRIC_NAMES, last.metrics, strict=True)
        )
        total = self._scenario.run.sim_duration
        return (
            f'{last.time:6.1f} / {total:g} s  x{self.factor():.1f}  {numbers}  '
            f'down: {self._down()}  {self._left()}'
        ).rstrip()

    def _down(self) -> str:
        names = [f'uav_{k}' for k in self._witness.down]
        more = f' and {len(names) - MOST_NAMES} more' if len(names) > MOST_NAMES else ''
        return (', '.join(names[:MOST_NAMES]) or 'nobody') + more

    def view(self) -> Group:
        """Return a bar, and the metrics below it."""
        last = self._witness.last
        now = last.time if last else 0.0
        total = self._scenario.run.sim_duration
        head = Table.grid(padding=(0, 2))
        head.add_row(
            Text(self._scenario.name, style='bold'),
            ProgressBar(total=total, completed=now, width=40),
            f'{now:6.1f} / {total:g} s',
            f'x{self.factor():.1f} real time' if last else 'waiting for the nodes',
            self._left(),
        )
        body = Table.grid(padding=(0, 3))
        if last is not None:
            body.add_row(*[Text(name, style='dim') for name in METRIC_NAMES], Text('down', 'dim'))
            values = [f'{value:.3f}' for value in last.metrics]
            style = 'red' if self._witness.down else 'green'
            body.add_row(*values, Text(self._down(), style=style))
        return Group(head, body)


def duration(seconds: float) -> str:
    """Return a time [s] as hours, minutes and seconds, rounded up."""
    minutes, rest = divmod(math.ceil(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f'{hours}:{minutes:02}:{rest:02}' if hours else f'{minutes}:{rest:02}'
