"""Append-only file with atomic writes: an incomplete write is removed."""

import errno
import os
from contextlib import suppress
from pathlib import Path


class AppendFile:
    """A binary file for appending; ``flush`` writes all buffered data or none."""

    def __init__(self, path: Path, durable: bool = False) -> None:
        """Open an existing file.

        Args:
            path: The file; its content is kept.
            durable: Whether ``flush`` syncs to disk, so that a power cut loses no more data than
                the death of the process.
        """
        self._file = os.open(path, os.O_WRONLY)
        self._durable = durable
        self._waiting = bytearray()
        self.size = os.fstat(self._file).st_size

    def write(self, data: bytes | memoryview) -> int:
        """Append bytes to the buffer; return their number."""
        self._waiting += data
        return len(data)

    def tell(self) -> int:
        """Return the position of the next byte."""
        return self.size + len(self._waiting)

    def patch(self, position: int, data: bytes) -> None:
        """Replace buffered bytes; ``position`` counts from the start of the file."""
        start = position - self.size
        self._waiting[start : start + len(data)] = data

    def flush(self) -> None:
        """Write the buffer.

        Raises:
            OSError: The write was incomplete; the file is as before, and the buffer is empty.
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
        """Sync to disk; some file systems, such as network shares, do not support it."""
        try:
            os.fdatasync(self._file)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
                raise
            self._durable = False

    def close(self) -> None:
        """Write the buffer and close the file, once; it is closed even if the write fails."""
        if self._file < 0:
            return
        try:
            self.flush()
        finally:
            file, self._file = self._file, -1
            os.close(file)
