"""Parameters of nodes that are given under their old names: they count, and the log says so."""

import pytest

from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.ros.graph import Ros
from support.ros.told import Told

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]


@pytest.mark.parametrize(('kind', 'namespace', 'old', 'new', 'value'), [
    (AgentNode, '/uav_1', 'hops', 'ring_hops', 5),
    (AgentNode, '/uav_1', 'cooperative', 'target_broadcasts', False),
    (AgentNode, '/uav_1', 'silent_run_on', 'silent_flight_time', 1.5),
    (SafetyNode, '/uav_1', 'silent_run_on', 'silent_flight_time', 1.5),
    (MonitorNode, '/', 'cooperative', 'target_broadcasts', False),
    (MonitorNode, '/', 'silent_run_on', 'silent_flight_time', 1.5),
    (WorldNode, '/', 'cooperative', 'target_broadcasts', False),
])  # fmt: skip
def test_a_parameter_under_its_old_name_counts_and_is_warned_of(
    ros: Ros, kind: type, namespace: str, old: str, new: str, value: object
) -> None:
    told = Told(ros)
    node = ros.make(kind, namespace, **{old: value})
    assert node.get_parameter(new).value == value and not node.has_parameter(old)
    logger, line = node.get_logger().name, f'parameter {old} is now {new}; rename it'
    ros.until(lambda: told.logged(logger, line), 'the warning')
    assert told.lines(logger).count(line) == 1
