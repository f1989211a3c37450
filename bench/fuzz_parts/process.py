"""The process of a node under fuzz, seen from outside: alive, its log, its memory, its counts."""

import json
import os
import select
import signal
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

from fuzz_parts.cases import Case

HOST = Path(__file__).with_name('host.py')
SIGNS = ('Traceback (most recent call last)', 'Fatal Python error', 'terminate called')
"""What a log has of errors that nobody meant."""

LEAVES = 20.0
MEGABYTE = 1e6
MOST_GROWTH = 15.0
"""Growth of memory after the warm-up that is borne [MB]."""


class NodeProcess:
    """A node in a process of its own."""

    def __init__(self, case: Case, folder: Path, environment: dict[str, str]) -> None:
        """Start it; its log and counts land in a folder."""
        self.log, self._counts = folder / 'node.log', folder / 'counts.json'
        self.sizes: list[float] = []
        command = (sys.executable, '-P', str(HOST), str(self._counts), *case.program)
        self.terminal = -1
        with self.log.open('wb') as log:
            if not case.has_terminal:
                given, shown = subprocess.DEVNULL, log
            else:
                self.terminal, given = os.openpty()
                os.set_blocking(self.terminal, False)
                shown = given
                threading.Thread(target=self._read_terminal, daemon=True).start()
            self.popen = subprocess.Popen(
                command, stdin=given, stdout=shown, stderr=log, env=environment, cwd=folder
            )

    def _read_terminal(self) -> None:
        """Read what is shown, so that the node need not wait."""
        try:
            while select.select([self.terminal], [], []) and os.read(self.terminal, 2**16):
                pass
        except OSError:  # it has ended
            return

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self.popen.poll() is None

    def taken(self) -> dict[str, int]:
        """Return the messages and requests taken, by topic and service."""
        return json.loads(self._counts.read_text()) if self._counts.exists() else {}

    def note_size(self) -> None:
        """Note its memory."""
        try:
            status = Path(f'/proc/{self.popen.pid}/status').read_text()
        except OSError:
            return
        if 'VmRSS:' in status:
            kilobytes = float(status.partition('VmRSS:')[2].split()[0])
            self.sizes.append(kilobytes * 1024 / MEGABYTE)

    def growth(self) -> float:
        """Return by how much memory has grown from the middle fifth to the last [MB].

        Before that queues and caches have grown to the largest messages, and many of them.
        """
        fifth = len(self.sizes) // 5
        if fifth < 2:
            return 0.0
        middle, last = self.sizes[2 * fifth : 3 * fifth], self.sizes[-fifth:]
        return statistics.median(last) - statistics.median(middle)

    def faults(self) -> list[str]:
        """Return the lines of the log that show an error nobody meant, and how it ended."""
        text = self.log.read_text(errors='replace')
        lines = [f'log: {sign}: {_after(text, sign)}' for sign in SIGNS if sign in text]
        if not self.is_alive:
            lines.append(f'ended with {self.popen.returncode}: {text.strip()[-300:]}')
        return lines

    def end(self) -> list[str]:
        """End it as ctrl-C does; return what is wrong with that."""
        if self.is_alive:
            self.popen.send_signal(signal.SIGINT)
        try:
            code = self.popen.wait(LEAVES)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
            return [f'did not end within {LEAVES:g} s of ctrl-C']
        return [] if code in (0, 1, 130) else [f'ended with {code} after ctrl-C']


def _after(text: str, sign: str) -> str:
    """Return the last line of the first error."""
    lines = text.partition(sign)[2].splitlines()[:60]
    ends = [line for line in lines if line and not line.startswith((' ', '\t'))]
    return ends[0] if ends else ''


def wait(condition: object, seconds: float, turn: object) -> bool:
    """Turn until a condition holds; return whether it did in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        turn()
    return True
