"""Requests to set parameters, sent to every kind of node: all answer alike, none ends of one."""

import pytest
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.msg import ParameterValue
from rcl_interfaces.srv import SetParameters
from rclpy.node import Node
from soliton_encirclement_ros.nodes.actors.adversary_node import AdversaryNode
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from soliton_encirclement_ros.nodes.monitor.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.recorder.recorder_node import RecorderNode
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.ros.cockpit import Cockpit
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


def test_what_a_node_holds_can_be_loaded_into_it(ros, node):
    held = {name: one.value for name, one in node.get_parameters_by_prefix('').items()}
    assert set(set_parameters(ros, node.get_fully_qualified_name(), **held)) == {''}


def test_what_is_read_at_the_start_is_refused_with_the_reason(ros, node):
    _, name, value = KINDS[type(node)]
    (reason,) = set_parameters(ros, node.get_fully_qualified_name(), **{name: value})
    assert reason.startswith(f'{name} is read-only (at least ')
    assert reason.endswith('; restart the node to change it')


def test_a_value_of_no_known_type_and_an_unknown_name_are_refused(ros, node):
    name = node.get_fully_qualified_name()
    bad = ParameterMessage(name='use_sim_time', value=ParameterValue(type=99))
    request = SetParameters.Request(parameters=[bad])
    (result,) = ros.call(SetParameters, f'{name}/set_parameters', request).results
    assert not result.successful
    assert result.reason.startswith("'use_sim_time' has a value of type 99, must be ")
    (reason,) = set_parameters(ros, name, use_sim_tim=True)
    assert reason == "unknown parameter 'use_sim_tim'; did you mean 'use_sim_time'?"
    (reason,) = set_parameters(ros, name, use_sim_time=None)
    assert not node.get_parameter('use_sim_time').value and reason


@pytest.mark.parametrize(('kind', 'name'), [(WorldNode, 'tau_xy'), (AgentNode, 'tau_z')])
def test_a_lag_cannot_be_deleted_and_stays(ros, kind, name):
    node = ros.make(kind, '/uav_1')
    full, held = node.get_fully_qualified_name(), node.get_parameter(name).value
    (reason,) = set_parameters(ros, full, **{name: None})
    assert reason == f'{name} cannot be deleted; set it to none for no value'
    assert node.get_parameter(name).value == held
    assert set_parameters(ros, full, **{name: 'none'}) == ['']
    assert set_parameters(ros, full, **{name: 0.5}) == ['']


@pytest.mark.parametrize('name', ['k_radius', 'r_min'])
def test_a_gain_next_to_0_is_refused_in_flight(ros, name):
    cockpit = Cockpit(ros)
    (reason,) = set_parameters(ros, '/uav_1/agent', **{name: 1e-170})
    assert reason.startswith(f'{name} = 1e-170 must be at least 1e-12 ')
    assert set_parameters(ros, '/uav_1/agent', **{name: 1e-12}) == ['']
    cockpit.until(lambda: len(cockpit.commands) > 5, 'further commands')
