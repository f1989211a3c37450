"""Propagation of information along the ring: the selected layer, and all layer parameters."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter

LAYER_NAMES = ('baseline', 'advection', 'wave', 'excitable', 'kdv', 'alarm', 'burgers')

MAX_TICKS = 1_000_000

ADVECTION = {'only_with': {'propagation_method': 'advection'}}
WAVE = {'only_with': {'propagation_method': 'wave'}}
EXCITABLE = {'only_with': {'propagation_method': 'excitable'}}
KDV = {'only_with': {'propagation_method': 'kdv'}}
ALARM = {'only_with': {'propagation_method': 'alarm'}}
BURGERS = {'only_with': {'propagation_method': 'burgers'}}
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
