"""A run: duration, seed, random numbers, speed, verdict."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED
from velocity_mobility_ros.core.user_errors import ParameterError

SLOWEST = 1e-3
"""Smallest real-time factor other than 0."""

MAX_OBSERVERS = 100
"""Maximum number of recorders, and of monitors, in a lockstep run."""

IN_LOCKSTEP = {'only_with': {'lockstep': True}}

IN_REAL_TIME = {'only_with': {'lockstep': False}}
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
