"""The progress of a run, and its result: plots, numbers, the verdict, and the folder.

The progress is time, speed, metrics, agents alive and down; a long bag that is read shows it too.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from soliton_encirclement_ros.cli.output import explain, print_error
from soliton_encirclement_ros.cli.views.terminal_display import (
    LiveDisplay, duration, plain, print_line, print_table
)
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.flight_statistics.agent_statistics import CHANGE, JERK
from soliton_encirclement_ros.core.flight_statistics.filter_tally import (
    fault_text, filter_text, filtered_share
)
from soliton_encirclement_ros.core.flight_statistics.gap_recovery import (
    CLOSED_E_GAP, STEADY, STEADY_SHARE
)
from soliton_encirclement_ros.core.flight_statistics.near_misses import (
    closest_text, near_miss_text
)
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES, SCALES, shown_metrics
from soliton_encirclement_ros.core.run.finished_run import FIRST, verdict_line
from soliton_encirclement_ros.core.run.observer import RunRecord
from soliton_encirclement_ros.core.run.run_folder import LOG
from soliton_encirclement_ros.core.run.summary import NAMED
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from velocity_mobility_ros.core.environment.unix_process import Interrupt
from velocity_mobility_ros.core.user_errors import counted


def metric_table(summary: Mapping[str, Any], title: str) -> Table:
    """Return the means of the last fifth, those of the steady samples, and the last values."""
    rows = {'metrics_mean': 'mean of the last 20 %, judged'}
    if summary.get(STEADY_SHARE):
        rows[STEADY] = f'steady, {100.0 * summary[STEADY_SHARE]:.0f} % of the time'
    rows['metrics_last'] = 'at the end'
    spacing = {name: [summary[key].get(name) for key in rows] for name in ('E_gap', 'E_wgap')}
    names = shown_metrics(METRIC_NAMES, spacing)
    table = Table('', *names, title=escape(title), caption=SCALES, caption_justify='left')
    for key, label in rows.items():
        table.add_row(label, *[plain(summary[key].get(name), '.3f') for name in names])
    return table


def effort_text(summary: Mapping[str, Any]) -> str:
    """Return how much the commands change, empty if it is not known."""
    change, jerk = summary.get(CHANGE), summary.get(JERK)
    if change is None:
        return ''
    text = f'commands change by {change:.3f} m/s per tick'
    return text if jerk is None else f'{text}, jerk {jerk:.0f} m/s^3'


NEVER_SETTLED = 'never settled: not within the bounds of the verdict for long enough'
JUDGED = ' (the verdict judges the means of the last 20 %)'


LATE_START = 0.2
"""Time [s] that a monitor may need to find the members without a word about it."""


def draw(
    pictures: Callable[[], Iterable[Path]], folder: Path, interrupt: Interrupt,
    print_error: Callable[[str], None] = print_error,
) -> tuple[list[Path], bool]:  # fmt: skip
    """Draw plots; return those that were written, and whether all were.

    A further interrupt or a missing library skips the rest.

    Args:
        pictures: Draws them, one after the other.
        folder: Their folder.
        interrupt: The request to stop.
        print_error: Prints one line if a plot cannot be written.
    """
    asked, drawn = interrupt.count, list[Path]()
    try:
        for picture in pictures():
            drawn.append(picture)
            if interrupt.count > asked:
                break
    except OSError as error:
        print_error(f'{folder}: cannot draw: {error.strerror}')
        return drawn, False
    except ImportError as error:
        print_error(f'no pictures: {explain(error) or error}')
    return drawn, True


def plots_of(scenario: Scenario, observation: RunRecord, folder: Path) -> Iterable[Path]:
    """Draw the plots of a run, one after the other."""
    from soliton_encirclement_ros.analysis.plots.run_plots import draw_run

    return draw_run(folder, scenario, observation)


def conclude(
    summary: dict[str, Any], scenario: Scenario, observation: RunRecord, folder: Path,
    interrupt: Interrupt, console: Console, faults: Sequence[str] = (), pictures: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Draw the plots, then report; return the summary, incomplete if a plot is missing.

    Args:
        summary: The summary of the run.
        scenario: The scenario.
        observation: The observer of the run.
        folder: The run's folder.
        interrupt: The request to stop; a further one skips the plots.
        console: Console for the report.
        faults: What is missing on disk, with the reasons.
        pictures: Whether plots are drawn.
    """
    all_faults, drawn = [*faults], list[Path]()

    def fail(line: str) -> None:
        all_faults.append(line)
        print_error(line)

    if pictures:
        plots = partial(plots_of, scenario, observation, folder)
        with console.status('drawing the pictures'):
            drawn, all_drawn = draw(plots, folder, interrupt, fail)
        summary = {**summary, 'complete': summary['complete'] and all_drawn}
    report(summary, folder, drawn[-1] if drawn else None, console, all_faults)
    return summary


def report(
    summary: dict[str, Any],
    folder: Path | None,
    picture: Path | None,
    console: Console,
    faults: Sequence[str] = (),
) -> None:
    """Print the numbers, the verdict and the folder.

    Args:
        summary: The summary of the run.
        folder: Its folder, if there is one.
        picture: The picture to name, if there is one.
        console: Where to print.
        faults: Why data is missing, if any is.
    """
    title = f'{summary["scenario"]}: {counted(summary["agents"], "agent")}'
    print_table(metric_table(summary, title), console)
    for line in _figures(summary):
        print_line(console, line)
    if commands := fault_text(summary):
        print_line(console, commands, 'yellow')
    if summary['interrupted']:
        where = 'the run folder has all data' if folder else 'this is what was seen'
        print_line(console, f'interrupted; {where} up to here', 'yellow')
    if not summary['complete']:
        first, *more = dict.fromkeys(faults) or [f'see the logs in {folder}/{LOG}']
        for line in (f'incomplete, data is missing: {first}', *(f'  {line}' for line in more)):
            print_line(console, line, 'yellow')
    style = 'bold green' if summary['verdict']['encircled'] else 'bold red'
    print_line(console, verdict_line(summary), style)
    if folder is not None:
        print_line(console, f'run folder: {folder}')
        if Path(folder, LOG).is_dir():
            print_line(console, f'logs:       {Path(folder, LOG)}')
    if picture is not None:
        print_line(console, f'picture:    {picture}')


