"""``swarm simulate`` from the command to the files it leaves, for good and for bad ends."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from soliton_encirclement_ros.cli import simulate
from soliton_encirclement_ros.cli.app import run_command_line
from soliton_encirclement_ros.cli.simulate import laws_of, with_seeds
from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.run.run_folder import AGENT_CSV, TARGET_CSV
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.sinks import FORMATS
from support.cli import (
    Process,
    but_unfiltered,
    environment,
    only_run_folder,
    processes_that_mention,
    run_swarm,
    start_swarm,
    wait_until,
)
from support.here import swarm_here
from support.ready import NO_HURRY, laws
from support.recorded.run_folder import PICTURES, read_json, read_table

__all__ = ['laws', 'swarm_here']

pytestmark = NO_HURRY

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
        'manifest.json', 'summary.json', AGENT_CSV, TARGET_CSV, *PICTURES
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


@pytest.mark.nightly
def test_the_numbers_do_not_depend_on_how_many_fly_at_once(several, swarm_here, tmp_path):
    process, folder = several
    options = ('--controller', 'all', '--seeds', '3', '--seed', '5', *SHORT)
    again = swarm_here('simulate', 'demo', *options, '--jobs', '1', '--json')
    assert tables(tmp_path) == tables(folder)
    mine, theirs = json.loads(again.out), json.loads(process.out)
    assert mine['comparisons'] == theirs['comparisons']


def test_a_run_alone_and_the_same_run_in_a_batch_are_equal(several, swarm_here, tmp_path):
    swarm_here('simulate', 'demo', '--seed', '6', *SHORT, '--no-pictures')
    (name,) = tables(tmp_path)
    assert tables(tmp_path)[name] == tables(several[1])[name]


@pytest.mark.nightly
def test_people_get_tables_and_pictures_if_they_want_them(swarm_here, tmp_path):
    done = swarm_here('simulate', 'still', 'pair', *SHORT[2:], '--seeds', '2', '--pictures')
    assert done.code == 0
    for words in ('still: median over the seeds', 'pair: median', '4 of 4 runs complete'):
        assert words in done.out
    assert len(list(tmp_path.glob('runs/2*/overview.png'))) == 4


def first_child(pid: int) -> int | None:
    children = Path(f'/proc/{pid}/task/{pid}/children').read_text().split()
    return int(children[0]) if children else None


def is_flying(folder: Path) -> bool:
    return any(path.stat().st_size > 200 for path in folder.glob('runs/2*/agent_telemetry.csv'))


@pytest.mark.nightly
def test_a_run_whose_process_dies_costs_nothing_but_itself(tmp_path):
    options = ('simulate', 'demo', '--duration', '800', '--seeds', '3', '--jobs', '1')
    with start_swarm(*options, domain=NOWHERE, folder=tmp_path) as process:
        wait_until(lambda: is_flying(tmp_path), 'the first run to fly')
        os.kill(first_child(process.pid), signal.SIGKILL)
        assert process.end() == 1
    assert process.err.startswith('error: runs/')
    assert 's1: the process of this run died (signal 9); the other runs continue' in process.err
    assert process.err.count('\n') == 1
    assert '2 of 3 runs complete' in process.out
    assert 'demo: median over the seeds' in process.out


@pytest.mark.one_in(3)
@pytest.mark.parametrize('options', [(), ('--seeds', '4', '--jobs', '2')], ids=['one', 'many'])
@pytest.mark.parametrize('pause', [None, 0.0, 0.3])
def test_ctrl_c_leaves_valid_folders(tmp_path, options, pause):
    arguments = ('simulate', 'demo', *ENDLESS, *options)
    with start_swarm(*arguments, domain=NOWHERE, folder=tmp_path) as process:
        wait_until(lambda: is_flying(tmp_path), 'a run to fly')
        process.interrupt()
        if pause is not None:
            time.sleep(pause)
            process.interrupt()
        assert process.end(20.0) in ENDED
    assert process.err == ''
    assert processes_that_mention(str(tmp_path)) == {}
    for folder in run_folders(tmp_path):
        summary = read_json(folder / 'summary.json')
        assert summary['interrupted'] is True
        assert len(read_table(folder / TARGET_CSV)[1]) == summary['ticks']


def has_begun(process: Process) -> bool:
    """Return whether the command is at its imports; before, ctrl-C ends in Python's own words."""
    return 'numpy' in Path(f'/proc/{process.pid}/maps').read_text(encoding='utf-8')


@pytest.mark.parametrize('pause', [0.0, 0.1, 0.2, 0.3, 0.5])
def test_ctrl_c_before_anybody_flies_ends_quietly(tmp_path, pause):
    arguments = ('simulate', 'demo', *ENDLESS, '--seeds', '3')
    with start_swarm(*arguments, domain=NOWHERE, folder=tmp_path) as process:
        wait_until(lambda: has_begun(process), 'the command')
        time.sleep(pause)
        process.interrupt()
        assert process.end(20.0) in ENDED
    assert process.err == ''
    for folder in tmp_path.glob('runs/2*'):
        read_json(folder / 'manifest.json')


def test_ctrl_c_ends_even_the_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv('SWARM_CACHE_DIR', str(tmp_path / 'cache'))
    with start_swarm('simulate', 'demo', *ENDLESS, domain=NOWHERE, folder=tmp_path) as process:
        wait_until(lambda: 'compiling the laws' in process.err, 'the compiler')
        time.sleep(1.0)
        process.interrupt()
        assert process.end(20.0) in ENDED  # far sooner than it would have compiled
    assert all(line.startswith('compiling ') for line in process.err.splitlines())
    assert not (tmp_path / 'runs').exists()


