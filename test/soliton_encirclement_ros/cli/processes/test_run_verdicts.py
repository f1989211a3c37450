"""``swarm run`` with other verdicts, laws and sizes, and where it refuses to fly."""

from pathlib import Path

import pytest
from soliton_encirclement_ros.controllers import recorded_names
from support.cli import Process, only_run_folder, start_swarm, wait_until
from support.flights import SLOW, Pilot, fly, is_flying
from support.recorded.run_folder import read_json, read_table

pytestmark = [pytest.mark.ros]

BAD = ('run', 'still', '--agents', '3', '--duration', '2', '--set', 'run.max_e_gap=1.0e-6',
       '--no-bag')  # fmt: skip
LAW = ('run', 'still', '--agents', '3', '--duration', '2', '--controller', 'two_channel',
       '--no-bag')  # fmt: skip


def meet(folder: Path, domain: int) -> tuple[int | None, Process]:
    """Start a second swarm beside one that flies; return the exit code of that, and the second."""
    first, second = folder / 'first', folder / 'second'
    first.mkdir()
    second.mkdir()
    with start_swarm(*SLOW, domain=domain, folder=first) as running:
        wait_until(lambda: is_flying(first), 'the first swarm to fly')
        with start_swarm(*SLOW, domain=domain, folder=second) as refused:
            refused.end(20.0)
        code = running.popen.poll()
        running.interrupt()
        running.end()
    return code, refused


FLIGHTS: dict[str, Pilot] = {
    'bad': fly(*BAD),
    'law': fly(*LAW),
    'no_such_law': fly('run', 'demo', '--controller', 'magic'),
    'one': fly('run', 'demo', '--agents', '1', '--duration', '3', '--no-bag'),
    'two': fly('run', 'demo', '--agents', '2', '--duration', '3', '--no-bag'),
    'meet': meet,
}


@pytest.mark.nightly
def test_a_swarm_that_misses_its_bound_ends_with_1(flight):
    process, folder = flight('bad')
    assert process.popen.returncode == 1
    assert process.err == ''
    folder = only_run_folder(folder)
    summary = read_json(folder / 'summary.json')
    assert summary['verdict']['encircled'] is False
    assert '> 1e-06' in summary['verdict']['why']
    assert f'NOT ENCIRCLED: {summary["verdict"]["why"]}' in process.out
    assert f'runs/{folder.name}/overview.png' in process.out
    assert not (folder / 'bag').exists()


@pytest.mark.nightly
def test_the_chosen_law_is_flown_and_reaches_the_manifest(flight):
    process, folder = flight('law')
    assert process.popen.returncode in (0, 1)
    assert process.err == ''
    folder = only_run_folder(folder)
    manifest, summary = read_json(folder / 'manifest.json'), read_json(folder / 'summary.json')
    assert manifest['scenario']['control']['controller'] == 'two_channel'
    assert summary['controller'] == 'two_channel'
    header, rows = read_table(folder / 'agent_telemetry.csv')
    assert tuple(header[2:-1]) == recorded_names('two_channel', True)
    assert len(rows) == 3 * summary['ticks'] == 3 * 40


def test_a_law_that_does_not_exist_is_refused_in_one_line(flight):
    process, folder = flight('no_such_law')
    assert process.popen.returncode == 2
    assert "controller = 'magic' must be one of predictive, soliton" in process.err
    assert process.err.startswith('error: ') and process.err.count('\n') == 1
    assert not (folder / 'runs').exists()


@pytest.mark.nightly
@pytest.mark.parametrize(('name', 'agents'), [('one', 1), ('two', 2)])
def test_a_tiny_swarm_is_warned_about_and_flown(flight, name, agents):
    process, folder = flight(name)
    assert process.popen.returncode in (0, 1)
    assert process.err.startswith(f'warning: run.num_agents = {agents}: fewer than 3 agents')
    assert process.err.count('\n') == 1
    assert 'ENCIRCLED' in process.out
    summary = read_json(only_run_folder(folder) / 'summary.json')
    assert summary['verdict']['encircled'] is (process.popen.returncode == 0)
    assert summary['ticks'] == 60


@pytest.mark.nightly
def test_a_second_swarm_in_the_same_domain_is_refused(flight):
    code_of_the_first, refused = flight('meet')
    assert refused.popen.returncode == 2
    assert refused.err.startswith('error: ROS_DOMAIN_ID=')
    assert 'already has a swarm' in refused.err
    assert refused.err.count('\n') == 1
    assert code_of_the_first is None
