"""A reader of a tutorial: types what it says, in terminals, and compares what is printed.

    ```sh                        typed in the first terminal; title="terminal 2": in another
    ```python                    given to Python there
    ```yaml title="names.yaml"   a file, whatever the language; written
    ```text                      what was printed last, there or in the terminal of the title
    Press `h`, press ctrl-C      typed as well, there or `in terminal 2`

In what is printed ``...`` stands for any text of a line, or, alone, for any lines.
"""

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from support.cli import environment
from support.pages import REPOSITORY, Block, blocks, prose
from support.terminal import Terminal

OF_A_CLONE = 'config', 'docs', 'launch', 'test'
"""Folders of the repository that a reader sees where a clone is."""

TYPED_INSTEAD = (
    (r'git clone \S+', ':'),
    (r'cd soliton_encirclement_ros', ':'),
    (r'source \.venv/bin/activate', ':'),
    (r'make setup', ':'),
    (r'make sim(?: ARGS="([^"]*)")?', r'swarm run demo \1'),
    (r'swarm fly console', r'TERM=xterm-256color swarm fly console'),
)
"""Lines that set up what the tests have, and what is typed in their place; ``make sim`` is what it
runs, and a console needs a terminal that is not dumb."""

PATIENCE, PAUSE = 180.0, 0.02
"""Wall time [s] for which an output is waited for, and between two looks."""

GOODBYE = 10.0
"""Wall time [s] that programs have to end when their terminal is closed."""

END, FAILED = '\x1e', '\x1f'
"""Mark the end of what was typed, with number and exit code, and a command that failed in it."""

HELLO = (
    'number=0; PS1= PS2=; stty -echo; set +H; set -E; TERM=dumb; '
    'PROMPT_COMMAND=\'printf "\\036%s:%s\\n" "$number" $?\'; '
    'trap \'printf "\\037%s: %s\\n" "$BASH_COMMAND" $?\' ERR\n'
)
MARK = re.compile(f'{END}([0-9]+):([0-9]+)\n')
FAILURE = re.compile(f'{FAILED}(.*)\n')
CONTROL = re.compile(r'\x1b(?:\[[0-9;?]*[A-Za-z]|[=>])|\r')
OF_JOBS = re.compile(r'^\[\d+\][ +-]? .*\n', re.MULTILINE)
"""What bash says of its background jobs."""

CTRL_C, BY_SIGNAL = '\x03', 130
"""Its character, and the exit code of what it has ended."""


class Press(NamedTuple):
    """A key that the page tells to press: its line, the character, and the terminal, if named."""

    line: int
    key: str
    terminal: str


PRESS = re.compile(r'\bpress (?:`([^`])`|(ctrl-C))(?: in (terminal \d))?', re.IGNORECASE)


def steps(page: str) -> list[Block | Press]:
    """Return what a tutorial tells its reader to do and to see, in order."""
    text = prose(page)
    keys = [
        Press(text.count('\n', 0, hit.start()) + 1, hit[1] or CTRL_C, hit[3] or '')
        for hit in PRESS.finditer(text)
    ]
    return sorted([*blocks(page), *keys], key=lambda one: one.line)


def pattern(shown: str) -> re.Pattern[str]:
    """Return what a text that a page shows stands for, as an expression for whole lines."""
    found = ''
    for line in filter(str.strip, shown.splitlines()):
        if line.strip() == '...':
            found += r'(?:.*\n)*?'
        else:
            found += '.*?'.join(map(re.escape, line.rstrip().split('...'))) + r'\n'
    return re.compile(found)


def plain(printed: str) -> str:
    """Return what was printed without control characters, trailing spaces and empty lines."""
    text = OF_JOBS.sub('', FAILURE.sub('', CONTROL.sub('', printed)))
    return ''.join(f'{line.rstrip()}\n' for line in text.split('\n') if line.strip())


