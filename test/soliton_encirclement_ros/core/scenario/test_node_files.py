"""Parameter files of a launch: who gets them, and what is refused before anything starts."""

import pytest

from soliton_encirclement_ros.core.scenario.launch_arguments import node_files
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from velocity_mobility_ros.core.user_errors import MobilityError

PLAN = [
    NodeSpec('agent_node', 'uav_1', {}), NodeSpec('px4_bridge_node', 'uav_1', {}),
    NodeSpec('agent_node', 'uav_2', {}), NodeSpec('px4_bridge_node', 'uav_2', {}),
]  # fmt: skip


def test_params_file_is_for_the_first_node_and_bridge_file_for_the_bridges(tmp_path):
    own, bridge = tmp_path / 'own.yaml', tmp_path / 'bridge.yaml'
    own.touch()
    bridge.touch()
    found = node_files(PLAN, str(own), str(bridge))
    assert found == [[str(own)], [str(bridge)], [], [str(bridge)]]
    assert node_files(PLAN) == [[], [], [], []]
    assert node_files([]) == []


@pytest.mark.parametrize('argument', ['params_file', 'bridge_file'])
def test_a_file_that_is_not_there_is_refused(argument):
    with pytest.raises(MobilityError, match='nosuch'):
        node_files(PLAN, **{argument: 'nosuch.yaml'})
