"""Start-up log line of every node, with its most important parameters."""

from velocity_mobility_ros.core.user_errors import counted
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.nodes.actors.actor_parameters import (
    ActorParameters,
    OdometryParameters,
)
from soliton_encirclement_ros.nodes.monitor.monitor_parameters import MonitorParameters
from soliton_encirclement_ros.nodes.recorder.recorder_parameters import RecorderParameters
from soliton_encirclement_ros.nodes.safety.safety_node_parameters import SafetyNodeParameters
from soliton_encirclement_ros.nodes.world.world_mode import WorldMode


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
    keeps = f'keeps {safety.separation_distance:g} m from others'
    return (
        f'vehicle {agent_id}: {keeps if safety.separation_filter else "filter off"}, commands in '
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
        way = 'real time, the radio ' + ('simulated' if mode.medium else 'not simulated')
    elif run.real_time_factor > 0.0:
        way = f'lockstep at {run.real_time_factor:g} times real time'
    else:
        way = 'lockstep as fast as possible'
    bodies = f'{counted(len(members), "body")} ({named(members)})'
    return f'{bodies}, {way}, {run.sim_duration:g} s, seed {run.seed}'


def monitor_line(scenario: Scenario, mode: MonitorParameters) -> str:
    """Return the observed members, the duration, and the folder of the tables."""
    way = 'lockstep' if mode.lockstep else 'real time'
    if mode.world:
        end = 'until the world ends'
    else:
        end = f'for {mode.watch_duration:g} s' if mode.watch_duration else 'until it is stopped'
    where = f'writes to {mode.run_folder}' if mode.run_folder else 'writes no tables'
    who = f'{counted(scenario.run.num_agents, "agent")} in {way}, law {mode.controller}'
    return f'watches {who}, {end}; {where}'


def recorder_line(folder: str, settings: RecorderParameters) -> str:
    """Return the path of the bag and the recorded topics."""
    less = f' without {settings.exclude}' if settings.exclude else ''
    times = 'simulated time' if settings.lockstep else 'time of arrival'
    return f'records {settings.include}{less} to {folder}, logged at {times}'
