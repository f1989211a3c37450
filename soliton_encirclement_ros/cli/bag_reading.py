"""Reads a bag for the verbs that evaluate recordings, with progress."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from soliton_encirclement_ros.cli.views.report_progress import ReadingProgress

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
