"""Nodes from a plan, for one process."""

import threading

import pytest

from soliton_encirclement_ros.cli.runs import node_host
from soliton_encirclement_ros.cli.runs.node_host import make_node, make_nodes
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    NodeSpec, PlanOptions, body_spec, swarm_plan
)
from soliton_encirclement_ros.sim.compilation import agent_rows
from velocity_mobility_ros.core.user_errors import ParameterError

pytestmark = pytest.mark.ros

SMALL = Scenario().with_changes({'run': {'num_agents': 2}}, 'test')


def test_remappings_of_the_plan_are_followed(ros):
    spec = NodeSpec('mobility_node', '/uav_1', {}, (('odom', '/elsewhere/odom'),))
    node = ros.add(make_node(spec))
    assert '/elsewhere/odom' in {publisher.topic_name for publisher in node.publishers}


def test_machine_code_is_loaded_while_nodes_are_made_and_they_wait_for_it(monkeypatch):
    loaded, asked, go_on = [], [], threading.Event()

    def load(own, waits):
        assert go_on.wait(10.0)
        loaded.append((own.setup.control.controller, waits))

    monkeypatch.setattr(agent_rows, 'load_agents', load)
    monkeypatch.setattr(agent_rows, 'find_code', lambda own, waits: asked.append(own) or waits)
    monkeypatch.setattr(node_host, 'FEW_AGENTS', 2)
    groups = []
    monkeypatch.setattr(
        node_host, 'make_node', lambda spec, **more: groups.append(more.get('group'))
    )
    flown = SMALL.with_changes({'control': {'controller': 'soliton'}}, 'test')
    make_nodes(swarm_plan(flown, PlanOptions(record=False, monitor=False)))
    group = next(one for one in groups if one is not None)
    assert loaded == []
    go_on.set()
    assert group.find_code('an agent') is False
    assert loaded == [('soliton', False)] and asked == ['an agent']


def test_if_one_node_cannot_start_the_others_are_taken_down(ros, monkeypatch):
    made = []
    make = node_host.make_node
    monkeypatch.setattr(
        node_host, 'make_node', lambda spec: made.append(make(spec)) or made[-1]
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
