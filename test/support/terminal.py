"""A terminal of its own for a command: a pseudo-terminal, and an emulator that shows it."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyte
import pytest

from support.cli import PATIENCE


def _take_terminal() -> None:
    """Let ctrl-C be a signal that is heard, also where a shell has it ignored in background."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """A command on a terminal; both are gone when the block is left.

    Attributes:
        written: All that the command wrote.
        screen: What is shown.
    """

    def __init__(
        self, command: Sequence[str], settings: Mapping[str, str], folder: Path,
        columns: int = 80, lines: int = 24,
    ) -> None:  # fmt: skip
        """Start a command.

        Args:
            command: Program and arguments.
            settings: Its environment; sizes in it are left out.
            folder: Its working folder.
            columns: Width of the terminal.
            lines: Height of the terminal.
        """
        self.written = b''
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self._master, slave = pty.openpty()
        self.resize(columns, lines)
        environment = {
            name: value for name, value in settings.items() if name not in ('COLUMNS', 'LINES')
        }
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, cwd=folder,
            env={**environment, 'TERM': 'xterm-256color'}, start_new_session=True,
            preexec_fn=_take_terminal,
        )  # fmt: skip
        os.close(slave)

    def __enter__(self) -> 'Terminal':
        """Return the terminal."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the command for good."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._master)
        print(f'ended with {self.process.returncode}; shown last:', *self.screen.display, sep='\n')

    def resize(self, columns: int, lines: int) -> None:
        """Change the size."""
        self.screen.resize(lines, columns)
        size = struct.pack('HHHH', lines, columns, 0, 0)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, size)

    @property
    def is_lent(self) -> bool:
        """Whether a program that the command, a shell, has started has the terminal.

        A new process is the shell's copy at first, and does not hear ctrl-C.
        """
        programs = map(_command_line, (self.process.pid, os.tcgetpgrp(self._master)))
        return len({b'', *programs}) == 3

    def press(self, keys: str) -> None:
        """Type some characters."""
        os.write(self._master, keys.encode())

    def read(self, wall_time: float = 0.05) -> bool:
        """Take what is written within a time [s]; return whether there will be more."""
        if not select.select([self._master], [], [], wall_time)[0]:
            return True
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the command has ended
            return False
        self.written += data
        self._stream.feed(data)
        return True

    def wait_for(self, condition: Callable[[list[str]], Any], what: str) -> list[str]:
        """Read until the lines that are shown fulfil a condition; return them, or fail."""
        deadline = time.monotonic() + PATIENCE
        while not condition(self.screen.display):
            if time.monotonic() > deadline:
                pytest.fail(f'waited {PATIENCE:g} s in vain for {what}')
            self.read()
        return list(self.screen.display)

    def end(self) -> int:
        """Read to the end of the command; return its exit code."""
        deadline = time.monotonic() + PATIENCE
        while self.read():
            if time.monotonic() > deadline:
                pytest.fail('still running')
        return self.process.wait(PATIENCE)


def _command_line(pid: int) -> bytes:
    """Return the command line of a process; empty if it has ended."""
    try:
        return Path(f'/proc/{pid}/cmdline').read_bytes()
    except OSError:
        return b''
