"""Warnings about parameters that are valid alone but contradict each other.

Others are about distances that a swarm cannot keep, or does not.
"""

import math

from velocity_mobility_ros.core.step_time import short_timeout
from velocity_mobility_ros.core.velocity_model import MobilityParameters, zero_limits

from soliton_encirclement_ros.core.fences import fence_rings
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.parameters.run_parameters import (
    RadioParameters,
    RunParameters,
    SafetyParameters,
)
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits,
    SwarmParameters,
)
from soliton_encirclement_ros.core.parameters.target_parameters import (
    AdversaryParameters,
    TargetParameters,
)
from soliton_encirclement_ros.core.schedules import NAME, parse_windows


def member_warnings(run: RunParameters, body: MobilityParameters) -> list[str]:
    """Return warnings about members that cannot fulfil their role.

    Args:
        run: Holds the number of agents.
        body: Limits of the vehicles.
    """
    found = []
    if run.num_agents < 3:
        found.append(
            f'run.num_agents = {run.num_agents}: fewer than 3 agents cannot surround a target; '
            'the run continues'
        )
    return found + zero_limits(body, 'mobility.')


def target_warnings(
    target: TargetParameters, swarm: SwarmParameters, most: float, sections: bool = True
) -> list[str]:
    """Return warnings about a target, or a turn of the ring, too fast for the vehicles.

    Args:
        target: Holds its speed and the turn rate of the ring.
        swarm: Holds the radius.
        most: Largest horizontal speed of the vehicles [m/s].
        sections: Whether names include their section; the parameters of a node have none.
    """
    own, limit = 'target.' * sections, f'{"mobility." * sections}max_speed_xy = {most:g} m/s'
    speed, rate = target.target_motion_speed_xy, target.target_swarm_omega_ref
    largest, on_ring = target.target_swarm_omega_pd_max_abs, abs(rate) * swarm.encirclement_radius
    found = []
    if speed >= most and speed > 0.0:
        found.append(
            f'{own}target_motion_speed_xy = {speed} m/s: agents ({limit}) cannot keep up'
        )
    asked = f'{own}target_swarm_omega_ref = {rate:g} rad/s'
    if target.target_swarm_spin_enable and abs(rate) > largest:
        found.append(
            f'{asked} is limited to {own}target_swarm_omega_pd_max_abs = {largest:g} rad/s'
        )
    if on_ring > most > 0.0:
        found.append(f'{asked}: agents on the ring would fly {on_ring:.4g} m/s, above {limit}')
    return found


def radio_warnings(radio: RadioParameters, duration: float) -> list[str]:
    """Return a warning if the radio of a scenario delivers nothing.

    Args:
        radio: The radio.
        duration: Length of the run [s].
    """
    found = []
    if radio.communication_failure_rate == 1.0:
        found.append('radio.communication_failure_rate = 1.0: all messages are lost')
    if radio.communication_delay >= duration:
        found.append(
            f'radio.communication_delay = {radio.communication_delay:g} s: no message '
            f'arrives before the run ends (run.sim_duration = {duration:g} s)'
        )
    return found


def clock_warnings(radio: RadioParameters, swarm: SwarmParameters) -> list[str]:
    """Return a warning if clocks differ by more than the time for which a state is used."""
    timeouts = {
        'swarm.agent_state_timeout': swarm.agent_state_timeout,
        'swarm.target_state_timeout': swarm.target_state_timeout,
    }
    return [
        f'radio.clock_offset = {radio.clock_offset:g} s is longer than {name} = {timeout:g} s: '
        'receivers take states for older than any that they use'
        for name, timeout in timeouts.items()
        if radio.clock_offset > timeout
    ][:1]


def spin_warnings(target: TargetParameters, adversary: AdversaryParameters) -> list[str]:
    """Return a warning about a ring rotation without adversary."""
    if adversary.adversary_enable or not target.target_swarm_spin_enable:
        return []
    return [
        'target.target_swarm_spin_enable = true: there is no adversary to turn to, because '
        'adversary.adversary_enable is false'
    ]


