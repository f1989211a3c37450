"""``swarm sweep`` from the command to the files it leaves, for good and for bad ends."""

import csv
import json
import math
import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from soliton_encirclement_ros.experiments.run_store import Store
from support.cli import SWARM, Process, is_running, wait_until
from support.here import swarm_here, sweep_here
from support.ready import laws
from support.sweeping.sweeps import (
    LAWS, NOWHERE, SLOW, fingerprints, start_sweep, sweep, write_sweep
)

__all__ = ['laws', 'swarm_here', 'sweep_here']

LONG = {'changes': SLOW, 'seeds': 20}
"""Twenty runs of more than a tenth of a second."""

TWO = ('--jobs', '2')
"""Not so many workers that all is done before somebody interferes."""


def kept(folder):
    """Return how many runs are in a store that nobody holds open; 0 while somebody does."""
    try:
        with closing(sqlite3.connect(f'file:{folder / "runs.sqlite"}?mode=ro', uri=True)) as base:
            return base.execute('SELECT count(*) FROM runs').fetchone()[0]
    except sqlite3.Error:
        return 0


def workers_of(process):
    """Return the process ids of the workers of a client."""
    text = Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text()
    return [int(word) for word in text.split()]


def under_way(folder):
    """Say whether a sweep has written runs already."""
    journal = folder / 'runs.sqlite-wal'
    return journal.exists() and journal.stat().st_size > 30_000


def test_one_command_leaves_tables_pictures_and_a_line_for_each(tmp_path):
    write_sweep(tmp_path, seeds=3, design={**LAWS})
    process = Process((*SWARM, 'sweep', 'small.yaml'), NOWHERE, tmp_path)
    with process:
        assert process.end() == 0
    folder = tmp_path / 'sweeps' / 'small'
    assert process.err == ''
    assert '2 x 3 (points x seeds) = 6 runs' in process.out
    assert '6 runs flown, 0 kept from before, 0 failed' in process.out
    assert 'soliton - two_channel' in process.out
    names = {path.name for path in folder.iterdir()}
    assert names == {
        'sweep.yaml', 'runs.sqlite', 'boxes.png', 'convergence.png', *fingerprints(folder)
    }  # fmt: skip
    assert len(fingerprints(folder)) == 6
    assert (folder / 'sweep.yaml').read_bytes() == (tmp_path / 'small.yaml').read_bytes()
    for name in fingerprints(folder):
        assert name in process.out
    with (folder / 'table.csv').open() as file:
        rows = list(csv.DictReader(file))
    assert [(row['controller'], row['seed']) for row in rows] == [
        (law, seed) for law in ('soliton', 'two_channel') for seed in '123'
    ]


def test_a_dry_run_says_how_many_where_and_how_long_and_writes_nothing(tmp_path, sweep_here):
    write_sweep(tmp_path, seeds=3, design={**LAWS})
    before = sorted(tmp_path.iterdir())
    done = sweep_here('small.yaml', '--dry-run')
    assert done.code == 0, done.err
    head, folder, duration = done.out.splitlines()
    assert head == ('small: 2 x 3 (points x seeds) = 6 runs, 0 kept from before, 6 to fly')
    assert folder == 'folder: sweeps/small (new)'
    assert duration.startswith('time: about ') and ' in parallel; then tables' in duration
    assert [p for p in sorted(tmp_path.iterdir()) if p.suffix == '.yaml'] == before


def test_a_dry_run_knows_what_is_there_and_how_long_the_rest_takes(tmp_path, sweep_here):
    write_sweep(tmp_path, **{**LONG, 'seeds': 8})
    assert sweep_here('small.yaml', '--out', 'here').code == 0
    write_sweep(tmp_path, **{**LONG, 'seeds': 12})
    stored = fingerprints(tmp_path / 'here')
    told = json.loads(sweep_here('small.yaml', '--out', 'here', '--dry-run', '--json').out)
    assert (told['runs'], told['kept']) == (12, 8)
    assert fingerprints(tmp_path / 'here') == stored
    assert 0.0 < told['expected_s'] <= told['expected_core_s'] < math.inf
    sweep_here('small.yaml', '--out', 'here')
    said = sweep_here('small.yaml', '--out', 'here', '--dry-run').out
    assert 'time: no runs, only tables and pictures' in said


def test_a_second_call_flies_nothing_and_a_grown_file_only_what_is_new(tmp_path, sweep_here):
    write_sweep(tmp_path, seeds=2)
    assert '2 runs flown, 0 kept' in sweep_here('small.yaml', '--jobs', '1').out
    before = fingerprints(tmp_path / 'sweeps' / 'small')
    assert sweep_here('small.yaml', '--jobs', '2', '--out', 'two').code == 0
    assert fingerprints(tmp_path / 'two') == before
    again = sweep(tmp_path, 'small.yaml')
    assert '2 of them kept from before' in again.out
    assert '0 runs flown, 2 kept' in again.out
    assert fingerprints(tmp_path / 'sweeps' / 'small') == before
    more = {'grid': {'control.controller': ['predictive', 'two_channel']}}
    write_sweep(tmp_path, seeds=3, design=more)
    assert '4 runs flown, 2 kept' in sweep_here('small.yaml').out