def test_ctrl_c_to_the_whole_group_as_a_terminal_sends_it(tmp_path):
    command = [sys.executable, '-m', 'soliton_encirclement_ros.cli.main', 'simulate', 'demo']
    with subprocess.Popen(
        [*command, *ENDLESS, '--seeds', '4', '--jobs', '2'], cwd=tmp_path, start_new_session=True,
        env=environment(NOWHERE), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        wait_until(lambda: is_flying(tmp_path), 'a run to fly')
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=20.0)
    assert (process.returncode, err) == (130, '')


def test_nobody_outlives_a_runner_that_was_killed(tmp_path):
    arguments = ('simulate', 'demo', *ENDLESS, '--seeds', '2', '--jobs', '2')
    with start_swarm(*arguments, domain=NOWHERE, folder=tmp_path) as process:
        wait_until(lambda: is_flying(tmp_path), 'a run to fly')
        children = Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text().split()
        process.popen.kill()
        process.end()
        wait_until(
            lambda: not any(Path(f'/proc/{child}').exists() for child in children),
            'the runs to end', 8.0,
        )  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.parametrize('options', [(), ('--seeds', '2')], ids=['one', 'many'])
def test_a_full_disk_is_told_in_one_line_and_ends_with_1(tmp_path, options):
    """A limit on the size of a file stands in for a full disk."""
    words = ' '.join(('simulate', 'demo', '--duration', '20', '--no-pictures', *options))
    line = f'ulimit -f 40; exec {sys.executable} -m soliton_encirclement_ros.cli.main {words}'
    with Process(('bash', '-c', line), NOWHERE, tmp_path) as process:
        assert process.end() == 1
    errors = process.err.splitlines()
    assert len(errors) == max(1, len(options))
    for error in errors:
        assert error.startswith('error: runs/')
        assert 'cannot write: File too large' in error
    for folder in run_folders(tmp_path):
        assert (folder / AGENT_CSV).stat().st_size > 10_000


@pytest.fixture
def refused(monkeypatch, capsys, tmp_path):
    """Return the command line as a function of its arguments that must not start a run."""
    monkeypatch.chdir(tmp_path)
    for name in ('get_ready_visibly', '_fly_one', 'fly_many'):
        monkeypatch.setattr(simulate, name, lambda *_: pytest.fail('a run was started'))

    def call(*arguments: str) -> str:
        monkeypatch.setattr(sys, 'argv', ['swarm', 'simulate', *arguments])
        assert run_command_line() == 2
        err = but_unfiltered(capsys.readouterr().err)
        assert err.startswith('error: ') and err.count('\n') == 1
        return err

    return call


@pytest.mark.parametrize(
    ('arguments', 'expected'),
    [
        (('demo', '--controller', 'magic'), "controller = 'magic' must be one of"),
        (('demo', '--seeds', '0'), '--seeds'),
        (('demo', '--seeds', '10001'), '--seeds'),
        (('demo', '--jobs', '0'), '--jobs'),
        (('demo', '--jobs', 'many'), '--jobs'),
        (('demo', '--seed', '-1'), 'seed = -1 must be at least 0'),
        (('demo', '--seed', str(2**53), '--seeds', '2'), f'seed = {2**53 + 1} must be'),
        (('demo', 'demoo'), 'demoo: no such scenario file'),
        (('demo', '--agents', '0'), 'num_agents = 0 must be at least 1'),
        (('demo', '--set', 'run.sed=1'), "did you mean 'seed'?"),
        (('demo', '--real-time'), 'No such option'),
        (('demo', '--format', 'xlsx'), "format 'xlsx' must be one of csv, parquet, bag, none"),
        (('demo', '--format', 'csv', '--format', 'none'), "format 'none' stands alone"),
        (('demo', '--format'), '--format'),
        (('demo', '--telemetry-rate', '7'), 'nearest: 6.66667 or 10'),
        (('demo', '--telemetry-rate', '0'), 'telemetry rate 0 Hz: must be the control rate'),
        (('demo', '--telemetry-rate', 'nan'), 'nearest: 20'),
        (('demo', '--telemetry-rate', 'fast'), '--telemetry-rate'),
        (('demo', '--telemetry-rate', '0.001', '--seeds', '3'), 'no sample in 90 s; at least'),
        (
            ('demo', '--seeds', '3', '--set', 'safety.fence=0 0, 1 0, 1 1'),
            'outside of safety.fence',
        ),
        (('demo', '--study', '--agents', '5000', '--duration', '9000'), 'takes 50 GB, at most 4'),
    ],
)
def test_bad_usage_is_refused_in_one_line_before_anything_flies(refused, arguments, expected):
    assert expected in refused(*arguments)


def test_help_names_the_laws_and_what_holds_without_an_option(tmp_path):
    said = swarm(tmp_path, '--help').out
    for words in (
        *CONTROLLERS, *FORMATS, 'none', 'demo', 'that of the scenario', 'one per core',
        'a single run', 'every control tick',
    ):  # fmt: skip
        assert words in said


def test_an_unwritable_out_folder_is_refused_in_one_line(tmp_path):
    (tmp_path / 'file').write_text('')
    process = swarm(tmp_path, 'still', *SHORT, '--out', 'file')
    assert process.popen.returncode == 2
    assert process.err.count('\n') == 1
    assert 'file: cannot write the run folder' in process.err


def test_all_is_every_law_that_comes_along_once():
    assert laws_of(['all', 'soliton_v1']) == list(CONTROLLERS)
    assert laws_of([]) == []


def test_seeds_begin_with_that_of_the_scenario():
    scenario = Scenario().with_changes({'run': {'seed': 4}}, 'test')
    assert [one.run.seed for one in with_seeds(scenario, 2)] == [4, 5]
    assert with_seeds(scenario, 1) == [scenario]
