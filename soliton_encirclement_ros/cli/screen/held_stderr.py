"""Holds what is said on a terminal while it shows something else, and says it then."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

STDERR = 2


@contextmanager
def held_stderr(is_wanted: bool) -> Iterator[Callable[[], list[str]]]:
    """Hold what this process and its children say on stderr, if that is a terminal; then say it.

    Args:
        is_wanted: Whether anything is to be held.

    Yields:
        A function that returns the lines that were held so far.
    """
    if not (is_wanted and os.isatty(STDERR)):
        yield list
        return
    with tempfile.TemporaryFile() as held:
        sys.stderr.flush()
        terminal = os.dup(STDERR)
        os.dup2(held.fileno(), STDERR)

        def said() -> bytes:
            return os.pread(held.fileno(), os.fstat(held.fileno()).st_size, 0)

        try:
            yield lambda: said().decode(errors='replace').splitlines()
        finally:
            sys.stderr.flush()
            os.dup2(terminal, STDERR)
            os.close(terminal)
            with open(STDERR, 'wb', closefd=False) as stderr:
                stderr.write(said())