def test_json_holds_everything_and_nothing_else_is_printed(tmp_path, sweep_here):
    write_sweep(tmp_path, seeds=2, design={**LAWS})
    done = sweep_here('small.yaml', '--json')

    def refuse(text):
        raise AssertionError(f'{text} is no JSON')

    content = json.loads(done.out, parse_constant=refuse)
    assert (content['runs'], content['flown'], content['kept']) == (4, 4, 0)
    assert content['left_out'] == []
    settling = [row for row in content['statistics'] if row['figure'] == 'settling_time']
    assert [(row['never'], row['median']) for row in settling] == [(2, None)] * 2
    assert {row['other'] for row in content['paired']} == {'two_channel'}


@pytest.mark.parametrize(
    ('name', 'expected'),
    [
        ('small.yaml', "small.yaml: design: control: unknown key 'k_tua'; did you mean 'k_tau'?"),
        ('lawz', 'lawz: no such sweep file; did you mean laws? included sweeps: laws, '),
    ],
)
def test_bad_input_ends_in_one_line_before_anything_is_made(tmp_path, sweep_here, name, expected):
    write_sweep(tmp_path, design={'grid': {'control.k_tua': [1]}})
    done = sweep_here(name)
    assert done.code == 2
    assert done.err.startswith(f'error: {expected}') and done.err.count('\n') == 1
    assert not (tmp_path / 'sweeps').exists()


def test_ctrl_c_keeps_what_is_finished_and_the_same_command_goes_on(tmp_path, sweep_here):
    write_sweep(tmp_path, **{**LONG, 'seeds': 24})
    folder = tmp_path / 'sweeps' / 'small'
    with start_sweep(tmp_path, 'small.yaml', *TWO) as process:
        wait_until(lambda: under_way(folder), 'some runs to be kept')
        workers = workers_of(process)
        process.interrupt()
        assert process.end() == 130
    assert re.fullmatch(
        r'error: interrupted; \d+ of 24 runs are kept in sweeps/small: the same command resumes '
        r'the sweep\n', process.err,
    )  # fmt: skip
    assert not any(map(is_running, workers))
    there = kept(folder)
    assert 0 < there < 24
    assert f'{24 - there} runs flown, {there} kept' in sweep_here('small.yaml').out


@pytest.mark.nightly
def test_workers_end_with_a_client_that_is_killed(tmp_path):
    write_sweep(tmp_path, **LONG)
    with start_sweep(tmp_path, 'small.yaml', *TWO) as process:
        wait_until(lambda: under_way(tmp_path / 'sweeps' / 'small'), 'some runs to be kept')
        workers = workers_of(process)
        process.popen.kill()
        process.end()
        wait_until(lambda: not any(map(is_running, workers)), 'their end')


def test_two_sweeps_in_one_folder_are_refused(tmp_path, sweep_here):
    write_sweep(tmp_path)
    with Store(tmp_path / 'sweeps' / 'small'):
        second = sweep_here('small.yaml')
    assert second.code == 2
    assert second.err == (
        'error: sweeps/small: is in use by another sweep or program: wait for its end or '
        'use another --out\n'
    )


@pytest.fixture
def tiny_disk(tmp_path):
    """Return a folder on a file system of 200 kB; skips where none can be mounted."""
    folder = tmp_path / 'disk'
    folder.mkdir()
    mount = ['mount', '-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip('there is no mount')
    if done.returncode:
        pytest.skip(f'cannot mount a small disk: {done.stderr.decode().strip()}')
    yield folder
    subprocess.run(['umount', str(folder)], check=True)


@pytest.mark.nightly
def test_a_full_disk_ends_in_one_line_and_keeps_finished_runs(tmp_path, tiny_disk, sweep_here):
    content = {**LONG, 'changes': {'run': {'sim_duration': 300.0, 'num_agents': 1}}}
    write_sweep(tmp_path, **content)
    process = sweep(tmp_path, 'small.yaml', '--out', str(tiny_disk / 'sweep'))
    assert process.popen.returncode == 1
    assert process.err.splitlines()[-1].startswith('error: ')
    assert re.search(r'cannot write: .*; finished runs are kept: free disk space', process.err)
    assert process.err.count('error:') == 1
    subprocess.run(['mount', '-o', 'remount,size=20m', str(tiny_disk)], check=True)
    again = sweep_here('small.yaml', '--out', tiny_disk / 'sweep')
    assert again.code == 0
    flown, there = map(int, re.search(r'(\d+) runs flown, (\d+) kept', again.out).groups())
    assert there > 0 and flown + there == 20


def test_a_folder_that_cannot_be_written_is_refused_in_one_line(tmp_path, sweep_here):
    write_sweep(tmp_path)
    (tmp_path / 'file').write_text('')
    done = sweep_here('small.yaml', '--out', 'file')
    assert done.code == 2
    assert done.err == 'error: --out file: file is not a folder; name another one\n'
