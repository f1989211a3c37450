"""Progress display of a run: time, speed, metrics, agents alive and down."""

import math
import time
from collections.abc import Callable, Sequence

from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from soliton_encirclement_ros.cli.views.live_display import LiveDisplay
from soliton_encirclement_ros.cli.views.terminal_tables import plain
from soliton_encirclement_ros.core.files.name_list import named
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES, told_metrics
from soliton_encirclement_ros.core.run.run_observation import RunObservation
from soliton_encirclement_ros.core.run.separation.filter_tally import filtered_share
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav

MOST_SILENT = 3
"""Names of silent agents that are told at most; beside them there is a line of metrics."""


class Progress(LiveDisplay):
    """One run."""

    def __init__(
        self,
        console: Console,
        scenario: Scenario,
        observation: RunObservation,
        length: Callable[[], float] | None = None,
        waiting_for: Callable[[], str] = str,
        stopped: Callable[[], Sequence[str]] = tuple,
        takes_screen: bool = False,
    ) -> None:
        """Show a run of ``scenario`` as observed by ``observation``.

        Args:
            console: Console for the display.
            scenario: The scenario.
            observation: The observer of the run.
            length: Returns the duration of the run [s], infinite without a planned end; None:
                that of the scenario.
            waiting_for: Returns the missing members before the run begins.
            stopped: Returns who is stopped by an operator, ``all`` for everybody.
            takes_screen: Whether a terminal shows nothing else until the end.
        """
        super().__init__(console, takes_screen)
        self._length = length or (lambda: scenario.run.sim_duration)
        self._scenario = scenario
        self._observation = observation
        self._waiting_for = waiting_for
        self._stopped = stopped
        self._first: tuple[float, float] | None = None
        self._last_printed: float | None = None

    def update(self) -> None:
        """Draw if it is time to; store the time of the first sample."""
        if self._first is None and self._observation.last is not None:
            self._first = (self._observation.last.time, time.monotonic())
        super().update()

    def factor(self) -> float:
        """Return simulated seconds per second since the first sample."""
        last = self._observation.last
        if last is None or self._first is None:
            return 0.0
        elapsed = time.monotonic() - self._first[1]
        return (last.time - self._first[0]) / elapsed if elapsed > 0.0 else 0.0

    def _left(self) -> str:
        """Return the wall time left, as text."""
        last, factor = self._observation.last, self.factor()
        length = self._length()
        if last is None or factor <= 0.0 or math.isinf(length):
            return ''
        return f'{duration((length - last.time) / factor)} left'

    def line(self) -> str:
        """Return time, speed, metrics and failed agents."""
        last = self._observation.last
        if last is None:
            return f'waiting for {self._waiting()}'
        if last.time == self._last_printed:
            return f'{self._time(last.time)}  no new state of the target'
        self._last_printed = last.time
        numbers = '  '.join(f'{name} {value}' for name, value in self._metrics().items())
        return (
            f'{self._time(last.time)}  x{self.factor():.1f}  {numbers}  '
            f'alive: {self._alive()}  down: {self._down()}  '
            f'{self._filter_text()}{self._stop_text()}{self._left()}'
        ).rstrip()

    def _metrics(self) -> dict[str, str]:
        """Return the metrics of the last sample as text, by name."""
        series, last = self._observation.series, self._observation.last
        values = dict(zip(METRIC_NAMES, last.metrics if last else (), strict=True))
        names = told_metrics(values, {name: series[name][-1:] for name in ('E_gap', 'E_wgap')})
        return {name: plain(values[name], '.3f') for name in names}

    def _waiting(self) -> str:
        return self._waiting_for() or 'discovery of the nodes'

    def _time(self, now: float) -> str:
        """Return the time of the run [s], and its duration if known."""
        length = self._length()
        return f'{now:6.1f} s' if math.isinf(length) else f'{now:6.1f} / {length:g} s'

    def _alive(self) -> str:
        """Return the number of received agents that are not down, and of all."""
        last, every = self._observation.last, self._scenario.run.num_agents
        up = min(last.alive, every - len(self._observation.down)) if last else 0
        return f'{up} of {every}'

    def _down(self) -> str:
        """Return who is down, and who is silent for another reason."""
        seen = self._observation
        known = {*seen.down, *seen.received}
        silent = [uav(k) for k in self._scenario.agent_ids if seen.last and k not in known]
        names = f'{len(silent)} silent: {named(silent, MOST_SILENT)}' if silent else ''
        return ', '.join(filter(None, [named([*map(uav, seen.down)]), names])) or 'nobody'

    def _filter_text(self) -> str:
        """Return the share of commands that the filter has changed, empty without a filter."""
        share = filtered_share(self._observation.filtered)
        return '' if share is None else f'filtered: {100.0 * share:.0f} %  '

    def _stop_text(self) -> str:
        """Return who is stopped by an operator, empty if nobody is."""
        names = named(self._stopped())
        return f'STOPPED: {names}  ' if names else ''

    def view(self) -> RenderableType:
        """Return a bar, and the metrics below it."""
        last = self._observation.last
        now = last.time if last else 0.0
        head = Table.grid(padding=(0, 2))
        head.add_row(
            Text(self._scenario.name, style='bold'),
            ProgressBar(total=self._length(), completed=now, width=40),
            self._time(now),
            f'x{self.factor():.1f} real time' if last else f'waiting for {self._waiting()}',
            self._left(),
            self._filter_text(),
            Text(self._stop_text(), style='bold red'),
        )
        body = Table.grid(padding=(0, 3))
        if last is not None:
            metrics = self._metrics()
            body.add_row(*[Text(name, style='dim') for name in (*metrics, 'alive', 'down')])
            down = self._down()
            style = 'green' if down == 'nobody' else 'red'
            body.add_row(*metrics.values(), self._alive(), Text(down, style=style))
        return Group(head, body)


def duration(seconds: float) -> str:
    """Return a time [s] as hours, minutes and seconds, rounded up."""
    minutes, rest = divmod(math.ceil(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f'{hours}:{minutes:02}:{rest:02}' if hours else f'{minutes}:{rest:02}'
