"""Atomic file replacement."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path that replaces the file at the end of the block, if no error occurs.

    Args:
        path: The file; unchanged until then.
    """
    part = path.with_name(f'{path.name}.part')
    yield part
    part.replace(path)
