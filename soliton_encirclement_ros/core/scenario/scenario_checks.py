"""Checks of a scenario across its sections; every refusal is one line.

Schedules have a syntax, names of members and start times. Sensors of all members, and what is seen
of a target that broadcasts nothing, fit the run. A run with the original's random numbers uses
only the original's features.
"""

from typing import Any

from soliton_encirclement_ros.core.byzantine_agents import byzantine_windows
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.radio_loss_and_delay import splits_of
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE
from soliton_encirclement_ros.core.schedules import check_schedule, to_member
from soliton_encirclement_ros.core.states.swarm_topics import uav
from velocity_mobility_ros.core.step_time import whole_ratio

MAX_SUBSTEPS = 1000

LATENCIES = ('odom_latency', 'command_latency')

UNSEEN = 'target_sensing.target_broadcasts = false: the target broadcasts nothing'


def check_scenario(scenario: Any) -> None:
    """Refuse sections that do not fit together.

    Raises:
        ScenarioError: The control period is not a whole number of mobility updates, or too
            many, or longer than the run; a schedule is invalid; a latency is as long as the run;
            agents would have to be told what only a broadcast of the target could tell them; a
            run with the original's random numbers uses a feature that the original does not have.
    """
    run, period, update = (
        scenario.run, scenario.swarm.control_period, scenario.mobility.update_rate
    )  # fmt: skip
    ratio = whole_ratio(period, update)
    if ratio is None or ratio > MAX_SUBSTEPS:
        raise ScenarioError(
            f'swarm.control_period = {period} s must be a whole multiple (at most '
            f'{MAX_SUBSTEPS}) of mobility.update_rate = {update} s'
        )
    if run.sim_duration < period:
        raise ScenarioError(
            f'run.sim_duration = {run.sim_duration:g} s must be at least '
            f'swarm.control_period = {period} s'
        )
    agents = [*map(uav, scenario.agent_ids)]
    splits_of(scenario.radio.partitions, scenario.members)
    byzantine_windows(scenario.radio.byzantine, scenario.members)
    check_schedule(scenario.failure.failure_schedule, agents)
    if run.rng == REFERENCE:
        _check_reference(scenario)
    scenario.planned_paths  # noqa: B018  (refuses paths that cannot be flown)
    for vehicle in dict.fromkeys([scenario.mobility, *scenario.own_vehicles.values()]):
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
    if not scenario.target_sensing.target_broadcasts:
        for word in scenario.target_sensing.blind_agents.split():
            to_member(word, agents, 'target_sensing.blind_agents')
        _check_unseen(scenario)


def _check_reference(scenario: Any) -> None:
    """Refuse features that the original experiment does not have."""
    radio, paths = scenario.radio, scenario.paths
    unsupported = {
        'radio.communication_jitter': radio.communication_jitter,
        'radio.clock_offset': radio.clock_offset,
        'radio.partitions': radio.partitions.strip(),
        'radio.byzantine': radio.byzantine.strip(),
        'failure.failure_schedule': scenario.failure.failure_schedule.strip(),
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


def _check_unseen(scenario: Any) -> None:
    """Refuse parameters that need a broadcast of the target."""
    target = scenario.target
    if scenario.run.rng == REFERENCE:
        raise ScenarioError(
            f"run.rng = '{REFERENCE}' with target_sensing.target_broadcasts = false: in the "
            'original experiment the target broadcasts its state; remove one of the two'
        )
    if target.protection_angle_deg != 360.0:
        raise ScenarioError(
            f'target.protection_angle_deg = {target.protection_angle_deg:g} deg with {UNSEEN}, '
            'so agents do not know the weights of the arcs; set it to 360'
        )
    if target.target_swarm_spin_enable:
        raise ScenarioError(
            f'target.target_swarm_spin_enable = true with {UNSEEN}, so it cannot turn the ring; '
            'set it to false, and target_sensing.ring_omega_ref for a constant rate'
        )
    if target.target_swarm_omega_ref != 0.0:
        raise ScenarioError(
            f'target.target_swarm_omega_ref = {target.target_swarm_omega_ref:g} rad/s with '
            f'{UNSEEN}; set it to 0, and target_sensing.ring_omega_ref to the rate'
        )
