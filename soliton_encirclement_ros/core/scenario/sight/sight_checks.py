"""Checks of a target that broadcasts nothing against the rest of a scenario."""

from collections.abc import Sequence

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.run_parameters import RunParameters
from soliton_encirclement_ros.core.parameters.sight_parameters import SightParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.parameters.target_parameters import TargetParameters
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE
from soliton_encirclement_ros.core.schedules.member_names import to_member

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
