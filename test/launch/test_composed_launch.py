"""``processes`` of swarm.launch.py under the real launch: nodes that share processes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rcl_interfaces.srv import GetParameters
from rclpy.parameter import parameter_value_to_python
from sensor_msgs.msg import JointState
from soliton_encirclement_ros.core.run.run_folder import AGENT_CSV, TARGET_CSV
from soliton_encirclement_ros.core.scenario.plan_file import load_plan
from soliton_encirclement_ros.core.states.fleet_names import Fleet
from soliton_encirclement_ros.core.states.swarm_topics import METRICS
from support.cli import processes_that_mention
from support.ros.graph import Ros, domain, ros
from support.ros.launched import (
    START_UP,
    LaunchDescription,
    described,
    enclosed,
    included,
    killed_once,
    launch,
    launch_pytest,
    ros2_launch,
)
from velocity_mobility_ros.ros_io.qos import STATE

__all__ = ['domain', 'ros']

pytestmark = [pytest.mark.ros, pytest.mark.nightly]

LAUNCH_FILE = 'swarm.launch.py'
STILL = {'scenario': 'still', 'agents': '3', 'record': 'false'}
IN_REAL_TIME = {**STILL, 'lockstep': 'false'}
LAX = {'set': 'run.max_e_gap=2; run.max_e_r=5'}
FLEET = Fleet('/outer/fleet')
SHARED = 'start_type_description_service'
"""A parameter that every node has, true by default."""


def summary_of(folder: Path) -> dict[str, Any]:
    """Read the summary of the newest run."""
    return json.loads((folder / 'latest' / 'summary.json').read_text(encoding='utf-8'))


def test_the_tables_do_not_depend_on_the_processes(domain: int, tmp_path: Path) -> None:
    """Byte for byte; the output names the processes."""
    asked = {'scenario': 'demo', 'agents': '4', 'duration': '3', 'seed': '4', **LAX}
    started = {}
    for name in ('per-agent', '2', 'usual'):
        chosen = {} if name == 'usual' else {'processes': name}
        given = {**asked, **chosen, 'out': str(tmp_path / name)}
        code, started[name] = ros2_launch(LAUNCH_FILE, domain, given)
        assert code == 0, started[name]
    for table in (AGENT_CSV, TARGET_CSV):
        alone, shared, usual = (
            (tmp_path / name / 'latest' / table).read_bytes()
            for name in ('per-agent', '2', 'usual')
        )
        assert alone == shared == usual
        assert alone.count(b'\n') > 50
    for name in ('world_node-1', 'agent_node-5', 'target_node-6', 'monitor_node-8'):
        assert f'[{name}]: process started' in started['per-agent']
    for name in ('process_1-1', 'process_2-2', 'monitor_node-3', 'recorder_node-4'):
        assert f'[{name}]: process started' in started['2']
    assert '[swarm-1]: process started' in started['usual']
    assert 'process_3' not in started['2'] and 'agent_node' not in started['usual']


def test_a_run_in_one_process_ends_by_itself_in_real_time(domain: int, tmp_path: Path) -> None:
    """And is complete."""
    asked = {**IN_REAL_TIME, **LAX, 'duration': '4', 'processes': '1', 'out': str(tmp_path)}
    assert launch(LAUNCH_FILE, domain, asked) == 0
    summary = summary_of(tmp_path)
    assert (summary['interrupted'], summary['complete']) == (False, True)
    assert summary['ticks'] > 0


@pytest.mark.parametrize('asked', ['0', 'many', '7'])
def test_a_number_of_processes_that_cannot_be_is_one_line(
    domain: int, tmp_path: Path, asked: str
) -> None:
    """There are six nodes besides monitor and recorder; no run folder is left."""
    given = {**STILL, 'processes': asked, 'out': str(tmp_path / 'runs')}
    code, text = ros2_launch(LAUNCH_FILE, domain, given)
    lines = [line for line in text.splitlines() if 'processes = ' in line]
    assert (code, len(lines), 'Traceback' in text) == (1, 1, False)
    assert 'per-agent or' in lines[0]
    assert not (tmp_path / 'runs').exists()


ABSURD = {'agents': '200', 'processes': '1', 'set': 'swarm.control_period=0.01'}


@pytest.mark.parametrize(
    ('asked', 'lines'),
    [
        ({**IN_REAL_TIME, **ABSURD}, 1),
        ({**IN_REAL_TIME, 'set': 'swarm.control_period=0.1'}, 0),
        ({**STILL, **ABSURD}, 0),
    ],
    ids=['absurd', 'small', 'lockstep'],
)
def test_a_machine_that_is_too_slow_is_said_before_the_start(
    tmp_path: Path, asked: dict[str, str], lines: int
) -> None:
    """The ROS domain is invalid, so that no node starts."""
    code, text = ros2_launch(LAUNCH_FILE, 999, {**asked, 'out': str(tmp_path)})
    assert code == 1
    assert text.count('ticks will be late') == lines
    assert text.count('warning: 200 agents at 100 Hz in one process need about') == lines
    assert text.count('; or set:=swarm.control_period=') == lines
    assert "error: ROS_DOMAIN_ID='999'" in text


def kill(tmp_path: Path, domain: int, numbers: str) -> tuple[int, str]:
    """Kill the process with some nodes of the plan once it flies; return code and output."""

    def pids() -> list[int]:
        return [*processes_that_mention(f'{(tmp_path / "latest").resolve()}/plan.json {numbers}')]

    def flies() -> bool:
        return (tmp_path / 'latest' / 'summary.json').is_file()

    asked = {**IN_REAL_TIME, **LAX, 'processes': '2', 'duration': '8', 'out': str(tmp_path)}
    with killed_once(pids, flies):
        return ros2_launch(LAUNCH_FILE, domain, asked)


def test_the_others_go_on_without_a_process_that_died(domain: int, tmp_path: Path) -> None:
    """The run is reported as incomplete, with the name of the process."""
    code, text = kill(tmp_path, domain, '1 2 3')
    assert code == 1
    assert 'process_2 ended with exit code -9' in text
    summary = summary_of(tmp_path)
    assert (summary['interrupted'], summary['complete']) == (False, False)
    assert summary['duration_s'] > 7.0


def test_the_run_ends_with_the_process_that_has_the_world(domain: int, tmp_path: Path) -> None:
    """What was seen is on disk."""
    code, text = kill(tmp_path, domain, '0 4 5')
    assert code == 1
    assert 'process_1 ended with exit code -9' in text
    assert summary_of(tmp_path)['verdict'] == {'encircled': False, 'why': 'process_1 died'}
    assert processes_that_mention(str((tmp_path / 'latest').resolve())) == {}


@launch_pytest.fixture(params=['1', '2'])
def in_pushed_namespace(
    domain: int, tmp_path: Path, request: pytest.FixtureRequest
) -> LaunchDescription:
    """Return three agents by the clock, included by a launch file with a namespace."""
    asked = {**IN_REAL_TIME, 'processes': request.param, 'namespace': 'fleet'}
    theirs = included(LAUNCH_FILE, {**asked, 'out': str(tmp_path)})
    return described(domain, enclosed('outer', {SHARED: False}, theirs))


@pytest.mark.launch(fixture=in_pushed_namespace)
def test_shared_processes_in_a_pushed_namespace(ros: Ros, tmp_path: Path) -> Iterator[None]:
    """Every node has its own namespace in it, and parameters set there; a stop leaves files."""
    metrics = ros.listen(JointState, FLEET.full_name(METRICS), STATE)
    ros.until(lambda: metrics and metrics.last.position[6] == 3.0, 'three agents alive', START_UP)
    names = ('world', 'monitor', 'target/target', 'adversary/adversary',
             *[f'uav_{k}/agent' for k in (1, 2, 3)])  # fmt: skip
    expected = {FLEET.full_name(name) for name in names}

    def found() -> set[str]:
        listed = ros.tester.get_node_names_and_namespaces()
        return {f'{space.rstrip("/")}/{name}' for name, space in listed}

    ros.until(lambda: expected <= found(), f'all of {", ".join(sorted(expected))}')
    for name in ('world', 'uav_2/agent'):
        service = FLEET.full_name(f'{name}/get_parameters')
        answer = ros.call(GetParameters, service, GetParameters.Request(names=[SHARED]))
        assert [parameter_value_to_python(value) for value in answer.values] == [False]
    yield
    summary = summary_of(tmp_path)
    assert summary['ticks'] > 0
    assert (summary['interrupted'], summary['complete']) == (True, True)
    plan = load_plan(tmp_path / 'latest' / 'plan.json')
    assert {spec.namespace for spec in plan} >= {f'/outer/fleet/uav_{k}' for k in (1, 2, 3)}
