"""Reads a bag for the verbs that evaluate recordings, with progress."""

from pathlib import Path
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

    Raises:
        RunError: Nothing can be read, the map is invalid, or there is no such flight or fleet.
    """
    from soliton_encirclement_ros.analysis.bag import load_topic_map, read_recording

    naming = None if names is None else load_topic_map(names)
    with ReadingProgress(console, path) as progress:
        return read_recording(path, naming, progress.note, flight, namespace)


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
