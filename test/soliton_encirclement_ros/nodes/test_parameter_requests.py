"""Requests to set parameters, sent to every kind of node: all answer alike, none ends of one."""

import pytest
from rclpy.node import Node

from soliton_encirclement_ros.nodes.actors.adversary_node import AdversaryNode
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.ros.graph import set_parameters
from velocity_mobility_ros.nodes.mobility_node import MobilityNode

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

KINDS = {
    AgentNode: ('/uav_1', 'control_period', 1.0),
    TargetNode: ('/target', 'control_period', 1.0),
    AdversaryNode: ('/adversary', 'control_period', 1.0),
    MobilityNode: ('/uav_1', 'initial_x', 1.0),
    WorldNode: (None, 'num_agents', 7),
    MonitorNode: (None, 'num_agents', 7),
    RecorderNode: (None, 'max_file_size', 7.0),
}


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def node(ros, tmp_path, request) -> Node:
    """Return a node of every kind."""
    given = {'run_folder': str(tmp_path)} if request.param is RecorderNode else {}
    return ros.make(request.param, KINDS[request.param][0], **given)


def test_what_a_node_holds_can_be_loaded_into_it_and_what_is_read_at_the_start_stays(ros, node):
    """The rules are those of ``TunableNode``: every kind of node follows them."""
    full = node.get_fully_qualified_name()
    held = {name: one.value for name, one in node.get_parameters_by_prefix('').items()}
    assert set(set_parameters(ros, full, **held)) == {''}
    _, name, value = KINDS[type(node)]
    (reason,) = set_parameters(ros, full, **{name: value})
    assert reason.startswith(f'{name} is read-only (at least ')
    assert reason.endswith('; restart the node to change it')
    (reason,) = set_parameters(ros, full, use_sim_tim=True)
    assert reason == "unknown parameter 'use_sim_tim'; did you mean 'use_sim_time'?"


@pytest.mark.parametrize(('kind', 'name'), [(WorldNode, 'tau_xy'), (AgentNode, 'tau_z')])
def test_a_lag_cannot_be_deleted_but_set_to_none(ros, kind, name):
    node = ros.make(kind, '/uav_1')
    full, held = node.get_fully_qualified_name(), node.get_parameter(name).value
    (reason,) = set_parameters(ros, full, **{name: None})
    assert reason == f'{name} cannot be deleted; set it to none for no value'
    assert node.get_parameter(name).value == held
    assert set_parameters(ros, full, **{name: 'none'}) == ['']
