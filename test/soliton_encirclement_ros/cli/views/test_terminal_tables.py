"""Tables that fit and tables that do not: nothing is cut."""

import io
import os
import pty
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from soliton_encirclement_ros.cli.views.terminal_display import print_table
from soliton_encirclement_ros.core.scenario.scenario import SECTIONS
from support.cli import SWARM, environment
from support.ready import NO_HURRY, laws
from velocity_mobility_ros.core.parameter_declaration import declarations

__all__ = ['laws']

pytestmark = [NO_HURRY, pytest.mark.nightly]

CUT = '…'
FLOWN = ('simulate', 'still', '--duration', '5', '--agents', '3', '--no-pictures')
KEYS = [f'{name}.{key}' for name, record in SECTIONS.items() for key in declarations(record)]


def table() -> Table:
    found = Table('', 'soliton\n3 seeds', title='still: median')
    found.add_column('two_channel\n3 seeds', no_wrap=True)
    label = escape('time to close after failure [s]')
    found.add_row(label, '[bold]0.136[/]\n[dim]0.1..0.2[/]', '-')
    found.add_row('E_gap', '', '0.2 (0.1..0.3)')
    return found


def printed(width: int) -> str:
    out = io.StringIO()
    print_table(table(), Console(file=out, width=width, force_terminal=False))
    return out.getvalue()


def test_a_table_that_fits_is_a_table():
    text = printed(40)
    assert '┃' in text and CUT not in text
    assert all(len(line) <= 40 for line in text.splitlines())


def test_one_that_does_not_is_a_block_for_every_row():
    assert printed(38).splitlines() == [
        'still: median',
        'time to close after failure [s]',
        '  soliton 3 seeds: 0.136 0.1..0.2',
        '  two_channel 3 seeds: -',
        'E_gap',
        '  two_channel 3 seeds: 0.2 (0.1..0.3)',
    ]


def on_terminal(folder: Path, columns: int, *arguments: str) -> str:
    """Return what ``swarm ARGUMENTS`` shows on a terminal of some columns."""
    mine, its = pty.openpty()
    environ = {**environment(0), 'COLUMNS': str(columns), 'TERM': 'dumb'}
    process = subprocess.Popen(
        [*SWARM, *arguments], cwd=folder, env=environ, stdin=its, stdout=its, stderr=its
    )
    os.close(its)
    shown = bytearray()
    with suppress(OSError):  # the process has closed the terminal
        while part := os.read(mine, 65536):
            shown += part
    os.close(mine)
    assert process.wait(60) in (0, 1)
    return shown.decode().replace('\r\n', '\n')


@pytest.mark.parametrize(
    'words',
    [
        (*FLOWN, '--study'),
        (*FLOWN, '--controller', 'all', '--seeds', '2', '--format', 'none'),
        (*FLOWN, '--format', 'csv'),
    ],
    ids=' '.join,
)
def test_nothing_is_cut_on_a_narrow_terminal(tmp_path, words):
    shown = on_terminal(tmp_path, 40, *words)
    assert 'Traceback' not in shown
    assert CUT not in shown, shown


@pytest.mark.parametrize('verb', ['', 'run', 'simulate', 'fit'])
def test_no_help_is_cut_on_any_terminal(tmp_path, verb):
    """By a process of its own: help is laid out for the terminal as the command line is loaded."""
    shown = on_terminal(tmp_path, 40, *verb.split(), '-h')
    assert 'Traceback' not in shown
    assert CUT not in shown, shown


def test_every_key_is_there_in_one_piece(tmp_path):
    words = on_terminal(tmp_path, 30, 'scenario', 'parameters').split()
    assert [key for key in KEYS if key not in words] == []
