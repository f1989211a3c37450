"""The encirclement laws and their gains, the propagation layers and their parameters."""

from dataclasses import dataclass
from typing import Any

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter

PEER_NAMES = ('kim_sugie', 'franchi', 'wang_xie_cao', 'splay')
"""Published laws, to compare ours with; with parameters of their own (docs/research/peers.md)."""

PREDICTIVE, SOLITON = 'predictive', 'soliton'
"""Presets of our law, with prediction (docs/research/predictive.md) and without."""

OUR_NAMES = (SOLITON, 'two_channel', 'soliton_v1')
"""Those with the defaults below: the last two are the originals."""

CONTROLLER_NAMES = (PREDICTIVE, *OUR_NAMES, *PEER_NAMES)
"""The default law first."""

DIFFERENCE, KALMAN = 'difference', 'kalman'
"""How a law gets the acceleration of its target."""

FIRST_ORDER, SAMPLED = 'first_order', 'sampled'
"""How a law makes up for the lag of its vehicle."""

PREDICTIVE_PRESET: dict[str, Any] = {
    'k_r': 1.15,
    'k_s': 1.3,
    'k_v': 1.75,
    'velocity_share': 0.6,
    'ring_hops': 3,
    'approach_share': 0.82,
    'spacing_share': 0.62,
    'lag_inversion': SAMPLED,
    'acc_filter_share': 0.25,
    'acc_filter': 0.05,
    'acc_limit': 1.6,
    'target_filter': KALMAN,
    'target_acc_deviation': 2.75,
    'target_acc_time': 0.45,
    'target_acc_share': 0.85,
    'own_prediction': True,
    'gain_age': 1.2,
    'unheard_share': 0.75,
    'lossless_timeout': 0.1,
}
"""Defaults of ``predictive`` where they are not those below."""


