"""Every parameter of a swarm, declared once. Names are the seed's constants in lower case."""

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

WHEN_INJECTED = {'only_with': {'inject_failures': True}}
"""Of parameters of an agent that fails on purpose."""

BY_CHANCE = {'only_with': {'failure_enable': True, **WHEN_INJECTED['only_with']}}
WITH_ADVERSARY = {'only_with': {'adversary_enable': True}}
AT_RANDOM = {'only_with': {'target_motion': 'random'}}
WITH_SPIN = {'only_with': {'target_swarm_spin_enable': True}}
FILTERED = {'only_with': {**WITH_SPIN['only_with'], 'target_swarm_spin_law': 'filtered'}}

RNG_NAMES = ('streams', 'reference')
SPIN_LAW_NAMES = ('v1', 'v3', 'filtered')
TARGET_MOTION_NAMES = ('random', 'constant')
PEER_NAMES = ('kim_sugie', 'franchi', 'wang_xie_cao', 'splay')
"""Published laws, to compare ours with; each has parameters of its own (docs/peers.md)."""

OUR_NAMES = ('soliton', 'two_channel', 'soliton_v1')
"""Ours, which is the default, then the originals."""

CONTROLLER_NAMES = (*OUR_NAMES, *PEER_NAMES)


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


@dataclass(frozen=True)
class SwarmParameters(Parameters):
    """What all members share."""

    control_period: float = parameter(
        0.05, 'time between two control ticks', unit='s', minimum=1e-3, maximum=10.0,
        fixed='all members share it, and the simulation',
    )  # fmt: skip
    encirclement_radius: float = parameter(
        20.0, 'wanted ring radius', unit='m', above=0.0,
        fixed='all agents share it, and the monitor measures by it',
    )  # fmt: skip
    agent_state_timeout: float = parameter(
        0.25, 'age at which an agent counts as gone', unit='s', above=0.0
    )
    target_state_timeout: float = parameter(
        0.5, 'age at which the target counts as gone', unit='s', above=0.0
    )
    prune_expired_states: bool = parameter(True, 'forget agents that are gone')


@dataclass(frozen=True)
class CommandLimits(Parameters, live=True):
    """What an agent may ask of its vehicle, and how the vehicle answers."""

    max_speed_xy: float = parameter(10.0, 'largest horizontal speed', unit='m/s', minimum=0.0)
    max_speed_z: float = parameter(5.0, 'largest vertical speed', unit='m/s', minimum=0.0)
    max_acc_xy: float = parameter(
        4.0, 'largest horizontal acceleration', unit='m/s^2', minimum=0.0
    )
    tau_xy: float | None = parameter(
        1.0, 'lag of the horizontal velocity; none: at once', unit='s', above=0.0
    )
    max_acc_z: float = parameter(5.0, 'largest vertical acceleration', unit='m/s^2', minimum=0.0)
    tau_z: float | None = parameter(
        1.2, 'lag of the vertical velocity; none: at once', unit='s', above=0.0
    )


@dataclass(frozen=True)
class ControlParameters(Parameters, live=True):
    """The encirclement law and its gains."""

    controller: str = parameter(
        CONTROLLER_NAMES[0], 'the law', choices=CONTROLLER_NAMES,
        fixed='every law has a memory of its own kind',
    )  # fmt: skip
    hysteresis_rad: float = parameter(
        0.05, 'how much farther an old neighbour may be', unit='rad', minimum=0.0
    )
    r_min: float = parameter(1.0, 'smallest radius used for turning', unit='m', above=0.0)
    k_r: float = parameter(1.0, 'radial gain', unit='1/s', above=0.0)
    k_dr: float = parameter(0.5, 'radial speed damping', minimum=0.0)
    k_tau: float = parameter(0.2, 'turn rate per unit of u', unit='rad/s', minimum=0.0)
    beta_u: float = parameter(7.0, 'decay of u', unit='1/s', minimum=0.0)
    k_e_tau: float = parameter(25.0, 'gain of the spacing error', unit='1/s', minimum=0.0)
    alpha_u: float = parameter(0.5, 'nonlinear decay of u', unit='1/s', minimum=0.0)
    c_coupling: float = parameter(2.0, 'transport along the ring', unit='1/s')
    kappa_u_diff: float = parameter(0.1, 'diffusion along the ring', unit='1/s', minimum=0.0)
    k_u_steepen: float = parameter(0.3, 'steepening', unit='1/s')
    kappa_u_disp: float = parameter(0.05, 'dispersion', unit='1/s')
    use_soft_limiter_u: bool = parameter(False, 'soften the nonlinear decay')
    u_lim: float = parameter(2.0, 'scale of the soft limiter, unit of u', above=0.0)
    k_omega_damp: float = parameter(0.1, 'angular rate damping', unit='s/rad', minimum=0.0)
    beta_u_local: float = parameter(7.0, 'decay of the own channel', unit='1/s', minimum=0.0)
    beta_u_prop: float = parameter(
        7.0, "decay of the neighbours' channel", unit='1/s', minimum=0.0
    )
    u_conflict_blend_width: float = parameter(
        0.2, 'width of the soft choice between the channels, unit of u', minimum=0.0
    )
    tangential_composition_mode: str = parameter(
        'sum', 'how u is made of its two channels', choices=('sum', 'blend')
    )
    k_v: float = parameter(4.0, 'soliton: velocity tracking', unit='1/s', above=0.0)
    k_s: float = parameter(1.5, 'soliton: spacing gain', unit='1/s', above=0.0)
    k_z: float = parameter(1.0, 'soliton: altitude gain', unit='1/s', above=0.0)
    ring_hops: int = parameter(
        4, 'soliton: neighbours on either side that spacing looks at', minimum=1, maximum=100
    )
    approach_share: float = parameter(
        0.8, 'soliton: share of the acceleration that approaches count on', above=0.0, maximum=1.0
    )
    target_acc_filter: float = parameter(
        0.05, 'soliton: filter of the target acceleration', unit='s', minimum=0.0
    )
    target_hold_time: float = parameter(
        2.0, 'soliton: time on dead reckoning after the target is lost, then stop',
        unit='s', minimum=0.0,
    )  # fmt: skip
    neighbour_hold_time: float = parameter(
        1.0, 'soliton: longest silence of a neighbour that a lossy radio excuses', unit='s',
        minimum=0.0,
    )  # fmt: skip
    spin_acc: float = parameter(
        0.2, 'soliton: largest change of the turn rate that is followed', unit='rad/s^2', above=0.0
    )
    altitude_offset: float = parameter(0.0, 'soliton: height above the target', unit='m')
    altitude_layers: int = parameter(
        1, 'soliton: heights that the agents are spread over', minimum=1, maximum=100
    )
    altitude_layer_spacing: float = parameter(
        2.0, 'soliton: distance between two of these heights', unit='m', minimum=0.0
    )


