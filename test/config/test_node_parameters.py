"""Node parameter files: every parameter as it is declared, and the nodes start from them."""

from pathlib import Path

import pytest
import yaml

from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, FailureParameters, MemberPath, SwarmParameters
)
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode, AgentNodeParameters
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from soliton_encirclement_ros.nodes.actors.telemetry_output import TelemetryParameters
from soliton_encirclement_ros.nodes.node_parameters import (
    ActorParameters, FleetParameters, OdometryParameters, SafetyNodeParameters
)
from support.ros.graph import Ros, domain, ros
from support.ros.node_names import NODE_NAMES
from velocity_mobility_ros.autopilot.engage.engage_records import EngageParameters
from velocity_mobility_ros.autopilot.setpoint_limits import GuidanceParameters
from velocity_mobility_ros.autopilot.swarm_frame import FrameParameters
from velocity_mobility_ros.core.parameter_declaration import Declaration, declarations
from velocity_mobility_ros.core.velocity_model import MobilityParameters
from velocity_mobility_ros.nodes.autopilot.bridge_odometry import BridgeNodeParameters
from velocity_mobility_ros.nodes.mobility_node import MobilityNode, MobilityNodeParameters
from velocity_mobility_ros.nodes.trajectory_node import TrajectoryNode, TrajectoryNodeParameters
from velocity_mobility_ros.nodes.twist_limiter_node import (
    TwistLimiterNode, TwistLimiterNodeParameters, TwistLimitParameters
)
from velocity_mobility_ros.ros_io.autopilot.ardupilot_link import ArduPilotLinkParameters
from velocity_mobility_ros.ros_io.autopilot.mavros_link import MavrosLinkParameters
from velocity_mobility_ros.ros_io.autopilot.px4_link import Px4LinkParameters

__all__ = ['domain', 'ros']

pytestmark = pytest.mark.ros

RECORDS = {
    'agent_node': (
        AgentNodeParameters,
        TelemetryParameters,
        ActorParameters,
        OdometryParameters,
        FleetParameters,
        SwarmParameters,
        record_of('control'),
        PropagationParameters,
        CommandLimits,
        FailureParameters,
        MemberPath,
        SafetyParameters,
        record_of('target_sensing'),
    ),
    'safety_node': (
        SafetyNodeParameters,
        TelemetryParameters,
        SafetyParameters,
        CommandLimits,
        SwarmParameters,
        ActorParameters,
        OdometryParameters,
        FleetParameters,
    ),
    'mobility_node': (MobilityParameters, MobilityNodeParameters),
    'twist_limiter_node': (TwistLimitParameters, TwistLimiterNodeParameters),
    'trajectory_node': (TrajectoryNodeParameters,),
}
BRIDGE_RECORDS = (
    BridgeNodeParameters, EngageParameters, GuidanceParameters, FrameParameters
)  # fmt: skip
BRIDGES = {
    'px4_bridge_node': (*BRIDGE_RECORDS, Px4LinkParameters),
    'ardupilot_bridge_node': (*BRIDGE_RECORDS, ArduPilotLinkParameters),
    'mavros_bridge_node': (*BRIDGE_RECORDS, MavrosLinkParameters),
}
"""Nodes that start only where the messages of their autopilot are installed."""

NODES = {
    'agent_node': AgentNode,
    'safety_node': SafetyNode,
    'mobility_node': MobilityNode,
    'twist_limiter_node': TwistLimiterNode,
    'trajectory_node': TrajectoryNode,
}


def path_of(repository: Path, executable: str) -> Path:
    """Return the parameter file of an executable."""
    return repository / 'config' / 'nodes' / f'{executable}.yaml'


def lines_of(declaration: Declaration) -> list[str]:
    """Return how a parameter stands in a file: meaning and bound, then the default."""
    default = '.nan' if declaration.default is None else yaml.safe_dump(declaration.default)
    change = '; may change while the node runs' if declaration.runtime else ''
    return [
        f'    # {declaration.meaning}; {declaration.bound}{change}',
        f'    {declaration.name}: {default.partition(chr(10))[0]}',
    ]


@pytest.mark.parametrize('executable', [*RECORDS, *BRIDGES])
def test_file_says_what_is_declared(repository: Path, executable: str) -> None:
    """To mend a file after a change of the records, write the lines that this test wants."""
    wanted = ['/**:', '  ros__parameters:']
    for record in (RECORDS | BRIDGES)[executable]:
        for declaration in declarations(record).values():
            wanted += lines_of(declaration)
    lines = path_of(repository, executable).read_text(encoding='utf-8').splitlines()
    assert lines[lines.index('/**:') :] == wanted


@pytest.mark.parametrize('executable', RECORDS)
def test_a_node_starts_from_its_file_which_has_all_it_declares(
    ros: Ros, repository: Path, executable: str
) -> None:
    """ROS reads the file, the node takes every value, and adds nothing but what ROS adds."""
    path = path_of(repository, executable)
    given = ['--ros-args', '--params-file', str(path)]
    node = ros.add(NODES[executable](namespace='/uav_1', cli_args=given))
    assert node.get_name() == NODE_NAMES[executable]
    values = yaml.safe_load(path.read_text(encoding='utf-8'))['/**']['ros__parameters']
    for name, value in values.items():
        assert node.get_parameter(name).value == pytest.approx(
            value, rel=0.0, abs=0.0, nan_ok=True
        )
    declared = set(node.get_parameters_by_prefix('')) - set(values)
    assert {name for name in declared if not name.startswith('qos_overrides.')} <= {
        'use_sim_time', 'start_type_description_service'
    }  # fmt: skip
