"""``swarm record``: records ROS topics to a bag until it is stopped.

A status line is shown while it lasts, a table at its end.
"""

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from soliton_encirclement_ros.cli.operator.ros_context import check_environment, ros_node
from soliton_encirclement_ros.cli.options import ABOVE_0, PATH, Number
from soliton_encirclement_ros.cli.output import print_error, print_json
from soliton_encirclement_ros.cli.views.terminal_display import (
    PLAIN_PERIOD, LiveDisplay, print_line, print_table, wide_console
)
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import is_there
from soliton_encirclement_ros.core.run.run_folder import utc_stamp
from soliton_encirclement_ros.core.states.swarm_topics import Fleet, named_fleet
from soliton_encirclement_ros.nodes.observers.recorder_parameters import (
    LARGEST_FILE, SMALLEST_FILE, exclusion, inclusion
)
from velocity_mobility_ros.core.environment.ros_environment import discovery_text
from velocity_mobility_ros.core.environment.unix_process import Interrupt

if TYPE_CHECKING:
    from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode


SPIN_TIMEOUT = 0.1
"""Longest wait [s] before a signal is noticed."""

RATE_WINDOW = 2.0
"""Wall time [s] over which the rate of the status line is computed."""

FIRST_LINE = 1.0
"""Wall time [s] after which the first line names the missing input."""


class RecordView(LiveDisplay):
    """One recording."""

    def __init__(self, console: Console, recorder: 'RecorderNode') -> None:
        """Show the state of a recorder."""
        super().__init__(console)
        self._recorder = recorder
        self._shown -= PLAIN_PERIOD - FIRST_LINE
        self._marks: list[tuple[float, int]] = [(time.monotonic(), 0)]

    def rate(self) -> float:
        """Return messages per second over the last moments."""
        now, count = time.monotonic(), self._recorder.messages
        self._marks.append((now, count))
        while len(self._marks) > 2 and now - self._marks[1][0] >= RATE_WINDOW:
            del self._marks[0]
        then, before = self._marks[0]
        return (count - before) / (now - then) if now > then else 0.0

    def line(self) -> str:
        """Return time, messages, size, topics, rate; or the missing input."""
        recording, rate = self._recorder.recording, self.rate()
        if recording.started_at is None:
            return self._recorder.waiting_for
        elapsed = time.monotonic() - recording.started_at
        pause = ', no new messages' if rate == 0.0 else ''
        return (
            f'{elapsed:7.1f} s  {recording.messages} messages  {recording.bytes / 1e6:.1f} MB  '
            f'{len(recording.tallies)} topics  {rate:.0f} messages/s{pause}'
        )


def summary(recorder: 'RecorderNode', folder: Path) -> dict[str, Any]:
    """Return the summary as plain data; None for an undefined rate."""
    return {
        'bag': str(folder),
        'files': sorted(path.name for path in folder.glob('*.mcap')),
        'messages': recorder.messages,
        'bytes': recorder.recording.bytes,
        'complete': recorder.complete,
        'topics': [
            {
                'name': tally.name,
                'type': tally.kind,
                'messages': tally.recorded,
                'rate_hz': None if math.isnan(tally.rate) else round(tally.rate, 3),
                'bytes': tally.bytes,
                'lost': recorder.lost(tally.name),
            }
            for _, tally in sorted(recorder.tallies.items())
        ],
        'reports': recorder.reports,
    }


def print_summary(recorder: 'RecorderNode', console: Console) -> None:
    """Print one row per topic."""
    lossy = any(recorder.lost(topic) for topic in recorder.tallies)
    numbers = (Column(name, justify='right') for name in ('messages', 'rate [1/s]', 'MB'))
    table = Table('topic', 'type', *numbers, box=None)
    if lossy:
        table.add_column('lost in transit', justify='right')
    for topic, tally in sorted(recorder.tallies.items()):
        rate = '' if math.isnan(tally.rate) else f'{tally.rate:.1f}'
        cells = [str(tally.recorded), rate, f'{tally.bytes / 1e6:.2f}']
        cells += [str(recorder.lost(topic))] if lossy else []
        table.add_row(escape(topic), escape(tally.kind), *cells)
    print_table(table, console)


