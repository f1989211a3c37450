"""Warnings about parameters that are valid alone but contradict each other.

Others are about distances that a swarm cannot keep, or does not. Names of parameters have their
section, unless they are of a node (``without_sections``).
"""

import math
import re
from collections.abc import Iterable
from typing import Any

from soliton_encirclement_ros.core.byzantine_agents import NAME as BYZANTINE
from soliton_encirclement_ros.core.fences import fence_rings
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, SwarmParameters
)
from soliton_encirclement_ros.core.parameters.target_parameters import (
    AdversaryParameters, TargetParameters
)
from soliton_encirclement_ros.core.radio_loss_and_delay import NAME as PARTITIONS
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE
from soliton_encirclement_ros.core.schedules import NAME as OUTAGES, parse_windows
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY
from velocity_mobility_ros.core.step_time import short_timeout
from velocity_mobility_ros.core.velocity_model import MobilityParameters, zero_limits

SECTION = re.compile(r'\b(?:run|swarm|mobility|safety|control|radio|target|adversary)\.(?=[a-z])')


def without_sections(lines: Iterable[str]) -> list[str]:
    """Return warnings as of a node, whose parameters belong to no section."""
    return [SECTION.sub('', line) for line in lines]


def active_lines(*lines: tuple[bool, str]) -> list[str]:
    """Return the lines whose conditions hold."""
    return [line for holds, line in lines if holds]


def scenario_warnings(scenario: Any) -> list[str]:
    """Return the warnings about a scenario, besides those of its law and its layer."""
    run, swarm, body, adversary = (
        scenario.run, scenario.swarm, scenario.mobility, scenario.adversary
    )  # fmt: skip
    roams = []
    if adversary.adversary_enable:
        roams = adversary_warnings(adversary, scenario.limits_of(ADVERSARY).max_speed_xy)
    return [
        *active_lines(
            (run.num_agents < 3, f'run.num_agents = {run.num_agents}: fewer than 3 agents cannot '
             'surround a target; the run continues'),
            (scenario.target.target_swarm_spin_enable and not adversary.adversary_enable,
             'target.target_swarm_spin_enable = true: there is no adversary to turn to, because '
             'adversary.adversary_enable is false'),
        ),
        *zero_limits(body, 'mobility.'),
        *target_warnings(scenario.target, swarm, body.max_speed_xy),
        *timeout_warnings(swarm),
        *radio_warnings(scenario),
        *target_sensing_warnings(scenario),
        *ring_warnings(swarm, scenario.control, body),
        *separation_warnings(scenario),
        *roams,
    ]  # fmt: skip


def target_warnings(target: TargetParameters, swarm: SwarmParameters, most: float) -> list[str]:
    """Return warnings about a target, or a turn of the ring, too fast for the vehicles.

    Args:
        target: Holds its speed and the turn rate of the ring.
        swarm: Holds the radius.
        most: Largest horizontal speed of the vehicles [m/s].
    """
    speed, rate, limit = (
        target.target_motion_speed_xy, target.target_swarm_omega_ref,
        f'mobility.max_speed_xy = {most:g} m/s',
    )  # fmt: skip
    largest, on_ring = target.target_swarm_omega_pd_max_abs, abs(rate) * swarm.encirclement_radius
    setting = f'target.target_swarm_omega_ref = {rate:g} rad/s'
    return active_lines(
        (speed >= most and speed > 0.0,
         f'target.target_motion_speed_xy = {speed} m/s: agents ({limit}) cannot keep up'),
        (target.target_swarm_spin_enable and abs(rate) > largest,
         f'{setting} is limited to target.target_swarm_omega_pd_max_abs = {largest:g} rad/s'),
        (on_ring > most > 0.0,
         f'{setting}: agents on the ring would fly {on_ring:.4g} m/s, above {limit}'),
    )  # fmt: skip


TIMEOUTS = {
    'agent_state_timeout': 'agents count as gone between two ticks',
    'target_state_timeout': 'the target counts as gone between two ticks',
}
"""Effect of a timeout that is shorter than a control period."""


def timeout_warnings(swarm: SwarmParameters) -> list[str]:
    """Return warnings about timeouts shorter than a control period."""
    period = 'swarm.control_period', swarm.control_period
    warnings = (
        short_timeout(f'swarm.{name}', getattr(swarm, name), *period, effect)
        for name, effect in TIMEOUTS.items()
    )
    return [*filter(None, warnings)]