@dataclass(frozen=True)
class FailureParameters(Parameters):
    """Random failures of agents; each is up again after a while."""

    failure_enable: bool = parameter(True, 'inject failures')
    failure_check_period: float = parameter(
        0.1, 'time between two draws', unit='s', minimum=1e-3, **BY_CHANCE
    )
    failure_mean_failures_per_min: float = parameter(
        1.0, 'mean failures per minute of up-time', unit='1/min', minimum=0.0, **BY_CHANCE
    )
    failure_off_time: float = parameter(
        8.0, 'time until recovery', unit='s', minimum=0.0, **BY_CHANCE
    )
    failure_schedule: str = parameter(
        '', 'who is down when in any case, as 40..48: 3; 0..30: 7 8', **WHEN_INJECTED
    )


@dataclass(frozen=True)
class TargetParameters(Parameters, live=True):
    """How the target moves and what it asks of the ring."""

    target_motion: str = parameter(
        'random', 'how it chooses its velocity', choices=TARGET_MOTION_NAMES
    )
    target_motion_heading_deg: float = parameter(
        0.0, 'constant motion: heading, counter-clockwise from east', unit='deg',
        only_with={'target_motion': 'constant'},
    )  # fmt: skip
    target_motion_period: float = parameter(
        1.0, 'time between two choices of direction', unit='s', minimum=1e-3,
        fixed='choices are counted from the start',
    )  # fmt: skip
    target_motion_speed_xy: float = parameter(5.0, 'speed', unit='m/s', minimum=0.0)
    target_motion_boundary_xy: float = parameter(
        20.0, 'half side of the box it turns back from', unit='m', minimum=0.0, **AT_RANDOM
    )
    protection_angle_deg: float = parameter(
        360.0, 'angle that the agents cover', unit='deg', minimum=0.0, maximum=360.0
    )
    target_swarm_spin_enable: bool = parameter(False, 'turn the ring towards the adversary')
    target_swarm_omega_ref: float = parameter(0.0, 'base turn rate of the ring', unit='rad/s')
    target_swarm_omega_pd_kp: float = parameter(1.0, 'spin gain', unit='1/s', **WITH_SPIN)
    target_swarm_omega_pd_kd: float = parameter(0.2, 'spin damping', **WITH_SPIN)
    target_swarm_omega_pd_max_abs: float = parameter(
        1.0, 'largest turn rate of the ring', unit='rad/s', above=0.0, **WITH_SPIN
    )
    target_swarm_spin_rho_min: float = parameter(
        0.05, 'order parameter below which the swarm has no centre', minimum=0.0, maximum=1.0,
        **WITH_SPIN,
    )  # fmt: skip
    target_swarm_spin_law: str = parameter(
        'filtered', 'how the turn rate follows the adversary', choices=SPIN_LAW_NAMES,
        fixed='every spin law has a memory of its own kind', **WITH_SPIN,
    )  # fmt: skip
    target_swarm_spin_filter: float = parameter(
        0.5, 'lag of the filtered law', unit='s', minimum=0.0, **FILTERED
    )
    target_swarm_spin_max_rate: float = parameter(
        0.5, 'fastest change of the turn rate in the filtered law', unit='rad/s^2', above=0.0,
        **FILTERED,
    )  # fmt: skip
    edge_weight_always_fresh: bool = parameter(
        True, 'reweigh the open arc at once when the number of agents changes'
    )


@dataclass(frozen=True)
class AdversaryParameters(Parameters, live=True):
    """How the adversary roams."""

    adversary_enable: bool = parameter(
        True, 'let an adversary roam', fixed='it decides which nodes start'
    )
    adversary_roam_bound_xy: float = parameter(
        40.0, 'half side of the box it roams in', unit='m', above=0.0, **WITH_ADVERSARY
    )
    adversary_min_target_distance: float = parameter(
        30.0, 'distance to the target that it keeps', unit='m', minimum=0.0, **WITH_ADVERSARY
    )
    adversary_roam_speed_xy: float = parameter(
        4.0, 'speed', unit='m/s', minimum=0.0, **WITH_ADVERSARY
    )
