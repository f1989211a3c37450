"""Parameters of the separation filter of a vehicle that somebody else commands."""

from dataclasses import dataclass

from rclpy.node import Node
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

from soliton_encirclement_ros.core.states.swarm_topics import LARGEST_ID
from soliton_encirclement_ros.safety.filter_records import MUTUAL, STRANGER

KINDS = {'stranger': STRANGER, 'filtered': MUTUAL}


@dataclass(frozen=True)
class SafetyNodeParameters(Parameters):
    """Interface of the node."""

    agent_id: int = parameter(
        0, 'number k of uav_k; 0: from the namespace', minimum=0, maximum=LARGEST_ID
    )
    publish_state: bool = parameter(
        True, 'publish where the vehicle is; false: an agent with this number does'
    )
    ring_member: bool = parameter(
        False, 'whether agents leave the vehicle a place on their ring',
        only_with={'publish_state': True},
    )  # fmt: skip
    cmd_vel_timeout: float = parameter(
        0.5, 'time without a command after which the command is zero', unit='s', above=0.0,
        runtime=True,
    )  # fmt: skip
    cmd_vel_frame: str = parameter(
        MAP_FRAME, 'frame of input and output; a TwistStamped in another one is refused',
        choices=('map', 'base_link'),
    )  # fmt: skip
    odometry_topics: str = parameter(
        '', 'odometry of vehicles that publish no agent states, separated by commas'
    )
    odometry_kind: str = parameter(
        'stranger', 'what these do: strangers do not avoid anybody; filtered ones run this filter',
        choices=tuple(KINDS),
    )  # fmt: skip


def check_lockstep(node: Node, lockstep: bool) -> None:
    """Refuse to tick with the world, which does not wait for the controller of a vehicle.

    Raises:
        ParameterError: It is asked for.
    """
    if lockstep:
        raise ParameterError(
            f'{node.get_fully_qualified_name()}: lockstep = true must be false: the commands of '
            'a controller come in real time, or with use_sim_time in the time of /clock'
        )