def ring_warnings(
    swarm: SwarmParameters, control: ControlParameters,
    body: MobilityParameters | CommandLimits, sections: bool = True,
) -> list[str]:  # fmt: skip
    """Return warnings about a ring that the agents cannot fly.

    Args:
        swarm: Holds the radius.
        control: Holds the heights, and the smallest radius for turning.
        body: Limits of the vehicles.
        sections: Whether names include their section; the parameters of a node have none.
    """
    radius, found = swarm.encirclement_radius, []
    if control.r_min > radius:
        found.append(
            f'{"control." * sections}r_min = {control.r_min:g} m is above '
            f'{"swarm." * sections}encirclement_radius = {radius:g} m: agents on the ring turn '
            'as if they were farther out'
        )
    climbs = control.altitude_offset != 0.0 or control.altitude_layers > 1
    own, heights = 'mobility.' * sections, f'{"control." * sections}altitude_...'
    return found + [
        f'{own}{name} = 0.0: vehicles cannot reach the heights of {heights}'
        for name in ('max_speed_z', 'max_acc_z')
        if climbs and getattr(body, name) == 0.0
    ]


def timeout_warnings(swarm: SwarmParameters, prefix: str = '') -> list[str]:
    """Return warnings about timeouts shorter than a control period.

    Args:
        swarm: Common parameters of all members.
        prefix: Prefix of the parameter names, such as ``swarm.``.
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
    """Return warnings about members out of radio range when all agents are on the ring.

    Args:
        swarm: Common parameters of all members.
        radio_range: Distance up to which members receive each other [m].
        agents: Number of agents.
        sections: Whether names include their section; the parameters of a node have none.
    """
    radius, found = swarm.encirclement_radius, []
    reach = f'{"radio." * sections}communication_transmission_range = {radio_range:g} m'
    ring = f'{"swarm." * sections}encirclement_radius = {radius:g} m'
    if radio_range < radius:
        found.append(f'{reach} is below {ring}: agents on the ring cannot receive the target')
    chord = 2.0 * radius * math.sin(math.pi / agents)
    if agents > 1 and radio_range < chord:
        found.append(
            f'{reach} is below the {chord:.4g} m between neighbours of '
            f'{agents} agents on the ring: they cannot receive each other'
        )
    return found


def adversary_warnings(
    adversary: AdversaryParameters, most: float, prefix: str = ''
) -> list[str]:
    """Return warnings about an adversary that cannot keep its distance or its speed.

    Args:
        adversary: Its parameters.
        most: Largest horizontal speed of its vehicle [m/s].
        prefix: Prefix of the parameter names, such as ``adversary.``.
    """
    return [*_without_box(adversary, prefix), *_too_fast(adversary, most, prefix)]


def _too_fast(adversary: AdversaryParameters, most: float, prefix: str) -> list[str]:
    speed = adversary.adversary_roam_speed_xy
    if speed <= most:
        return []
    return [
        f'{prefix}adversary_roam_speed_xy = {speed:g} m/s: its vehicle flies at most {most:g} m/s'
    ]


def _without_box(adversary: AdversaryParameters, prefix: str) -> list[str]:
    """Return a warning about a box without a place as far from the target as it must be."""
    bound, keep = adversary.adversary_roam_bound_xy, adversary.adversary_min_target_distance
    farthest = math.sqrt(2.0) * bound
    if keep <= farthest:
        return []
    return [
        f'{prefix}adversary_min_target_distance = {keep:g} m: the corners of the box of '
        f'{prefix}adversary_roam_bound_xy = {bound:g} m are {farthest:.4g} m from its centre, so '
        'the adversary leaves it'
    ]


def layer_warnings(control: ControlParameters, sections: bool = True) -> list[str]:
    """Return a warning if a parameter of the altitude layers has no effect.

    Args:
        control: Number of layers, and their spacing.
        sections: Whether names include their section; the parameters of a node have none.
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


