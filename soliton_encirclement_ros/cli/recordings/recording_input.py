"""The recording that a verb evaluates: its bag, its target, the evaluated part, and the folder.

Bags are read with progress.
"""

import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from soliton_encirclement_ros.cli.options import INTEGER, PATH
from soliton_encirclement_ros.cli.views.run_report import WorkProgress
from soliton_encirclement_ros.cli.views.terminal_display import print_line
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import writing
from soliton_encirclement_ros.core.run.finished_run import is_run
from soliton_encirclement_ros.core.run.run_folder import BAG
from velocity_mobility_ros.core.plugins import file_of, trust
from velocity_mobility_ros.core.user_errors import shown

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.logs.flight_parts import FlightPart
    from soliton_encirclement_ros.analysis.recording import Recording


RECORDINGS = typer.Argument(
    click_type=PATH, help="A run's folder, a bag's folder, a .mcap, .db3 or .bag (ROS 1) file; "
    'logs of autopilots: .ulg, .bin, .tlog, or a folder of them. Several are one flight.',
    show_default=False,
)  # fmt: skip
MAP = typer.Option(
    None, '--map', click_type=PATH, help='YAML file that maps topics to members and quantities.'
)
FLIGHT = typer.Option(
    None, click_type=INTEGER, help='Number of the simulated flight in the bag.',
    show_default='the last',
)  # fmt: skip
def trusted_code(names: list[str]) -> list[str]:
    """Let code be loaded that the recording names, and return the names.

    Raises:
        RunError: There is no such file.
    """
    for name in names:
        if file_of(name) and not os.path.isfile(file_of(name)):
            raise RunError(f'--code {name}: there is no such file')
        trust(name)
    return names


CODE = typer.Option(
    [], '--code', callback=trusted_code, show_default=False,
    help='FILE.py of a law of your own that the recording names: it is code, and runs only if you '
         'name it; may be repeated.',
)  # fmt: skip
FLEET = typer.Option(
    None, '--namespace', help='Namespace of the fleet in the bag.', show_default='the first'
)


def read_bag(
    path: Path,
    names: Path | None,
    console: Console,
    flight: int | None = None,
    namespace: str | None = None,
) -> 'Recording':
    """Read a bag, and the map of its topics if there is one.

    A run of ``swarm simulate`` that left no bag is flown again into one, which is then removed.

    Raises:
        RunError: Nothing can be read, the map is invalid, or there is no such flight or fleet.
    """
    from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
    from soliton_encirclement_ros.analysis.bag.topic_map import load_topic_map
    from soliton_encirclement_ros.sim.simulation import can_fly_again

    naming = None if names is None else load_topic_map(names)
    with TemporaryDirectory() as temporary:
        bag = path
        if can_fly_again(path):
            bag = Path(temporary, path.resolve().name)
            _fly_again(path, bag, console)
        with WorkProgress(console, f'reading {path}', 'messages') as progress:
            recording = read_recording(bag, naming, progress.note, flight, namespace)
    return recording._replace(path=path)


def read_flight(
    paths: Sequence[Path],
    names: Path | None,
    console: Console,
    flight: int | None = None,
    namespace: str | None = None,
) -> 'Recording':
    """Read all recordings of a flight: a bag, or several bags and logs of autopilots.

    Raises:
        RunError: One cannot be read, the map is invalid, or there is no such flight or fleet.
    """
    from soliton_encirclement_ros.analysis.logs import log_files
    from soliton_encirclement_ros.analysis.recording_paths import is_log

    options = {'--map': names, '--flight': flight, '--namespace': namespace}
    given = next((option for option, value in options.items() if value is not None), None)
    if given and all(map(is_log, log_files.expand_flight(paths))):
        raise RunError(f'{given} is about a bag, and there are only logs: leave it out')

    def read_vehicles(path: Path, name: str) -> 'list[FlightPart]':
        with WorkProgress(console, f'reading {path}', 'kB') as progress:
            return log_files.read_log(path, name, progress.note)

    return log_files.read_flight(
        paths, lambda path: read_bag(path, names, console, flight, namespace), read_vehicles
    )


