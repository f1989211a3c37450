"""A run: duration, seed, random numbers, speed, verdict; its radio and its separation filter.

The separation filter is the last step before a command leaves an agent.
"""

from dataclasses import dataclass
from typing import Any

from soliton_encirclement_ros.core.fences import fence_rings
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED
from velocity_mobility_ros.core.user_errors import ParameterError

SLOWEST = 1e-3
"""Smallest real-time factor other than 0."""

MAX_OBSERVERS = 100
"""Maximum number of recorders, and of monitors, in a lockstep run."""

IN_LOCKSTEP: dict[str, Any] = {'only_with': {'lockstep': True}}

IN_REAL_TIME: dict[str, Any] = {'only_with': {'lockstep': False}}
"""For parameters of one of the two modes of a node."""

CONTACT = 0.3
"""Default collision distance [m]: vehicles with arms of 0.15 m touch, rotors aside."""

RNG_NAMES = ('streams', 'reference')


@dataclass(frozen=True)
class RunParameters(Parameters):
    """One run of a scenario."""

    sim_duration: float = parameter(300.0, 'duration of the run', unit='s', above=0.0, maximum=1e6)
    seed: int = parameter(0, 'seed of every random stream', minimum=0, maximum=LARGEST_SEED)
    rng: str = parameter(
        'streams',
        'random numbers: one stream per purpose, or those of the original experiment with '
        'its order of events (swarm simulate only)',
        choices=RNG_NAMES,
    )
    num_agents: int = parameter(10, 'number of agents', minimum=1, maximum=100_000)
    init_radius_range: float = parameter(
        0.1, 'random spread of the initial radius, share of the radius', minimum=0.0, maximum=1.0
    )
    init_angles_equidistant: bool = parameter(
        False, 'start at equal angles; false: at random angles'
    )
    real_time_factor: float = parameter(
        0.0, 'simulated seconds per second; 0: as fast as possible', minimum=0.0, maximum=1000.0,
        runtime=True, **IN_LOCKSTEP,
    )  # fmt: skip
    lockstep_timeout: float = parameter(
        5.0, 'wall time that the world waits for an answer', unit='s', above=0.0,
        **IN_LOCKSTEP,
    )  # fmt: skip
    startup_timeout: float = parameter(
        30.0, 'wall time for the startup handshake of all nodes', unit='s', above=0.0
    )
    max_e_gap: float = parameter(0.5, 'verdict: largest mean E_gap', above=0.0)
    max_e_r: float = parameter(0.3, 'verdict: largest mean E_r', above=0.0)
    min_alive_share: float = parameter(
        0.5, 'verdict: smallest mean share of agents alive', minimum=0.0, maximum=1.0
    )
    collision_distance: float = parameter(
        CONTACT, 'verdict: distance below which two agents have collided; 0: not judged, nor with '
        'rng: reference', unit='m', minimum=0.0,
    )  # fmt: skip
    settle_window: float = parameter(
        5.0, 'time within the verdict bounds before a run counts as settled', unit='s', above=0.0
    )
    transient_time: float = parameter(
        10.0, 'time after the start, a failure or a return that is left out of the steady means',
        unit='s', minimum=0.0,
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse a real-time factor so small that the next tick never comes."""
        super().__post_init__()
        if 0.0 < self.real_time_factor < SLOWEST:
            raise ParameterError(
                f'real_time_factor = {self.real_time_factor} must be 0 or at least {SLOWEST:g}'
            )


def refuse_pace(before: RunParameters, after: RunParameters) -> None:
    """Refuse another pace where nothing is paced by it.

    Raises:
        ParameterError: Always.
    """
    raise ParameterError(
        f'real_time_factor {before.real_time_factor:g} -> {after.real_time_factor:g}: the world '
        'of a lockstep run alone goes on at another pace'
    )


@dataclass(frozen=True)
class RadioParameters(Parameters):
    """Radio medium between the members; docs/concepts/radio.md explains the schedules."""

    communication_transmission_range: float = parameter(
        200.0, 'radio range', unit='m', minimum=0.0
    )
    communication_delay: float = parameter(
        0.0, 'message delay', unit='s', minimum=0.0, maximum=60.0
    )
    communication_jitter: float = parameter(
        0.0, 'largest random addition to the delay', unit='s', minimum=0.0, maximum=60.0
    )
    communication_failure_rate: float = parameter(
        0.0, 'probability that a receiver loses a message', minimum=0.0, maximum=1.0
    )
    clock_offset: float = parameter(
        0.0, "standard deviation of the members' clocks, by which messages are stamped",
        unit='s', minimum=0.0, maximum=60.0,
    )  # fmt: skip
    partitions: str = parameter('', 'groups without a link, such as "20..40: 1 2 | 3 4"')
    byzantine: str = parameter(
        '', 'members that send false states, such as "30..60: 2 offset 5 -3"'
    )

    @property
    def is_prompt(self) -> bool:
        """Whether no message is lost at random or delayed, and all clocks agree."""
        late = self.communication_delay + self.communication_jitter + self.clock_offset
        return late == self.communication_failure_rate == 0.0

    @property
    def is_ideal(self) -> bool:
        """Whether all members in range receive every message at once, unaltered."""
        scheduled = self.partitions.strip() or self.byzantine.strip()
        return self.is_prompt and not scheduled


CHECKED: dict[str, Any] = {'only_with': {'neighbour_checks': True}}
FILTERED: dict[str, Any] = {'only_with': {'separation_filter': True}}


@dataclass(frozen=True)
class SafetyParameters(Parameters, live=True):
    """Distances that an agent keeps, whatever its law wants."""

    separation_filter: bool = parameter(
        True, 'change commands as little as possible so that vehicles keep their distance',
        fixed='it is set when the agent starts',
    )  # fmt: skip
    separation_distance: float = parameter(
        2.0, 'least distance of two vehicles', unit='m', above=0.0, **FILTERED
    )
    separation_rate: float = parameter(
        4.0, 'rate at which a distance may shrink towards the least one', unit='1/s', above=0.0,
        **FILTERED,
    )  # fmt: skip
    clock_error: float = parameter(
        0.02, 'largest difference of two clocks', unit='s', minimum=0.0, maximum=10.0, **FILTERED
    )
    position_noise: float = parameter(
        0.0, 'largest error of the difference of two stopping points', unit='m', minimum=0.0,
        **FILTERED,
    )  # fmt: skip
    silent_flight_time: float | None = parameter(
        None, 'longest time from the last message of an agent to its failure; none: one control '
        'period, for a radio without loss', unit='s', minimum=0.0, **FILTERED,
    )  # fmt: skip
    target_distance: float = parameter(
        2.0, 'least distance from the target; 0: none', unit='m', minimum=0.0, **FILTERED
    )
    adversary_distance: float = parameter(
        2.0, 'least distance from the adversary; 0: none', unit='m', minimum=0.0, **FILTERED
    )
    fence: str = parameter(
        '', 'corners [m, map] of the area agents do not leave, such as "-50 -50, 50 -50, 0 40"; '
        'further rings after a semicolon are holes; empty: no fence', **FILTERED,
    )  # fmt: skip
    fence_margin: float = parameter(
        0.5, 'least distance from the fence', unit='m', minimum=0.0, **FILTERED
    )
    lowest_height: float | None = parameter(
        None, 'lowest height in map; none: not bounded', unit='m', **FILTERED
    )
    highest_height: float | None = parameter(
        None, 'highest height in map; none: not bounded', unit='m', **FILTERED
    )

    neighbour_checks: bool = parameter(
        True, 'refuse states of agents that cannot be true, and name who sends them',
    )  # fmt: skip
    neighbour_position_tolerance: float = parameter(
        3.0, 'largest error of the way between two states of an agent', unit='m', above=0.0,
        **CHECKED,
    )  # fmt: skip
    neighbour_velocity_tolerance: float = parameter(
        3.0, 'largest error of the change of velocity between two states of an agent',
        unit='m/s', above=0.0, **CHECKED,
    )  # fmt: skip
    neighbour_forgive_time: float = parameter(
        10.0, 'time of consistent states after which an agent that was named is believed again',
        unit='s', above=0.0, **CHECKED,
    )  # fmt: skip
    roster_size: int = parameter(
        0, 'agents are uav_1 to this number, others are refused; 0: any number', minimum=0,
        maximum=100_000, **CHECKED,
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse a fence that is none, and a height band without room."""
        super().__post_init__()
        fence_rings(self.fence)
        low, high = self.lowest_height, self.highest_height
        if low is not None and high is not None and not low < high:
            raise ParameterError(
                f'lowest_height = {low:g} m must be below highest_height = {high:g} m'
            )
