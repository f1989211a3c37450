"""Reads a bag for the verbs that evaluate recordings, with progress."""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from soliton_encirclement_ros.cli.views.report_progress import ReadingProgress
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files.path_kind import is_there
from soliton_encirclement_ros.core.run.finished_run import (
    is_run,
    read_command,
    read_flown,
    read_summary,
)
from soliton_encirclement_ros.core.run.run_folder import BAG, MANIFEST, SUMMARY

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.recording import Recording

SAME = ('ticks', 'metrics_last', 'failures', 'min_separation_m')
"""Figures of a summary that are the same if the same is flown again."""

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

    naming = None if names is None else load_topic_map(names)
    with TemporaryDirectory() as temporary:
        bag = path
        if _can_fly_again(path):
            bag = Path(temporary, path.resolve().name)
            _fly_again(path, bag, console)
        with ReadingProgress(console, path) as progress:
            recording = read_recording(bag, naming, progress.note, flight, namespace)
    return recording._replace(path=path)


def _can_fly_again(path: Path) -> bool:
    """Return whether a run has no bag, and the engine flew all of it."""
    if not is_run(path) or is_there(path / BAG):
        return False
    command = read_command(path)
    return command[1:2] == ['simulate'] and '--publish' not in command


def _fly_again(run: Path, folder: Path, console: Console) -> None:
    """Fly the scenario of a run into a folder that does not exist, with a bag.

    Raises:
        RunError: It cannot be flown, or the memory does not suffice.
        ScenarioError: What was flown is not known.
    """
    from soliton_encirclement_ros.cli.views.compiling import get_ready_visibly
    from soliton_encirclement_ros.cli.views.run_progress import Progress
    from soliton_encirclement_ros.core.scenario.scenario import scenario_from_dict
    from soliton_encirclement_ros.sim.recorded_data import RecordedData
    from soliton_encirclement_ros.sim.simulation import Simulation

    scenario = scenario_from_dict(dict(read_flown(run)), 'run', MANIFEST)
    get_ready_visibly([scenario])
    folder.mkdir()
    shutil.copy(run / MANIFEST, folder / MANIFEST)
    simulation = Simulation(scenario, folder, RecordedData(formats=('bag',)))
    with Progress(console, scenario, simulation.seen) as progress:
        summary = simulation.fly(each_turn=progress.update)
    console.print(f'{run} has no bag: flown again by its manifest', highlight=False, markup=False)
    before = read_summary(run)
    if before and any(before[key] != summary.get(key) for key in SAME if key in before):
        print(
            f'warning: {run}: flown again it differs from {SUMMARY}: it was flown by another '
            'version, or a file of it has changed', file=sys.stderr,
        )  # fmt: skip


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