@dataclass(frozen=True)
class ControlParameters(Parameters, live=True):
    """The encirclement law and its gains."""

    controller: str = parameter(
        CONTROLLER_NAMES[0], 'control law', choices=CONTROLLER_NAMES,
        fixed='each law has its own kind of memory',
    )  # fmt: skip
    hysteresis_rad: float = parameter(
        0.05, 'hysteresis of the neighbour selection', unit='rad', minimum=0.0
    )
    r_min: float = parameter(
        1.0, 'smallest radius used to compute the angular rate', unit='m', above=0.0
    )
    k_r: float = parameter(1.0, 'radial gain', unit='1/s', above=0.0)
    k_dr: float = parameter(0.5, 'radial speed damping', minimum=0.0)
    k_tau: float = parameter(0.2, 'angular rate per unit of u', unit='rad/s', minimum=0.0)
    beta_u: float = parameter(7.0, 'decay of u', unit='1/s', minimum=0.0)
    k_e_tau: float = parameter(25.0, 'gain of the spacing error', unit='1/s', minimum=0.0)
    alpha_u: float = parameter(0.5, 'nonlinear decay of u', unit='1/s', minimum=0.0)
    c_coupling: float = parameter(2.0, 'transport along the ring', unit='1/s')
    kappa_u_diff: float = parameter(0.1, 'diffusion along the ring', unit='1/s', minimum=0.0)
    k_u_steepen: float = parameter(0.3, 'steepening', unit='1/s')
    kappa_u_disp: float = parameter(0.05, 'dispersion', unit='1/s')
    use_soft_limiter_u: bool = parameter(False, 'limit the nonlinear decay smoothly')
    u_lim: float = parameter(2.0, 'scale of the soft limiter, unit of u', above=0.0)
    k_omega_damp: float = parameter(0.1, 'angular rate damping', unit='s/rad', minimum=0.0)
    beta_u_local: float = parameter(7.0, 'decay of the local channel', unit='1/s', minimum=0.0)
    beta_u_prop: float = parameter(7.0, 'decay of the propagated channel', unit='1/s', minimum=0.0)
    u_conflict_blend_width: float = parameter(
        0.2, 'width of the smooth blend of the channels, unit of u', minimum=0.0
    )
    tangential_composition_mode: str = parameter(
        'sum', 'composition of u from its two channels', choices=('sum', 'blend')
    )
    k_v: float = parameter(
        4.0, 'soliton: gain of velocity tracking; of fast vehicles the least one', unit='1/s',
        above=0.0,
    )  # fmt: skip
    velocity_share: float = parameter(
        0.0, 'soliton: gain of velocity tracking times lag and 1.5 control periods, if that is '
        'more than k_v',
        minimum=0.0, maximum=1.0,
    )  # fmt: skip
    k_s: float = parameter(1.5, 'soliton: spacing gain', unit='1/s', above=0.0)
    k_z: float = parameter(1.0, 'soliton: altitude gain', unit='1/s', above=0.0)
    ring_hops: int = parameter(
        4, 'soliton: neighbours per side that are used for spacing', minimum=1, maximum=100
    )
    approach_share: float = parameter(
        0.8, 'soliton: share of the acceleration limit used by the approach to the ring',
        above=0.0, maximum=1.0,
    )  # fmt: skip
    spacing_share: float | None = parameter(
        None, 'soliton: the same for the approach to the place on it; none: approach_share',
        above=0.0, maximum=1.0,
    )  # fmt: skip
    altitude_share: float = parameter(
        0.8, 'soliton: share of the vertical acceleration limit used by the approach to the '
        'height',
        above=0.0, maximum=1.0,
    )  # fmt: skip
    lag_inversion: str = parameter(
        FIRST_ORDER, 'soliton: command for a wanted acceleration: v + tau a, or exact for a '
        'command that is held for a period, within the limits of the vehicle',
        choices=(FIRST_ORDER, SAMPLED),
    )  # fmt: skip
    acc_filter_share: float = parameter(
        0.0, 'soliton: time constant of the filter of the wanted acceleration, share of the lag',
        minimum=0.0, maximum=10.0,
    )  # fmt: skip
    acc_filter: float | None = parameter(
        None, 'soliton: its longest time constant; none: any', unit='s', minimum=0.0, maximum=0.3
    )
    acc_limit: float = parameter(
        1.0, 'soliton: largest acceleration that a sampled command asks for, as a multiple of '
        'the limit',
        minimum=1.0, maximum=10.0,
    )  # fmt: skip
    target_filter: str = parameter(
        DIFFERENCE, 'soliton: motion of the target: as reported, with the change of the velocity '
        'as acceleration, or by a Kalman filter that measures the noise of the reports',
        choices=(DIFFERENCE, KALMAN),
    )  # fmt: skip
    target_acc_deviation: float = parameter(
        4.0, 'soliton: Kalman filter: standard deviation of the target acceleration',
        unit='m/s^2', minimum=0.0,
    )  # fmt: skip
    target_acc_time: float = parameter(
        0.3, 'soliton: Kalman filter: correlation time of the target acceleration', unit='s',
        above=0.0,
    )  # fmt: skip
    target_acc_share: float = parameter(
        1.0, 'soliton: Kalman filter: share of the target acceleration that is fed forward',
        minimum=0.0, maximum=1.0,
    )  # fmt: skip
    own_prediction: bool = parameter(
        False, 'soliton: predict the own motion over the age of the pose and the delay of the '
        'vehicle',
    )  # fmt: skip
    target_acc_filter: float = parameter(
        0.05, 'soliton: without the Kalman filter: time constant of the target acceleration',
        unit='s', minimum=0.0, only_with={'target_filter': DIFFERENCE},
    )  # fmt: skip
    target_hold_time: float = parameter(
        2.0, 'soliton: dead reckoning after the target is lost, then stop',
        unit='s', minimum=0.0,
    )  # fmt: skip
    target_relay: bool = parameter(
        True, 'predictive: agents pass on the newest report of the target, and take those of '
        'others that are younger than theirs', only_with={'controller': PREDICTIVE},
    )  # fmt: skip
    gain_age: float | None = parameter(
        None, 'soliton: age of the target state at which k_r and k_s are halved; none: never',
        unit='s', above=0.0,
    )  # fmt: skip
    unheard_share: float = parameter(
        1.0, 'predictive: share of its distance to which an agent comes closer while nobody hears '
        'the target; 1: it stays',
        minimum=0.5, maximum=1.0,
    )  # fmt: skip
    return_speed: float = parameter(
        0.2, 'predictive: speed of the way back to the full radius', unit='m/s', above=0.0
    )
    lossless_timeout: float | None = parameter(
        None, 'soliton: silence after which a neighbour counts as gone while no states get lost; '
        'at least 2.5 control periods, at most agent_state_timeout; none: that',
        unit='s', above=0.0,
    )  # fmt: skip
    neighbour_hold_time: float = parameter(
        1.0, 'soliton: largest neighbour timeout under packet loss', unit='s',
        minimum=0.0,
    )  # fmt: skip
    spin_acc: float = parameter(
        0.2, 'soliton: largest change rate of the ring angular rate', unit='rad/s^2', above=0.0
    )
    altitude_offset: float = parameter(0.0, 'soliton: height above the target', unit='m')
    altitude_layers: int = parameter(
        1, 'soliton: number of altitude layers', minimum=1, maximum=100
    )
    altitude_layer_spacing: float = parameter(
        2.0, 'soliton: distance between two altitude layers', unit='m', minimum=0.0
    )


LAYER_NAMES = ('baseline', 'advection', 'wave', 'excitable', 'kdv', 'alarm', 'burgers')

MAX_TICKS = 1_000_000

ADVECTION: dict[str, Any] = {'only_with': {'propagation_method': 'advection'}}
WAVE: dict[str, Any] = {'only_with': {'propagation_method': 'wave'}}
EXCITABLE: dict[str, Any] = {'only_with': {'propagation_method': 'excitable'}}
KDV: dict[str, Any] = {'only_with': {'propagation_method': 'kdv'}}
ALARM: dict[str, Any] = {'only_with': {'propagation_method': 'alarm'}}
BURGERS: dict[str, Any] = {'only_with': {'propagation_method': 'burgers'}}
"""For parameters of one layer."""