def _figures(summary: Mapping[str, Any]) -> Iterator[str]:
    """Iterate over the figures of a run besides its metrics, a line each."""
    ticks = counted(summary['ticks'], 'tick')
    yield f'{round(summary["duration_s"], 2):g} s in {ticks}{pace(summary["real_time_factor"])}'
    if summary.get(FIRST, 0.0) > LATE_START:
        yield f'nothing is known of the first {summary[FIRST]:.1f} s: the target was not heard yet'
    yield settled_text(summary)
    texts = failure_text, closest_text, near_miss_text, filter_text, effort_text
    yield from filter(None, (text(summary) for text in texts))
    for row in summary.get(NAMED, ()):
        others = f'{row["by"]} at {row["time_s"]:.2f} s'
        yield f'{row["agent"]} was named {row["times"]} times, first by {others}: {row["reason"]}'
    if missed := summary['missed_answers']:
        yield f'{counted(missed, "answer")} came too late for their tick, or never'


def if_installed(what: str, make: Callable[[], Iterable[Path]]) -> list[Path]:
    """Return the created files; if a library is missing, print one line and return none."""
    try:
        return list(make())
    except ImportError as error:
        print_error(f'no {what}: {explain(error) or error}')
        return []


def failure_text(summary: Mapping[str, Any]) -> str:
    """Return how many agents failed, and how often and fast the ring closed; empty for none."""
    if not summary['failures']:
        return ''
    counts = f'failures {summary["failures"]}, recovered {summary["failures_recovered"]}'
    closings = [text for what in ('failure', 'recovery') if (text := _closed_text(summary, what))]
    if not closings:
        return counts
    bound = f'E_gap below {CLOSED_E_GAP:g}'
    return f'{counts}; ring closed again ({bound}) after {" and ".join(closings)}'


def _closed_text(summary: Mapping[str, Any], what: str) -> str:
    """Return after how many events of a kind the ring closed, and how fast; empty for none."""
    closed, unclosed = (summary[f'{word}_after_{what}'] for word in ('closed', 'unclosed'))
    if not closed and not unclosed:
        return ''
    noun = 'failure' if what == 'failure' else 'return'
    text = f'{closed} of {counted(closed + unclosed, noun)}'
    time = summary[f'time_to_close_after_{what}_s']
    return f'{text} in {time:.2f} s (median)' if closed else text


def settled_text(summary: Mapping[str, Any], begin: float = 0.0) -> str:
    """Return when the ring settled, in a run or a part of it that begins at a time [s]."""
    time = summary['settling_time_s']
    if time is None:
        return f'{NEVER_SETTLED}{JUDGED if summary["verdict"]["encircled"] else ""}'
    return f'settled {"at" if begin else "after"} {time:.2f} s'


def pace(factor: float | None) -> str:
    """Return the speed of a run as text that goes on after its duration, empty if unknown."""
    return '' if factor is None else f', {factor:.1f} times as fast as real time'


MOST_SILENT = 3
"""Names of silent agents that are shown, at most; metrics share their line."""


class RunProgress(LiveDisplay):
    """One run."""

    def __init__(
        self,
        console: Console,
        scenario: Scenario,
        observation: RunRecord,
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

    def _time_left(self) -> str:
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
            f'{self._filter_text()}{self._stop_text()}{self._time_left()}'
        ).rstrip()

    def _metrics(self) -> dict[str, str]:
        """Return the metrics of the last sample as text, by name."""
        series, last = self._observation.series, self._observation.last
        values = dict(zip(METRIC_NAMES, last.metrics if last else (), strict=True))
        names = shown_metrics(values, {name: series[name][-1:] for name in ('E_gap', 'E_wgap')})
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
        record = self._observation
        known = {*record.down, *record.received}
        silent = [uav(k) for k in self._scenario.agent_ids if record.last and k not in known]
        names = f'{len(silent)} silent: {named(silent, MOST_SILENT)}' if silent else ''
        return ', '.join(filter(None, [named([*map(uav, record.down)]), names])) or 'nobody'

    def _filter_text(self) -> str:
        """Return the share of commands that the filter has changed, empty without a filter."""
        share = filtered_share(self._observation.filtered)
        return '' if share is None else f'filtered: {100.0 * share:.0f} %  '

    def _stop_text(self) -> str:
        """Return who is stopped by an operator, empty if nobody is."""
        names = named(self._stopped())
        return f'STOPPED: {names}  ' if names else ''

    def share(self) -> float | None:
        """Return how much of the run is over."""
        last, length = self._observation.last, self._length()
        return None if last is None or math.isinf(length) else last.time / length


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

    def note(self, done: int, everything: int) -> None:
        """Store how much is done, of how much (0: unknown)."""
        self._done, self._all = done, everything
        self.update()

    def line(self) -> str:
        """Return how much is done, and the time left."""
        text = f'{self._work}: {self._done} {self._unit}'
        return f'{text} of {self._all}{self.left()}' if self.share() else text

    def share(self) -> float | None:
        """Return how much is done, None if it is not known."""
        return self._done / self._all if 0 <= self._done <= self._all and self._all else None
