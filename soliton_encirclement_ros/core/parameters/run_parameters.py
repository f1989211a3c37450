"""A run: length, seed, random numbers, pace."""

from dataclasses import dataclass

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.parameters import Parameters, parameter

LARGEST_SEED = 2**53
"""So that every tool that reads the manifest holds the seed exactly."""

SLOWEST = 1e-3
"""Least simulated seconds per second; slower than that nothing seems to move."""

MAX_OBSERVERS = 100
"""Recorders or monitors that a run in lockstep can wait for."""

IN_LOCKSTEP = {'only_with': {'lockstep': True}}

IN_REAL_TIME = {'only_with': {'lockstep': False}}
"""Of parameters that a node needs in one of its two modes."""

RNG_NAMES = ('streams', 'reference')


@dataclass(frozen=True)
class RunParameters(Parameters):
    """One run of a scenario."""

    sim_duration: float = parameter(300.0, 'length of the run', unit='s', above=0.0, maximum=1e6)
    seed: int = parameter(0, 'seed of every random stream', minimum=0, maximum=LARGEST_SEED)
    rng: str = parameter(
        'streams',
        'random numbers: one stream per purpose, or those of the original experiment and '
        'its order of events (offline only)',
        choices=RNG_NAMES,
    )
    num_agents: int = parameter(10, 'number of agents', minimum=1, maximum=100_000)
    init_radius_range: float = parameter(
        0.1, 'scatter of the initial radius, share of the radius', minimum=0.0, maximum=1.0
    )
    init_angles_equidistant: bool = parameter(False, 'start at even angles, else random')
    real_time_factor: float = parameter(
        0.0, 'simulated seconds per second; 0: as fast as it goes', minimum=0.0, maximum=1000.0,
        **IN_LOCKSTEP,
    )  # fmt: skip
    lockstep_timeout: float = parameter(
        5.0, 'wall time that a controller has to answer a tick', unit='s', above=0.0,
        **IN_LOCKSTEP,
    )  # fmt: skip
    startup_timeout: float = parameter(
        30.0, 'wall time that all nodes have to find each other', unit='s', above=0.0
    )
    max_e_gap: float = parameter(0.5, 'verdict: largest mean E_gap', above=0.0)
    max_e_r: float = parameter(0.3, 'verdict: largest mean E_r', above=0.0)
    min_alive_share: float = parameter(
        0.5, 'verdict: smallest mean share of agents alive', minimum=0.0, maximum=1.0
    )
    settle_window: float = parameter(
        5.0, 'time within the verdict bounds that counts as settled', unit='s', above=0.0
    )

    def __post_init__(self) -> None:
        """Refuse a pace at which the next tick never comes."""
        super().__post_init__()
        if 0.0 < self.real_time_factor < SLOWEST:
            raise ParameterError(
                f'real_time_factor = {self.real_time_factor} must be 0 or at least {SLOWEST:g}'
            )
