"""``swarm compare`` over bags, run folders without one, and both together."""

import json
import shutil
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from soliton_encirclement_ros.cli.app import run_command_line
from support.here import swarm_here

__all__ = ['swarm_here']


def call(*arguments: str) -> int:
    before, sys.argv = sys.argv, ['swarm', *arguments]
    try:
        return run_command_line()
    finally:
        sys.argv = before


@pytest.fixture(scope='module')
def made(tmp_path_factory) -> Path:
    """Return a folder: two runs with bags, one with tables at another rate, a bag alone."""
    folder = tmp_path_factory.mktemp('flights')
    anyhow = ['--set', 'run.min_alive_share=0']  # of three agents two may be down at the end
    usual = [
        'simulate', 'demo', '--agents', '3', '--duration', '4', '--json', '--no-pictures', *anyhow
    ]  # fmt: skip
    for name, more in {
        'first': ['--format', 'bag'],
        'second': ['--format', 'bag', '--seed', '5'],
        'tables': ['--telemetry-rate', '5'],
    }.items():
        assert call(*usual, *more, '--out', str(folder / 'made')) == 0
        latest = (folder / 'made' / 'latest').resolve()
        latest.rename(folder / name)
    shutil.copytree(folder / 'second' / 'bag', folder / 'flight')
    return folder


@pytest.fixture
def compare(made, swarm_here, monkeypatch):
    """Return the verb as a function of its arguments."""
    monkeypatch.chdir(made)
    return partial(swarm_here, 'compare')


def test_a_bag_among_the_paths_makes_it_a_comparison_of_recordings(compare):
    code, out, err = compare('first', 'flight')
    assert (code, err) == (0, '')
    assert 'aligned by motion' in out and 'B - A' in out
    row = next(line for line in out.splitlines() if 'mean speed (median agent) [m/s]' in line)
    first, other, less, ratio = (float(cell) for cell in row.split('│')[2:6])
    assert less == pytest.approx(other - first, abs=2e-3)
    assert ratio == pytest.approx(other / first, abs=0.02)
    assert 'flight: radius unknown: 20 m, that of first' in out


def test_run_folders_alone_are_compared_by_their_summaries_as_ever(compare):
    code, out, _ = compare('first', 'second')
    assert code == 0 and 'median over the seeds' in out and 'aligned' not in out
    for pair in (('first', 'second'), ('first/bag', 'second/bag')):
        code, out, _ = compare(*pair, '--align', 'start')
        assert code == 0 and 'aligned by start' in out
        assert 'the scenarios differ in run.seed' in out


def test_two_runs_of_one_flight_are_recordings_not_one_law_twice(compare):
    code, out, _ = compare('first', 'tables')
    assert code == 0 and 'aligned by motion' in out and 'left out' not in out
    code, out, _ = compare('.')
    assert code == 0 and 'median over the seeds' in out and 'left out' in out


@pytest.mark.parametrize('pair', [('flight', './flight'), ('first', 'first/bag')])
def test_a_recording_beside_itself_is_said(compare, pair):
    code, _, err = compare(*pair, '--json')
    assert (code, err) == (
        0, f'warning: named more than once, compared with itself: {pair[0]}\n'
    )  # fmt: skip


def test_a_run_without_a_bag_joins_by_its_tables(compare):
    code, out, err = compare('first', 'tables', '--align', 'none', '--json')
    assert (code, err) == (0, '')
    found = json.loads(out)
    assert [one['name'] for one in found['recordings']] == ['first', 'tables']
    assert np.allclose(np.diff(found['curves']['time_s']), 0.2)
    for one in found['deviations']:
        assert one['largest'] < 1e-9, one
    assert {one['curve']: one['unit'] for one in found['deviations']}['E_vr'] == 'm/s'


def test_page_and_picture_are_written_and_named(compare, made):
    code, out, _ = compare('first', 'second', '--page', 'c.html', '--picture', 'c.png')
    assert code == 0 and out.split()[-2:] == ['c.png', 'c.html']
    assert (made / 'c.html').read_text(encoding='utf-8').startswith('<!doctype html>')
    assert (made / 'c.png').read_bytes()[:4] == b'\x89PNG'


def test_target_and_radius_can_be_told(compare):
    _, out, _ = compare('first', 'flight', '--radius', '15', '--target', '0,0', '--json')
    found = json.loads(out)
    assert not any('radius' in one for side in found['recordings'] for one in side['problems'])


@pytest.mark.parametrize(
    ('arguments', 'expected'),
    [
        (('flight',), 'one recording cannot be compared; name two or more'),
        (('flight', 'nowhere'), 'nowhere: no such file or folder'),
        (('flight', 'first', '--align', 'x'), "'--align': 'x' is not one of 'motion', 'start', "),
        (('flight', 'first', '--align', 'failure'), 'no failure of an agent was recorded; use'),
        (('flight', 'first', '--page', 'no/x.html'), 'no/x.html: cannot write the page: No such'),
        (('flight', 'first', '--picture', 'x.foo'), '--picture x.foo: the name must end in'),
    ],
)
def test_bad_usage_is_one_line(compare, arguments, expected):
    code, out, err = compare(*arguments)
    assert (code, out) == (2, '')
    assert err.startswith('error: ') and err.count('\n') == 1 and expected in err
