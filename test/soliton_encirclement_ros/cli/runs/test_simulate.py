"""``swarm simulate`` from the command to the files it leaves, for good and for bad ends."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from soliton_encirclement_ros.cli.runs.batch_runs import laws_of, with_seeds
from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.run.run_folder import AGENT_CSV, PARAMETERS, TARGET_CSV
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.cli import (
    PATIENCE, Process, environment, is_running, only_run_folder, processes_that_mention, run_swarm,
    start_swarm, wait_until
)
from support.flights import is_flying
from support.here import swarm_here
from support.ready import NO_HURRY, laws
from support.recorded.run_folder import PICTURES, read_json, read_table

__all__ = ['laws', 'swarm_here']

pytestmark = NO_HURRY

EVERY = ('--telemetry-rate', '20')
"""Every tick, also of several runs."""

NO_ROS = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        top = name.split('.')[0]
        if top in ('rclpy', 'ament_index_python') or top.endswith(('_msgs', '_srvs')):
            raise ImportError(f'{name} is not installed here')

sys.meta_path.insert(0, Blocker())
from soliton_encirclement_ros.cli.main import main
sys.exit(main())
"""
SHORT = ('--agents', '3', '--duration', '2')
ENDLESS = ('--agents', '20', '--duration', '30000')
LOOSE = ('--set', 'run.max_e_gap=9', '--set', 'run.max_e_r=9')
DEFAULT = Scenario().control.controller
ENDED = (130, -signal.SIGINT)
"""Exit codes after ctrl-C; the second where Python was starting or about to be gone."""

NOWHERE = 0
"""The ROS domain of a process that never asks for one."""


def swarm(folder: Path, *arguments: str) -> Process:
    return run_swarm('simulate', *arguments, domain=NOWHERE, folder=folder)


def run_folders(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / 'runs').iterdir() if not path.is_symlink())


def tables(folder: Path) -> dict[str, list[bytes]]:
    """Return the tables of all runs by what their folders are called after the stamp."""
    return {
        path.name.partition('-')[2]: [(path / t).read_bytes() for t in (AGENT_CSV, TARGET_CSV)]
        for path in run_folders(folder)
    }


@pytest.fixture(scope='module')
def single(tmp_path_factory):
    """Return a single run with default options that encircled, and its folder."""
    folder = tmp_path_factory.mktemp('single')
    return swarm(folder, 'still', '--duration', '20', '--seed', '3', *LOOSE), folder


@pytest.fixture(scope='module')
def several(tmp_path_factory):
    """Return a batch of every controller on three seeds, and its folder."""
    folder = tmp_path_factory.mktemp('several')
    options = ('--controller', 'all', '--seeds', '3', '--seed', '5', *SHORT)
    return swarm(folder, 'demo', *options, '--jobs', '2', '--json'), folder


def test_a_single_run_tells_its_verdict_and_leaves_everything_but_a_bag(single):
    process, folder = single
    assert (process.popen.returncode, process.err) == (0, '')
    assert 'ENCIRCLED: E_gap' in process.out
    run = only_run_folder(folder)
    assert run.name.endswith(f'-still-{DEFAULT}-s3')
    assert {path.name for path in run.iterdir()} == {
        'manifest.json', 'summary.json', PARAMETERS, AGENT_CSV, TARGET_CSV, *PICTURES
    }  # fmt: skip
    assert read_json(run / 'manifest.json')['scenario']['run']['seed'] == 3
    assert read_json(run / 'summary.json')['ticks'] == 400
    assert (folder / 'runs' / 'latest').resolve() == run.resolve()


def test_a_single_run_that_misses_its_bound_ends_with_1(swarm_here, tmp_path):
    bound = ('--set', 'run.max_e_gap=1.0e-9')
    done = swarm_here('simulate', 'still', *SHORT, *bound, '--no-pictures')
    assert done.code == 1
    assert 'NOT ENCIRCLED' in done.out
    assert not list(only_run_folder(tmp_path).glob('*.png'))


def test_json_of_a_single_run_is_its_summary(swarm_here, tmp_path):
    done = swarm_here('simulate', 'still', *SHORT, '--no-pictures', '--json')
    said = json.loads(done.out)
    assert said.pop('run_folder') == f'runs/{only_run_folder(tmp_path).name}'
    said.pop('wall_s'), said.pop('real_time_factor')
    assert said.items() <= read_json(only_run_folder(tmp_path) / 'summary.json').items()


def test_it_flies_and_compares_where_no_ros_is_installed(tmp_path):
    command = (sys.executable, '-c', NO_ROS)
    flights = (
        ('simulate', 'still', *SHORT, '--no-pictures'),
        ('simulate', 'still', *SHORT, '--seeds', '2'),
    )
    for arguments in (*flights, ('compare', 'runs')):
        with Process((*command, *arguments), NOWHERE, tmp_path) as process:
            assert process.end() in (0, 1)
        assert process.err == ''
        assert 'E_gap' in process.out