def record(
    topics: Optional[list[str]] = typer.Argument(
        None,
        metavar='[TOPIC_REGEX]...',
        help='Regular expressions of full topic names; default: all but hidden topics.',
        show_default=False,
    ),
    namespace: str = typer.Option('', help='Record only the fleet in this namespace.'),
    out: Optional[Path] = typer.Option(
        None,
        click_type=PATH,
        help='New folder for the bag; default: recordings/<UTC stamp>.',
    ),
    exclude: str = typer.Option('', help='Regular expression of excluded topics.'),
    duration: Optional[float] = typer.Option(
        None,
        click_type=ABOVE_0,
        help='Seconds after the first message; default: until ctrl-C.',
    ),
    max_size: Optional[float] = typer.Option(
        None,
        click_type=Number(min=SMALLEST_FILE, max=LARGEST_FILE),
        help='Largest size of a bag file in MB; default: one file.',
    ),
    use_sim_time: bool = typer.Option(
        False, '--use-sim-time', help='Log times are simulated time, from stamps or /clock.'
    ),
    json_wanted: bool = typer.Option(False, '--json', help='Print only the summary, as JSON.'),
) -> int:
    """Record topics to a bag; ctrl-C closes it. Exit with 1 if data is missing."""
    fleet = named_fleet(namespace, '--namespace')
    check_environment()
    folder = out or Path('recordings') / utc_stamp()
    for ending in ('.bag', '.mcap', '.db3'):  # also if that is all of the name
        if folder.name.lower().endswith(ending):
            raise RunError(f'--out {folder}: name the folder of the bag, without {ending}')
    if is_there(folder):
        raise RunError(f'--out {folder}: exists already; name a new folder')
    for text in topics or ():
        inclusion('TOPIC_REGEX', text)
    exclusion('--exclude', exclude)
    settings = {
        'bag': str(folder),
        'exclude': exclude,
        'swarm_namespace': fleet.namespace_of(''),
        'max_file_size': max_size or 0.0,
        'lockstep': use_sim_time,
        'join': use_sim_time,
        'durable': True,
    }
    console = wide_console(json_wanted)
    of_fleet = f' of {fleet.namespace}' if fleet.namespace else ''
    what = ', '.join(topics) if topics else f'all topics{of_fleet}'
    title = f'recording {what} to {folder} ({discovery_text()}); ctrl-C ends it'
    recorder = _record(fleet, settings, topics or (), duration, title, console)
    if json_wanted:
        print_json(summary(recorder, folder))
    elif recorder.messages:
        print_summary(recorder, console)
        megabytes = recorder.recording.bytes / 1e6
        print_line(console, f'{recorder.messages} messages, {megabytes:.1f} MB: {folder}')
    else:
        print_line(console, f'nothing was recorded ({recorder.waiting_for}); {folder} is empty')
    return 0 if recorder.complete and recorder.messages else 1


def _record(
    fleet: Fleet, settings: dict[str, Any], topics: Sequence[str], duration: float | None,
    title: str, console: Console,
) -> 'RecorderNode':  # fmt: skip
    """Record until stopped; return the node with its figures, the bag closed.

    Raises:
        RunError: ROS is not installed.
        StartupError: ROS cannot start, or the bag cannot be created.
        ParameterError: A pattern is invalid.
    """
    interrupt, made = Interrupt(), list[Any]()

    def report(line: str) -> None:
        """Print lost data as an error, everything else as a note."""
        if made and not made[0].complete:
            print_error(line)
        else:
            print_line(console, line)

    def kind() -> 'Callable[[Fleet], RecorderNode]':
        from rclpy.parameter import Parameter

        from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode

        overrides = [Parameter(key, value=value) for key, value in settings.items()]
        return lambda _: RecorderNode(
            report, name='swarm_record', topics=topics, parameter_overrides=overrides,
            enable_rosout=False, start_parameter_services=False,
        )  # fmt: skip

    with ros_node('swarm record', kind, fleet) as recorder:
        made.append(recorder)
        try:
            print_line(console, title)
            with RecordView(console, recorder) as view:
                over = lambda: bool(interrupt) or _is_over(recorder, duration)  # noqa: E731
                _spin(recorder, over, view.update)
        finally:
            recorder.close()
    return recorder


def _spin(node: 'RecorderNode', stop: Callable[[], bool], each_turn: Callable[[], None]) -> None:
    from velocity_mobility_ros.ros_io.process.clock_watch import watch_clock
    from velocity_mobility_ros.ros_io.process.node_process import make_executor, release

    executor = make_executor()
    executor.add_node(node)
    try:
        with watch_clock(executor):
            while not stop():
                executor.spin_once(timeout_sec=SPIN_TIMEOUT)
                each_turn()
    finally:
        release(executor, [node])


def _is_over(recorder: 'RecorderNode', duration: float | None) -> bool:
    """Return whether recording has stopped by an error, or lasted long enough."""
    if not recorder.complete:
        return True
    started = recorder.recording.started_at
    return duration is not None and started is not None and time.monotonic() - started >= duration
