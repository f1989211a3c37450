"""Checks of a scenario across its sections; every refusal is one line.

Schedules have a syntax, names of members and start times. Sensors of all members, and what is seen
of a target that broadcasts nothing, fit the run. A run with the original's random numbers uses
only the original's features.
"""

from collections.abc import Iterable, Sequence

from velocity_mobility_ros.core.velocity_model import MobilityParameters

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.run_parameters import RadioParameters, RunParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    FailureParameters,
    PathChoices,
    SwarmParameters,
)
from soliton_encirclement_ros.core.parameters.target_parameters import (
    SightParameters,
    TargetParameters,
)
from soliton_encirclement_ros.core.radio_links import NAME as PARTITIONS
from soliton_encirclement_ros.core.radio_links import Partitions
from soliton_encirclement_ros.core.radio_medium import NAME as BYZANTINE
from soliton_encirclement_ros.core.radio_medium import Byzantine
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE
from soliton_encirclement_ros.core.schedules import (
    NAME as OUTAGES,
)
from soliton_encirclement_ros.core.schedules import (
    check_schedule,
    parse_windows,
    to_member,
)
from soliton_encirclement_ros.core.states.swarm_topics import uav_id


def check_texts(
    members: Sequence[str], radio: RadioParameters, failure: FailureParameters
) -> None:
    """Check all schedules.

    Args:
        members: Names of all members.
        radio: Holds partitions and byzantine agents.
        failure: Holds the scheduled outages.

    Raises:
        ScenarioError: A schedule has a syntax error, or names a member not in the scenario.
    """
    Partitions(radio.partitions, members)
    Byzantine(radio.byzantine, 0, members)
    agents = [member for member in members if uav_id(member) is not None]
    check_schedule(failure.failure_schedule, agents)


def late_texts(duration: float, radio: RadioParameters, failure: FailureParameters) -> list[str]:
    """Return one line per schedule that starts after the end of the run.

    Args:
        duration: Length of the run [s].
        radio: Holds partitions and byzantine agents.
        failure: Holds the scheduled outages.
    """
    texts = {PARTITIONS: radio.partitions, BYZANTINE: radio.byzantine,
             OUTAGES: failure.failure_schedule}  # fmt: skip
    found = []
    for name, text in texts.items():
        first = min((window.begin for window in parse_windows(text, name)), default=0.0)
        if first >= duration:
            found.append(
                f'{name} begins at {first:g} s, after the end of the run '
                f'(run.sim_duration = {duration:g} s)'
            )
    return found


LATENCIES = ('odom_latency', 'command_latency')


def check_sensing(run: RunParameters, vehicles: Iterable[MobilityParameters]) -> None:
    """Refuse latencies as long as the run, and sensors in a flight of the original.

    Args:
        run: The run.
        vehicles: The vehicles of all members, each kind once.

    Raises:
        ScenarioError: A value is refused.
    """
    for vehicle in vehicles:
        for name in LATENCIES:
            latency = getattr(vehicle, name)
            if latency >= run.sim_duration:
                raise ScenarioError(
                    f'mobility.{name} = {latency} s must be shorter than the run, '
                    f'run.sim_duration = {run.sim_duration} s'
                )
        if run.rng == REFERENCE and not vehicle.is_perfect:
            raise ScenarioError(
                f"run.rng = '{REFERENCE}': the original experiment has no noise, drift, dropouts "
                'or latency of odometry and commands; set them to 0 in mobility and vehicle files'
            )


UNSEEN = 'sight.cooperative = false: the target broadcasts nothing'


def check_sight(
    sight: SightParameters, run: RunParameters, target: TargetParameters, agents: Sequence[str]
) -> None:
    """Refuse what only a broadcast of the target could tell the agents.

    Args:
        sight: What agents measure of the target.
        run: The run.
        target: The target.
        agents: Names of all agents.

    Raises:
        ScenarioError: A value is refused.
    """
    if sight.cooperative:
        return
    for word in sight.blind_agents.split():
        to_member(word, agents, 'sight.blind_agents')
    if run.rng == REFERENCE:
        raise ScenarioError(
            f"run.rng = '{REFERENCE}' with sight.cooperative = false: in the original experiment "
            'the target broadcasts its state; remove one of the two'
        )
    if target.protection_angle_deg != 360.0:
        raise ScenarioError(
            f'target.protection_angle_deg = {target.protection_angle_deg:g} deg with {UNSEEN}, '
            'so agents do not know the weights of the arcs; set it to 360'
        )
    if target.target_swarm_spin_enable:
        raise ScenarioError(
            f'target.target_swarm_spin_enable = true with {UNSEEN}, so it cannot turn the ring; '
            'set it to false, and sight.ring_omega_ref for a constant rate'
        )
    if target.target_swarm_omega_ref != 0.0:
        raise ScenarioError(
            f'target.target_swarm_omega_ref = {target.target_swarm_omega_ref:g} rad/s with '
            f'{UNSEEN}; set it to 0, and sight.ring_omega_ref to the rate'
        )


def sight_warnings(
    sight: SightParameters, swarm: SwarmParameters, agents: int, sections: bool = True
) -> list[str]:
    """Return warnings about a target that agents on the ring do not see, or not far enough.

    Args:
        sight: What agents measure of the target.
        swarm: Holds the radius and the control period.
        agents: Number of agents.
        sections: Whether names include their section; the parameters of a node have none.
    """
    if sight.cooperative:
        return []
    own, common, found = 'sight.' * sections, 'swarm.' * sections, []
    radius, reach = swarm.encirclement_radius, sight.sensor_range
    if reach < radius:
        found.append(
            f'{own}sensor_range = {reach:g} m is below {common}encirclement_radius = {radius:g} '
            'm: agents on the ring do not see the target'
        )
    if sight.bearing_rate * swarm.control_period > 1.0:
        found.append(
            f'{own}bearing_rate = {sight.bearing_rate:g} Hz: agents measure once per '
            f'{common}control_period = {swarm.control_period:g} s at most'
        )
    if agents < 3 and sight.range_noise is None:
        found.append(
            f'run.num_agents = {agents} with {own}range_noise = none: fewer than 3 agents can '
            'hardly tell how far the target is from bearings alone'
        )
    return found


def check_reference(
    run: RunParameters, radio: RadioParameters, failure: FailureParameters, paths: PathChoices
) -> None:
    """Refuse features that the original experiment does not have.

    Raises:
        ScenarioError: A run with the original's random numbers uses such a feature.
    """
    if run.rng != REFERENCE:
        return
    unsupported = {
        'radio.communication_jitter': radio.communication_jitter,
        'radio.clock_offset': radio.clock_offset,
        'radio.partitions': radio.partitions.strip(),
        'radio.byzantine': radio.byzantine.strip(),
        'failure.failure_schedule': failure.failure_schedule.strip(),
        'paths.target_path': paths.target_path.strip(),
        'paths.adversary_path': paths.adversary_path.strip(),
        'paths.agent_paths': paths.agent_paths.strip(),
    }
    for name, value in unsupported.items():
        if value:
            raise ScenarioError(
                f"{name} = {value!r} with run.rng = '{REFERENCE}': the original experiment "
                'does not have this feature; remove one of the two'
            )
