"""For tests that run ``swarm`` in this process: what a process of its own would add is start-up.

What a real process does is for other tests: to end, to be killed, to be asked to stop.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from soliton_encirclement_ros.cli.app import run_command_line
from support.signals import handlers_kept


class Done(NamedTuple):
    """The exit code of a command, and what it and its children said."""

    code: int
    out: str
    err: str


Here = Callable[..., Done]
"""Runs ``swarm ARGUMENTS``."""


@pytest.fixture
def swarm_here(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> Iterator[Here]:
    """Return ``swarm`` as a function of its arguments, in the test's own folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv('COLUMNS', '200')

    def call(*arguments: object) -> Done:
        monkeypatch.setattr(sys, 'argv', ['swarm', *map(str, arguments)])
        capfd.readouterr()
        code = run_command_line()
        return Done(code, *capfd.readouterr())

    with handlers_kept():
        yield call


@pytest.fixture
def sweep_here(swarm_here: Here) -> Here:
    """Return ``swarm sweep`` without pictures in the same way."""
    return lambda *arguments: swarm_here('sweep', *arguments, '--no-pictures')
