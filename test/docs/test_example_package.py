"""The example package of a law and a vehicle of one's own: installed, found, and flown."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.cli import SWARM, environment
from support.pages import REPOSITORY
from support.ros_domain import domain_of_its_own

EXAMPLE = REPOSITORY / 'docs' / 'examples' / 'harbour_swarm'

pytestmark = pytest.mark.slow


@pytest.fixture(scope='module')
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install a copy, so that no build folder is left in the source tree; return where."""
    source, target = tmp_path_factory.mktemp('source') / 'package', tmp_path_factory.mktemp('site')
    shutil.copytree(EXAMPLE, source)
    pip = [sys.executable, '-m', 'pip', 'install', '--quiet', '--no-deps', '--no-build-isolation']
    subprocess.run([*pip, '--target', target, source], check=True)
    return target


def run(installed: Path, folder: Path, *command: object) -> subprocess.CompletedProcess[str]:
    """Run a command where the package is installed."""
    with domain_of_its_own() as domain:
        paths = os.pathsep.join((str(REPOSITORY), str(installed)))
        return subprocess.run(
            [*map(str, command)], cwd=folder, env={**environment(domain), 'PYTHONPATH': paths},
            capture_output=True, text=True, check=False,
        )  # fmt: skip


def test_it_is_a_package_of_ros_with_tests_that_pass(installed: Path, tmp_path: Path) -> None:
    index = 'share/ament_index/resource_index/packages/harbour_swarm'
    assert (installed / index).is_file()
    assert (installed / 'share' / 'harbour_swarm' / 'package.xml').is_file()
    tests = EXAMPLE / 'test'
    done = run(installed, tmp_path, sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider',
               '--rootdir', tests, tests)  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert '3 passed' in done.stdout


def test_law_and_vehicle_fly_by_their_names_alone(installed: Path, tmp_path: Path) -> None:
    """In a current that the boats make up for, over ROS and in the engine to the last bit."""
    boats = ('--controller', 'repulsion', '--set', 'mobility.vehicle=boat', '--set',
             'mobility.current_east=1', '--agents', 4, '--duration', 4)  # fmt: skip
    tables = []
    for verb, *more in (('run', '--no-bag'), ('simulate', '--format', 'csv', '--no-pictures')):
        done = run(installed, tmp_path, *SWARM, verb, 'demo', *boats, *more, '--out', verb)
        assert done.returncode == 0, done.stderr
        assert 'ENCIRCLED' in done.stdout
        (table,) = tmp_path.glob(f'{verb}/2*/agent_telemetry.csv')
        tables.append(table.read_text())
    assert tables[0] == tables[1] and tables[0].count('\n') > 100


def test_without_it_the_names_are_unknown(tmp_path: Path) -> None:
    done = run(tmp_path, tmp_path, *SWARM, 'simulate', 'demo', '--set', 'mobility.vehicle=boat')
    assert done.returncode == 2
    assert "vehicle = 'boat' must be one of kinematic" in done.stderr
