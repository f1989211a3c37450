"""A process that hosts some nodes of a saved plan."""

import sys

import pytest

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec, body_spec, save_plan
from support.cli import Process


def host(tmp_path, domain, specs, *of_ros):
    save_plan(tmp_path / 'plan.json', specs)
    command = (sys.executable, '-m', 'soliton_encirclement_ros.cli.runs.node_host')
    numbers = map(str, range(len(specs)))
    words = (*command, str(tmp_path / 'plan.json'), *numbers, *of_ros)
    return Process(words, domain, tmp_path)


BODIES = [body_spec(Scenario(), f'uav_{k}') for k in (1, 2)]


@pytest.mark.ros
def test_it_runs_its_nodes_and_ends_in_order_when_asked(ros, tmp_path):
    expected = {('mobility_node', '/uav_1'), ('mobility_node', '/uav_2')}
    with host(tmp_path, ros.domain, BODIES) as process:
        ros.until(
            lambda: expected <= set(ros.tester.get_node_names_and_namespaces()), 'both nodes'
        )
        process.interrupt()
        assert process.end() in (0, 130)
        assert 'Traceback' not in process.err


@pytest.mark.ros
def test_arguments_of_ros_are_for_all_nodes_and_no_namespace_moves_them(ros, tmp_path):
    placed = [spec._replace(namespace=f'/fleet/{spec.namespace}') for spec in BODIES]
    given = ('--ros-args', '-r', '__ns:=/elsewhere', '-p', 'enable_stamped_cmd_vel:=true')
    expected = {('mobility_node', '/fleet/uav_1'), ('mobility_node', '/fleet/uav_2')}

    def types(k):
        found = ros.tester.get_subscriptions_info_by_topic(f'/fleet/uav_{k}/cmd_vel')
        return [info.topic_type for info in found]

    with host(tmp_path, ros.domain, placed, *given):
        ros.until(
            lambda: expected <= set(ros.tester.get_node_names_and_namespaces()), 'both nodes'
        )
        stamped = [['geometry_msgs/msg/TwistStamped']] * 2
        ros.until(lambda: [types(1), types(2)] == stamped, 'stamped commands')


@pytest.mark.ros
def test_a_node_that_cannot_start_ends_it_with_2_and_one_line(domain, tmp_path):
    specs = [*BODIES, NodeSpec('mobility_node', '/uav_3', {'tau_xy': -1.0})]
    with host(tmp_path, domain, specs) as process:
        assert process.end() == 2
        errors = [line for line in process.err.splitlines() if line.startswith('error: ')]
        assert errors == ['error: /uav_3/mobility_node: tau_xy = -1.0 must be above 0 s']
        assert 'Traceback' not in process.err