def radio_warnings(scenario: Any) -> list[str]:
    """Return warnings about a radio by which not everybody is received, or not in time.

    Args:
        scenario: Holds the radio, the schedules, and the ring.
    """
    radio, swarm, agents = scenario.radio, scenario.swarm, scenario.run.num_agents
    duration, radius = scenario.run.sim_duration, swarm.encirclement_radius
    reach, chord = radio.communication_transmission_range, _chord(swarm, agents)
    texts = {PARTITIONS: radio.partitions, BYZANTINE: radio.byzantine,
             OUTAGES: scenario.failure.failure_schedule}  # fmt: skip
    begins = {
        name: min((window.begin for window in parse_windows(text, name)), default=0.0)
        for name, text in texts.items()
    }
    short = [name for name in TIMEOUTS if radio.clock_offset > getattr(swarm, name)][:1]
    end = f'run.sim_duration = {duration:g} s'
    limit = f'radio.communication_transmission_range = {reach:g} m'
    return active_lines(
        *((begin >= duration, f'{name} begins at {begin:g} s, after the end of the run ({end})')
          for name, begin in begins.items()),
        (reach < radius,
         f'{limit} is below swarm.encirclement_radius = {radius:g} m: agents on the ring cannot '
         'receive the target'),
        (agents > 1 and reach < chord,
         f'{limit} is below the {chord:.4g} m between neighbours of {agents} agents on the ring: '
         'they cannot receive each other'),
        (radio.communication_failure_rate == 1.0,
         'radio.communication_failure_rate = 1.0: all messages are lost'),
        (radio.communication_delay >= duration,
         f'radio.communication_delay = {radio.communication_delay:g} s: no message arrives before '
         f'the run ends ({end})'),
        *((True, f'radio.clock_offset = {radio.clock_offset:g} s is longer than swarm.{name} = '
           f'{getattr(swarm, name):g} s: receivers take states for older than any that they use')
          for name in short),
    )  # fmt: skip


def target_sensing_warnings(scenario: Any) -> list[str]:
    """Return warnings about a target that agents on the ring do not see, or not far enough.

    Args:
        scenario: Holds the cameras of agents, the ring, and the control period.
    """
    sensing, swarm, agents = scenario.target_sensing, scenario.swarm, scenario.run.num_agents
    if sensing.target_broadcasts:
        return []
    radius, reach, period = swarm.encirclement_radius, sensing.sensor_range, swarm.control_period
    return active_lines(
        (reach < radius,
         f'target_sensing.sensor_range = {reach:g} m is below swarm.encirclement_radius = '
         f'{radius:g} m: agents on the ring do not see the target'),
        (sensing.bearing_rate * period > 1.0,
         f'target_sensing.bearing_rate = {sensing.bearing_rate:g} Hz: agents measure once per '
         f'swarm.control_period = {period:g} s at most'),
        (agents < 3 and sensing.range_noise is None,
         f'run.num_agents = {agents} with target_sensing.range_noise = none: fewer than 3 agents '
         'can hardly tell how far the target is from bearings alone'),
    )  # fmt: skip


def ring_warnings(
    swarm: SwarmParameters, control: ControlParameters, body: MobilityParameters | CommandLimits
) -> list[str]:
    """Return warnings about a ring that the agents cannot fly, and layers without effect.

    Args:
        swarm: Holds the radius.
        control: Holds the heights, and the smallest radius for turning.
        body: Limits of the vehicles.
    """
    count, spacing = control.altitude_layers, control.altitude_layer_spacing
    climbs = control.altitude_offset != 0.0 or count > 1
    layers = f'control.altitude_layers = {count}'
    spaced = f'control.altitude_layer_spacing = {spacing:g} m'
    return active_lines(
        (control.r_min > swarm.encirclement_radius,
         f'control.r_min = {control.r_min:g} m is above swarm.encirclement_radius = '
         f'{swarm.encirclement_radius:g} m: agents on the ring turn as if they were farther out'),
        *((climbs and getattr(body, name) == 0.0,
           f'mobility.{name} = 0.0: vehicles cannot reach the heights of control.altitude_...')
          for name in ('max_speed_z', 'max_acc_z')),
        (count == 1 and spacing != ControlParameters().altitude_layer_spacing,
         f'{spaced} has no effect with {layers}'),
        (count > 1 and spacing == 0.0, f'{layers} has no effect with {spaced}'),
    )  # fmt: skip


