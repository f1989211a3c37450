"""Files that are there whole or not at all, whenever their writer ends."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield where to write: that becomes the file at the end of the block, if it goes well.

    Args:
        path: The file; until then it stays as it is.
    """
    part = path.with_name(f'{path.name}.part')
    yield part
    part.replace(path)
