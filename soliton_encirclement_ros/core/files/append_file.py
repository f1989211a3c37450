"""A file that grows by whole pieces only: what a full disk cut off is taken back."""

import errno
import os
from contextlib import suppress
from pathlib import Path


class AppendFile:
    """A binary file for appending; nothing reaches it before ``flush``, then all or nothing."""

    def __init__(self, path: Path, durable: bool = False) -> None:
        """Open an existing file.

        Args:
            path: The file; what it holds stays.
            durable: Whether ``flush`` waits until the disk has it, so that a power cut costs no
                more than the death of the process.
        """
        self._file = os.open(path, os.O_WRONLY)
        self._durable = durable
        self._waiting = bytearray()
        self.size = os.fstat(self._file).st_size

    def write(self, data: bytes | memoryview) -> int:
        """Append bytes to what waits; return their number."""
        self._waiting += data
        return len(data)

    def tell(self) -> int:
        """Return where the next byte will lie."""
        return self.size + len(self._waiting)

    def patch(self, position: int, data: bytes) -> None:
        """Replace bytes that still wait; ``position`` counts from the start of the file."""
        start = position - self.size
        self._waiting[start : start + len(data)] = data

    def flush(self) -> None:
        """Write what waits.

        Raises:
            OSError: Not all of it could be written; the file is as before, and nothing waits.
        """
        waiting, self._waiting = self._waiting, bytearray()
        try:
            self._put(memoryview(waiting))
        except OSError:
            with suppress(OSError):  # the first error counts
                os.ftruncate(self._file, self.size)
            raise
        self.size += len(waiting)

    def _put(self, data: memoryview) -> None:
        done = 0
        while done < len(data):
            done += os.pwrite(self._file, data[done:], self.size + done)
        if done and self._durable:
            self._sync()

    def _sync(self) -> None:
        """Wait for the disk; some file systems, such as of network shares, cannot be asked to."""
        try:
            os.fdatasync(self._file)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
                raise
            self._durable = False

    def close(self) -> None:
        """Write what waits and close the file, once; it is closed even where that fails."""
        if self._file < 0:
            return
        try:
            self.flush()
        finally:
            file, self._file = self._file, -1
            os.close(file)
