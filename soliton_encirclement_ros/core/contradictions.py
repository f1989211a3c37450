"""Parameters that are allowed each by itself and make no sense together."""

import math

from velocity_mobility_ros.core.timeouts import short_timeout

from soliton_encirclement_ros.core.parameters import (
    AdversaryParameters,
    ControlParameters,
    SwarmParameters,
)


def timeout_warnings(swarm: SwarmParameters, prefix: str = '') -> list[str]:
    """Return which states are forgotten between two ticks.

    Args:
        swarm: What all members share.
        prefix: What stands before the names, as ``swarm.``.
    """
    period = f'{prefix}control_period', swarm.control_period
    found = [
        short_timeout(f'{prefix}agent_state_timeout', swarm.agent_state_timeout, *period,
                      'agents count as gone between two ticks'),
        short_timeout(f'{prefix}target_state_timeout', swarm.target_state_timeout, *period,
                      'the target counts as gone between two ticks'),
    ]  # fmt: skip
    return [line for line in found if line]


def range_warnings(
    swarm: SwarmParameters, radio_range: float, agents: int, sections: bool = True
) -> list[str]:
    """Return who cannot hear whom where all agents are in their places.

    Args:
        swarm: What all members share.
        radio_range: Distance up to which members hear each other [m].
        agents: How many there are.
        sections: Whether names stand with their sections; the parameters of a node have none.
    """
    radius, found = swarm.encirclement_radius, []
    reach = f'{"radio." * sections}communication_transmission_range = {radio_range:g} m'
    ring = f'{"swarm." * sections}encirclement_radius = {radius:g} m'
    if radio_range < radius:
        found.append(
            f'{reach} is below {ring}: agents on the ring cannot hear the target'
        )
    chord = 2.0 * radius * math.sin(math.pi / agents)
    if agents > 1 and radio_range < chord:
        found.append(
            f'{reach} is below the {chord:.4g} m between neighbours of '
            f'{agents} agents on the ring: they cannot hear each other'
        )
    return found


def adversary_warnings(adversary: AdversaryParameters, prefix: str = '') -> list[str]:
    """Return what an adversary can never do.

    Args:
        adversary: How it roams.
        prefix: What stands before the names, as ``adversary.``.
    """
    bound, keep = adversary.adversary_roam_bound_xy, adversary.adversary_min_target_distance
    farthest = math.sqrt(2.0) * bound
    if keep <= farthest:
        return []
    return [
        f'{prefix}adversary_min_target_distance = {keep:g} m: the corners of the box of '
        f'{prefix}adversary_roam_bound_xy = {bound:g} m are {farthest:.4g} m from its middle, so '
        'the adversary flees out of it'
    ]


def layer_warnings(control: ControlParameters, sections: bool = True) -> list[str]:
    """Return what the heights of the agents lack.

    Args:
        control: Number of layers, and their spacing.
        sections: Whether names stand with their section; the parameters of a node have none.
    """
    count, spacing = control.altitude_layers, control.altitude_layer_spacing
    prefix = 'control.' * sections
    is_set = spacing != ControlParameters().altitude_layer_spacing
    if count == 1 and is_set:
        spaced = f'{prefix}altitude_layer_spacing = {spacing:g} m'
        return [f'{spaced} has no effect with {prefix}altitude_layers = 1']
    if count > 1 and spacing == 0.0:
        layers = f'{prefix}altitude_layers = {count}'
        return [f'{layers} has no effect with {prefix}altitude_layer_spacing = 0 m']
    return []
