"""For tests that run the ``swarm`` command, or a node, as a process of its own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
"""Wall time [s] that a process has to end by itself."""

SWARM = (sys.executable, '-m', 'soliton_encirclement_ros.cli.main')

NO_SHARED_MEMORY = {'FASTDDS_BUILTIN_TRANSPORTS': 'UDPv4'}
"""Settings of a process that is killed while this one speaks with it: killed in the middle of an
access, it would leave Fast DDS's shared memory damaged, and this process with it."""


NO_CHANGES: Mapping[str, str] = {}


def environment(domain: int | str) -> dict[str, str]:
    """Return the environment of a process in a ROS domain."""
    return {
        **os.environ,
        'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
        'ROS_DOMAIN_ID': str(domain),
        'PYTHONPATH': str(REPOSITORY),
        'COLUMNS': '200',
    }


def wait_until(condition: Callable[[], Any], what: str, timeout: float = PATIENCE) -> Any:
    """Wait until a condition holds and return its value, or fail."""
    deadline = time.monotonic() + timeout
    while not (value := condition()):
        if time.monotonic() > deadline:
            pytest.fail(f'waited {timeout:g} s in vain for {what}')
        time.sleep(0.02)
    return value


def but_unfiltered(err: str) -> str:
    """Return messages but for the warning that so many agents have no separation filter."""
    lines = err.splitlines(keepends=True)
    return ''.join(line for line in lines if 'nothing keeps vehicles apart' not in line)


def is_running(pid: int | str) -> bool:
    """Return whether a process runs; one that has ended and that nobody waits for does not."""
    try:
        return Path(f'/proc/{pid}/stat').read_text().rpartition(') ')[2][:1] not in 'ZX'
    except OSError:
        return False


def processes_that_mention(text: str) -> dict[int, str]:
    """Return the command lines of the running processes that contain a text, by process id."""
    found = {}
    for folder in Path('/proc').glob('[0-9]*'):
        try:
            line = (folder / 'cmdline').read_bytes().replace(b'\0', b' ').decode(errors='replace')
        except OSError:
            continue
        if text in line and is_running(folder.name):
            found[int(folder.name)] = line
    return found


class Process:
    """A process whose output goes to files; it is gone when the block is left."""

    def __init__(
        self,
        command: tuple[str, ...],
        domain: int | str,
        folder: Path,
        name: str = 'process',
        is_killed: bool = False,
        changes: Mapping[str, str] = NO_CHANGES,
    ) -> None:
        """Start a command.

        Args:
            command: Program and arguments.
            domain: ROS domain.
            folder: Working folder; the output lands there, too.
            name: Name of the output files.
            is_killed: Whether it is killed beside nodes of the test; then it shares no memory.
            changes: Changed environment variables.
        """
        settings = environment(domain) | changes | (NO_SHARED_MEMORY if is_killed else {})
        self._out, self._err = folder / f'{name}.out', folder / f'{name}.err'
        with self._out.open('wb') as out, self._err.open('wb') as err:
            self.popen = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                env=settings, cwd=folder,
            )  # fmt: skip

    def __enter__(self) -> 'Process':
        """Return the process."""
        return self

    def __exit__(self, *error: object) -> None:
        """End it for good; if the test fails, its report says what the process said last."""
        if self.popen.poll() is None:
            self.popen.kill()
        self.popen.wait()
        print(f'{self._err.stem} ended with {self.popen.returncode}: {self.err[-2000:]}')

    @property
    def pid(self) -> int:
        """The process id."""
        return self.popen.pid

    @property
    def out(self) -> str:
        """What it said on stdout so far."""
        return self._out.read_text(encoding='utf-8')

    @property
    def err(self) -> str:
        """What it said on stderr so far."""
        return self._err.read_text(encoding='utf-8')

    def interrupt(self) -> None:
        """Press ctrl-C."""
        self.popen.send_signal(signal.SIGINT)

    def end(self, timeout: float = PATIENCE) -> int:
        """Wait until the process has ended; return its exit code."""
        try:
            return self.popen.wait(timeout)
        except subprocess.TimeoutExpired:
            pytest.fail(f'still running after {timeout:g} s; stderr: {self.err!r}')


def start_swarm(
    *arguments: str,
    domain: int | str,
    folder: Path,
    name: str = 'swarm',
    is_killed: bool = False,
) -> Process:
    """Start ``swarm ARGUMENTS`` in a folder; run folders land in its ``runs``."""
    return Process((*SWARM, *arguments), domain, folder, name, is_killed)


def run_swarm(*arguments: str, domain: int | str, folder: Path, name: str = 'swarm') -> Process:
    """Run ``swarm ARGUMENTS`` to its end."""
    with start_swarm(*arguments, domain=domain, folder=folder, name=name) as process:
        process.end()
    return process


def only_run_folder(folder: Path) -> Path:
    """Return the one run folder below ``folder/runs``."""
    (found,) = [path for path in (folder / 'runs').iterdir() if not path.is_symlink()]
    return found
