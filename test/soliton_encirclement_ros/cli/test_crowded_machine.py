"""A run on a machine that has too much to do is slow, and whole."""

import os
import subprocess
import sys

import pytest
from support.cli import only_run_folder, start_swarm
from support.ros import domain_of_its_own
from support.run_folder import read_json

pytestmark = [pytest.mark.ros, pytest.mark.alone, pytest.mark.timeout(300)]

LIMIT = 240.0
"""Wall time [s] that the run may take: it has a share of the cores, however fast they are."""


def test_nothing_is_lost_on_a_machine_with_too_much_to_do(tmp_path):
    """Without back-pressure the end of some topics is lost two times in three."""
    busy = [sys.executable, '-c', 'while True: pass']
    crowd = [subprocess.Popen(busy) for _ in range(3 * (os.cpu_count() or 1))]
    try:
        with domain_of_its_own() as domain:
            run = 'run', 'demo', '--duration', '60'
            with start_swarm(*run, domain=domain, folder=tmp_path) as process:
                process.end(LIMIT)
    finally:
        for one in crowd:
            one.kill()
            one.wait()
    assert process.popen.returncode == 0, process.err
    assert read_json(only_run_folder(tmp_path) / 'summary.json')['complete']
