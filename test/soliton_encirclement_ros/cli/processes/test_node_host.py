"""A process that hosts some nodes of a saved plan."""

import os
import sys

import pytest
from soliton_encirclement_ros.core.scenario.plan_file import save_plan
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec, vehicle_spec
from support.cli import Process


def host(tmp_path, domain, runner, specs):
    save_plan(tmp_path / 'plan.json', specs)
    command = (
        sys.executable,
        '-m',
        'soliton_encirclement_ros.cli.processes.node_host',
        str(runner),
    )
    numbers = map(str, range(len(specs)))
    return Process((*command, str(tmp_path / 'plan.json'), *numbers), domain, tmp_path)


BODIES = [vehicle_spec(Scenario(), k) for k in (1, 2)]


@pytest.mark.ros
def test_it_runs_its_nodes_and_ends_in_order_when_asked(ros, tmp_path):
    expected = {('mobility_node', '/uav_1'), ('mobility_node', '/uav_2')}
    with host(tmp_path, ros.domain, os.getpid(), BODIES) as process:
        ros.until(
            lambda: expected <= set(ros.tester.get_node_names_and_namespaces()), 'both nodes'
        )
        process.interrupt()
        assert process.end(10.0) in (0, 130)
        assert 'Traceback' not in process.err


@pytest.mark.ros
def test_it_ends_by_itself_when_its_runner_is_not_its_parent(domain, tmp_path):
    with host(tmp_path, domain, 1, BODIES) as process:
        assert process.end(10.0) == 0


@pytest.mark.ros
def test_a_node_that_cannot_start_ends_it_with_2_and_one_line(domain, tmp_path):
    specs = [*BODIES, NodeSpec('mobility_node', '/uav_3', {'tau_xy': -1.0})]
    with host(tmp_path, domain, os.getpid(), specs) as process:
        assert process.end(10.0) == 2
        errors = [line for line in process.err.splitlines() if line.startswith('error: ')]
        assert errors == ['error: /uav_3/mobility_node: tau_xy = -1.0 must be above 0 s']
        assert 'Traceback' not in process.err
