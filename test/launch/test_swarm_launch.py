"""swarm.launch.py under the real launch: a run to its end, and one that is stopped before."""

import csv
import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.run.run_folder import AGENT_CSV, TARGET_CSV
from soliton_encirclement_ros.core.scenario.scenario import scenario_from_dict
from soliton_encirclement_ros.core.scenario.swarm_plan import load_plan
from soliton_encirclement_ros.core.states.swarm_topics import METRICS, Fleet
from soliton_encirclement_ros.sim import Simulation
from support.cli import processes_that_mention, wait_until
from support.recorded.run_folder import PICTURES
from support.ros.graph import Ros, domain, ros
from support.ros.launched import (
    START_UP, LaunchDescription, ctrl_c, description, kill, killed, launch, launch_pytest,
    ros2_launch, terminate
)
from velocity_mobility_ros.ros_io.endpoints import STATE

__all__ = ['domain', 'ros']

pytestmark = pytest.mark.ros

Stop = Callable[[int], None]

LAUNCH_FILE = 'swarm.launch.py'
MEMBERS = {
    f'/fleet/{name}'
    for name in ('world', 'monitor', 'recorder', 'target/target', 'uav_1/agent', 'uav_2/agent',
                 'uav_3/agent')
}  # fmt: skip


def rows_of(path: Path) -> list[dict[str, str]]:
    """Read a table."""
    with path.open(encoding='utf-8', newline='') as file:
        return list(csv.DictReader(file))


def names_in(ros: Ros) -> set[str]:
    """Return the full names of all nodes that the tester sees."""
    names = ros.tester.get_node_names_and_namespaces()
    return {f'{space.rstrip("/")}/{name}' for name, space in names}


def summary_of(folder: Path) -> dict[str, Any]:
    """Read the summary of the newest run."""
    return json.loads((folder / 'latest' / 'summary.json').read_text(encoding='utf-8'))


def test_a_swarm_that_does_not_encircle_ends_with_1(domain: int, tmp_path: Path) -> None:
    """The run is complete all the same."""
    arguments = {'scenario': 'still', 'agents': '3', 'duration': '1.0', 'record': 'false'}
    strict = {'set': 'run.max_e_gap=1e-9 run.max_e_r=1e-9', 'out': str(tmp_path)}
    assert launch(LAUNCH_FILE, domain, {**arguments, **strict}) == 1
    summary = summary_of(tmp_path)
    assert (summary['interrupted'], summary['complete']) == (False, True)
    assert summary['verdict']['why'].startswith('E_gap = ')


def test_a_run_whose_world_dies_ends_with_1_and_says_so(domain: int, tmp_path: Path) -> None:
    """What was seen is on disk."""
    arguments = {'scenario': 'still', 'agents': '3', 'lockstep': 'false', 'out': str(tmp_path),
                 'processes': 'per-agent'}  # fmt: skip
    with killed('world_node', lambda: (tmp_path / 'latest' / 'summary.json').is_file()):
        assert launch(LAUNCH_FILE, domain, arguments) == 1
    summary = summary_of(tmp_path)
    assert (summary['interrupted'], summary['complete']) == (False, False)
    assert summary['verdict'] == {'encircled': False, 'why': 'world_node died'}


def test_lockstep_run_ends_by_itself_and_is_that_of_the_chosen_law(
    domain: int, tmp_path: Path
) -> None:
    """The tables are equal to what is flown without ROS, and the bag is closed."""
    law = 'two_channel'
    arguments = {'scenario': 'still', 'agents': '3', 'duration': '2.0', 'controller': law,
                 'set': 'run.max_e_gap=2; run.max_e_r=1'}  # fmt: skip
    out = tmp_path / 'launched'
    assert launch(LAUNCH_FILE, domain, {**arguments, 'out': str(out)}) == 0
    folder, summary = out / 'latest', summary_of(out)
    manifest = json.loads((folder / 'manifest.json').read_text(encoding='utf-8'))
    Simulation(scenario_from_dict(manifest['scenario'], 'still', 'manifest'), tmp_path).fly()
    assert manifest['scenario']['control']['controller'] == summary['controller'] == law
    for table in (AGENT_CSV, TARGET_CSV):
        assert (folder / table).read_bytes() == (tmp_path / table).read_bytes()
    assert (summary['interrupted'], summary['complete']) == (False, True)
    assert (folder / 'bag' / 'metadata.yaml').is_file()
    assert {path.name for path in folder.glob('*.png')} == set(PICTURES)
    assert [spec.executable for spec in load_plan(folder / 'plan.json')][-1] == 'recorder_node'


