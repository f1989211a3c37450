"""Parameters of the nodes of a swarm, and the log line with them at the start of a node.

The fleet of a node is that of its namespace, unless a parameter sets it. The number of an agent is
a parameter, or the k of its namespace ``uav_k``.
"""

from dataclasses import dataclass

from rclpy.node import Node
from rclpy.publisher import Publisher

from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.parameters.control_parameters import CONTROLLER_NAMES
from soliton_encirclement_ros.core.parameters.run_parameters import (
    IN_LOCKSTEP, IN_REAL_TIME, MAX_OBSERVERS, SafetyParameters
)
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import (
    LARGEST_ID, MONITOR, RECORDER, Fleet, fleet_above, fleet_in, named_fleet, uav_id
)
from soliton_encirclement_ros.nodes.observers.recorder_parameters import RecorderParameters
from soliton_encirclement_ros.safety.filter_records import MUTUAL, STRANGER
from velocity_mobility_ros.core.coordinate_frames import (
    check_distinct, check_frame_name, check_odom_frame
)
from velocity_mobility_ros.core.parameter_declaration import (
    LARGEST_COORDINATE, Parameters, parameter
)
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED
from velocity_mobility_ros.core.user_errors import ParameterError, counted
from velocity_mobility_ros.ros_io.endpoints import is_read_by
from velocity_mobility_ros.ros_io.messages.vehicle_input import TWIST_FRAMES
from velocity_mobility_ros.ros_io.ros_parameters import declare
from velocity_mobility_ros.ros_io.vehicle_topics import BASE_FRAME, MAP_FRAME


@dataclass(frozen=True)
class ActorParameters(Parameters):
    """Common settings of a member of the swarm."""

    seed: int = parameter(0, 'seed of the run', minimum=0, maximum=LARGEST_SEED)
    lockstep: bool = parameter(False, 'tick with the world; false: with a timer')
    recorders: int = parameter(
        0, 'recorders that lockstep waits for at the start', minimum=0, maximum=MAX_OBSERVERS,
        **IN_LOCKSTEP,
    )  # fmt: skip
    monitors: int = parameter(
        0, 'monitors that lockstep waits for at the start', minimum=0, maximum=MAX_OBSERVERS,
        **IN_LOCKSTEP,
    )  # fmt: skip
    medium: bool = parameter(
        False, 'real time: receive through the simulated radio', **IN_REAL_TIME
    )
    enable_stamped_cmd_vel: bool = parameter(
        False, 'real time: publish cmd_vel as TwistStamped; false: Twist', **IN_REAL_TIME
    )
    odom_timeout: float = parameter(
        0.5, 'real time: age of the odometry beyond which no command is sent', unit='s',
        above=0.0, maximum=60.0, **IN_REAL_TIME,
    )  # fmt: skip
    stamp_tolerance: float = parameter(
        2.0, 'real time: largest difference of a stamp from the clock', unit='s', above=0.0,
        **IN_REAL_TIME,
    )  # fmt: skip


PLACE = {'unit': 'm', 'minimum': -LARGEST_COORDINATE, 'maximum': LARGEST_COORDINATE}
"""Limit of a frame's origin; positions farther away are refused by all receivers."""


@dataclass(frozen=True)
class OdometryParameters(Parameters):
    """Accepted frames of a member's odometry; in lockstep it is in map."""

    odom_frame: str = parameter(
        'map', 'real time: odometry frame placed in map by odom_origin_*; other frames by tf2',
        **IN_REAL_TIME,
    )  # fmt: skip
    odom_child_frame: str = parameter(
        '', 'real time: child frame of the odometry; empty: NAMESPACE/base_link or base_link',
        **IN_REAL_TIME,
    )  # fmt: skip
    odom_twist_frame: str = parameter(
        BASE_FRAME, "real time: frame of the odometry's twist; map: that of its pose",
        choices=TWIST_FRAMES, **IN_REAL_TIME,
    )  # fmt: skip
    odom_origin_x: float = parameter(0.0, 'origin of odom_frame in map', **PLACE, **IN_REAL_TIME)
    odom_origin_y: float = parameter(0.0, 'origin of odom_frame in map', **PLACE, **IN_REAL_TIME)
    odom_origin_z: float = parameter(0.0, 'origin of odom_frame in map', **PLACE, **IN_REAL_TIME)
    odom_origin_yaw: float = parameter(
        0.0, 'heading of odom_frame in map', unit='rad', **IN_REAL_TIME
    )

    def __post_init__(self) -> None:
        """Refuse a frame without a name: odometry in none is refused as well."""
        super().__post_init__()
        if not self.odom_frame:
            raise ParameterError("odom_frame = '' must name a frame: map, or that of the odometry")
        check_frame_name('odom_frame', self.odom_frame)
        check_frame_name('odom_child_frame', self.odom_child_frame)


