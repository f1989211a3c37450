"""A run on a machine that has too much to do is slow, whole, and the same to the last bit."""

import os
import subprocess
import sys

import pytest

from soliton_encirclement_ros.core.run.run_folder import AGENT_CSV, TARGET_CSV
from support.cli import only_run_folder, run_swarm, start_swarm
from support.recorded.run_folder import read_json
from support.ros_domain import domain_of_its_own

pytestmark = [pytest.mark.ros, pytest.mark.timeout(300)]

FLIGHT = ('demo', '--agents', '4', '--duration', '3')
LIMIT = 240.0
"""Wall time [s] that the run may take: it has a share of the cores, however fast they are."""


@pytest.mark.nightly
def test_nothing_is_lost_or_changed_on_a_machine_with_too_much_to_do(tmp_path):
    busy = [sys.executable, '-c', 'while True: pass']
    crowd = [subprocess.Popen(busy) for _ in range(3 * (os.cpu_count() or 1))]
    try:
        with (
            domain_of_its_own() as domain,
            start_swarm('run', *FLIGHT, domain=domain, folder=tmp_path) as process,
        ):
            process.end(LIMIT)
    finally:
        for one in crowd:
            one.kill()
            one.wait()
    assert process.popen.returncode == 0, process.err
    run = only_run_folder(tmp_path)
    assert read_json(run / 'summary.json')['complete']
    alone = tmp_path / 'alone'
    alone.mkdir()
    run_swarm('simulate', *FLIGHT, '--no-pictures', domain=0, folder=alone)
    for table in (AGENT_CSV, TARGET_CSV):
        assert (run / table).read_bytes() == (only_run_folder(alone) / table).read_bytes()