@pytest.mark.parametrize(
    'arguments',
    [{'scenario': 'nope'}, {'lockstep': 'yes'}, {'set': 'run.rng=reference'},
     {'namespace': '3x'}, {'agents': '2', 'processes': '9'}],
)  # fmt: skip
def test_refused_arguments_start_nothing(
    domain: int, tmp_path: Path, arguments: dict[str, str]
) -> None:
    """The launch fails before there is a run folder."""
    assert launch(LAUNCH_FILE, domain, {**arguments, 'out': str(tmp_path / 'runs')}) == 1
    assert not (tmp_path / 'runs').exists()


def test_an_argument_that_nobody_declares_starts_nothing(domain: int, tmp_path: Path) -> None:
    """Launch itself would drop it without a word."""
    code, text = ros2_launch(LAUNCH_FILE, domain, {'agent': '3', 'out': str(tmp_path / 'runs')})
    assert "agent:=3: swarm.launch.py has no argument 'agent'; did you mean agents:=?" in text
    assert (code, 'Traceback' in text) == (1, False)
    assert not (tmp_path / 'runs').exists()


def test_the_command_line_of_another_launch_file_is_not_ours(domain: int, tmp_path: Path) -> None:
    """Whoever includes our file may declare what he likes."""
    theirs = tmp_path / 'theirs.launch.py'
    theirs.write_text(
        'from support.ros.launched import included\n'
        'from launch import LaunchDescription\n'
        'def generate_launch_description():\n'
        f'    return LaunchDescription([included({LAUNCH_FILE!r}, {{"scenario": "no"}})])\n',
        encoding='utf-8',
    )
    code, text = ros2_launch(theirs, domain, {'agent': '3'})
    assert (code, 'no: no such scenario file' in text) == (1, True)


def test_a_stop_before_the_nodes_are_up_is_no_failure(domain: int, tmp_path: Path) -> None:
    """As soon as all processes are there, while Python starts and loads libraries."""
    arguments = {'scenario': 'still', 'agents': '3', 'out': str(tmp_path), 'processes': '2'}
    last = 'recorder_node-4]: process started'
    code, text = ros2_launch(LAUNCH_FILE, domain, arguments, last, ctrl_c)
    assert (code, 'Caught exception' in text) == (0, False)
    assert 'interrupted before the run began' in text


@pytest.mark.parametrize(
    ('stop', 'code'), [(terminate, -signal.SIGTERM), (kill, -signal.SIGKILL)]
)
def test_the_nodes_of_a_launch_end_in_order_however_it_ends(
    domain: int, tmp_path: Path, stop: Stop, code: int
) -> None:
    """A launch that ends says nothing more; monitor and recorder close their files."""
    arguments = {'scenario': 'still', 'agents': '3', 'out': str(tmp_path), 'duration': '600',
                 'real_time_factor': '1'}  # fmt: skip
    assert ros2_launch(LAUNCH_FILE, domain, arguments, 'alive: 3 of 3', stop)[0] == code
    last = [tmp_path / 'latest' / name for name in ('bag/metadata.yaml', PICTURES[-1])]
    wait_until(lambda: all(file.is_file() for file in last), 'the files to be closed')
    wait_until(lambda: not processes_that_mention(str(tmp_path)), 'the nodes to end')
    summary = summary_of(tmp_path)
    assert (summary['interrupted'], summary['complete']) == (True, True)


@launch_pytest.fixture
def in_real_time(domain: int, tmp_path: Path) -> LaunchDescription:
    """Return three agents by the clock, in a namespace."""
    arguments = {'scenario': 'still', 'agents': '3', 'lockstep': 'false', 'out': str(tmp_path),
                 'processes': 'per-agent'}  # fmt: skip
    return description(LAUNCH_FILE, domain, {**arguments, 'namespace': 'fleet'})


@pytest.mark.launch(fixture=in_real_time)
def test_run_that_is_stopped(ros: Ros, tmp_path: Path) -> Iterator[None]:
    """Everybody is there and all are measured; after the stop the files are whole."""
    metrics = ros.listen(JointState, Fleet('/fleet').full_name(METRICS), STATE)
    ros.until(lambda: metrics and metrics.last.position[6] == 3.0, 'three agents alive', START_UP)
    ros.until(lambda: names_in(ros) >= MEMBERS, f'all of {", ".join(sorted(MEMBERS))}')
    yield
    summary, folder = summary_of(tmp_path), tmp_path / 'latest'
    assert summary['ticks'] == len(rows_of(folder / 'target_telemetry.csv')) > 0
    assert (summary['interrupted'], summary['complete']) == (True, True)
    assert (folder / 'bag' / 'metadata.yaml').is_file()
    assert {path.name for path in folder.glob('*.png')} == set(PICTURES)
    assert {f'/fleet/uav_{k}' for k in (1, 2, 3)} <= {
        spec.namespace for spec in load_plan(folder / 'plan.json')
    }