@dataclass(frozen=True)
class PropagationParameters(Parameters, live=True):
    """The propagation layer and the parameters of all layers; the others are unused."""

    propagation_method: str = parameter(
        'baseline', 'propagation layer; baseline: none', choices=LAYER_NAMES,
        fixed='each layer has its own kind of memory',
    )  # fmt: skip
    propagation_k_prop: float = parameter(
        1.0, "gain of the neighbours' signal; baseline: 0", unit='1/s', minimum=0.0
    )

    advection_alpha: float = parameter(1.0, 'decay', unit='1/s', minimum=0.0, **ADVECTION)
    advection_c: float = parameter(
        5.0, 'transport speed, hops per second', unit='1/s', minimum=0.0, **ADVECTION
    )
    advection_d: float = parameter(0.1, 'diffusion', unit='1/s', minimum=0.0, **ADVECTION)
    advection_s: float = parameter(2.0, 'largest injection', unit='1/s', minimum=0.0, **ADVECTION)
    advection_kappa: float = parameter(3.0, 'steepness of the injection', minimum=0.0, **ADVECTION)

    wave_c_sq: float = parameter(
        25.0, 'stiffness between agents', unit='1/s^2', minimum=0.0, **WAVE
    )
    wave_gamma: float = parameter(2.0, 'damping', unit='1/s', minimum=0.0, **WAVE)
    wave_alpha_q: float = parameter(1.0, 'restoring stiffness', unit='1/s^2', minimum=0.0, **WAVE)
    wave_s: float = parameter(2.0, 'largest injection', unit='1/s^2', minimum=0.0, **WAVE)
    wave_kappa: float = parameter(3.0, 'steepness of the injection', minimum=0.0, **WAVE)
    wave_k_q: float = parameter(1.0, 'weight of the displacement in the output', **WAVE)
    wave_k_p: float = parameter(0.3, 'weight of the rate in the own output', unit='s', **WAVE)

    excitable_epsilon: float = parameter(
        0.08, 'rate of the recovery variable', above=0.0, **EXCITABLE
    )
    excitable_a: float = parameter(
        0.7, 'offset of the recovery variable', minimum=-1e6, maximum=1e6, **EXCITABLE
    )
    excitable_b: float = parameter(0.8, 'slope of the recovery variable', above=0.0, **EXCITABLE)
    excitable_dv: float = parameter(30.0, 'diffusion', unit='1/s', minimum=0.0, **EXCITABLE)
    excitable_theta: float = parameter(
        0.3, 'error threshold of the excitation', minimum=0.0, **EXCITABLE
    )
    excitable_s: float = parameter(
        3.0, 'injection gain above the threshold', unit='1/s', minimum=0.0, **EXCITABLE
    )
    excitable_kappa_out: float = parameter(
        2.0, 'steepness of the output', minimum=0.0, **EXCITABLE
    )

    kdv_alpha_nl: float = parameter(2.0, 'steepening', unit='1/s', **KDV)
    kdv_beta_disp: float = parameter(0.5, 'dispersion', unit='1/s', **KDV)
    kdv_gamma: float = parameter(1.5, 'decay', unit='1/s', minimum=0.0, **KDV)
    kdv_s: float = parameter(5.0, 'largest injection', unit='1/s', minimum=0.0, **KDV)
    kdv_q_max: float = parameter(5.0, 'largest displacement', above=0.0, **KDV)

    alarm_theta: float = parameter(0.4, 'error threshold of an alarm', minimum=0.0, **ALARM)
    alarm_i_max: float = parameter(1.0, 'largest intensity', minimum=0.0, **ALARM)
    alarm_ttl_max: int = parameter(
        20, 'lifetime of an alarm, hops or ticks', minimum=1, maximum=MAX_TICKS, **ALARM
    )
    alarm_lam: float = parameter(
        0.92, 'intensity factor per hop', minimum=0.0, maximum=1.0, **ALARM
    )
    alarm_refract: int = parameter(
        15, 'refractory time between two own alarms, ticks', minimum=0, maximum=MAX_TICKS, **ALARM
    )

    burgers_alpha_nl: float = parameter(3.0, 'nonlinear transport', unit='1/s', **BURGERS)
    burgers_nu: float = parameter(5.0, 'diffusion', unit='1/s', minimum=0.0, **BURGERS)
    burgers_gamma: float = parameter(0.8, 'decay', unit='1/s', minimum=0.0, **BURGERS)
    burgers_q_max: float = parameter(
        2.0, 'saturation scale of the transport; 0: no saturation', minimum=0.0, **BURGERS
    )
    burgers_q_clamp: float = parameter(5.0, 'largest displacement', above=0.0, **BURGERS)
    burgers_s: float = parameter(2.0, 'largest injection', unit='1/s', minimum=0.0, **BURGERS)
    burgers_kappa: float = parameter(3.0, 'steepness of the injection', minimum=0.0, **BURGERS)

    @property
    def k_in_use(self) -> float:
        """The gain [1/s] of the neighbours' signal; 0 for ``baseline``."""
        return 0.0 if self.propagation_method == 'baseline' else self.propagation_k_prop
