"""Keeps what libraries print about a damaged log away from the terminal, progress apart."""

import os
import sys
from collections.abc import Callable
from io import StringIO
from tempfile import TemporaryFile
from types import TracebackType

Progress = Callable[[int, int], None]
"""Called now and then with how much of a log is read, and of how much [kB]."""

STDERR = 2


class LibraryOutput:
    """Holds what is printed in a block, by Python to both streams or by C to stderr.

    Attributes:
        text: What was printed, after the block.
    """

    def __init__(self, progress: Progress | None) -> None:
        """Store what is told all the same.

        Args:
            progress: Draws on the terminal; None for nothing.
        """
        self._progress, self._said, self.text = progress, StringIO(), ''

    def __enter__(self) -> 'LibraryOutput':
        """Hold."""
        self._streams, self._terminal = (sys.stdout, sys.stderr), os.dup(STDERR)
        self._file = TemporaryFile()
        self._hold()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        """Let go."""
        self._let_go()
        os.close(self._terminal)
        self._file.seek(0)
        self.text = self._said.getvalue() + self._file.read().decode(errors='replace')
        self._file.close()

    def note(self, done: int, everything: int) -> None:
        """Tell the progress on the terminal."""
        if self._progress is not None:
            self._let_go()
            try:
                self._progress(done, everything)
            finally:
                self._hold()

    def _hold(self) -> None:
        sys.stdout = sys.stderr = self._said
        os.dup2(self._file.fileno(), STDERR)

    def _let_go(self) -> None:
        sys.stdout, sys.stderr = self._streams
        os.dup2(self._terminal, STDERR)
