"""Output that cannot be written: no traceback, no false verdict, every run whole."""

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from soliton_encirclement_ros.cli.output import FaultTolerantFile, fault_tolerant_output
from support.cli import SWARM, environment, only_run_folder
from support.ready import NO_HURRY, laws
from support.recorded.run_folder import read_json

__all__ = ['laws']

pytestmark = [NO_HURRY, pytest.mark.nightly]

SHORT = ('simulate', 'still', '--agents', '3', '--duration', '10', '--no-pictures')
DRAWN = SHORT[:-1]
LOST = 'error: cannot write to standard output: No space left on device\n'


def run(folder: Path, *arguments: str, shell: str) -> subprocess.CompletedProcess[str]:
    """Run ``swarm ARGUMENTS`` with its output as the shell is told."""
    line = f'{" ".join((*SWARM, *arguments))} {shell}'
    return subprocess.run(
        ['bash', '-c', line], cwd=folder, env=environment(0), capture_output=True, text=True,
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    'arguments',
    [('scenario', 'list'), ('--help',), (*SHORT, '--json'), (*SHORT, '--seeds', '2')],
    ids=' '.join,
)
def test_a_full_disk_behind_standard_output_is_one_line_and_exit_code_1(tmp_path, arguments):
    done = run(tmp_path, *arguments, shell='> /dev/full')
    assert (done.returncode, done.stderr.count('\n'), done.stderr[-len(LOST) :]) == (1, 1, LOST)


def test_a_run_whose_output_is_lost_is_whole(tmp_path):
    run(tmp_path, *DRAWN, shell='> /dev/full')
    summary = read_json(only_run_folder(tmp_path) / 'summary.json')
    assert summary['complete'] and not summary['interrupted']
    assert (only_run_folder(tmp_path) / 'overview.png').is_file()


@pytest.mark.parametrize(
    ('arguments', 'reader'), [(('scenario', 'parameters'), 'head -1'), (SHORT, 'true')]
)
def test_a_reader_that_goes_away_is_no_failed_verdict(tmp_path, arguments, reader):
    done = run(tmp_path, *arguments, shell=f'| {reader}; exit ${{PIPESTATUS[0]}}')
    assert (done.returncode, done.stderr) == (0, '')


@pytest.mark.parametrize('closed', ['>&-', '>&- 2>&- <&-', '2> /dev/full'])
def test_streams_that_are_closed_do_no_harm(tmp_path, closed):
    done = run(tmp_path, *SHORT, shell=closed)
    assert (done.returncode, 'Traceback' in done.stderr) == (0, False)
    assert only_run_folder(tmp_path)


def test_a_terminal_without_unicode_gets_something(tmp_path):
    done = subprocess.run(
        [*SWARM, 'scenario', 'parameters'], cwd=tmp_path, capture_output=True, check=False,
        env={**environment(0), 'PYTHONIOENCODING': 'ascii', 'LC_ALL': 'C'},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b'')
    assert b'run.sim_duration' in done.stdout


def test_after_the_first_error_everything_is_dropped():
    reader, writer = os.pipe()
    file = FaultTolerantFile(writer, 'wb', closefd=False)
    try:
        assert file.write(b'abc') == 3
        os.close(reader)
        assert (file.write(b'defg'), file.write(b'h')) == (4, 1)
        assert file.error.errno == errno.EPIPE
    finally:
        os.close(writer)


def test_streams_that_are_no_files_stay_as_they_are(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(sys, 'stdout', out)
    with fault_tolerant_output() as exit_code:
        assert sys.stdout is out
        print('here')
    assert (out.getvalue(), exit_code(0), exit_code(2)) == ('here\n', 0, 2)