def test_several_runs_end_with_0_and_a_comparison(several):
    process, folder = several
    assert (process.popen.returncode, process.err) == (0, '')
    said = json.loads(process.out)
    expected = [(name, seed) for name in CONTROLLERS for seed in (5, 6, 7)]
    assert [(run['controller'], run['seed']) for run in said['runs']] == expected
    assert {path.name.partition('-')[2] for path in run_folders(folder)} == {
        f'demo-{name}-s{seed}' for name, seed in expected
    }
    (comparison,) = said['comparisons']
    assert comparison['seeds'] == {name: [5, 6, 7] for name in sorted(CONTROLLERS)}
    assert not list(folder.glob('runs/*/*.png'))


def test_a_run_alone_and_the_same_run_in_a_batch_are_equal(several, swarm_here, tmp_path):
    """Each of several runs has two samples a second, unless something else is asked for."""
    swarm_here(
        'simulate', 'demo', '--seed', '6', *SHORT, '--no-pictures', '--telemetry-rate', '2'
    )
    (name,) = tables(tmp_path)
    assert tables(tmp_path)[name] == tables(several[1])[name]


@pytest.mark.parametrize(
    ('options', 'times'), [((), 1), ((), 2), (('--seeds', '4', '--jobs', '2', *EVERY), 2)]
)
def test_ctrl_c_leaves_valid_folders(tmp_path, options, times):
    """Also where it is pressed again at once."""
    arguments = ('simulate', 'demo', *ENDLESS, *options)
    with start_swarm(*arguments, domain=NOWHERE, folder=tmp_path) as process:
        wait_until(lambda: is_flying(tmp_path), 'a run to fly')
        for _ in range(times):
            process.interrupt()
        assert process.end() in ENDED
    assert process.err == ''
    assert processes_that_mention(str(tmp_path)) == {}
    for folder in run_folders(tmp_path):
        summary = read_json(folder / 'summary.json')
        assert summary['interrupted'] is True
        assert len(read_table(folder / TARGET_CSV)[1]) == summary['ticks']


def has_loaded(process: Process, library: str) -> bool:
    """Return whether the command has a library; before numpy, ctrl-C ends in Python's own words.

    numba is loaded when flights are prepared.
    """
    return library in Path(f'/proc/{process.pid}/maps').read_text(encoding='utf-8')


@pytest.mark.parametrize('moment', ['numpy', 'numba', 'manifest.json'])
def test_ctrl_c_before_anybody_flies_ends_quietly(tmp_path, moment):
    arguments = ('simulate', 'demo', *ENDLESS, '--seeds', '3')
    with start_swarm(*arguments, domain=NOWHERE, folder=tmp_path) as process:
        wait_until(
            lambda: has_loaded(process, moment) or [*tmp_path.glob(f'runs/2*/{moment}')], moment
        )
        process.interrupt()
        assert process.end() in ENDED
    assert process.err == ''
    for folder in tmp_path.glob('runs/2*'):
        read_json(folder / 'manifest.json')


def test_ctrl_c_to_the_whole_group_as_a_terminal_sends_it(tmp_path):
    command = [sys.executable, '-m', 'soliton_encirclement_ros.cli.main', 'simulate', 'demo']
    with subprocess.Popen(
        [*command, *ENDLESS, '--seeds', '4', '--jobs', '2'], cwd=tmp_path, start_new_session=True,
        env=environment(NOWHERE), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        wait_until(lambda: is_flying(tmp_path), 'a run to fly')
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, '')


def test_nobody_outlives_a_runner_that_was_killed(tmp_path):
    arguments = ('simulate', 'demo', *ENDLESS, '--seeds', '2', '--jobs', '2')
    with start_swarm(*arguments, domain=NOWHERE, folder=tmp_path) as process:
        wait_until(lambda: is_flying(tmp_path), 'a run to fly')
        children = Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text().split()
        process.popen.kill()
        process.end()
        wait_until(
            lambda: not any(map(is_running, children)), 'the runs to end'
        )


def test_a_full_disk_is_told_in_a_line_for_each_run_and_ends_with_1(tmp_path):
    """A limit on the size of a file stands in for a full disk."""
    words = 'simulate demo --duration 20 --no-pictures --seeds 2'
    line = f'ulimit -f 40; exec {sys.executable} -m soliton_encirclement_ros.cli.main {words}'
    with Process(('bash', '-c', line), NOWHERE, tmp_path) as process:
        assert process.end() == 1
    errors = process.err.splitlines()
    assert len(errors) == 2
    for error in errors:
        assert error.startswith('error: runs/')
        assert 'cannot write: File too large' in error
    for folder in run_folders(tmp_path):
        assert (folder / AGENT_CSV).stat().st_size > 10_000


def test_an_unwritable_out_folder_is_refused_in_one_line(swarm_here, tmp_path):
    (tmp_path / 'file').write_text('')
    done = swarm_here('simulate', 'still', *SHORT, '--out', 'file')
    assert done.code == 2
    assert done.err.count('\n') == 1
    assert 'file: cannot write the run folder' in done.err


def test_all_is_every_law_that_comes_along_once():
    assert laws_of(['all', 'soliton_v1']) == list(CONTROLLERS)
    assert laws_of([]) == []


def test_seeds_begin_with_that_of_the_scenario():
    scenario = Scenario().with_changes({'run': {'seed': 4}}, 'test')
    assert [seed.run.seed for seed in with_seeds(scenario, 2)] == [4, 5]
    assert with_seeds(scenario, 1) == [scenario]