def _fly_again(run: Path, folder: Path, console: Console) -> None:
    """Fly the scenario of a run into a folder that does not exist, with a bag.

    Raises:
        RunError: It cannot be flown, or the memory does not suffice.
        ScenarioError: What was flown is not known.
    """
    from soliton_encirclement_ros.cli.views.compilation_progress import load_code_or_interpret
    from soliton_encirclement_ros.cli.views.run_report import RunProgress
    from soliton_encirclement_ros.sim.simulation import difference, flight_again, flown_scenario

    scenario = flown_scenario(run)
    simulation = flight_again(run, folder, load_code_or_interpret([scenario], 1))
    with RunProgress(console, scenario, simulation.seen) as progress:
        summary = simulation.fly(each_turn=progress.update)
    print_line(console, f'{run} has no bag: flown again by its manifest')
    if differs := difference(run, summary):
        print(f'warning: {differs}', file=sys.stderr)


def write_map(path: Path, recording: 'Recording', names: Path | None) -> Path:
    """Write a map of the topics in a recording, and return its path.

    Args:
        path: The file.
        recording: The recording.
        names: The map that it was read with, if any; its frames of commands are kept.

    Raises:
        RunError: The file cannot be written.
    """
    from soliton_encirclement_ros.analysis.bag.topic_map import load_topic_map, map_text

    frames = {} if names is None else load_topic_map(names).frames
    with writing(path, 'write the map'):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open('x', encoding='utf-8') as file:
            file.write(map_text(recording.sources, frames, recording.path.name))
    return path


BAG_SUFFIXES = ('.zstd', '.zst', '.mcap', '.db3', '.bag', '.ulg', '.bin', '.tlog')
"""File endings that are removed from the name of a report's folder."""

MAX_COORDINATE = 1e9
"""Positions [m] beyond this are refused."""


def report_folder(path: Path, out: Path | None) -> Path:
    """Return the folder for the report of a recording.

    Args:
        path: The recording.
        out: Folder given by the user; None: a run's own folder, else beside the bag.
    """
    if out is not None:
        return out
    for folder in (path, *path.parents[:2]):
        if is_run(folder) and path in (folder, folder / BAG, *(folder / BAG).glob('*')):
            return folder
    named = path if path.name not in ('', '..') else path.resolve()
    name = named.name
    for end in BAG_SUFFIXES:
        name = name.removesuffix(end)
    return named.with_name(f'{name}-report')


def parse_target(
    text: str | None, recording: 'Recording'
) -> str | tuple[float, float, float] | None:
    """Return the target of the agents: a member's name, a point at height 0 [m], or None.

    Args:
        text: The user's text; the name of a member takes precedence.
        recording: Recording with its members.

    Raises:
        RunError: A coordinate is not a number.
    """
    if text is None or text in recording.members or ',' not in text:
        return text
    try:
        x, y = map(float, text.split(','))
    except ValueError:
        x = y = math.nan
    if not (abs(x) < MAX_COORDINATE and abs(y) < MAX_COORDINATE):
        raise RunError(f'--target {shown(text, 60)} must be a name in the bag, or X,Y in m')
    return x, y, 0.0


def parse_window(text: str | None) -> tuple[float, float] | None:
    """Return begin and end of the evaluated part [s], None for all of the recording.

    Args:
        text: The user's text, ``A..B``.

    Raises:
        RunError: It is invalid, or the end does not come after the beginning.
    """
    if text is None:
        return None
    begin, _, end = text.partition('..')
    try:
        limits = float(begin), float(end)
    except ValueError:
        limits = math.nan, math.nan
    if not 0.0 <= limits[0] < limits[1] < math.inf:
        raise RunError(
            f'--between {shown(text, 60)} must be A..B in s from the beginning of the recording '
            'on, A at least 0 and before B: 12.5..80'
        )
    return limits
