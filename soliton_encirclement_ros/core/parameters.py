"""Every parameter of a swarm, declared once. Names are the seed's constants in lower case."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import Parameters, parameter

LARGEST_SEED = 2**53
"""So that every tool that reads the manifest holds the seed exactly."""

CONTROLLER_NAMES = ('soliton_v1',)


@dataclass(frozen=True)
class RunParameters(Parameters):
    """One run of a scenario."""

    sim_duration: float = parameter(
        300.0, 'length of the run', unit='s', above=0.0, maximum=1e6
    )
    seed: int = parameter(0, 'seed of every random stream', minimum=0, maximum=LARGEST_SEED)
    num_agents: int = parameter(10, 'number of agents', minimum=1, maximum=1000)
    init_radius_range: float = parameter(
        0.1, 'scatter of the initial radius, share of the radius', minimum=0.0, maximum=1.0
    )
    init_angles_equidistant: bool = parameter(False, 'start at even angles, else random')
    real_time_factor: float = parameter(
        0.0, 'simulated seconds per second; 0: as fast as it goes', minimum=0.0, maximum=1000.0
    )
    lockstep_timeout: float = parameter(
        5.0, 'wall time that a controller has to answer a tick', unit='s', above=0.0
    )
    startup_timeout: float = parameter(
        30.0, 'wall time that all nodes have to find each other', unit='s', above=0.0
    )
    max_e_gap: float = parameter(0.5, 'verdict: largest mean E_gap', above=0.0)
    max_e_r: float = parameter(0.3, 'verdict: largest mean E_r', above=0.0)
    settle_window: float = parameter(
        5.0, 'time within the verdict bounds that counts as settled', unit='s', above=0.0
    )


@dataclass(frozen=True)
class SwarmParameters(Parameters):
    """What all members share."""

    control_period: float = parameter(
        0.05, 'time between two control ticks', unit='s', minimum=1e-3, maximum=10.0
    )
    encirclement_radius: float = parameter(20.0, 'wanted ring radius', unit='m', above=0.0)
    agent_state_timeout: float = parameter(
        0.25, 'age at which an agent counts as gone', unit='s', above=0.0
    )
    target_state_timeout: float = parameter(
        0.5, 'age at which the target counts as gone', unit='s', above=0.0
    )
    prune_expired_states: bool = parameter(True, 'forget agents that are gone')


@dataclass(frozen=True)
class CommandLimits(Parameters):
    """What an agent may ask of its vehicle, and how the vehicle answers."""

    max_speed_xy: float = parameter(10.0, 'largest horizontal speed', unit='m/s', above=0.0)
    max_speed_z: float = parameter(5.0, 'largest vertical speed', unit='m/s', minimum=0.0)
    max_acc_xy: float = parameter(
        4.0, 'largest horizontal acceleration', unit='m/s^2', above=0.0
    )
    tau_xy: float | None = parameter(
        1.0, 'lag of the horizontal velocity; none: at once', unit='s', above=0.0
    )


@dataclass(frozen=True)
class ControlParameters(Parameters):
    """The encirclement law and its gains."""

    controller: str = parameter('soliton_v1', 'the law', choices=CONTROLLER_NAMES)
    hysteresis_rad: float = parameter(
        0.05, 'how much farther an old neighbour may be', unit='rad', minimum=0.0
    )
    r_min: float = parameter(1.0, 'smallest radius used for turning', unit='m', above=0.0)
    k_r: float = parameter(1.0, 'radial gain', unit='1/s', minimum=0.0)
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


@dataclass(frozen=True)
class FailureParameters(Parameters):
    """Random failures of agents; each is up again after a while."""

    failure_enable: bool = parameter(True, 'inject failures')
    failure_check_period: float = parameter(
        0.1, 'time between two draws', unit='s', above=0.0
    )
    failure_mean_failures_per_min: float = parameter(
        1.0, 'mean failures per minute of up-time', unit='1/min', minimum=0.0
    )
    failure_off_time: float = parameter(8.0, 'time until recovery', unit='s', minimum=0.0)


@dataclass(frozen=True)
class TargetParameters(Parameters):
    """How the target moves and what it asks of the ring."""

    target_motion_period: float = parameter(
        1.0, 'time between two choices of direction', unit='s', above=0.0
    )
    target_motion_speed_xy: float = parameter(5.0, 'speed', unit='m/s', minimum=0.0)
    target_motion_boundary_xy: float = parameter(
        20.0, 'half side of the box it turns back from', unit='m', minimum=0.0
    )
    protection_angle_deg: float = parameter(
        360.0, 'angle that the agents cover', unit='deg', minimum=0.0, maximum=360.0
    )
    target_swarm_spin_enable: bool = parameter(False, 'turn the ring towards the adversary')
    target_swarm_omega_ref: float = parameter(0.0, 'base turn rate of the ring', unit='rad/s')
    target_swarm_omega_pd_kp: float = parameter(1.0, 'spin gain', unit='1/s')
    target_swarm_omega_pd_kd: float = parameter(0.2, 'spin damping')
    target_swarm_omega_pd_max_abs: float = parameter(
        1.0, 'largest turn rate of the ring', unit='rad/s', above=0.0
    )
    target_swarm_spin_rho_min: float = parameter(
        0.05, 'order parameter below which the swarm has no centre', minimum=0.0, maximum=1.0
    )


@dataclass(frozen=True)
class AdversaryParameters(Parameters):
    """How the adversary roams."""

    adversary_enable: bool = parameter(True, 'let an adversary roam')
    adversary_roam_bound_xy: float = parameter(
        40.0, 'half side of the box it roams in', unit='m', above=0.0
    )
    adversary_min_target_distance: float = parameter(
        30.0, 'distance to the target that it keeps', unit='m', minimum=0.0
    )
    adversary_roam_speed_xy: float = parameter(4.0, 'speed', unit='m/s', minimum=0.0)