@dataclass(frozen=True)
class MonitorParameters(Parameters):
    """Input and output settings of the monitor."""

    lockstep: bool = parameter(False, 'collect messages by tick')
    ground_truth: bool = parameter(
        False, 'lockstep: metrics are those of ground_truth, which the world publishes',
        **IN_LOCKSTEP,
    )  # fmt: skip
    run_folder: str = parameter('', 'folder of tables and summary; empty: none')
    scenario_name: str = parameter('default', 'name of the scenario, for the summary')
    controller: str = parameter(CONTROLLER_NAMES[0], 'law of the agents')
    adversary_enable: bool = parameter(True, 'whether an adversary takes part')
    target_broadcasts: bool = parameter(
        True, 'the target broadcasts its state; false: agents estimate it'
    )
    world: bool = parameter(True, 'a simulated world takes part; the run ends with it')
    watch_duration: float = parameter(
        0.0, 'without a world: duration of the run; 0: until stopped', unit='s', minimum=0.0,
        only_with={'world': False},
    )  # fmt: skip
    marker_period: float = parameter(0.2, 'time between two marker messages', unit='s', above=0.0)
    stamp_tolerance: float = parameter(
        2.0, 'real time: largest difference of a stamp from the clock', unit='s', above=0.0,
        **IN_REAL_TIME,
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse lockstep without a world, and a summary without data."""
        super().__post_init__()
        if self.lockstep and not self.world:
            raise ParameterError(
                'world = false must be true in lockstep, whose ticks are those of a world; or '
                'set lockstep to false'
            )
        if not self.scenario_name:
            raise ParameterError("scenario_name = '' must name the scenario, for the summary")


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


@dataclass(frozen=True)
class WorldMode(Parameters):
    """Lockstep or real time, and the observers."""

    lockstep: bool = parameter(True, 'wait for every answer; false: run by the clock')
    recorders: int = parameter(
        0, 'recorders that a lockstep run waits for', minimum=0, maximum=MAX_OBSERVERS,
        **IN_LOCKSTEP,
    )  # fmt: skip
    monitors: int = parameter(
        0, 'monitors that a lockstep run waits for', minimum=0, maximum=MAX_OBSERVERS,
        **IN_LOCKSTEP,
    )  # fmt: skip
    medium: bool = parameter(
        False, 'real time: forward states through the simulated radio', **IN_REAL_TIME
    )
    enable_stamped_cmd_vel: bool = parameter(
        False, 'real time: cmd_vel is TwistStamped; false: Twist', **IN_REAL_TIME
    )
    cmd_vel_timeout: float = parameter(
        0.5, 'real time: time without a command after which a body stops; 0: never',
        unit='s', minimum=0.0, **IN_REAL_TIME,
    )  # fmt: skip
    stay: bool = parameter(
        False, 'real time: after the run go on until asked to end, so that nobody misses odometry',
        **IN_REAL_TIME,
    )  # fmt: skip
    publish_tf: bool = parameter(True, 'publish transforms, if tf2_msgs is installed')
    odom_frame: str = parameter(
        '', 'real time: odometry frame, with its origin at the start; odom: uav_k/odom; empty: map'
    )

    def __post_init__(self) -> None:
        """Refuse frames that lockstep, whose members accept odometry in map, does not have.

        The frame of the odometry is not that of the body, which moves in it.
        """
        super().__post_init__()
        check_frame_name('odom_frame', self.odom_frame)
        check_odom_frame(self.odom_frame, MAP_FRAME)
        check_distinct({'odom_frame': self.odom_frame, 'the body': BASE_FRAME})
        if self.lockstep and self.odom_frame:
            raise ParameterError(
                f'odom_frame = {self.odom_frame!r} must be empty in lockstep, where odometry is '
                'in map; set lockstep to false'
            )


def agent_line(agent_id: int, setup: Setup) -> str:
    """Return name, law and limits of an agent."""
    swarm, limits = setup.swarm, setup.limits
    return (
        f'agent {agent_id}: law {setup.control.controller}, '
        f'ring of {swarm.encirclement_radius:g} m, '
        f'limits {limits.max_speed_xy:g} m/s horizontal and {limits.max_speed_z:g} m/s vertical, '
        f'timeouts {swarm.agent_state_timeout:g} s for agents and '
        f'{swarm.target_state_timeout:g} s for the target'
    )


def safety_line(
    agent_id: int, safety: SafetyParameters, settings: SafetyNodeParameters, topic: str
) -> str:
    """Return number, distance and input of the filter of a vehicle."""
    text = f'keeps {safety.separation_distance:g} m from others'
    return (
        f'vehicle {agent_id}: {text if safety.separation_filter else "filter off"}, commands in '
        f'{settings.cmd_vel_frame} from {topic} (timeout {settings.cmd_vel_timeout:g} s)'
    )


def member_line(
    swarm: SwarmParameters,
    member: ActorParameters,
    odometry: OdometryParameters,
    topics: tuple[str, str],
) -> str:
    """Return the settings of a member; ``topics`` are those of odometry and commands."""
    odom, cmd_vel = topics
    period = f'every {swarm.control_period:g} s'
    if member.lockstep:
        return f'{period} with the world (lockstep), TwistStamped on {cmd_vel}, odometry on {odom}'
    kind = 'TwistStamped' if member.enable_stamped_cmd_vel else 'Twist'
    frame = odometry.odom_frame
    frames = f'in {frame}' if frame == MAP_FRAME else f'in {frame}, placed in {MAP_FRAME}'
    link = 'through the simulated radio' if member.medium else 'directly'
    return (
        f'{period} in real time, {kind} on {cmd_vel}, odometry on {odom} {frames} '
        f'(timeout {member.odom_timeout:g} s), receives the others {link}'
    )


def world_line(scenario: Scenario, mode: WorldMode, members: tuple[str, ...]) -> str:
    """Return the simulated members, the mode, and the seed."""
    run = scenario.run
    if not mode.lockstep:
        mode_text = 'real time, the radio ' + ('simulated' if mode.medium else 'not simulated')
    elif run.real_time_factor > 0.0:
        mode_text = f'lockstep at {run.real_time_factor:g} times real time'
    else:
        mode_text = 'lockstep as fast as possible'
    bodies = f'{counted(len(members), "body")} ({named(members)})'
    return f'{bodies}, {mode_text}, {run.sim_duration:g} s, seed {run.seed}'


def monitor_line(scenario: Scenario, mode: MonitorParameters) -> str:
    """Return the observed members, the duration, and the folder of the tables."""
    mode_text = 'lockstep' if mode.lockstep else 'real time'
    if mode.world:
        end = 'until the world ends'
    else:
        end = f'for {mode.watch_duration:g} s' if mode.watch_duration else 'until it is stopped'
    where = f'writes to {mode.run_folder}' if mode.run_folder else 'writes no tables'
    agents = f'{counted(scenario.run.num_agents, "agent")} in {mode_text}, law {mode.controller}'
    return f'watches {agents}, {end}; {where}'


def recorder_line(folder: str, settings: RecorderParameters) -> str:
    """Return the path of the bag and the recorded topics."""
    less = f' without {settings.exclude}' if settings.exclude else ''
    times = 'simulated time' if settings.lockstep else 'time of arrival'
    return f'records {settings.include}{less} to {folder}, logged at {times}'


@dataclass(frozen=True)
class FleetParameters(Parameters):
    """Namespace of the swarm's topics."""

    swarm_namespace: str = parameter(
        '',
        'namespace of the fleet, / for the root; empty: parent namespace of a member, '
        'own namespace of world, monitor and recorder',
    )

    def __post_init__(self) -> None:
        """Refuse an invalid namespace."""
        super().__post_init__()
        named_fleet(self.swarm_namespace, 'swarm_namespace')


def fleet_of_member(node: Node) -> Fleet:
    """Declare the parameter and return the fleet of an agent, target or adversary."""
    return _fleet(node, fleet_above(node.get_namespace()))


def fleet_of_observer(node: Node, lockstep: bool) -> Fleet:
    """Declare the parameter and return the fleet of a world, monitor or recorder.

    Args:
        node: The node.
        lockstep: Whether the other nodes wait for it, and find it by its namespace.

    Raises:
        ParameterError: The namespace is invalid, or in lockstep not the node's own.
    """
    own = fleet_in(node.get_namespace())
    fleet = _fleet(node, own)
    if lockstep and fleet != own:
        raise ParameterError(
            f'{node.get_fully_qualified_name()}: swarm_namespace = {fleet.namespace or "/"!r} '
            'must be the own namespace in lockstep, where the others look for the node there; '
            f'start it in that one (-r __ns:={fleet.namespace or "/"})'
        )
    return fleet


def _fleet(node: Node, by_namespace: Fleet) -> Fleet:
    text = declare(node, FleetParameters).swarm_namespace
    return named_fleet(text, 'swarm_namespace') if text else by_namespace


def is_observed(
    node: Node, fleet: Fleet, publisher: Publisher, recorders: int, monitors: int = 0
) -> bool:
    """Return whether so many recorders and monitors of a fleet subscribe to a publisher."""
    return all(
        is_read_by(node, publisher, fleet.full_name(name), count)
        for name, count in ((MONITOR, monitors), (RECORDER, recorders))
    )


def agent_number(node: Node, given: int) -> int:
    """Return an agent's number, as given or from its namespace, which must not differ.

    Args:
        node: The agent's node.
        given: The number; 0: from the namespace.

    Raises:
        ParameterError: There is none, or two that differ.
    """
    namespace = node.get_namespace()
    named = uav_id(namespace.rpartition('/')[2])
    if named == 0:
        raise ParameterError(
            f'namespace {namespace!r} names agent 0, but agents are numbered from 1; start the '
            'node in a namespace such as /uav_1 (-r __ns:=/uav_1)'
        )
    if named is None and not given:
        raise ParameterError(
            f'agent_id = 0 and namespace {namespace!r} names no agent; start the node '
            'in a namespace such as /uav_1 (-r __ns:=/uav_1) or set agent_id'
        )
    if named and given and named != given:
        raise ParameterError(
            f'agent_id = {given} and namespace {namespace!r} differ; leave agent_id out '
            f'or start the node in a namespace such as /uav_{given} (-r __ns:=/uav_{given})'
        )
    return given or named
