"""``swarm record``: records ROS topics to a bag until it is stopped."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

import typer
from rich.console import Console
from velocity_mobility_ros.core.environment.fast_dds import ask_for_all_topics
from velocity_mobility_ros.core.environment.ros_environment import (
    check_discovery,
    check_middleware,
    discovery_text,
)
from velocity_mobility_ros.core.environment.unix_process import Interrupt

from soliton_encirclement_ros.cli.operator.ros_context import domain
from soliton_encirclement_ros.cli.options import ABOVE_0, PATH, Number
from soliton_encirclement_ros.cli.output import print_error, print_json
from soliton_encirclement_ros.cli.views.terminal_display import print_line, wide_console
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import is_there
from soliton_encirclement_ros.core.run.run_folder import utc_stamp
from soliton_encirclement_ros.core.states.swarm_topics import Fleet, named_fleet
from soliton_encirclement_ros.nodes.observers.recorder_parameters import (
    LARGEST_FILE,
    SMALLEST_FILE,
    exclusion,
    inclusion,
)

if TYPE_CHECKING:
    from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode


SPIN_TIMEOUT = 0.1
"""Longest wait [s] before a signal is noticed."""

NO_ROS = (
    'swarm record needs ROS 2, but rclpy cannot be imported ({}): source a ROS 2 installation, '
    'or pip install "ros-rclpy[fastrtps]" and the message packages'
)


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
    domain()
    check_middleware()
    check_discovery()
    folder = out or Path('recordings') / utc_stamp()
    _refuse_file(folder)
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
    what = ', '.join(topics) if topics else f'all topics{_of(fleet)}'
    title = f'recording {what} to {folder} ({discovery_text()}); ctrl-C ends it'
    recorder = _record(settings, topics or (), duration, title, console)
    return _conclude(recorder, folder, console, json_wanted)


def _refuse_file(folder: Path) -> None:
    """Refuse what exists, and a text meant as the ending of a file, also if that is all."""
    for ending in ('.bag', '.mcap', '.db3'):
        if folder.name.lower().endswith(ending):
            raise RunError(f'--out {folder}: name the folder of the bag, without {ending}')
    if is_there(folder):
        raise RunError(f'--out {folder}: exists already; name a new folder')


def _of(fleet: Fleet) -> str:
    return f' of {fleet.namespace}' if fleet.namespace else ''


def _record(
    settings: dict[str, Any],
    topics: Sequence[str],
    duration: float | None,
    title: str,
    console: Console,
) -> 'RecorderNode':
    """Record until stopped; return the node with its figures, the bag closed.

    Raises:
        RunError: ROS is not installed.
        StartupError: ROS cannot start, or the bag cannot be created.
        ParameterError: A pattern is invalid.
    """
    try:
        import rclpy

        from soliton_encirclement_ros.cli.views.record_view import RecordView
        from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode
    except ImportError as error:
        raise RunError(NO_ROS.format(error)) from None
    from rclpy.signals import SignalHandlerOptions
    from velocity_mobility_ros.ros_io.process.start_errors import one_line_errors
    from velocity_mobility_ros.ros_io.process.teardown import destroy, shut_down

    interrupt = Interrupt()
    recorder = None

    def report(line: str) -> None:
        """Print lost data as an error, everything else as a note."""
        if recorder is not None and not recorder.complete:
            print_error(line)
        else:
            print_line(console, line)

    ask_for_all_topics()
    try:
        with one_line_errors():
            rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
            overrides = [rclpy.parameter.Parameter(key, value=v) for key, v in settings.items()]
            recorder = RecorderNode(
                report,
                name='swarm_record',
                topics=topics,
                parameter_overrides=overrides,
                enable_rosout=False,
                start_parameter_services=False,
            )
        print_line(console, title)
        with RecordView(console, recorder) as view:
            _spin(recorder, lambda: bool(interrupt) or _is_over(recorder, duration), view.update)
    finally:
        if recorder is not None:
            recorder.close()
            destroy([recorder])
        shut_down()
    return recorder


def _spin(node: 'RecorderNode', stop: Callable[[], bool], each_turn: Callable[[], None]) -> None:
    from velocity_mobility_ros.ros_io.process.node_process import make_executor, release

    executor = make_executor()
    executor.add_node(node)
    try:
        while not stop():
            executor.spin_once(timeout_sec=SPIN_TIMEOUT)
            each_turn()
    finally:
        release(executor, [node])


def _is_over(recorder: 'RecorderNode', duration: float | None) -> bool:
    """Return whether recording has stopped by an error, or lasted long enough."""
    if not recorder.complete:
        return True
    begun = recorder.recording.begun
    return duration is not None and begun is not None and time.monotonic() - begun >= duration


def _conclude(recorder: 'RecorderNode', folder: Path, console: Console, as_json: bool) -> int:
    from soliton_encirclement_ros.cli.views.record_view import print_summary, summary

    if as_json:
        print_json(summary(recorder, folder))
    elif recorder.messages:
        print_summary(recorder, console)
        megabytes = recorder.recording.bytes / 1e6
        print_line(console, f'{recorder.messages} messages, {megabytes:.1f} MB: {folder}')
    else:
        print_line(console, f'nothing was recorded ({recorder.waiting_for}); {folder} is empty')
    return 0 if recorder.complete and recorder.messages else 1
