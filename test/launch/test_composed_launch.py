"""``processes`` of swarm.launch.py under the real launch: nodes that share processes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rcl_interfaces.srv import GetParameters
from rclpy.parameter import parameter_value_to_python
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.scenario.swarm_plan import load_plan
from soliton_encirclement_ros.core.states.swarm_topics import METRICS, Fleet
from support.cli import processes_that_mention
from support.ros.graph import Ros, domain, ros
from support.ros.launched import (
    START_UP, LaunchDescription, described, enclosed, included, killed_once, launch_pytest,
    ros2_launch
)
from velocity_mobility_ros.ros_io.endpoints import STATE

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


ABSURD = {'agents': '200', 'processes': '1', 'set': 'swarm.control_period=0.01'}


def test_a_machine_that_is_too_slow_is_said_before_the_start(tmp_path: Path) -> None:
    """The ROS domain is invalid, so that no node starts."""
    code, text = ros2_launch(LAUNCH_FILE, 999, {**IN_REAL_TIME, **ABSURD, 'out': str(tmp_path)})
    assert code == 1
    assert text.count('warning: 200 agents at 100 Hz (processes: 1) on') == 1
    assert text.count('ticks may be late') == 1
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


@launch_pytest.fixture
def in_pushed_namespace(domain: int, tmp_path: Path) -> LaunchDescription:
    """Return three agents by the clock, included by a launch file with a namespace."""
    asked = {**IN_REAL_TIME, 'processes': '2', 'namespace': 'fleet'}
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