def adversary_warnings(adversary: AdversaryParameters, most: float) -> list[str]:
    """Return warnings about an adversary that cannot keep its distance or its speed.

    Args:
        adversary: Its parameters.
        most: Largest horizontal speed of its vehicle [m/s].
    """
    bound, keep = adversary.adversary_roam_bound_xy, adversary.adversary_min_target_distance
    farthest, speed = math.sqrt(2.0) * bound, adversary.adversary_roam_speed_xy
    return active_lines(
        (keep > farthest,
         f'adversary.adversary_min_target_distance = {keep:g} m: the corners of the box of '
         f'adversary.adversary_roam_bound_xy = {bound:g} m are {farthest:.4g} m from its centre, '
         'so the adversary leaves it'),
        (speed > most,
         f'adversary.adversary_roam_speed_xy = {speed:g} m/s: its vehicle flies at most {most:g} '
         'm/s'),
    )  # fmt: skip


UNFILTERED = 'separation_filter = false: NOTHING keeps the vehicles apart'

MOST_FILTERED = 1000
"""Most agents with a separation filter: each remembers the last state of every other one."""

ANNOUNCED = 4
"""Control periods in which an agent has sent its position."""

ROOM = 1.1
"""Spacing on the ring, per least distance, below which agents push each other all the time."""


def separation_warnings(scenario: Any) -> list[str]:
    """Return warnings about distances, and about agents that are down before anybody heard them.

    Args:
        scenario: Holds the least distances, the ring, and the scheduled outages.
    """
    safety, swarm, agents = scenario.safety, scenario.swarm, scenario.run.num_agents
    if scenario.run.rng == REFERENCE:
        return []
    if not safety.separation_filter:
        return [f'safety.{UNFILTERED}']
    if agents > MOST_FILTERED:
        return [
            f'run.num_agents = {agents}: nothing keeps vehicles apart, the separation '
            f'filter is for at most {MOST_FILTERED} agents'
        ]
    unheard = [
        word for window in parse_windows(scenario.failure.failure_schedule, OUTAGES)
        if window.begin <= swarm.control_period for word in window.words
    ]  # fmt: skip
    return distance_warnings(safety, swarm, agents) + active_lines(
        (bool(unheard),
         f'{OUTAGES}: {" ".join(unheard)} down from the start: nobody hears where they are, so '
         f'nobody keeps away from them; let it begin at {ANNOUNCED * swarm.control_period:g} s'),
    )  # fmt: skip


def distance_warnings(safety: SafetyParameters, swarm: SwarmParameters, agents: int) -> list[str]:
    """Return warnings about distances for which the ring or the fence has no room.

    Args:
        safety: Least distances.
        swarm: Holds the radius of the ring.
        agents: Number of agents on the ring.
    """
    radius, distance, chord = (
        swarm.encirclement_radius, safety.separation_distance, _chord(swarm, agents)
    )  # fmt: skip
    rings, margin = fence_rings(safety.fence), safety.fence_margin
    # The sides of the fence's bounding box.
    sides = [max(along) - min(along) for along in zip(*rings[0], strict=True)] if rings else []
    narrow = min(sides, default=math.inf)
    return active_lines(
        (agents > 1 and chord < ROOM * distance,
         f'safety.separation_distance = {distance:g} m: a ring of {radius:g} m with {agents} '
         f'agents has {chord:.3g} m between neighbours, less than {ROOM:g} times as much; it '
         f'needs a radius of {ROOM * distance * radius / chord:.3g} m'),
        (safety.target_distance > radius,
         f'safety.target_distance = {safety.target_distance:g} m: agents are kept off the ring, '
         f'swarm.encirclement_radius = {radius:g} m'),
        (2.0 * margin >= narrow,
         f'safety.fence_margin = {margin:g} m: the fence is {narrow:.3g} m wide, no place in it '
         'is as far from its edges'),
    )  # fmt: skip


def _chord(swarm: SwarmParameters, agents: int) -> float:
    """Return the distance between neighbours on the ring [m]; for a single agent it is tiny."""
    return 2.0 * swarm.encirclement_radius * math.sin(math.pi / agents)