class Shell:
    """A terminal with bash; what is printed is read beside, so that nobody waits for a reader.

    Attributes:
        is_pressed: Whether a key was pressed since the last line was typed.
    """

    def __init__(self, terminal: Terminal) -> None:
        """Wait for the first prompt."""
        self._terminal, self._begin, self._number, self.is_pressed = terminal, 0, 0, False
        self._shown: tuple[str, str] | None = None
        self._eyes = threading.Thread(target=self._read, daemon=True)
        self._eyes.start()
        terminal.press(HELLO)
        self._until_idle('bash')

    @property
    def printed(self) -> str:
        """What was printed since the last line was typed, or the last key pressed."""
        return self._terminal.written[self._begin :].decode(errors='replace')

    @property
    def is_idle(self) -> bool:
        """Whether the prompt is there."""
        return self._code() is not None

    def type(self, line: str, place: str) -> None:
        """Type a line once the prompt is there."""
        self._until_idle(place)
        self._begin, self.is_pressed, self._shown = len(self._terminal.written), False, None
        self._number += 1
        self._terminal.press(f'number={self._number}; {line}\n')

    def press(self, key: str, place: str) -> None:
        """Press a key; ctrl-C once the program that it is to end has the terminal.

        Before that it would end nothing: bash hears it alone while it starts the program.
        """
        if key == CTRL_C:
            self._until(lambda: self._terminal.is_lent or self.is_idle, place, 'nothing to end')
        self._begin, self.is_pressed, self._shown = len(self._terminal.written), True, None
        self._terminal.press(key)

    def must_show(self, shown: str, place: str) -> None:
        """Wait until what is printed is what a page shows.

        While the program goes on more may follow; once it has ended, what it printed is all.
        """
        wanted, deadline, self._shown = pattern(shown), time.monotonic() + PATIENCE, (shown, place)
        while not self.is_idle:
            if wanted.match(self._text()):
                return
            if time.monotonic() > deadline:
                pytest.fail(f'{place}: the page shows\n{shown}up to now there is\n{self._text()}')
            time.sleep(PAUSE)
        self._must_be_all()

    def must_succeed(self, place: str) -> None:
        """Wait for the prompt; no command may have failed, but for what a key has ended."""
        self._until_idle(place)
        code, failed = self._code(), FAILURE.findall(CONTROL.sub('', self.printed))
        if (code or failed) and not (self.is_pressed and code in (0, 1, BY_SIGNAL)):
            pytest.fail(f'{place}: {failed}, exit code {code}\n{self._text()}')
        self._must_be_all()

    def _must_be_all(self) -> None:
        if self._shown is not None:
            shown, place = self._shown
            if not pattern(shown).fullmatch(self._text()):
                text = self._text()
                pytest.fail(f'{place}: the page shows\n{shown}and the program printed\n{text}')

    def _code(self) -> int | None:
        """Return the exit code of what was typed last, None while it runs."""
        marks = MARK.findall(CONTROL.sub('', self.printed))
        return next((int(code) for number, code in marks if int(number) == self._number), None)

    def _text(self) -> str:
        return plain(MARK.sub('', CONTROL.sub('', self.printed)))

    def hang_up(self) -> None:
        """Close the terminal: all that runs there hears of it, and what does not end is killed."""
        leader = self._terminal.process.pid
        for number, seconds in ((signal.SIGHUP, GOODBYE), (signal.SIGKILL, PATIENCE)):
            for pid in _session(leader):
                with suppress(ProcessLookupError):
                    os.kill(pid, number)
            deadline = time.monotonic() + seconds
            while _session(leader) and time.monotonic() < deadline:
                self._terminal.process.poll()
                time.sleep(PAUSE)
        self._eyes.join(PATIENCE)

    def _read(self) -> None:
        while self._terminal.read():
            pass

    def _until_idle(self, place: str) -> None:
        self._until(lambda: self.is_idle, place, 'no prompt')

    def _until(self, condition: Callable[[], bool], place: str, complaint: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail(f'{place}: {complaint}; printed:\n{plain(self.printed)}')
            time.sleep(PAUSE)


def _session(leader: int) -> list[int]:
    """Return the processes of a terminal, by the process that leads its session."""
    found = []
    for folder in Path('/proc').glob('[0-9]*'):
        with suppress(ProcessLookupError):
            if os.getsid(int(folder.name)) == leader:
                found.append(int(folder.name))
    return found


class Reader:
    """Follows a tutorial in a folder."""

    def __init__(self, page: str, folder: Path, domain: int, stack: ExitStack) -> None:
        """Begin.

        Args:
            page: The tutorial.
            folder: An empty folder.
            domain: ROS domain.
            stack: Ends what still runs.
        """
        self._page, self._stack = page, stack
        self._desk, self._notes = folder / 'desk', folder / 'notes'
        for made in (self._desk, self._notes):
            made.mkdir()
        for name in OF_A_CLONE:
            (self._desk / name).symlink_to(REPOSITORY / name)
        (self._desk / '.venv').symlink_to(sys.prefix)
        path = f'{Path(sys.executable).parent}:{os.environ["PATH"]}'
        self._settings = {
            **environment(domain), 'PATH': path, 'MPLBACKEND': 'agg', 'NO_COLOR': '1',
            'VIRTUAL_ENV_DISABLE_PROMPT': '1',
        }  # fmt: skip
        self._shells: dict[str, Shell] = {}
        self._last = 'terminal 1'

    def follow(self) -> None:
        """Do all that the page says."""
        told = steps(self._page)
        for step, after in zip(told, [*told[1:], None], strict=True):
            if isinstance(step, Press):
                self._last = step.terminal or self._last
                self._shells[self._last].press(step.key, f'{self._page}:{step.line}')
                continue
            is_shown = isinstance(after, Block) and after.language == 'text'
            self._take(step, is_shown)
        for name, shell in self._shells.items():
            if shell.is_idle:
                shell.must_succeed(f'{self._page}: the end of {name}')

    def _take(self, block: Block, is_shown: bool) -> None:
        place = f'{self._page}:{block.line}'
        if block.title and not block.title.startswith('terminal'):
            (self._desk / block.title).write_text(block.text, encoding='utf-8')
            return
        self._last = block.title or ('terminal 1' if block.language != 'text' else self._last)
        if block.language == 'text':
            self._shells[self._last].must_show(block.text, place)
            return
        note = self._notes / f'{block.line}.{block.language}'
        note.write_text(_instead(block.text), encoding='utf-8')
        shell = self._shell(self._last, place)
        shell.type(f'. {note}' if block.language == 'sh' else f'python - < {note}', place)
        if not is_shown:
            shell.must_succeed(place)

    def _shell(self, name: str, place: str) -> Shell:
        if name not in self._shells:
            command = 'bash', '--norc', '--noprofile', '--noediting', '-i'
            terminal = Terminal(command, self._settings, self._desk, 100, 50)
            self._shells[name] = Shell(self._stack.enter_context(terminal))
            self._stack.callback(self._shells[name].hang_up)
        elif not self._shells[name].is_pressed and self._shells[name].is_idle:
            self._shells[name].must_succeed(f'before {place}')
        return self._shells[name]


def _instead(text: str) -> str:
    """Return what is typed in the place of a block."""
    for line, other in TYPED_INSTEAD:
        text = re.sub(rf'^{line}(?=\s|$)', other, text, flags=re.MULTILINE)
    return text


@contextmanager
def reader_of(page: str, folder: Path, domain: int) -> Iterator[Reader]:
    """Lend a reader of a tutorial; his terminals are closed at the end."""
    with ExitStack() as stack:
        yield Reader(page, folder, domain, stack)
