"""What is said on stderr while a terminal shows something else."""

import os
import sys

from soliton_encirclement_ros.cli.output import hold_stderr
from support.terminal import Terminal

SAYING = """
import subprocess, sys
from soliton_encirclement_ros.cli.output import hold_stderr
print('early', file=sys.stderr)
with hold_stderr({}) as said:
    print('first', file=sys.stderr)
    subprocess.run([sys.executable, '-c', 'import os; os.write(2, b"of a child\\\\n")'])
    print('known:', said())
    {}
"""


def lines_of(tmp_path, is_wanted, then=''):
    command = (sys.executable, '-c', SAYING.format(is_wanted, then))
    with Terminal(command, os.environ, tmp_path) as terminal:
        terminal.end()
        return [line.rstrip() for line in terminal.screen.display if line.strip()]


def test_it_is_known_at_once_and_said_in_the_end(tmp_path):
    lines = lines_of(tmp_path, True)
    assert lines == ['early', "known: ['first', 'of a child']", 'first', 'of a child']


def test_an_error_loses_nothing(tmp_path):
    lines = lines_of(tmp_path, True, 'raise KeyError')
    assert lines[2:4] == ['first', 'of a child'] and lines[-1] == 'KeyError'


def test_unwanted_nothing_is_held(tmp_path):
    assert lines_of(tmp_path, False) == ['early', 'first', 'of a child', 'known: []']


def test_what_is_no_terminal_is_left_alone(capfd):
    with hold_stderr(True) as said:
        os.write(2, b'into a file\n')
        assert capfd.readouterr().err == 'into a file\n'
    assert said() == []
