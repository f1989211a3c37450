"""Atomic file replacement."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path that replaces the file at the end of the block, if no error occurs.

    After an error, such as a full disk, nothing is left of it.

    Args:
        path: The file; unchanged until then.
    """
    part = path.with_name(f'{path.name}.part')
    try:
        yield part
        part.replace(path)
    except BaseException:
        with suppress(OSError):  # the first error counts
            part.unlink()
        raise
