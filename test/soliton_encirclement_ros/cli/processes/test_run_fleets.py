"""``swarm run --namespace``: two fleets in one ROS domain, and what reads their bags."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from soliton_encirclement_ros.core.run.run_folder import AGENT_CSV, TARGET_CSV
from support.cli import Process, only_run_folder, run_swarm, start_swarm, wait_until
from support.here import Here, swarm_here
from support.ready import NO_HURRY, laws
from support.recorded.run_folder import read_json
from support.ros.graph import domain_of_its_own

__all__ = ['laws', 'swarm_here']

pytestmark = [pytest.mark.ros, pytest.mark.nightly, NO_HURRY]

FLIGHT = ('demo', '--duration', '5')
RUN = ('run', *FLIGHT)
FLEETS = {'/fleet_a': ('--agents', '3'), '/b/fleet': ('--agents', '4', '--seed', '5')}


class Flown(NamedTuple):
    """Two fleets that flew at the same time, and what a recorder of everything got."""

    folders: dict[str, Path]
    everything: Path
    again: Process


def is_recorded(folder: Path) -> bool:
    """Say whether a run has begun to fill its bag."""
    return any(path.stat().st_size > 0 for path in folder.glob('runs/*/bag/*.mcap'))


@pytest.fixture(scope='module')
def flown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flown]:
    """Fly both; while the first is in the air, ask for another one in its namespace."""
    folder = tmp_path_factory.mktemp('fleets')
    folders = {name: folder / name.strip('/').replace('/', '-') for name in FLEETS}
    started: list[Process] = []
    with domain_of_its_own() as domain:
        record = ('record', '--out', 'bag')
        with start_swarm(*record, domain=domain, folder=folder, name='record') as recorder:
            wait_until(lambda: 'waiting for' in recorder.out, 'the recorder')
            for name, options in FLEETS.items():
                folders[name].mkdir()
                slowly = ('--real-time-factor', '1', '--namespace', name, '--json')
                arguments = (*RUN, *options, *slowly)
                started.append(start_swarm(*arguments, domain=domain, folder=folders[name]))
            wait_until(lambda: is_recorded(folders['/fleet_a']), 'the first fleet')
            again = run_swarm(*RUN, '--namespace', 'fleet_a', domain=domain, folder=folder)
            for process in started:
                assert process.end() in (0, 1), process.err
            recorder.interrupt()
            assert recorder.end() == 0, recorder.err
        yield Flown(folders, folder / 'bag', again)


def figures(path: Path, *options: str) -> dict[str, Any]:
    """Return what ``swarm report`` finds."""
    report = run_swarm(
        'report', str(path), *options, '--out', 'report', '--no-page', '--no-pictures', '--json',
        domain=0, folder=path.parent, name='report',
    )  # fmt: skip
    assert report.popen.returncode == 0, report.err
    return json.loads(report.out)


@pytest.mark.parametrize(('name', 'options'), FLEETS.items())
def test_each_flies_as_alone(
    flown: Flown, swarm_here: Here, tmp_path: Path, name: str, options: tuple[str, ...]
) -> None:
    """The tables are those of the same flight with nobody else in the world."""
    assert swarm_here('simulate', *FLIGHT, *options, '--no-pictures').code in (0, 1)
    folder, alone = only_run_folder(flown.folders[name]), only_run_folder(tmp_path)
    for table in (AGENT_CSV, TARGET_CSV):
        assert (folder / table).read_bytes() == (alone / table).read_bytes()
    summary = read_json(folder / 'summary.json')
    assert summary['complete'] and summary['missed_answers'] == 0


def test_a_second_one_in_the_same_namespace_is_refused(flown: Flown) -> None:
    """In one line, with what to do."""
    assert flown.again.popen.returncode == 2
    assert ' already has a swarm in /fleet_a (another run uses it): ' in flown.again.err
    assert len(flown.again.err.splitlines()) == 1


@pytest.mark.parametrize('name', FLEETS)
def test_a_bag_of_everything_is_reported_on_by_fleet(flown: Flown, name: str) -> None:
    """``--namespace`` says which; the others are named, and the verdict is that of the run."""
    found = figures(flown.everything, '--namespace', name)
    assert not [line for line in found['problems'] if 'words' in line or 'spoke' in line]
    agents = {'/fleet_a': 3, '/b/fleet': 4}[name]
    expected = [f'uav_{k}' for k in range(1, agents + 1)]
    assert [agent['name'] for agent in found['agents']] == expected
    assert any('2 fleets, in /b/fleet, /fleet_a; only the one in ' + name in line
               for line in found['problems'])  # fmt: skip
