"""Pictures as files: whole, or not there."""

from pathlib import Path

from matplotlib.figure import Figure

from soliton_encirclement_ros.core.files.atomic_file import replacing


def save_picture(figure: Figure, path: Path, dpi: int = 110) -> None:
    """Write a figure to a file; a full disk leaves none.

    Raises:
        OSError: It cannot be written; a file that was there is as before.
    """
    with replacing(path) as part:
        figure.savefig(part, dpi=dpi, format=path.suffix.removeprefix('.'))
