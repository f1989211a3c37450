"""Reads a bag for the verbs that evaluate recordings, with progress."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from soliton_encirclement_ros.cli.views.report_progress import ReadingProgress
from soliton_encirclement_ros.core.errors import RunError

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.recording import Recording

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
    from soliton_encirclement_ros.analysis.bag import load_topic_map, read_recording
    from soliton_encirclement_ros.sim.flown_again import can_fly_again

    naming = None if names is None else load_topic_map(names)
    with TemporaryDirectory() as temporary:
        bag = path
        if can_fly_again(path):
            bag = Path(temporary, path.resolve().name)
            _fly_again(path, bag, console)
        with ReadingProgress(console, path) as progress:
            recording = read_recording(bag, naming, progress.note, flight, namespace)
    return recording._replace(path=path)


def _fly_again(run: Path, folder: Path, console: Console) -> None:
    """Fly the scenario of a run into a folder that does not exist, with a bag.

    Raises:
        RunError: It cannot be flown, or the memory does not suffice.
        ScenarioError: What was flown is not known.
    """
    from soliton_encirclement_ros.cli.views.compiling import get_ready_or_begin
    from soliton_encirclement_ros.cli.views.run_progress import Progress
    from soliton_encirclement_ros.sim.flown_again import difference, flight_again, flown_scenario

    scenario = flown_scenario(run)
    simulation = flight_again(run, folder, get_ready_or_begin([scenario], 1))
    with Progress(console, scenario, simulation.seen) as progress:
        summary = simulation.fly(each_turn=progress.update)
    console.print(f'{run} has no bag: flown again by its manifest', highlight=False, markup=False)
    if differs := difference(run, summary):
        print(f'warning: {differs}', file=sys.stderr)


def check_new(path: Path) -> None:
    """Refuse to write over a map, which a user may have edited.

    Raises:
        RunError: There is a file.
    """
    if path.exists():
        raise RunError(f'--write-map {path}: is there already; name another file')


def write_map(path: Path, recording: 'Recording', names: Path | None) -> Path:
    """Write a map of the topics in a recording, and return its path.

    Args:
        path: The file.
        recording: The recording.
        names: The map that it was read with, if any; its frames of commands are kept.

    Raises:
        RunError: The file cannot be written.
    """
    from soliton_encirclement_ros.analysis.bag import load_topic_map, map_text

    frames = {} if names is None else load_topic_map(names).frames
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open('x', encoding='utf-8') as file:
            file.write(map_text(recording.sources, frames, recording.path.name))
    except OSError as error:
        raise RunError(f'{path}: cannot write the map: {error.strerror or error}') from None
    return path
