"""A folder as somebody has it who has cloned the repository, and types what a page says there."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from support.cli import REPOSITORY, SWARM, Process, wait_until
from support.here import Here
from support.pages import Command

OF_A_CLONE = 'bench', 'config', 'docs', 'launch'
"""Folders of the repository that commands read; a copy, since some write there."""

OUTPUTS = '--markdown', '--out', '--page', '--picture', '--write-map', '-o'
"""Options that name what a command leaves."""

Words = tuple[str, ...]
Begun = Callable[[Process, set[Path]], object]


class Desk:
    """Types commands in a folder, one after the other."""

    def __init__(
        self,
        folder: Path,
        domain: int,
        swarm_here: Here,
        things: dict[str, Callable[[Path], object]],
        processes: ExitStack,
    ) -> None:
        """Lay out what a clone has.

        Args:
            folder: Where the commands are typed.
            domain: ROS domain.
            swarm_here: Runs `swarm` in this process.
            things: What the reader has, by name: makers, called when it is first named.
            processes: Ends what still runs.
        """
        for name in OF_A_CLONE:
            shutil.copytree(REPOSITORY / name, folder / name)
        self._folder, self._domain, self._swarm_here = folder, domain, swarm_here
        self._things, self._processes, self._started = things, processes, 0

    def run(self, command: Command, codes: Sequence[int] = (0,)) -> None:
        """Type a command that needs no ROS, and hold it to its exit code and its outputs."""
        self.lay_out(command)
        if command.words[0] == 'swarm':
            done = self._swarm_here(*command.words[1:])
            said, code = done.out + done.err, done.code
        else:
            process = self._start(command)
            code, said = process.end(), process.out + process.err
        self._judge(command, code, codes, said)

    def run_as_process(self, command: Command, codes: Sequence[int] = (0,)) -> None:
        """The same of a command that speaks ROS."""
        self.lay_out(command)
        process = self._start(command)
        self._judge(command, process.end(), codes, process.out + process.err)

    def leave_running(self, command: Command) -> Process:
        """Type a command in a terminal of its own."""
        self.lay_out(command)
        return self._start(command)

    def begin(self, command: Command, has_begun: Begun) -> Process:
        """The same, and wait until it does what it is to do.

        Args:
            command: What is typed.
            has_begun: Looks at the process and at the files that are new since it was typed.
        """
        before = {*self._folder.rglob('*')}
        process = self.leave_running(command)
        wait_until(
            lambda: has_begun(process, {*self._folder.rglob('*')} - before),
            f'{" ".join(command.words)} to begin',
        )
        return process

    def interrupt(self, command: Command, has_begun: Begun) -> None:
        """The same, and press ctrl-C then."""
        process = self.begin(command, has_begun)
        process.interrupt()
        self._judge(command, process.end(), (0, 130), process.out + process.err)

    def replace_recording(self, command: Command) -> None:
        """Put a whole flight in the place of so short a recording, if others read it."""
        for word in command.words:
            if word in self._things:
                shutil.rmtree(self._folder / word)
        self.lay_out(command._replace(words=('', *(w for w in command.words if w[:2] != '--'))))

    def lay_out(self, command: Command) -> None:
        """Make what the reader has, if a command names it and does not make it."""
        for before, word in pairwise(command.words):
            word = word.rstrip('/')
            path = self._folder / word
            if word in self._things and before not in OUTPUTS and not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                self._things[word](path)

    def _start(self, command: Command) -> Process:
        self._started += 1
        program = {'swarm': SWARM, 'python': (sys.executable,)}.get(command.words[0])
        words = (*(program or _node(command.words[0])), *command.words[1:])
        started = Process(words, self._domain, self._folder, f'{self._started}-said')
        return self._processes.enter_context(started)

    def _judge(self, command: Command, code: int, codes: Sequence[int], said: str) -> None:
        line = f'{command.place}: {" ".join(command.words)}'
        assert code in codes and 'Traceback' not in said, f'{line}: exit code {code}\n{said}'
        for option, value in pairwise(command.words):
            if option in OUTPUTS:
                assert (self._folder / value).exists(), f'{line}: no {value}\n{said}'


def _node(name: str) -> Words:
    """Return how the executable of a node is started, installed or not."""
    start = f'import sys; from soliton_encirclement_ros.cli import executables as nodes; ' \
            f'sys.exit(nodes.{name}())'  # fmt: skip
    return sys.executable, '-P', '-c', start


@contextmanager
def desk_in(
    folder: Path, domain: int, swarm_here: Here, things: dict[str, Callable[[Path], object]]
) -> Iterator[Desk]:
    """Lend a desk; what still runs at the end is ended."""
    if not os.access(folder, os.W_OK):
        pytest.fail(f'{folder} cannot be written')
    with ExitStack() as processes:
        yield Desk(folder, domain, swarm_here, things, processes)
