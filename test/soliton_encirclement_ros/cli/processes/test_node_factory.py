"""Nodes from a plan, for one process."""

import pytest
from soliton_encirclement_ros.actors.agent_code import PLAIN
from soliton_encirclement_ros.cli.processes import node_factory
from soliton_encirclement_ros.cli.processes.node_factory import make_node, make_nodes
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    NodeSpec,
    PlanOptions,
    body_spec,
    swarm_plan,
)
from soliton_encirclement_ros.core.states.shared_steps import unified
from soliton_encirclement_ros.sim.compilation import compiled_agent
from velocity_mobility_ros.core.errors import ParameterError

pytestmark = pytest.mark.ros

SMALL = Scenario().with_changes({'run': {'num_agents': 2}}, 'test')


def test_remappings_of_the_plan_are_followed(ros):
    spec = NodeSpec('mobility_node', '/uav_1', {}, (('odom', '/elsewhere/odom'),))
    node = ros.add(make_node(spec))
    assert '/elsewhere/odom' in {publisher.topic_name for publisher in node.publishers}


def test_machine_code_is_there_before_any_node_waits_for_others(monkeypatch):
    """A world counts the time until its members appear from the moment when it is made."""
    happened = []

    def agent_code(setup, is_filtered):
        happened.append((setup.control.controller, is_filtered))
        return PLAIN

    monkeypatch.setattr(compiled_agent, 'agent_code', agent_code)
    monkeypatch.setattr(node_factory, 'MANY_AGENTS', 2)
    monkeypatch.setattr(
        node_factory, 'make_node', lambda spec, **more: happened.append(spec.executable)
    )
    flown = SMALL.with_changes({'control': {'controller': 'soliton'}}, 'test')
    make_nodes(swarm_plan(flown, PlanOptions(record=False, monitor=False)))
    assert happened[0] == ('soliton', True)
    assert sorted(map(str, happened[1:])) == [
        'adversary_node', 'agent_node', 'agent_node', 'target_node', 'world_node'
    ]  # fmt: skip


def test_if_one_node_cannot_start_the_others_are_taken_down(ros, monkeypatch):
    made = []
    make = node_factory.make_node
    monkeypatch.setattr(
        node_factory, 'make_node', lambda spec: made.append(make(spec)) or made[-1]
    )
    plan = [body_spec(SMALL, 'uav_1'), NodeSpec('mobility_node', '/uav_2', {'tau_xy': 0.0})]
    with pytest.raises(ParameterError, match=r'tau_xy = 0.0'):
        make_nodes(plan)
    (first,) = made
    ros.until(
        lambda: '/uav_1/mobility_node' not in ros.tester.get_node_names(), 'the first to be gone'
    )
    with pytest.raises(Exception, match=r'(?i)destr'):
        first.create_publisher(type(first), 'x', 1)


@pytest.mark.parametrize(('agents', 'is_shared'), [(1, False), (2, True)])
def test_only_several_agents_of_a_process_share_results(ros, tmp_path, agents, is_shared):
    plan = swarm_plan(SMALL, PlanOptions(run_folder=str(tmp_path)))
    some = [spec for spec in plan if spec.executable == 'agent_node'][:agents]
    for node in make_nodes(some):
        ros.add(node)
    first, second = {1: 'one'}, {1: 'one'}
    assert unified(first, 7.0) is first
    assert (unified(second, 7.0) is first) is is_shared
