"""``swarm run --namespace``: two fleets at once in one ROS domain."""

from pathlib import Path

import pytest

from soliton_encirclement_ros.core.run.run_folder import AGENT_CSV, TARGET_CSV
from support.cli import only_run_folder, start_swarm
from support.here import Here, swarm_here
from support.ready import NO_HURRY, laws
from support.recorded.run_folder import read_json

__all__ = ['laws', 'swarm_here']

pytestmark = [pytest.mark.ros, pytest.mark.nightly, NO_HURRY]

FLIGHT = ('demo', '--duration', '5')
FLEETS = {'/fleet_a': ('--agents', '3'), '/b/fleet': ('--agents', '4', '--seed', '5')}


def test_each_flies_as_alone(domain: int, swarm_here: Here, tmp_path: Path) -> None:
    """The tables are those of the same flight with nobody else in the world."""
    together = [tmp_path / 'together' / name.replace('/', '-') for name in FLEETS]
    started = []
    for folder, (name, options) in zip(together, FLEETS.items(), strict=True):
        folder.mkdir(parents=True)
        words = ('run', *FLIGHT, *options, '--real-time-factor', '1', '--namespace', name)
        started.append(start_swarm(*words, domain=domain, folder=folder))
    for process in started:
        with process:
            assert process.end() in (0, 1), process.err
    for folder, (name, options) in zip(together, FLEETS.items(), strict=True):
        alone = tmp_path / name.strip('/')
        words = (*FLIGHT, *options, '--no-pictures', '--out', alone / 'runs')
        assert swarm_here('simulate', *words).code in (0, 1)
        found, expected = only_run_folder(folder), only_run_folder(alone)
        for table in (AGENT_CSV, TARGET_CSV):
            assert (found / table).read_bytes() == (expected / table).read_bytes()
        summary = read_json(found / 'summary.json')
        assert summary['complete'] and summary['missed_answers'] == 0