UNFILTERED = 'separation_filter = false: NOTHING keeps the vehicles apart'

MOST_FILTERED = 1000
"""Most agents with a separation filter: each remembers the last state of every other one."""

ANNOUNCED = 4
"""Control periods in which an agent has told where it is."""

ROOM = 1.1
"""Spacing on the ring, per least distance, below which agents push each other all the time."""


def separation_warnings(
    safety: SafetyParameters, swarm: SwarmParameters, agents: int, schedule: str
) -> list[str]:
    """Return warnings about distances.

    Args:
        safety: Least distances.
        swarm: Holds the radius of the ring.
        agents: Number of agents.
        schedule: Scheduled outages.
    """
    if not safety.separation_filter:
        return [f'safety.{UNFILTERED}']
    if agents > MOST_FILTERED:
        return [
            f'run.num_agents = {agents}: nothing keeps vehicles apart, the separation '
            f'filter is for at most {MOST_FILTERED} agents'
        ]
    found = distance_warnings(safety, swarm, agents)
    return found + _never_heard(schedule, swarm.control_period)


def distance_warnings(
    safety: SafetyParameters, swarm: SwarmParameters, agents: int, sections: bool = True
) -> list[str]:
    """Return warnings about distances for which the ring or the fence has no room.

    Args:
        safety: Least distances.
        swarm: Holds the radius of the ring.
        agents: Number of agents on the ring.
        sections: Whether names include their section; the parameters of a node have none.
    """
    return [
        *_crowded(safety, swarm, agents, 'safety.' * sections),
        *_pushed_off(safety, swarm, sections),
        *_no_room(safety, 'safety.' * sections),
    ]


def _crowded(
    safety: SafetyParameters, swarm: SwarmParameters, agents: int, prefix: str
) -> list[str]:
    radius, distance = swarm.encirclement_radius, safety.separation_distance
    chord = 2.0 * math.sin(math.pi / agents)
    if agents < 2 or chord * radius >= ROOM * distance:
        return []
    return [
        f'{prefix}separation_distance = {distance:g} m: a ring of {radius:g} m with {agents} '
        f'agents has {chord * radius:.3g} m between neighbours, less than {ROOM:g} times as much; '
        f'it needs a radius of {ROOM * distance / chord:.3g} m'
    ]


def _pushed_off(safety: SafetyParameters, swarm: SwarmParameters, sections: bool) -> list[str]:
    distance, radius = safety.target_distance, swarm.encirclement_radius
    if distance <= radius:
        return []
    return [
        f'{"safety." * sections}target_distance = {distance:g} m: agents are kept off the ring, '
        f'{"swarm." * sections}encirclement_radius = {radius:g} m'
    ]


def _no_room(safety: SafetyParameters, prefix: str) -> list[str]:
    """Return a warning about a margin that leaves nothing of the fence's bounding box."""
    rings = fence_rings(safety.fence)
    if not rings:
        return []
    narrow = min(max(along) - min(along) for along in zip(*rings[0], strict=True))
    if 2.0 * safety.fence_margin < narrow:
        return []
    return [
        f'{prefix}fence_margin = {safety.fence_margin:g} m: the fence is {narrow:.3g} m wide, no '
        'place in it is as far from its edges'
    ]


def _never_heard(schedule: str, period: float) -> list[str]:
    """Return a warning about agents that are down before they have sent anything."""
    words = [
        word for window in parse_windows(schedule, NAME) if window.begin <= period
        for word in window.words
    ]  # fmt: skip
    if not words:
        return []
    return [
        f'{NAME}: {" ".join(words)} down from the start: nobody hears where they are, so nobody '
        f'keeps away from them; let it begin at {ANNOUNCED * period:g} s'
    ]
